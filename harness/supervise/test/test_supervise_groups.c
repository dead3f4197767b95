/* The parent with real workers: what one point of a group costs the others, what a missing
 * baseline leaves, and what happens if a search or a worker breaks. */
#include "supervise_fixture.h"
#include "testing/ceiling_fixture.h"

#include <signal.h>
#include <unistd.h>

/* ---- launchers ---- */

TIMED_LAUNCHER(dies, KERNEL_NS, (void)raise(SIGTERM))
TIMED_LAUNCHER(goes_wrong, KERNEL_NS, y[3] += 1)
TIMED_LAUNCHER(ruins_the_device, KERNEL_NS, refuses_copies = true)

/* After its check it requests more memory than there is. */
ASSAY_WORKSPACE(grows)
{
    static int n_asked;

    (void)args;
    toy_gpu.bytes_allowed = 1 << 24;
    return ++n_asked > 1 ? (size_t)1 << 30 : 0;
}

/* A worker whose memory was overwritten may send anything. */
static void speak(assay_message_kind kind, int place, assay_row_kind row_kind)
{
    static assay_message message;

    message = (assay_message) { .kind = kind, .place = place, .row_kind = row_kind };
    if (kind == ASSAY_MESSAGE_NOTE)
        memset(&message.note, 'x', sizeof message.note);
    if (kind == ASSAY_MESSAGE_MEASUREMENT)
        message.measurement.n_samples = -1;
    (void)assay_worker_send(&message);
}

/* A measurement in a valid message: one sample of process 0, in this block. */
static void measure(double time_ns, assay_block block)
{
    static assay_message message;
    const double         clock_mhz = (double)NAN;

    message = (assay_message) { .kind        = ASSAY_MESSAGE_MEASUREMENT,
                                .measurement = { .regime              = ASSAY_REGIME_COLD,
                                                 .clock               = ASSAY_CLOCK_EVENT,
                                                 .stop_reason         = "samples",
                                                 .n_samples           = 1,
                                                 .n_blocks            = 1,
                                                 .launches_per_sample = 1 } };

    (void)assay_worker_send(&message);
    (void)!write(assay_worker_reply_fd(), &time_ns, sizeof time_ns);
    (void)!write(assay_worker_reply_fd(), &clock_mhz, sizeof clock_mhz);
    (void)!write(assay_worker_reply_fd(), &block, sizeof block);
}
#define A_BLOCK(process_, median)                                                                  \
    {                                                                                              \
        .n_samples = 1, .process = process_, .median_ns = median                                   \
    }
TIMED_LAUNCHER(speaks_of_another, KERNEL_NS, measure(1e5, (assay_block)A_BLOCK(31, 1e5)))
TIMED_LAUNCHER(speaks_of_no_time, KERNEL_NS, measure(-1, (assay_block)A_BLOCK(0, 1e5)))
TIMED_LAUNCHER(speaks_of_no_median, KERNEL_NS, measure(1e5, (assay_block)A_BLOCK(0, INFINITY)))

/* Forges a verdict on the pipe, whose descriptor it finds, and then ends. */
static void forge(void)
{
    static assay_message message;

    message = (assay_message) { .kind        = ASSAY_MESSAGE_ROW,
                                .row_kind    = ASSAY_ROW_VERDICT,
                                .row.verdict = { .verdict = ASSAY_PASS } };
    (void)!write(assay_worker_reply_fd(), &message, sizeof message);
    message = (assay_message) { .kind = ASSAY_MESSAGE_DONE };
    (void)!write(assay_worker_reply_fd(), &message, sizeof message);
}
TIMED_LAUNCHER(forges, KERNEL_NS, forge())

/* As above, but on the descriptors that a program inherits, which lead nowhere. */
static void forge_on_low_descriptors(void)
{
    static const assay_message message = { .kind = ASSAY_MESSAGE_DONE };

    for (int fd = 0; fd < 64; fd++)
        (void)!write(fd, &message, sizeof message);
}
TIMED_LAUNCHER(writes_everywhere, KERNEL_NS, forge_on_low_descriptors())
TIMED_LAUNCHER(speaks_of_others, KERNEL_NS, speak(ASSAY_MESSAGE_ROW, -1000000, ASSAY_ROW_VERDICT))
TIMED_LAUNCHER(speaks_of_nothing, KERNEL_NS, speak(ASSAY_MESSAGE_ROW, 0, (assay_row_kind)999))
TIMED_LAUNCHER(speaks_without_end, KERNEL_NS, speak(ASSAY_MESSAGE_NOTE, 0, ASSAY_ROW_CHECK))
TIMED_LAUNCHER(speaks_too_much, KERNEL_NS, speak(ASSAY_MESSAGE_MEASUREMENT, 0, ASSAY_ROW_CHECK))

/* 35 us in the twin, the second of two equal points that are timed side by side: faster than the
 * machine can be. */
ASSAY_LAUNCHER(too_fast_in_its_twin)
{
    static int   own;
    static void *first;

    (void)stream;
    compute(args);
    if (++own == 15)
        first = args->buf[1];
    toy_gpu.clock_ns +=
        (own > 15 && args->buf[1] != first ? 35000 : KERNEL_NS) - (int64_t)TOY_LAUNCH_NS;
    return 0;
}

/* block=64 kills its process, block=32 the device; block=128 is the fastest. */
ASSAY_LAUNCHER(dies_of_some_blocks)
{
    (void)stream;
    compute(args);
    if (args->tune[0] == 64)
        (void)raise(SIGTERM);
    if (args->tune[0] == 32)
        toy_gpu.next_fault = (assay_fault) { .kind = ASSAY_FAULT_ADDRESS, .text = "illegal" };
    toy_gpu.clock_ns += args->tune[0] == 128 ? KERNEL_NS / 2 : KERNEL_NS;
    return 0;
}

/* ---- cases ---- */

CASE(case_death, "dies");
CASE(case_device, "ruins_the_device");
CASE(case_steady, "steady");
CASE(case_twin, "too_fast_in_its_twin");
CASE(case_others, "speaks_of_others");
CASE(case_nothing, "speaks_of_nothing");
CASE(case_forged, "forges");
CASE(case_low, "writes_everywhere");
CASE(case_endless, "speaks_without_end");
CASE(case_too_much, "speaks_too_much");
CASE(case_another, "speaks_of_another");
CASE(case_no_time, "speaks_of_no_time");
CASE(case_no_median, "speaks_of_no_median");
static assay_case case_greedy, case_base, case_ruin;

/* A call takes longer than a twentieth of its share of the budget. */
static int sleep_here(const assay_args *args, struct CUstream_st *stream)
{
    (void)stream;
    (void)usleep(400000);
    compute(args);
    return 0;
}

CASE_OF(case_cpu, { .name = "base", .cpu = sleep_here }, { .name = "last", .launch = "steady" });

CASE_OF(case_tuned, { .name   = "base",
                      .launch = "dies_of_some_blocks",
                      .tuning = { ASSAY_TUNING("block", 256, 64, 32, 128) } });

static assay_case_table all_cases(void)
{
    static const assay_case *const cases[] = {
        &case_death,   &case_device,  &case_steady,   &case_twin,    &case_others,
        &case_nothing, &case_endless, &case_too_much, &case_greedy,  &case_base,
        &case_ruin,    &case_tuned,   &case_another,  &case_no_time, &case_no_median,
        &case_forged,  &case_low,     &case_cpu,      NULL
    };

    case_greedy = case_base = case_ruin = case_steady;
    case_greedy.name                    = "case_greedy";
    case_greedy.variants[1].workspace   = "grows";
    case_base.name                      = "case_base";
    case_base.variants[0].launch        = "goes_wrong";
    case_ruin.name                      = "case_ruin";
    case_ruin.variants[0].launch        = "ruins_the_device";
    return cases;
}

/* ---- one point of a group ---- */

static void assert_neighbours_are_timed(const fixture *f)
{
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
    assert_string_equal(comparison(f, "last", "round(c.ratio, 9)"), "2.0");
}

static void without_room_it_is_skipped_alone(void **state)
{
    supervise(*state, &case_greedy);
    assert_verdict(*state, "middle", "SKIPPED", "no room to time it: ");
    assert_neighbours_are_timed(*state);
}

/* The harness failed at one point: it stays planned, and a new worker times the others. */
static void a_device_that_fails_costs_one_point(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_device);
    assert_string_equal(
        of(f, "middle", "count(v.verdict)", "LEFT JOIN verdict AS v USING (point_id)"), "0");
    assert_neighbours_are_timed(f);
}

static void the_same_within_this_process(void **state)
{
    const fixture *f = *state;

    options.in_process = true;
    supervise(*state, &case_device);
    assert_string_equal(
        of(f, "middle", "count(v.verdict)", "LEFT JOIN verdict AS v USING (point_id)"), "0");
    assert_neighbours_are_timed(f);
}

/* ---- what a worker sends ---- */

static void nonsense_is_a_crash(void **state)
{
    static const struct {
        const assay_case *of;
        const char       *what;
    } nonsense[] = {
        { &case_others, "a point that was not asked for" },
        { &case_nothing, "a row of unknown kind" },
        { &case_forged, "a message that it did not write itself" },
        { &case_endless, "a note of impossible values" },
        { &case_too_much, "an impossible measurement" },
        { &case_another, "a block of another process" },
        { &case_no_time, "are no times" },
        { &case_no_median, "a block whose median is not a valid time" },
    };

    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        (void)tear_down(state);
        (void)start(state);
        supervise(*state, nonsense[i].of);
        assert_verdict(*state, "middle", "CRASHED", "its worker broke the protocol");
        assert_verdict(*state, "middle", "CRASHED", nonsense[i].what);
        assert_neighbours_are_timed(*state);
    }
}

static void more_processes_than_there_may_be(void **state)
{
    options.policy.n_processes = 33;
    assert_failed_with(assay_supervise(NULL, 1, NULL, NULL, 0, &options), ASSAY_E_USAGE,
                       "at most 32 processes");
    (void)state;
}

/* ---- baselines and twins ---- */

static void a_wrong_baseline_leaves_a_row(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_base);
    assert_verdict(f, "base", "WRONG_VALUE", "element 3");
    assert_verdict(f, "last", "PASS", "");
    assert_string_equal(comparison(f, "last", "c.is_known || '|' || c.against || '|' || c.reason"),
                        "0|base|base: WRONG_VALUE");
    assert_string_equal(of(f, "last", "count(*)", "JOIN comparison AS c USING (point_id)"), "3");
    assert_string_equal(of(f, "last", "min(c.finding) || ' ' || max(c.finding)",
                           "JOIN compared AS c USING (point_id)"),
                        "CANNOT_TELL CANNOT_TELL");
}

/* Neither requests nor answers use those descriptors. */
static void who_writes_to_low_descriptors_is_not_heard(void **state)
{
    supervise(*state, &case_low);
    assert_verdict(*state, "middle", "PASS", "");
}

static void a_missing_baseline_leaves_a_row(void **state)
{
    const fixture *f = *state;

    n_left_out = 1;
    supervise(*state, &case_steady);
    assert_verdict(f, "last", "PASS", "");
    assert_string_equal(comparison(f, "last", "c.is_known || '|' || c.reason"),
                        "0|base is not among the points timed with this one");
}

static void a_baseline_that_could_not_be_timed(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_ruin);
    assert_string_equal(comparison(f, "last", "c.is_known || '|' || c.reason"),
                        "0|base: could not be timed");
}

/* A twin that is suspect makes its point suspect. */
static void a_twin_that_is_too_fast(void **state)
{
    options.against_itself = true;
    supervise(*state, &case_twin);
    assert_verdict(*state, "middle", "SUSPECT", "faster than physics");
    assert_verdict(*state, "base", "PASS", "");
}

/* ---- a search ---- */

static void a_choice_that_kills_its_worker(void **state)
{
    const fixture *f     = *state;
    const char    *trial = "JOIN tuning_trial AS t USING (point_id)";

    options.tunes = true;
    supervise(*state, &case_tuned);
    assert_verdict(f, "base", "PASS", "");
    assert_string_equal(of(f, "base", "group_concat(t.tuning || ' ' || t.verdict, ', ')", trial),
                        "block=128 PASS, block=256 PASS, block=32 OUT_OF_BOUNDS, block=64 CRASHED");
    assert_string_equal(of(f, "base", "group_concat(t.tuning)",
                           "JOIN tuning_trial AS t ON "
                           "t.point_id = p.point_id AND t.is_chosen"),
                        "block=128");
    assert_non_null(strstr(of(f, "base", "group_concat(t.reason)", trial), "killed by signal 15"));
    assert_string_equal(of(f, "base", "min(m.tuning)", "JOIN measurement AS m USING (point_id)"),
                        "block=128");
}

/* The estimate uses known times if all points of a group have one, and otherwise bytes. */
static void what_it_took_before_is_its_estimate(void **state)
{
    static const double took_s[] = { 30, 30, 30 }, half_known_s[] = { 30, (double)NAN, 30 };
    static const double doubt[] = { 0, 0, 0 };

    options.budget_s = 20;
    options.took_s   = took_s;
    options.doubt    = doubt;
    supervise(*state, &case_steady);
    assert_verdict(*state, "base", "SKIPPED", "budget");
    assert_int_equal(tear_down(state), 0);
    assert_int_equal(start(state), 0);
    options.budget_s = 20;
    options.took_s   = half_known_s;
    options.doubt    = doubt;
    supervise(*state, &case_steady);
    assert_string_equal(of(*state, "base", "v.verdict", "JOIN verdict AS v USING (point_id)"),
                        "PASS");
}

/* Its check shows that it is slow. */
static void a_slow_cpu_variant_leaves_room(void **state)
{
    const fixture *f = *state;

    options.budget_s = 4;
    supervise(*state, &case_cpu);
    assert_string_equal(of(f, "base", "v.verdict", "JOIN verdict AS v USING (point_id)"), "PASS");
    assert_string_equal(of(f, "base", "count(*)", "JOIN measurement AS m USING (point_id)"), "0");
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(without_room_it_is_skipped_alone),
        TEST(a_slow_cpu_variant_leaves_room),
        TEST(what_it_took_before_is_its_estimate),
        TEST(a_device_that_fails_costs_one_point),
        TEST(the_same_within_this_process),
        TEST(nonsense_is_a_crash),
        TEST(more_processes_than_there_may_be),
        TEST(a_wrong_baseline_leaves_a_row),
        TEST(who_writes_to_low_descriptors_is_not_heard),
        TEST(a_missing_baseline_leaves_a_row),
        TEST(a_baseline_that_could_not_be_timed),
        TEST(a_twin_that_is_too_fast),
        TEST(a_choice_that_kills_its_worker),
    };

    launch_ns = 4500000; /* the time of a ceiling: 64 KiB at 15 MB/s */
    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return assay_main(argc, argv, all_cases());
    (void)all_cases();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
