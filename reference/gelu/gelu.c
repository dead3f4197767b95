/* gelu and silu in double, with a bound on what roundings in single precision do to each value, in
 * units of its roundoff, for any usual order of operations. docs/activations.md derives the
 * counts. */
#include "kernel.h"

#include "../../kernels/gelu/gelu_case.h"

#include <math.h>

assay_reference_fn activation_reference;

/* A value, and how many units of single precision it may be off. */
typedef struct estimate {
    double value, units;
} estimate;

static const double ROOT_2_PI = 2.5066282746310005024;  /* sqrt(2 pi) */
static const double SLOPE_0   = 0.79788456080286535588; /* sqrt(2 / pi) */
static const double CUBE      = 0.044715;
static const double U         = 0x1p-24;
static const double LARGEST   = 448; /* of E4M3 */

/* The error of a difference from 1 that is formed in single precision: some roundings of 1; or the
 * whole difference, if it rounds to 0. */
static double rounded_from_1(double difference) { return fmin(1, difference / U); }

/* ---- x times the normal distribution ---- */

static estimate gelu_erf(double x)
{
    const double density = exp(-x * x / 2) / ROOT_2_PI, e = erf(x / M_SQRT2);

    return (estimate) { x / 2 * erfc(-x / M_SQRT2),
                        fabs(x) / 2 * 5 * (1 + fabs(e)) + 2 * x * x * density };
}

static estimate gelu_erf_slope(double x)
{
    const double density = exp(-x * x / 2) / ROOT_2_PI, e = erf(x / M_SQRT2);

    return (estimate) { erfc(-x / M_SQRT2) / 2 + x * density,
                        2.5 * (1 + fabs(e)) + fabs(x) * density * (1.5 * x * x + 10) };
}

/* ---- its approximation by tanh, in double by the logistic function, which does not cancel ---- */

static estimate gelu_tanh(double x)
{
    const double u = SLOPE_0 * x * (1 + CUBE * x * x), t = tanh(u);
    const double steep = 1 / (cosh(u) * cosh(u)); /* 1 - t^2 */

    return (estimate) { x / (1 + exp(-2 * u)),
                        fabs(x) / 2 * (8 * (1 + fabs(t)) + 8 * steep * fabs(u)) };
}

static estimate gelu_tanh_slope(double x)
{
    const double u = SLOPE_0 * x * (1 + CUBE * x * x), t = tanh(u);
    const double steep = 1 / (cosh(u) * cosh(u));
    const double du    = SLOPE_0 * (1 + 3 * CUBE * x * x);
    const double first = 4 * (1 + fabs(t)) + 4 * steep * fabs(u);
    const double lost  = 10 * rounded_from_1(steep) + steep * (8 + 12 * fabs(t * u));

    /* Far out u is so large that 0 times infinity could arise; the result is 0 or 1 there. */
    if (steep == 0)
        return (estimate) { x > 0 ? 1 : 0, first };
    return (estimate) { 1 / (1 + exp(-2 * u)) + x / 2 * steep * du,
                        first + fabs(x) / 2 * du * lost };
}

/* ---- x times the logistic function ---- */

/* Where exp(-x) does not fit in single precision, or its reciprocal is not a normal number, the
 * whole value may be lost. */
static double lost_below(double s, double value) { return s < 0x1p-126 ? fabs(value) / U : 0; }

static estimate silu(double x)
{
    const double s = 1 / (1 + exp(-x)), rest = 1 / (1 + exp(x)), y = x * s;

    return (estimate) { y, fabs(y) * (9 + 2 * fabs(x) * rest) + lost_below(s, y) };
}

static estimate silu_slope(double x)
{
    const double s = 1 / (1 + exp(-x)), rest = 1 / (1 + exp(x));
    const double slope = s * (1 + x * rest), size = s * (1 + fabs(x) * rest);
    const double units = size * (12 + 2 * fabs(x) * rest) + 10 * s * fabs(x) * rounded_from_1(rest);

    return (estimate) { slope, units + lost_below(s, slope) };
}

/* ---- elements ---- */

typedef estimate function(double x);

static function *const functions[3][2] = {
    [ACT_GELU_ERF]  = { gelu_erf, gelu_erf_slope },
    [ACT_GELU_TANH] = { gelu_tanh, gelu_tanh_slope },
    [ACT_SILU]      = { silu, silu_slope },
};

static estimate times(estimate a, double factor)
{
    return (estimate) { a.value * factor, (a.units + fabs(a.value)) * fabs(factor) };
}

static estimate element(const assay_reference_args *args, int64_t i)
{
    const assay_type type   = (assay_type)args->param[ACT_TYPE];
    const int64_t    output = args->param[ACT_OUTPUT], which = args->param[ACT_FUNCTION];
    const double     x = assay_type_load(type, args->in[ACT_X], i);
    estimate         e = functions[which][output == ACT_D_X](x);

    if (output == ACT_D_X)
        e = times(e, assay_type_load(type, args->in[ACT_D_Y], i));
    if (output == ACT_Y_F8) {
        e       = times(e, args->scalar[ACT_SCALE]);
        e.value = fmax(-LARGEST, fmin(LARGEST, e.value));
    }
    return e;
}

static void some(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const assay_reference_args *args   = context;
    const assay_expected       *expect = &args->expect[ACT_OUT];

    (void)chunk;
    for (int64_t i = begin; i < end; i++) {
        const estimate e = element(args, i);

        expect->value[i]     = e.value;
        expect->magnitude[i] = e.units;
    }
}

void activation_reference(const assay_reference_args *args)
{
    assay_reference_args copy = *args;

    args->parallel_for(args->count[ACT_OUT], 1 << 16, some, &copy);
}
