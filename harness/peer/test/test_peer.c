/* Peers that behave and peers that do not; a script stands in for PyTorch. */
#include "peer_fixture.h"

#include <stdio.h>

/* As the parent requests it: checked, then timed as process 1. */
static void time_point(const char *word)
{
    assay_policy      policy = assay_policy_default();
    assay_timed_point timed;

    check_point(word, N, true);
    assert_found(ASSAY_PASS, "");
    timed = (assay_timed_point) { .point = point_of(0, N, true), .judged = seen.verdict.judged };
    assert_true(timed.judged.of_draw[0].is_there);
    memset(&seen, 0, sizeof seen);
    assert_int_equal(assay_run_time_peers(&runner, &timed, 1, &policy, 1, &sink), ASSAY_OK);
    assert_int_equal(seen.n_verdicts, 1);
}

/* ---- checks ---- */

static void a_right_answer_passes(void **state)
{
    (void)state;
    check_point("right", N, false);
    assert_found(ASSAY_PASS, "");
    assert_int_equal(seen.n_checks, 4); /* two outputs in each of two classes */
    check_point("right", 0, false);
    assert_found(ASSAY_PASS, "");
}

static void answers_are_judged_like_those_of_a_kernel(void **state)
{
    (void)state;
    check_point("wrong", N, false);
    assert_found(ASSAY_WRONG_VALUE, "element 3");
    check_point("nan", N, false);
    assert_found(ASSAY_NOT_FINITE, "'y'");
    check_point("unwritten", N, false);
    assert_found(ASSAY_UNWRITTEN, "'y'");
    check_point("changes_input", N, false);
    assert_found(ASSAY_INPUT_CHANGED, "'x' was changed");
    check_point("right", N, false);
    assert_found(ASSAY_PASS, "");
}

/* One process serves all points of a worker, until it dies. */
static void one_process_serves_many_points(void **state)
{
    char first[128];

    (void)state;
    check_point("right", N, false);
    (void)strcpy(first, assay_peer_whom(runner.peer)->device);
    check_point("wrong", N, false);
    check_point("unsupported", N, false);
    check_point("fails", N, false);
    check_point("right", N, false);
    assert_string_equal(assay_peer_whom(runner.peer)->device, first);
    check_point("ends", N, false);
    assert_false(assay_peer_is_alive(runner.peer));
    check_point("right", N, false);
    assert_found(ASSAY_PASS, "");
    assert_string_not_equal(assay_peer_whom(runner.peer)->device, first);
}

static void refusals_have_their_reasons(void **state)
{
    (void)state;
    check_point("unsupported", N, false);
    assert_found(ASSAY_UNSUPPORTED, "no such word");
    assert_int_equal(seen.n_checks, 0);
    check_point("no_room", N, false);
    assert_found(ASSAY_SKIPPED, "no room on the device");
    check_point("fails", N, false);
    assert_found(ASSAY_LAUNCH_FAILED, "no such operator");
    check_point("shrinks", N, false);
    assert_found(ASSAY_LAUNCH_FAILED, "Operation not permitted");
}

static void a_peer_that_breaks_is_a_verdict(void **state)
{
    static const struct {
        const char   *word;
        assay_verdict verdict;
        const char   *words;
    } rows[] = {
        { "ends", ASSAY_CRASHED, "exit status 3: the disk is full" },
        { "is_killed", ASSAY_CRASHED, "killed by signal 11" },
        { "hangs", ASSAY_TIMED_OUT, "no answer from the peer within 0.2 s of CPU time" },
        { "closes", ASSAY_CRASHED, "closed its output" },
        { "babbles", ASSAY_CRASHED, "broke the protocol: no answer" },
        { "breaks_off", ASSAY_CRASHED, "ended with exit status 0" },
        { "says_bytes", ASSAY_CRASHED, "broke the protocol" },
        { "says_nothing", ASSAY_CRASHED, "'failed' where 'done' was wanted" },
        { "mistakes", ASSAY_CRASHED, "'done' where 'ready' was wanted" },
        { "is_lost", ASSAY_LAUNCH_FAILED, "the device is lost" },
        { "early", ASSAY_CRASHED, "answered request 3; the last one asked is 2" },
        { "wrong_number", ASSAY_CRASHED, "answered request 9; the last one asked is 2" },
        { "no_number", ASSAY_CRASHED, "answered request 2x; the last one asked is 2" },
        { "old_form", ASSAY_CRASHED, "'done' without the number of its request" },
        { "floods", ASSAY_CRASHED,
          "broke the protocol: more than 64 answers to requests that are over" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_point(rows[i].word, N, false);
        assert_found(rows[i].verdict, rows[i].words);
        assert_false(assay_peer_is_alive(runner.peer));
        assert_false(runner.is_spent); /* the worker is not to blame */
    }
}

/* The limit counts CPU time. On a busy machine the peer waits for a CPU while the wall clock
 * goes on. */
static void waiting_is_no_silence(void **state)
{
    (void)state;
    check_point("hangs_asleep", N, false);
    assert_found(ASSAY_PASS, "");
}

static void what_a_step_took_is_looked_at(void **state)
{
    static const char *const words[] = { "took_a_year", "took_nothing", "took_words" };

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        check_point(words[i], N, false);
        assert_found(ASSAY_CRASHED, "the time of a step is invalid, or longer");
    }
    check_point("took_once", N, false);
    assert_found(ASSAY_PASS, "");
}

/* A second answer, or an answer that comes too late, is not an answer to the next request. */
static void answers_to_requests_that_are_over_are_dropped(void **state)
{
    (void)state;
    check_point("twice", N, false);
    assert_found(ASSAY_PASS, "");
    check_point("late", N, false);
    assert_found(ASSAY_PASS, "");
    check_point("right", N, false);
    assert_found(ASSAY_PASS, "");
    time_point("late_times");
    assert_found(ASSAY_PASS, "");
    assert_true(seen.measurements[1].row.median_ns == 2e6);
}

static void dropped_answers_are_counted_in_the_reason(void **state)
{
    static const struct {
        const char   *word;
        assay_verdict verdict;
        const char   *words;
    } rows[] = {
        { "hangs_late", ASSAY_TIMED_OUT,
          "within 0.2 s of CPU time (dropped 2 answers to earlier requests)" },
        { "ends_late", ASSAY_CRASHED, "the disk is full (dropped 1 answer to earlier requests)" },
        { "fails_late", ASSAY_LAUNCH_FAILED,
          "no such operator (dropped 1 answer to earlier requests)" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_point(rows[i].word, N, false);
        assert_found(rows[i].verdict, rows[i].words);
    }
    check_point("right", N, false);
    assert_found(ASSAY_PASS, "");
}

/* ---- no peer ---- */

static void without_an_interpreter_points_are_skipped(void **state)
{
    (void)state;
    assert_int_equal(setenv("ASSAY_PYTHON", "/no/such/python3", 1), 0);
    check_point("right", N, false);
    assert_found(ASSAY_SKIPPED, "/no/such/python3: ");
    assert_found(ASSAY_SKIPPED, "exit status 127");
}

static void without_torch_points_are_skipped(void **state)
{
    (void)state;
    assert_int_equal(setenv("FAKE_PEER", "absent", 1), 0);
    check_point("right", N, false);
    assert_found(ASSAY_SKIPPED, "there is no torch");
    /* The peer is not started again for each point. */
    assert_int_equal(unsetenv("FAKE_PEER"), 0);
    check_point("right", N, false);
    assert_found(ASSAY_SKIPPED, "there is no torch");
}

/* Version 1 had one framework, and did not report its version. */
static void the_version_of_the_protocol_is_looked_at(void **state)
{
    static const struct {
        const char   *how, *frameworks;
        assay_verdict verdict;
        const char   *words;
    } rows[] = {
        { "", "fake 0.0, numpy 1", ASSAY_PASS, "" },
        { "first_protocol", "torch 0.0-fake", ASSAY_PASS, "" },
        { "later_protocol", NULL, ASSAY_SKIPPED, "it speaks protocol 3, and this program up to 2" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(setenv("FAKE_PEER", rows[i].how, 1), 0);
        check_point("right", N, false);
        assert_found(rows[i].verdict, rows[i].words);
        if (rows[i].frameworks)
            assert_string_equal(assay_peer_whom(runner.peer)->frameworks, rows[i].frameworks);
        assay_peer_end(runner.peer);
        runner.peer = NULL;
    }
}

static void axes_are_told_as_a_key_has_them(void **state)
{
    char words[64];

    (void)state;
    (void)snprintf(words, sizeof words, "axes: n int %d", (int)N);
    check_point("tells_axes", N, false);
    assert_found(ASSAY_LAUNCH_FAILED, words);
}

static void a_script_that_does_not_start_is_no_fault_of_the_variant(void **state)
{
    (void)state;
    assert_int_equal(setenv("FAKE_PEER", "silent", 1), 0);
    check_point("right", N, false);
    assert_found(ASSAY_SKIPPED, "SyntaxError");
}

static void a_missing_script_is_named(void **state)
{
    (void)state;
    assert_int_equal(setenv("ASSAY_PEERS", "/nowhere", 1), 0);
    check_point("right", N, false);
    assert_found(ASSAY_SKIPPED, "fake_peer.py");
}

/* The interpreter that was named is used, and no other. */
static void the_interpreter_is_the_one_named(void **state)
{
    (void)state;
    assert_int_equal(setenv("ASSAY_PYTHON", "/usr/bin/env", 1), 0);
    check_point("right", N, false);
    assert_found(ASSAY_SKIPPED, "/usr/bin/env: ");
    assert_null(strstr(seen.verdict.reason, "/usr/bin/python3"));
}

/* ---- times ---- */

static void a_peer_is_timed_in_two_regimes(void **state)
{
    static const assay_regime regimes[] = { ASSAY_REGIME_COLD, ASSAY_REGIME_HOT };
    static const double       medians[] = { 4e6, 2e6 };
    static const int          samples[] = { 2, 6 };

    (void)state;
    time_point("right");
    assert_found(ASSAY_PASS, "");
    assert_int_equal(seen.n_measurements, 2);
    for (int r = 0; r < 2; r++) {
        const assay_measurement_row *row = &seen.measurements[r].row;

        assert_int_equal(row->regime, regimes[r]);
        assert_int_equal(row->clock, ASSAY_CLOCK_PEER);
        assert_string_equal(row->stop_reason, "budget");
        assert_int_equal(row->n_samples, samples[r]);
        assert_true(row->median_ns == medians[r]);
        assert_int_equal(row->n_blocks, 2);
        assert_int_equal(row->n_warmup, 4);
        assert_int_equal(row->bytes_declared, 2 * 8 * N);
        assert_int_equal(seen.measurements[r].blocks[1].process, 1);
        assert_int_equal(seen.measurements[r].blocks[1].order, 2 + r);
    }
    assert_int_equal(seen.verdict.peak_bytes, 4096);
}

static void times_are_looked_at(void **state)
{
    static const struct {
        const char *word, *words;
    } rows[] = {
        { "nan_times", "time of a sample is invalid" },
        { "no_time", "time of a sample is invalid" },
        { "negative", "time of a sample is invalid" },
        { "no_samples", "number of samples" },
        { "many_samples", "samples" },
        { "odd_samples", "number of samples" },
        { "long_times", "longer than" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        time_point(rows[i].word);
        assert_found(ASSAY_CRASHED, rows[i].words);
        assert_int_equal(seen.n_measurements, 0);
    }
}

/* A number that the peer reports about itself is a fact with a name of its own. */
static void facts_are_kept(void **state)
{
    (void)state;
    time_point("right");
    assert_int_equal(seen.n_metrics, 1);
    assert_string_equal(seen.metrics[0].name, "room");
    assert_string_equal(seen.metrics[0].replay, ASSAY_TOLD_BY_PEER);
    assert_string_equal(seen.metrics[0].status, "ok");
    assert_true(seen.metrics[0].value == 4096);
}

static void facts_are_looked_at(void **state)
{
    static const char *const words[] = { "fact_of_words", "fact_without_name", "fact_alone",
                                         "fact_of_nan",   "facts_twice",       "many_facts",
                                         "fact_of_ours",  "fact_of_a_counter" };

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        time_point(words[i]);
        assert_found(ASSAY_CRASHED, "a fact without a number");
        assert_int_equal(seen.n_metrics + seen.n_measurements, 0);
    }
}

static void no_verdict_no_number(void **state)
{
    (void)state;
    time_point("goes_wrong");
    assert_found(ASSAY_WRONG_VALUE, "element 3");
    assert_int_equal(seen.n_measurements, 0);
    time_point("hangs_timing");
    assert_found(ASSAY_TIMED_OUT, "no answer");
    assert_int_equal(seen.n_measurements, 0);
    time_point("untimed");
    assert_found(ASSAY_UNSUPPORTED, "no clock");
    assert_int_equal(seen.n_measurements, 0);
}

/* On a device that cannot time, a peer is only checked. */
static void a_device_that_cannot_time_skips_it(void **state)
{
    (void)state;
    runner.info.can_time = false;
    check_point("right", N, true);
    assert_found(ASSAY_SKIPPED, "never times");
    check_point("right", N, false);
    assert_found(ASSAY_PASS, "");
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {
        T(a_right_answer_passes),
        T(answers_are_judged_like_those_of_a_kernel),
        T(one_process_serves_many_points),
        T(refusals_have_their_reasons),
        T(a_peer_that_breaks_is_a_verdict),
        T(waiting_is_no_silence),
        T(what_a_step_took_is_looked_at),
        T(answers_to_requests_that_are_over_are_dropped),
        T(dropped_answers_are_counted_in_the_reason),
        T(without_an_interpreter_points_are_skipped),
        T(without_torch_points_are_skipped),
        T(the_version_of_the_protocol_is_looked_at),
        T(axes_are_told_as_a_key_has_them),
        T(a_script_that_does_not_start_is_no_fault_of_the_variant),
        T(a_missing_script_is_named),
        T(the_interpreter_is_the_one_named),
        T(a_peer_is_timed_in_two_regimes),
        T(times_are_looked_at),
        T(facts_are_kept),
        T(facts_are_looked_at),
        T(no_verdict_no_number),
        T(a_device_that_cannot_time_skips_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
