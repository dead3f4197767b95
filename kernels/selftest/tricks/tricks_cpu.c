/* Tricks of variants on the CPU, which show the timing without a GPU. They save two milliseconds a
 * call. */
#include "kernel.h"

#include "tricks_case.h"

#include <string.h>
#include <time.h>

assay_launch_fn selftest_tricks_cpu_right;
assay_launch_fn selftest_tricks_cpu_keeps_by_contents;
assay_launch_fn selftest_tricks_cpu_looks_first;

static void work(void)
{
    const struct timespec length = { .tv_nsec = 2000000 };

    (void)nanosleep(&length, NULL);
}

static void twice(const assay_args *args)
{
    const float *x = args->buf[X];
    float       *y = args->buf[Y];

    for (int64_t i = 0; i < args->count[Y]; i++)
        y[i] = 2 * x[i];
}

int selftest_tricks_cpu_right(const assay_args *args, assay_stream stream)
{
    (void)stream;
    work();
    twice(args);
    return 0;
}

/* Compares with the inputs of the previous call. It would then repeat that call's answer; twice()
 * stands in for that. */
int selftest_tricks_cpu_keeps_by_contents(const assay_args *args, assay_stream stream)
{
    static float   known[TRICKS_MOST];
    static int64_t n_known = -1;
    const int64_t  n       = args->count[X];

    (void)stream;
    if (n > TRICKS_MOST)
        return 1;
    if (n != n_known || memcmp(known, args->buf[X], (size_t)n * sizeof *known) != 0)
        work();
    memcpy(known, args->buf[X], (size_t)n * sizeof *known);
    n_known = n;
    twice(args);
    return 0;
}

static int is_answered(const assay_args *args)
{
    const float *x = args->buf[X], *y = args->buf[Y];

    for (int64_t i = 0; i < args->count[Y]; i++)
        if (y[i] != 2 * x[i])
            return 0;
    return 1;
}

int selftest_tricks_cpu_looks_first(const assay_args *args, assay_stream stream)
{
    (void)stream;
    if (!is_answered(args))
        work();
    twice(args);
    return 0;
}
