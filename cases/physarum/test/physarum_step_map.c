/* The model as a map. */
#include "physarum_step_map.h"

#include "physarum_toy.h"

#include <string.h>

const char *const physarum_kind_words[PHYSARUM_N_KINDS] = {
    "heading", "place", "cell", "strength", "decay", "deposit", "step", "distance", "spread",
};

static int64_t count_of(const physarum_model *m, physarum_kind kind)
{
    switch (kind) {
    case PHYSARUM_HEADING:
        return m->agents;
    case PHYSARUM_PLACE:
        return 2 * m->agents;
    case PHYSARUM_CELL:
        return m->height * m->width;
    default:
        return 1;
    }
}

physarum_group physarum_step_map_group(const physarum_step_map *s, physarum_kind kind)
{
    physarum_group group = { .count = count_of(s->m, kind) };

    for (int k = 0; k < (int)kind; k++)
        group.first += count_of(s->m, (physarum_kind)k);
    return group;
}

static void perturb_number(physarum_model *m, physarum_kind kind, double by)
{
    double *const numbers[PHYSARUM_N_KINDS] = { [PHYSARUM_STRENGTH] = &m->blend,
                                                [PHYSARUM_DECAY]    = &m->decay,
                                                [PHYSARUM_DEPOSIT]  = &m->deposit };
    float *const  singles[PHYSARUM_N_KINDS] = {
         [PHYSARUM_STEP] = &m->step, [PHYSARUM_DISTANCE] = &m->reach, [PHYSARUM_SPREAD] = &m->spread
    };

    if (numbers[kind])
        *numbers[kind] += by;
    if (singles[kind])
        *singles[kind] += (float)by;
}

static void perturb(physarum_model *m, physarum_owned *run, int64_t i, double by)
{
    float *const part[PHYSARUM_N_KINDS] = { run->angle, run->pos, run->field };
    int          kind                   = 0;

    while (i >= count_of(m, (physarum_kind)kind))
        i -= count_of(m, (physarum_kind)kind++);
    if (part[kind])
        part[kind][i] += (float)by;
    else
        perturb_number(m, (physarum_kind)kind, by);
}

static void begin(const physarum_step_map *s)
{
    const size_t n = (size_t)s->m->agents, cells = (size_t)(s->m->height * s->m->width);

    memcpy(s->run.pos, s->start->pos, 2 * n * sizeof(float));
    memcpy(s->run.angle, s->start->angle, n * sizeof(float));
    memcpy(s->run.field, s->start->field, cells * sizeof(float));
}

/* By the hash of Fowler, Noll and Vo, a cell at a time. */
static uint64_t add_cells(uint64_t piece, const physarum_model *m, const float *pos)
{
    for (int64_t i = 0; i < m->agents; i++)
        piece = (piece ^ (uint64_t)physarum_deposit_cell(m, pos + 2 * i)) * 0x100000001B3u;
    return piece;
}

static uint64_t apply(void *context, int64_t i, double by, double *y)
{
    physarum_step_map *s     = context;
    physarum_model     m     = *s->m;
    uint64_t           piece = 0xCBF29CE484222325u;

    begin(s);
    perturb(&m, &s->run, i, by);
    for (int64_t k = 0; k < s->steps; k++) {
        (void)physarum_advance(&m, s->run.pos, s->run.angle, s->run.field, 1);
        piece = add_cells(piece, &m, s->run.pos);
    }
    for (int64_t c = 0; c < m.height * m.width; c++)
        y[c] = (double)s->run.field[c];
    return piece;
}

physarum_map physarum_step_map_of(physarum_step_map *s)
{
    const physarum_group last = physarum_step_map_group(s, PHYSARUM_SPREAD);

    return (physarum_map) {
        .n = last.first + last.count, .m = s->m->height * s->m->width, .apply = apply, .context = s
    };
}

static double total_after(const physarum_model *m, double sum, int64_t steps)
{
    const physarum_toy toy  = physarum_toy_of_totals(m->decay, m->deposit);
    double             v[2] = { sum, (double)m->agents };

    physarum_toy_advance(&toy, v, steps);
    return v[0];
}

double physarum_step_map_toy_sum(const physarum_step_map *s, physarum_kind kind, double eps)
{
    const double   sum = physarum_field_sum(s->m, s->start->field);
    physarum_model m   = *s->m;

    perturb_number(&m, kind, eps);
    return (total_after(&m, kind == PHYSARUM_CELL ? sum + eps : sum, s->steps) -
            total_after(s->m, sum, s->steps)) /
           eps;
}
