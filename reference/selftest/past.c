/* Copies, sum, the largest and the smallest. */
#include "kernel.h"

#include <math.h>

assay_reference_fn selftest_past_reference;

static void copies(const assay_reference_args *args)
{
    const float   *x      = args->in[0];
    const uint8_t *is_set = args->in[2];
    const float   *best   = args->in[3];

    for (int64_t i = 0; i < args->count[0]; i++) {
        args->expect[3].value[i]   = fmax((double)best[i], (double)x[i]);
        args->expect[4].value[i]   = (double)x[i];
        args->expect[5].integer[i] = is_set[i];
    }
}

void selftest_past_reference(const assay_reference_args *args)
{
    const float   *x   = args->in[0];
    const int32_t *k   = args->in[1];
    assay_expected sum = args->expect[6], top = args->expect[7];
    int64_t       *ktop = args->expect[8].integer, *klow = args->expect[9].integer;

    copies(args);
    *top.value = (double)x[0];
    *ktop = *klow = k[0];
    for (int64_t i = 0; i < args->count[0]; i++) {
        *sum.value += (double)x[i];
        *sum.magnitude += fabs((double)x[i]);
        *top.value = fmax(*top.value, (double)x[i]);
        *ktop      = k[i] > *ktop ? k[i] : *ktop;
        *klow      = k[i] < *klow ? k[i] : *klow;
    }
    args->expect[6].terms = (double)args->count[0];
}
