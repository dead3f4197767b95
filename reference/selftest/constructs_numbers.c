/* x itself, and x + z rounded up. */
#include "kernel.h"

#include <math.h>

/* The smallest float that is not below x. */
static double rounded_up(double x)
{
    const float nearest = (float)x;

    return (double)nearest < x ? (double)nextafterf(nearest, INFINITY) : (double)nearest;
}

assay_reference_fn selftest_constructs_numbers_reference;
void               selftest_constructs_numbers_reference(const assay_reference_args *args)
{
    const float *x = args->in[0], *z = args->in[1];

    for (int64_t i = 0; i < args->count[0]; i++) {
        for (int b = 2; b < 5; b++)
            args->expect[b].value[i] = (double)x[i];
        args->expect[5].value[i]   = rounded_up((double)x[i] + (double)z[i]);
        args->expect[6].integer[i] = (int64_t)nearbyint((double)x[i]);
    }
}
