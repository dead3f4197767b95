/* The density of particles on two spiral arms, deposited on one plane of nodes. */
#include "case_pictures.h"

#include "kernel.h"

#include "../../../kernels/thermo_scatter/scatter_case.h"

#include <math.h>
#include <stdlib.h>

assay_reference_fn thermo_scatter_reference;

enum {
    SIDE  = 160,
    CELLS = SIDE * SIDE,
    N     = 60000
};

static void in_one_thread(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    for (int64_t begin = 0; begin < count; begin += size)
        fn(context, begin / size, begin, begin + size < count ? begin + size : count);
}

/* There are more near the centre; the distance from the arm is the sum of four uniform numbers. */
static void place(int i, float pos[3])
{
    const uint64_t k      = 6 * (uint64_t)i;
    const double   radius = 0.47 * pow(case_picture_random(1, k), 0.6);
    double         off    = -2;
    double         angle;

    for (uint64_t n = 1; n < 5; n++)
        off += case_picture_random(1, k + n);
    angle  = 7 * sqrt(radius) + 0.5 * off + (i % 2) * 3.14159265358979;
    pos[0] = (float)(0.5 + radius * sin(angle));
    pos[1] = (float)(0.5 + radius * cos(angle));
    pos[2] = 0;
}

/* Memory of the call, all zeros. */
typedef struct deposit {
    float         *pos, *vel, *mass;
    double        *value[3], *magnitude[3]; /* rho, mom, e */
    int64_t        rejected;
    void          *in[SCATTER_N_BUFS];
    int64_t        count[SCATTER_N_BUFS];
    assay_expected expect[SCATTER_N_BUFS];
} deposit;

static bool allocate(deposit *d)
{
    bool is_there;

    d->pos   = calloc(3 * N, sizeof *d->pos);
    d->vel   = calloc(3 * N, sizeof *d->vel); /* at rest; the heat of each is 0 too */
    d->mass  = calloc(N, sizeof *d->mass);
    is_there = d->pos && d->vel && d->mass;
    for (int k = 0; k < 3; k++) {
        d->value[k]     = calloc(3 * CELLS, sizeof **d->value);
        d->magnitude[k] = calloc(3 * CELLS, sizeof **d->magnitude);
        is_there        = is_there && d->value[k] && d->magnitude[k];
    }
    return is_there;
}

static void release(deposit *d)
{
    free(d->pos);
    free(d->vel);
    free(d->mass);
    for (int k = 0; k < 3; k++) {
        free(d->value[k]);
        free(d->magnitude[k]);
    }
}

static void run(deposit *d)
{
    const int64_t        param[]  = { SIDE, SIDE, 1, SCATTER_UNIFORM, SCATTER_FIELDS };
    const double         scalar[] = { (double)(1.0f / SIDE) };
    assay_reference_args args     = { .in           = (const void *const *)d->in,
                                      .expect       = d->expect,
                                      .count        = d->count,
                                      .param        = param,
                                      .scalar       = scalar,
                                      .parallel_for = in_one_thread };

    for (int i = 0; i < N; i++) {
        place(i, d->pos + 3 * i);
        d->mass[i] = 1.0f / N;
    }
    d->in[SCATTER_BUF_POS]       = d->pos;
    d->in[SCATTER_BUF_VEL]       = d->vel;
    d->in[SCATTER_BUF_MASS]      = d->mass;
    d->in[SCATTER_BUF_HEAT]      = d->vel;
    d->count[SCATTER_BUF_MASS]   = N;
    d->count[SCATTER_BUF_RHO]    = CELLS;
    d->count[SCATTER_BUF_MOM]    = 3 * CELLS;
    d->count[SCATTER_BUF_E_INT]  = CELLS;
    d->count[SCATTER_BUF_ERRORS] = 1;
    for (int k = 0; k < 3; k++)
        d->expect[SCATTER_BUF_RHO + k] =
            (assay_expected) { .value = d->value[k], .magnitude = d->magnitude[k] };
    d->expect[SCATTER_BUF_ERRORS].integer = &d->rejected;
    thermo_scatter_reference(&args);
}

/* Draws the square root: the centre has a hundred times the density of the arms' ends. */
static bool draw(const deposit *d, picture *p)
{
    static float  density[CELLS];
    picture_field f = { density, SIDE, SIDE, 0, 0, 2 };

    for (int i = 0; i < CELLS; i++) {
        density[i] = (float)sqrt(d->value[0][i]);
        f.high     = fmax(f.high, (double)density[i]);
    }
    f.high *= 0.9;
    return case_picture_of_field(&f, "ocean", p);
}

bool case_picture_scatter(picture *p)
{
    deposit d        = { .pos = NULL };
    bool    is_drawn = allocate(&d);

    if (is_drawn)
        run(&d);
    is_drawn = is_drawn && draw(&d, p);
    release(&d);
    return is_drawn;
}
