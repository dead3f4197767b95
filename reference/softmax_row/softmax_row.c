/* Softmax of each row in double, from the definition: e^(x - max) over its sum, and 0 for a row
 * that is completely masked. */
#include "softmax_row.h"

#include "../../kernels/softmax_row/softmax_case.h"

assay_reference_fn softmax_row_reference;

static void rows_between(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const assay_reference_args *args   = *(const assay_reference_args *const *)context;
    const int64_t               width  = args->param[SOFTMAX_WIDTH];
    const assay_type            type   = (assay_type)args->param[SOFTMAX_TYPE];
    const assay_expected       *expect = &args->expect[SOFTMAX_Y];

    (void)chunk;
    for (int64_t r = begin; r < end; r++) {
        const softmax_row_sums row = softmax_sum_row(type, args->in[SOFTMAX_X], r * width, width);

        for (int64_t i = r * width; i < (r + 1) * width; i++) {
            double error;

            expect->value[i] =
                softmax_of(&row, assay_type_load(type, args->in[SOFTMAX_X], i), &error);
            expect->magnitude[i] = expect->value[i] * error + SOFTMAX_FLUSHED / SOFTMAX_ROUNDOFF;
        }
    }
}

void softmax_row_reference(const assay_reference_args *args)
{
    const int64_t rows = args->param[SOFTMAX_ROWS], width = args->param[SOFTMAX_WIDTH];

    args->parallel_for(rows, 1 + 65536 / width, rows_between, &args);
}
