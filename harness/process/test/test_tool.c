/* tool: other programs, their output and how they ended. */
#include "testing/testing.h"

#include "process/tool.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static assay_status run(assay_tools *tools, const char *script, assay_tool *tool)
{
    char  sh[] = "sh", c[] = "-c", text[256] = "";
    char *words[] = { sh, c, text, NULL };

    (void)strncat(text, script, sizeof text - 1);
    return assay_tool_run(tools, words, tool);
}

static void output_errors_and_status_come_back(void **state)
{
    assay_tools tools;
    assay_tool  tool;

    (void)state;
    assert_int_equal(assay_tools_begin(&tools), ASSAY_OK);
    assert_int_equal(run(&tools, "echo said; echo wrong >&2; exit 77", &tool), ASSAY_OK);
    assert_int_equal(tool.exit_status, 77);
    assert_string_equal(tool.output, "said\n");
    assert_string_equal(tool.errors, "wrong\n");
    assay_tool_free(&tool);
    assert_int_equal(run(&tools, "kill -KILL $$", &tool), ASSAY_OK);
    assert_int_equal(tool.exit_status, 128 + SIGKILL);
    assert_string_equal(tool.output, "");
    assay_tool_free(&tool);
    assert_int_equal(run(&tools, "head -c 300000 /dev/zero | tr '\\0' x", &tool), ASSAY_OK);
    assert_int_equal(strlen(tool.output), 300000);
    assay_tool_free(&tool);
    assay_tool_free(&tool);
    assay_tool_free(NULL);
    assert_false(tools.is_stopped);
    assay_tools_end(&tools);
}

static void expect_line(const char *script, const char *line)
{
    assay_tools tools;
    assay_tool  tool;

    assert_int_equal(assay_tools_begin(&tools), ASSAY_OK);
    assert_int_equal(run(&tools, script, &tool), ASSAY_OK);
    assert_string_equal(assay_tool_line(&tool), line);
    assay_tool_free(&tool);
    assay_tools_end(&tools);
}

static void one_line_says_what_came_of_it(void **state)
{
    (void)state;
    expect_line("echo first; echo second; echo wrong >&2", "first");
    expect_line("echo wrong >&2; echo worse >&2; echo >&2", "worse");
    expect_line("printf worse >&2", "worse");
    expect_line("true", "");
}

static void a_program_that_is_not_there_is_named(void **state)
{
    char        name[]  = "/no/such/program";
    char       *words[] = { name, NULL };
    assay_tools tools;
    assay_tool  tool;

    (void)state;
    assert_int_equal(assay_tools_begin(&tools), ASSAY_OK);
    assert_failed_with(assay_tool_run(&tools, words, &tool), ASSAY_E_IO,
                       "cannot start /no/such/program");
    assay_tools_end(&tools);
    assay_tools_end(&tools);
    assay_tools_end(NULL);
}

/* The tool's own shell sends the signal, then waits to be ended with everything that it started. */
static void whoever_ends_us_ends_it(void **state)
{
    assay_tools tools;
    assay_tool  tool;

    (void)state;
    assert_int_equal(assay_tools_begin(&tools), ASSAY_OK);
    assert_int_equal(run(&tools, "echo begun; kill -INT $PPID; sleep 1000 & wait", &tool),
                     ASSAY_OK);
    assert_true(tools.is_stopped);
    assert_int_equal(tool.exit_status, 128 + SIGTERM);
    assert_string_equal(tool.output, "begun\n");
    assay_tool_free(&tool);
    assay_tools_end(&tools);
}

static void *wait_for_ever(void *unused)
{
    (void)unused;
    for (;;)
        (void)poll(NULL, 0, -1);
    return NULL;
}

/* A thread that does not block SIGCHLD receives it. */
static void its_end_is_seen_beside_other_threads(void **state)
{
    pthread_t   thread;
    assay_tools tools;
    assay_tool  tool;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, wait_for_ever, NULL), 0);
    assert_int_equal(assay_tools_begin(&tools), ASSAY_OK);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(run(&tools, "sleep 0.05; exit 7", &tool), ASSAY_OK);
        assert_int_equal(tool.exit_status, 7);
        assay_tool_free(&tool);
    }
    assay_tools_end(&tools);
    assert_int_equal(pthread_cancel(thread), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void signals_are_as_before_in_between(void **state)
{
    sigset_t    before, after;
    assay_tools tools;

    (void)state;
    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &before), 0);
    assert_int_equal(assay_tools_begin(&tools), ASSAY_OK);
    assert_int_equal(kill(getpid(), SIGTERM), 0);
    assay_tools_end(&tools);
    assert_true(tools.is_stopped);
    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &after), 0);
    assert_int_equal(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
    assert_int_equal(sigismember(&after, SIGCHLD), sigismember(&before, SIGCHLD));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_errors_and_status_come_back),
        cmocka_unit_test(one_line_says_what_came_of_it),
        cmocka_unit_test(a_program_that_is_not_there_is_named),
        cmocka_unit_test(whoever_ends_us_ends_it),
        cmocka_unit_test(signals_are_as_before_in_between),
        cmocka_unit_test(its_end_is_seen_beside_other_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
