/* y[i] + a * x[i] in double. */
#include "kernel.h"

#include <math.h>

assay_reference_fn axpy_reference;

void axpy_reference(const assay_reference_args *args)
{
    const float   *x = args->in[0];
    const float   *y = args->in[1];
    assay_expected e = args->expect[1];

    for (int64_t i = 0; i < args->count[1]; i++) {
        const double term = args->scalar[0] * (double)x[i];

        e.value[i]     = (double)y[i] + term;
        e.magnitude[i] = fabs((double)y[i]) + fabs(term);
    }
}
