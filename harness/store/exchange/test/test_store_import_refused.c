/* A file that is not ours, or that contradicts itself or the store, is refused with the place of
 * the fault, and nothing of it is kept. */
#include <sqlite3.h>

#include "testing/import_fixture.h"

/* One cell in a line of the timed run is changed: the file is refused with the place, and
 * nothing is kept. */
static void refuses(fixture *f, int64_t row, const char *column, const char *text,
                    const char *words)
{
    char          path[160], *csv_text = csv_of(f->path, 0);
    assay_csv     csv = parse(csv_text);
    const int64_t at  = row * csv.n_columns + assay_csv_find(&csv, column);
    char          place[64];
    assay_import  made;
    assay_store  *store = NULL;
    bool          found = true;
    int64_t       id;

    csv.cells[at].text = text;
    assert_int_not_equal(import_into(other_path(f, path), &csv, 1, &made), ASSAY_OK);
    (void)snprintf(place, sizeof place, "t.csv:%lld:", (long long)csv.cells[at].line);
    if (!strstr(assay_status_message(), place))
        print_error("'%s' not in: %s\n", place, assay_status_message());
    assert_non_null(strstr(assay_status_message(), place));
    assert_fails(ASSAY_E_USAGE, ASSAY_E_USAGE, words);
    assert_ok(assay_store_open(path, ASSAY_STORE_READ, &store));
    assert_ok(assay_store_latest_run(store, &id, &found));
    assert_false(found);
    assay_store_close(store);
    assert_int_equal(ask(path,
                         "SELECT (SELECT count(*) FROM run) + (SELECT count(*) FROM device) + "
                         "(SELECT count(*) FROM case_version)"),
                     0);
    assay_csv_free(&csv);
    free(csv_text);
}

static void test_refused_cells(void **state)
{
    static const struct {
        int64_t     row;
        const char *column, *text, *words;
    } wrong[] = {
        { 1, "median_ns", "12 us", "median_ns: '12 us' is not a number" },
        { 1, "median_ns", "nan", "is not a number" },
        { 1, "median_ns", "1e999", "is not a number" },
        { 1, "median_ns", "0x1p3", "is not a number" },
        { 1, "cells", "1.5", "cells: '1.5' is not a whole number" },
        { 1, "cells", "99999999999999999999", "is not a whole number" },
        { 1, "seed", "-1", "seed: '-1' is not a whole number from 0" },
        { 1, "run_uuid", "", "run_uuid: must not be empty" },
        { 1, "key", "", "key: must not be empty" },
        { 1, "verdict", "GREAT", "there is no verdict 'GREAT'" },
        { 1, "verdict", "", "the point is not 'ready'" },
        { 1, "verdict", "CRASHED", "a number without a PASS (the verdict is 'CRASHED')" },
        { 1, "state", "ready", "state: 'ready' does not fit the rest of the file" },
        { 1, "outcome", "failed", "outcome: 'failed' does not fit" },
        { 2, "host", "elsewhere", "host: 'elsewhere' does not fit" },
        { 2, "worst_ratio", "0.25", "worst_ratio: '0.25' does not fit" },
        { 1, "gb_per_s", "1", "gb_per_s: '1' does not fit" },
        { 4, "speedup_finding", "SLOWER", "speedup_finding: 'SLOWER' does not fit" },
        { 4, "speedup", "", "does not fit" },
        { 1, "worst_verdict", "WRONG_VALUE", "the store refuses this line: a PASS" },
        { 1, "worst_input", "", "the store refuses this line: a PASS needs a check" },
        { 1, "n_blocks", "3", "2 entries for 3 blocks" },
        { 1, "block_samples", "2;1", "block_samples: 3 samples in all, not 4" },
        { 1, "block_samples", "2;x", "'x' samples do not fit" },
        { 1, "block_samples", "2;-2", "'-2' samples do not fit" },
        { 1, "block_medians_ns", "1;2;3", "block_medians_ns: 3 entries for 2 blocks" },
        { 1, "block_medians_ns", "1;fast", "'fast' is not a number" },
        { 2, "clock", "event", "the store refuses this line: UNIQUE" },
        { 1, "regime", "warm", "regime: 'warm' is not a regime of this release" },
        { 1, "clock", "sundial", "clock: 'sundial' is not a clock of this release" },
        { 4, "speedup_clock", "cold", "'cold' is not a clock of this release" },
        { 1, "decides", "2", "the store refuses this line: CHECK" },
        { 1, "config", "n", "'n' is not of the form axis=value" },
        { 1, "config", "n=1;m=2", "axis_kinds: 1 kinds for 2 axes" },
        { 1, "axis_kinds", "grid", "'1000000' is not a value of an axis of kind 'grid'" },
        { 1, "axis_kinds", "colour", "not a value of an axis of kind 'colour'" },
        { 3, "kernels", "k|1x1|1x1x1|||||;k", "is not a kernel" },
        { 3, "kernels", "k|1x1x1|1x1x1|||||", "1 kernels with 2 hashes" },
        { 3, "kernels", "", "does not fit" },
        { 4, "code_hashes", "9f86;", "code_hashes: '9f86;' does not fit" },
        { 3, "metrics", "m|ok", "is not a counter" },
        { 3, "metrics", "m|perhaps|||user|", "the store refuses this line: CHECK" },
        { 1, "run_reason", "whim", "the store refuses this line: CHECK" },
    };
    fixture *f = *state;

    (void)write_timed_run(f);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        refuses(f, wrong[i].row, wrong[i].column, wrong[i].text, wrong[i].words);
}

static void test_refused_columns(void **state)
{
    fixture     *f = *state;
    char         path[160], *text;
    assay_csv    csv;
    assay_import made;

    (void)write_timed_run(f);
    text              = csv_of(f->path, 0);
    csv               = parse(text);
    csv.cells[3].text = "gadget";
    assert_fails(import_into(other_path(f, path), &csv, 1, &made), ASSAY_E_USAGE,
                 "t.csv:1:1: there is no column 'device'");
    csv.cells[3].text                 = "device";
    csv.cells[csv.n_columns - 1].text = "joules";
    assert_fails(import_into(path, &csv, 1, &made), ASSAY_E_USAGE,
                 "this release does not know the column 'joules'");
    assay_csv_free(&csv);
    free(text);
}

/* The same run with other contents, with a line less, with a line more. */
static void test_refused_other(void **state)
{
    fixture     *f = *state;
    char         path[160], *text;
    assay_csv    csv;
    assay_import made;

    (void)write_timed_run(f);
    text = csv_of(f->path, 0);
    csv  = parse(text);
    assert_ok(import_into(other_path(f, path), &csv, 1, &made));
    csv.n_rows--;
    assert_fails(import_into(path, &csv, 1, &made), ASSAY_E_USAGE, "the database has more lines");
    csv.n_rows++;
    csv.cells[csv.n_columns + assay_csv_find(&csv, "median_ns")].text = "1";
    assert_fails(import_into(path, &csv, 1, &made), ASSAY_E_USAGE,
                 "median_ns: '1', and the database has '12000.0' for this run");
    csv.cells[csv.n_columns + assay_csv_find(&csv, "median_ns")].text = "12000.0";
    /* Only lists of numbers are compared as numbers. */
    csv.cells[csv.n_columns + assay_csv_find(&csv, "driver")].text = "580.10";
    assert_fails(import_into(path, &csv, 1, &made), ASSAY_E_USAGE, "driver: '580.10'");
    assert_int_equal(ask(path, "SELECT count(*) FROM run"), 1);
    assay_csv_free(&csv);
    free(text);
}

/* If it is unknown how a run was begun, the run cannot be resumed. */
static void test_not_resumed(void **state)
{
    fixture        *f = *state;
    assay_point_row p = a_point("axpy", "naive", "", 5);
    char            path[160], *text;
    assay_run_row   row;
    assay_csv       csv;
    assay_import    made;
    bool            found = false;
    int64_t         id    = 0;

    open_store(f);
    (void)plan_point(f, begin_run(f, "run-1"), &p);
    assert_ok(assay_store_find_interrupted(f->store, NULL, 0, &id, &row, &found));
    assert_true(found);
    text = csv_of(f->path, 1);
    csv  = parse(text);
    assert_ok(import_into(other_path(f, path), &csv, 1, &made));
    assay_store_close(f->store);
    assert_ok(assay_store_open(path, ASSAY_STORE_READ, &f->store));
    assert_ok(assay_store_find_interrupted(f->store, NULL, 0, &id, &row, &found));
    assert_false(found);
    assay_csv_free(&csv);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(refused_cells),
        TEST(refused_columns),
        TEST(refused_other),
        TEST(not_resumed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
