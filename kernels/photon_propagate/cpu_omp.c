/* cpu_omp: the step of the kernels on the CPU; threads share the photons. */
#include "photon_ends.h"

#include <string.h>

assay_launch_fn photon_propagate_cpu_omp;

typedef struct run {
    photon_world  world;
    photon_pages  pages;
    photon_ends   ends;
    photon_source source;
    const float  *weights; /* of its photons */
    uint32_t      steps;
    int           is_history;
    uint32_t     *tally;
} run;

/* Records an end. Returns whether another photon has taken the photon's place. */
static int is_replaced(const run *r, int64_t i, photon_state *p)
{
    photon_end(&r->ends, r->pages, i, p);
    if (!(p->flags & PHOTON_REEMIT))
        return 0;
    *p = photon_secondary(p);
    return 1;
}

static void follow(const run *r, int64_t i)
{
    photon_state p = photon_of_source(&r->source, (uint32_t)i);

    *photon_weight(r->pages, i) = r->weights[i];
    for (int goes_on = 1; goes_on;) {
        photon_step(&r->world, &p);
        if (!(p.flags & PHOTON_ENDED) && photon_is_spent(&p, r->steps))
            p.flags |= PHOTON_OUT_OF_STEPS;
        if (p.flags & PHOTON_ENDED)
            goes_on = is_replaced(r, i, &p);
    }
}

static void advance(const run *r, int64_t i)
{
    photon_state p = photon_load(r->pages, i);

    if (p.flags & PHOTON_ENDED)
        return;
    photon_step(&r->world, &p);
    if (p.flags & PHOTON_ENDED)
        (void)is_replaced(r, i, &p);
    photon_store(r->pages, i, &p);
}

static void count_ends(const run *r)
{
    for (int64_t row = 0; row < r->ends.rows; row++) {
        const uint32_t flags = r->ends.flags[row];

        if (flags == 0)
            continue;
        r->tally[photon_tally_of(flags)]++;
        if (flags & PHOTON_SURFACE_DETECT)
            r->tally[PHOTON_TALLIES + r->world.faces[2 * r->ends.face[row] + 1]]++;
    }
}

int photon_propagate_cpu_omp(const assay_args *args, assay_stream stream)
{
    const run r = {
        .world      = photon_world_of(args),
        .pages      = photon_pages_of(args),
        .ends       = photon_ends_of(args),
        .source     = photon_source_of(args),
        .weights    = photon_weights_of(args),
        .steps      = (uint32_t)args->param[PROPAGATE_PARAM_STEPS],
        .is_history = args->param[PROPAGATE_PARAM_IS_HISTORY] != 0,
        .tally      = args->buf[PROPAGATE_BUF_TALLY],
    };

    (void)stream;
    memset(r.tally, 0, (size_t)args->count[PROPAGATE_BUF_TALLY] * sizeof *r.tally);
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < r.ends.rows; row++)
        photon_clear_end(&r.ends, row);
#pragma omp parallel for schedule(dynamic, 256)
    for (int64_t i = 0; i < r.ends.photons; i++) {
        if (r.is_history)
            follow(&r, i);
        else
            advance(&r, i);
    }
    count_ends(&r);
    return 0;
}
