/* c = a b, of matrices of 16 x 16 halves. */
#include "kernel.h"

#include <math.h>

assay_reference_fn selftest_constructs_products_reference;
void               selftest_constructs_products_reference(const assay_reference_args *args)
{
    const assay_expected c = args->expect[2];

    args->expect[2].terms = 16;
    for (int64_t i = 0; i < args->count[2]; i++) {
        const int64_t first = i / 256 * 256, row = i % 256 / 16, column = i % 16;

        for (int64_t k = 0; k < 16; k++) {
            const double a = assay_type_load(ASSAY_F16, args->in[0], first + 16 * row + k);
            const double b = assay_type_load(ASSAY_F16, args->in[1], first + 16 * k + column);

            c.value[i] += a * b;
            c.magnitude[i] += fabs(a * b);
        }
    }
}
