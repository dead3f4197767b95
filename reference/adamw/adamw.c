/* Some steps of AdamW in double. A bound on what roundings in single precision do to each value is
 * carried from step to step, in units of its roundoff. docs/adamw.md derives the counts. */
#include "kernel.h"

#include "../../kernels/adamw/adamw_case.h"

#include <math.h>

assay_reference_fn adamw_reference;

/* A value, and how many units of single precision it may be off. */
typedef struct estimate {
    double value, units;
} estimate;

typedef struct weight {
    estimate p, m, v;
} weight;

typedef struct rates {
    double keep, beta1, beta2, rate, correction2, eps;
} rates;

/* What all elements share: the numbers of the first step, and its powers of beta. */
typedef struct job {
    const assay_reference_args *args;
    double                      power1, power2;
} job;

static rates rates_of(const double *scalar, double power1, double power2)
{
    return (rates) { .keep        = 1 - scalar[ADAMW_LR] * scalar[ADAMW_DECAY],
                     .beta1       = scalar[ADAMW_BETA1],
                     .beta2       = scalar[ADAMW_BETA2],
                     .rate        = scalar[ADAMW_LR] / (1 - power1),
                     .correction2 = 1 - power2,
                     .eps         = scalar[ADAMW_EPS] };
}

/* Two products and a sum, with each factor rounded: at most 4 roundings of each term. */
static estimate first_moment(const rates *r, estimate m, double g)
{
    const double old = r->beta1 * m.value, new = (1 - r->beta1) * g;

    return (estimate) { old + new, r->beta1 *m.units + 4 * (fabs(old) + fabs(new)) };
}

/* The same for terms that cannot cancel, with one product more. */
static estimate second_moment(const rates *r, estimate v, double g)
{
    const double value = r->beta2 * v.value + (1 - r->beta2) * g * g;

    return (estimate) { value, r->beta2 * v.units + 5 * value };
}

/* After the root, half of the error of v counts, and only by its share of root + eps. The 8
 * roundings are those of the rate, the correction, eps, the root, the sum, the quotient and two
 * products. */
static estimate step_length(const rates *r, estimate m, estimate v)
{
    const double root = sqrt(v.value / r->correction2), divisor = root + r->eps;
    const double value = r->rate * m.value / divisor;
    const double of_v  = v.value > 0 ? root / divisor * v.units / v.value / 2 : 0;
    const double of_m  = r->rate / divisor * m.units;

    return (estimate) { value, of_m + fabs(value) * (of_v + 8) };
}

static void advance(const rates *r, double g, weight *w)
{
    estimate     length;
    const double kept = w->p.value * r->keep;

    w->m       = first_moment(r, w->m, g);
    w->v       = second_moment(r, w->v, g);
    length     = step_length(r, w->m, w->v);
    w->p.units = r->keep * w->p.units + 3 * fabs(kept) + length.units;
    w->p.value = kept - length.value;
    w->p.units += fabs(w->p.value);
}

/* ---- elements ---- */

static void set(const assay_expected *e, int64_t i, estimate x)
{
    if (!e->value)
        return;
    e->value[i]     = x.value;
    e->magnitude[i] = x.units;
}

static double load(const assay_reference_args *args, int buffer, assay_type type, int64_t i)
{
    return assay_type_load(type, args->in[buffer], i);
}

static void element(const job *of, int64_t i)
{
    const assay_reference_args *args       = of->args;
    const assay_type            type       = (assay_type)args->param[ADAMW_TYPE];
    const bool                  has_master = args->param[ADAMW_HAS_MASTER] != 0;
    const int                   from       = has_master ? ADAMW_MASTER : ADAMW_P;
    weight w      = { .p = { load(args, from, has_master ? ASSAY_F32 : type, i), 0 },
                      .m = { load(args, ADAMW_M, ASSAY_F32, i), 0 },
                      .v = { load(args, ADAMW_V, ASSAY_F32, i), 0 } };
    double power1 = of->power1, power2 = of->power2;

    for (int64_t step = 0; step < args->param[ADAMW_STEPS]; step++) {
        const rates r = rates_of(args->scalar, power1, power2);

        advance(&r, load(args, ADAMW_G, type, step * args->param[ADAMW_STRIDE] + i), &w);
        power1 *= r.beta1;
        power2 *= r.beta2;
    }
    set(&args->expect[ADAMW_P], i, w.p);
    set(&args->expect[ADAMW_M], i, w.m);
    set(&args->expect[ADAMW_V], i, w.v);
    if (has_master)
        set(&args->expect[ADAMW_MASTER], i, w.p);
}

/* Elements before the offset stay as they are. */
static void untouched(const assay_reference_args *args, int64_t i)
{
    const assay_type type = (assay_type)args->param[ADAMW_TYPE];

    set(&args->expect[ADAMW_P], i, (estimate) { load(args, ADAMW_P, type, i), 0 });
    set(&args->expect[ADAMW_M], i, (estimate) { load(args, ADAMW_M, ASSAY_F32, i), 0 });
    set(&args->expect[ADAMW_V], i, (estimate) { load(args, ADAMW_V, ASSAY_F32, i), 0 });
    if (args->param[ADAMW_HAS_MASTER])
        set(&args->expect[ADAMW_MASTER], i,
            (estimate) { load(args, ADAMW_MASTER, ASSAY_F32, i), 0 });
}

static void some(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const job *of = context;

    (void)chunk;
    for (int64_t i = begin; i < end; i++) {
        if (i < of->args->param[ADAMW_OFFSET])
            untouched(of->args, i);
        else
            element(of, i);
    }
}

void adamw_reference(const assay_reference_args *args)
{
    const double first = (double)args->param[ADAMW_FIRST_STEP];
    job of = { args, pow(args->scalar[ADAMW_BETA1], first), pow(args->scalar[ADAMW_BETA2], first) };

    args->parallel_for(args->count[ADAMW_P], 1 << 16, some, &of);
}
