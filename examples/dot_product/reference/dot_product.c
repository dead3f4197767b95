/* The sum in double, in order. */
#include "kernel.h"

#include "../kernels/dot_product/dot_product_case.h"

#include <math.h>

assay_reference_fn dot_product_reference;

void dot_product_reference(const assay_reference_args *args)
{
    const float   *x = args->in[X];
    const float   *y = args->in[Y];
    assay_expected e = args->expect[DOT];

    e.value[0] = 0;
    for (int64_t i = 0; i < args->count[X]; i++) {
        const double term = (double)x[i] * (double)y[i];

        e.value[0] += term;
        e.magnitude[0] += fabs(term);
    }
    args->expect[DOT].terms = args->count[X] > 0 ? (double)args->count[X] : 1;
}
