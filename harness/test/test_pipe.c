/* Whole messages, torn messages, ends and deadlines. */
#include "pipe.h"
#include "testing.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

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

static void a_message_arrives_whole(void **state)
{
    const int    *ends = *state;
    assay_request sent = { .key = "a/b/n=1", .seed = 7, .is_timed = true }, got;
    bool          ended, timed_out;

    assert_int_equal(assay_pipe_write(ends[1], &sent, sizeof sent), ASSAY_OK);
    assert_int_equal(assay_pipe_read(ends[0], &got, sizeof got, 5, &ended, &timed_out), ASSAY_OK);
    assert_false(ended || timed_out);
    assert_string_equal(got.key, "a/b/n=1");
    assert_int_equal(got.seed, 7);
    assert_true(got.is_timed);
}

static void an_end_between_messages_is_no_error(void **state)
{
    int *ends = *state;
    char c;
    bool ended, timed_out;

    (void)close(ends[1]);
    ends[1] = -1;
    assert_int_equal(assay_pipe_read(ends[0], &c, 1, 5, &ended, &timed_out), ASSAY_OK);
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
    assert_failed_with(assay_pipe_read(ends[0], bytes, sizeof bytes, 5, &ended, &timed_out),
                       ASSAY_E_IO, "broke off after 3 of 8 bytes");
}

static void a_deadline_passes(void **state)
{
    const int *ends = *state;
    char       c;
    bool       ended, timed_out;

    assert_int_equal(assay_pipe_read(ends[0], &c, 1, 0.05, &ended, &timed_out), ASSAY_OK);
    assert_true(timed_out);
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
        cmocka_unit_test_setup_teardown(a_message_arrives_whole, make_pipe, drop_pipe),
        cmocka_unit_test_setup_teardown(an_end_between_messages_is_no_error, make_pipe, drop_pipe),
        cmocka_unit_test_setup_teardown(a_torn_message_is_an_error, make_pipe, drop_pipe),
        cmocka_unit_test_setup_teardown(a_deadline_passes, make_pipe, drop_pipe),
        cmocka_unit_test_setup_teardown(nobody_reads, make_pipe, drop_pipe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
