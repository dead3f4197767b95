/* Cloud-in-cell deposit in double. Which cell a particle is in, and how far from its lower corner,
 * is part of the definition and single precision, uncontracted:
 *
 *   g = pos / dx;  r = g - G floor(g / G), 0 unless 0 <= r < G;  cell = floor(r), f = r - cell
 *
 * From there on weights, products and sums are double. Nodes are summed one plane at a time, in the
 * order of the particles. */
#include "kernel.h"

#include "../../kernels/thermo_scatter/scatter_case.h"

#include <math.h>
#include <stdlib.h>

assay_reference_fn thermo_scatter_reference;

typedef struct scatter_problem {
    const assay_reference_args *args;
    const float                *pos, *vel, *mass, *heat;
    int64_t                     n, extent[3], cells;
    float                       dx;
    double                      per_volume;
    int32_t                    *bin;         /* [n] */
    int64_t                    *plane_start; /* [gx + 1], into by_plane */
    int32_t                    *by_plane;    /* particles that are not rejected, by i */
    int32_t                    *n_terms;     /* [cells] */
} scatter_problem;

static void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);

    if (!memory) /* a reference cannot report this */
        abort();
    return memory;
}

/* ---- the definition of a particle's place ---- */

typedef struct place {
    int64_t base[3]; /* node at the lower corner of its cell */
    double  f[3];    /* distance from that node, in cells */
} place;

static float wrapped(float g, float extent)
{
    const float r = g - extent * floorf(g / extent);

    return r >= 0 && r < extent ? r : 0;
}

static place place_of(const scatter_problem *p, int64_t t)
{
    place at;

    for (int d = 0; d < 3; d++) {
        const float r = wrapped(p->pos[3 * t + d] / p->dx, (float)p->extent[d]);

        at.base[d] = (int64_t)floorf(r);
        at.f[d]    = (double)r - (double)at.base[d];
    }
    return at;
}

static int is_rejected(const scatter_problem *p, int64_t t)
{
    for (int d = 0; d < 3; d++)
        if (!isfinite(p->pos[3 * t + d]) || !isfinite(p->vel[3 * t + d]))
            return 1;
    return !isfinite(p->mass[t]) || !isfinite(p->heat[t]);
}

static int64_t node_of(const scatter_problem *p, const int64_t at[3])
{
    return (at[0] * p->extent[1] + at[1]) * p->extent[2] + at[2];
}

/* The bin of a particle: its cell, or the bin after all cells. */
static int64_t bin_of(const scatter_problem *p, int64_t t)
{
    return is_rejected(p, t) ? p->cells : node_of(p, place_of(p, t).base);
}

/* ---- fields ---- */

/* Below the normal range a product rounds like one of this size, and the next factor multiplies
 * that error too. */
static const double TINY = 0x1p-126;

/* The roundings of one term: 1 - f three times, two products of weights, 1/dx^3, m/dx^3, its
 * products with w and with v. */
enum {
    ROUNDINGS_OF_A_TERM = 9
};

/* (quantity w) times `factor`. */
static void add_term(const assay_expected *e, int64_t at, double quantity, double w, double factor)
{
    e->value[at] += quantity * w * factor;
    e->magnitude[at] += (fabs(quantity) * (w + TINY) + TINY) * fabs(factor) + TINY;
}

static void add_to_node(const scatter_problem *p, int64_t t, int64_t node, double w)
{
    const assay_expected *e = p->args->expect;
    const double          m = (double)p->mass[t] * p->per_volume;

    if (w == 0)
        return;
    p->n_terms[node]++;
    add_term(&e[SCATTER_BUF_RHO], node, m, w, 1);
    for (int d = 0; d < 3; d++)
        add_term(&e[SCATTER_BUF_MOM], 3 * node + d, m, w, (double)p->vel[3 * t + d]);
    add_term(&e[SCATTER_BUF_E_INT], node, (double)p->heat[t] * p->per_volume, w, 1);
}

/* The particles of plane `from` add to the nodes of plane i, which is their lower or upper x
 * corner. */
static void add_plane(const scatter_problem *p, int64_t i, int64_t from, int is_upper)
{
    for (int64_t s = p->plane_start[from]; s < p->plane_start[from + 1]; s++) {
        const int64_t t  = p->by_plane[s];
        const place   at = place_of(p, t);
        const double  wx = is_upper ? at.f[0] : 1 - at.f[0];

        for (int c = 0; c < 4; c++) {
            const int     y = c >> 1, z = c & 1;
            const int64_t node[3] = { i, (at.base[1] + y) % p->extent[1],
                                      (at.base[2] + z) % p->extent[2] };
            const double  wy = y ? at.f[1] : 1 - at.f[1], wz = z ? at.f[2] : 1 - at.f[2];

            add_to_node(p, t, node_of(p, node), wx * wy * wz);
        }
    }
}

/* A sum of k terms in any order rounds k - 1 times, each time by at most u times the sum of their
 * magnitudes; each term has its own roundings. Many roundings do not all point one way: independent
 * errors of at most u each add up to more than 4 sqrt(k) u with a chance below exp(-8) for any
 * order, and to far less where partial sums are smaller than the whole. */
static double roundings_of(double k) { return ROUNDINGS_OF_A_TERM + fmin(k - 1, 4 * sqrt(k)); }

/* A GPU adds fp32 values in global memory with subnormal ones treated as zero: in each addition the
 * added value and the result may each lose that much. */
static double lost_below_normal(double k) { return 2 * k * TINY * 0x1p24; }

static void weigh(double *magnitude, double k)
{
    *magnitude = *magnitude * roundings_of(k) + lost_below_normal(k);
}

static void weigh_magnitudes(const scatter_problem *p, int64_t begin, int64_t end)
{
    const assay_expected *e = p->args->expect;

    for (int64_t node = begin; node < end; node++) {
        const double k = p->n_terms[node];

        weigh(&e[SCATTER_BUF_RHO].magnitude[node], k);
        for (int d = 0; d < 3; d++)
            weigh(&e[SCATTER_BUF_MOM].magnitude[3 * node + d], k);
        weigh(&e[SCATTER_BUF_E_INT].magnitude[node], k);
    }
}

static void expect_planes(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const scatter_problem *p     = context;
    const int64_t          plane = p->extent[1] * p->extent[2];

    (void)chunk;
    for (int64_t i = begin; i < end; i++) {
        add_plane(p, i, i, 0);
        add_plane(p, i, (i + p->extent[0] - 1) % p->extent[0], 1);
    }
    weigh_magnitudes(p, begin * plane, end * plane);
}

static void find_bins(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const scatter_problem *p = context;

    (void)chunk;
    for (int64_t t = begin; t < end; t++)
        p->bin[t] = (int32_t)bin_of(p, t);
}

static void list_by_plane(scatter_problem *p)
{
    const int64_t plane  = p->extent[1] * p->extent[2];
    int64_t      *cursor = allocate(p->extent[0] + 1, sizeof *cursor);

    p->args->parallel_for(p->n, p->n / 64 + 1, find_bins, p);
    for (int64_t t = 0; t < p->n; t++)
        p->plane_start[p->bin[t] / plane]++;
    for (int64_t i = 0, sum = 0; i <= p->extent[0]; i++) {
        const int64_t here = p->plane_start[i];

        p->plane_start[i] = cursor[i] = sum;
        sum += here;
    }
    for (int64_t t = 0; t < p->n; t++) {
        const int64_t i = p->bin[t] / plane;

        if (i < p->extent[0])
            p->by_plane[cursor[i]++] = (int32_t)t;
    }
    free(cursor);
}

/* ---- stages ---- */

static void expect_copy(const assay_expected *e, int64_t to, const float *from)
{
    e->value[to] = (double)*from;
    if (isnan(*from))
        e->law[to] = ASSAY_MUST_BE_NAN;
}

static void expect_sorted(const scatter_problem *p, int64_t to, int64_t t)
{
    const assay_expected *e      = p->args->expect;
    const float          *energy = p->args->in[SCATTER_BUF_ENERGY];

    e[SCATTER_BUF_SORTED_INDEX].integer[to] = t;
    for (int d = 0; d < 3; d++) {
        expect_copy(&e[SCATTER_BUF_SORTED_POS], 3 * to + d, &p->pos[3 * t + d]);
        expect_copy(&e[SCATTER_BUF_SORTED_VEL], 3 * to + d, &p->vel[3 * t + d]);
    }
    expect_copy(&e[SCATTER_BUF_SORTED_MASS], to, &p->mass[t]);
    expect_copy(&e[SCATTER_BUF_SORTED_HEAT], to, &p->heat[t]);
    expect_copy(&e[SCATTER_BUF_SORTED_ENERGY], to, &energy[t]);
}

/* The order inside a cell is free; here it is that of the particles. */
static void expect_stages(const scatter_problem *p)
{
    int64_t *id     = p->args->expect[SCATTER_BUF_CELL_ID].integer;
    int64_t *count  = p->args->expect[SCATTER_BUF_COUNT].integer;
    int64_t *start  = p->args->expect[SCATTER_BUF_START].integer;
    int64_t *cursor = allocate(p->cells + 1, sizeof *cursor);

    for (int64_t c = 0; c <= p->cells; c++)
        count[c] = 0;
    for (int64_t t = 0; t < p->n; t++) {
        id[t] = p->bin[t];
        count[id[t]]++;
    }
    for (int64_t c = 0, sum = 0; c <= p->cells; c++) {
        start[c] = cursor[c] = sum;
        sum += count[c];
    }
    for (int64_t t = 0; t < p->n; t++)
        expect_sorted(p, cursor[id[t]]++, t);
    free(cursor);
}

/* ---- all of it ---- */

static scatter_problem problem_of(const assay_reference_args *args)
{
    scatter_problem p  = { .args = args,
                           .pos  = args->in[SCATTER_BUF_POS],
                           .vel  = args->in[SCATTER_BUF_VEL],
                           .mass = args->in[SCATTER_BUF_MASS],
                           .heat = args->in[SCATTER_BUF_HEAT],
                           .n    = args->count[SCATTER_BUF_MASS],
                           .dx   = (float)args->scalar[SCATTER_SCALAR_DX] };
    const double    dx = (double)p.dx;

    for (int d = 0; d < 3; d++)
        p.extent[d] = args->param[SCATTER_PARAM_GX + d];
    p.cells       = p.extent[0] * p.extent[1] * p.extent[2];
    p.per_volume  = 1 / (dx * dx * dx);
    p.bin         = allocate(p.n, sizeof *p.bin);
    p.plane_start = allocate(p.extent[0] + 1, sizeof *p.plane_start);
    p.by_plane    = allocate(p.n, sizeof *p.by_plane);
    p.n_terms     = allocate(p.cells, sizeof *p.n_terms);
    return p;
}

void thermo_scatter_reference(const assay_reference_args *args)
{
    scatter_problem p        = problem_of(args);
    int64_t        *rejected = args->expect[SCATTER_BUF_ERRORS].integer;

    for (int b = SCATTER_BUF_RHO; b <= SCATTER_BUF_E_INT; b++)
        for (int64_t i = 0; i < args->count[b]; i++)
            args->expect[b].value[i] = 0;
    list_by_plane(&p);
    *rejected = p.n - p.plane_start[p.extent[0]];
    args->parallel_for(p.extent[0], 1, expect_planes, &p);
    if (args->param[SCATTER_PARAM_OUTPUTS] == SCATTER_STAGES)
        expect_stages(&p);
    free(p.bin);
    free(p.plane_start);
    free(p.by_plane);
    free(p.n_terms);
}
