/* Gather, move and wrap in double. The particle's cell and the distances in it are part of the
 * definition and single precision, as in the deposit; so is the wrap of the new position:
 *
 *   r = p - L floor(p / L), 0 unless 0 <= r < L in single precision
 *
 * The error that single precision may make is derived along with each value, and given as its
 * magnitude. A new position that this error can move across an edge of the domain is exempt. */
#include "kernel.h"

#include "../../kernels/thermo/thermo.h"
#include "../../kernels/thermo_gather/gather_case.h"

#include <math.h>
#include <stdlib.h>

assay_reference_fn thermo_gather_reference;
assay_prepare_fn   thermo_gather_prepare;

static const double U    = 0x1p-24;
static const double TINY = 0x1p-126; /* below this a result rounds like one of this size */

/* ---- the definition of a particle's place ---- */

typedef struct cic {
    int64_t base[3];
    double  f[3];
} cic;

static float wrapped(float g, float extent)
{
    const float r = g - extent * floorf(g / extent);

    return r >= 0 && r < extent ? r : 0;
}

static cic cic_of(const int64_t *param, double dx, const float pos[3])
{
    cic c;

    for (int d = 0; d < 3; d++) {
        const float r = wrapped(pos[d] / (float)dx, (float)param[GATHER_PARAM_GX + d]);

        c.base[d] = (int64_t)floorf(r);
        c.f[d]    = (double)r - (double)c.base[d];
    }
    return c;
}

static int64_t node_at(const int64_t *param, const cic *c, int corner)
{
    const int64_t *g    = &param[GATHER_PARAM_GX];
    int64_t        node = 0;

    for (int d = 0; d < 3; d++)
        node = node * g[d] + (c->base[d] + (corner >> (2 - d) & 1)) % g[d];
    return node;
}

static double side(const cic *c, int corner, int d)
{
    return corner >> (2 - d) & 1 ? c->f[d] : 1 - c->f[d];
}

/* ---- values with the error that single precision may make ---- */

typedef struct inexact {
    double value, error;
} inexact;

/* A sum of eight products: 1 - f three times, two products of weights, the product with the value,
 * seven additions. */
enum {
    ROUNDINGS_OF_A_SUM = 13,
    ROUNDINGS_OF_A_SLOPE =
        11 /* difference, weights 3, product, three additions, dt/dx 2, its product */
};

static inexact sum_of(const assay_reference_args *args, const cic *c, int b, int n, int component)
{
    const float *field = args->in[b];
    double       size  = 0;
    inexact      sum   = { 0, 0 };

    for (int corner = 0; corner < 8; corner++) {
        const double w    = side(c, corner, 0) * side(c, corner, 1) * side(c, corner, 2);
        const double term = w * (double)field[n * node_at(args->param, c, corner) + component];

        sum.value += term;
        size += fabs(term) + TINY;
    }
    sum.error = ROUNDINGS_OF_A_SUM * U * size;
    return sum;
}

/* dt times the gradient of phi along axis d: the difference of its bilinear values on the two faces
 * of the cell. */
static inexact slope_of(const assay_reference_args *args, const cic *c, int d)
{
    const float *phi    = args->in[GATHER_BUF_PHI];
    const double factor = args->scalar[GATHER_SCALAR_DT] / args->scalar[GATHER_SCALAR_DX];
    const int    up     = 1 << (2 - d);
    double       size   = 0;
    inexact      slope  = { 0, 0 };

    for (int corner = 0; corner < 8; corner++) {
        double w = factor, change;

        if (corner & up)
            continue;
        for (int other = 0; other < 3; other++)
            w *= other == d ? 1 : side(c, corner, other);
        change = (double)phi[node_at(args->param, c, corner | up)] -
                 (double)phi[node_at(args->param, c, corner)];
        slope.value += w * change;
        size += fabs(w * change);
    }
    slope.error = size > 0 ? ROUNDINGS_OF_A_SLOPE * U * (size + TINY) : 0;
    return slope;
}

static inexact quotient_of(inexact a, inexact b)
{
    const double value = a.value / b.value;

    return (inexact) { value, (a.error + fabs(value) * b.error) / (fabs(b.value) - b.error) +
                                  U * (fabs(value) + TINY) };
}

/* ---- one particle ---- */

typedef struct update {
    inexact vel[3], pos[3], heat; /* pos before it is wrapped */
} update;

/* Rules. Errors are a mass that is not above 0, and energy below 0 where there is gas. Density of 0
 * or less is a vacuum. If the axis says so, density below 0 is an error, and so is energy below 0
 * in a vacuum. */
static int has_answer(double mass, double rho, double e, int poisons)
{
    if (!isfinite(mass) || mass <= 0 || !isfinite(rho) || !isfinite(e))
        return 0;
    if (rho > 0)
        return e >= 0;
    return !poisons || (rho == 0 && e >= 0);
}

/* x + v dt. */
static inexact moved(float x, inexact vel, double dt)
{
    const double step = vel.value * dt;
    const double p    = (double)x + step;

    if (step == 0 && vel.error == 0)
        return (inexact) { p, 0 };
    return (inexact) { p, dt * vel.error + U * (fabs(step) + fabs(p) + TINY) };
}

/* Returns 0 if there is no answer. */
static int update_of(const assay_reference_args *args, const float pos[3], double mass, update *to)
{
    const cic     c       = cic_of(args->param, args->scalar[GATHER_SCALAR_DX], pos);
    const inexact rho     = sum_of(args, &c, GATHER_BUF_RHO, 1, 0);
    const inexact e       = sum_of(args, &c, GATHER_BUF_E_INT, 1, 0);
    const int     poisons = args->param[GATHER_PARAM_NEGATIVE_RHO] == THERMO_NEGATIVE_RHO_POISON;
    const inexact none    = { 0, 0 };
    const inexact t       = rho.value > 0 ? quotient_of(e, rho) : none;

    if (!has_answer(mass, rho.value, e.value, poisons))
        return 0;
    to->heat = (inexact) { mass * t.value, mass * t.error + U * (fabs(mass * t.value) + TINY) };
    for (int d = 0; d < 3; d++) {
        const inexact mom = sum_of(args, &c, GATHER_BUF_MOM, 3, d);
        const inexact u   = rho.value > 0 ? quotient_of(mom, rho) : none;
        const inexact g   = slope_of(args, &c, d);

        to->vel[d].value = u.value - g.value;
        to->vel[d].error = u.error + g.error + 2 * U * (fabs(u.value) + fabs(g.value));
        to->pos[d]       = moved(pos[d], to->vel[d], args->scalar[GATHER_SCALAR_DT]);
        if (!isfinite(to->vel[d].value) || !isfinite(to->pos[d].value))
            return 0;
    }
    return isfinite(to->heat.value);
}

/* ---- the wrap ---- */

typedef struct wrap {
    double turn, value;
    int    is_zeroed;
} wrap;

static wrap wrap_of(double p, double length)
{
    const double turn      = floor(p / length);
    const double r         = p - length * turn;
    const int    is_inside = (float)r >= 0 && (float)r < (float)length;

    return (wrap) { turn, is_inside ? r : 0, !is_inside };
}

/* How far p may be off where the wrap decides: the quotient and the product round too, unless p is
 * already inside. */
static double margin_of(const inexact *p, double turn)
{
    return p->error + (turn != 0 ? 2 * U * fabs(p->value) : 0);
}

static int is_close(const inexact *p, const wrap *w, double length)
{
    const double margin = margin_of(p, w->turn);
    const wrap low = wrap_of(p->value - margin, length), high = wrap_of(p->value + margin, length);

    return low.turn != w->turn || high.turn != w->turn || low.is_zeroed != w->is_zeroed ||
           high.is_zeroed != w->is_zeroed;
}

/* ---- outputs ---- */

typedef struct gather_work {
    const assay_reference_args *args;
    double                     *close_share; /* by chunk: the sum of 2 margin / L */
} gather_work;

enum {
    CHUNK = 1 << 14
};

static void expect(const assay_expected *e, int64_t i, double value, double error)
{
    e->value[i]     = value;
    e->magnitude[i] = error / U;
}

static void expect_nan(const assay_expected *e, int64_t begin, int64_t n)
{
    for (int64_t i = begin; i < begin + n; i++)
        e->law[i] = ASSAY_MUST_BE_NAN;
}

/* Returns the chance that a position like this is exempt. */
static double expect_pos(const assay_reference_args *args, int64_t t, int d, const inexact *p)
{
    const assay_expected *e        = &args->expect[GATHER_BUF_NEW_POS];
    const float           dx       = (float)args->scalar[GATHER_SCALAR_DX];
    const float           g        = (float)args->param[GATHER_PARAM_GX + d];
    const double          length   = (double)(g * dx);
    const wrap            w        = wrap_of(p->value, length);
    const double          rounding = w.turn != 0 ? U * (fabs(length * w.turn) + length) : 0;

    if (p->error == 0) { /* it did not move: single precision defines the answer */
        expect(e, 3 * t + d, (double)wrapped((float)p->value, (float)length), 0);
        return 0;
    }
    expect(e, 3 * t + d, w.value, w.is_zeroed ? 0 : p->error + rounding);
    if (!args->param[GATHER_PARAM_IS_EXACT] && is_close(p, &w, length))
        e->law[3 * t + d] = ASSAY_EXEMPT;
    return fmin(1, 2 * (margin_of(p, w.turn) + U * length) / length);
}

static void expect_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const gather_work          *work = context;
    const assay_reference_args *args = work->args;
    const assay_expected       *e    = args->expect;
    const float                *pos = args->in[GATHER_BUF_POS], *mass = args->in[GATHER_BUF_MASS];

    for (int64_t t = begin; t < end; t++) {
        update to;

        if (!update_of(args, pos + 3 * t, (double)mass[t], &to)) {
            expect_nan(&e[GATHER_BUF_NEW_POS], 3 * t, 3);
            expect_nan(&e[GATHER_BUF_NEW_VEL], 3 * t, 3);
            expect_nan(&e[GATHER_BUF_NEW_HEAT], t, 1);
            continue;
        }
        for (int d = 0; d < 3; d++) {
            expect(&e[GATHER_BUF_NEW_VEL], 3 * t + d, to.vel[d].value, to.vel[d].error);
            work->close_share[chunk] += expect_pos(args, t, d, &to.pos[d]);
        }
        expect(&e[GATHER_BUF_NEW_HEAT], t, to.heat.value, to.heat.error);
    }
}

/* Reference and preparation cannot report that there is no memory. */
static void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);

    if (!memory)
        abort();
    return memory;
}

void thermo_gather_reference(const assay_reference_args *args)
{
    const int64_t n      = args->count[GATHER_BUF_MASS];
    const int64_t chunks = (n + CHUNK - 1) / CHUNK;
    gather_work   work   = { args, allocate(chunks, sizeof *work.close_share) };
    double        sum    = 0;

    args->parallel_for(n, CHUNK, expect_chunk, &work);
    for (int64_t k = 0; k < chunks; k++)
        sum += work.close_share[k];
    if (n > 0)
        args->expect[GATHER_BUF_NEW_POS].exempt_share = fmin(sum / (3 * (double)n), 0.5);
    free(work.close_share);
}

/* ---- particles in the order of their cells ---- */

typedef struct sort_work {
    const assay_prepare_args *args;
    int32_t                  *cell;
} sort_work;

static void find_cells(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const sort_work *work = context;
    const float     *pos  = work->args->in[GATHER_BUF_POS];

    (void)chunk;
    for (int64_t t = begin; t < end; t++) {
        const cic c = cic_of(work->args->param, work->args->scalar[GATHER_SCALAR_DX], pos + 3 * t);

        work->cell[t] = (int32_t)node_at(work->args->param, &c, 0);
    }
}

static void write_order(const sort_work *work, int64_t n, int64_t cells, int32_t *order)
{
    int64_t *start = allocate(cells + 1, sizeof *start);

    for (int64_t t = 0; t < n; t++)
        start[work->cell[t] + 1]++;
    for (int64_t c = 0; c < cells; c++)
        start[c + 1] += start[c];
    for (int64_t t = 0; t < n; t++)
        order[start[work->cell[t]]++] = (int32_t)t;
    free(start);
}

/* Moves the particles into that order, which then is the order of their numbers. */
static void apply_order(const assay_prepare_args *args, int64_t n, int32_t *order)
{
    float *pos = args->in[GATHER_BUF_POS], *mass = args->in[GATHER_BUF_MASS];
    float *old_pos = allocate(3 * n, sizeof *old_pos), *old_mass = allocate(n, sizeof *old_mass);

    for (int64_t t = 0; t < n; t++) {
        old_mass[t] = mass[t];
        for (int d = 0; d < 3; d++)
            old_pos[3 * t + d] = pos[3 * t + d];
    }
    for (int64_t to = 0; to < n; to++) {
        mass[to] = old_mass[order[to]];
        for (int d = 0; d < 3; d++)
            pos[3 * to + d] = old_pos[3 * (int64_t)order[to] + d];
        order[to] = (int32_t)to;
    }
    free(old_pos);
    free(old_mass);
}

void thermo_gather_prepare(const assay_prepare_args *args)
{
    const int64_t n     = args->count[GATHER_BUF_MASS];
    sort_work     work  = { args, allocate(n, sizeof *work.cell) };
    int32_t      *order = args->in[GATHER_BUF_ORDER];

    args->parallel_for(n, CHUNK, find_cells, &work);
    write_order(&work, n, args->count[GATHER_BUF_RHO], order);
    if (args->param[GATHER_PARAM_PARTICLES] == GATHER_SORTED)
        apply_order(args, n, order);
    free(work.cell);
}
