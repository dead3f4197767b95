/* y[i] + a * x[i] in double. */
#include "kernel.h"

#include "../../kernels/axpy/axpy_case.h"

#include <math.h>

assay_reference_fn axpy_reference;

void axpy_reference(const assay_reference_args *args)
{
    const float   *x = args->in[X];
    const float   *y = args->in[Y];
    assay_expected e = args->expect[Y];

    for (int64_t i = 0; i < args->count[Y]; i++) {
        const double term = args->scalar[A] * (double)x[i];

        e.value[i]     = (double)y[i] + term;
        e.magnitude[i] = fabs((double)y[i]) + fabs(term);
    }
}
