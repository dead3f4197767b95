/* Rows wait for their verdict and are stored together; the samples that several processes take
 * for one metric are one measurement. */
#include "testing/store_fixture.h"

#include "supervise/record.h"

#include <math.h>

/* The only point of a run of its own. */
static int64_t plan_one(fixture *f)
{
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "vec4", "naive", 64);

    return plan_point(f, run, &p);
}

/* Adds a measurement by process k: n samples of about `at` in two blocks. */
static void measure(assay_record *record, assay_clock clock, int k, double at, int64_t n,
                    const char *stop)
{
    double              times[8], clocks[8];
    assay_block         blocks[2] = { a_block(n / 2, k), a_block(n - n / 2, k) };
    const assay_samples samples   = {
          .time_ns = times, .sm_clock_mhz = clocks, .n = n, .blocks = blocks, .n_blocks = 2
    };
    assay_measurement_row row =
        a_measurement(ASSAY_REGIME_COLD, -1); /* its statistics are computed again */

    for (int i = 0; i < 8; i++) {
        times[i]  = at + i;
        clocks[i] = k == 0 ? 1000 : (double)NAN;
    }
    blocks[0].n_throttled = 3;
    blocks[1].n_discarded = 1;
    row.n_samples         = n;
    row.wall_s            = 0.25;
    row.n_warmup          = 10;
    row.clock             = clock;
    (void)snprintf(row.stop_reason, sizeof row.stop_reason, "%s", stop);
    (void)snprintf(row.nvml, sizeof row.nvml, "%s", k == 1 ? "no NVML" : "");
    assert_ok(assay_record_measure(record, &row, &samples));
    times[0] = -1; /* the record keeps copies */
}

static int count_rows(fixture *f, const char *query)
{
    assay_cursor *cursor = NULL;
    assay_status  st     = ASSAY_OK;
    int           n      = 0;

    assert_ok(assay_store_query(f->store, query, 1, &cursor));
    while (assay_cursor_next(cursor, &st))
        n++;
    assay_cursor_close(cursor);
    assert_ok(st);
    return n;
}

/* ---- measurements of several processes ---- */

static void test_merges(void **state)
{
    assay_record              record = { 0 };
    assay_record_measurement *m;

    (void)state;
    assert_null(assay_record_find(&record, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT));
    measure(&record, ASSAY_CLOCK_EVENT, 0, 100, 4, "confidence");
    measure(&record, ASSAY_CLOCK_RECORD, 0, 90, 4, "confidence");
    measure(&record, ASSAY_CLOCK_EVENT, 1, 104, 4, "budget");
    measure(&record, ASSAY_CLOCK_EVENT, 2, 102, 2, "samples");
    assert_int_equal(record.n_measurements, 2);
    assert_null(assay_record_find(&record, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT));
    m = assay_record_find(&record, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT);
    assert_non_null(m);
    assert_int_equal(m->samples.n, 10);
    assert_int_equal(m->samples.n_blocks, 6);
    assert_int_equal(m->samples.blocks[2].process, 1);
    assert_true(m->samples.time_ns[0] == 100 && m->samples.time_ns[4] == 104 &&
                m->samples.time_ns[9] == 103);
    assert_true(m->samples.sm_clock_mhz[3] == 1000 && isnan(m->samples.sm_clock_mhz[4]));
    /* 100 101 102 103 104 105 106 107 102 103: they are so close that the middle is the mean of
     * the middle half, 102 102 103 103 104 105 */
    assert_true(fabs(m->row.median_ns - 619.0 / 6) < 1e-12);
    assert_true(m->row.min_ns == 100 && m->row.max_ns == 107);
    assert_true(m->row.mean_ns == 103.3);
    assert_int_equal(m->row.n_samples, 10);
    assert_int_equal(m->row.n_blocks, 6);
    assert_int_equal(m->row.n_processes, 3);
    /* the medians of the processes are 101.5, 105.5 and 102.5 */
    assert_true(fabs(m->row.process_spread - 24.0 / 619) < 1e-15);
    assert_true(m->row.sm_clock_mhz == 1000); /* of the samples whose clock is known */
    assert_true(fabs(m->row.median_cycles - 101.5) < 1e-12);
    assert_int_equal(m->row.n_throttled, 9);
    assert_int_equal(m->row.n_discarded, 3);
    assert_string_equal(m->row.stop_reason, "budget"); /* the weakest of all reasons */
    assert_string_equal(m->row.nvml, "no NVML");
    assert_true(m->row.wall_s == 0.75);
    assert_int_equal(m->row.n_warmup, 30);
    /* another clock gives another measurement */
    m = assay_record_find(&record, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD);
    assert_int_equal(m->row.n_samples, 4);
    assert_true(isnan(m->row.process_spread));
    assay_record_clear(&record);
    assert_int_equal(record.n_measurements, 0);
    assay_record_clear(&record);
    assay_record_clear(NULL);
}

/* Times are per call, so they can be combined; the row has the smallest number of calls. */
static void test_calls_behind_a_sample(void **state)
{
    static const int64_t calls[]  = { 20, 10, 32 };
    assay_record         record   = { 0 };
    double               times[2] = { 100, 101 }, clocks[2] = { 1000, 1000 };

    (void)state;
    for (int k = 0; k < 3; k++) {
        assay_block           block   = a_block(2, k);
        const assay_samples   samples = { times, clocks, 2, 2, &block, 1 };
        assay_measurement_row row     = a_measurement(ASSAY_REGIME_HOT, 2);

        block.calls             = calls[k];
        row.n_samples           = 2;
        row.n_blocks            = 1;
        row.launches_per_sample = calls[k];
        assert_ok(assay_record_measure(&record, &row, &samples));
    }
    assert_int_equal(record.n_measurements, 1);
    assert_int_equal(record.measurements[0].row.launches_per_sample, 10);
    for (int k = 0; k < 3; k++)
        assert_int_equal(record.measurements[0].samples.blocks[k].calls, calls[k]);
    assay_record_clear(&record);
}

/* The weakest reason counts, whichever process gave it. */
static void test_stop_reasons(void **state)
{
    static const char *const weakest_first[] = { "throttled", "gate", "budget", "samples",
                                                 "confidence" };

    (void)state;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 5; k++) {
            assay_record record = { 0 };

            measure(&record, ASSAY_CLOCK_EVENT, 0, 100, 2, weakest_first[i]);
            measure(&record, ASSAY_CLOCK_EVENT, 1, 100, 2, weakest_first[k]);
            assert_string_equal(record.measurements[0].row.stop_reason,
                                weakest_first[i < k ? i : k]);
            assay_record_clear(&record);
        }
    }
}

/* A process without a valid sample adds its blocks, but no time. */
static void test_merges_nothing(void **state)
{
    assay_record           record = { 0 };
    assay_measurement_row *row;

    (void)state;
    measure(&record, ASSAY_CLOCK_EVENT, 0, 100, 0, "throttled");
    row = &record.measurements[0].row;
    assert_int_equal(row->n_samples, 0);
    assert_true(isnan(row->median_ns) && isnan(row->mean_ns));
    measure(&record, ASSAY_CLOCK_EVENT, 1, 100, 3, "samples");
    row = &record.measurements[0].row;
    assert_int_equal(row->n_samples, 3);
    assert_int_equal(row->n_processes, 2);
    assert_true(row->median_ns == 101);
    assert_string_equal(row->stop_reason, "throttled");
    assay_record_clear(&record);
}

/* Samples that do not fill their blocks, or that are not times, are refused at once. */
static void test_unsound(void **state)
{
    static const double   wrong[]   = { -0.5, -1, INFINITY, (double)NAN };
    double                times[2]  = { 1, 2 };
    assay_block           blocks[1] = { a_block(1, 0) };
    assay_samples         samples   = { .time_ns = times, .n = 2, .blocks = blocks, .n_blocks = 1 };
    assay_measurement_row row       = a_measurement(ASSAY_REGIME_COLD, 1);
    assay_record          record    = { 0 };

    (void)state;
    row.n_samples = 2;
    row.n_blocks  = 1;
    assert_fails(assay_record_measure(&record, &row, &samples), ASSAY_E_INTERNAL, "do not fit");
    blocks[0].n_samples = 2;
    row.n_samples       = 3;
    assert_fails(assay_record_measure(&record, &row, &samples), ASSAY_E_INTERNAL, "do not fit");
    row.n_samples = 2;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        times[1] = wrong[i];
        assert_fails(assay_record_measure(&record, &row, &samples), ASSAY_E_INTERNAL, "no times");
    }
    times[1] = 2;
    assert_ok(assay_record_measure(&record, &row,
                                   &samples)); /* no SM clocks are given, so none is known */
    assert_true(isnan(record.measurements[0].samples.sm_clock_mhz[1]));
    assert_int_equal(record.n_measurements, 1);
    assay_record_clear(&record);
}

/* ---- all kinds of rows ---- */

static void put_rows(assay_record *record)
{
    const assay_check_row      check      = a_check(0.5);
    const assay_comparison_row comparison = a_comparison(ASSAY_REGIME_COLD, 1.5),
                               unknown    = { .kind = "aa" };
    const assay_launch_row  launch        = { .kernel = "k" };
    const assay_section_row section       = { .name = "s" };
    const assay_metric_row  metric        = { .name = "m", .status = "ok" };
    const assay_trial_row   trial         = {
                  .verdict = ASSAY_PASS, .n_samples = 4, .median_ns = 7, .is_chosen = true
    };

    measure(record, ASSAY_CLOCK_EVENT, 0, 100, 4, "samples");
    measure(record, ASSAY_CLOCK_EVENT, 1, 100, 4, "samples");
    assert_ok(assay_record_put(record, ASSAY_ROW_CHECK, &check));
    assert_ok(assay_record_put(record, ASSAY_ROW_COMPARISON, &comparison));
    assert_ok(assay_record_put(record, ASSAY_ROW_COMPARISON, &unknown));
    assert_ok(assay_record_put(record, ASSAY_ROW_LAUNCH, &launch));
    assert_ok(assay_record_put(record, ASSAY_ROW_SECTION, &section));
    assert_ok(assay_record_put(record, ASSAY_ROW_METRIC, &metric));
    assert_ok(assay_record_put(record, ASSAY_ROW_TRIAL, &trial));
    assert_int_equal(record->n_comparisons, 2);
    assert_string_equal(record->comparisons[1].kind, "aa");
    assert_string_equal(record->launches[0].kernel, "k");
}

static void test_pass_keeps_numbers(void **state)
{
    static const char *const queries[] = { "timings", "launches", "sections", "metrics", "trials" };
    fixture                 *f         = *state;
    const int64_t            id        = plan_one(f);
    const assay_verdict_row  verdict   = a_verdict(ASSAY_PASS, "");
    assay_record             record    = { 0 };

    put_rows(&record);
    assert_int_equal(count_rows(f, "timings"), 0);
    assert_ok(assay_record_store(&record, f->store, id, &verdict));
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++)
        assert_int_equal(count_rows(f, queries[i]), 1);
    assert_int_equal(count_rows(f, "compared"), 2);
    assert_int_equal(record.n_checks + record.n_measurements + record.n_comparisons +
                         record.n_launches + record.n_sections + record.n_metrics + record.n_trials,
                     0);
    assert_null(record.checks);
}

static void test_no_pass_no_number(void **state)
{
    static const char *const queries[] = { "timings", "launches", "sections", "metrics",
                                           "compared" };
    fixture                 *f         = *state;
    const int64_t            id        = plan_one(f);
    const assay_verdict_row  verdict   = a_verdict(ASSAY_SUSPECT, "the clocks disagree");
    assay_record             record    = { 0 };
    assay_cursor            *row       = NULL;
    assay_status             st;
    double                   time;

    put_rows(&record);
    assert_ok(assay_record_store(&record, f->store, id, &verdict));
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++)
        assert_int_equal(count_rows(f, queries[i]), 0);
    /* a trial is kept without its time, since it may be the reason */
    assert_ok(assay_store_query(f->store, "trials", 1, &row));
    assert_true(assay_cursor_next(row, &st));
    assert_false(assay_cursor_number(row, assay_cursor_find(row, "median_ns"), &time));
    assay_cursor_close(row);
    assert_null(record.trials);
}

/* Rows that do not wait for a verdict. */
static void test_other_kinds(void **state)
{
    const assay_verdict_row verdict = a_verdict(ASSAY_PASS, "");
    assay_record            record  = { 0 };

    (void)state;
    assert_fails(assay_record_put(&record, ASSAY_ROW_VERDICT, &verdict), ASSAY_E_INTERNAL, "waits");
    assert_fails(assay_record_put(&record, ASSAY_ROW_CEILING, &verdict), ASSAY_E_INTERNAL, "waits");
    assert_fails(assay_record_put(&record, ASSAY_N_ROWS, &verdict), ASSAY_E_INTERNAL, "waits");
}

/* If several processes report a fact, it has one value, the largest. */
static void test_tells(void **state)
{
    static const struct {
        const char *name, *replay;
        double      value;
    } rows[] = {
        { "room", ASSAY_TOLD_BY_PEER, 3 }, { "room", ASSAY_TOLD_BY_PEER, 5 },
        { "room", ASSAY_TOLD_BY_PEER, 4 }, { "room", "check", 9 },
        { "time", ASSAY_TOLD_BY_PEER, 1 },
    };
    assay_record record = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assay_metric_row row = { .status = "ok", .value = rows[i].value };

        (void)snprintf(row.name, sizeof row.name, "%s", rows[i].name);
        (void)snprintf(row.replay, sizeof row.replay, "%s", rows[i].replay);
        assert_ok(assay_record_tell(&record, &row));
    }
    assert_int_equal(record.n_metrics, 3);
    assert_true(record.metrics[0].value == 5);
    assert_true(record.metrics[1].value == 9);
    assay_record_clear(&record);
}

/* If the store refuses, the record is still emptied, and the point stays planned. */
static void test_refused(void **state)
{
    fixture                *f       = *state;
    const int64_t           id      = plan_one(f);
    const assay_verdict_row verdict = a_verdict(ASSAY_PASS, "");
    assay_record            record  = { 0 };

    measure(&record, ASSAY_CLOCK_EVENT, 0, 100, 4, "samples"); /* there is no check */
    assert_fails(assay_record_store(&record, f->store, id, &verdict), ASSAY_E_INTERNAL,
                 "a PASS needs a check that passed");
    assert_int_equal(record.n_measurements, 0);
    assert_int_equal(count_rows(f, "timings"), 0);
    put_rows(&record);
    assert_ok(assay_record_store(&record, f->store, id, &verdict));
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(merges),
        TEST(calls_behind_a_sample),
        TEST(stop_reasons),
        TEST(merges_nothing),
        TEST(unsound),
        TEST(pass_keeps_numbers),
        TEST(no_pass_no_number),
        TEST(other_kinds),
        TEST(refused),
        TEST(tells),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
