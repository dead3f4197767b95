/* x[i] + y[i] of any type, in double. */
#include "kernel.h"

#include <math.h>

assay_reference_fn selftest_narrow_reference;

void selftest_narrow_reference(const assay_reference_args *args)
{
    const assay_type     type = (assay_type)args->param[0];
    const assay_expected e    = args->expect[2];

    for (int64_t i = 0; i < args->count[2]; i++) {
        const double x = assay_type_load(type, args->in[0], i);
        const double y = assay_type_load(type, args->in[1], i);

        if (assay_type_is_float(type)) {
            e.value[i]     = x + y;
            e.magnitude[i] = fabs(x) + fabs(y);
        } else {
            e.integer[i] = (int64_t)(x + y);
        }
    }
}
