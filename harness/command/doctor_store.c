/* What doctor says of a database: can it be read, is it whole, does every number stand on a PASS?
 */
#include "doctor_store.h"

#include "store/store.h"

#include <inttypes.h>
#include <unistd.h>

enum {
    MANY_PROBLEMS = 20
};

typedef struct page {
    FILE *out;
    int   n_said;
} page;

static void print_problem(void *context, const char *problem)
{
    page *p = context;

    if (p->n_said++ < MANY_PROBLEMS)
        (void)fprintf(p->out, "%-10s %-8s %s\n", "database", "broken", problem);
}

static bool print_failure(FILE *out)
{
    (void)fprintf(out, "%-10s %-8s %s\n", "database", "broken", assay_status_message());
    assay_status_reset();
    return false;
}

static bool examine(assay_store *store, const char *path, FILE *out)
{
    page    p          = { .out = out };
    int64_t n_problems = 0;

    if (assay_store_examine(store, print_problem, &p, &n_problems) != ASSAY_OK)
        return print_failure(out);
    if (n_problems == 0) {
        (void)fprintf(out, "%-10s %-8s %s, schema %d, whole\n", "database", "ok", path,
                      ASSAY_SCHEMA_VERSION);
        return true;
    }
    (void)fprintf(out, "%-10s %-8s %s: %" PRId64 " problems\n", "database", "broken", path,
                  n_problems);
    return false;
}

bool assay_doctor_store(const char *path, FILE *out)
{
    assay_store *store = NULL;
    bool         is_sound;

    if (access(path, F_OK) != 0) {
        (void)fprintf(out, "%-10s %-8s %s does not exist yet; the first run makes it\n", "database",
                      "ok", path);
        return true;
    }
    is_sound = assay_store_open(path, ASSAY_STORE_READ, &store) == ASSAY_OK
                   ? examine(store, path, out)
                   : print_failure(out);
    assay_store_close(store);
    return is_sound;
}
