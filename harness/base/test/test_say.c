/* Messages go to the registered listener or, without one, to standard error. */
#include "base/say.h"
#include "testing/testing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char heard[64];

static void hear(void *context, const char *format, va_list list)
{
    int *n_calls = context;

    ++*n_calls;
    (void)vsnprintf(heard, sizeof heard, format, list);
}

/* The text that `say_it` writes to standard error. */
static const char *on_stderr(void (*say_it)(void))
{
    static char text[64];
    const int   before = dup(STDERR_FILENO);
    int         ends[2];
    ssize_t     n;

    assert_true(before >= 0);
    assert_int_equal(pipe(ends), 0);
    assert_true(dup2(ends[1], STDERR_FILENO) >= 0);
    assert_int_equal(close(ends[1]), 0);
    say_it();
    assert_true(dup2(before, STDERR_FILENO) >= 0); /* closes the last writing end */
    assert_int_equal(close(before), 0);
    n = read(ends[0], text, sizeof text - 1);
    assert_true(n >= 0);
    assert_int_equal(close(ends[0]), 0);
    text[n] = '\0';
    return text;
}

static void say_two(void) { assay_say("two is %d\n", 2); }

static void one_hears_it(void **state)
{
    int n_calls = 0;

    (void)state;
    assert_string_equal(on_stderr(say_two), "two is 2\n");
    assay_say_through(hear, &n_calls);
    assert_string_equal(on_stderr(say_two), "");
    assert_string_equal(heard, "two is 2\n");
    assert_int_equal(n_calls, 1);
    assay_say_through(NULL, NULL);
    assert_string_equal(on_stderr(say_two), "two is 2\n");
    assert_int_equal(n_calls, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_hears_it) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
