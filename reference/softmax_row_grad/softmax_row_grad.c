/* Gradient of a softmax of rows with respect to its scores, in double, from the definition:
 * dx = y (dy - sum of y dy). */
#include "../softmax_row/softmax_row.h"

#include "../../kernels/softmax_row_grad/softmax_grad_case.h"

assay_reference_fn softmax_row_grad_reference;

/* The sum of y dy, the sum of its terms' magnitudes, and the error of the sum in units of fp32's
 * roundoff. */
typedef struct row_dot {
    double value, size, error;
} row_dot;

typedef struct rows {
    const assay_reference_args *args;
    assay_type                  type;
    int64_t                     width;
} rows;

static double score_at(const rows *r, int64_t i)
{
    return assay_type_load(r->type, r->args->in[GRAD_X], i);
}
static double slope_at(const rows *r, int64_t i)
{
    return assay_type_load(r->type, r->args->in[GRAD_DY], i);
}

static row_dot dot_of(const rows *r, const softmax_row_sums *sums, int64_t first)
{
    row_dot dot = { 0, 0, 0 };

    for (int64_t i = first; i < first + r->width; i++) {
        double       error;
        const double y = softmax_of(sums, score_at(r, i), &error), dy = slope_at(r, i);

        dot.value += y * dy;
        dot.size += y * fabs(dy);
        dot.error += y * fabs(dy) * (error + 1 + sums->growth);
    }
    return dot;
}

/* y has its own error, the difference that of the sum; difference and product are rounded. */
static void expect_row(const rows *r, int64_t first)
{
    const softmax_row_sums sums   = softmax_sum_row(r->type, r->args->in[GRAD_X], first, r->width);
    const row_dot          dot    = dot_of(r, &sums, first);
    const assay_expected  *expect = &r->args->expect[GRAD_DX];

    for (int64_t i = first; i < first + r->width; i++) {
        double       error;
        const double y = softmax_of(&sums, score_at(r, i), &error), dy = slope_at(r, i);
        const double size = fabs(dy) + dot.size;

        expect->value[i] = y * (dy - dot.value);
        expect->magnitude[i] =
            y * ((error + 2) * size + dot.error) + size * SOFTMAX_FLUSHED / SOFTMAX_ROUNDOFF;
    }
}

static void rows_between(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const rows *r = context;

    (void)chunk;
    for (int64_t row = begin; row < end; row++)
        expect_row(r, row * r->width);
}

void softmax_row_grad_reference(const assay_reference_args *args)
{
    rows r = { args, (assay_type)args->param[SOFTMAX_TYPE], args->param[SOFTMAX_WIDTH] };

    args->parallel_for(args->param[SOFTMAX_ROWS], 1 + 65536 / r.width, rows_between, &r);
}
