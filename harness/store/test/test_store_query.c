/* The cursor, the named queries and the views of the schema. */
#include "testing/store_raw.h"

#include <inttypes.h>

/* ---- queries and views ---- */

static void test_cursor(void **state)
{
    fixture      *f   = *state;
    const int64_t run = (open_store(f), begin_run(f, "run-1"));
    assay_cursor *row = NULL;
    assay_status  st;
    double        number = -1;

    assert_fails(assay_store_query(f->store, "no such", run, &row), ASSAY_E_INTERNAL, "no query");
    assert_null(row);
    assert_ok(assay_store_query(f->store, "run", run, &row));
    assert_int_equal(assay_cursor_find(row, "nothing"), -1);
    assert_string_equal(assay_cursor_name(row, 0), "run_id");
    assert_true(assay_cursor_columns(row) > 20);
    assert_true(assay_cursor_next(row, &st));
    assert_true(assay_cursor_number(row, assay_cursor_find(row, "n_cpus"), &number));
    assert_true(number == 16);
    assert_false(assay_cursor_is_real(row, assay_cursor_find(row, "n_cpus")));
    assert_false(assay_cursor_number(row, assay_cursor_find(row, "exit_status"), &number));
    assert_null(assay_cursor_text(row, assay_cursor_find(row, "exit_status")));
    assert_string_equal(assay_cursor_text(row, assay_cursor_find(row, "seed")), "42");
    assert_false(assay_cursor_next(row, &st));
    assert_ok(st);
    assay_cursor_close(row);
    assay_cursor_close(NULL);
    assay_store_close(NULL);
    assert_ok(assay_store_query(f->store, "run", run + 1, &row));
    assert_false(assay_cursor_next(row, &st));
    assay_cursor_close(row);
}

static void test_every_query_runs(void **state)
{
    static const char *const names[] = { "run",       "summary",  "failures",  "skipped",
                                         "cases",     "rules",    "variants",  "timings",
                                         "undecided", "compared", "ceilings",  "launches",
                                         "counted",   "metrics",  "uncounted", "sections",
                                         "trials",    "csv",      "noted" };
    fixture                 *f       = *state;

    open_store(f);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assay_cursor *row = NULL;
        assay_status  st;

        assert_ok(assay_store_query(f->store, names[i], 1, &row));
        assert_false(assay_cursor_next(row, &st));
        assert_ok(st);
        assay_cursor_close(row);
    }
}

/* Two runs: in the first vec4 is wrong at 128; in the second it is right and timed. */
static void write_history(fixture *f)
{
    static const int64_t sizes[] = { 64, 128 };
    int64_t              run     = begin_run(f, "run-1");

    for (int i = 0; i < 2; i++) {
        const assay_point_row naive = a_point("axpy", "naive", "", sizes[i]);
        const assay_point_row vec4  = a_point("axpy", "vec4", "naive", sizes[i]);
        const int64_t         a = plan_point(f, run, &naive), b = plan_point(f, run, &vec4);

        pass_point(f, a, 0.25 + 0.25 * i, 1000);
        if (i == 0)
            pass_point(f, b, 0.5, 800);
        else
            fail_point(f, b, "three elements differ");
    }
    run = begin_run(f, "run-2");
    {
        const assay_point_row naive = a_point("axpy", "naive", "", 128);
        const assay_point_row vec4  = a_point("axpy", "vec4", "naive", 128);
        assay_point_row       slow  = a_point("axpy", "broken", "", 128);
        const int64_t         a = plan_point(f, run, &naive), b = plan_point(f, run, &vec4);

        slow.expect = ASSAY_BIT(WRONG_VALUE);
        pass_point(f, a, 0.125, 3000);
        pass_point(f, b, 0.75, 1500);
        fail_point(f, plan_point(f, run, &slow), "as it should");
    }
}

static void test_views(void **state)
{
    fixture *f = *state;

    open_store(f);
    write_history(f);
    /* latest: from the second run where it has the point */
    assert_string_equal(ask(f->path,
                            "SELECT group_concat(key || '=' || verdict || run_id, ' ') FROM "
                            "(SELECT * FROM latest ORDER BY key)"),
                        "axpy/broken/n=128=WRONG_VALUE2 axpy/naive/n=128=PASS2 "
                        "axpy/naive/n=64=PASS1 axpy/vec4/n=128=PASS2 axpy/vec4/n=64=PASS1");
    /* by output: from the newest checks of each point */
    assert_string_equal(ask(f->path,
                            "SELECT group_concat(variant || '=' || worst_ratio || '@' || key "
                            "|| n_checks, ' ') FROM (SELECT * FROM worst_error_by_output ORDER "
                            "BY variant)"),
                        "broken=Inf@axpy/broken/n=1281 naive=0.25@axpy/naive/n=642 "
                        "vec4=0.75@axpy/vec4/n=1282");
    /* one row for each variant; the failure of the first run is not the newest any more */
    assert_string_equal(
        ask(f->path, "SELECT group_concat(variant || '=' || worst_ratio || verdict || '@' || "
                     "key || n_points, ' ') FROM (SELECT * FROM worst_error ORDER BY "
                     "variant)"),
        "broken=InfWRONG_VALUE@axpy/broken/n=1281 naive=0.25PASS@axpy/naive/n=642 "
        "vec4=0.75PASS@axpy/vec4/n=1282");
    assert_string_equal(ask(f->path, "SELECT rule || c || growth || why || seed FROM worst_error "
                                     "WHERE variant = 'naive'"),
                        "bound2.0log2a sum of eight terms42");
    assert_string_equal(ask(f->path, "SELECT u_out = 1.0 / 16777216 FROM worst_error"), "1");
    /* verdicts */
    assert_string_equal(ask(f->path, "SELECT group_concat(outcome || n, ' ') FROM (SELECT outcome, "
                                     "count(*) AS n FROM verdicts GROUP BY outcome)"),
                        "caught1 failed1 passed5");
    assert_string_equal(ask(f->path,
                            "SELECT group_concat(median_ns, ' ') FROM (SELECT * FROM history "
                            "WHERE key = 'axpy/naive/n=128' ORDER BY started_utc)"),
                        "1000.0 3000.0");
}

/* A measurement of the open point with its decision: clock, does it decide, ceilings. */
static void put_judged(fixture *f, int64_t id, assay_regime regime, assay_clock clock,
                       double median_ns, const char *decision)
{
    assay_measurement_row m = a_measurement(regime, median_ns);

    m.decides = !*decision;
    m.clock   = clock;
    (void)snprintf(m.decision, sizeof m.decision, "%s", decision);
    m.ceiling_bytes_per_s = 3e12;
    m.ceiling_flops       = 50e12;
    put_row(f, id, &m);
}

static void test_deciding(void **state)
{
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "vec4", "naive", 64);
    const int64_t         id  = plan_point(f, run, &p);

    begin_checked(f, id);
    put_judged(f, id, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 7000, "shorter than 30 us");
    put_judged(f, id, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 5000, "");
    put_judged(f, id, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 4900, "shorter than 30 us");
    put_judged(f, id, ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 4000, "records are incomplete");
    finish_passed(f, id);
    assert_string_equal(
        ask(f->path, "SELECT group_concat(regime || ' ' || coalesce(clock || median_ns, '-') || "
                     "coalesce(cannot_tell, ''), '; ') FROM deciding"),
        "cold record5000.0; hot -event: shorter than 30 us; record: records are incomplete");
    assert_string_equal(ask(f->path, "SELECT round(gb_per_s) || ' ' || round(share_of_ceiling, 3) "
                                     "FROM deciding WHERE regime = 'cold'"),
                        "2400.0 0.8"); /* 12 MB in 5 us; the ceiling is 3 TB/s */
    assert_string_equal(ask(f->path, "SELECT group_concat(clock || decides, ' ') FROM (SELECT * "
                                     "FROM history WHERE regime = 'cold' ORDER BY clock)"),
                        "event0 record1");
    assert_string_equal(ask(f->path, "SELECT round(share_of_bandwidth, 3) || ' ' || "
                                     "round(share_of_flops, 3) FROM timed WHERE clock = 'record' "
                                     "AND regime = 'hot'"),
                        "1.0 0.01");
}

static void test_counted(void **state)
{
    static const struct {
        const char *name;
        double      value;
    } metrics[] = {
        { "dram__bytes_read.sum", 8000 },
        { "dram__bytes_write.sum", 4000 },
        { "lts__t_sectors.sum", 375 },
        { "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 100 },
        { "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0 },
        { "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1000 },
        { "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 1 },
    };
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "vec4", "naive", 64);
    const int64_t         id  = plan_point(f, run, &p);

    begin_checked(f, id);
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        assay_metric_row row = { .status = "ok", .value = metrics[i].value, .replay = "user" };

        (void)snprintf(row.name, sizeof row.name, "%s", metrics[i].name);
        assert_ok(assay_store_put_metric(f->store, id, &row));
    }
    finish_passed(f, id);
    assert_string_equal(ask(f->path, "SELECT dram_bytes || ' ' || l2_bytes || ' ' || fp32_flops || "
                                     "' ' || (fp64_flops IS NULL) FROM counted"),
                        "12000.0 12000.0 2100.0 1"); /* without dadd, fp64_flops is unknown */
}

/* A NaN is worse than any number, also in `worst_error`. */
static void test_worst_error_nan(void **state)
{
    fixture                *f       = *state;
    const int64_t           run     = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row   p       = a_point("axpy", "naive", "", 64);
    const assay_point_row   q       = a_point("axpy", "naive", "", 65);
    const int64_t           id      = plan_point(f, run, &q);
    assay_check_row         check   = a_check((double)NAN);
    const assay_verdict_row verdict = a_verdict(ASSAY_NOT_FINITE, "");

    pass_point(f, plan_point(f, run, &p), 0.5, 0);
    check.verdict = ASSAY_NOT_FINITE;
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    assert_ok(assay_store_finish_point(f->store, id, &verdict));
    assert_string_equal(ask(f->path,
                            "SELECT worst_ratio IS NULL AND verdict = 'NOT_FINITE' AND key "
                            "= 'axpy/naive/n=65' FROM worst_error"),
                        "1");
}

/* A point without any check has a row, and comes before points that passed. */
static void test_worst_error_crash(void **state)
{
    fixture                *f       = *state;
    const int64_t           run     = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row   p       = a_point("axpy", "naive", "", 64);
    const assay_point_row   q       = a_point("axpy", "naive", "", 65);
    const int64_t           id      = plan_point(f, run, &q);
    const assay_verdict_row verdict = a_verdict(ASSAY_CRASHED, "signal 11");

    pass_point(f, plan_point(f, run, &p), 0.5, 0);
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_finish_point(f->store, id, &verdict));
    assert_string_equal(ask(f->path,
                            "SELECT verdict || reason || key || n_points || (rule IS NULL) "
                            "FROM worst_error"),
                        "CRASHEDsignal 11axpy/naive/n=6521");
}

/* ---- no verdict, no number ---- */

static int64_t count_rows(fixture *f, const char *name)
{
    assay_cursor *row = NULL;
    assay_status  st;
    int64_t       n = 0;

    assert_ok(assay_store_query(f->store, name, 1, &row));
    while (assay_cursor_next(row, &st))
        n++;
    assert_ok(st);
    assay_cursor_close(row);
    return n;
}

static assay_status count_process(void *context, const assay_process_row *row)
{
    (void)row;
    ++*(int *)context;
    return ASSAY_OK;
}

static int count_processes(fixture *f)
{
    int n = 0;

    assert_ok(assay_store_each_process(f->store, 1, true, count_process, &n));
    return n;
}

/* naive and vec4, each with numbers of every kind; vec4 against naive. */
static void write_both(fixture *f)
{
    const assay_point_row naive = a_point("axpy", "naive", "", 64);
    const assay_point_row vec4  = a_point("axpy", "vec4", "naive", 64);
    int64_t               run, a, b;

    open_store(f);
    run = begin_run(f, "run-1");
    a   = plan_point(f, run, &naive);
    b   = plan_point(f, run, &vec4);
    put_everything(f, run, a);
    put_everything(f, run, b);
    /* Changes the comparison to the clock of the times, so that both are shown together. */
    assert_int_equal(run_sql(f->path, "DROP TRIGGER comparison_kept; UPDATE comparison SET clock = "
                                      "'event'"),
                     SQLITE_OK);
}

static void assert_numbers(fixture *f, int64_t n)
{
    static const char *const of_points[] = { "timings",       "json_measurements", "json_launches",
                                             "json_sections", "json_counters",     "md_sections" };

    for (size_t i = 0; i < sizeof of_points / sizeof of_points[0]; i++)
        assert_int_equal(count_rows(f, of_points[i]), n);
    assert_int_equal(count_rows(f, "json_blocks"), 2 * n);
    assert_int_equal(count_processes(f), 2 * n);
    assert_int_equal(count_rows(f, "launches"), n);
    assert_int_equal(count_rows(f, "sections"), n);
}

/* Another program changed the file: if a verdict is missing or is no PASS, no number is shown. */
static void assert_no_number_beside(fixture *f, const char *change, const char *reason)
{
    char expected[128];

    write_both(f);
    assert_numbers(f, 2);
    assert_string_equal(ask(f->path, "SELECT count(ratio) || finding FROM compared WHERE variant = "
                                     "'vec4'"),
                        "1NO_DIFFERENCE");
    assert_string_equal(ask(f->path, "SELECT count(median_ns) || count(baseline_median_ns) || "
                                     "count(speedup) FROM speedup WHERE variant = 'vec4'"),
                        "111");
    assert_int_equal(run_sql(f->path, change), SQLITE_OK);
    assert_numbers(f, 1);
    (void)snprintf(expected, sizeof expected, "0 0 0 CANNOT_TELL %s", reason);
    assert_string_equal(ask(f->path, "SELECT count(ratio) || ' ' || count(lo) || ' ' || count(hi) "
                                     "|| ' ' || finding || ' ' || reason FROM compared WHERE "
                                     "variant = 'vec4'"),
                        expected);
    assert_string_equal(ask(f->path, "SELECT count(median_ns) || count(baseline_median_ns) || "
                                     "count(speedup) FROM speedup WHERE variant = 'vec4'"),
                        "010");
    assert_string_equal(ask(f->path, "SELECT (SELECT group_concat(variant) FROM timed) || (SELECT "
                                     "group_concat(variant) FROM deciding) || (SELECT "
                                     "group_concat(key) FROM history) || (SELECT count(*) FROM "
                                     "measured_series) || (SELECT count(*) FROM counted) || "
                                     "(SELECT count(*) FROM code)"),
                        "naivenaiveaxpy/naive/n=64111");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM measurement"), "2");
}

#define LOOSE "PRAGMA foreign_keys = OFF; DROP TRIGGER verdict_kept; DROP TRIGGER verdict_held; "

static void test_no_number_beside_failure(void **state)
{
    assert_no_number_beside(*state,
                            LOOSE "UPDATE verdict SET verdict = 'WRONG_VALUE' WHERE point_id = 2",
                            "vec4: WRONG_VALUE");
}

static void test_no_number_without_verdict(void **state)
{
    assert_no_number_beside(*state, LOOSE "DELETE FROM verdict WHERE point_id = 2",
                            "vec4: not finished");
}

/* Names that are SQL are only names. */
static void test_hostile_names(void **state)
{
    static const char evil[] = "x'); DROP TABLE run; --";
    fixture          *f      = *state;
    const int64_t     run    = (open_store(f), begin_run(f, "run-1"));
    assay_point_row   p      = a_point("axpy", evil, "", 64);

    pass_point(f, plan_point(f, run, &p), 0.5, 1000);
    assert_string_equal(ask(f->path, "SELECT variant FROM latest"), evil);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM run"), "1");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cursor),
        TEST(every_query_runs),
        TEST(views),
        TEST(deciding),
        TEST(counted),
        TEST(worst_error_nan),
        TEST(worst_error_crash),
        TEST(no_number_beside_failure),
        TEST(no_number_without_verdict),
        TEST(hostile_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
