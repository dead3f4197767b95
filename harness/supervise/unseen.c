/* Suppressions (.unseen) that a run did not need. */
#include "unseen.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void assay_unseen_name(const assay_unseen *row, char *name, size_t size)
{
    (void)assay_text_set(name, size, "%s.%.*s", assay_gpu_tool_text(row->tool),
                         (int)strcspn(row->place, ","), row->place);
}

/* Is the row among the stored names, one per line? */
static bool is_among(const assay_unseen *row, const char *names)
{
    char name[ASSAY_NAME_SIZE];

    assay_unseen_name(row, name, sizeof name);
    for (const char *at = names; *at; at += strcspn(at, "\n") + 1)
        if (strlen(name) == strcspn(at, "\n") && strncmp(at, name, strlen(name)) == 0)
            return true;
    return false;
}

static void tell_variant(const assay_case *c, const char *variant, const char *names,
                         assay_gpu_tool tool, FILE *out, int64_t *n)
{
    for (const assay_unseen *row = c ? c->unseen : NULL; row && row->variant; row++) {
        if (row->tool != tool || strcmp(row->variant, variant) != 0 || !row->place ||
            is_among(row, names))
            continue;
        ++*n;
        (void)fprintf(out,
                      "assay: NOT NEEDED: the row .unseen of %s/%s for %s in %s: the tool has "
                      "watched the variant and reports nothing there\n",
                      c->name, variant, assay_gpu_tool_text(tool), row->place);
    }
}

assay_status assay_unseen_tell(assay_store *store, int64_t run_id, assay_case_table cases,
                               assay_gpu_tool tool, FILE *out, int64_t *n_not_needed)
{
    assay_status  st  = ASSAY_OK;
    assay_cursor *row = NULL;

    *n_not_needed = 0;
    ASSAY_CHECK(assay_store_query(store, "watched", run_id, &row));
    while (assay_cursor_next(row, &st))
        tell_variant(assay_registry_find(cases, assay_row_text(row, "case_name")),
                     assay_row_text(row, "variant"), assay_row_text(row, "names"), tool, out,
                     n_not_needed);
out:
    assay_cursor_close(row);
    return st;
}
