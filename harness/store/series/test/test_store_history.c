/* Times and errors over the runs of a file: segments, steps, annotations, and errors that creep
 * up. */
#include "testing/timed_fixture.h"

#include "store/series/store_history.h"

enum {
    NIGHTS = 16
};

static const assay_side_filter everything = { .n_cases = 0 };

/* A night's run with the fields of `t`. */
static void put_night(fixture *f, timed t, int night)
{
    char uuid[32], utc[64];

    (void)snprintf(uuid, sizeof uuid, "night-%02d", night);
    (void)snprintf(utc, sizeof utc, "2026-01-%02dT02:00:00.000Z", night + 1);
    t.uuid     = uuid;
    t.n_points = 1;
    open_store(f);
    (void)put_run(f, &t);
    assay_store_close(f->store);
    f->store = NULL;
    set_start(f, uuid, utc);
}

/* A small variation that differs from night to night. */
static double wobble(int night) { return 1 + 0.0004 * ((night * 7) % 5 - 2); }

/* 5 % slower from night `step` on, with another driver from night `driver` on. */
static void put_nights(fixture *f, int step, int driver)
{
    for (int i = 0; i < NIGHTS; i++) {
        timed t = a_timed("", 1000 * wobble(i) * (i >= step ? 1.05 : 1));

        if (i >= driver)
            t.driver = "581.0";
        put_night(f, t, i);
    }
}

static void find(fixture *f, const assay_side_filter *filter, assay_history *h)
{
    open_store(f);
    assert_ok(assay_history_find(f->store, filter, 0.01, h));
    assay_store_close(f->store);
    f->store = NULL;
}

static void annotate(fixture *f, const char *series, const char *run)
{
    assay_annotation_row row = { .text = "meant so", .who = "me" };

    (void)snprintf(row.series, sizeof row.series, "%s", series);
    (void)snprintf(row.run_uuid, sizeof row.run_uuid, "%s", run);
    open_store(f);
    assert_ok(assay_store_annotate(f->store, &row));
    assay_store_close(f->store);
    f->store = NULL;
}

static void test_a_step_is_found(void **state)
{
    fixture      *f = *state;
    assay_history h;

    put_nights(f, 9, NIGHTS);
    find(f, &everything, &h);
    assert_int_equal(h.n_series, 1);
    assert_int_equal(h.series[0].n_values, NIGHTS);
    assert_int_equal(h.series[0].n_segments, 1);
    assert_int_equal(h.series[0].segments[0].steps.n, 1);
    assert_int_equal(h.series[0].newest_step->index, 9);
    assert_true(fabs(h.series[0].newest_step->relative - 0.05) < 0.002);
    assert_true(fabs(h.series[0].segments[0].level_ns - 1050) < 2);
    assert_int_equal(h.n_slower, 1);
    assert_int_equal(h.n_unexplained, 1);
    assert_string_equal(h.series[0].values[9].run_uuid, "night-09");
    assay_history_free(&h);
}

static void test_a_steady_series_has_none(void **state)
{
    fixture      *f = *state;
    assay_history h;

    put_nights(f, NIGHTS, NIGHTS);
    find(f, &everything, &h);
    assert_null(h.series[0].newest_step);
    assert_int_equal(h.n_slower + h.n_faster + h.n_drifts + h.n_unexplained, 0);
    assay_history_free(&h);
}

/* A change that comes with another driver begins a new segment, and is no step of the kernel. */
static void test_a_driver_begins_a_segment(void **state)
{
    fixture      *f = *state;
    assay_history h;

    put_nights(f, 8, 8);
    find(f, &everything, &h);
    assert_int_equal(h.series[0].n_segments, 2);
    assert_int_equal(h.series[0].segments[1].first, 8);
    assert_int_equal(h.series[0].segments[1].n, NIGHTS - 8);
    assert_string_equal(h.series[0].segments[0].changed, "");
    assert_string_equal(h.series[0].segments[1].changed, "driver 580.1 / 581.0");
    assert_null(h.series[0].newest_step);
    assert_int_equal(h.n_slower, 0);
    assay_history_free(&h);
}

/* Each of these changes begins a segment, too. */
static void test_what_cuts_a_series(void **state)
{
    fixture      *f = *state;
    assay_history h;
    timed         t = a_timed("", 1000);

    put_night(f, t, 0);
    t.gpu = "GPU-2";
    put_night(f, t, 1);
    t.toolkit = "13.1";
    put_night(f, t, 2);
    t.max_calls = 16;
    put_night(f, t, 3);
    t.mesh = 7;
    put_night(f, t, 4);
    t.version = 2;
    put_night(f, t, 5);
    t.n_processes = 5; /* this does not */
    put_night(f, t, 6);
    find(f, &everything, &h);
    assert_int_equal(h.n_series, 1);
    assert_int_equal(h.series[0].n_segments, 6);
    assert_string_equal(h.series[0].segments[4].changed, "input none / mesh=7");
    assert_string_equal(h.series[0].segments[5].changed, "case version 1 / 2");
    assert_int_equal(h.series[0].segments[5].n, 2);
    assert_int_equal(h.series[0].case_version, 2);
    assay_history_free(&h);
}

static void expect_explained(fixture *f, bool is)
{
    assay_history h;

    find(f, &everything, &h);
    assert_int_equal(h.n_slower, 1);
    assert_int_equal(h.n_unexplained, !is);
    assert_int_equal(h.series[0].is_explained, is);
    assay_history_free(&h);
}

static void test_words_explain_a_step(void **state)
{
    fixture      *f = *state;
    assay_history h;
    char          series[2048];

    put_nights(f, 9, NIGHTS);
    find(f, &everything, &h);
    (void)snprintf(series, sizeof series, "%s", h.series[0].series);
    assay_history_free(&h);
    annotate(f, "", "night-02"); /* belongs to another run */
    expect_explained(f, false);
    annotate(f, "another series", "night-09");
    expect_explained(f, false);
    annotate(f, series, "night-09");
    expect_explained(f, true);
}

/* An annotation of the whole series that was written before a step does not explain the step. */
static void test_words_have_their_time(void **state)
{
    fixture      *f = *state;
    assay_history h;
    char          series[2048];

    put_nights(f, 9, NIGHTS);
    find(f, &everything, &h);
    (void)snprintf(series, sizeof series, "%s", h.series[0].series);
    assay_history_free(&h);
    annotate(f, series, "");
    assert_int_equal(run_sql(f->path, "DROP TRIGGER annotation_kept; UPDATE annotation SET "
                                      "written_utc = '2026-01-05T00:00:00.000Z'"),
                     SQLITE_OK);
    expect_explained(f, false);
    annotate(f, series, "");
    expect_explained(f, true);
}

static void test_errors_that_creep_up(void **state)
{
    fixture      *f = *state;
    assay_history h;

    for (int i = 0; i < NIGHTS; i++) {
        timed t = a_timed("", 1000);

        t.ratio = 0.5 + 0.02 * i;
        put_night(f, t, i);
    }
    find(f, &everything, &h);
    assert_int_equal(h.n_errors, 1);
    assert_int_equal(h.n_rising, 1);
    assert_string_equal(h.errors[0].output, "y");
    assert_true(fabs(h.errors[0].trend.slope - 0.02) < 1e-9);
    assert_true(h.errors[0].trend.is_told);
    assay_history_free(&h);
}

static void test_what_is_asked_for(void **state)
{
    fixture          *f       = *state;
    const char *const other[] = { "other" };
    assay_side_filter filter  = { .point = "axpy/vec4/n=1000", .regime = ASSAY_REGIME_COLD };
    assay_history     h;

    for (int i = 0; i < 2; i++)
        put_night(f, a_timed("", 1000), i);
    find(f, &filter, &h);
    assert_int_equal(h.n_series, 1);
    assert_int_equal(h.n_errors, 1);
    assay_history_free(&h);
    filter.point = "axpy/vec/n=1000"; /* a prefix of a variant's name does not select it */
    open_store(f);
    assert_fails(assay_history_find(f->store, &filter, 0.01, &h), ASSAY_E_NOTHING, "no history");
    assay_history_free(&h);
    filter = (assay_side_filter) { .cases = other, .n_cases = 1 };
    assert_fails(assay_history_find(f->store, &filter, 0.01, &h), ASSAY_E_NOTHING, "no history");
    assay_history_free(&h);
}

/* Clocks and regimes are kept apart, and only the clock that decides is shown. */
static void test_series_are_apart(void **state)
{
    fixture      *f = *state;
    assay_history h;
    timed         t = a_timed("", 1000);

    put_night(f, t, 0);
    t.clock = ASSAY_CLOCK_EVENT;
    put_night(f, t, 1);
    t.is_undecided = true;
    put_night(f, t, 2);
    find(f, &everything, &h);
    assert_int_equal(h.n_series, 2);
    assert_int_equal(h.series[0].n_values + h.series[1].n_values, 2);
    assay_history_free(&h);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_step_is_found),           TEST(test_a_steady_series_has_none),
        TEST(test_a_driver_begins_a_segment), TEST(test_what_cuts_a_series),
        TEST(test_words_explain_a_step),      TEST(test_words_have_their_time),
        TEST(test_errors_that_creep_up),      TEST(test_what_is_asked_for),
        TEST(test_series_are_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
