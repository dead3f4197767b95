/* Rows divided by their root mean square or their standard deviation, in double. Each value comes
 * with what rounding in single precision may do to it, in units of u = 2^-24.
 *
 *   sum of n terms   S(n) u of the sum of their magnitudes, S(n) = min(n - 1, 2 sqrt(n)): the n - 1
 *                    roundings of any order, or six deviations of them, taken as independent
 *   mean             S + 2 of the mean magnitude A: the sum, and a division by the number of
 *                    columns
 *   d = x - mean     |d|, and the error of the mean
 *   r                S/2 + 10 relative: half of the error of the mean square, and 4 of the root;
 *                    with a mean also r times its error (squared for two passes, not for
 *                    Welford's) */
#ifndef ASSAY_NORMS_REFERENCE_H
#define ASSAY_NORMS_REFERENCE_H

#include "kernel.h"

#include "../../kernels/norms/norms_case.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    NORMS_NONE = -1 /* the place of a buffer that the case does not have */
};

/* Places of the buffers. `residual` is added to the x of the forward pass, `d_out` to dx. */
typedef struct norms_places {
    int  x, residual, weight, bias, dy, d_out, y, dx, d_weight, d_bias;
    bool is_centred; /* the mean is subtracted from rows first */
} norms_places;

typedef struct norms_row {
    double mean, mean_error, r, r_error; /* r_error: relative */
} norms_row;

typedef struct norms_problem {
    const assay_reference_args *args;
    const norms_places         *at;
    assay_type                  type;
    int64_t                     rows, cols;
    norms_row                  *row; /* backward pass: of each row, for the sums of columns */
} norms_problem;

static const double NORMS_U = 0x1p-24;

static double norms_sum_error(int64_t n)
{
    return n < 2 ? 0 : fmin((double)n - 1, 2 * sqrt((double)n));
}

/* Element i of a buffer; 0 if the case does not have it. */
static double norms_load(const norms_problem *p, int buffer, int64_t i)
{
    return buffer == NORMS_NONE ? 0 : assay_type_load(p->type, p->args->in[buffer], i);
}

/* What is normalised. With a residual, this is the sum as it is stored. */
static double norms_x(const norms_problem *p, int64_t i)
{
    const double x = norms_load(p, p->at->x, i);

    return p->at->residual == NORMS_NONE
               ? x
               : assay_type_round(p->type, x + norms_load(p, p->at->residual, i));
}

static norms_row norms_row_of(const norms_problem *p, int64_t row)
{
    const int64_t begin = row * p->cols, end = begin + p->cols;
    const double  n = (double)p->cols, sum_error = norms_sum_error(p->cols);
    double        sum = 0, size = 0, squares = 0;
    norms_row     s = { 0 };

    for (int64_t i = begin; p->at->is_centred && i < end; i++) {
        const double x = norms_x(p, i);

        sum += x;
        size += fabs(x);
    }
    s.mean       = sum / n;
    s.mean_error = (sum_error + 2) * size / n;
    for (int64_t i = begin; i < end; i++) {
        const double d = norms_x(p, i) - s.mean;

        squares += d * d;
    }
    s.r       = 1 / sqrt(squares / n + p->args->scalar[NORMS_EPS]);
    s.r_error = sum_error / 2 + 10 + s.r * s.mean_error;
    return s;
}

/* ---- forward ---- */

static double norms_clamp(double value, double most) { return fmax(-most, fmin(value, most)); }

static void norms_put_y(const norms_problem *p, const norms_row *s, int64_t i)
{
    const assay_expected *e = &p->args->expect[p->at->y];
    const double          x = norms_x(p, i), d = x - s->mean;
    const double          w       = norms_load(p, p->at->weight, i % p->cols);
    const double          b       = norms_load(p, p->at->bias, i % p->cols);
    const double          y       = d * s->r * w + b;
    const double          d_error = fabs(d) + s->mean_error;
    const double          error   = fabs(w) * s->r * d_error * (1 + NORMS_U * s->r_error) +
                         fabs(d * s->r * w) * (s->r_error + 3) + fabs(b);

    if (p->args->param[NORMS_PASS] == NORMS_FP8) {
        const double scale = p->args->scalar[NORMS_SCALE];

        e->value[i]     = norms_clamp(y / scale, 448);
        e->magnitude[i] = (error + 2 * fabs(y)) / scale;
    } else {
        e->value[i]     = y;
        e->magnitude[i] = error;
    }
    if (p->at->residual != NORMS_NONE)
        p->args->expect[p->at->residual].value[i] = x;
}

static void norms_forward_rows(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const norms_problem *p = context;

    (void)chunk;
    for (int64_t row = begin; row < end; row++) {
        const norms_row s = norms_row_of(p, row);

        for (int64_t i = row * p->cols; i < (row + 1) * p->cols; i++)
            norms_put_y(p, &s, i);
    }
}

/* ---- the way back ---- */

/* An element: g = w dy, and d r with its error. */
typedef struct norms_term {
    double g, z, z_error;
} norms_term;

static norms_term norms_term_of(const norms_problem *p, const norms_row *s, int64_t i)
{
    const double d = norms_x(p, i) - s->mean;

    return (norms_term) {
        .g       = norms_load(p, p->at->weight, i % p->cols) * norms_load(p, p->at->dy, i),
        .z       = d * s->r,
        .z_error = (fabs(d) + s->mean_error) * s->r * (1 + NORMS_U * s->r_error) +
                   fabs(d) * s->r * (s->r_error + 1),
    };
}

/* Means of g (only with a mean) and of g z, and their errors. */
typedef struct norms_means {
    double g, g_error, gz, gz_error;
} norms_means;

static norms_means norms_means_of(const norms_problem *p, const norms_row *s, int64_t row)
{
    const double n = (double)p->cols, sum_error = norms_sum_error(p->cols);
    norms_means  m = { 0 };

    for (int64_t i = row * p->cols; i < (row + 1) * p->cols; i++) {
        const norms_term t = norms_term_of(p, s, i);

        if (p->at->is_centred) {
            m.g += t.g / n;
            m.g_error += (sum_error + 3) * fabs(t.g) / n;
        }
        m.gz += t.g * t.z / n;
        m.gz_error += ((sum_error + 4) * fabs(t.g * t.z) + fabs(t.g) * t.z_error) / n;
    }
    return m;
}

static void norms_put_dx(const norms_problem *p, const norms_row *s, const norms_means *m,
                         int64_t i)
{
    const assay_expected *e     = &p->args->expect[p->at->dx];
    const norms_term      t     = norms_term_of(p, s, i);
    const double          d_out = norms_load(p, p->at->d_out, i);
    const double          dx    = s->r * (t.g - m->g - t.z * m->gz);
    const double          sizes = fabs(t.g) + fabs(m->g) + fabs(t.z * m->gz);
    const double error = 4 * sizes + m->g_error + (fabs(t.z) + NORMS_U * t.z_error) * m->gz_error +
                         t.z_error * fabs(m->gz);

    e->value[i] = dx + d_out;
    e->magnitude[i] =
        s->r * error * (1 + NORMS_U * s->r_error) + fabs(dx) * (s->r_error + 3) + fabs(d_out);
}

static void norms_backward_rows(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const norms_problem *p = context;

    (void)chunk;
    for (int64_t row = begin; row < end; row++) {
        const norms_row   s = p->row[row] = norms_row_of(p, row);
        const norms_means m               = norms_means_of(p, &s, row);

        for (int64_t i = row * p->cols; i < (row + 1) * p->cols; i++)
            norms_put_dx(p, &s, &m, i);
    }
}

/* One row's share of the sums of a column. */
static void norms_add_row(const norms_problem *p, int64_t row, int64_t col)
{
    const assay_expected *dw = &p->args->expect[p->at->d_weight];
    const int64_t         i  = row * p->cols + col;
    const norms_term      t  = norms_term_of(p, &p->row[row], i);
    const double          dy = norms_load(p, p->at->dy, i), sum_error = norms_sum_error(p->rows);

    dw->value[col] += dy * t.z;
    dw->magnitude[col] += (sum_error + 2) * fabs(dy * t.z) + fabs(dy) * t.z_error;
    if (p->at->d_bias != NORMS_NONE) {
        p->args->expect[p->at->d_bias].value[col] += dy;
        p->args->expect[p->at->d_bias].magnitude[col] += sum_error * fabs(dy);
    }
}

static void norms_backward_columns(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const norms_problem *p = context;

    (void)chunk;
    for (int64_t row = 0; row < p->rows; row++)
        for (int64_t col = begin; col < end; col++)
            norms_add_row(p, row, col);
}

static void norms_zero(const norms_problem *p, int buffer)
{
    for (int64_t col = 0; buffer != NORMS_NONE && col < p->cols; col++)
        p->args->expect[buffer].value[col] = 0;
}

static void norms_backward(norms_problem *p)
{
    enum {
        COLUMNS = 32
    };

    p->row = calloc((size_t)p->rows + 1, sizeof *p->row);
    if (!p->row) /* a reference cannot report this */
        abort();
    norms_zero(p, p->at->d_weight);
    norms_zero(p, p->at->d_bias);
    p->args->parallel_for(p->rows, p->rows / 64 + 1, norms_backward_rows, p);
    p->args->parallel_for(p->cols, COLUMNS, norms_backward_columns, p);
    free(p->row);
}

static void norms_reference(const assay_reference_args *args, const norms_places *at)
{
    norms_problem p = { .args = args,
                        .at   = at,
                        .type = (assay_type)args->param[NORMS_TYPE],
                        .rows = args->param[NORMS_ROWS],
                        .cols = args->param[NORMS_COLS] };

    if (args->param[NORMS_PASS] == NORMS_BACKWARD)
        norms_backward(&p);
    else
        args->parallel_for(p.rows, p.rows / 64 + 1, norms_forward_rows, &p);
}

#endif
