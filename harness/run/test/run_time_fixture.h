/* Points that have passed their check and are timed together, on the device of plain memory. */
#ifndef ASSAY_TEST_RUN_TIME_FIXTURE_H
#define ASSAY_TEST_RUN_TIME_FIXTURE_H

#include "testing/run_fixture.h"

static assay_policy      policy;
static assay_timed_point points[MOST_POINTS];

static inline int begin(void **state)
{
    (void)start_over(state);
    policy             = assay_policy_default();
    policy.budget_s    = 10; /* the number of samples decides, not the speed of this machine */
    policy.min_samples = policy.max_samples = 6;
    open_runner();
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    close_runner();
    assert_int_equal(toy_gpu.bytes_used, 0);
    assert_int_equal(toy_gpu.n_graphs, 0);
    assert_int_equal(n_set_up, n_torn_down);
    return 0;
}

static inline void variant(int place, const char *name, const char *launch, unsigned flags)
{
    toy.variants[place] = (assay_variant) { .name = name, .launch = launch, .flags = flags };
}

/* Checks the first n variants of the case, and keeps their outputs for the timing. */
static inline void check(int n)
{
    for (int i = 0; i < n; i++) {
        memset(&seen, 0, sizeof seen);
        points[i] = (assay_timed_point) { .point = point_of(i, N, true) };
        assert_int_equal(assay_run_point(&runner, &points[i].point, &sink), ASSAY_OK);
        assert_int_equal(seen.verdict.verdict, ASSAY_PASS);
        for (int draw = 0; draw < ASSAY_N_DRAWS; draw++)
            assert_true(seen.verdict.judged.of_draw[draw].is_there);
        points[i].judged = seen.verdict.judged;
    }
    memset(&seen, 0, sizeof seen);
}

static inline void time_them(int n, int process)
{
    assert_int_equal(assay_run_time(&runner, points, n, &policy, process, &sink), ASSAY_OK);
}

static inline int count_measurements(int place)
{
    int n = 0;

    for (int i = 0; i < seen.n_measurements; i++)
        n += seen.measurements[i].place == place;
    return n;
}

static inline void assert_found(int place, assay_verdict verdict, const char *words)
{
    assert_true(seen.has_verdict[place]);
    assert_string_equal(assay_verdict_text(seen.verdicts[place].verdict),
                        assay_verdict_text(verdict));
    if (!strstr(seen.verdicts[place].reason, words))
        fail_msg("\"%s\" does not say \"%s\"", seen.verdicts[place].reason, words);
    assert_int_equal(count_measurements(place), verdict == ASSAY_PASS ? 3 : 0);
}

static inline const seen_measurement *measurement(int place, assay_regime regime, assay_clock clock)
{
    for (int i = 0; i < seen.n_measurements; i++) {
        const seen_measurement *m = &seen.measurements[i];

        if (m->place == place && m->row.regime == regime && m->row.clock == clock)
            return m;
    }
    fail_msg("no measurement %s/%s of point %d", assay_regime_text(regime), assay_clock_text(clock),
             place);
    return NULL;
}

#endif
