/* What several of the cases selftest_constructs* use. */
#include "kernel.h"

#include <math.h>

/* y = 2 x + the partner's x. */
assay_reference_fn selftest_constructs_reference;
void               selftest_constructs_reference(const assay_reference_args *args)
{
    const float         *x = args->in[0];
    const assay_expected y = args->expect[1];

    for (int64_t i = 0; i < args->count[1]; i++) {
        const double partner = x[i - i % 64 + 63 - i % 64];

        y.value[i]     = 2 * (double)x[i] + partner;
        y.magnitude[i] = 2 * fabs((double)x[i]) + fabs(partner);
    }
}

/* Sums of 64 whole numbers. */
assay_reference_fn selftest_constructs_sums_reference;
void               selftest_constructs_sums_reference(const assay_reference_args *args)
{
    const int32_t *x = args->in[0];

    for (int64_t i = 0; i < args->count[0]; i++)
        args->expect[1].integer[i / 64] += x[i];
}
