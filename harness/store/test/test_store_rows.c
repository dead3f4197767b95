/* What the store keeps besides checks and measurements, and the rule for all of it: no verdict,
 * no number. */
#include "testing/store_raw.h"

#include <math.h>

/* Plans a point in the run that the first call begins. */
static int64_t plan_one(fixture *f, const char *variant)
{
    const assay_point_row p = a_point("axpy", variant, "naive", 64);

    if (!f->store) {
        open_store(f);
        (void)begin_run(f, "run-1");
    }
    return plan_point(f, 1, &p);
}

/* ---- rows ---- */

static assay_launch_row a_launch(void)
{
    return (assay_launch_row) { .ordinal              = 1,
                                .kernel               = "_Z5vec4fPKfPf",
                                .grid                 = { 1024, 2, 3 },
                                .block                = { 256, 4, 5 },
                                .registers            = 32,
                                .local_bytes          = 0,
                                .static_shared_bytes  = 48,
                                .dynamic_shared_bytes = -1,
                                .code_hash            = "9f86d081884c7d65",
                                .time_ns              = 1250.5 };
}

static void test_launches_and_sections(void **state)
{
    fixture                *f       = *state;
    const int64_t           id      = plan_one(f, "vec4");
    const assay_launch_row  launch  = a_launch();
    const assay_section_row section = {
        .name = "diffuse", .launches = 2, .time_ns = 900, .share = 0.75
    };

    begin_checked(f, id);
    assert_ok(assay_store_put_launch(f->store, id, &launch));
    assert_ok(assay_store_put_section(f->store, id, &section));
    finish_passed(f, id);
    assert_string_equal(
        ask(f->path, "SELECT ordinal || kernel || ' ' || grid_x || 'x' || grid_y || 'x' || grid_z "
                     "|| ' ' || block_x || 'x' || block_y || 'x' || block_z || ' ' || registers || "
                     "' ' || local_bytes || ' ' || static_shared_bytes || ' ' || "
                     "(dynamic_shared_bytes IS NULL) || ' ' || code_hash || ' ' || time_ns FROM "
                     "launch"),
        "1_Z5vec4fPKfPf 1024x2x3 256x4x5 32 0 48 1 9f86d081884c7d65 1250.5");
    assert_string_equal(ask(f->path, "SELECT name || launches || time_ns || share FROM section"),
                        "diffuse2900.00.75");
}

static void test_metrics(void **state)
{
    static const assay_metric_row rows[] = {
        { .name     = "dram__bytes_read.sum",
          .status   = "ok",
          .value    = 4096,
          .n_passes = 2,
          .replay   = "user" },
        { .name     = "pcie__read_bytes.sum",
          .status   = "unsupported",
          .reason   = "device-level: ask for it alone",
          .n_passes = -1,
          .replay   = "user" },
    };
    fixture         *f   = *state;
    const int64_t    id  = plan_one(f, "vec4");
    assay_metric_row bad = rows[1];

    begin_checked(f, id);
    bad.value = (double)NAN;
    assert_ok(assay_store_put_metric(f->store, id, &rows[0]));
    assert_ok(assay_store_put_metric(f->store, id, &bad));
    finish_passed(f, id);
    assert_string_equal(ask(f->path, "SELECT group_concat(status || coalesce(value, '-') || reason "
                                     "|| coalesce(n_passes, '-'), ' ') FROM metric"),
                        "ok4096.02 unsupported-device-level: ask for it alone-");
    /* A metric that was not counted has no value, whatever the row held; the status must be one
     * of four. */
    bad.value = 7;
    begin_checked(f, plan_one(f, "a"));
    assert_ok(assay_store_put_metric(f->store, id + 1, &bad));
    finish_passed(f, id + 1);
    assert_string_equal(ask(f->path, "SELECT count(value) FROM metric WHERE status <> 'ok'"), "0");
    (void)strcpy(bad.status, "maybe");
    begin_checked(f, plan_one(f, "b"));
    assert_fails(assay_store_put_metric(f->store, id + 2, &bad), ASSAY_E_INTERNAL, "CHECK");
}

/* Every number needs an open point and a PASS at its end; nothing can be added afterwards. */
static void put_number(fixture *f, int kind, int64_t id, assay_status expected, const char *words)
{
    const assay_comparison_row comparison = a_comparison(ASSAY_REGIME_COLD, 1.5);
    const assay_launch_row     launch     = a_launch();
    const assay_section_row    section    = { .name = "all" };
    const assay_metric_row     metric     = { .name = "m", .status = "ok", .value = 1 };
    const assay_trial_row      trial      = { .verdict = ASSAY_PASS, .median_ns = 5 };
    const assay_status st = kind == 0   ? assay_store_put_comparison(f->store, id, &comparison)
                            : kind == 1 ? assay_store_put_launch(f->store, id, &launch)
                            : kind == 2 ? assay_store_put_section(f->store, id, &section)
                            : kind == 3 ? assay_store_put_metric(f->store, id, &metric)
                                        : assay_store_put_trial(f->store, id, &trial);

    if (expected == ASSAY_OK)
        assert_ok(st);
    else
        assert_fails(st, expected, words);
}

static void test_no_verdict_no_number(void **state)
{
    static const char *const tables[] = { "comparison", "launch", "section", "metric",
                                          "tuning_trial" };
    fixture                 *f        = *state;
    const int64_t            id       = plan_one(f, "vec4");
    const assay_verdict_row  wrong    = a_verdict(ASSAY_WRONG_VALUE, "no");
    char                     sql[128];

    for (int kind = 0; kind < 5; kind++) {
        put_number(f, kind, id, ASSAY_E_INTERNAL, "not open");
        begin_checked(f, id);
        put_number(f, kind, id, ASSAY_OK, "");
        assert_fails(assay_store_finish_point(f->store, id, &wrong), ASSAY_E_INTERNAL,
                     "no verdict, no number");
        /* A number is put twice: nothing of the point is kept. */
        begin_checked(f, id);
        put_number(f, kind, id, ASSAY_OK, "");
        put_number(f, kind, id, ASSAY_E_INTERNAL, "UNIQUE");
        (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", tables[kind]);
        assert_string_equal(ask(f->path, sql), "0");
    }
    assert_string_equal(ask(f->path, "SELECT state FROM verdicts"), "ready");
}

/* The file refuses it too, whoever writes. */
static void test_no_number_by_hand(void **state)
{
    static const char *const inserts[] = {
        "INSERT INTO comparison (point_id, kind, against, regime, clock, is_known, n_pairs, "
        "n_processes, reason) VALUES (1, 'speedup', 'naive', 'hot', '', 0, 0, 0, '')",
        "INSERT INTO launch (point_id, ordinal, kernel, grid_x, grid_y, grid_z, block_x, block_y, "
        "block_z, code_hash) VALUES (1, 0, 'k', 1, 1, 1, 1, 1, 1, '')",
        "INSERT INTO section (point_id, name, launches) VALUES (1, 's', 1)",
        "INSERT INTO metric (point_id, name, status, reason, replay) VALUES (1, 'm', 'ok', '', '')",
        "INSERT INTO tuning_trial (point_id, point_verdict, tuning, verdict, reason, regime, "
        "clock, "
        "n_samples, median_ns, is_chosen) VALUES (1, 'PASS', '', 'PASS', '', '', '', 1, 5.0, 0)",
        "INSERT INTO tuning_trial (point_id, tuning, verdict, reason, regime, clock, n_samples, "
        "median_ns, is_chosen) VALUES (1, '', 'PASS', '', '', '', 1, 5.0, 0)",
    };
    fixture *f = *state;
    char     sql[1024];

    (void)plan_one(f, "vec4");
    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++) {
        assert_int_equal(run_sql(f->path, inserts[i]), SQLITE_CONSTRAINT);
        (void)snprintf(sql, sizeof sql,
                       "BEGIN; %s; INSERT INTO verdict (point_id, verdict, reason, finished_utc) "
                       "VALUES (1, 'WRONG_VALUE', '', ''); COMMIT",
                       inserts[i]);
        assert_int_equal(run_sql(f->path, sql), SQLITE_CONSTRAINT);
    }
    assert_string_equal(ask(f->path, "SELECT state FROM verdicts"), "ready");
    /* Nothing can be added to a finished point, even if it passed. */
    begin_checked(f, 1);
    finish_passed(f, 1);
    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++)
        assert_int_equal(run_sql(f->path, inserts[i]), SQLITE_CONSTRAINT);
}

/* ---- trials ---- */

static void test_trials(void **state)
{
    static const assay_trial_row rows[] = {
        { .tuning    = "block=256",
          .verdict   = ASSAY_PASS,
          .regime    = ASSAY_REGIME_HOT,
          .clock     = ASSAY_CLOCK_GRAPH,
          .n_samples = 40,
          .median_ns = 1200,
          .is_chosen = true },
        { .tuning    = "block=512",
          .verdict   = ASSAY_PASS,
          .regime    = ASSAY_REGIME_HOT,
          .clock     = ASSAY_CLOCK_GRAPH,
          .n_samples = 40,
          .median_ns = 1300 },
    };
    fixture                *f      = *state;
    const int64_t           id     = plan_one(f, "vec4");
    assay_trial_row         failed = { .tuning    = "block=1024",
                                       .verdict   = ASSAY_LAUNCH_FAILED,
                                       .reason    = "too many registers",
                                       .median_ns = (double)NAN };
    assay_trial_row         second = rows[1];
    const assay_verdict_row wrong  = a_verdict(ASSAY_LAUNCH_FAILED, "no choice works");

    begin_checked(f, id);
    assert_ok(assay_store_put_trial(f->store, id, &rows[0]));
    assert_ok(assay_store_put_trial(f->store, id, &rows[1]));
    assert_ok(assay_store_put_trial(f->store, id, &failed));
    finish_passed(f, id);
    assert_string_equal(ask(f->path, "SELECT group_concat(tuning || coalesce(median_ns, '-') || "
                                     "is_chosen, ' ') FROM tuning_trial"),
                        "block=2561200.01 block=5121300.00 block=1024-0");
    /* Two choices, a time for a failed trial, and a choice that failed. */
    begin_checked(f, plan_one(f, "a"));
    assert_ok(assay_store_put_trial(f->store, id + 1, &rows[0]));
    second.is_chosen = true;
    assert_fails(assay_store_put_trial(f->store, id + 1, &second), ASSAY_E_INTERNAL, "UNIQUE");
    failed.median_ns = 5;
    begin_checked(f, id + 1);
    assert_fails(assay_store_put_trial(f->store, id + 1, &failed), ASSAY_E_INTERNAL, "CHECK");
    failed.median_ns = (double)NAN;
    failed.is_chosen = true;
    begin_checked(f, id + 1);
    assert_fails(assay_store_put_trial(f->store, id + 1, &failed), ASSAY_E_INTERNAL, "CHECK");
    /* A trial without a time may be the reason why the point failed. */
    failed.is_chosen = false;
    assert_ok(assay_store_begin_point(f->store, id + 1));
    assert_ok(assay_store_put_trial(f->store, id + 1, &failed));
    assert_ok(assay_store_finish_point(f->store, id + 1, &wrong));
    assert_string_equal(ask(f->path, "SELECT count(*) FROM tuning_trial"), "4");
}

/* ---- ceilings ---- */

typedef struct {
    int  n;
    char text[512];
} seen;

static assay_status see_ceiling(void *context, const assay_ceiling_row *row)
{
    seen        *s    = context;
    const size_t used = strlen(s->text);

    if (s->n++ == 3)
        return ASSAY_FAIL(ASSAY_E_IO, "seen enough");
    (void)snprintf(s->text + used, sizeof s->text - used, "%s/%s/%s/%lld/%lld=%g,%g ", row->kind,
                   assay_regime_text(row->regime), assay_clock_text(row->clock),
                   (long long)row->working_set_bytes, (long long)row->n_samples, row->median_ns,
                   isnan(row->rate) ? -1 : row->rate);
    return ASSAY_OK;
}

static void test_ceilings(void **state)
{
    static const assay_ceiling_row copy = {
        "copy", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1 << 20, 30, 500, 3e12
    };
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "naive", "", 64);
    const int64_t         id  = plan_point(f, run, &p);
    assay_ceiling_row     row = {
            "null", ASSAY_REGIME_HOT, ASSAY_CLOCK_GRAPH, 0, 10, 900, (double)NAN
    };
    seen s = { 0 };

    assert_ok(assay_store_read_ceilings(f->store, run, see_ceiling, &s));
    assert_int_equal(s.n, 0);
    assert_ok(assay_store_put_ceiling(f->store, run, &row));
    assert_ok(assay_store_put_ceiling(f->store, run, &copy));
    row.median_ns = 800; /* measured again: the newest counts */
    assert_ok(assay_store_put_ceiling(f->store, run, &row));
    assert_ok(assay_store_read_ceilings(f->store, run, see_ceiling, &s));
    assert_string_equal(s.text, "copy/cold/event/1048576/30=500,3e+12 null/hot/graph/0/10=800,-1 ");
    assert_ok(assay_store_read_ceilings(f->store, run + 1, see_ceiling, &s));
    assert_int_equal(s.n, 2);
    assert_fails(assay_store_put_ceiling(f->store, run + 1, &row), ASSAY_E_INTERNAL, "FOREIGN KEY");
    /* If a visitor fails, the visit ends; the next one begins anew. */
    (void)strcpy(row.kind, "read");
    assert_ok(assay_store_put_ceiling(f->store, run, &row));
    s.n = 2;
    assert_fails(assay_store_read_ceilings(f->store, run, see_ceiling, &s), ASSAY_E_IO, "enough");
    s.n = 0;
    assert_ok(assay_store_read_ceilings(f->store, run, see_ceiling, &s));
    assert_int_equal(s.n, 3);

    assert_ok(assay_store_begin_point(f->store, id));
    assert_fails(assay_store_put_ceiling(f->store, run, &row), ASSAY_E_INTERNAL, "open");
    assert_ok(assay_store_abandon_point(f->store));
    assert_ok(assay_store_end_run(f->store, run, 0));
    assert_fails(assay_store_put_ceiling(f->store, run, &row), ASSAY_E_INTERNAL, "has ended");
}

static int64_t begin_run_as(fixture *f, const char *uuid, const char *boot, const char *options)
{
    assay_run_row           run    = a_run(uuid);
    const assay_device_info device = a_device();
    int64_t                 id;

    (void)strcpy(run.boot_id, boot);
    (void)strcpy(run.options, options);
    assert_ok(assay_store_begin_run(f->store, &run, &device, &id));
    return id;
}

/* How many ceilings a run with these conditions takes from an earlier run. */
static int taken(fixture *f, const char *boot, const char *options, double max_age_s)
{
    static int n_runs;
    char       uuid[32];
    seen       s = { .n = -100 };
    int64_t    run, n = -1;

    (void)snprintf(uuid, sizeof uuid, "taker-%d", n_runs++);
    run = begin_run_as(f, uuid, boot, options);
    assert_ok(assay_store_take_ceilings(f->store, run, max_age_s, &n));
    assert_ok(assay_store_read_ceilings(f->store, run, see_ceiling, &s));
    assert_int_equal(s.n + 100, n);
    assert_ok(assay_store_end_run(f->store, run, 0));
    return s.n + 100;
}

static void test_ceilings_of_the_run_before(void **state)
{
    static const assay_ceiling_row copy = {
        "copy", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1 << 20, 30, 500, 3e12
    };
    fixture *f = *state;
    int64_t  run, n = -1;

    open_store(f);
    run = begin_run_as(f, "giver", "boot", "--device=cuda\n");
    assert_ok(assay_store_put_ceiling(f->store, run, &copy));
    assert_ok(assay_store_put_ceiling(f->store, run, &copy));
    assert_int_equal(taken(f, "boot", "", 1e6), 0); /* it has not ended */
    /* A run does not take its own ceilings: if it is resumed, it measures them again. */
    assert_ok(assay_store_take_ceilings(f->store, run, 1e6, &n));
    assert_int_equal(n, 0);
    assert_ok(assay_store_end_run(f->store, run, 0));
    assert_int_equal(taken(f, "boot", "--budget=9s\n", 1e6), 1);
    assert_int_equal(taken(f, "boot", "", -1), 0);
    assert_int_equal(taken(f, "other boot", "", 1e6), 0);
    assert_int_equal(taken(f, "boot", "--flush=read\n", 1e6), 0);
    /* Ceilings pass from run to run, and keep the time of their measurement. */
    assert_int_equal(taken(f, "boot", "", 1e6), 1);
    assert_string_equal(ask(f->path, "SELECT count(DISTINCT measured_utc) FROM ceiling WHERE "
                                     "ceiling_id > 1"),
                        "1");
    /* A budget may have ended the measurement early. */
    run = begin_run_as(f, "hasty", "third boot", "--budget=9s\n");
    assert_ok(assay_store_put_ceiling(f->store, run, &copy));
    assert_ok(assay_store_end_run(f->store, run, 0));
    assert_int_equal(taken(f, "third boot", "", 1e6), 0);
}

/* An unknown word, of a newer release or typed by hand, is not mistaken for another one. */
static void test_unknown_words(void **state)
{
    fixture          *f   = *state;
    seen              s   = { .n = 0 };
    assay_ceiling_row row = { .kind   = "copy",
                              .regime = ASSAY_REGIME_HOT,
                              .clock  = ASSAY_CLOCK_EVENT };
    int64_t           run;

    open_store(f);
    run = begin_run(f, "run");
    assert_ok(assay_store_put_ceiling(f->store, run, &row));
    assert_int_equal(run_sql(f->path, "INSERT INTO ceiling (run_id, kind, regime, clock, "
                                      "working_set_bytes, n_samples, median_ns, rate, "
                                      "measured_utc) SELECT run_id, kind, 'warm', clock, "
                                      "working_set_bytes, n_samples, median_ns, rate, "
                                      "measured_utc FROM ceiling"),
                     SQLITE_OK);
    assert_fails(assay_store_read_ceilings(f->store, run, see_ceiling, &s), ASSAY_E_DATABASE,
                 "this release does not know the regime 'warm'");
    assert_int_equal(s.n, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(launches_and_sections),      TEST(metrics),       TEST(no_verdict_no_number),
        TEST(no_number_by_hand),          TEST(trials),        TEST(ceilings),
        TEST(ceilings_of_the_run_before), TEST(unknown_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
