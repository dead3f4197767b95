/* From a database to CSV, into another database and to CSV again: the same bytes. */
#include <sqlite3.h>

#include "testing/import_fixture.h"

/* The newest run of the fixture goes to another database and comes back the same; imported
 * twice, it is there once. */
static void assert_comes_back(fixture *f)
{
    char         path[160];
    char        *first = csv_of(f->path, 0), *second;
    assay_csv    csv   = parse(first);
    assay_import made;

    assert_ok(import_into(other_path(f, path), &csv, 1, &made));
    assert_int_equal(made.n_runs, 1);
    assert_int_equal(made.n_known, 0);
    second = csv_of(path, 0);
    assert_string_equal(second, first);
    assert_whole(path);
    assert_ok(import_into(path, &csv, 1, &made));
    assert_int_equal(made.n_runs, 0);
    assert_int_equal(made.n_points, 0);
    assert_int_equal(made.n_known, 1);
    assert_int_equal(ask(path, "SELECT count(*) FROM run"), 1);
    /* the file that it came from knows it */
    assert_ok(import_into(f->path, &csv, 1, &made));
    assert_int_equal(made.n_known, 1);
    free(first);
    free(second);
    assay_csv_free(&csv);
}

/* ---- to another database and back ---- */

static void test_every_outcome(void **state)
{
    fixture *f = *state;
    char     path[160];

    (void)write_run(f);
    assert_comes_back(f);
    (void)other_path(f, path);
    assert_int_equal(ask(path, "SELECT count(*) FROM point"), 9);
    assert_int_equal(ask(path, "SELECT count(*) FROM verdict"), 8);
    assert_int_equal(ask(path, "SELECT exit_status FROM run_end"), 2);
    assert_int_equal(ask(path, "SELECT count(*) FROM expected_verdict"), 10);
    assert_int_equal(ask(path, "SELECT count(*) FROM measurement"), 3);
}

static void test_everything_timed(void **state)
{
    fixture *f = *state;
    char     path[160];

    (void)write_timed_run(f);
    assert_comes_back(f);
    (void)other_path(f, path);
    assert_int_equal(ask(path, "SELECT count(*) FROM comparison WHERE kind = 'speedup'"), 2);
    assert_int_equal(ask(path, "SELECT count(*) FROM comparison WHERE clock = ''"), 1);
    assert_int_equal(ask(path, "SELECT count(*) FROM launch WHERE grid_y = 2 AND registers = 32"),
                     1);
    assert_int_equal(ask(path, "SELECT count(*) FROM policy"), 1);
    assert_int_equal(ask(path, "SELECT short_ns FROM policy"), 30000);
    assert_int_equal(ask(path, "SELECT compute_capability FROM device_state"), 90);
    assert_int_equal(ask(f->path, "SELECT count(*) FROM metric"),
                     ask(path, "SELECT count(*) FROM metric"));
    /* no sample was imported */
    assert_int_equal(ask(path, "SELECT count(*) FROM sample_block WHERE time_ns IS NULL"), 10);
    assert_int_equal(ask(path, "SELECT count(*) FROM sample_block"), 10);
}

static void test_hostile_names(void **state)
{
    fixture        *f = *state;
    assay_run_row   run;
    int64_t         id;
    assay_point_row p = a_point("evil, \"case\"", "<b>\r\n", "", 7);
    char            path[160];

    (void)write_hostile_run(f);
    assert_comes_back(f);
    (void)unlink(other_path(f, path));
    run = a_run("run, \"2\"\n");
    (void)snprintf(run.host, sizeof run.host, "'; DROP TABLE run; --\r\n\"");
    (void)snprintf(run.verb, sizeof run.verb, "a;b|c\\");
    const assay_device_info device = a_device();

    assert_ok(assay_store_begin_run(f->store, &run, &device, &id));
    (void)snprintf(p.axis[0].name, sizeof p.axis[0].name, "a=b;c\\|");
    (void)snprintf(p.axis[0].text, sizeof p.axis[0].text, "x;y=\\");
    p.axis[0].kind = ASSAY_AXIS_TEXT;
    (void)snprintf(p.key, sizeof p.key, "any,\"key\"\n");
    pass_point(f, plan_point(f, id, &p), 0.5, 1000);
    {
        char        *first = csv_of(f->path, id), *second;
        assay_csv    csv   = parse(first);
        assay_import made;

        assert_ok(import_into(path, &csv, 1, &made));
        second = csv_of(path, 0);
        assert_string_equal(second, first);
        assert_int_equal(
            ask(path, "SELECT count(*) FROM axis_value WHERE kind = 'text' AND name = 'a=b;c\\|' "
                      "AND text = 'x;y=\\'"),
            1);
        free(first);
        free(second);
        assay_csv_free(&csv);
    }
}

static void put_awkward_metrics(fixture *f, int64_t id)
{
    const assay_metric_row metrics[] = {
        { "a|b;c\\", "ok", "", 1.0 / 3, 4, "user" },
        { "dram__bytes_read.sum", "ok", "", 1e300, -1, "kernel" },
        { "dram__bytes_write.sum", "unsupported", "a|reason;\nwith \"all\"", (double)NAN, -1,
          "user" },
        { "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "ok", "", 3, 1, "user" },
        { "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "ok", "", 2, 1, "user" },
        { "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "ok", "", 1, 1, "user" },
    };

    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        assert_ok(assay_store_put_metric(f->store, id, &metrics[i]));
}

/* Numbers with many digits, blocks without samples, awkward counters, a speed-up against a
 * variant that failed, an interrupted run and a run after it. */
static void test_awkward(void **state)
{
    const double  samples[3]     = { 1.0 / 3, 1e17 / 7, 2.5e-300 };
    assay_block   blocks[4]      = { a_block(1, 0), a_block(0, 0), a_block(1, 1), a_block(1, -1) };
    fixture      *f              = *state;
    const int64_t run            = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row      a = a_point("axpy", "naive", "", 5);
    const assay_point_row      b = a_point("axpy", "vec4", "naive", 5);
    const int64_t              naive = plan_point(f, run, &a), vec4 = plan_point(f, run, &b);
    const assay_comparison_row up = a_comparison(ASSAY_REGIME_HOT, 2);
    assay_measurement_row      m  = a_measurement(ASSAY_REGIME_HOT, 1.0 / 3);
    int64_t                    second;
    char                       path[160];

    m.n_samples             = 3;
    m.n_blocks              = 4;
    m.lag1                  = -0.1;
    m.bytes_moved           = 0;
    blocks[0].median_ns     = samples[0];
    blocks[2].median_ns     = samples[1];
    blocks[3].median_ns     = samples[2];
    blocks[2].median_cycles = 1e17 / 3;
    blocks[2].order         = 7;
    m.clock                 = ASSAY_CLOCK_RECORD;
    fail_point(f, naive, "off");
    begin_checked(f, vec4);
    assert_ok(assay_store_put_measurement(f->store, vec4, &m, samples, NULL, blocks));
    assert_ok(assay_store_put_comparison(f->store, vec4, &up));
    put_awkward_metrics(f, vec4);
    finish_passed(f, vec4);
    assert_comes_back(f);
    (void)unlink(other_path(f, path));
    second = begin_run(f, "run-2");
    put_everything(f, second, plan_point(f, second, &a));
    assert_comes_back(f);
}

/* Several runs in a file, and several files: all are imported or none. */
static void test_several_runs(void **state)
{
    fixture        *f = *state;
    assay_point_row p = a_point("axpy", "naive", "", 5);
    char            path[160], *one, *two, *both;
    size_t          header, size;
    assay_csv       csv, files[2];
    assay_import    made;

    open_store(f);
    pass_point(f, plan_point(f, begin_run(f, "run-1"), &p), 0.5, 1000);
    pass_point(f, plan_point(f, begin_run(f, "run-2"), &p), 0.5, 2000);
    one    = csv_of(f->path, 1);
    two    = csv_of(f->path, 2);
    header = (size_t)(strstr(two, "\r\n") - two) + 2;
    size   = strlen(one) + strlen(two) + 1;
    both   = malloc(size);
    assert_non_null(both);
    (void)snprintf(both, size, "%s%s", one, two + header);
    csv = parse(both);
    assert_ok(import_into(other_path(f, path), &csv, 1, &made));
    assert_int_equal(made.n_runs, 2);
    assert_int_equal(ask(path, "SELECT count(*) FROM run"), 2);
    assert_int_equal(ask(path, "SELECT count(*) FROM build"), 1);
    assert_int_equal(ask(path, "SELECT count(*) FROM device_state"), 1);
    assert_int_equal(ask(path, "SELECT count(*) FROM config"), 1);
    assay_csv_free(&csv);
    /* the second of two files is wrong: nothing of the first is kept */
    (void)unlink(path);
    files[0]                                                                         = parse(one);
    files[1]                                                                         = parse(two);
    files[1].cells[files[1].n_columns + assay_csv_find(&files[1], "median_ns")].text = "fast";
    assert_fails(import_into(path, files, 2, &made), ASSAY_E_USAGE, "median_ns: 'fast'");
    assert_int_equal(ask(path, "SELECT count(*) FROM run"), 0);
    assay_csv_free(&files[0]);
    assay_csv_free(&files[1]);
    free(one);
    free(two);
    free(both);
}

/* ---- files of the release that had fewer columns ---- */

/* The first columns of every line, all in quotes. Caller frees. */
static char *without_later(const assay_csv *csv)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *out  = open_memstream(&text, &size);

    assert_non_null(out);
    for (int64_t row = 0; row < csv->n_rows; row++)
        for (int c = 0; c < assay_csv_n_first; c++) {
            (void)fputc('"', out);
            for (const char *t = assay_csv_at(csv, row, c)->text; *t; t++)
                (void)fprintf(out, *t == '"' ? "\"%c" : "%c", *t);
            (void)fprintf(out, "\"%s", c + 1 < assay_csv_n_first ? "," : "\r\n");
        }
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_older_comes_back(fixture *f)
{
    char         path[160], *now = csv_of(f->path, 0), *before, *again;
    assay_csv    all = parse(now), older, back;
    assay_import made;

    before = without_later(&all);
    older  = parse(before);
    (void)unlink(other_path(f, path));
    assert_ok(import_into(path, &older, 1, &made));
    assert_whole(path);
    again = csv_of(path, 0);
    back  = parse(again);
    assert_int_equal(back.n_rows, older.n_rows);
    for (int64_t row = 0; row < back.n_rows; row++)
        for (int c = 0; c < assay_csv_n_first; c++)
            assert_string_equal(assay_csv_at(&back, row, c)->text,
                                assay_csv_at(&older, row, c)->text);
    assay_csv_free(&all);
    assay_csv_free(&older);
    assay_csv_free(&back);
    free(now);
    free(before);
    free(again);
}

static void test_older_files(void **state)
{
    fixture *f = *state;
    char     path[160];

    (void)write_run(f);
    assert_older_comes_back(f);
    (void)other_path(f, path);
    assert_int_equal(ask(path, "SELECT count(*) FROM run_end"), 0); /* not recorded */
    assert_int_equal(ask(path, "SELECT count(*) FROM policy WHERE short_ns IS NULL"), 1);
    assert_int_equal(ask(path, "SELECT count(*) FROM run WHERE reason IS NULL AND verb = ''"), 1);
    assert_int_equal(ask(path, "SELECT count(*) FROM measurement WHERE mad_ns IS NULL"), 3);
}

static void test_older_hostile(void **state)
{
    (void)write_hostile_run(*state);
    assert_older_comes_back(*state);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_outcome), TEST(everything_timed), TEST(hostile_names), TEST(awkward),
        TEST(several_runs),  TEST(older_files),      TEST(older_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
