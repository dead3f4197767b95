/* The self-check's judgement of made-up readings: every process counts, and a regime without a
 * clock that decides is reported. */
#include "command/doctor/self_check.h"
#include "testing/testing.h"
#include "time/timer.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    N_PROCESSES = 3
};

static assay_spin_row rows[64];
static int            n_rows;
static char          *text; /* what was printed; owned */
static size_t         size;

static int start(void **state)
{
    (void)state;
    n_rows = 0;
    text   = NULL;
    return 0;
}

static int stop(void **state)
{
    (void)state;
    free(text);
    return 0;
}

static assay_spin_row *put(const char *name, double own_ns, assay_regime regime, assay_clock clock,
                           double median_ns)
{
    assay_spin_row *row = &rows[n_rows++];

    assert_true(n_rows < (int)(sizeof rows / sizeof rows[0]));
    *row = (assay_spin_row) { .own_ns              = own_ns,
                              .n_samples           = 100,
                              .launches_per_sample = regime == ASSAY_REGIME_GRAPH ? 20 : 1,
                              .median_ns           = median_ns,
                              .wall_s              = 0.1 };
    (void)strcpy(row->name, name);
    row->regime = regime;
    row->clock  = clock;
    return row;
}

/* One process on a good machine. */
static void put_process(bool has_records)
{
    (void)put("spin 5 us", 5000, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 8300);
    (void)put("spin 5 us", 5000, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, 8200);
    (void)put("spin 5 us", 5000, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH, 5900);
    (void)put("spin 200 us", 200000, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 203000);
    (void)put("null", NAN, ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 3100);
    if (!has_records)
        return;
    (void)put("spin 5 us", 5000, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 5950);
    (void)put("spin 5 us", 5000, ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 5950);
    (void)put("spin 200 us", 200000, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 200900);
    (void)put("null", NAN, ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 860);
}

static assay_clocks judge(void)
{
    const assay_policy policy = assay_policy_default();
    FILE              *out    = open_memstream(&text, &size);
    assay_clocks       clocks;

    assert_non_null(out);
    clocks = assay_self_check_judge(rows, n_rows, N_PROCESSES, &policy, out);
    assert_int_equal(fclose(out), 0);
    return clocks;
}

static assay_spin_row *row_of(int process, const char *name, assay_regime regime, assay_clock clock)
{
    for (int i = 0; i < n_rows; i++)
        if (strcmp(rows[i].name, name) == 0 && rows[i].regime == regime && rows[i].clock == clock &&
            process-- == 0)
            return &rows[i];
    fail();
    return NULL;
}

static void all_is_right(void **state)
{
    (void)state;
    for (int p = 0; p < N_PROCESSES; p++)
        put_process(true);
    assert_int_equal(judge(), ASSAY_CLOCKS_RIGHT);
    assert_non_null(strstr(text, "decides: right"));
    assert_null(strstr(text, "CANNOT_TELL"));
    assert_null(strstr(text, "WRONG"));
}

/* The wrong process can be any one. Errors of two processes do not cancel. */
static void one_process_is_off(void **state)
{
    for (int off = 0; off < N_PROCESSES; off++) {
        (void)start(state);
        for (int p = 0; p < N_PROCESSES; p++)
            put_process(true);
        row_of(off, "spin 5 us", ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD)->own_ns = 4500;
        assert_int_equal(judge(), ASSAY_CLOCKS_WRONG);
        assert_non_null(strstr(text, "4.50  cold   record"));
        assert_non_null(strstr(text, "+1.450"));
        (void)stop(state);
    }
    (void)start(state);
    for (int p = 0; p < N_PROCESSES; p++)
        put_process(true);
    row_of(0, "spin 5 us", ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD)->median_ns = 3500;
    row_of(2, "spin 5 us", ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD)->median_ns =
        6500; /* the median is 5000 */
    assert_int_equal(judge(), ASSAY_CLOCKS_WRONG);
}

/* A clock that does not decide may be wrong. */
static void what_does_not_decide_is_not_judged(void **state)
{
    (void)state;
    for (int p = 0; p < N_PROCESSES; p++)
        put_process(true);
    for (int p = 0; p < N_PROCESSES; p++)
        row_of(p, "spin 5 us", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT)->median_ns = 10900;
    assert_int_equal(judge(), ASSAY_CLOCKS_RIGHT);
}

/* Only graphs decide for the short kernel; cold and hot stay open, and the output names them. */
static void without_records_nobody_can_tell(void **state)
{
    (void)state;
    for (int p = 0; p < N_PROCESSES; p++)
        put_process(false);
    for (int p = 0; p < N_PROCESSES; p++)
        row_of(p, "spin 200 us", ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT)->median_ns = 200900;
    assert_int_equal(judge(), ASSAY_CLOCKS_UNKNOWN);
    assert_non_null(strstr(text, "CANNOT_TELL: too short for events, and there are no records"));
    assert_null(strstr(text, "WRONG"));
}

static void a_process_without_a_time(void **state)
{
    assay_spin_row *lost;

    (void)state;
    for (int p = 0; p < N_PROCESSES; p++)
        put_process(true);
    lost            = row_of(1, "spin 5 us", ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH);
    lost->n_samples = 0;
    lost->median_ns = NAN;
    assert_int_equal(judge(), ASSAY_CLOCKS_UNKNOWN);
    assert_non_null(strstr(text, "CANNOT_TELL: a time from 2 of 3 processes"));
}

/* A wrong clock outweighs an undecided regime. */
static void wrong_outranks_unknown(void **state)
{
    (void)state;
    for (int p = 0; p < N_PROCESSES; p++)
        put_process(false);
    for (int p = 0; p < N_PROCESSES; p++)
        row_of(p, "spin 5 us", ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH)->median_ns = 6001;
    assert_int_equal(judge(), ASSAY_CLOCKS_WRONG);
}

static void nothing_read_is_nothing_known(void **state)
{
    (void)state;
    assert_int_equal(judge(), ASSAY_CLOCKS_UNKNOWN);
}

/* A worker that is gone when it gets a request must not end this process by SIGPIPE. */
static void a_worker_that_ends_is_a_failure(void **state)
{
    static const assay_case *const no_cases[] = { NULL };
    static assay_target            target;
    assay_clocks                   clocks;

    (void)state;
    assert_true(signal(SIGPIPE, SIG_DFL) != SIG_ERR);
    assert_failed_with(assay_self_check(&target, no_cases, stdout, &clocks), ASSAY_E_INTERNAL,
                       "the worker ended before");
    assert_int_equal(clocks, ASSAY_CLOCKS_UNKNOWN);
    assert_true(signal(SIGPIPE, SIG_DFL) == SIG_IGN);
}

/* The test starts this program as a worker; then it ends at once. */
int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(all_is_right),
        TEST(one_process_is_off),
        TEST(what_does_not_decide_is_not_judged),
        TEST(without_records_nobody_can_tell),
        TEST(a_process_without_a_time),
        TEST(wrong_outranks_unknown),
        TEST(nothing_read_is_nothing_known),
        TEST(a_worker_that_ends_is_a_failure),
    };

    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
