/* Many steps: the states from which cases start. Without doubts a step is done in place, batch by
 * batch and row by row, with the numbers of physarum_move_agents and physarum_next_field, which
 * need minutes for 200 steps of 16 M agents. */
#include "physarum.h"

#include "../../kernels/physarum/physarum_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD,
    LEFT,
    RIGHT
};

enum {
    BATCH          = 128, /* agents whose loads of cells are in flight together */
    AGENTS_A_CHUNK = 64 * BATCH,
    ROWS_A_CHUNK   = 16,
    CELLS_A_CHUNK  = 1 << 18,
    MAX_BLUR       = 5,
    MAX_RADIUS     = MAX_BLUR / 2
};

typedef struct run {
    const physarum_model *m;
    float                *pos, *angle;
    float                *field, *new_field;
    uint32_t             *count; /* deposits in each cell */
    physarum_moves        moves; /* torch: agents read one another, so that their moves are stored
                                  * elsewhere first */
} run;

static void each(run *r, int64_t count, int64_t size, assay_parallel_fn *fn)
{
    if (r->m->parallel_for)
        r->m->parallel_for(count, size, fn, r);
    else
        for (int64_t begin = 0; begin < count; begin += size)
            fn(r, begin / size, begin, count - begin < size ? count : begin + size);
}

static void deposit_at(run *r, const float pos[2])
{
    (void)__atomic_fetch_add(&r->count[physarum_deposit_cell(r->m, pos)], 1, __ATOMIC_RELAXED);
}

/* ---- agents that read the cells nearest to their own sensors */

typedef struct batch {
    int64_t begin, n;
    float   heading[3][BATCH], sine[3][BATCH], cosine[3][BATCH], value[3][BATCH];
} batch;

static void look(const run *r, batch *b)
{
    const float        turn[3] = { [LEFT] = r->m->spread, [RIGHT] = -r->m->spread };
    const float *const angle   = r->angle + b->begin;

    for (int k = AHEAD; k <= RIGHT; k++)
        for (int64_t j = 0; j < b->n; j++) {
            b->heading[k][j] = angle[j] + turn[k];
            b->sine[k][j]    = sinf(b->heading[k][j]);
            b->cosine[k][j]  = cosf(b->heading[k][j]);
        }
}

/* Finds the cells first, and then reads them: many loads are in flight at a time. */
static void sense(const run *r, batch *b)
{
    const physarum_model m   = *r->m;
    const float *const   pos = r->pos + 2 * b->begin;
    int64_t              cell[BATCH];

    for (int k = AHEAD; k <= RIGHT; k++) {
        for (int64_t j = 0; j < b->n; j++) {
            const float to_y = m.reach * b->sine[k][j], to_x = m.reach * b->cosine[k][j];
            const float at[2] = { physarum_sensor_place(&m, pos[2 * j] + to_y, m.height),
                                  physarum_sensor_place(&m, pos[2 * j + 1] + to_x, m.width) };

            cell[j] = physarum_deposit_cell(&m, at);
        }
        for (int64_t j = 0; j < b->n; j++)
            b->value[k][j] = r->field[cell[j]];
    }
}

/* Only a sensor above both others turns the agent. If the new heading is that sensor's own, not
 * wrapped, its sine is known. */
static void move(run *r, const batch *b, int64_t j)
{
    const physarum_model *m        = r->m;
    const int64_t         i        = b->begin + j;
    float *const          pos      = r->pos + 2 * i;
    const float           ahead    = b->value[AHEAD][j];
    const float           left     = b->value[LEFT][j];
    const float           right    = b->value[RIGHT][j];
    const bool            is_left  = (left > ahead) & (left > right);
    const bool            is_right = (right > ahead) & (right > left);
    const int             k        = is_left * LEFT + is_right * RIGHT;
    const float           angle    = physarum_heading_after(m, r->angle[i], is_left - is_right);
    const bool            is_known = !(angle < b->heading[k][j] || angle > b->heading[k][j]);
    const float           to_y     = m->step * (is_known ? b->sine[k][j] : sinf(angle));
    const float           to_x     = m->step * (is_known ? b->cosine[k][j] : cosf(angle));

    r->angle[i] = angle;
    pos[0]      = physarum_wrap(m, pos[0] + to_y, m->height);
    pos[1]      = physarum_wrap(m, pos[1] + to_x, m->width);
    __builtin_prefetch(&r->count[physarum_deposit_cell(m, pos)], 1);
}

static void move_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    run  *r = context;
    batch b;

    (void)chunk;
    for (b.begin = begin; b.begin < end; b.begin += b.n) {
        b.n = end - b.begin < BATCH ? end - b.begin : BATCH;
        look(r, &b);
        sense(r, &b);
        for (int64_t j = 0; j < b.n; j++)
            move(r, &b, j);
        for (int64_t j = 0; j < b.n; j++)
            deposit_at(r, r->pos + 2 * (b.begin + j));
    }
}

/* ---- agents that read one another's sensors */

static void settle_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    run         *r = context;
    const size_t n = (size_t)(end - begin);

    (void)chunk;
    memcpy(r->pos + 2 * begin, r->moves.pos + 2 * begin, 2 * n * sizeof *r->pos);
    memcpy(r->angle + begin, r->moves.angle + begin, n * sizeof *r->angle);
    for (int64_t i = begin; i < end; i++)
        deposit_at(r, r->pos + 2 * i);
}

static void move_all(run *r)
{
    if (r->m->semantics != PHYSARUM_TORCH) {
        each(r, r->m->agents, AGENTS_A_CHUNK, move_chunk);
        return;
    }
    physarum_move_agents(r->m, &(physarum_state) { r->pos, r->angle, r->field }, &r->moves);
    each(r, r->m->agents, AGENTS_A_CHUNK, settle_chunk);
}

/* ---- the field: sums along rows, each of which is used in several rows of means */

/* Rows y - radius to y + radius: cells with their deposits, and sums of the cells around each. */
typedef struct rows {
    double *cell[MAX_BLUR], *sum[MAX_BLUR];
} rows;

static int64_t slot_of(const run *r, int64_t y) { return (y + r->m->blur) % r->m->blur; }

/* `cell` has MAX_RADIUS more places on either side. */
static void load_cells(const run *r, int64_t row, double *cell)
{
    const physarum_model *m       = r->m;
    const float          *field   = r->field + row * m->width;
    const uint32_t       *count   = r->count + row * m->width;
    const bool            is_once = m->semantics == PHYSARUM_TORCH;

    for (int64_t x = 0; x < m->width; x++) {
        const double n = is_once ? count[x] > 0 : count[x];

        cell[x] = (double)field[x] + m->deposit * n;
    }
    for (int64_t k = 1; k <= MAX_RADIUS && m->semantics == PHYSARUM_CANONICAL; k++) {
        cell[-k]               = cell[(k * m->width - k) % m->width];
        cell[m->width - 1 + k] = cell[(k - 1) % m->width];
    }
}

/* Outside a field with borders everything is 0. */
static void load_row(const run *r, const rows *w, int64_t y)
{
    const physarum_model *m         = r->m;
    const int64_t         radius    = m->blur / 2;
    double *const         cell      = w->cell[slot_of(r, y)];
    double *const         sum       = w->sum[slot_of(r, y)];
    const bool            is_inside = y >= 0 && y < m->height;

    memset(sum, 0, (size_t)m->width * sizeof *sum);
    if (!is_inside && m->semantics != PHYSARUM_CANONICAL)
        return;
    load_cells(r, (y % m->height + m->height) % m->height, cell);
    for (int64_t k = -radius; k <= radius; k++)
        for (int64_t x = 0; x < m->width; x++)
            sum[x] += cell[x + k];
}

static void write_row(run *r, const rows *w, int64_t y)
{
    const physarum_model *m      = r->m;
    const int64_t         radius = m->blur / 2;
    const double          share  = m->blend / (double)(m->blur * m->blur);
    const double         *here   = w->cell[slot_of(r, y)];
    float *const          to     = r->new_field + y * m->width;

    for (int64_t x = 0; x < m->width; x++) {
        double mean = 0;

        for (int64_t k = -radius; k <= radius; k++)
            mean += w->sum[slot_of(r, y + k)][x];
        to[x] = (float)((1 - m->decay) * ((1 - m->blend) * here[x] + share * mean));
    }
}

static void write_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    run          *r      = context;
    const int64_t radius = r->m->blur / 2, width = r->m->width + 2 * MAX_RADIUS;
    double *const memory = physarum_allocate(2 * MAX_BLUR * width, sizeof *memory);
    rows          w;

    (void)chunk;
    for (int64_t k = 0; k < MAX_BLUR; k++) {
        w.cell[k] = memory + 2 * k * width + MAX_RADIUS;
        w.sum[k]  = w.cell[k] + width;
    }
    for (int64_t y = begin - radius; y < begin + radius; y++)
        load_row(r, &w, y);
    for (int64_t y = begin; y < end; y++) {
        load_row(r, &w, y + radius);
        write_row(r, &w, y);
    }
    free(memory);
}

static void clear_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    run *r = context;

    (void)chunk;
    memset(r->count + begin, 0, (size_t)(end - begin) * sizeof *r->count);
}

/* ---- steps */

static void step(run *r)
{
    const int64_t cells = r->m->height * r->m->width;
    float *const  last  = r->field;

    each(r, cells, CELLS_A_CHUNK, clear_chunk);
    move_all(r);
    each(r, r->m->height, ROWS_A_CHUNK, write_chunk);
    r->field     = r->new_field;
    r->new_field = last;
}

static void advance_in_place(const physarum_model *m, float *pos, float *angle, float *field,
                             int64_t steps)
{
    const bool    is_torch = m->semantics == PHYSARUM_TORCH;
    const int64_t cells    = m->height * m->width;
    float *const  other    = physarum_allocate(cells, sizeof *other);
    run           r        = { m, pos, angle, field, other, .moves = { .pos = NULL } };

    r.count = physarum_allocate(cells, sizeof *r.count);
    if (is_torch) {
        r.moves.pos   = physarum_allocate(2 * m->agents, sizeof *r.moves.pos);
        r.moves.angle = physarum_allocate(m->agents, sizeof *r.moves.angle);
    }
    for (int64_t k = 0; k < steps; k++)
        step(&r);
    if (r.field != field)
        memcpy(field, r.field, (size_t)cells * sizeof *field);
    free(r.moves.pos);
    free(r.moves.angle);
    free(r.count);
    free(other);
}

static int64_t count_set(const uint8_t *doubt, int64_t n)
{
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++)
        count += doubt[i] != 0;
    return count;
}

static int64_t advance_with_doubts(const physarum_model *m, float *pos, float *angle, float *field,
                                   int64_t steps)
{
    const size_t         n         = (size_t)m->agents;
    const int64_t        cells     = m->height * m->width;
    float               *new_field = physarum_allocate(cells, sizeof *new_field);
    const physarum_state s         = { pos, angle, field };
    const physarum_moves moves     = { .pos        = physarum_allocate(2 * m->agents, sizeof(float)),
                                       .angle      = physarum_allocate(m->agents, sizeof(float)),
                                       .doubt      = physarum_allocate(m->agents, 1),
                                       .cell_doubt = physarum_allocate(cells, 1) };
    int64_t              doubts    = 0;

    for (int64_t k = 0; k < steps; k++) {
        physarum_move_agents(m, &s, &moves);
        physarum_next_field(m, field, moves.pos, &(physarum_field_out) { .single = new_field });
        memcpy(pos, moves.pos, 2 * n * sizeof *pos);
        memcpy(angle, moves.angle, n * sizeof *angle);
        memcpy(field, new_field, (size_t)cells * sizeof *field);
        doubts += count_set(moves.doubt, m->agents);
    }
    free(moves.pos);
    free(moves.angle);
    free(moves.doubt);
    free(moves.cell_doubt);
    free(new_field);
    return doubts;
}

int64_t physarum_advance(const physarum_model *m, float *pos, float *angle, float *field,
                         int64_t steps)
{
    if (m->has_doubts)
        return advance_with_doubts(m, pos, angle, field, steps);
    advance_in_place(m, pos, angle, field, steps);
    return 0;
}
