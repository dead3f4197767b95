/* physics_loss: the contents of its fields, and what its losses must agree with. */
#include "../sums.h"
#include "physics_loss.h"

#include "../../kernels/physics_loss/phys_case.h"

#include <math.h>

/* One wave for each component, with a different wave number on each axis: swapped axes, a missing s
 * div u or a missing (u . grad) u show. c: 0 sigma, 1 ux, 2 uy, 3 uz. */
static double smooth_wave(const assay_shape *s, int level, int c, int64_t cell)
{
    static const double k[4][3]  = { { 2, 3, 4 }, { 1, 2, 0 }, { 0, 2, 1 }, { 1, 0, 3 } };
    static const double phase[4] = { 0.0, 0.3, 1.1, 2.0 };
    const int64_t       nx = s->param[PHYS_PARAM_NX], ny = s->param[PHYS_PARAM_NY];
    const double        x = (double)(cell % nx) * s->scalar[PHYS_SCALAR_HX];
    const double        y = (double)(cell / nx % ny) * s->scalar[PHYS_SCALAR_HY];
    const double        z = (double)(cell / nx / ny) * s->scalar[PHYS_SCALAR_HZ];
    const double        t = (double)level * s->scalar[PHYS_SCALAR_DT];

    return (c == 0 ? 1.0 : 0.5) *
           sin(k[c][0] * x + k[c][1] * y + k[c][2] * z - (1 + c) * t + phase[c]);
}

#define SMOOTH(level)                                                                              \
    static double smooth_sigma_t##level(uint64_t random, int64_t i, const assay_shape *s)          \
    {                                                                                              \
        (void)random;                                                                              \
        return smooth_wave(s, level, 0, i);                                                        \
    }                                                                                              \
    static double smooth_u_t##level(uint64_t random, int64_t i, const assay_shape *s)              \
    {                                                                                              \
        (void)random;                                                                              \
        return smooth_wave(s, level, 1 + (int)(i / s->cells), i % s->cells);                       \
    }
SMOOTH(0)
SMOOTH(1)
SMOOTH(2)

static double unit_interval(uint64_t random) { return (double)(random >> 11) * 0x1p-53; }

/* Large values with small differences: code that forms u f(+1) - u f(-1), or sums before it
 * subtracts, loses the digits that count. One value in 64 has another magnitude. */
static double large_sigma(uint64_t random, int64_t i, const assay_shape *s)
{
    const double small = 2 * unit_interval(random) - 1;

    (void)i, (void)s;
    return random % 64 == 0 ? small : 1024 + small / 64;
}
static double large_u(uint64_t random, int64_t i, const assay_shape *s)
{
    const double small = 2 * unit_interval(random) - 1;

    (void)i, (void)s;
    return random % 64 == 0 ? small : 4096 + small / 16;
}

/* Fills by level; sigma first. Exact: integers of at most 8. With spacings 1/2, 1/4, 1/8 the scales
 * 1/2h are 1, 2, 4 (7 together), with dt = 1/4 the steps' are at most 4, and 2 w/N is 2 and 4. A
 * plain difference is at most 16, so
 *   |R_s| <= 4 16 + 2 8 16 7 = 1856,  |R_c| <= 4 16 + 8 16 7 = 960,  |a| <= 3712,  |b| <= 3840,
 *   |dL/ds| <= 4 a + a 16 7 + 2 7 (8 a) = 846336,
 *   |dL/du| <= 4 b + a 16 4 + 2 4 (8 a) + 3 b 16 4 + 2 7 (8 b) = 1657856.
 * These are sums of the terms' magnitudes, and all factors are integers. So no partial result in
 * any order, scaled early or late, reaches 2^24. R^2 and its sums are integers below 2^53 up to
 * 2^29 cells. Indexed values have periods of their own, which are prime, so that no axis hides
 * one. */
assay_fill physics_loss_fill(assay_input input, int level, bool is_sigma)
{
    static assay_fill_fn *const smooth[3][2] = { { smooth_u_t0, smooth_sigma_t0 },
                                                 { smooth_u_t1, smooth_sigma_t1 },
                                                 { smooth_u_t2, smooth_sigma_t2 } };
    const assay_fill indexed[2] = { ASSAY_INDEX(1021, 1.0 / 1024), ASSAY_INDEX(509, 1.0 / 512) };

    switch (input) {
    case ASSAY_INPUT_EXACT:
        return (assay_fill)ASSAY_INTEGERS(-8, 8, 1);
    case ASSAY_INPUT_INDEXED:
        return indexed[is_sigma];
    case ASSAY_INPUT_ADVERSARIAL:
        return (assay_fill)ASSAY_CUSTOM(is_sigma ? large_sigma : large_u);
    case ASSAY_INPUT_SMOOTH:
        return (assay_fill)ASSAY_CUSTOM(smooth[level][is_sigma]);
    case ASSAY_INPUT_RANDOM:
    case ASSAY_N_INPUTS:
        break;
    }
    return (assay_fill)ASSAY_UNIFORM(-1, 1);
}

/* ---- the loss is the weighted mean square of what was written beside it ---- */

static double squares_of(const float *values, int64_t count)
{
    double sum = 0;

    for (int64_t i = 0; i < count; i++)
        sum += (double)values[i] * (double)values[i];
    return sum;
}

/* forward: L = w/N sum R^2; both: d = 2w/N R, so L = N/4w sum d^2. A variant may square R before it
 * rounds it (2 u of the square); d adds the roundings of its factor and product (4 u). 2^-53 N is
 * for the sums in double. */
static assay_invariant_result mean_square(const assay_evidence *e, bool is_sigma)
{
    const assay_shape *s          = e->shape;
    const bool         is_forward = s->param[PHYS_PARAM_PASS] == PHYS_PASS_FORWARD;
    const int          residual   = is_sigma ? PHYS_BUF_R_SIGMA : PHYS_BUF_R_U;
    const int          gradient   = is_sigma ? PHYS_BUF_D_SIGMA : PHYS_BUF_D_U;
    const int          b          = is_forward ? residual : gradient;
    const double       w          = s->scalar[is_sigma ? PHYS_SCALAR_W_SIGMA : PHYS_SCALAR_W_U];
    const double       n          = (double)s->cells;
    const double       sum        = squares_of(e->out[b], s->buf[b].count);
    const double      *loss       = e->out[is_sigma ? PHYS_BUF_LOSS_SIGMA : PHYS_BUF_LOSS_U];
    const double       expected   = is_forward ? w / n * sum : n / (4 * w) * sum;
    const double       relative   = (is_forward ? 2.5 : 6.5) * ASSAY_U32_ROUNDOFF;

    return (assay_invariant_result) {
        .value    = *loss,
        .expected = expected,
        .bound    = expected * (relative + n * ASSAY_U64_ROUNDOFF + 0x1p-50),
    };
}

assay_invariant_result physics_loss_mean_square_sigma(const assay_evidence *e)
{
    return mean_square(e, true);
}
assay_invariant_result physics_loss_mean_square_u(const assay_evidence *e)
{
    return mean_square(e, false);
}
bool physics_loss_has_loss(const assay_shape *s, assay_input input)
{
    (void)input;
    return s->param[PHYS_PARAM_PASS] != PHYS_PASS_BACKWARD &&
           s->param[PHYS_PARAM_VJP] == PHYS_VJP_RESIDUAL;
}

/* ---- sigma's gradient with respect to the fields ---- */

typedef struct level {
    const float  *sigma, *gradient;
    const double *magnitude; /* of the gradient's error, from the reference */
} level;

/* Sigma times its gradient, and its magnitude. */
static void add_cells(const void *context, int64_t begin, int64_t end, double *sum)
{
    const level *l = context;

    for (int64_t i = begin; i < end; i++) {
        sum[0] += (double)l->sigma[i] * (double)l->gradient[i];
        sum[1] += fabs((double)l->sigma[i]) * l->magnitude[i];
    }
}

/* Adds sigma times its gradient at one level, and the largest effect of the gradients' errors on
 * it. */
static void add_level(const assay_evidence *e, int sigma, int gradient,
                      assay_invariant_result *result)
{
    const assay_expected *expected      = &e->expected[gradient];
    const double          relative      = PHYS_GRADIENT_C * expected->terms * ASSAY_U32_ROUNDOFF;
    double                sum[SUMS_MAX] = { 0 };
    const level           l             = { e->in[sigma], e->out[gradient], expected->magnitude };

    sums_over(e->parallel_for, e->shape->buf[gradient].count, add_cells, &l, sum);
    result->value += sum[0];
    result->bound += sum[1] * (relative + (double)e->shape->cells * ASSAY_U64_ROUNDOFF);
}

/* u_out |ref| of the gradients is included: |ref| <= M, and c n u M counts fewer than c n
 * roundings. */
assay_invariant_result physics_loss_linear_in_sigma(const assay_evidence *e)
{
    const double          *loss   = e->out[PHYS_BUF_LOSS_SIGMA];
    const assay_expected  *l      = &e->expected[PHYS_BUF_LOSS_SIGMA];
    assay_invariant_result result = { .value = 0, .expected = 2 * *loss };

    result.bound = 2 * PHYS_TOLERANCE_C * l->terms * ASSAY_U32_ROUNDOFF * l->magnitude[0];
    add_level(e, PHYS_BUF_SIGMA_T0, PHYS_BUF_D_SIGMA_T0, &result);
    add_level(e, PHYS_BUF_SIGMA_T1, PHYS_BUF_D_SIGMA, &result);
    add_level(e, PHYS_BUF_SIGMA_T2, PHYS_BUF_D_SIGMA_T2, &result);
    return result;
}

bool physics_loss_has_all_levels(const assay_shape *s, assay_input input)
{
    (void)input;
    return s->param[PHYS_PARAM_LEVELS] == PHYS_LEVELS_ALL &&
           s->param[PHYS_PARAM_PASS] == PHYS_PASS_BOTH;
}
