/* Which clock decides, branch by branch, and what a number is held against. */
#include "decide.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double NONE = -1, INVALID = -2; /* no such row; a row without a valid sample */

enum {
    MANY = 20 /* calls in a graph */
};

static assay_measurement_row rows[8];
static assay_measured        measured[8];
static int                   n_rows;

static assay_measurement_row *add(const char *regime, const char *clock, double median_ns)
{
    assay_measurement_row *row = &rows[n_rows];

    measured[n_rows++] = (assay_measured) { row, NULL };
    *row               = (assay_measurement_row) { .n_samples           = median_ns < 0 ? 0 : 40,
                                                   .launches_per_sample = 1,
                                                   .median_ns           = median_ns < 0 ? (double)NAN : median_ns,
                                                   .policy              = assay_policy_default(),
                                                   .decides             = true };
    (void)strcpy(row->regime, regime);
    (void)strcpy(row->clock, clock);
    (void)strcpy(row->decision, "stale");
    return row;
}

static int start_over(void **state)
{
    (void)state;
    n_rows = 0;
    return 0;
}

/* ---- event and record ---- */

static void the_written_rule(void **state)
{
    static const struct {
        double      event_us, record_us; /* as they were measured, or NONE, INVALID */
        const char *decider;             /* "" none */
        const char *decision;
    } table[] = {
        { 8.74, 6.59, "record", "short: record decides" },
        { 29.9, 27, "record", "short: record decides" },
        { 6, 6, "record", "short: record decides" },
        { 30, 29.9, "event", "long, event no larger: event decides" },
        { 30, 29, "record", "long, record smaller: record decides" },
        { 1170.4, 1193.6, "event", "long, event no larger: event decides" },
        { 1000, 995.1, "event", "long, event no larger: event decides" }, /* 0.49 % */
        { 1000, 994.9, "record", "long, record smaller: record decides" },
        { 181.4, 179.0, "record", "long, record smaller: record decides" },
        /* They differ by 6 us or by 5 %, whichever is more. */
        { 12, 6.01, "record", "short: record decides" },
        { 12, 5.99, "", "event and record disagree" },
        { 100, 94.1, "record", "long, record smaller: record decides" },
        { 100, 93.9, "", "event and record disagree" },
        { 100, 105.9, "event", "long, event no larger: event decides" },
        { 100, 106.1, "", "event and record disagree" },
        { 1000, 951, "record", "long, record smaller: record decides" },
        { 1000, 949, "", "event and record disagree" },
        { 1000, 1051, "", "event and record disagree" },
        { 8, 8.01, "", "the record is longer than the event" },
        { 8, 13.9, "", "the record is longer than the event" },
        { 8, 14.1, "", "event and record disagree" },
        { 29.9, NONE, "", "too short for events, and there are no records" },
        { 29.9, INVALID, "", "too short for events, and there are no records" },
        { 30, NONE, "event", "long, no records: event decides" },
        { 30, INVALID, "event", "long, no records: event decides" },
        { NONE, 5, "", "no event time to hold the records against" },
        { INVALID, 500, "", "no event time to hold the records against" },
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (int r = 0; r < 4; r++) {
            const char *const regime = r % 2 ? "hot" : "cold"; /* and in either order */

            (void)start_over(state);
            for (int k = 0; k < 2; k++) {
                const bool   is_event = (k == 0) == (r < 2);
                const double us       = is_event ? table[i].event_us : table[i].record_us;

                if (us != NONE)
                    (void)add(regime, is_event ? "event" : "record", us < 0 ? us : us * 1e3);
            }
            assay_decide(measured, n_rows);
            for (int k = 0; k < n_rows; k++) {
                const bool  is_valid = rows[k].n_samples > 0;
                const char *decision = is_valid ? table[i].decision : "no valid sample";

                if (rows[k].decides != (is_valid && strcmp(rows[k].clock, table[i].decider) == 0) ||
                    strncmp(rows[k].decision, decision, strlen(decision)) != 0)
                    fail_msg("case %zu, %s/%s: %d, '%s'", i, regime, rows[k].clock, rows[k].decides,
                             rows[k].decision);
            }
        }
}

/* 2^28 elements by a million blocks on an H200: records read 5.6 % longer than the event there, and
 * the graph, which is timed without records, bears the event out. */
static void a_graph_bears_the_event_out(void **state)
{
    static const struct {
        double      cold_event_us, cold_record_us, hot_event_us, graph_us;
        const char *decider, *decision;
    } table[] = {
        { 943.7, 996.9, 943.1, 939.6, "event", "long, records slowed, graph agrees with event" },
        { 943.7, 996.9, 943.1, 890.0, "", "event and record disagree" }, /* 5.6 % off */
        { 943.7, 996.9, 943.1, INVALID, "", "event and record disagree" },
        { 943.7, 996.9, INVALID, 939.6, "", "event and record disagree" },
        { 943.7, 890.0, 943.1, 939.6, "", "event and record disagree" }, /* not the record slowed */
        { 29.0, 40.0, 29.0, 29.0, "", "event and record disagree" },     /* short */
        { 943.7, 950.0, 943.1, 890.0, "event", "long, event no larger: event decides" },
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        (void)start_over(state);
        (void)add("cold", "event", table[i].cold_event_us * 1e3);
        (void)add("cold", "record", table[i].cold_record_us * 1e3);
        (void)add("hot", "event", table[i].hot_event_us * (table[i].hot_event_us < 0 ? 1 : 1e3));
        (void)add("graph", "graph", table[i].graph_us * (table[i].graph_us < 0 ? 1 : 1e3));
        assay_decide(measured, n_rows);
        for (int k = 0; k < 2; k++)
            if (rows[k].decides != (strcmp(rows[k].clock, table[i].decider) == 0) ||
                strncmp(rows[k].decision, table[i].decision, strlen(table[i].decision)) != 0)
                fail_msg("case %zu, %s: %d, '%s'", i, rows[k].clock, rows[k].decides,
                         rows[k].decision);
    }
}

/* The thresholds are those of the rows' own policy. */
static void thresholds_come_from_the_policy(void **state)
{
    (void)state;
    (void)add("cold", "event", 40e3);
    (void)add("cold", "record", 39.9e3);
    for (int i = 0; i < 2; i++)
        rows[i].policy.short_ns = 50e3;
    assay_decide(measured, n_rows);
    assert_string_equal(rows[0].decision, "short: record decides");
    for (int i = 0; i < 2; i++) {
        rows[i].policy.short_ns     = 1e3;
        rows[i].policy.clock_gap_ns = rows[i].policy.clock_gap_share = 0;
    }
    assay_decide(measured, n_rows);
    assert_string_equal(rows[0].decision, "event and record disagree");
    for (int i = 0; i < 2; i++) {
        rows[i].policy.clock_gap_ns = 200;
        rows[i].policy.clock_tie    = 0.001;
    }
    assay_decide(measured, n_rows);
    assert_true(rows[1].decides);
}

/* Each regime is decided for itself; what is missing in one is not borrowed from another. */
static void regimes_do_not_mix(void **state)
{
    assay_measurement_row *cold = add("cold", "event", 9e3), *hot = add("hot", "event", 6e3),
                          *record = add("hot", "record", 4e3), *long_cold;

    (void)state;
    assay_decide(measured, n_rows);
    assert_false(cold->decides);
    assert_false(hot->decides);
    assert_true(record->decides);
    n_rows    = 0;
    long_cold = add("cold", "event", 900e3);
    record    = add("hot", "record", 4e3);
    assay_decide(measured, n_rows);
    assert_true(long_cold->decides);
    assert_false(record->decides);
}

/* ---- graph and host ---- */

static void graphs_have_their_own_clock(void **state)
{
    static const struct {
        double  median_us;
        int64_t calls;
        bool    decides;
    } table[] = {
        { 1, MANY, true }, { 1, 8, true },   { 1, 7, false },   { 4.3, 7, true },
        { 4.2, 7, false }, { 29, 1, false }, { 30.1, 1, true }, { 500, 1, true },
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assay_measurement_row *row;

        (void)start_over(state);
        row                      = add("graph", "graph", table[i].median_us * 1e3);
        row->launches_per_sample = table[i].calls;
        assay_decide(measured, n_rows);
        if (row->decides != table[i].decides)
            fail_msg("graph %zu: '%s'", i, row->decision);
        assert_string_equal(row->decision,
                            table[i].decides ? "graph: its own clock"
                                             : "too few calls in the graph for so short a kernel");
    }
}

/* Samples of other numbers of calls stand in one row: it says so. */
static void different_calls_are_said(void **state)
{
    assay_block            blocks[2] = { { .calls = 20 }, { .calls = 10 } };
    const assay_samples    samples   = { .blocks = blocks, .n_blocks = 2 };
    assay_measurement_row *row       = add("graph", "graph", 1e3);

    (void)state;
    row->launches_per_sample = 10;
    measured[0].samples      = &samples;
    assay_decide(measured, n_rows);
    assert_true(row->decides);
    assert_string_equal(row->decision, "graph: its own clock; 10 to 20 calls in a sample");
    blocks[1].calls = 20;
    assay_decide(measured, n_rows);
    assert_string_equal(row->decision, "graph: its own clock");
    blocks[0].calls = blocks[1].calls = 0; /* nobody knows */
    assay_decide(measured, n_rows);
    assert_string_equal(row->decision, "graph: its own clock");
}

static void end_to_end_is_decided_by_the_host(void **state)
{
    assay_measurement_row *row = add("e2e", "host", 10), *none;

    (void)state;
    assay_decide(measured, n_rows);
    assert_true(row->decides);
    assert_string_equal(row->decision, "end to end: host decides");
    n_rows = 0;
    row    = add("e2e", "host", INVALID);
    none   = add("graph", "graph", INVALID);
    assay_decide(measured, n_rows);
    assert_false(row->decides || none->decides);
    assert_string_equal(row->decision, "no valid sample");
    assert_string_equal(none->decision, "no valid sample");
}

/* ---- floor and ceilings ---- */

#define CEILING(kind_, regime_, clock_, bytes, ns, rate_)                                          \
    {                                                                                              \
        .kind = kind_, .regime = regime_, .clock = clock_, .working_set_bytes = (bytes),           \
        .n_samples = 20, .median_ns = (ns), .rate = (rate_)                                        \
    }

static const assay_ceiling_row machine[] = {
    CEILING("null", "cold", "event", 0, 3100, NAN),
    CEILING("null", "cold", "record", 0, 860, NAN),
    CEILING("null", "hot", "event", 0, 3000, NAN),
    CEILING("copy", "cold", "event", 1 << 20, 1, 500e9),
    CEILING("read", "cold", "event", 1 << 20, 1, 600e9),
    CEILING("copy", "cold", "event", 1 << 24, 1, 2000e9),
    CEILING("read", "cold", "event", 1 << 24, 1, 1900e9),
    CEILING("copy", "cold", "event", 1 << 28, 1, 2900e9),
    CEILING("copy", "cold", "event", 1 << 22, 1, NAN), /* not measured after all */
    CEILING("copy", "cold", "record", 1 << 24, 1, 2100e9),
    CEILING("copy", "hot", "event", 1 << 24, 1, 5000e9),
    CEILING("fma", "cold", "event", 0, 1, 60e12),
    CEILING("fma", "cold", "record", 0, 1, 61e12),
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
        { (1 << 20) + 1, 2000e9 }, /* the better neighbour */
        { 1 << 22, 2000e9 },
        { 1 << 24, 2000e9 },
        { (1 << 24) + 1, 2900e9 },
        { 1 << 28, 2900e9 },
        { INT64_C(1) << 40, 2900e9 },
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assay_measurement_row *row;

        (void)start_over(state);
        row                    = add("cold", "event", 20e3);
        row->working_set_bytes = table[i].bytes;
        assay_decide_limits(row, machine, N_MACHINE);
        if (row->ceiling_bytes_per_s != table[i].rate)
            fail_msg("working set %lld: %g", (long long)table[i].bytes, row->ceiling_bytes_per_s);
        assert_true(row->floor_ns == 3100);
        assert_true(row->ceiling_flops == 60e12);
    }
}

static void limits_of_others_do_not_count(void **state)
{
    assay_measurement_row *record = add("cold", "record", 5e3), *hot = add("hot", "event", 5e3),
                          *graph = add("graph", "graph", 5e3);

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
    assay_measurement_row *row = add("cold", "event", 3 * 3100.0);

    (void)state;
    assay_decide_limits(row, machine, N_MACHINE);
    assert_false(row->is_below_floor);
    row->median_ns -= 1;
    assay_decide_limits(row, machine, N_MACHINE);
    assert_true(row->is_below_floor);
    row->policy.floor_factor = 2;
    assay_decide_limits(row, machine, N_MACHINE);
    assert_false(row->is_below_floor);
    row = add("cold", "event", INVALID);
    assay_decide_limits(row, machine, N_MACHINE);
    assert_false(row->is_below_floor);
}

/* 2000 GB/s is the ceiling, 10 % above it is allowed for. */
static void faster_than_physics(void **state)
{
    assay_measurement_row *row = add("cold", "event", 100e3);
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
    /* A clock that is not believed accuses nobody; nor does a ceiling that is unknown. */
    row->decides = false;
    assert_false(assay_decide_is_too_fast(row, reason, sizeof reason));
    row->decides             = true;
    row->ceiling_bytes_per_s = NAN;
    assert_false(assay_decide_is_too_fast(row, reason, sizeof reason));
    row->ceiling_bytes_per_s = 2000e9;
    row->median_ns           = NAN;
    assert_false(assay_decide_is_too_fast(row, reason, sizeof reason));
}

/* Seen on an H200: 28 MB in an L2 of 60 MB, faster than at 16 MiB and 64 MiB, and nothing is wrong.
 */
static void a_cache_may_be_fastest_between_two_sizes(void **state)
{
    static const struct {
        int64_t bytes;
        double  rate;
    } read[] = {
        { 1 << 22, 5300e9 }, { 1 << 24, 4635e9 }, { 1 << 26, 3300e9 }, { 1 << 30, 4100e9 }
    };
    assay_ceiling_row      ceilings[4];
    assay_measurement_row *row = add("hot", "record", 5.4e3);
    char                   reason[ASSAY_REASON_SIZE];

    (void)state;
    for (int i = 0; i < 4; i++)
        ceilings[i] = (assay_ceiling_row) { .kind              = "copy",
                                            .regime            = "hot",
                                            .clock             = "record",
                                            .working_set_bytes = read[i].bytes,
                                            .rate              = read[i].rate };
    row->working_set_bytes = row->bytes_declared = 28311552;
    row->decides                                 = true;
    assay_decide_limits(row, ceilings, 4);
    assert_true(row->ceiling_bytes_per_s == 5300e9);
    assert_false(assay_decide_is_too_fast(row, reason, sizeof reason));
    /* In memory the sizes around it count: 5243 GB/s cannot be there. */
    row->working_set_bytes = 1 << 28;
    assay_decide_limits(row, ceilings, 4);
    assert_true(row->ceiling_bytes_per_s == 4100e9);
    assert_true(assay_decide_is_too_fast(row, reason, sizeof reason));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_over)
    const struct CMUnitTest tests[] = {
        TEST(the_written_rule),
        TEST(a_graph_bears_the_event_out),
        TEST(thresholds_come_from_the_policy),
        TEST(regimes_do_not_mix),
        TEST(graphs_have_their_own_clock),
        TEST(different_calls_are_said),
        TEST(end_to_end_is_decided_by_the_host),
        TEST(limits_are_those_of_regime_clock_and_working_set),
        TEST(limits_of_others_do_not_count),
        TEST(below_the_floor),
        TEST(faster_than_physics),
        TEST(a_cache_may_be_fastest_between_two_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
