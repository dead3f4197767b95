/* Sums of 64 whole numbers. */
#include "kernel.h"

assay_reference_fn selftest_constructs_warps_reference;
void               selftest_constructs_warps_reference(const assay_reference_args *args)
{
    const int32_t *x = args->in[0];

    for (int64_t i = 0; i < args->count[0]; i++)
        args->expect[1].integer[i / 64] += x[i];
}
