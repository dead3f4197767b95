/* The parent with real workers (this program, started again, on the device of plain memory):
 * what goes wrong while they time, and what is stored then. */
#include "supervise_fixture.h"

#include <signal.h>
#include <unistd.h>

/* ---- launchers; `own` counts the calls of a launcher in its process ---- */

static void say_what_a_sanitizer_says(void)
{
    (void)fprintf(stderr, "WARNING: ThreadSanitizer: data race (pid=1)\n"
                          "SUMMARY: ThreadSanitizer: data race x.cu:1 in f\n");
    _exit(1);
}

TIMED_LAUNCHER(dies, KERNEL_NS, (void)raise(SIGTERM))
TIMED_LAUNCHER(goes_wrong, KERNEL_NS, y[3] += 1)
TIMED_LAUNCHER(is_killed, KERNEL_NS, (void)raise(SIGKILL))
/* Prints what a sanitizer would print, and dies of something else. */
TIMED_LAUNCHER(lies, KERNEL_NS, say_what_a_sanitizer_says())
TIMED_LAUNCHER(faults, KERNEL_NS, toy_gpu.next_fault.kind = ASSAY_FAULT_ADDRESS)

/* Wrong once, in the twin: the second of two equal points that are timed side by side. */
ASSAY_LAUNCHER(wrong_in_its_twin)
{
    static int   own;
    static bool  is_done;
    static void *first;

    (void)stream;
    compute(args);
    toy_gpu.clock_ns += KERNEL_NS;
    if (++own == 20)
        first = args->buf[1];
    if (own > 20 && !is_done && args->buf[1] != first) {
        ((float *)args->buf[1])[3] += 1;
        is_done = true;
    }
    return 0;
}

ASSAY_LAUNCHER(faster_by_64)
{
    (void)stream;
    compute(args);
    toy_gpu.clock_ns += args->tune[0] == 64 ? KERNEL_NS / 4 : KERNEL_NS;
    return 0;
}

ASSAY_LAUNCHER(slower_by_64)
{
    (void)stream;
    compute(args);
    toy_gpu.clock_ns += args->tune[0] == 64 ? 3 * KERNEL_NS : KERNEL_NS;
    return 0;
}

/* Sleeps at the first launch of a process, as if code was loaded and compiled. */
enum {
    FIRST_US = 20000,
    SLOW_US  = 1100000
};
ASSAY_LAUNCHER(slow_at_first)
{
    static bool is_loaded;

    (void)stream;
    compute(args);
    toy_gpu.clock_ns += KERNEL_NS;
    if (!is_loaded)
        (void)usleep(FIRST_US);
    is_loaded = true;
    return 0;
}

/* The check takes longer than the budget of the test below, and longer than any estimate. */
ASSAY_LAUNCHER(slow_to_check)
{
    static int own;

    (void)stream;
    compute(args);
    toy_gpu.clock_ns += KERNEL_NS;
    if (own++ < 2)
        (void)usleep(SLOW_US);
    return 0;
}

/* ---- the cases: one for each kind of fault, between two sound variants ---- */

CASE(case_death, "dies");
CASE(case_fault, "faults");
CASE(case_killed, "is_killed");
CASE(case_first, "slow_at_first");
CASE(case_liar, "lies");
CASE(case_slow, "slow_to_check");
CASE_WITH(case_late, .launch = "slow_to_check", .time_limit_s = 0.3);
CASE(case_steady, "steady");
CASE(case_twin, "wrong_in_its_twin");
CASE(case_wrong, "goes_wrong");

CASE_OF(case_tuned, { .name   = "base",
                      .launch = "faster_by_64",
                      .tuning = { ASSAY_TUNING("block", 256, 64, 32) } });

CASE_OF(case_bases,
        { .name = "base", .launch = "slower_by_64", .tuning = { ASSAY_TUNING("block", 256, 64) } },
        { .name = "last", .launch = "twice_as_fast", .baseline = "base" });

static const assay_case *const cases[] = { &case_bases,  &case_death, &case_fault, &case_first,
                                           &case_killed, &case_late,  &case_liar,  &case_slow,
                                           &case_steady, &case_tuned, &case_twin,  &case_wrong,
                                           NULL };

static assay_case_table all_cases(void) { return cases; }

/* ---- tests ---- */

static void what_is_steady_is_timed_and_compared(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_steady);
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "middle", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
    assert_string_equal(comparison(f, "last", "c.clock"), "event");
    assert_string_equal(comparison(f, "last", "round(c.ratio, 9)"), "2.0");
    /* All processes agree, to half a tick. */
    assert_string_equal(comparison(f, "last", "round(c.lo, 4)"), "1.9993");
    assert_string_equal(comparison(f, "last", "round(c.hi, 4)"), "2.0007");
    assert_string_equal(comparison(f, "last", "c.n_processes"), "3");
    assert_string_equal(comparison(f, "middle", "round(c.ratio, 9)"), "1.0");
    assert_string_equal(of(f, "base", "count(*)", "JOIN comparison AS c USING (point_id)"), "0");
}

/* If a worker is killed from outside, as when memory runs out, this says nothing about its
 * kernel: there is no verdict, and a resumed run takes the point again. */
static void a_worker_that_is_killed_from_outside(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_killed);
    assert_string_equal(of(f, "middle", "count(*)", "JOIN verdict AS v USING (point_id)"), "0");
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
}

/* The worker dies in the middle of its group: only the point that it was at is to blame. The
 * others are timed again without it. */
static void a_worker_that_dies_while_timing(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_death);
    assert_verdict(f, "middle", "CRASHED", "killed by signal 15");
    assert_non_null(
        strstr(of(f, "middle", "v.reason", "JOIN verdict AS v USING (point_id)"), "during '"));
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
    assert_string_equal(comparison(f, "last", "round(c.ratio, 9)"), "2.0");
}

static void a_report_that_no_sanitizer_wrote(void **state)
{
    supervise(*state, &case_liar);
    assert_verdict(*state, "middle", "CRASHED", "ended with exit status 1");
}

static void a_fault_while_timing(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_fault);
    assert_verdict(f, "middle", "OUT_OF_BOUNDS", "");
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
}

static void an_answer_that_goes_wrong_while_timing(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_wrong);
    assert_verdict(f, "middle", "WRONG_VALUE", "element 3");
    /* The check that failed is stored with the one that passed. */
    assert_string_not_equal(of(f, "middle", "sum(k.verdict = 'WRONG_VALUE')",
                               "JOIN check_result AS k USING (point_id)"),
                            "0");
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
}

static void the_same_within_this_process(void **state)
{
    const fixture *f = *state;

    options.in_process = true;
    supervise(*state, &case_wrong);
    assert_verdict(f, "middle", "WRONG_VALUE", "element 3");
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
    assert_string_equal(comparison(f, "last", "coalesce(c.lo, 'none')"), "none");
    /* The policy does not count processes that never ran, either. */
    assert_string_equal(ask(f->path, "SELECT group_concat(n_processes) FROM policy"), "1");
}

static void against_itself(void **state)
{
    const fixture *f = *state;

    options.against_itself = true;
    supervise(*state, &case_steady);
    assert_verdict(f, "base", "PASS", "");
    assert_string_equal(comparison(f, "base", "c.kind"), "aa");
    assert_string_equal(comparison(f, "base", "c.against"), "base");
    assert_string_equal(comparison(f, "base", "round(c.ratio, 9)"), "1.0");
}

/* A wrong answer counts for the point, whether the point or its twin gave it. */
static void a_twin_is_the_point_itself(void **state)
{
    const fixture *f = *state;

    options.against_itself = true;
    supervise(*state, &case_twin);
    assert_verdict(f, "middle", "WRONG_VALUE", "element 3");
    assert_verdict(f, "base", "PASS", "");
}

static const char *first_call(const fixture *f, const char *variant, const char *what)
{
    return of(f, variant, what, "JOIN metric AS m USING (point_id)");
}

/* Two processes did not check the point and measure the first call; in the third, the check has
 * loaded everything already. */
static void the_first_call_of_a_process_is_told(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_first);
    assert_verdict(f, "middle", "PASS", "");
    assert_string_equal(first_call(f, "middle", "m.name || ' ' || m.replay || ' ' || m.n_passes"),
                        "first_call_ns first 2");
    assert_true(strtod(first_call(f, "middle", "m.value"), NULL) >= 1e3 * FIRST_US);
    assert_string_equal(first_call(f, "base", "count(*)"), "1");
}

static void one_process_knows_no_first_call(void **state)
{
    options.in_process = true;
    supervise(*state, &case_first);
    assert_string_equal(first_call(*state, "middle", "count(*)"), "0");
}

static void a_twin_is_not_the_first(void **state)
{
    options.against_itself = true;
    supervise(*state, &case_first);
    assert_string_equal(first_call(*state, "middle", "count(*)"), "1");
    assert_string_equal(first_call(*state, "middle", "m.n_passes"), "2");
}

static void the_tuned_values_are_timed(void **state)
{
    const fixture *f = *state;

    options.tunes = true;
    supervise(*state, &case_tuned);
    assert_verdict(f, "base", "PASS", "");
    assert_string_equal(of(f, "base", "count(*)", "JOIN tuning_trial AS t USING (point_id)"), "3");
    assert_string_equal(of(f, "base", "t.tuning",
                           "JOIN tuning_trial AS t ON t.point_id = p.point_id AND t.is_chosen"),
                        "block=64");
    assert_string_equal(of(f, "base", "min(m.tuning)", "JOIN measurement AS m USING (point_id)"),
                        "block=64");
    assert_string_equal(of(f, "base", "max(m.tuning)", "JOIN measurement AS m USING (point_id)"),
                        "block=64");
    /* The point keeps the key that was requested. */
    assert_string_equal(of(f, "base", "p.key", ""), "case_tuned/base/n=40");
}

/* Then there is no search, and the key does not change either. */
static void what_an_earlier_search_chose_is_timed(void **state)
{
    const fixture *f = *state;

    tuned_with = "block=64";
    supervise(*state, &case_tuned);
    assert_verdict(f, "base", "PASS", "");
    assert_string_equal(of(f, "base", "count(*)", "JOIN tuning_trial AS t USING (point_id)"), "0");
    assert_string_equal(of(f, "base", "min(m.tuning)", "JOIN measurement AS m USING (point_id)"),
                        "block=64");
    assert_string_equal(
        of(f, "base", "max(m.median_ns) < 50000", "JOIN measurement AS m USING (point_id)"), "1");
    assert_string_equal(of(f, "base", "p.key", ""), "case_tuned/base/n=40");
}

/* A file names one point as the baseline of a ratio: the first one. */
static void the_first_of_two_baselines_counts(void **state)
{
    static const struct {
        const char *names[3], *against, *ratio;
    } orders[] = {
        { { "base/n=40/block=64", "base/n=40", "last/n=40" },
          "case_bases/base/n=40/block=64",
          "6.0" },
        { { "base/n=40", "base/n=40/block=64", "last/n=40" }, "case_bases/base/n=40", "2.0" },
        { { "last/n=40", "base/n=40/block=64", "base/n=40" },
          "case_bases/base/n=40/block=64",
          "6.0" },
    };

    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        fixture *f = *state;

        supervise_points(f, &case_bases, 3, orders[i].names);
        assert_string_equal(ask(f->path, "SELECT against_key FROM compared"), orders[i].against);
        assert_string_equal(ask(f->path, "SELECT round(ratio) FROM compared"), orders[i].ratio);
        assert_int_equal(tear_down(state), 0);
        assert_int_equal(start(state), 0);
    }
}

static void a_budget_that_is_spent(void **state)
{
    const fixture *f = *state;

    options.budget_s = 1e-9;
    supervise(*state, &case_steady);
    assert_verdict(f, "base", "SKIPPED", "budget of 1e-09 s has no room");
    assert_verdict(f, "last", "SKIPPED", "budget");
}

/* The point that was chosen takes long. Its neighbours are then skipped, not checked for
 * minutes. */
static void a_budget_that_is_spent_within_a_group(void **state)
{
    const fixture *f = *state;

    options.times    = false; /* otherwise a busy host may use up the budget by starting workers */
    options.budget_s = 2;
    supervise(*state, &case_slow);
    assert_string_equal(of(f, "base", "v.verdict", "JOIN verdict AS v USING (point_id)"), "PASS");
    assert_verdict(f, "last", "SKIPPED", "budget of 2 s has no room");
}

static void without_timing_it_is_only_checked(void **state)
{
    const fixture *f = *state;

    options.times = false;
    supervise(*state, &case_steady);
    assert_string_equal(of(f, "base", "v.verdict", "JOIN verdict AS v USING (point_id)"), "PASS");
    assert_string_equal(of(f, "base", "count(*)", "JOIN measurement AS m USING (point_id)"), "0");
}

/* On a GPU, too, the wall clock does not count before a launcher has enqueued everything, since
 * it may wait for a CPU. */
static void a_launcher_that_waits_is_not_silent(void **state)
{
    const fixture *f = *state;

    options.times = false;
    options.lane  = ASSAY_LANE_CUDA;
    supervise(*state, &case_late);
    assert_string_equal(of(f, "middle", "v.verdict", "JOIN verdict AS v USING (point_id)"), "PASS");
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_is_steady_is_timed_and_compared),
        TEST(a_worker_that_dies_while_timing),
        TEST(a_worker_that_is_killed_from_outside),
        TEST(a_report_that_no_sanitizer_wrote),
        TEST(a_fault_while_timing),
        TEST(an_answer_that_goes_wrong_while_timing),
        TEST(the_same_within_this_process),
        TEST(against_itself),
        TEST(a_twin_is_the_point_itself),
        TEST(the_first_call_of_a_process_is_told),
        TEST(one_process_knows_no_first_call),
        TEST(a_twin_is_not_the_first),
        TEST(the_tuned_values_are_timed),
        TEST(what_an_earlier_search_chose_is_timed),
        TEST(the_first_of_two_baselines_counts),
        TEST(a_budget_that_is_spent),
        TEST(a_budget_that_is_spent_within_a_group),
        TEST(without_timing_it_is_only_checked),
        TEST(a_launcher_that_waits_is_not_silent),
    };

    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return assay_main(argc, argv, cases);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
