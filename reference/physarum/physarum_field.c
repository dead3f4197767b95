/* Deposits, blur, blend and decay in double. */
#include "physarum.h"

#include "../../kernels/physarum/physarum_case.h"

#include <math.h>
#include <stdlib.h>

enum {
    AGENTS_A_CHUNK = 65536,
    ROWS_A_CHUNK   = 16,
    MAX_BLUR       = 5
};

/* Far from all trails the field is below the normal range, where each operation rounds by up to
 * 2^-150: u times this. */
static const double TINY = 0x1p-126;

typedef struct work {
    const physarum_model     *m;
    const float              *field, *pos;
    uint32_t                 *count; /* deposits in each cell */
    const physarum_field_out *out;
} work;

static void run(const physarum_model *m, int64_t count, int64_t size, assay_parallel_fn *fn,
                work *w)
{
    if (m->parallel_for)
        m->parallel_for(count, size, fn, w);
    else
        fn(w, 0, 0, count);
}

/* ---- deposits: integers, so that the order of agents does not matter */

static void count_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const work *w = context;

    (void)chunk;
    for (int64_t i = begin; i < end; i++)
        (void)__atomic_fetch_add(&w->count[physarum_deposit_cell(w->m, w->pos + 2 * i)], 1,
                                 __ATOMIC_RELAXED);
}

/* An assignment through indices that repeat counts once. */
static double deposits_in(const work *w, int64_t cell)
{
    const uint32_t n = w->count[cell];

    return w->m->semantics == PHYSARUM_TORCH ? (n > 0) : (double)n;
}

/* ---- the mean of a square of cells */

typedef struct cell_sum {
    double value, magnitude, roundings;
    bool   has_doubt;
} cell_sum;

/* A place on an axis that is a torus in canonical semantics; -1 is outside. */
static int64_t place_on(const physarum_model *m, int64_t i, int64_t extent)
{
    if (i >= 0 && i < extent)
        return i;
    if (m->semantics != PHYSARUM_CANONICAL)
        return -1;
    return (i % extent + extent) % extent;
}

/* Adding n deposits one by one to a cell rounds n times, each time at most relative to the sum. */
static void add_cell(const work *w, int64_t cell, cell_sum *sum)
{
    const double n     = deposits_in(w, cell);
    const double value = (double)w->field[cell] + w->m->deposit * n;
    const double size  = fabs((double)w->field[cell]) + fabs(w->m->deposit) * n;

    sum->value += value;
    sum->magnitude += size;
    sum->roundings += size * n;
    sum->has_doubt |= w->out->cell_doubt && w->out->cell_doubt[cell];
}

static cell_sum sum_around(const work *w, int64_t y, int64_t x)
{
    const physarum_model *m      = w->m;
    const int64_t         radius = m->blur / 2;
    cell_sum              sum    = { 0 };

    for (int64_t dy = -radius; dy <= radius; dy++) {
        const int64_t row = place_on(m, y + dy, m->height);

        for (int64_t dx = -radius; dx <= radius && row >= 0; dx++) {
            const int64_t column = place_on(m, x + dx, m->width);

            if (column >= 0)
                add_cell(w, row * m->width + column, &sum);
        }
    }
    return sum;
}

/* ---- blend and decay */

static void write_cell(const work *w, int64_t y, int64_t x)
{
    const physarum_model     *m     = w->m;
    const physarum_field_out *out   = w->out;
    const int64_t             cell  = y * m->width + x;
    const double              share = m->blend / (double)(m->blur * m->blur);
    const cell_sum            mean  = sum_around(w, y, x);
    cell_sum                  here  = { 0 };
    double                    value;

    add_cell(w, cell, &here);
    value = (1 - m->decay) * ((1 - m->blend) * here.value + share * mean.value);
    if (out->single)
        out->single[cell] = (float)value;
    if (out->value)
        out->value[cell] = value;
    if (out->magnitude)
        out->magnitude[cell] =
            (1 - m->decay) *
                ((1 - m->blend) * (PHYSARUM_FIELD_ROUNDINGS * here.magnitude + here.roundings) +
                 share * (PHYSARUM_FIELD_ROUNDINGS * mean.magnitude + mean.roundings)) +
            PHYSARUM_FIELD_ROUNDINGS * TINY;
    if (out->law)
        out->law[cell] = mean.has_doubt ? ASSAY_EXEMPT : ASSAY_COMPARE;
}

static void write_rows(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const work *w = context;

    (void)chunk;
    for (int64_t y = begin; y < end; y++)
        for (int64_t x = 0; x < w->m->width; x++)
            write_cell(w, y, x);
}

void physarum_next_field(const physarum_model *m, const float *field, const float *pos,
                         const physarum_field_out *out)
{
    const size_t cells = (size_t)(m->height * m->width);
    work         w     = { m, field, pos, calloc(cells + 1, sizeof *w.count), out };

    if (!w.count)
        abort(); /* without memory there is no answer: a crash before anything is judged */
    run(m, m->agents, AGENTS_A_CHUNK, count_chunk, &w);
    run(m, m->height, ROWS_A_CHUNK, write_rows, &w);
    free(w.count);
}
