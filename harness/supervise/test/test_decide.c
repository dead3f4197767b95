/* Which clock decides: every branch of the decision. */
#include "decide_fixture.h"

/* ---- event and record ---- */

static void the_written_rule(void **state)
{
    static const struct {
        double      event_us, record_us; /* times as measured, or NONE or INVALID */
        assay_clock decider;
        const char *decision;
    } table[] = {
        { 8.74, 6.59, ASSAY_CLOCK_RECORD, "short: record decides" },
        { 29.9, 27, ASSAY_CLOCK_RECORD, "short: record decides" },
        { 6, 6, ASSAY_CLOCK_RECORD, "short: record decides" },
        { 30, 29.9, ASSAY_CLOCK_EVENT, "long, event no larger: event decides" },
        { 30, 29, ASSAY_CLOCK_RECORD, "long, record smaller: record decides" },
        { 1170.4, 1193.6, ASSAY_CLOCK_EVENT, "long, event no larger: event decides" },
        { 1000, 995.1, ASSAY_CLOCK_EVENT, "long, event no larger: event decides" }, /* 0.49 % */
        { 1000, 994.9, ASSAY_CLOCK_RECORD, "long, record smaller: record decides" },
        { 181.4, 179.0, ASSAY_CLOCK_RECORD, "long, record smaller: record decides" },
        /* They differ by 6 us or by 5 %, whichever is more. */
        { 12, 6.01, ASSAY_CLOCK_RECORD, "short: record decides" },
        { 12, 5.99, ASSAY_CLOCK_NONE, "event and record disagree" },
        { 100, 94.1, ASSAY_CLOCK_RECORD, "long, record smaller: record decides" },
        { 100, 93.9, ASSAY_CLOCK_NONE, "event and record disagree" },
        { 100, 105.9, ASSAY_CLOCK_EVENT, "long, event no larger: event decides" },
        { 100, 106.1, ASSAY_CLOCK_NONE, "event and record disagree" },
        { 1000, 951, ASSAY_CLOCK_RECORD, "long, record smaller: record decides" },
        { 1000, 949, ASSAY_CLOCK_NONE, "event and record disagree" },
        { 1000, 1051, ASSAY_CLOCK_NONE, "event and record disagree" },
        { 8, 8.01, ASSAY_CLOCK_NONE, "the record is longer than the event" },
        { 8, 13.9, ASSAY_CLOCK_NONE, "the record is longer than the event" },
        { 8, 14.1, ASSAY_CLOCK_NONE, "event and record disagree" },
        { 29.9, NONE, ASSAY_CLOCK_NONE, "too short for events, and there are no records" },
        { 29.9, INVALID, ASSAY_CLOCK_NONE, "too short for events, and there are no records" },
        { 30, NONE, ASSAY_CLOCK_EVENT, "long, no records: event decides" },
        { 30, INVALID, ASSAY_CLOCK_EVENT, "long, no records: event decides" },
        { NONE, 5, ASSAY_CLOCK_NONE, "no event time to compare the records with" },
        { INVALID, 500, ASSAY_CLOCK_NONE, "no event time to compare the records with" },
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (int r = 0; r < 4; r++) {
            const assay_regime regime =
                r % 2 ? ASSAY_REGIME_HOT
                      : ASSAY_REGIME_COLD; /* both regimes, and rows in either order */

            (void)start_over(state);
            for (int k = 0; k < 2; k++) {
                const bool   is_event = (k == 0) == (r < 2);
                const double us       = is_event ? table[i].event_us : table[i].record_us;

                if (us != NONE)
                    (void)add(regime, is_event ? ASSAY_CLOCK_EVENT : ASSAY_CLOCK_RECORD,
                              us < 0 ? us : us * 1e3);
            }
            assay_decide(measured, n_rows);
            for (int k = 0; k < n_rows; k++) {
                const bool  is_valid = rows[k].n_samples > 0;
                const char *decision = is_valid ? table[i].decision : "no valid sample";

                if (rows[k].decides != (is_valid && rows[k].clock == table[i].decider) ||
                    strncmp(rows[k].decision, decision, strlen(decision)) != 0)
                    fail_msg("case %zu, %s/%s: %d, '%s'", i, assay_regime_text(regime),
                             assay_clock_text(rows[k].clock), rows[k].decides, rows[k].decision);
            }
        }
}

/* 2^28 elements by a million blocks on an H200: records read 5.6 % longer than the event. The
 * graph is timed without records, and agrees with the event. */
static void a_graph_bears_the_event_out(void **state)
{
    static const struct {
        double      cold_event_us, cold_record_us, hot_event_us, graph_us;
        assay_clock decider;
        const char *decision;
    } table[] = {
        { 943.7, 996.9, 943.1, 939.6, ASSAY_CLOCK_EVENT,
          "long, records slowed, graph agrees with event" },
        { 943.7, 996.9, 943.1, 890.0, ASSAY_CLOCK_NONE,
          "event and record disagree" }, /* the graph is 5.6 % off */
        { 943.7, 996.9, 943.1, INVALID, ASSAY_CLOCK_NONE, "event and record disagree" },
        { 943.7, 996.9, INVALID, 939.6, ASSAY_CLOCK_NONE, "event and record disagree" },
        { 943.7, 890.0, 943.1, 939.6, ASSAY_CLOCK_NONE,
          "event and record disagree" }, /* the record is shorter, so it was not slowed down */
        { 29.0, 40.0, 29.0, 29.0, ASSAY_CLOCK_NONE, "event and record disagree" }, /* short */
        { 943.7, 950.0, 943.1, 890.0, ASSAY_CLOCK_EVENT, "long, event no larger: event decides" },
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        (void)start_over(state);
        (void)add(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, table[i].cold_event_us * 1e3);
        (void)add(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, table[i].cold_record_us * 1e3);
        (void)add(ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT,
                  table[i].hot_event_us * (table[i].hot_event_us < 0 ? 1 : 1e3));
        (void)add(ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH,
                  table[i].graph_us * (table[i].graph_us < 0 ? 1 : 1e3));
        assay_decide(measured, n_rows);
        for (int k = 0; k < 2; k++)
            if (rows[k].decides != (rows[k].clock == table[i].decider) ||
                strncmp(rows[k].decision, table[i].decision, strlen(table[i].decision)) != 0)
                fail_msg("case %zu, %s: %d, '%s'", i, assay_clock_text(rows[k].clock),
                         rows[k].decides, rows[k].decision);
    }
}

/* The thresholds are those of the policy of each row. */
static void thresholds_come_from_the_policy(void **state)
{
    (void)state;
    (void)add(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 40e3);
    (void)add(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 39.9e3);
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

/* Each regime is decided separately; a clock that is missing in one is not taken from another. */
static void regimes_do_not_mix(void **state)
{
    assay_measurement_row *cold   = add(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 9e3),
                          *hot    = add(ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 6e3),
                          *record = add(ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 4e3), *long_cold;

    (void)state;
    assay_decide(measured, n_rows);
    assert_false(cold->decides);
    assert_false(hot->decides);
    assert_true(record->decides);
    n_rows    = 0;
    long_cold = add(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 900e3);
    record    = add(ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 4e3);
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
        row = add(ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH, table[i].median_us * 1e3);
        row->launches_per_sample = table[i].calls;
        assay_decide(measured, n_rows);
        if (row->decides != table[i].decides)
            fail_msg("graph %zu: '%s'", i, row->decision);
        assert_string_equal(row->decision,
                            table[i].decides ? "graph: its own clock"
                                             : "too few calls in the graph for so short a kernel");
    }
}

/* If samples in one row have different numbers of calls, the row says so. */
static void different_calls_are_said(void **state)
{
    assay_block            blocks[2] = { { .calls = 20 }, { .calls = 10 } };
    const assay_samples    samples   = { .blocks = blocks, .n_blocks = 2 };
    assay_measurement_row *row       = add(ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH, 1e3);

    (void)state;
    row->launches_per_sample = 10;
    measured[0].samples      = &samples;
    assay_decide(measured, n_rows);
    assert_true(row->decides);
    assert_string_equal(row->decision, "graph: its own clock; 10 to 20 calls in a sample");
    blocks[1].calls = 20;
    assay_decide(measured, n_rows);
    assert_string_equal(row->decision, "graph: its own clock");
    blocks[0].calls = blocks[1].calls = 0; /* the number is unknown */
    assay_decide(measured, n_rows);
    assert_string_equal(row->decision, "graph: its own clock");
}

static void end_to_end_is_decided_by_the_host(void **state)
{
    assay_measurement_row *row = add(ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST, 10), *none;

    (void)state;
    assay_decide(measured, n_rows);
    assert_true(row->decides);
    assert_string_equal(row->decision, "end to end: host decides");
    n_rows = 0;
    row    = add(ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST, INVALID);
    none   = add(ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH, INVALID);
    assay_decide(measured, n_rows);
    assert_false(row->decides || none->decides);
    assert_string_equal(row->decision, "no valid sample");
    assert_string_equal(none->decision, "no valid sample");
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
