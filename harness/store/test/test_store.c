/* What the store writes (runs, plans, points) and what it refuses to write. */
#include "testing/store_raw.h"

#include <inttypes.h>

/* ---- runs and plans ---- */

static void test_runs(void **state)
{
    fixture          *f      = *state;
    assay_run_row     run    = a_run("run-1");
    assay_device_info device = a_device();
    assay_run_row     found;
    int64_t           first, second, third, id = 0;
    bool              has = true;

    open_store(f);
    assert_ok(assay_store_find_interrupted(f->store, NULL, 0, &id, &found, &has));
    assert_false(has);
    run.seed = UINT64_MAX - 1;
    assert_ok(assay_store_begin_run(f->store, &run, &device, &first));
    assert_fails(assay_store_begin_run(f->store, &run, &device, &id), ASSAY_E_INTERNAL, "UNIQUE");
    assert_ok(assay_store_end_run(f->store, first, 2));
    assert_fails(assay_store_end_run(f->store, first, 0), ASSAY_E_INTERNAL, "has ended");
    assert_fails(assay_store_end_run(f->store, 77, 0), ASSAY_E_INTERNAL, "FOREIGN KEY");

    /* A device with another driver is the same device in another state. */
    run = a_run("run-2");
    (void)snprintf(device.driver, sizeof device.driver, "590.2");
    assert_ok(assay_store_begin_run(f->store, &run, &device, &second));
    run.git_dirty = true;
    (void)snprintf(run.uuid, sizeof run.uuid, "run-3");
    run.seed = 1ull << 63;
    assert_ok(assay_store_begin_run(f->store, &run, &device, &third));
    assert_string_equal(ask(f->path, "SELECT count(*) FROM device"), "1");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM device_state"), "2");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM build"), "2");
    assert_string_equal(ask(f->path, "SELECT printf('%u', seed) FROM run WHERE run_id = 1"),
                        "18446744073709551614");

    assert_ok(assay_store_find_interrupted(f->store, NULL, 0, &id, &found, &has));
    assert_true(has);
    assert_int_equal(id, third);
    (void)strcpy(run.device_uuid, "GPU-1234"); /* comes from the device */
    assert_memory_equal(&found, &run, sizeof run);
    assert_ok(assay_store_end_run(f->store, third, 0));
    assert_ok(assay_store_find_interrupted(f->store, NULL, 0, &id, &found, &has));
    assert_int_equal(id, second);
}

/* A field that is filled to its last byte, without a terminator, is kept whole. */
static void test_unterminated_text(void **state)
{
    fixture          *f      = *state;
    assay_run_row     run    = a_run("run-1");
    assay_device_info device = a_device();
    int64_t           id;

    open_store(f);
    memset(run.host, 'h', sizeof run.host);
    assert_ok(assay_store_begin_run(f->store, &run, &device, &id));
    assert_string_equal(ask(f->path, "SELECT length(host) FROM run"), "128");
}

static void test_plan(void **state)
{
    fixture        *f = *state;
    assay_point_row points[3];
    int64_t         ids[3];
    const int64_t   run = (open_store(f), begin_run(f, "run-1"));

    points[0]        = a_point("axpy", "naive", "", 64);
    points[1]        = a_point("axpy", "vec4", "naive", 64);
    points[2]        = a_point("axpy", "naive", "", 128);
    points[1].seed   = UINT64_MAX;
    points[2].expect = ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(UNWRITTEN);
    assert_ok(assay_store_plan(f->store, run, "what", 1, points, 0, ids));
    assert_ok(assay_store_plan(f->store, run, "what", 1, points, 3, ids));
    assert_true(ids[0] != ids[1] && ids[1] != ids[2]);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM config"), "2");
    assert_string_equal(ask(f->path, "SELECT group_concat(state || outcome) FROM verdicts"),
                        "readyready,readyready,readyready");
    assert_string_equal(ask(f->path, "SELECT seed FROM verdicts WHERE variant = 'vec4'"),
                        "18446744073709551615");
    assert_string_equal(ask(f->path, "SELECT group_concat(verdict) FROM expected_verdict WHERE "
                                     "point_id = 3"),
                        "UNWRITTEN,WRONG_VALUE");
    assert_string_equal(ask(f->path, "SELECT value_x || kind || name FROM axis_value WHERE text = "
                                     "'128'"),
                        "128intn");

    /* A key occurs twice: nothing of that plan is kept. */
    points[0] = a_point("axpy", "naive", "", 256);
    assert_fails(assay_store_plan(f->store, run, "what", 1, points, 2, ids), ASSAY_E_INTERNAL,
                 "UNIQUE");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM point"), "3");
    points[1] = a_point("other", "naive", "", 256);
    assert_fails(assay_store_plan(f->store, run, "what", 1, points, 2, ids), ASSAY_E_INTERNAL,
                 "two cases");
    assert_fails(assay_store_plan(f->store, 99, "what", 1, points, 1, ids), ASSAY_E_INTERNAL,
                 "FOREIGN KEY");
    points[0].n_axes = ASSAY_MAX_AXES + 1;
    assert_fails(assay_store_plan(f->store, run, "what", 1, points, 1, ids), ASSAY_E_INTERNAL,
                 "axes");
}

/* Axes of every kind; names that contain separators are kept apart. */
static void test_axes(void **state)
{
    fixture        *f   = *state;
    const int64_t   run = (open_store(f), begin_run(f, "run-1"));
    assay_point_row p = a_point("case", "v", "", 1), q = p;

    p.n_axes       = 3;
    p.axis[1].kind = ASSAY_AXIS_GRID;
    memcpy(p.axis[1].i, (int64_t[]) { 64, 32, 1 }, sizeof p.axis[1].i);
    (void)snprintf(p.axis[1].name, sizeof p.axis[1].name, "grid");
    (void)snprintf(p.axis[1].text, sizeof p.axis[1].text, "64x32x1");
    p.axis[2].kind = ASSAY_AXIS_TEXT;
    (void)snprintf(p.axis[2].name, sizeof p.axis[2].name, "boundary");
    (void)snprintf(p.axis[2].text, sizeof p.axis[2].text, "a;b=c\\");
    (void)plan_point(f, run, &p);
    assert_string_equal(ask(f->path, "SELECT axes FROM config"),
                        "n=1;grid=64x32x1;boundary=a\\;b\\=c\\\\");
    assert_string_equal(ask(f->path, "SELECT value_x || ' ' || value_y || ' ' || value_z FROM "
                                     "axis_value WHERE name = 'grid'"),
                        "64 32 1");
    q.n_axes = 0;
    (void)snprintf(q.key, sizeof q.key, "case/v");
    (void)plan_point(f, run, &q);
    assert_string_equal(ask(f->path, "SELECT axes FROM config WHERE config_id = 2"), "");
}

/* ---- points ---- */

static void test_point_order(void **state)
{
    fixture                    *f          = *state;
    const int64_t               run        = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row       p          = a_point("axpy", "naive", "", 64);
    const int64_t               id         = plan_point(f, run, &p);
    const assay_check_row       check      = a_check(0.5);
    const assay_verdict_row     verdict    = a_verdict(ASSAY_PASS, "");
    const assay_measurement_row m          = a_measurement(ASSAY_REGIME_COLD, 1000);
    const double                samples[4] = { 1, 2, 3, 4 };
    const assay_block           blocks[2]  = { a_block(2, 0), a_block(2, 1) };

    assert_fails(assay_store_put_check(f->store, id, &check), ASSAY_E_INTERNAL, "not open");
    assert_fails(assay_store_put_measurement(f->store, id, &m, samples, NULL, blocks),
                 ASSAY_E_INTERNAL, "not open");
    assert_fails(assay_store_finish_point(f->store, id, &verdict), ASSAY_E_INTERNAL, "not open");
    assert_fails(assay_store_begin_point(f->store, 99), ASSAY_E_INTERNAL, "no point 99");
    assert_ok(assay_store_begin_point(f->store, id));
    assert_fails(assay_store_begin_point(f->store, id), ASSAY_E_INTERNAL, "still open");
    assert_fails(assay_store_put_check(f->store, id + 1, &check), ASSAY_E_INTERNAL, "not open");
    assert_fails(assay_store_end_run(f->store, run, 0), ASSAY_E_INTERNAL, "open");
    assert_ok(assay_store_put_check(f->store, id, &check));
    assert_ok(assay_store_finish_point(f->store, id, &verdict));
    assert_fails(assay_store_begin_point(f->store, id), ASSAY_E_INTERNAL, "already finished");
    assert_ok(assay_store_abandon_point(f->store));
    assert_string_equal(ask(f->path, "SELECT state || outcome FROM verdicts"), "donepassed");
}

static void test_abandon(void **state)
{
    fixture              *f     = *state;
    const int64_t         run   = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p     = a_point("axpy", "naive", "", 64);
    const int64_t         id    = plan_point(f, run, &p);
    const assay_check_row check = a_check(0.5);

    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    put_measurement(f, id, ASSAY_REGIME_COLD, 1000);
    assert_ok(assay_store_abandon_point(f->store));
    assert_string_equal(ask(f->path, "SELECT state FROM verdicts"), "ready");
    assert_string_equal(ask(f->path,
                            "SELECT (SELECT count(*) FROM check_result) + (SELECT count(*) "
                            "FROM measurement) + (SELECT count(*) FROM sample_block)"),
                        "0");
    pass_point(f, id, 0.5, 1000);
    assert_string_equal(ask(f->path, "SELECT state FROM verdicts"), "done");
}

/* No verdict, no number: the store refuses the whole point. */
static void test_no_number_without_pass(void **state)
{
    fixture              *f    = *state;
    const int64_t         run  = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p    = a_point("axpy", "naive", "", 64);
    const int64_t         id   = plan_point(f, run, &p);
    const assay_check_row good = a_check(0.5);

    for (int v = 0; v < ASSAY_N_VERDICTS; v++) {
        const assay_verdict_row verdict = a_verdict((assay_verdict)v, "");

        if (v == ASSAY_PASS)
            continue;
        assert_ok(assay_store_begin_point(f->store, id));
        assert_ok(assay_store_put_check(f->store, id, &good));
        put_measurement(f, id, ASSAY_REGIME_COLD, 1000);
        assert_fails(assay_store_finish_point(f->store, id, &verdict), ASSAY_E_INTERNAL,
                     "no verdict, no number");
        assert_ok(assay_store_abandon_point(f->store));
        assert_string_equal(ask(f->path, "SELECT count(*) FROM measurement"), "0");
        assert_string_equal(ask(f->path, "SELECT state FROM verdicts"), "ready");
    }
}

/* The file refuses a number too, whoever writes it: without a verdict, beside a failing one, or
 * with a verdict of the measurement's own. */
static void test_no_number_by_hand(void **state)
{
    static const char insert[] =
        "INSERT INTO measurement (point_id, regime, clock, n_samples, n_blocks, "
        "launches_per_sample, stop_reason) VALUES (1, 'cold', 'event', 1, 1, 1, 'samples')";
    static const char own[] =
        "INSERT INTO measurement (point_id, verdict, regime, clock, n_samples, n_blocks, "
        "launches_per_sample, stop_reason) VALUES (1, 'CRASHED', 'hot', 'event', 1, 1, 1, '')";
    static const char crashed[] = "INSERT INTO verdict (point_id, verdict, reason, finished_utc) "
                                  "VALUES (1, 'CRASHED', '', '')";
    static const char both[] =
        "BEGIN; INSERT INTO measurement (point_id, regime, clock, n_samples, n_blocks, "
        "launches_per_sample, stop_reason) VALUES (1, 'cold', 'event', 1, 1, 1, 'samples'); INSERT "
        "INTO verdict (point_id, verdict, reason, finished_utc) VALUES (1, 'CRASHED', '', ''); "
        "COMMIT";
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "naive", "", 64);

    (void)plan_point(f, run, &p);
    assert_int_equal(run_sql(f->path, insert), SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, own), SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, both), SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, crashed), SQLITE_OK);
    assert_int_equal(run_sql(f->path, insert), SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, own), SQLITE_CONSTRAINT);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM measurement"), "0");
}

/* A PASS without any check, and a PASS beside a failure. */
static void test_pass_needs_checks(void **state)
{
    fixture                *f    = *state;
    const int64_t           run  = (open_store(f), begin_run(f, "run-1"));
    assay_point_row         p    = a_point("axpy", "naive", "", 64);
    const int64_t           id   = plan_point(f, run, &p);
    const assay_verdict_row pass = a_verdict(ASSAY_PASS, "");
    const assay_check_row   good = a_check(0.5);
    assay_check_row         bad  = a_check(2);
    int64_t                 reference;

    assert_ok(assay_store_begin_point(f->store, id));
    assert_fails(assay_store_finish_point(f->store, id, &pass), ASSAY_E_INTERNAL,
                 "a PASS needs a check that passed");
    bad.verdict = ASSAY_WRONG_VALUE;
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &good));
    assert_ok(assay_store_put_check(f->store, id, &bad));
    assert_fails(assay_store_finish_point(f->store, id, &pass), ASSAY_E_INTERNAL,
                 "a PASS beside a check that failed");
    /* The reference is not checked, so it needs no check. */
    p              = a_point("axpy", "cpu_ref", "", 64);
    p.is_reference = true;
    reference      = plan_point(f, run, &p);
    assert_ok(assay_store_begin_point(f->store, reference));
    assert_ok(assay_store_finish_point(f->store, reference, &pass));
    assert_string_equal(ask(f->path, "SELECT outcome FROM verdicts WHERE is_reference"),
                        "reference");
}

/* No row can be changed or removed. */
static void test_append_only(void **state)
{
    static const char *const tables[] = {
        "build",        "device",        "device_state",   "run",          "run_end",
        "case_version", "config",        "axis_value",     "point",        "expected_verdict",
        "check_result", "verdict",       "measurement",    "sample_block", "policy",
        "ceiling",      "comparison",    "launch",         "section",      "metric",
        "tuning_trial", "tolerance",     "checked_output", "finding",      "finding_detail",
        "finding_list", "checked_point", "planned_point",  "run_error"
    };
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "naive", "", 64);
    char                  sql[256];

    put_everything(f, run, plan_point(f, run, &p));
    assert_ok(assay_store_end_run(f->store, run, 0));
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        (void)snprintf(sql, sizeof sql, "SELECT count(*) > 0 FROM %s", tables[i]);
        assert_string_equal(ask(f->path, sql), "1");
        (void)snprintf(sql, sizeof sql, "PRAGMA foreign_keys = OFF; DELETE FROM %s", tables[i]);
        assert_int_equal(run_sql(f->path, sql), SQLITE_CONSTRAINT);
        (void)snprintf(sql, sizeof sql, "UPDATE %s SET rowid = rowid", tables[i]);
        if (strcmp(tables[i], "run_error") == 0)
            (void)snprintf(sql, sizeof sql, "UPDATE run_error SET worst_ratio = 0");
        if (strcmp(tables[i], "axis_value") == 0 || strcmp(tables[i], "expected_verdict") == 0)
            (void)snprintf(sql, sizeof sql, "UPDATE %s SET %s = 'x'", tables[i],
                           tables[i][0] == 'a' ? "text" : "verdict");
        assert_int_equal(run_sql(f->path, sql), SQLITE_CONSTRAINT);
    }
    /* Nothing can be added to a finished point; only its samples may be dropped. */
    assert_int_equal(run_sql(f->path, "INSERT INTO check_result (point_id, input, output, "
                                      "is_invariant, verdict, reason, seed, n_runs, rule, why) "
                                      "VALUES (1, '', '', 0, 'WRONG_VALUE', '', 1, 1, '', '')"),
                     SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "REPLACE INTO verdict (point_id, verdict, reason, "
                                      "finished_utc) VALUES (1, 'PASS', 'better', '')"),
                     SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "REPLACE INTO run_end VALUES (1, '', 0)"), SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "UPDATE sample_block SET time_ns = NULL, median_ns = 1"),
                     SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "UPDATE sample_block SET clock_mhz = NULL"),
                     SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "UPDATE sample_block SET time_ns = NULL, clock_mhz = "
                                      "zeroblob(16)"),
                     SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "UPDATE sample_block SET time_ns = NULL, power_after_w = 3"),
                     SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "INSERT INTO measurement (point_id, regime, clock, "
                                      "n_samples, n_blocks, launches_per_sample, stop_reason) "
                                      "VALUES (1, 'hot', 'event', 1, 1, 1, 'samples')"),
                     SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "INSERT INTO sample_block (measurement_id, block, n_samples, "
                                      "crc32) VALUES (1, 9, 0, 0)"),
                     SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "INSERT INTO ceiling (run_id, kind, regime, clock, "
                                      "working_set_bytes, n_samples, measured_utc) VALUES (1, "
                                      "'copy', 'hot', 'event', 1, 1, '')"),
                     SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "UPDATE sample_block SET time_ns = NULL WHERE block = 0"),
                     SQLITE_OK);
    assert_int_equal(run_sql(f->path, "UPDATE sample_block SET time_ns = NULL, clock_mhz = NULL"),
                     SQLITE_OK);
}

/* NaN, infinity and "says nothing" are stored as schema.sql describes. */
static void test_special_values(void **state)
{
    fixture          *f       = *state;
    const int64_t     run     = (open_store(f), begin_run(f, "run-1"));
    assay_point_row   p       = a_point("axpy", "naive", "", 64);
    const int64_t     id      = plan_point(f, run, &p);
    assay_check_row   check   = a_check((double)NAN);
    assay_verdict_row verdict = a_verdict(ASSAY_NOT_FINITE, "y[3] is NaN");

    check.verdict            = ASSAY_NOT_FINITE;
    check.max_abs_error      = (double)INFINITY;
    check.relative_l2        = -(double)INFINITY;
    check.first_bad_index    = 3;
    check.first_bad_value    = (double)NAN;
    check.first_bad_expected = -0.0;
    check.n_exempt           = -1;
    check.seed               = UINT64_MAX;
    check.rule               = ASSAY_RULE_ULP;
    check.max_ulp            = 4;
    verdict.launches         = -1;
    verdict.wall_s           = (double)NAN;
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    assert_ok(assay_store_finish_point(f->store, id, &verdict));
    assert_string_equal(ask(f->path, "SELECT worst_ratio IS NULL AND first_bad_value IS NULL AND "
                                     "n_exempt IS NULL AND exempt_share_predicted IS NULL FROM "
                                     "check_result"),
                        "1");
    assert_string_equal(ask(f->path, "SELECT max_abs_error = 9e999 AND relative_l2 = -9e999 AND "
                                     "first_bad = 3 AND first_bad_expected = 0 AND seed = -1 FROM "
                                     "check_result"),
                        "1");
    assert_string_equal(ask(f->path, "SELECT c IS NULL AND growth IS NULL AND terms IS NULL AND "
                                     "max_ulp = 4 FROM check_result"),
                        "1");
    assert_string_equal(ask(f->path, "SELECT launches IS NULL AND wall_s IS NULL FROM verdict"),
                        "1");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(runs),
        TEST(unterminated_text),
        TEST(plan),
        TEST(axes),
        TEST(point_order),
        TEST(abandon),
        TEST(no_number_without_pass),
        TEST(no_number_by_hand),
        TEST(pass_needs_checks),
        TEST(append_only),
        TEST(special_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
