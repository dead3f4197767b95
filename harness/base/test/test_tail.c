/* The end of what a process writes, whatever it writes and whoever else holds the pipe. */
#include "base/tail.h"
#include "testing/testing.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[ASSAY_TAIL_BYTES];

static void await(pid_t pid)
{
    int status = 0;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static assay_tail *open_tail(int *fd)
{
    assay_tail *tail = NULL;

    assert_int_equal(assay_tail_open(&tail, fd), ASSAY_OK);
    return tail;
}

static void test_a_few_words(void **state)
{
    int         fd   = -1;
    assay_tail *tail = open_tail(&fd);
    char        little[6];

    (void)state;
    assert_int_equal(write(fd, "some words\n", 11), 11);
    assert_int_equal(close(fd), 0);
    assay_tail_end(tail, text, sizeof text);
    assert_string_equal(text, "some words\n");
    assay_tail_end(tail, little, sizeof little);
    assert_string_equal(little, "ords\n");
    assay_tail_free(tail);
    assay_tail_end(NULL, text, sizeof text);
    assert_string_equal(text, "");
    assay_tail_free(NULL);
}

static long most_kb(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* 256 MB and then a last word: the word is read, and the flood takes no memory here. */
static void test_a_flood(void **state)
{
    int         fd     = -1;
    const long  before = most_kb();
    assay_tail *tail   = open_tail(&fd);
    const pid_t pid    = fork();

    (void)state;
    assert_true(pid >= 0);
    if (pid == 0) {
        static char part[1 << 16];

        memset(part, 'x', sizeof part);
        for (int i = 0; i < 4096; i++)
            if (write(fd, part, sizeof part) != (ssize_t)sizeof part)
                _exit(1);
        _exit(write(fd, "the end", 7) == 7 ? 0 : 1);
    }
    assert_int_equal(close(fd), 0);
    await(pid);
    assay_tail_end(tail, text, sizeof text);
    assert_int_equal(strlen(text), sizeof text - 1);
    assert_string_equal(text + sizeof text - 1 - 8, "xthe end");
    assay_tail_free(tail);
    assert_true(most_kb() - before < 32 << 10);
}

/* A process that was left behind holds the other end of the pipe, and goes on writing. */
static void test_left_behind(void **state)
{
    int         fd   = -1;
    assay_tail *tail = open_tail(&fd);
    const pid_t pid  = fork();

    (void)state;
    assert_true(pid >= 0);
    if (pid == 0) {
        (void)signal(SIGPIPE, SIG_DFL);
        while (write(fd, "still here\n", 11) == 11)
            continue;
        _exit(0);
    }
    assert_int_equal(close(fd), 0);
    (void)usleep(20000);
    assay_tail_end(tail, text, sizeof text); /* does not wait for that process to end */
    assert_non_null(strstr(text, "still here\n"));
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assay_tail_free(tail);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_few_words),
        cmocka_unit_test(test_a_flood),
        cmocka_unit_test(test_left_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
