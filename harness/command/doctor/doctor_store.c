/* Findings of doctor on a database: can it be read, is it complete, does every number belong to a
 * PASS? */
#include "doctor_store.h"

#include "store/store.h"

#include <inttypes.h>
#include <unistd.h>

enum {
    MANY_PROBLEMS = 20
};

typedef struct page {
    assay_findings *findings;
    int             n_said;
} page;

static void put_problem(void *context, const char *problem)
{
    page *p = context;

    if (p->n_said++ < MANY_PROBLEMS)
        assay_finding_put(p->findings, "database", "broken", "%s", problem);
}

static bool put_failure(assay_findings *findings)
{
    assay_finding_put(findings, "database", "broken", "%s", assay_status_message());
    assay_status_reset();
    return false;
}

static bool examine(assay_store *store, const char *path, assay_findings *findings)
{
    page    p          = { .findings = findings };
    int64_t n_problems = 0;

    if (assay_store_examine(store, put_problem, &p, &n_problems) != ASSAY_OK)
        return put_failure(findings);
    if (n_problems == 0) {
        assay_finding_put(findings, "database", "ok", "%s, schema %d, whole", path,
                          ASSAY_SCHEMA_VERSION);
        return true;
    }
    assay_finding_put(findings, "database", "broken", "%s: %" PRId64 " problems", path, n_problems);
    return false;
}

bool assay_doctor_store(const char *path, assay_findings *findings)
{
    assay_store *store = NULL;
    bool         is_sound;

    if (access(path, F_OK) != 0) {
        assay_finding_put(findings, "database", "ok",
                          "%s does not exist yet; the first run makes it", path);
        return true;
    }
    is_sound = assay_store_open(path, ASSAY_STORE_READ, &store) == ASSAY_OK
                   ? examine(store, path, findings)
                   : put_failure(findings);
    assay_store_close(store);
    return is_sound;
}
