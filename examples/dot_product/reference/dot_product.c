/* The sum in double, in order. */
#include "kernel.h"

#include <math.h>

assay_reference_fn dot_product_reference;

void dot_product_reference(const assay_reference_args *args)
{
    const float   *x = args->in[0];
    const float   *y = args->in[1];
    assay_expected e = args->expect[2];

    e.value[0] = 0;
    for (int64_t i = 0; i < args->count[0]; i++) {
        const double term = (double)x[i] * (double)y[i];

        e.value[0] += term;
        e.magnitude[0] += fabs(term);
    }
    args->expect[2].terms = args->count[0] > 0 ? (double)args->count[0] : 1;
}
