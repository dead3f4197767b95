/* One step to compare with, and the predicted shares in doubt. */
#include "physarum.h"

#include "../../kernels/physarum/physarum_case.h"

#include <math.h>
#include <stdlib.h>

void *physarum_allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);

    if (!memory)
        abort(); /* without memory there is no answer: a crash before anything is judged */
    return memory;
}

physarum_model physarum_model_of(const int64_t *param, const double *scalar,
                                 assay_parallel_for_fn *parallel_for)
{
    return (physarum_model) {
        .height       = param[PHYSARUM_PARAM_HEIGHT],
        .width        = param[PHYSARUM_PARAM_WIDTH],
        .agents       = param[PHYSARUM_PARAM_AGENTS],
        .semantics    = (int)param[PHYSARUM_PARAM_SEMANTICS],
        .blur         = (int)param[PHYSARUM_PARAM_BLUR],
        .step         = (float)scalar[PHYSARUM_SCALAR_STEP],
        .reach        = (float)scalar[PHYSARUM_SCALAR_REACH],
        .spread       = (float)scalar[PHYSARUM_SCALAR_SPREAD],
        .blend        = scalar[PHYSARUM_SCALAR_BLEND],
        .decay        = scalar[PHYSARUM_SCALAR_DECAY],
        .deposit      = scalar[PHYSARUM_SCALAR_DEPOSIT],
        .parallel_for = parallel_for,
    };
}

/* ---- predicted shares */

/* Share of values v = integer + amplitude * sin(uniform) within `error` of an integer. Where sine
 * is flat (the amplitude is an integer, with positions on integers as at the start) the square root
 * counts, elsewhere twice the error. A value that does not move at all is as certain as before. */
static double edge_share(double amplitude, double error)
{
    if (!(amplitude > 0))
        return 0;
    return 2 * error + 0.637 * sqrt(2 * error / amplitude);
}

static double coordinate_error(const physarum_model *m)
{
    const double extent = (double)(m->height > m->width ? m->height : m->width);
    const double unit   = m->semantics == PHYSARUM_TORCH ? 4 * PHYSARUM_ROUNDOFF * extent : 0;

    return (double)m->reach * PHYSARUM_ANGLE_ERROR + unit;
}

/* Three sensors with two coordinates at an edge; two coordinates of the move; the heading. Bilinear
 * samples differ by about a gradient times the distance of the sensors, and are off by one gradient
 * times the error, on either side, for three pairs. Where trails are flat, rounding alone decides:
 * 1 in 1000. */
double physarum_doubt_share(const physarum_model *m)
{
    const double error = coordinate_error(m);
    const double sense = 6 * edge_share((double)m->reach, error);
    const double move  = 2 * edge_share((double)m->step, (double)m->step * PHYSARUM_ANGLE_ERROR);
    const double ties  = m->semantics == PHYSARUM_TORCH ? 32 * error + 1e-3 : 0;

    return fmin(0.5, sense + move + ties + PHYSARUM_ANGLE_ERROR);
}

/* An agent that goes another way changes two squares of cells. */
double physarum_field_doubt_share(const physarum_model *m)
{
    const double n      = (double)m->agents;
    const double mean   = n * physarum_doubt_share(m);
    const double agents = fmin(n, mean + 6 * sqrt(mean) + 12);

    return fmin(0.9, 2 * m->blur * m->blur * agents / fmax(1, (double)(m->height * m->width)));
}

/* ---- expectations */

/* Error of a coordinate, in units of u = 2^-24: two roundings of the sum and, if it wrapped, of the
 * extent; and the step times the error of the heading. */
static double position_magnitude(const physarum_model *m, float from, float to, int64_t extent)
{
    const bool has_wrapped = fabsf(to - from) > m->step + 1;

    return 2 * (double)fabsf(from) + (has_wrapped ? 2 * (double)extent : 0) +
           (double)m->step * PHYSARUM_ANGLE_ERROR / PHYSARUM_ROUNDOFF;
}

static void expect_agent(const physarum_model *m, const physarum_state *s,
                         const physarum_moves *moves, int64_t i, assay_expected *pos,
                         assay_expected *angle)
{
    const int64_t extent[2] = { m->height, m->width };
    const int     at[2]     = { PHYSARUM_DOUBT_Y, PHYSARUM_DOUBT_X };
    const uint8_t doubt     = moves->doubt[i];

    for (int64_t a = 0; a < 2; a++) {
        const int64_t k = 2 * i + a;

        pos->value[k]     = (double)moves->pos[k];
        pos->magnitude[k] = position_magnitude(m, s->pos[k], moves->pos[k], extent[a]);
        pos->law[k]       = doubt & (PHYSARUM_DOUBT_TURN | at[a]) ? ASSAY_EXEMPT : ASSAY_COMPARE;
    }
    angle->value[i]     = (double)moves->angle[i];
    angle->magnitude[i] = (double)fabsf(s->angle[i]) + PHYSARUM_ANGLE_ERROR / PHYSARUM_ROUNDOFF;
    angle->law[i] =
        doubt & (PHYSARUM_DOUBT_TURN | PHYSARUM_DOUBT_ANGLE) ? ASSAY_EXEMPT : ASSAY_COMPARE;
}

void physarum_expect(const physarum_model *model, const physarum_state *s, assay_expected *pos,
                     assay_expected *angle, assay_expected *field)
{
    const int64_t        cells = model->height * model->width;
    physarum_model       m     = *model;
    const physarum_moves moves = { .pos        = physarum_allocate(2 * m.agents, sizeof(float)),
                                   .angle      = physarum_allocate(m.agents, sizeof(float)),
                                   .doubt      = physarum_allocate(m.agents, 1),
                                   .cell_doubt = physarum_allocate(cells, 1) };

    m.has_doubts = true;
    physarum_move_agents(&m, s, &moves);
    for (int64_t i = 0; i < m.agents; i++)
        expect_agent(&m, s, &moves, i, pos, angle);
    physarum_next_field(&m, s->field, moves.pos,
                        &(physarum_field_out) { .value      = field->value,
                                                .magnitude  = field->magnitude,
                                                .law        = field->law,
                                                .cell_doubt = moves.cell_doubt });
    pos->exempt_share   = physarum_doubt_share(&m);
    angle->exempt_share = pos->exempt_share;
    field->exempt_share = physarum_field_doubt_share(&m);
    free(moves.pos);
    free(moves.angle);
    free(moves.doubt);
    free(moves.cell_doubt);
}
