/* The laws of a step, with bounds that are derived, not measured.
 *
 * Relative to the sum of all magnitudes, in units of u = 2^-24: a term of the deposit rounds 9
 * times. A sum of k terms, in any order, rounds min(k - 1, 4 sqrt(k)) times more, and k is at most
 * the number of particles. A stage of the gas adds to a value six faces of it and its neighbours.
 * Each is at most 0.2 (|u| + s) / s <= 0.4 times the values on its two sides, as dt s / dx <= 0.4.
 * With the value itself that is 1 + 6 * 2 * 0.4 < 6 magnitudes, each rounded about 16 times; two
 * stages. */
#include "step_laws.h"

#include "../../../kernels/thermo/thermo.h"
#include "gas_test.h"

#include <string.h>

extern const assay_case assay_case_thermo_step;

static const double U = ASSAY_U32_ROUNDOFF, GAS_ROUNDINGS = 2 * 16 * 6;

static double deposit_roundings(double n) { return 9 + fmin(n - 1, 4 * sqrt(n)); }

/* dx^3 times the sum of component c of n. */
static double content(const step_run *r, int b, int n, int c)
{
    const double side = (double)r->shape.param[STEP_PARAM_GX];
    double       sum  = 0;

    for (int64_t i = 0; i < r->shape.cells; i++)
        sum += (double)step_floats(r, b)[n * i + c];
    return sum / (side * side * side);
}

/* What the particles contributed, and the largest speed of a particle or of its sound. */
typedef struct brought {
    double mass, momentum[3], heat, speed;
} brought;

static brought brought_by(const step_run *r)
{
    const float *m = step_floats(r, STEP_BUF_MASS), *v = step_floats(r, STEP_BUF_VEL);
    const float *q = step_floats(r, STEP_BUF_HEAT);
    brought      b = { 0 };

    for (int64_t t = 0; t < r->count[STEP_BUF_MASS]; t++) {
        double square = 0;

        b.mass += (double)m[t];
        b.heat += (double)q[t];
        for (int d = 0; d < 3; d++) {
            b.momentum[d] += (double)m[t] * (double)v[3 * t + d];
            square += (double)v[3 * t + d] * (double)v[3 * t + d];
        }
        b.speed = fmax(b.speed, sqrt(square) + sqrt(0.56 * (double)q[t] / (double)m[t]));
    }
    return b;
}

static double momentum_error(const step_run *r, const brought *b)
{
    double most = 0;

    for (int d = 0; d < 3; d++)
        most = fmax(most, fabs(content(r, STEP_BUF_MOM_2, 3, d) - b->momentum[d]));
    return most;
}

/* The energy of the gas changes by its work: compares with a step of the reference from the
 * kernel's own start, which also gives its first stage. */
static double energy_error(const step_run *r)
{
    const int64_t    *n    = r->shape.param + STEP_PARAM_GX;
    thermo_gas_state *from = get_memory((size_t)r->shape.cells, sizeof *from);
    thermo_gas_state *to   = get_memory((size_t)r->shape.cells, sizeof *to);
    const double      gain = content(r, STEP_BUF_E_2, 1, 0) - content(r, STEP_BUF_E, 1, 0);
    double            work = (double)NAN;

    for (int64_t i = 0; i < r->shape.cells; i++) {
        from[i].u[THERMO_RHO]   = (double)step_floats(r, STEP_BUF_RHO)[i];
        from[i].u[THERMO_E_INT] = (double)step_floats(r, STEP_BUF_E)[i];
        for (int d = 0; d < 3; d++)
            from[i].u[THERMO_MOM_X + d] = (double)step_floats(r, STEP_BUF_MOM)[3 * i + d];
    }
    trial_expect(thermo_gas_step(n, (double)step_dt(r), from, to, &work), "out of memory");
    free(from);
    free(to);
    return fabs(gain + work / (double)r->shape.cells);
}

/* ---- the case's own laws of particles ---- */

static void in_one_thread(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    for (int64_t begin = 0, chunk = 0; begin < count; begin += size, chunk++)
        fn(context, chunk, begin, begin + size < count ? begin + size : count);
}

/* |value - expected|, over the bound if there is one. Every particle has an answer. */
static double invariant(const step_run *r, const char *name)
{
    assay_expected         expected[STEP_N_BUFS];
    const assay_invariant *law = assay_case_thermo_step.invariants;
    assay_invariant_result m;
    uint8_t *const         compare = get_memory((size_t)r->count[STEP_BUF_MASS], 1);

    memset(expected, 0, sizeof expected);
    expected[STEP_BUF_NEW_HEAT].law = compare;
    while (strcmp(law->name, name) != 0)
        law++;
    m = law->measure(&(assay_evidence) { .shape        = &r->shape,
                                         .input        = ASSAY_INPUT_RANDOM,
                                         .in           = (const void *const *)r->host,
                                         .out          = (const void *const *)r->host,
                                         .expected     = expected,
                                         .parallel_for = in_one_thread });
    free(compare);
    return fabs(m.value - m.expected) / (m.bound > 0 ? m.bound : 1);
}

step_laws step_laws_of(const step_run *r, bool with_energy)
{
    const brought b       = brought_by(r);
    const double  deposit = deposit_roundings((double)r->count[STEP_BUF_MASS]) * U;
    const double  all     = deposit + GAS_ROUNDINGS * U;

    return (step_laws) {
        .mass      = fabs(content(r, STEP_BUF_RHO_2, 1, 0) - b.mass) / (all * b.mass),
        .momentum  = momentum_error(r, &b) / (all * b.mass * b.speed),
        .heat      = fabs(content(r, STEP_BUF_E, 1, 0) - b.heat) / (deposit * b.heat),
        .energy    = with_energy ? energy_error(r) / (GAS_ROUNDINGS * U * b.heat) : 0,
        .exchange  = invariant(r, "exchange"),
        .misplaced = invariant(r, "outside") + invariant(r, "below_zero"),
    };
}

step_totals step_totals_of(const step_run *r)
{
    const float *v   = step_floats(r, STEP_BUF_NEW_VEL);
    step_totals  sum = { 0 };

    for (int64_t t = 0; t < r->count[STEP_BUF_MASS]; t++) {
        for (int d = 0; d < 3; d++)
            sum.momentum[d] += (double)step_floats(r, STEP_BUF_MASS)[t] * (double)v[3 * t + d];
        sum.heat += (double)step_floats(r, STEP_BUF_NEW_HEAT)[t];
        sum.energy += (double)step_floats(r, STEP_BUF_NEW_ENERGY)[t];
    }
    return sum;
}
