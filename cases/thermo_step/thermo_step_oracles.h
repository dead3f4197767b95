/* Second oracles of the case thermo_step: what each part of a step must conserve, from the kernel's
 * own outputs. */
#ifndef ASSAY_THERMO_STEP_ORACLES_H
#define ASSAY_THERMO_STEP_ORACLES_H

#include "../sums.h"
#include "thermo_step_inputs.h"

#include "../../kernels/thermo/thermo.h"

/* ---- what the gas has of the particles ---- */

/* A particle that deposits. */
static bool is_accepted(const assay_evidence *e, int64_t t)
{
    const float *pos = (const float *)e->in[STEP_BUF_POS] + 3 * t;
    const float *vel = (const float *)e->in[STEP_BUF_VEL] + 3 * t;

    for (int d = 0; d < 3; d++)
        if (!isfinite(pos[d]) || !isfinite(vel[d]))
            return false;
    return isfinite(((const float *)e->in[STEP_BUF_MASS])[t]) &&
           isfinite(((const float *)e->in[STEP_BUF_HEAT])[t]);
}

/* Component c of n of a field, and what a particle contributes to it: its mass (`by` NULL), its
 * mass times by[3 t + c], or by[t] itself. */
typedef struct balance {
    const assay_evidence *e;
    int                   buffer, n, c;
    const float          *mass, *by; /* either may be NULL */
} balance;

static void add_brought(const void *context, int64_t begin, int64_t end, double *sum)
{
    const balance *b = context;

    for (int64_t t = begin; t < end; t++)
        if (is_accepted(b->e, t))
            sum[0] +=
                (b->mass ? (double)b->mass[t] : 1) * (b->by ? (double)b->by[b->n * t + b->c] : 1);
}

/* The field, and how far its values may be off: c u of the tolerance, all to the same side. */
static void add_field(const void *context, int64_t begin, int64_t end, double *sum)
{
    const balance        *b        = context;
    const float          *field    = b->e->out[b->buffer];
    const assay_expected *expected = &b->e->expected[b->buffer];

    for (int64_t cell = begin; cell < end; cell++) {
        const int64_t i = b->n * cell + b->c;

        sum[0] += (double)field[i];
        sum[1] += 2 * ASSAY_U32_ROUNDOFF * (fabs(expected->value[i]) + expected->magnitude[i]);
    }
}

/* dx^3 times the sum of the field is the sum over the particles. */
static assay_invariant_result balanced(const balance *b)
{
    const assay_shape *s               = b->e->shape;
    const double       volume          = pow(spacing(s), 3);
    double             field[SUMS_MAX] = { 0 }, brought[SUMS_MAX] = { 0 };

    if (is_in_debt(s) && b->buffer != STEP_BUF_E) /* has NaN: its elements are judged alone */
        return (assay_invariant_result) { 0, 0, 0 };
    sums_over(b->e->parallel_for, s->cells, add_field, b, field);
    sums_over(b->e->parallel_for, s->buf[STEP_BUF_MASS].count, add_brought, b, brought);
    return (assay_invariant_result) { volume * field[0], brought[0], volume * field[1] };
}

static assay_invariant_result mass(const assay_evidence *e)
{
    return balanced(&(balance) { e, STEP_BUF_RHO_2, 1, 0, e->in[STEP_BUF_MASS], NULL });
}

static assay_invariant_result heat(const assay_evidence *e)
{
    return balanced(&(balance) { e, STEP_BUF_E, 1, 0, NULL, e->in[STEP_BUF_HEAT] });
}

/* The component that is nearest to its bound. */
static assay_invariant_result momentum(const assay_evidence *e)
{
    assay_invariant_result worst = { 0, 0, 0 };

    for (int d = 0; d < 3; d++) {
        const assay_invariant_result sum = balanced(
            &(balance) { e, STEP_BUF_MOM_2, 3, d, e->in[STEP_BUF_MASS], e->in[STEP_BUF_VEL] });

        worst = d == 0 ? sum : sums_worse(worst, sum);
    }
    return worst;
}

/* ---- the exchange ---- */

/* A weighted mean, and the sum of its terms' magnitudes. */
typedef struct step_mean {
    double v, magnitude;
} step_mean;

/* Means of rho_2 and e_2 at the place of a particle, which is single precision by definition. */
static void gas_at(const assay_evidence *e, const float pos[3], step_mean *rho, step_mean *energy)
{
    const int64_t *n  = e->shape->param + STEP_PARAM_GX;
    const float    dx = (float)spacing(e->shape);
    int64_t        base[3];
    double         f[3];

    for (int d = 0; d < 3; d++) {
        const float g = pos[d] / dx, side = (float)n[d], r = g - side * floorf(g / side);

        f[d]    = r >= 0 && r < side ? (double)r : 0;
        base[d] = (int64_t)f[d];
        f[d] -= (double)base[d];
    }
    *rho = *energy = (step_mean) { 0, 0 };
    for (int corner = 0; corner < 8; corner++) {
        double  w    = 1;
        int64_t node = 0;

        for (int d = 0; d < 3; d++) {
            const int is_upper = corner >> d & 1;

            w *= is_upper ? f[d] : 1 - f[d];
            node = node * n[d] + (base[d] + is_upper) % n[d];
        }
        const double r = w * (double)((const float *)e->out[STEP_BUF_RHO_2])[node];
        const double q = w * (double)((const float *)e->out[STEP_BUF_E_2])[node];

        *rho    = (step_mean) { rho->v + r, rho->magnitude + fabs(r) };
        *energy = (step_mean) { energy->v + q, energy->magnitude + fabs(q) };
    }
}

enum {
    MEAN_ROUNDINGS = 13, /* 1 - f three times, products of weights two, additions eight */
    HEAT_ROUNDINGS = 2   /* the quotient e / rho, and its product with the mass */
};

/* How far the sum of heat and oscillator energy is from what the gas and the oscillator had, over
 * what rounding allows: the gather's rounding, which is a multiple of the heat, and one rounding of
 * each of the two results. c = 2, as everywhere in this case. 0 if rounding decides whether there
 * is gas. */
static double exchange_ratio(const assay_evidence *e, int64_t t)
{
    const float *pos   = (const float *)e->in[STEP_BUF_POS] + 3 * t;
    const double mass  = (double)((const float *)e->in[STEP_BUF_MASS])[t];
    const double had   = (double)((const float *)e->in[STEP_BUF_ENERGY])[t];
    const double after = (double)((const float *)e->out[STEP_BUF_NEW_HEAT])[t];
    const double has   = (double)((const float *)e->out[STEP_BUF_NEW_ENERGY])[t];
    step_mean    rho, energy;
    double       warmth = 0, slack = 0;

    if (e->expected[STEP_BUF_NEW_HEAT].law[t] == ASSAY_MUST_BE_NAN)
        return 0;
    gas_at(e, pos, &rho, &energy);
    if (rho.magnitude > 0 && fabs(rho.v) <= 2 * MEAN_ROUNDINGS * ASSAY_U32_ROUNDOFF * rho.magnitude)
        return 0;
    if (rho.v > 0) {
        warmth = mass * THERMO_C_V * energy.v / rho.v;
        slack  = MEAN_ROUNDINGS * (mass * THERMO_C_V * energy.magnitude / rho.v +
                                  warmth * rho.magnitude / rho.v) +
                HEAT_ROUNDINGS * warmth;
    }
    return fabs(after + has - warmth - had) /
           (2 * (ASSAY_U32_ROUNDOFF * (slack + fabs(after) + fabs(has)) + 0x1p-149));
}

typedef struct exchange_job {
    const assay_evidence *e;
    double                worst[SUMS_CHUNKS];
} exchange_job;

static void exchange_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    exchange_job *job = context;

    for (int64_t t = begin; t < end; t++) {
        const double ratio = exchange_ratio(job->e, t);

        if (!(ratio <= job->worst[chunk]))
            job->worst[chunk] = isnan(ratio) ? (double)INFINITY : ratio;
    }
}

/* The heat loses what the oscillator gains. The heat before that is no output: it follows from the
 * kernel's own gas. */
static assay_invariant_result exchange(const assay_evidence *e)
{
    const int64_t n   = e->shape->buf[STEP_BUF_MASS].count;
    exchange_job  job = { e, { 0 } };

    e->parallel_for(n, n / SUMS_CHUNKS + 1, exchange_chunk, &job);
    for (int k = 1; k < SUMS_CHUNKS; k++)
        job.worst[0] = fmax(job.worst[0], job.worst[k]);
    return (assay_invariant_result) { job.worst[0], 0, 1 };
}

static void add_below_zero(const void *context, int64_t begin, int64_t end, double *sum)
{
    const assay_evidence *e       = context;
    const float          *heat_of = e->out[STEP_BUF_NEW_HEAT];
    const float          *energy  = e->out[STEP_BUF_NEW_ENERGY];

    for (int64_t t = begin; t < end; t++)
        sum[0] += heat_of[t] < 0 || energy[t] < 0 ? 1 : 0;
}

/* Neither may fall below 0. */
static assay_invariant_result below_zero(const assay_evidence *e)
{
    double n[SUMS_MAX] = { 0 };

    sums_over(e->parallel_for, e->shape->buf[STEP_BUF_NEW_HEAT].count, add_below_zero, e, n);
    return (assay_invariant_result) { n[0], 0, 0 };
}

/* ---- motion ---- */

static void add_outside(const void *context, int64_t begin, int64_t end, double *sum)
{
    const assay_evidence *e   = context;
    const float          *pos = e->out[STEP_BUF_NEW_POS];
    float                 length[3];

    for (int d = 0; d < 3; d++)
        length[d] = (float)e->shape->param[STEP_PARAM_GX + d] * (float)spacing(e->shape);
    for (int64_t i = begin; i < end; i++)
        sum[0] += pos[i] < 0 || pos[i] >= length[i % 3] ? 1 : 0;
}

static assay_invariant_result outside(const assay_evidence *e)
{
    double n[SUMS_MAX] = { 0 };

    sums_over(e->parallel_for, e->shape->buf[STEP_BUF_NEW_POS].count, add_outside, e, n);
    return (assay_invariant_result) { n[0], 0, 0 };
}

#endif
