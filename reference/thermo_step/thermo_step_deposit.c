/* The deposit of the step's reference: every particle's share of its eight nodes, in double, with a
 * bound on rounding. */
#include "thermo_step_internal.h"

#include <stdlib.h>

static bool is_accepted(const step *s, int64_t t)
{
    bool is = isfinite(s->mass[t]) && isfinite(s->heat[t]);

    for (int d = 0; d < 3; d++)
        is = is && isfinite(s->pos[3 * t + d]) && isfinite(s->vel[3 * t + d]);
    return is;
}

/* Adds what a particle contributes to the nodes of the planes begin..end-1. */
static void deposit_one(const step *s, int64_t t, int64_t begin, int64_t end, term_sum (*to)[5])
{
    const int64_t plane  = s->extent[1] * s->extent[2];
    const cloud   c      = cloud_of(s->extent, s->dx, s->pos + 3 * t);
    const number  volume = constant(s->per_dx * s->per_dx * s->per_dx);
    const number  mass   = product(exact((double)s->mass[t]), volume);
    const number  heat   = product(exact((double)s->heat[t]), volume);

    for (int k = 0; k < CORNERS; k++) {
        const number share = product(mass, c.weight[k]);
        term_sum    *at;

        if (c.weight[k].v == 0 || c.node[k] < begin * plane || c.node[k] >= end * plane)
            continue;
        at = to[c.node[k] - begin * plane];
        add(&at[THERMO_RHO], share);
        for (int d = 0; d < 3; d++)
            add(&at[THERMO_MOM_X + d], product(share, exact((double)s->vel[3 * t + d])));
        add(&at[THERMO_E_INT], product(heat, c.weight[k]));
    }
}

/* Has a cell of this plane a corner in the planes begin..end-1? */
static bool is_near(const step *s, int64_t plane, int64_t begin, int64_t end)
{
    const int64_t next = (plane + 1) % s->extent[0];

    return (plane >= begin && plane < end) || (next >= begin && next < end);
}

/* Each chunk goes through all particles and takes those of its planes: every node gets its terms in
 * the order of the particles. */
static void deposit_planes(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const step *const s     = context;
    const int64_t     plane = s->extent[1] * s->extent[2];
    term_sum(*sums)[5]      = allocate((end - begin) * plane, sizeof *sums);

    (void)chunk;
    for (int64_t t = 0; t < s->n; t++) {
        const float x = wrapped_place(s->pos[3 * t], s->dx, (float)s->extent[0]);

        if (is_near(s, (int64_t)floorf(x), begin, end) && is_accepted(s, t))
            deposit_one(s, t, begin, end, sums);
    }
    for (int64_t cell = 0; cell < (end - begin) * plane; cell++)
        for (int q = 0; q < 5; q++)
            s->u0[begin * plane + cell].u[q] =
                sums[cell][q].n > 0 ? total(&sums[cell][q]) : exact(0);
    free(sums);
}

void step_deposit_particles(step *s)
{
    int64_t *const errors = s->args->expect[STEP_BUF_ERRORS].integer;

    for (int64_t t = 0; t < s->n; t++)
        *errors += is_accepted(s, t) ? 0 : 1;
    s->args->parallel_for(s->extent[0], (s->extent[0] + 15) / 16, deposit_planes, s);
}
