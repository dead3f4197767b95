/* The case photon_propagate: one step of each photon from given states, or whole histories. */
#include "photon_propagate.h"

#include "../../kernels/photon_propagate/propagate_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

assay_reference_fn photon_propagate_reference;
assay_launch_fn    photon_propagate_cpu_ref;

enum {
    PHOTONS_A_CHUNK = 1024
};

photon_ref_world photon_ref_world_of(const void *const *buf)
{
    return (photon_ref_world) {
        .nodes     = buf[PROPAGATE_BUF_NODES],
        .triangles = buf[PROPAGATE_BUF_TRIANGLES],
        .faces     = buf[PROPAGATE_BUF_FACES],
        .media     = buf[PROPAGATE_BUF_MEDIA],
        .surfaces  = buf[PROPAGATE_BUF_SURFACES],
    };
}

/* ---- the fate of one photon, and of those that take its place */

typedef struct ends {
    photon_ref of[PHOTON_GENERATIONS]; /* as they ended; flags 0: no such photon ended */
    photon_ref last;                   /* what is left in the pages */
} ends;

static ends one_step(const photon_ref_world *w, const photon_ref *from)
{
    ends       e = { .last = *from };
    photon_ref secondary;

    if (from->flags & PHOTON_ENDED)
        return e;
    photon_ref_step(w, &e.last, &secondary);
    if (e.last.flags & PHOTON_ENDED)
        e.of[e.last.generation] = e.last;
    if (e.last.flags & PHOTON_REEMIT)
        e.last = secondary;
    return e;
}

static ends history(const photon_ref_world *w, int64_t steps, const photon_ref *from)
{
    ends       e = { .last = *from };
    photon_ref secondary;

    for (;;) {
        photon_ref_run(w, steps, &e.last, &secondary);
        e.of[e.last.generation] = e.last;
        if (!(e.last.flags & PHOTON_REEMIT))
            return e;
        e.last = secondary;
    }
}

/* ---- expectations */

typedef struct work {
    const assay_reference_args *args;
    photon_ref_world            world;
    double                     *chance; /* by chunk: sum over its photons */
} work;

static double error_of_place(const photon_ref *p)
{
    return hypot(p->e_aside, p->e_along) / PHOTON_ROUNDOFF;
}

static void expect_real(assay_expected *e, int64_t at, double value, double error, bool in_doubt)
{
    e->value[at]     = value;
    e->magnitude[at] = error / PHOTON_ROUNDOFF;
    e->law[at]       = isnan(value) ? ASSAY_MUST_BE_NAN : in_doubt ? ASSAY_EXEMPT : ASSAY_COMPARE;
}

static void expect_integer(assay_expected *e, int64_t at, int64_t value, bool in_doubt)
{
    e->integer[at] = value;
    e->law[at]     = in_doubt ? ASSAY_EXEMPT : ASSAY_COMPARE;
}

static int64_t place_of(int64_t i, int fields, int field)
{
    return (i / PHOTON_PAGE * fields + field) * PHOTON_PAGE + i % PHOTON_PAGE;
}

/* The weight of photon i and of all that take its place. */
static float weight_of(const void *const *buf, const int64_t *param, int64_t i)
{
    if (param[PROPAGATE_PARAM_IS_HISTORY])
        return ((const float *)buf[PROPAGATE_BUF_WEIGHT])[i];
    return ((const float *)buf[PROPAGATE_BUF_REAL])[place_of(i, PHOTON_REALS, PHOTON_WEIGHT)];
}

/* Row g of the records; it is in doubt from the generation on that came into doubt. */
static void expect_end(const work *w, const photon_ref *p, int64_t row, bool in_doubt)
{
    assay_expected *const e       = w->args->expect;
    const bool            has_end = p->flags != 0;
    const int64_t         rows    = w->args->count[PROPAGATE_BUF_END_TIME];
    const double          at[3]   = { p->pos.x, p->pos.y, p->pos.z };
    const double          error   = has_end ? error_of_place(p) * PHOTON_ROUNDOFF : 0;

    for (int a = 0; a < 3; a++)
        expect_real(&e[PROPAGATE_BUF_END_PLACE], a * rows + row, has_end ? at[a] : 0, error,
                    in_doubt);
    expect_real(&e[PROPAGATE_BUF_END_TIME], row, has_end ? p->time : 0, has_end ? p->e_time : 0,
                in_doubt);
    expect_integer(&e[PROPAGATE_BUF_END_FLAGS], row, p->flags, in_doubt);
    expect_integer(&e[PROPAGATE_BUF_END_FACE], row, has_end ? p->face : -1, in_doubt);
}

/* The state left in the pages. It is stored in single precision, so the expectation is of the
 * stored values. */
static void expect_state(const work *w, const photon_ref *p, int64_t i)
{
    assay_expected *const real                 = &w->args->expect[PROPAGATE_BUF_REAL];
    assay_expected *const word                 = &w->args->expect[PROPAGATE_BUF_WORD];
    const double          place                = error_of_place(p) * PHOTON_ROUNDOFF;
    const double          value[PHOTON_WEIGHT] = { p->pos.x, p->pos.y,      p->pos.z, p->dir.x,
                                                   p->dir.y, p->dir.z,      p->pol.x, p->pol.y,
                                                   p->pol.z, p->wavelength, p->time };
    const double          error[PHOTON_WEIGHT] = { place,    place,           place,    p->e_dir,
                                                   p->e_dir, p->e_dir,        p->e_pol, p->e_pol,
                                                   p->e_pol, p->e_wavelength, p->e_time };
    const uint32_t        of[PHOTON_WORDS]     = {
                   [PHOTON_FLAGS] = p->flags,  [PHOTON_FACE_LAST] = (uint32_t)p->face,
                   [PHOTON_KEY_0] = p->key[0], [PHOTON_KEY_1] = p->key[1],
                   [PHOTON_DRAW] = p->draw,    [PHOTON_ORIGIN] = p->generation | p->medium << 8,
    };

    for (int f = 0; f < PHOTON_WEIGHT; f++)
        expect_real(real, place_of(i, PHOTON_REALS, f), value[f], error[f], p->in_doubt);
    for (int f = 0; f < PHOTON_WORDS; f++)
        expect_integer(word, place_of(i, PHOTON_WORDS, f), of[f], p->in_doubt);
}

/* ---- all of them */

static void expect_photon(const work *w, int64_t i, double *chance)
{
    const assay_reference_args *args       = w->args;
    const bool                  is_history = args->param[PROPAGATE_PARAM_IS_HISTORY] != 0;
    const int64_t               photons    = args->param[PROPAGATE_PARAM_PHOTONS];
    const photon_ref            from =
        is_history ? photon_ref_source(args->in, args->param, args->scalar, i)
                              : photon_ref_load(args->in[PROPAGATE_BUF_REAL], args->in[PROPAGATE_BUF_WORD], i);
    const double weight = (double)weight_of(args->in, args->param, i);
    const ends   e      = is_history ? history(&w->world, args->param[PROPAGATE_PARAM_STEPS], &from)
                                     : one_step(&w->world, &from);
    bool         in_doubt = false;

    for (int64_t g = 0; g < PHOTON_GENERATIONS; g++) {
        in_doubt = in_doubt || e.of[g].in_doubt || (!is_history && e.last.in_doubt);
        expect_end(w, &e.of[g], g * photons + i, in_doubt);
        if (e.of[g].flags != 0)
            args->expect[PROPAGATE_BUF_END_WEIGHT].value[g * photons + i] = weight;
    }
    if (!is_history)
        expect_state(w, &e.last, i);
    *chance += fmin(1, e.last.chance);
}

static void expect_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const work *w = context;

    for (int64_t i = begin; i < end; i++)
        expect_photon(w, i, &w->chance[chunk]);
}

/* Weights, and lanes past the last photon, are unchanged. */
static void expect_unchanged(const assay_reference_args *args)
{
    const float    *real = args->in[PROPAGATE_BUF_REAL];
    const uint32_t *word = args->in[PROPAGATE_BUF_WORD];
    assay_expected *e    = args->expect;

    for (int64_t k = 0; k < args->count[PROPAGATE_BUF_REAL]; k++)
        e[PROPAGATE_BUF_REAL].value[k] = (double)real[k];
    for (int64_t k = 0; k < args->count[PROPAGATE_BUF_WORD]; k++)
        e[PROPAGATE_BUF_WORD].integer[k] = word[k];
}

/* The predicted share of photons in doubt, from the widths of decisions alone; a few more where
 * states were put on decisions. */
static void set_shares(const assay_reference_args *args, double chance)
{
    static const int outputs[] = { PROPAGATE_BUF_REAL,      PROPAGATE_BUF_WORD,
                                   PROPAGATE_BUF_END_PLACE, PROPAGATE_BUF_END_TIME,
                                   PROPAGATE_BUF_END_FLAGS, PROPAGATE_BUF_END_FACE };
    const double     hard      = args->param[PROPAGATE_PARAM_IS_HARD] ? 1.0 / PHOTON_HARD_KINDS : 0;
    const double     n         = fmax(1, (double)args->param[PROPAGATE_PARAM_PHOTONS]);
    const double     share     = fmin(0.9, 2 * (hard + chance / n));

    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
        if (args->expect[outputs[k]].law)
            args->expect[outputs[k]].exempt_share = share;
}

/* The tally follows from the kernel's own records: the case's comparer counts them. */
static void expect_tally(const assay_reference_args *args)
{
    const assay_expected *e    = args->expect;
    int64_t              *sums = e[PROPAGATE_BUF_TALLY].integer;

    for (int64_t row = 0; row < args->count[PROPAGATE_BUF_END_FLAGS]; row++) {
        const uint32_t flags = (uint32_t)e[PROPAGATE_BUF_END_FLAGS].integer[row];
        const int64_t  face  = e[PROPAGATE_BUF_END_FACE].integer[row];

        photon_ref_count(flags, face, args->in[PROPAGATE_BUF_FACES], sums);
    }
}

void photon_propagate_reference(const assay_reference_args *args)
{
    const int64_t n        = args->param[PROPAGATE_PARAM_PHOTONS];
    const int64_t n_chunks = (n + PHOTONS_A_CHUNK - 1) / PHOTONS_A_CHUNK;
    work          w        = { args, photon_ref_world_of(args->in), NULL };
    double        chance   = 0;

    w.chance = calloc((size_t)n_chunks + 1, sizeof *w.chance);
    if (!w.chance)
        abort(); /* without memory there is no answer: a crash before anything is judged */
    if (!args->param[PROPAGATE_PARAM_IS_HISTORY])
        expect_unchanged(args);
    args->parallel_for(n, PHOTONS_A_CHUNK, expect_chunk, &w);
    for (int64_t k = 0; k < n_chunks; k++)
        chance += w.chance[k];
    free(w.chance);
    set_shares(args, chance);
    expect_tally(args);
}

/* ---- the reference as a variant */

void photon_ref_count(uint32_t flags, int64_t face, const uint32_t *faces, int64_t *sums)
{
    static const struct {
        uint32_t flag;
        int      tally;
    } kinds[] = {
        { PHOTON_NO_HIT, PHOTON_TALLY_NO_HIT },
        { PHOTON_SURFACE_DETECT, PHOTON_TALLY_DETECT },
        { PHOTON_SURFACE_ABSORB, PHOTON_TALLY_SURFACE_ABSORB },
        { PHOTON_REEMIT, PHOTON_TALLY_REEMIT },
        { PHOTON_OUT_OF_STEPS, PHOTON_TALLY_OUT_OF_STEPS },
        { PHOTON_NAN_ABORT, PHOTON_TALLY_NAN_ABORT },
    };

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        sums[kinds[k].tally] += (flags & kinds[k].flag) != 0;
    sums[PHOTON_TALLY_BULK_ABSORB] +=
        (flags & (PHOTON_BULK_ABSORB | PHOTON_REEMIT)) == PHOTON_BULK_ABSORB;
    if (flags & PHOTON_SURFACE_DETECT)
        sums[PHOTON_TALLIES + faces[2 * face + 1]]++;
}

static void write_end(const assay_args *args, const photon_ref *p, int64_t row, float weight)
{
    const bool    has_end = p->flags != 0;
    const int64_t rows    = args->count[PROPAGATE_BUF_END_TIME];
    const double  at[3]   = { p->pos.x, p->pos.y, p->pos.z };

    for (int a = 0; a < 3; a++)
        ((float *)args->buf[PROPAGATE_BUF_END_PLACE])[a * rows + row] = has_end ? (float)at[a] : 0;
    ((float *)args->buf[PROPAGATE_BUF_END_TIME])[row]     = has_end ? (float)p->time : 0;
    ((float *)args->buf[PROPAGATE_BUF_END_WEIGHT])[row]   = has_end ? weight : 0;
    ((uint32_t *)args->buf[PROPAGATE_BUF_END_FLAGS])[row] = p->flags;
    ((int32_t *)args->buf[PROPAGATE_BUF_END_FACE])[row]   = has_end ? p->face : -1;
}

static void write_photon(const assay_args *args, const photon_ref_world *w, int64_t i,
                         int64_t *sums)
{
    const bool       is_history = args->param[PROPAGATE_PARAM_IS_HISTORY] != 0;
    const int64_t    photons    = args->param[PROPAGATE_PARAM_PHOTONS];
    float *const     real       = args->buf[PROPAGATE_BUF_REAL];
    uint32_t *const  word       = args->buf[PROPAGATE_BUF_WORD];
    const float      weight     = weight_of((const void *const *)args->buf, args->param, i);
    const photon_ref from =
        is_history ? photon_ref_source((const void *const *)args->buf, args->param, args->scalar, i)
                   : photon_ref_load(real, word, i);
    const ends e =
        is_history ? history(w, args->param[PROPAGATE_PARAM_STEPS], &from) : one_step(w, &from);

    for (int64_t g = 0; g < PHOTON_GENERATIONS; g++) {
        write_end(args, &e.of[g], g * photons + i, weight);
        photon_ref_count(e.of[g].flags, e.of[g].face, w->faces, sums);
    }
    if (!is_history)
        photon_ref_store(&e.last, real, word, i);
}

int photon_propagate_cpu_ref(const assay_args *args, assay_stream stream)
{
    const photon_ref_world w    = photon_ref_world_of((const void *const *)args->buf);
    const int64_t          n    = args->count[PROPAGATE_BUF_TALLY];
    int64_t               *sums = calloc((size_t)n, sizeof *sums);

    (void)stream;
    if (!sums)
        return 1;
    for (int64_t i = 0; i < args->param[PROPAGATE_PARAM_PHOTONS]; i++)
        write_photon(args, &w, i, sums);
    for (int64_t k = 0; k < n; k++)
        ((uint32_t *)args->buf[PROPAGATE_BUF_TALLY])[k] = (uint32_t)sums[k];
    free(sums);
    return 0;
}
