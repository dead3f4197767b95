/* One row of scores in double, for the references of softmax_row and softmax_row_grad. */
#ifndef ASSAY_REFERENCE_SOFTMAX_ROW_H
#define ASSAY_REFERENCE_SOFTMAX_ROW_H

#include "kernel.h"

#include <math.h>

/* fp32's roundoff, and its smallest normal number: smaller numbers may become 0. */
#define SOFTMAX_ROUNDOFF 0x1p-24
#define SOFTMAX_FLUSHED  0x1p-126

/* Errors are in units of fp32's roundoff, relative to the value that they belong to. */
typedef struct softmax_row_sums {
    double max; /* -inf: the row is completely masked, or empty */
    double sum; /* of e^(x - max) */
    double sum_error;
    double growth; /* of a sum over the row, in any order that its variants use */
} softmax_row_sums;

/* The roundings in e^(x - max): of the difference, of its product with log2 e, of that constant;
 * and 4 for the power of 2. */
static inline double softmax_power_error(double below) { return 3 * fabs(below) + 4; }

/* For the scores from element `first` on. */
static inline softmax_row_sums softmax_sum_row(assay_type type, const void *x, int64_t first,
                                               int64_t width)
{
    softmax_row_sums row   = { .max = -(double)INFINITY, .growth = 4 * sqrt((double)width) };
    double           error = 0;

    for (int64_t c = 0; c < width; c++)
        row.max = fmax(row.max, assay_type_load(type, x, first + c));
    for (int64_t c = 0; c < width && row.max > -(double)INFINITY; c++) {
        const double score = assay_type_load(type, x, first + c);
        const double term  = exp(score - row.max);

        row.sum += term;
        error += term > 0 ? term * softmax_power_error(score - row.max) : 0;
    }
    row.sum_error = row.sum > 0 ? error / row.sum + row.growth : 0;
    return row;
}

/* One result, and its error: from the power, the sum, a reciprocal and the product with it. */
static inline double softmax_of(const softmax_row_sums *row, double score, double *error)
{
    const double below = score - row->max;
    const double y     = row->sum > 0 ? exp(below) / row->sum : 0;

    *error = y > 0 ? softmax_power_error(below) + row->sum_error + 2 : 0;
    return y;
}

#endif
