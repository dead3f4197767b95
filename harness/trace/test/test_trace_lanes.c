/* Rows of a trace: on any input, no slice hides another, and no row is wasted. */
#include "trace/trace_internal.h"

#include "testing/testing.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_EVENTS = 400,
};

static assay_activity some_record; /* events need one; its content does not matter here */

static assay_trace_event event(assay_trace_track track, uint32_t stream, int64_t start_ns,
                               int64_t end_ns)
{
    return (assay_trace_event) { .track    = track,
                                 .stream   = track == ASSAY_TRACK_DEVICE ? stream : 0,
                                 .thread   = track == ASSAY_TRACK_API ? stream : 0,
                                 .start_ns = start_ns,
                                 .end_ns   = end_ns,
                                 .record   = &some_record };
}

/* The rule for a pair of events, written out. */
static bool may_share_a_row(const assay_trace_event *a, const assay_trace_event *b)
{
    const bool apart = a->end_ns <= b->start_ns || b->end_ns <= a->start_ns;
    const bool nest  = (a->start_ns <= b->start_ns && b->end_ns <= a->end_ns) ||
                      (b->start_ns <= a->start_ns && a->end_ns <= b->end_ns);

    return apart || (nest && a->track != ASSAY_TRACK_DEVICE);
}

static bool same_group(const assay_trace_event *a, const assay_trace_event *b)
{
    return a->track == b->track && a->device == b->device && a->context == b->context &&
           a->stream == b->stream && a->thread == b->thread;
}

/* First event that breaks the rule with another, by comparing all pairs; -1: none. */
static int64_t pairwise_overlap(const assay_trace_event *events, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (events[i].row == events[j].row && !may_share_a_row(&events[i], &events[j]))
                return (int64_t)i;
        }
    }
    return -1;
}

static void fill_randomly(assay_trace_event *events, size_t n, unsigned short seed[3])
{
    const long range = 1 + nrand48(seed) % 2000;

    for (size_t i = 0; i < n; i++) {
        const int64_t start_ns = nrand48(seed) % range;

        events[i] = event((assay_trace_track)(nrand48(seed) % 5), (uint32_t)(nrand48(seed) % 3),
                          start_ns, start_ns + nrand48(seed) % (1 + range / 4));
        events[i].context =
            events[i].track == ASSAY_TRACK_DEVICE ? (uint32_t)(nrand48(seed) % 2) : 0;
    }
}

static void test_placed_events_never_overlap(void **state)
{
    static assay_trace_event events[MAX_EVENTS];
    unsigned short           seed[3] = { 2, 7, 18 };

    (void)state;
    for (int trial = 0; trial < 300; trial++) {
        const size_t n = (size_t)(nrand48(seed) % MAX_EVENTS);

        fill_randomly(events, n, seed);
        assert_int_equal(assay_trace_place(events, n), ASSAY_OK);
        assert_int_equal(pairwise_overlap(events, n), -1);
        assert_int_equal(assay_trace_find_overlap(events, n), -1);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < i; j++) {
                if (events[i].row == events[j].row)
                    assert_true(same_group(&events[i], &events[j]));
            }
        }
    }
}

/* The names of rows are written by the first event of each, in the order of the rows. */
static void test_rows_begin_in_order(void **state)
{
    static assay_trace_event events[MAX_EVENTS];
    unsigned short           seed[3] = { 5, 77, 215 };

    (void)state;
    for (int trial = 0; trial < 100; trial++) {
        uint32_t n_rows = 0;

        fill_randomly(events, MAX_EVENTS, seed);
        assert_int_equal(assay_trace_place(events, MAX_EVENTS), ASSAY_OK);
        for (size_t i = 0; i < MAX_EVENTS; i++) {
            assert_true(events[i].row <= n_rows);
            n_rows += events[i].row == n_rows;
        }
    }
}

/* Random rows: the check and the comparison of all pairs must agree on whether there is a fault. */
static void test_check_agrees_with_all_pairs(void **state)
{
    static assay_trace_event events[MAX_EVENTS];
    unsigned short           seed[3] = { 1, 61, 80 };
    int                      n_bad = 0, n_good = 0;

    (void)state;
    for (int trial = 0; trial < 3000; trial++) {
        const size_t n = (size_t)(1 + nrand48(seed) % 12);

        fill_randomly(events, n, seed);
        for (size_t i = 0; i < n; i++) {
            events[i].track = (assay_trace_track)(trial % 2 ? ASSAY_TRACK_DEVICE : ASSAY_TRACK_API);
            events[i].row   = (uint32_t)(nrand48(seed) % 6);
        }
        const bool is_bad = pairwise_overlap(events, n) >= 0;

        assert_int_equal(assay_trace_find_overlap(events, n) >= 0, is_bad);
        n_bad += is_bad;
        n_good += !is_bad;
    }
    assert_true(n_bad > 100 && n_good > 100);
}

static void test_device_slices_never_nest(void **state)
{
    assay_trace_event events[] = { event(ASSAY_TRACK_DEVICE, 7, 0, 100),
                                   event(ASSAY_TRACK_DEVICE, 7, 10, 20),
                                   event(ASSAY_TRACK_DEVICE, 7, 20, 30),
                                   event(ASSAY_TRACK_DEVICE, 7, 100, 110) };
    const uint32_t    lanes[]  = { 0, 1, 1, 0 };

    (void)state;
    assert_int_equal(assay_trace_place(events, 4), ASSAY_OK);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(events[i].lane, lanes[i]);
    events[1].row = events[0].row;
    assert_int_equal(assay_trace_find_overlap(events, 4), 1);
}

static void test_calls_nest_or_get_a_lane(void **state)
{
    assay_trace_event events[] = { event(ASSAY_TRACK_API, 7, 0, 100),
                                   event(ASSAY_TRACK_API, 7, 0, 40),
                                   event(ASSAY_TRACK_API, 7, 10, 40),
                                   event(ASSAY_TRACK_API, 7, 20, 50),
                                   event(ASSAY_TRACK_API, 8, 20, 50) };
    const uint32_t    lanes[] = { 0, 0, 0, 1, 0 }, rows[] = { 0, 0, 0, 1, 2 };

    (void)state;
    assert_int_equal(assay_trace_place(events, 5), ASSAY_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(events[i].lane, lanes[i]);
        assert_int_equal(events[i].row, rows[i]);
    }
}

/* Spans of the same times: the depth says which is the outer one. */
static void test_depth_orders_spans(void **state)
{
    const assay_trace_span outer = { .depth = 0 }, inner = { .depth = 1 };
    assay_trace_event      events[] = { event(ASSAY_TRACK_SPANS, 0, 5, 9),
                                        event(ASSAY_TRACK_SPANS, 0, 5, 9) };

    (void)state;
    events[0].span = &inner;
    events[1].span = &outer;
    assert_int_equal(assay_trace_place(events, 2), ASSAY_OK);
    assert_ptr_equal(events[0].span, &outer);
    assert_int_equal(events[1].row, 0);
}

/* More lanes at once than any fixed number: none runs into the rows of the next stream. */
static void test_many_lanes_stay_apart(void **state)
{
    static assay_trace_event events[MAX_EVENTS];

    (void)state;
    for (size_t i = 0; i < MAX_EVENTS; i++)
        events[i] = event(ASSAY_TRACK_DEVICE, (uint32_t)(i % 2), (int64_t)i, 10000);
    assert_int_equal(assay_trace_place(events, MAX_EVENTS), ASSAY_OK);
    assert_int_equal(pairwise_overlap(events, MAX_EVENTS), -1);
    assert_int_equal(events[MAX_EVENTS - 1].row, MAX_EVENTS - 1);
    assert_int_equal(events[MAX_EVENTS - 1].lane, MAX_EVENTS / 2 - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_placed_events_never_overlap),
        cmocka_unit_test(test_rows_begin_in_order),
        cmocka_unit_test(test_check_agrees_with_all_pairs),
        cmocka_unit_test(test_device_slices_never_nest),
        cmocka_unit_test(test_calls_nest_or_get_a_lane),
        cmocka_unit_test(test_depth_orders_spans),
        cmocka_unit_test(test_many_lanes_stay_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
