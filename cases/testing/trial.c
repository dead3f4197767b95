/* The check counter of the stand-alone programs. */
#include "trial.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static long n_checks, n_failures;

bool trial_expect(bool holds, const char *format, ...)
{
    va_list arguments;

    n_checks++;
    if (holds)
        return true;
    n_failures++;
    (void)fputs("FAIL ", stderr);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    return false;
}

int trial_finish(const char *program)
{
    (void)printf("%s: %ld checks, %ld failures\n", program, n_checks, n_failures);
    return n_checks > 0 && n_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
