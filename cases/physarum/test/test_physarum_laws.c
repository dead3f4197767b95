/* Long runs of the kernels on the host device, and of the reference, in each semantics: mass
 * including what leaks at borders, places, headings, and the distributions of headings and of the
 * field. Checks of one step do not show errors that accumulate over many. */
#include "physarum_call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

assay_launch_fn physarum_fused, physarum_two_kernel, physarum_fused_sorted, physarum_fused_resident,
    physarum_ops;
assay_workspace_fn physarum_fused_workspace, physarum_two_kernel_workspace,
    physarum_fused_sorted_workspace, physarum_fused_resident_workspace, physarum_ops_workspace;

enum {
    SIDE   = 64,
    AGENTS = 1500,
    STEPS  = 150,
    SEEDS  = 4,  /* reference runs that show how far two runs lie apart */
    LEVELS = 12, /* of the field, by powers of 2 */
    WAYS   = 8   /* of headings */
};

/* If two rows have the same launcher, the name tells the semantics. */
static const struct variant {
    const char         *name;
    int                 semantics;
    bool                is_deterministic; /* and agents keep their places */
    assay_launch_fn    *launch;
    assay_workspace_fn *workspace;
} variants[] = {
    { "canonical two_kernel", PHYSARUM_CANONICAL, true, physarum_two_kernel,
      physarum_two_kernel_workspace },
    { "canonical fused", PHYSARUM_CANONICAL, true, physarum_fused, physarum_fused_workspace },
    { "canonical fused_sorted", PHYSARUM_CANONICAL, false, physarum_fused_sorted,
      physarum_fused_sorted_workspace },
    { "canonical fused_resident", PHYSARUM_CANONICAL, false, physarum_fused_resident,
      physarum_fused_resident_workspace },
    { "triton two_kernel", PHYSARUM_TRITON, true, physarum_two_kernel,
      physarum_two_kernel_workspace },
    { "triton fused", PHYSARUM_TRITON, true, physarum_fused, physarum_fused_workspace },
    { "torch ops", PHYSARUM_TORCH, true, physarum_ops, physarum_ops_workspace },
    { "torch fused_torch", PHYSARUM_TORCH, true, physarum_fused, physarum_fused_workspace },
};

/* ---- measurements of a state */

typedef struct measured {
    double level[LEVELS]; /* share of cells with a field of 2^(k - 4) to 2^(k - 3) */
    double way[WAYS];     /* share of agents */
} measured;

static measured measure(const physarum_model *m, const physarum_owned *s)
{
    const int64_t cells = m->height * m->width;
    measured      d     = { .level = { 0 } };

    for (int64_t i = 0; i < cells; i++) {
        const double power = (double)s->field[i] > 0 ? log2((double)s->field[i]) + 4 : 0;

        d.level[power < 0 ? 0 : power >= LEVELS ? LEVELS - 1 : (int)power] += 1 / (double)cells;
    }
    for (int64_t i = 0; i < m->agents; i++) {
        const double turns = (double)s->angle[i] / 6.283185307179586 + 0.5;

        /* headings grow without limit where they are not kept within half a turn */
        d.way[(int)((turns - floor(turns)) * WAYS) % WAYS] += 1 / (double)m->agents;
    }
    return d;
}

/* Half the sum of differences: the share that would have to move. */
static double apart(const double *a, const double *b, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += fabs(a[i] - b[i]) / 2;
    return sum;
}

/* ---- mass */

/* The part of a cell's share in the means around it that falls outside the grid. */
static double lost(const physarum_model *m, int64_t y, int64_t x)
{
    const int64_t radius = m->blur / 2;
    const int64_t rows =
        (y < radius ? y : radius) + 1 + (m->height - 1 - y < radius ? m->height - 1 - y : radius);
    const int64_t columns =
        (x < radius ? x : radius) + 1 + (m->width - 1 - x < radius ? m->width - 1 - x : radius);

    return m->semantics == PHYSARUM_CANONICAL
               ? 0
               : 1 - (double)(rows * columns) / (double)(m->blur * m->blur);
}

/* The mass after a step: previous mass, plus deposits, less what leaks, less decay. In torch
 * semantics all agents of a cell deposit once. */
static double mass_after(const physarum_model *m, const float *field, const float *pos, double mass,
                         double *leak)
{
    const int64_t cells = m->height * m->width;
    int          *count = calloc((size_t)cells, sizeof *count);
    double        laid  = 0;

    if (!count)
        abort();
    for (int64_t i = 0; i < m->agents; i++)
        count[physarum_deposit_cell(m, pos + 2 * i)]++;
    *leak = 0;
    for (int64_t c = 0; c < cells; c++) {
        const int    n = m->semantics == PHYSARUM_TORCH ? count[c] > 0 : count[c];
        const double f = (double)field[c] + m->deposit * n;

        laid += m->deposit * n;
        *leak += m->blend * f * lost(m, c / m->width, c % m->width);
    }
    free(count);
    return (1 - m->decay) * (mass + laid - *leak);
}

/* Roundings of a cell in a step, including its deposits. */
static double mass_error(double mass) { return mass * STEPS * 40 * PHYSARUM_ROUNDOFF; }

static void check_mass(const char *name, const physarum_model *m, const float *field, double want,
                       double leaked)
{
    const double mass = physarum_field_sum(m, field);

    trial_expect(fabs(mass - want) <= mass_error(want), "%s: mass %.9g, expected %.9g", name, mass,
                 want);
    if (m->semantics != PHYSARUM_CANONICAL) /* otherwise the law would not see the borders */
        trial_expect(leaked > 100 * mass_error(want), "%s: %.3g of %.3g has leaked", name, leaked,
                     want);
}

/* On a torus nothing leaks and every agent deposits. */
static double torus_mass(const physarum_model *m)
{
    const double left = pow(1 - m->decay, STEPS);

    return m->deposit * (double)m->agents * (1 - m->decay) * (1 - left) / m->decay;
}

/* ---- agents */

/* Each turn is by the spread or nothing, so that headings keep their remainder modulo the spread. A
 * step may lose the error of a heading and one rounding at its size. */
static double heading_error(const physarum_model *m)
{
    const double size = m->semantics == PHYSARUM_CANONICAL ? 4 : STEPS * (double)m->spread + 4;

    return STEPS * (PHYSARUM_ANGLE_ERROR + size * PHYSARUM_ROUNDOFF);
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* The remainder of each agent, in [0, spread); `in_order`: sorted by size instead of by agent. */
static void leave_over(const physarum_model *m, const float *angle, bool in_order,
                       double left[AGENTS])
{
    const double spread = (double)m->spread;

    for (int i = 0; i < AGENTS; i++)
        left[i] = (double)angle[i] - spread * floor((double)angle[i] / spread);
    if (in_order)
        qsort(left, AGENTS, sizeof *left, compare);
}

/* How many agents have kept their remainder. If agents have changed places, those of the same rank
 * are compared, and a few may have crossed the end of the range. */
static int count_kept(const physarum_model *m, const float *angle, const float *first,
                      bool is_mixed)
{
    static double now[AGENTS], then[AGENTS];
    const int     most_shift = is_mixed ? 3 : 0;
    int           most_kept  = 0;

    leave_over(m, angle, is_mixed, now);
    leave_over(m, first, is_mixed, then);
    for (int shift = -most_shift; shift <= most_shift; shift++) {
        int n_kept = 0;

        for (int i = 0; i < AGENTS; i++)
            n_kept += fabs(remainder(now[i] - then[(i + shift + AGENTS) % AGENTS],
                                     (double)m->spread)) <= heading_error(m);
        most_kept = n_kept > most_kept ? n_kept : most_kept;
    }
    return most_kept;
}

/* Only canonical semantics exclude the extent itself. */
static bool is_on(const physarum_model *m, float v, int64_t extent)
{
    return v >= 0 && (m->semantics == PHYSARUM_CANONICAL ? v < (float)extent : v <= (float)extent);
}

static void check_agents(const char *name, const physarum_model *m, const physarum_owned *s,
                         const physarum_owned *first, bool is_mixed)
{
    const int n_kept = count_kept(m, s->angle, first->angle, is_mixed);
    int       n_on   = 0;

    for (int64_t i = 0; i < m->agents; i++)
        n_on += is_on(m, s->pos[2 * i], m->height) && is_on(m, s->pos[2 * i + 1], m->width);
    trial_expect(n_on == AGENTS, "%s: %d of %d agents are on the grid", name, n_on, AGENTS);
    trial_expect(n_kept == AGENTS, "%s: %d of %d headings differ from the first by whole turns",
                 name, n_kept, AGENTS);
}

/* Chaos separates two correct runs as it separates two seeds: the spread of the reference's seeds
 * is the measure. */
static void check_distribution(const char *name, const measured *got,
                               const measured reference[SEEDS])
{
    double spread_level = 0, spread_way = 0, level = 1, way = 1;

    for (int i = 0; i < SEEDS; i++) {
        for (int k = 0; k < i; k++) {
            spread_level =
                fmax(spread_level, apart(reference[i].level, reference[k].level, LEVELS));
            spread_way = fmax(spread_way, apart(reference[i].way, reference[k].way, WAYS));
        }
        level = fmin(level, apart(got->level, reference[i].level, LEVELS));
        way   = fmin(way, apart(got->way, reference[i].way, WAYS));
    }
    trial_expect(level <= spread_level, "%s: the field is %.3g apart, seeds %.3g", name, level,
                 spread_level);
    trial_expect(way <= spread_way, "%s: headings are %.3g apart, seeds %.3g", name, way,
                 spread_way);
}

/* ---- runs */

/* Step by step in double, with the mass balance of the reference's own field. */
static void run_reference(const physarum_model *m, uint64_t seed, measured *d)
{
    physarum_owned s = physarum_state_create(m), first = physarum_state_create(m);
    float         *field = malloc(sizeof(float) * SIDE * SIDE);
    double         mass = 0, leak, leaked = 0;

    if (!field)
        abort();
    physarum_state_seed(m, seed, &s);
    physarum_state_seed(m, seed, &first);
    for (int k = 0; k < STEPS; k++) {
        memcpy(field, s.field, sizeof(float) * SIDE * SIDE);
        (void)physarum_advance(m, s.pos, s.angle, s.field, 1);
        mass = mass_after(m, field, s.pos, mass, &leak);
        leaked += leak;
    }
    check_mass("reference", m, s.field, mass, leaked);
    if (m->semantics == PHYSARUM_CANONICAL)
        check_mass("reference, in closed form", m, s.field, torus_mass(m), 0);
    check_agents("reference", m, &s, &first, false);
    *d = measure(m, &s);
    physarum_state_free(&s);
    physarum_state_free(&first);
    free(field);
}

static void begin_call(physarum_call *c, const physarum_model *m, int64_t steps,
                       const struct variant *v)
{
    physarum_call_create(c, m, steps, v->workspace);
    physarum_state_seed(m, 77, &c->state[0]);
    memset(c->state[0].field, 0, sizeof(float) * SIDE * SIDE);
}

/* One step a call, each from the state that the previous call left, with the mass balance of the
 * kernel's own field. */
static void run_steps(physarum_call *c, const physarum_model *m, const struct variant *v)
{
    double mass = 0, leak, leaked = 0;

    begin_call(c, m, 1, v);
    for (int k = 0; k < STEPS; k++) {
        if (k > 0)
            for (int b = 0; b < 3; b++)
                memcpy(c->buf[b], c->buf[3 + b], (size_t)c->count[b] * sizeof(float));
        trial_expect(v->launch(&c->args, NULL) == 0, "%s fails", v->name);
        mass = mass_after(m, c->state[0].field, c->state[1].pos, mass, &leak);
        leaked += leak;
    }
    check_mass(v->name, m, c->state[1].field, mass, leaked);
}

/* If the order of deposits does not matter, all steps in one call give the same result, so that
 * what holds for one kind of call holds for the other. */
static void check_same(const physarum_call *steps, const physarum_call *whole, const char *name)
{
    for (int b = 3; b < 6; b++)
        trial_expect(
            memcmp(steps->buf[b], whole->buf[b], (size_t)steps->count[b] * sizeof(float)) == 0,
            "%s: buffer %d is another after one call than after many", name, b);
}

static void test_variant(const physarum_model *m, const struct variant *v,
                         const measured reference[SEEDS])
{
    physarum_call  steps, whole;
    physarum_owned first = physarum_state_create(m);
    measured       got;

    physarum_state_seed(m, 77, &first);
    run_steps(&steps, m, v);
    begin_call(&whole, m, STEPS, v);
    trial_expect(v->launch(&whole.args, NULL) == 0, "%s fails", v->name);
    if (v->is_deterministic)
        check_same(&steps, &whole, v->name);
    if (m->semantics == PHYSARUM_CANONICAL)
        check_mass(v->name, m, whole.state[1].field, torus_mass(m), 0);
    check_agents(v->name, m, &whole.state[1], &first, !v->is_deterministic);
    got = measure(m, &whole.state[1]);
    check_distribution(v->name, &got, reference);
    physarum_state_free(&first);
    physarum_call_free(&steps);
    physarum_call_free(&whole);
}

static void test_long_runs(int semantics)
{
    const physarum_model m = physarum_test_model(semantics, SIDE, SIDE, AGENTS);
    measured             reference[SEEDS];

    for (int seed = 0; seed < SEEDS; seed++)
        run_reference(&m, (uint64_t)seed + 1, &reference[seed]);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        if (variants[v].semantics == semantics)
            test_variant(&m, &variants[v], reference);
}

/* 15: three copies of the field and every temporary of a step, compared with none. */
static void test_15_cost(void)
{
    const physarum_model m = physarum_test_model(PHYSARUM_TORCH, 256, 256, 100);
    size_t               ops, fused;
    physarum_call        c;

    physarum_call_shape(&c, &m, 1);
    ops   = physarum_ops_workspace(&c.args);
    fused = physarum_fused_workspace(&c.args);
    trial_expect(ops >= 4 * sizeof(float) * 256 * 256, "15: ops takes %zu bytes", ops);
    trial_expect(fused <= 2 * sizeof(float) * 256 * 256, "15: fused takes %zu bytes", fused);
}

/* A field below the normal range, as it is far from all trails after 500 steps. Correct kernels
 * with 100 agents failed there on a GPU when bounds were only relative. */
static void test_field_below_normal(void)
{
    double value[SIDE * 128], magnitude[SIDE * 128];

    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        const physarum_model m   = physarum_test_model(variants[v].semantics, SIDE, 128, 1);
        int64_t              off = 0;
        physarum_call        c;

        physarum_call_create(&c, &m, 1, variants[v].workspace);
        physarum_state_seed(&m, 7, &c.state[0]);
        for (int64_t i = 0; i < SIDE * 128; i++)
            c.state[0].field[i] = (float)(physarum_uniform(3, (uint64_t)i) * 0x1p-140);
        trial_expect(variants[v].launch(&c.args, NULL) == 0, "%s: launch", variants[v].name);
        physarum_next_field(&m, c.state[0].field, c.state[1].pos,
                            &(physarum_field_out) { .value = value, .magnitude = magnitude });
        for (int64_t i = 0; i < SIDE * 128; i++)
            off += !(fabs((double)c.state[1].field[i] - value[i]) <=
                     PHYSARUM_ROUNDOFF * (fabs(value[i]) + magnitude[i]));
        trial_expect(off == 0, "%s: %lld cells below the normal range are off", variants[v].name,
                     (long long)off);
        physarum_call_free(&c);
    }
}

int main(void)
{
    test_long_runs(PHYSARUM_CANONICAL);
    test_long_runs(PHYSARUM_TRITON);
    test_long_runs(PHYSARUM_TORCH);
    test_field_below_normal();
    test_15_cost();
    return trial_finish("test_physarum_laws");
}
