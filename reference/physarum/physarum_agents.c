/* How agents turn and move, where they deposit, and which of that is certain. */
#include "physarum.h"

#include "../../kernels/physarum/physarum_case.h"

#include <math.h>
#include <string.h>

enum {
    AGENTS_A_CHUNK = 8192
};

/* ---- positions */

static float coordinate_after(const physarum_model *m, float from, double direction, int64_t extent)
{
    const float offset = m->step * (float)direction;

    return physarum_wrap(m, from + offset, extent);
}

/* The same at one end of the heading's error. */
static float coordinate_limit(const physarum_model *m, float from, double direction, int64_t extent,
                              int side)
{
    const double exact = (double)from + (double)m->step * direction;
    const double error = (double)m->step * PHYSARUM_ANGLE_ERROR;

    return physarum_wrap(m, (float)(exact + side * error), extent);
}

/* ---- doubts */

/* Marks every cell in which an agent that goes this way may deposit; returns whether there are
 * several. */
static bool doubt_cells(const physarum_model *m, const float from[2], physarum_direction d,
                        uint8_t *cell_doubt)
{
    const float   y[3]        = { coordinate_after(m, from[0], d.sine, m->height),
                                  coordinate_limit(m, from[0], d.sine, m->height, -1),
                                  coordinate_limit(m, from[0], d.sine, m->height, 1) };
    const float   x[3]        = { coordinate_after(m, from[1], d.cosine, m->width),
                                  coordinate_limit(m, from[1], d.cosine, m->width, -1),
                                  coordinate_limit(m, from[1], d.cosine, m->width, 1) };
    const int64_t here        = physarum_deposit_cell(m, (const float[]) { y[0], x[0] });
    bool          is_doubtful = false;

    for (int k = 0; k < 9; k++) {
        const int64_t cell = physarum_deposit_cell(m, (const float[]) { y[k / 3], x[k % 3] });

        is_doubtful |= cell != here;
        if (cell_doubt)
            __atomic_store_n(&cell_doubt[cell], 1, __ATOMIC_RELAXED);
    }
    return is_doubtful;
}

static bool is_at_seam(const physarum_model *m, float from, double direction, int64_t extent)
{
    const float low  = coordinate_limit(m, from, direction, extent, -1);
    const float high = coordinate_limit(m, from, direction, extent, 1);
    const float here = coordinate_after(m, from, direction, extent);
    const float most = fmaxf(fmaxf(low, high), here), least = fminf(fminf(low, high), here);

    return most - least > (float)extent / 2;
}

static uint8_t doubts_of(const physarum_model *m, const float from[2], float angle,
                         physarum_direction d)
{
    const bool is_canonical = m->semantics == PHYSARUM_CANONICAL;
    uint8_t    doubt        = 0;

    if (is_at_seam(m, from[0], d.sine, m->height))
        doubt |= PHYSARUM_DOUBT_Y;
    if (is_at_seam(m, from[1], d.cosine, m->width))
        doubt |= PHYSARUM_DOUBT_X;
    if (is_canonical &&
        (double)fabsf(angle) > (double)PHYSARUM_PI_SINGLE - 2 * PHYSARUM_ANGLE_ERROR)
        doubt |= PHYSARUM_DOUBT_ANGLE;
    return doubt;
}

/* Everything that is uncertain about one agent, and the cells in which it may then deposit. */
static uint8_t judge_agent(const physarum_model *m, const float from[2], float old_angle,
                           float angle, physarum_turn turn, uint8_t *cell_doubt)
{
    const physarum_direction d     = physarum_direction_of(m, angle);
    uint8_t                  doubt = doubts_of(m, from, angle, d);

    if (doubt_cells(m, from, d, NULL)) {
        (void)doubt_cells(m, from, d, cell_doubt);
        doubt |= PHYSARUM_DOUBT_CELL;
    }
    if (turn.is_certain)
        return doubt;
    for (int other = -1; other <= 1; other++)
        (void)doubt_cells(m, from,
                          physarum_direction_of(m, physarum_heading_after(m, old_angle, other)),
                          cell_doubt);
    return doubt | PHYSARUM_DOUBT_TURN;
}

/* ---- all agents */

typedef struct work {
    const physarum_model *m;
    const physarum_state *s;
    const physarum_moves *moves;
} work;

static void move_agent(const work *w, int64_t i)
{
    const physarum_model *m    = w->m;
    const float          *from = w->s->pos + 2 * i;
    physarum_sample       sample[3];
    physarum_turn         turn;
    physarum_direction    d;
    float                 angle;

    physarum_sense(m, w->s, i, sample);
    turn  = physarum_decide(m, sample);
    angle = physarum_heading_after(m, w->s->angle[i], turn.turn);
    d     = physarum_direction_of(m, angle);

    w->moves->angle[i]       = angle;
    w->moves->pos[2 * i]     = coordinate_after(m, from[0], d.sine, m->height);
    w->moves->pos[2 * i + 1] = coordinate_after(m, from[1], d.cosine, m->width);
    if (m->has_doubts)
        w->moves->doubt[i] =
            judge_agent(m, from, w->s->angle[i], angle, turn, w->moves->cell_doubt);
}

static void move_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    (void)chunk;
    for (int64_t i = begin; i < end; i++)
        move_agent(context, i);
}

void physarum_move_agents(const physarum_model *m, const physarum_state *s,
                          const physarum_moves *moves)
{
    work w = { m, s, moves };

    if (m->parallel_for)
        m->parallel_for(m->agents, AGENTS_A_CHUNK, move_chunk, &w);
    else
        move_chunk(&w, 0, 0, m->agents);
}
