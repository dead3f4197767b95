/* Launchers of the test program that replace the kernels of the ceilings. */
#ifndef ASSAY_TEST_CEILING_FIXTURE_H
#define ASSAY_TEST_CEILING_FIXTURE_H

#include "device/device_ceilings.h"
#include "toy_device.h"

#include <string.h>

/* ---- the kernels that a CUDA module has ---- */

static const char *broken;  /* the launcher that leaves out its last element */
static bool        is_idle; /* the launchers only take their time */
static int64_t     launch_ns = 2000;

static float *begin(const assay_args *args, const char *name, int64_t *n)
{
    toy_gpu.clock_ns += launch_ns - TOY_LAUNCH_NS;
    *n = is_idle ? 0 : args->count[0];
    if (broken && strcmp(broken, name) == 0)
        --*n;
    return args->buf[0];
}

ASSAY_LAUNCHER(assay_device_null)
{
    (void)args, (void)stream;
    return 0;
}

ASSAY_LAUNCHER(assay_ceiling_copy)
{
    int64_t n;
    float  *to = begin(args, "copy", &n);

    (void)stream;
    memcpy(to, args->buf[1], (size_t)n * sizeof *to);
    return 0;
}

ASSAY_LAUNCHER(assay_ceiling_read)
{
    int64_t   n;
    float    *to   = begin(args, "read", &n);
    uint32_t *sums = (uint32_t *)(void *)to;

    (void)stream;
    for (int64_t i = 0; i < n; i++) {
        uint32_t word;

        memcpy(&word, (const float *)args->buf[1] + i, sizeof word);
        sums[i / 1024] = i % 1024 ? sums[i / 1024] + word : word;
    }
    return 0;
}

ASSAY_LAUNCHER(assay_ceiling_write)
{
    int64_t n;
    float  *to = begin(args, "write", &n);

    (void)stream;
    for (int64_t i = 0; i < n; i++)
        to[i] = assay_ceiling_written((uint64_t)i);
    return 0;
}

ASSAY_LAUNCHER(assay_ceiling_triad)
{
    int64_t n;
    float  *to = begin(args, "triad", &n);

    (void)stream;
    for (int64_t i = 0; i < n; i++)
        to[i] = 3 * ((const float *)args->buf[2])[i] + ((const float *)args->buf[1])[i];
    return 0;
}

ASSAY_LAUNCHER(assay_ceiling_fma)
{
    int64_t n;
    float  *to = begin(args, "fma", &n);

    (void)stream;
    for (int64_t i = 0; i < n; i++)
        to[i] = assay_ceiling_counted(args->param[0]);
    return 0;
}

#endif
