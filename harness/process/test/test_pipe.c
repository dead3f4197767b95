/* Whole messages, torn messages, ends of the pipe, and silence. */
#include "process/pipe.h"
#include "testing/testing.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double LONG_S = 600; /* long, so that a busy host does not end it */

/* The limit counts wall time while nothing arrives. */
static assay_patience *patient(double limit_s)
{
    static assay_patience patience;

    assay_patience_begin(&patience, 0, limit_s);
    return &patience;
}

static int make_pipe(void **state)
{
    static int ends[2];

    *state = ends;
    return pipe(ends);
}

static int drop_pipe(void **state)
{
    int *ends = *state;

    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            (void)close(ends[i]);
    return 0;
}

/* A request is longer than a pipe holds at once: the header, then its points. */
static void a_request_arrives_whole(void **state)
{
    enum {
        N = 3
    };
    const int          *ends = *state;
    assay_request       sent = { .task = ASSAY_TASK_TIME, .n_points = N, .process = 2 }, got;
    assay_request_point points[N], got_points[N];
    const pid_t         pid   = fork();
    bool                ended = false, timed_out = false;
    int                 status = -1;

    assert_true(pid >= 0);
    sent.policy = assay_policy_default();
    memset(points, 0, sizeof points);
    for (int i = 0; i < N; i++) {
        (void)snprintf(points[i].key, sizeof points[i].key, "axpy/vec4/n=%d", i);
        points[i].seed                        = UINT64_MAX - (uint64_t)i;
        points[i].is_timed                    = true;
        points[i].judged.of_draw[1].is_there  = true;
        points[i].judged.of_draw[1].digest[1] = 0x8000000000000000u + (uint64_t)i;
    }
    if (pid == 0)
        _exit(assay_pipe_write(ends[1], &sent, sizeof sent) != ASSAY_OK ||
              assay_pipe_write(ends[1], points, sizeof points) != ASSAY_OK);
    assert_int_equal(
        assay_pipe_read(ends[0], &got, sizeof got, patient(LONG_S), &ended, &timed_out), ASSAY_OK);
    assert_int_equal(assay_pipe_read(ends[0], got_points, sizeof got_points, patient(LONG_S),
                                     &ended, &timed_out),
                     ASSAY_OK);
    assert_false(ended || timed_out);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(got.task, ASSAY_TASK_TIME);
    assert_int_equal(got.n_points, N);
    assert_int_equal(got.process, 2);
    assert_memory_equal(&got.policy, &sent.policy, sizeof got.policy);
    assert_memory_equal(got_points, points, sizeof points);
}

/* Every kind of row fits into a message as it is. */
static void a_row_arrives_whole(void **state)
{
    const int       *ends = *state;
    assay_message    sent = { .kind = ASSAY_MESSAGE_ROW, .place = 5, .row_kind = ASSAY_ROW_TRIAL };
    assay_message    got;
    bool             ended, timed_out;
    assay_status     written = ASSAY_OK;
    const pid_t      pid     = fork();
    assay_trial_row *trial   = &sent.row.trial;
    int              status  = -1;

    assert_true(pid >= 0);
    (void)strcpy(trial->tuning, "block=256");
    trial->median_ns = 12345.5;
    trial->is_chosen = true;
    if (pid == 0) {
        written = assay_pipe_write(ends[1], &sent, sizeof sent);
        _exit(written != ASSAY_OK);
    }
    assert_int_equal(
        assay_pipe_read(ends[0], &got, sizeof got, patient(LONG_S), &ended, &timed_out), ASSAY_OK);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(got.kind, ASSAY_MESSAGE_ROW);
    assert_int_equal(got.place, 5);
    assert_int_equal(got.row_kind, ASSAY_ROW_TRIAL);
    assert_string_equal(got.row.trial.tuning, "block=256");
    assert_true(got.row.trial.median_ns == 12345.5 && got.row.trial.is_chosen);
}

static void an_end_between_messages_is_no_error(void **state)
{
    int *ends = *state;
    char c;
    bool ended, timed_out;

    (void)close(ends[1]);
    ends[1] = -1;
    assert_int_equal(assay_pipe_read(ends[0], &c, 1, patient(LONG_S), &ended, &timed_out),
                     ASSAY_OK);
    assert_true(ended);
}

static void a_torn_message_is_an_error(void **state)
{
    int *ends = *state;
    char bytes[8];
    bool ended, timed_out;

    assert_int_equal(assay_pipe_write(ends[1], "abc", 3), ASSAY_OK);
    (void)close(ends[1]);
    ends[1] = -1;
    assert_failed_with(
        assay_pipe_read(ends[0], bytes, sizeof bytes, patient(LONG_S), &ended, &timed_out),
        ASSAY_E_IO, "broke off after 3 of 8 bytes");
}

static void patience_ends(void **state)
{
    const int *ends = *state;
    char       c;
    bool       ended, timed_out;

    assert_int_equal(assay_pipe_read(ends[0], &c, 1, patient(0.05), &ended, &timed_out), ASSAY_OK);
    assert_true(timed_out);
}

static void a_process_that_loops_is_silent(void **state)
{
    const int     *ends = *state;
    const pid_t    pid  = fork();
    assay_patience patience;
    char           c, text[80];
    bool           ended, timed_out;

    assert_true(pid >= 0);
    while (pid == 0)
        continue;
    assay_patience_begin(&patience, pid, 0.1);
    assert_int_equal(assay_pipe_read(ends[0], &c, 1, &patience, &ended, &timed_out), ASSAY_OK);
    assert_true(timed_out);
    assert_string_equal(assay_patience_text(&patience, text, sizeof text),
                        "within 0.1 s of CPU time");
    (void)kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void nobody_reads(void **state)
{
    int *ends = *state;

    (void)signal(SIGPIPE, SIG_IGN);
    (void)close(ends[0]);
    ends[0] = -1;
    assert_failed_with(assay_pipe_write(ends[1], "abc", 3), ASSAY_E_IO, "cannot write");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_request_arrives_whole, make_pipe, drop_pipe),
        cmocka_unit_test_setup_teardown(a_row_arrives_whole, make_pipe, drop_pipe),
        cmocka_unit_test_setup_teardown(an_end_between_messages_is_no_error, make_pipe, drop_pipe),
        cmocka_unit_test_setup_teardown(a_torn_message_is_an_error, make_pipe, drop_pipe),
        cmocka_unit_test_setup_teardown(patience_ends, make_pipe, drop_pipe),
        cmocka_unit_test_setup_teardown(a_process_that_loops_is_silent, make_pipe, drop_pipe),
        cmocka_unit_test_setup_teardown(nobody_reads, make_pipe, drop_pipe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
