/* The sum of each segment in double. */
#include "kernel.h"

#include <math.h>

assay_reference_fn selftest_sum_reference;

void selftest_sum_reference(const assay_reference_args *args)
{
    const int64_t   length = args->param[0];
    const float    *x      = args->in[0];
    assay_expected *e      = &args->expect[1];

    e->terms = (double)length;
    for (int64_t s = 0; s < args->count[1]; s++) {
        for (int64_t k = 0; k < length; k++) {
            const double term = (double)x[s * length + k];

            e->value[s] += term;
            e->magnitude[s] += fabs(term);
        }
    }
}
