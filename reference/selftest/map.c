/* a * x[i] + the next x of the row, in double. */
#include "kernel.h"

#include <math.h>

assay_reference_fn selftest_map_reference;

void selftest_map_reference(const assay_reference_args *args)
{
    const int64_t        rows    = args->param[0];
    const int64_t        columns = args->param[1];
    const float         *x       = args->in[0];
    const assay_expected e       = args->expect[1];

    for (int64_t row = 0; row < rows; row++) {
        for (int64_t column = 0; column < columns; column++) {
            const int64_t i       = row * columns + column;
            const double  product = args->scalar[0] * (double)x[i];
            const double  next    = column == columns - 1 ? (double)x[i] : (double)x[i + 1];

            e.value[i]     = product + next;
            e.magnitude[i] = fabs(product) + fabs(next);
        }
    }
}
