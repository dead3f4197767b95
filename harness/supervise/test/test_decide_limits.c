/* The limits that a number is compared with: floor and ceilings. */
#include "decide_fixture.h"

#define CEILING(kind_, regime_, clock_, bytes, ns, rate_)                                          \
    {                                                                                              \
        .kind = kind_, .regime = regime_, .clock = clock_, .working_set_bytes = (bytes),           \
        .n_samples = 20, .median_ns = (ns), .rate = (rate_)                                        \
    }

static const assay_ceiling_row machine[] = {
    CEILING("null", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 0, 3100, NAN),
    CEILING("null", ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 0, 860, NAN),
    CEILING("null", ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 0, 3000, NAN),
    CEILING("copy", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1 << 20, 1, 500e9),
    CEILING("read", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1 << 20, 1, 600e9),
    CEILING("copy", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1 << 24, 1, 2000e9),
    CEILING("read", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1 << 24, 1, 1900e9),
    CEILING("copy", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1 << 28, 1, 2900e9),
    CEILING("copy", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1 << 22, 1,
            NAN), /* it could not be measured */
    CEILING("copy", ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 1 << 24, 1, 2100e9),
    CEILING("copy", ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 1 << 24, 1, 5000e9),
    CEILING("fma", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 0, 1, 60e12),
    CEILING("fma", ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 0, 1, 61e12),
};
static const int N_MACHINE = sizeof machine / sizeof machine[0];

static void limits_are_those_of_regime_clock_and_working_set(void **state)
{
    static const struct {
        int64_t bytes;
        double  rate;
    } table[] = {
        { 0, 600e9 },
        { 1, 600e9 },
        { 1 << 20, 600e9 },
        { (1 << 20) + 1, 2000e9 }, /* the higher rate of the two neighbours */
        { 1 << 22, 2000e9 },
        { 1 << 24, 2000e9 },
        { (1 << 24) + 1, 2900e9 },
        { 1 << 28, 2900e9 },
        { INT64_C(1) << 40, 2900e9 },
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assay_measurement_row *row;

        (void)start_over(state);
        row                    = add(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 20e3);
        row->working_set_bytes = table[i].bytes;
        assay_decide_limits(row, machine, N_MACHINE);
        if (row->ceiling_bytes_per_s != table[i].rate)
            fail_msg("working set %lld: %g", (long long)table[i].bytes, row->ceiling_bytes_per_s);
        assert_true(row->floor_ns == 3100);
        assert_true(row->ceiling_flops == 60e12);
    }
}

/* The backward pass of physics_loss at 96^3 has a working set of 71 MB and touches 28 MB, all in
 * the L2. It was once compared with the ceiling of larger sets. */
static void a_pass_that_touches_less_is_held_against_less(void **state)
{
    assay_measurement_row *row = add(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 20e3);

    (void)state;
    row->working_set_bytes = 1 << 28;
    row->bytes_declared    = 1 << 20;
    assay_decide_limits(row, machine, N_MACHINE);
    assert_true(row->ceiling_bytes_per_s == 600e9);
    row->bytes_declared = 1 << 29; /* some bytes count twice */
    assay_decide_limits(row, machine, N_MACHINE);
    assert_true(row->ceiling_bytes_per_s == 2900e9);
}

static void limits_of_others_do_not_count(void **state)
{
    assay_measurement_row *record = add(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 5e3),
                          *hot    = add(ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 5e3),
                          *graph  = add(ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH, 5e3);

    (void)state;
    for (int i = 0; i < n_rows; i++) {
        rows[i].working_set_bytes = 1 << 20;
        assay_decide_limits(&rows[i], machine, N_MACHINE);
    }
    assert_true(record->ceiling_bytes_per_s == 2100e9 && record->floor_ns == 860);
    assert_true(record->ceiling_flops == 61e12);
    assert_true(hot->ceiling_bytes_per_s == 5000e9 && hot->floor_ns == 3000);
    assert_true(isnan(hot->ceiling_flops));
    assert_true(isnan(graph->ceiling_bytes_per_s) && isnan(graph->floor_ns));
    assert_false(graph->is_below_floor);
    assay_decide_limits(hot, NULL, 0);
    assert_true(isnan(hot->ceiling_bytes_per_s) && isnan(hot->floor_ns));
}

static void below_the_floor(void **state)
{
    assay_measurement_row *row = add(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 3 * 3100.0);

    (void)state;
    assay_decide_limits(row, machine, N_MACHINE);
    assert_false(row->is_below_floor);
    row->median_ns -= 1;
    assay_decide_limits(row, machine, N_MACHINE);
    assert_true(row->is_below_floor);
    row->policy.floor_factor = 2;
    assay_decide_limits(row, machine, N_MACHINE);
    assert_false(row->is_below_floor);
    row = add(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, INVALID);
    assay_decide_limits(row, machine, N_MACHINE);
    assert_false(row->is_below_floor);
}

/* The ceiling is 2000 GB/s; up to 10 % more is allowed. */
static void faster_than_physics(void **state)
{
    assay_measurement_row *row = add(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 100e3);
    char                   reason[ASSAY_REASON_SIZE];

    (void)state;
    row->working_set_bytes = 1 << 24;
    row->decides           = true;
    assay_decide_limits(row, machine, N_MACHINE);
    row->bytes_declared = 219000000; /* 2190 GB/s */
    assert_false(assay_decide_is_too_fast(row, reason, sizeof reason));
    row->bytes_declared = 221000000;
    assert_true(assay_decide_is_too_fast(row, reason, sizeof reason));
    assert_non_null(strstr(reason, "2210 GB/s"));
    assert_non_null(strstr(reason, "cold, event clock"));
    assert_non_null(strstr(reason, "2000 GB/s"));
    row->policy.ceiling_margin = 0.2;
    assert_false(assay_decide_is_too_fast(row, reason, sizeof reason));
    row->policy.ceiling_margin = 0.1;
    /* A clock that does not decide makes nothing suspect; an unknown ceiling does not either. */
    row->decides = false;
    assert_false(assay_decide_is_too_fast(row, reason, sizeof reason));
    row->decides             = true;
    row->ceiling_bytes_per_s = NAN;
    assert_false(assay_decide_is_too_fast(row, reason, sizeof reason));
    row->ceiling_bytes_per_s = 2000e9;
    row->median_ns           = NAN;
    assert_false(assay_decide_is_too_fast(row, reason, sizeof reason));
}

/* Seen on an H200: 28 MB in an L2 of 60 MB were faster than 16 MiB and 64 MiB, and nothing was
 * wrong. */
static void a_cache_may_be_fastest_between_two_sizes(void **state)
{
    static const struct {
        int64_t bytes;
        double  rate;
    } read[] = {
        { 1 << 22, 5300e9 }, { 1 << 24, 4635e9 }, { 1 << 26, 3300e9 }, { 1 << 30, 4100e9 }
    };
    assay_ceiling_row      ceilings[4];
    assay_measurement_row *row = add(ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 5.4e3);
    char                   reason[ASSAY_REASON_SIZE];

    (void)state;
    for (int i = 0; i < 4; i++)
        ceilings[i] = (assay_ceiling_row) { .kind              = "copy",
                                            .regime            = ASSAY_REGIME_HOT,
                                            .clock             = ASSAY_CLOCK_RECORD,
                                            .working_set_bytes = read[i].bytes,
                                            .rate              = read[i].rate };
    row->working_set_bytes = row->bytes_declared = 28311552;
    row->decides                                 = true;
    assay_decide_limits(row, ceilings, 4);
    assert_true(row->ceiling_bytes_per_s == 5300e9);
    assert_false(assay_decide_is_too_fast(row, reason, sizeof reason));
    /* In memory, the ceilings of the neighbouring sizes apply: 5243 GB/s is impossible. */
    row->working_set_bytes = row->bytes_declared = 1 << 28;
    row->median_ns                               = 51.2e3;
    assay_decide_limits(row, ceilings, 4);
    assert_true(row->ceiling_bytes_per_s == 4100e9);
    assert_true(assay_decide_is_too_fast(row, reason, sizeof reason));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_over)
    const struct CMUnitTest tests[] = {
        TEST(limits_are_those_of_regime_clock_and_working_set),
        TEST(a_pass_that_touches_less_is_held_against_less),
        TEST(limits_of_others_do_not_count),
        TEST(below_the_floor),
        TEST(faster_than_physics),
        TEST(a_cache_may_be_fastest_between_two_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
