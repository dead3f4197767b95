/* The cursor, the named queries and the views of the schema. */
#include "store_raw.h"

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
    static const char *const names[] = { "run",   "summary",  "failures", "skipped", "cases",
                                         "rules", "variants", "timings",  "csv" };
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
    /* speedup: same run, same size, measured both */
    assert_string_equal(ask(f->path,
                            "SELECT group_concat(run_id || ':' || axes || ':' || variant || "
                            "'/' || baseline || '=' || speedup, ' ') FROM (SELECT * FROM "
                            "speedup ORDER BY run_id)"),
                        "1:n=64:vec4/naive=1.25 2:n=128:vec4/naive=2.0");
    assert_string_equal(ask(f->path, "SELECT regime || clock || baseline_key FROM speedup WHERE "
                                     "run_id = 2"),
                        "coldeventaxpy/naive/n=128");
    /* latest: the second run's where there is one */
    assert_string_equal(ask(f->path,
                            "SELECT group_concat(key || '=' || verdict || run_id, ' ') FROM "
                            "(SELECT * FROM latest ORDER BY key)"),
                        "axpy/broken/n=128=WRONG_VALUE2 axpy/naive/n=128=PASS2 "
                        "axpy/naive/n=64=PASS1 axpy/vec4/n=128=PASS2 axpy/vec4/n=64=PASS1");
    /* by output: over the newest checks of each point */
    assert_string_equal(ask(f->path,
                            "SELECT group_concat(variant || '=' || worst_ratio || '@' || key "
                            "|| n_checks, ' ') FROM (SELECT * FROM worst_error_by_output ORDER "
                            "BY variant)"),
                        "broken=Inf@axpy/broken/n=1281 naive=0.25@axpy/naive/n=642 "
                        "vec4=0.75@axpy/vec4/n=1282");
    /* one row a variant: the failure of the first run is no longer the newest */
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

/* A NaN is worse than any number, also for `worst_error`. */
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

/* A point without any check has a row, and comes before those that passed. */
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

/* Names that are SQL stay names. */
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
        TEST(cursor),          TEST(every_query_runs),  TEST(views),
        TEST(worst_error_nan), TEST(worst_error_crash), TEST(hostile_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
