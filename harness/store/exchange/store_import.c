/* Reads text baselines back into a store: line by line, in one transaction, and reads them back
 * before it commits. */
#include "store_import_internal.h"

#include <inttypes.h>
#include <string.h>

/* ---- columns ---- */

static assay_status find_places(assay_importer *im)
{
    ASSAY_ASSERT(assay_csv_n_columns <= ASSAY_MAX_COLUMNS);
    for (int c = 0; c < assay_csv_n_columns; c++) {
        im->place[c] = assay_csv_find(im->csv, assay_csv_columns[c].name);
        if (im->place[c] < 0 && c < assay_csv_n_first)
            return ASSAY_FAIL(ASSAY_E_USAGE,
                              "%s:1:1: there is no column '%s': this is not what 'assay report "
                              "--format csv' writes",
                              im->csv->path, assay_csv_columns[c].name);
    }
    return ASSAY_OK;
}

/* Refuses columns that would be lost. A column of an axis only repeats what `config` says. */
static assay_status refuse_unknown(const assay_importer *im)
{
    bool is_known[ASSAY_MAX_COLUMNS] = { false };

    for (int c = 0; c < assay_csv_n_columns; c++)
        if (im->place[c] >= 0 && im->place[c] < ASSAY_MAX_COLUMNS)
            is_known[im->place[c]] = true;
    for (int64_t c = 0; c < im->csv->n_columns; c++) {
        const assay_csv_cell *cell = assay_csv_at(im->csv, 0, c);

        if ((c >= ASSAY_MAX_COLUMNS || !is_known[c]) && !assay_import_axis(cell->text))
            return ASSAY_FAIL(
                ASSAY_E_USAGE,
                "%s:%lld:%lld: this release does not know the column '%.80s': a newer "
                "one may",
                im->csv->path, (long long)cell->line, (long long)cell->column, cell->text);
    }
    return ASSAY_OK;
}

/* ---- rules of a line ---- */

static bool is_verdict(const char *word)
{
    for (int v = 0; v < ASSAY_N_VERDICTS; v++)
        if (strcmp(assay_verdict_text((assay_verdict)v), word) == 0)
            return true;
    return false;
}

/* Refuses a time without a PASS: no verdict, no number. */
static assay_status refuse_numbers(const assay_importer *im)
{
    const char *verdict = assay_import_text(im, "verdict");

    for (int c = 0; c < assay_csv_n_columns && strcmp(verdict, "PASS") != 0; c++)
        if (assay_csv_columns[c].is_number && assay_import_is_given(im, assay_csv_columns[c].name))
            return assay_import_fail(im, assay_csv_columns[c].name,
                                     "a number without a PASS (the verdict is '%.40s')",
                                     verdict[0] ? verdict : "none");
    return ASSAY_OK;
}

/* Checks what the schema cannot check, or not with a helpful sentence. */
static assay_status judge_line(const assay_importer *im)
{
    static const char *const needed[] = { "run_uuid", "started_utc", "lane", "case", "key" };
    const char              *verdict  = assay_import_text(im, "verdict");

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!assay_import_is_given(im, needed[i]))
            return assay_import_fail(im, needed[i], "must not be empty");
    if (strlen(assay_import_text(im, "key")) >= ASSAY_KEY_SIZE)
        return assay_import_fail(im, "key", "longer than %d characters", ASSAY_KEY_SIZE - 1);
    if (strlen(assay_import_text(im, "run_uuid")) >= sizeof((assay_run_row *)NULL)->uuid)
        return assay_import_fail(im, "run_uuid", "too long");
    if (verdict[0] && !is_verdict(verdict))
        return assay_import_fail(im, "verdict", "there is no verdict '%.40s'", verdict);
    if (!verdict[0] && strcmp(assay_import_text(im, "state"), "ready") != 0)
        return assay_import_fail(im, "verdict", "must not be empty: the point is not 'ready'");
    return refuse_numbers(im);
}

static bool is_same(assay_importer *im, int64_t row, const char *column)
{
    const char   *here = assay_import_text(im, column), *there;
    const int64_t at   = im->row;

    im->row = row;
    there   = assay_import_text(im, column);
    im->row = at;
    return strcmp(here, there) == 0;
}

/* ---- one point ---- */

static assay_status add_point(assay_importer *im)
{
    const assay_import_item items[] = { ASSAY_ITEM_ID("item_run", im->run_id),
                                        ASSAY_ITEM_ID("item_ordinal", im->ordinal) };
    int                     n_added = 0;
    assay_status            st;

    ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_CASE, NULL, 0, NULL));
    ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_CONFIG, NULL, 0, &n_added));
    if (n_added > 0)
        ASSAY_CHECK(assay_import_axes(im));
    ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_POINT, items, 2, NULL));
    ASSAY_CHECK(assay_store_point_at(im->store, im->run_id, im->ordinal++, &im->point_id));
    ASSAY_CHECK(assay_import_expected(im));
    const assay_import_item point = ASSAY_ITEM_ID("item_point", im->point_id);

    if (assay_import_is_given(im, "worst_input"))
        ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_CHECK, &point, 1, NULL));
    if (assay_import_is_given(im, "tuned_by"))
        ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_TUNED, &point, 1, NULL));
    ASSAY_CHECK(assay_import_kernels(im));
    ASSAY_CHECK(assay_import_metrics(im));
out:
    return st;
}

static assay_status add_measurement(assay_importer *im)
{
    const assay_import_item point = ASSAY_ITEM_ID("item_point", im->point_id);
    assay_status            st    = ASSAY_OK;

    if (!assay_import_is_given(im, "regime"))
        goto out;
    ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_POLICY, NULL, 0, NULL));
    ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_MEASUREMENT, &point, 1, NULL));
    im->measurement_id = sqlite3_last_insert_rowid(im->store->db);
    ASSAY_CHECK(assay_import_blocks(im));
    if (assay_import_is_given(im, "speedup_finding"))
        ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_COMPARISON, &point, 1, NULL));
out:
    return st;
}

/* The lines of a point are together. Each has the verdict, which ends the point. */
static assay_status add_point_lines(assay_importer *im, int64_t first, int64_t end)
{
    assay_status st = ASSAY_OK;

    for (im->row = first; im->row < end; im->row++) {
        if (im->row == first)
            ASSAY_CHECK(add_point(im));
        ASSAY_CHECK(add_measurement(im));
    }
    im->row = first;
    if (assay_import_is_given(im, "verdict")) {
        const assay_import_item point = ASSAY_ITEM_ID("item_point", im->point_id);

        ASSAY_CHECK(assay_import_run(im, ASSAY_IMPORT_VERDICT, &point, 1, NULL));
    }
out:
    return st;
}

/* ---- one run ---- */

static assay_status begin_run(assay_importer *im)
{
    static const assay_import_statement rows[] = { ASSAY_IMPORT_BUILD, ASSAY_IMPORT_DEVICE,
                                                   ASSAY_IMPORT_STATE, ASSAY_IMPORT_RUN };
    assay_status                        st     = ASSAY_OK;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ASSAY_CHECK(assay_import_run(im, rows[i], NULL, 0, NULL));
    im->run_id  = sqlite3_last_insert_rowid(im->store->db);
    im->ordinal = 0;
out:
    return st;
}

static assay_status end_run(assay_importer *im)
{
    const assay_import_item run = ASSAY_ITEM_ID("item_run", im->run_id);

    if (!assay_import_is_given(im, "ended_utc"))
        return ASSAY_OK; /* not recorded, or interrupted */
    return assay_import_run(im, ASSAY_IMPORT_RUN_END, &run, 1, NULL);
}

static int64_t end_of_same(assay_importer *im, int64_t first, int64_t end, const char *column)
{
    im->row = first;
    while (im->row < end && is_same(im, first, column))
        im->row++;
    return im->row;
}

static assay_status add_run(assay_importer *im, int64_t first, int64_t end, assay_import *result)
{
    assay_status st;
    int64_t      next;

    im->row = first;
    ASSAY_CHECK(begin_run(im));
    for (int64_t row = first; row < end; row = next) {
        next = end_of_same(im, row, end, "key");
        ASSAY_CHECK(add_point_lines(im, row, next));
        result->n_points++;
    }
    im->row = first;
    ASSAY_CHECK(end_run(im));
    result->n_runs++;
out:
    return st;
}

static assay_status find_run(assay_importer *im, bool *found)
{
    const char  *uuid = assay_import_text(im, "run_uuid");
    assay_binder b;
    assay_status st;

    ASSAY_CHECK(assay_store_prepare(im->store, ASSAY_SQL_FIND_RUN, &b));
    ASSAY_BIND_TEXT(&b, uuid);
    ASSAY_CHECK(assay_store_find(&b, &im->run_id, found));
out:
    return st;
}

static assay_status import_run(assay_importer *im, int64_t first, int64_t end, assay_import *result)
{
    bool         was_there = false;
    assay_status st        = ASSAY_OK;

    for (im->row = first; im->row < end; im->row++)
        ASSAY_CHECK(judge_line(im));
    im->row = first;
    ASSAY_CHECK(find_run(im, &was_there));
    if (!was_there)
        ASSAY_CHECK(add_run(im, first, end, result));
    ASSAY_CHECK(assay_import_verify(im, first, end, was_there));
    result->n_known += was_there;
out:
    return st;
}

/* ---- files ---- */

static assay_status import_file(assay_store *store, const assay_csv *csv, assay_import *result)
{
    assay_importer im = { .store = store, .csv = csv };
    assay_status   st;
    int64_t        next;

    ASSAY_CHECK(find_places(&im));
    ASSAY_CHECK(refuse_unknown(&im));
    for (int64_t row = 1; row < csv->n_rows; row = next) {
        next = end_of_same(&im, row, csv->n_rows, "run_uuid");
        ASSAY_CHECK(import_run(&im, row, next, result));
    }
out:
    for (int i = 0; i < ASSAY_N_IMPORTS; i++)
        (void)sqlite3_finalize(im.statements[i]);
    return st;
}

assay_status assay_store_import(assay_store *store, const assay_csv *files, int n,
                                assay_import *result)
{
    assay_status st;

    memset(result, 0, sizeof *result);
    if (store->open_point || store->is_planning)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "a point or a plan is open: nothing can be imported");
    ASSAY_CHECK(assay_store_begin(store));
    for (int i = 0; i < n; i++)
        ASSAY_CHECK(import_file(store, &files[i], result));
    ASSAY_CHECK(assay_store_commit(store));
out:
    assay_store_rollback(store);
    return st;
}
