/* One check in several lanes: a table of variants by lanes. */
#include "report_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A variant, and its result in each lane; "" if it has no point there. */
typedef struct line {
    char case_name[128], variant[128];
    char verdicts[ASSAY_REPORT_LANES][ASSAY_CELL_SIZE];
} line;

typedef struct page {
    line *lines; /* owned; in the order in which they were read */
    int   n;
    char  lanes[ASSAY_REPORT_LANES][16];
} page;

static assay_status find_line(page *p, assay_cursor *row, line **found)
{
    const char *case_name = assay_row_text(row, "case_name");
    line       *lines     = NULL;
    char        variant[sizeof p->lines->variant];

    (void)snprintf(variant, sizeof variant, "%s", assay_row_text(row, "variant"));
    for (int i = 0; i < p->n; i++) {
        *found = &p->lines[i];
        if (strcmp((*found)->case_name, case_name) == 0 && strcmp((*found)->variant, variant) == 0)
            return ASSAY_OK;
    }
    lines = realloc(p->lines, (size_t)(p->n + 1) * sizeof *lines);
    if (!lines)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a table of lanes");
    p->lines = lines;
    *found   = &lines[p->n++];
    **found  = (line) { .case_name = "" };
    (void)snprintf((*found)->case_name, sizeof(*found)->case_name, "%s", case_name);
    (void)snprintf((*found)->variant, sizeof(*found)->variant, "%s", variant);
    return ASSAY_OK;
}

static assay_status read_name(assay_store *store, int64_t run_id, char *name, size_t size)
{
    assay_cursor *row = NULL;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(store, "run", run_id, &row));
    if (assay_cursor_next(row, &st))
        (void)snprintf(name, size, "%s", assay_row_text(row, "lane"));
out:
    assay_cursor_close(row);
    return st;
}

static assay_status read_lane(assay_store *store, int64_t run_id, int place, page *p)
{
    assay_cursor *row   = NULL;
    line         *found = NULL;
    assay_status  st;

    ASSAY_CHECK(read_name(store, run_id, p->lanes[place], sizeof p->lanes[place]));
    ASSAY_CHECK(assay_store_query(store, "lane", run_id, &row));
    while (assay_cursor_next(row, &st)) {
        ASSAY_CHECK(find_line(p, row, &found));
        (void)snprintf(found->verdicts[place], sizeof found->verdicts[place], "%s",
                       assay_row_text(row, "verdicts"));
    }
out:
    assay_cursor_close(row);
    return st;
}

static assay_status print_page(const page *p, int n, FILE *out)
{
    assay_column columns[2 + ASSAY_REPORT_LANES] = { { .title = "case" }, { .title = "variant" } };
    assay_table  table                           = { .columns = columns, .n_columns = 2 + n };
    assay_status st;

    for (int k = 0; k < n; k++)
        columns[2 + k].title = p->lanes[k];
    for (int i = 0; i < p->n; i++) {
        assay_table_add(&table, "%s", p->lines[i].case_name);
        assay_table_add(&table, "%s", p->lines[i].variant);
        for (int k = 0; k < n; k++)
            assay_table_add(&table, "%s", *p->lines[i].verdicts[k] ? p->lines[i].verdicts[k] : "-");
    }
    (void)fputc('\n', out);
    st = assay_table_print(&table, out, 2);
    assay_table_free(&table);
    return st;
}

assay_status assay_report_lanes(const char *database, const int64_t *run_ids, int n, FILE *out)
{
    assay_store *store = NULL;
    page         p     = { .lines = NULL };
    assay_status st;

    ASSAY_CHECK(assay_store_open(database, ASSAY_STORE_READ, &store));
    for (int i = 0; i < n; i++)
        ASSAY_CHECK(read_lane(store, run_ids[i], i, &p));
    ASSAY_CHECK(print_page(&p, n, out));
out:
    assay_store_close(store);
    free(p.lines);
    return st;
}
