/* fused_tiled with tiles of every size, few and many threads, rows of whole groups of four cells
 * and others, on grids that its halo goes round more than once and on such as have tiles away from
 * the seam; and with agents that go as far from their tiles as there are steps between sorts. The
 * update keeps the field as it is in most, so that all sums are of whole numbers: then
 * fused_sorted, whose steps are checked against the reference, gives the same bits in any order of
 * deposits. */
#include "physarum_call.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

assay_launch_fn    physarum_fused_sorted, physarum_fused_tiled;
assay_workspace_fn physarum_fused_sorted_workspace, physarum_fused_tiled_workspace;

enum {
    LARGEST  = 1,      /* tiles at most: as large as they get */
    SMALLEST = 1 << 20 /* as many as there can be */
};

typedef struct size {
    int64_t height, width, agents, steps, block, tiles, every;
} size;

static const size sizes[] = {
    /* Grids below a tile and its halo, and agents in few tiles or none. */
    { 8, 8, 300, 5, 32, SMALLEST, 2 },
    { 8, 8, 65, 19, 64, LARGEST, 16 },
    { 9, 128, 0, 3, 128, 132, 2 },
    { 9, 128, 1, 4, 128, SMALLEST, 16 },
    { 33, 17, 257, 18, 128, SMALLEST, 16 },
    { 40, 36, 500, 18, 256, SMALLEST, 16 },
    /* Tiles of 2^9 to 2^13 cells, by three and by seven rows, two strips. */
    { 128, 256, 3000, 18, 1024, SMALLEST, 16 },
    { 128, 256, 3000, 10, 128, SMALLEST, 8 },
    { 128, 256, 3000, 18, 1024, 32, 16 },
    { 160, 256, 5000, 17, 1024, 20, 16 },
    { 160, 256, 5000, 9, 512, 20, 8 },
    { 256, 192, 4097, 33, 512, 12, 32 },
    { 128, 320, 4097, 26, 512, 10, 24 },
    { 192, 384, 6000, 18, 1024, 9, 16 },
    { 192, 384, 6000, 33, 512, 9, 32 },
    /* Tiles that the grid ends in, and widths that four does not divide. */
    { 97, 89, 2049, 18, 256, SMALLEST, 16 },
    { 161, 203, 3000, 17, 512, 12, 16 },
    { 100, 132, 3000, 18, 256, SMALLEST, 16 },
};

/* ---- calls */

static physarum_model model_of(const size *z, double deposit)
{
    physarum_model m = physarum_test_model(PHYSARUM_CANONICAL, z->height, z->width, z->agents);

    m.blend = m.decay = 0;
    m.deposit         = deposit;
    return m;
}

static void create(physarum_call *c, const physarum_model *m, const size *z,
                   assay_workspace_fn *workspace)
{
    physarum_call_create(c, m, z->steps, workspace);
    for (int b = 3; b < 9; b++)
        memset(c->buf[b], 0xff, (size_t)c->count[b] * sizeof(float));
    memset(c->args.workspace, 0xff, c->args.workspace_bytes);
    c->tune[3] = z->every;
}

static void create_tiled(physarum_call *c, const physarum_model *m, const size *z)
{
    create(c, m, z, physarum_fused_tiled_workspace);
    c->tune[0] = z->block;
    c->tune[1] = z->tiles;
}

static void begin(const physarum_model *m, physarum_owned *s)
{
    physarum_state_seed(m, 5, s);
    for (int64_t i = 0; i < m->height * m->width; i++)
        s->field[i] = (float)(int)(physarum_uniform(6, (uint64_t)i) * 9);
}

/* ---- agents, in any order */

typedef struct agent {
    float y, x, angle;
} agent;

static int compare(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(agent)); /* any order, if it is the same for both */
}

static agent *in_order(const physarum_owned *s, int64_t n)
{
    agent *all = calloc((size_t)n + 1, sizeof *all);

    if (!all)
        abort();
    for (int64_t i = 0; i < n; i++)
        all[i] = (agent) { s->pos[2 * i], s->pos[2 * i + 1], s->angle[i] };
    qsort(all, (size_t)n, sizeof *all, compare);
    return all;
}

static void expect_same(const size *z, const physarum_owned *a, const physarum_owned *b,
                        const char *which)
{
    agent *const left = in_order(a, z->agents), *const right = in_order(b, z->agents);
    const size_t cells = (size_t)(z->height * z->width);

    trial_expect(memcmp(a->field, b->field, cells * sizeof(float)) == 0,
                 "%lld x %lld, %lld agents, %lld steps: the field %s is another",
                 (long long)z->height, (long long)z->width, (long long)z->agents,
                 (long long)z->steps, which);
    trial_expect(memcmp(left, right, (size_t)z->agents * sizeof *left) == 0,
                 "%lld x %lld, %lld agents, %lld steps: the agents %s are others",
                 (long long)z->height, (long long)z->width, (long long)z->agents,
                 (long long)z->steps, which);
    free(left);
    free(right);
}

/* From the state that `start` makes. */
static void test_like_sorted(const size *z, double deposit,
                             void (*start)(const physarum_model *m, physarum_owned *s))
{
    const physarum_model m = model_of(z, deposit);
    physarum_call        sorted, tiled;

    create(&sorted, &m, z, physarum_fused_sorted_workspace);
    create_tiled(&tiled, &m, z);
    start(&m, &sorted.state[0]);
    start(&m, &tiled.state[0]);
    trial_expect(physarum_fused_sorted(&sorted.args, NULL) == 0, "fused_sorted: launch");
    if (trial_expect(physarum_fused_tiled(&tiled.args, NULL) == 0, "%lld x %lld: launch",
                     (long long)z->height, (long long)z->width)) {
        expect_same(z, &sorted.state[1], &tiled.state[1], "after the call");
        expect_same(z, &sorted.state[2], &tiled.state[2], "before the last step");
    }
    physarum_call_free(&sorted);
    physarum_call_free(&tiled);
}

/* ---- the furthest that agents get */

enum {
    EVERY = 16,
    SIDE  = 192,
    EDGE  = 64 /* of a tile, with all sizes that are tried */
};

#define PI 3.14159265358979324

static const double slant = 0.01;

/* A heading along an axis; `slant` keeps sensors from the edges of cells. */
typedef struct way {
    const char *name;
    double      angle;
    int         axis, sign; /* 0: y */
} way;
static const way ways[] = {
    { "right", 0, 1, 1 },
    { "down", PI / 2, 0, 1 },
    { "left", PI, 1, -1 },
    { "up", -PI / 2, 0, -1 },
};

/* The rows or columns that the three sensors see for the first time in the last step before a sort:
 * the one ahead, and those beside it, which until then only the one ahead has seen. */
static bool is_seen_last(const way *w, int64_t along)
{
    const double from = EDGE - 0.3 * w->sign, steps = EVERY - 1;
    const double ahead = from + w->sign * (steps + 5) * cos(slant);
    const double left  = from + w->sign * (steps * cos(slant) + 5 * cos(slant + PI / 4));
    const double right = from + w->sign * (steps * cos(slant) + 5 * cos(slant - PI / 4));

    return along == (int64_t)floor(ahead) || along == (int64_t)floor(left) ||
           along == (int64_t)floor(right);
}

/* All agents on the edge of their tiles and on the way out. */
static void begin_outwards(const way *w, const physarum_model *m, physarum_owned *s)
{
    for (int64_t i = 0; i < m->agents; i++) {
        s->pos[2 * i + w->axis]     = (float)(EDGE - 0.3 * w->sign);
        s->pos[2 * i + 1 - w->axis] = (float)(fmod((double)i * 0.37, SIDE));
        s->angle[i]                 = (float)(w->angle + (w->angle > 3 ? -slant : slant));
    }
    for (int64_t y = 0; y < SIDE; y++)
        for (int64_t x = 0; x < SIDE; x++) {
            const double v = physarum_uniform(9, (uint64_t)(y * SIDE + x));

            s->field[y * SIDE + x] =
                is_seen_last(w, w->axis == 0 ? y : x) ? (float)(1 + floor(v * 1000)) : 0;
        }
}

/* Agents without a doubt go where the reference does; turned[]: how many to the left, on, to the
 * right. */
static int64_t count_astray(const physarum_model *m, const physarum_call *c, int64_t turned[3])
{
    const physarum_state before = physarum_state_view(&c->state[2]);
    physarum_owned       want   = physarum_state_create(m);
    uint8_t             *doubt  = physarum_allocate(m->agents + SIDE * SIDE, 1);
    int64_t              astray = 0;

    physarum_move_agents(m, &before,
                         &(physarum_moves) { .pos        = want.pos,
                                             .angle      = want.angle,
                                             .doubt      = doubt,
                                             .cell_doubt = doubt + m->agents });
    for (int64_t i = 0; i < m->agents; i++) {
        const double turn = remainder((double)want.angle[i] - (double)before.angle[i], 2 * PI);

        turned[turn > 0.1 ? 0 : turn < -0.1 ? 2 : 1] += doubt[i] == 0;
        astray +=
            doubt[i] == 0 && !(fabsf(want.angle[i] - c->state[1].angle[i]) < 1e-5f &&
                               fabsf(want.pos[2 * i] - c->state[1].pos[2 * i]) < 1e-4f &&
                               fabsf(want.pos[2 * i + 1] - c->state[1].pos[2 * i + 1]) < 1e-4f);
    }
    free(doubt);
    physarum_state_free(&want);
    return astray;
}

static int64_t count_off_course(const way *w, const physarum_model *m, const physarum_call *c)
{
    const double want = EDGE - 0.3 * w->sign + w->sign * (EVERY - 1) * cos(slant);
    int64_t      off  = 0;

    for (int64_t i = 0; i < m->agents; i++)
        off += !(fabs((double)c->state[2].pos[2 * i + w->axis] - want) < 1e-3);
    return off;
}

static void test_outwards(const way *w, int64_t tiles)
{
    const size     z         = { SIDE, SIDE, 2000, EVERY, 512, tiles, EVERY };
    physarum_model m         = model_of(&z, 0);
    int64_t        turned[3] = { 0, 0, 0 }, astray;
    physarum_call  c;

    m.has_doubts = true;
    create_tiled(&c, &m, &z);
    begin_outwards(w, &m, &c.state[0]);
    if (trial_expect(physarum_fused_tiled(&c.args, NULL) == 0, "%s: launch", w->name)) {
        trial_expect(count_off_course(w, &m, &c) == 0, "%s: %lld agents left their course", w->name,
                     (long long)count_off_course(w, &m, &c));
        astray = count_astray(&m, &c, turned);
        trial_expect(astray == 0, "%s, %lld tiles: in the last step %lld go elsewhere", w->name,
                     (long long)tiles, (long long)astray);
        for (int t = 0; t < 3; t++)
            trial_expect(turned[t] > 100, "%s: of the three ways one is taken by %lld agents",
                         w->name, (long long)turned[t]);
    }
    physarum_call_free(&c);
}

/* Towards a corner of the tile. Until the last steps there is nothing to smell. */
static void begin_diagonally(const physarum_model *m, physarum_owned *s)
{
    for (int64_t i = 0; i < m->agents; i++) {
        const double back = 2 * physarum_uniform(3, (uint64_t)i);

        s->pos[2 * i]     = (float)(EDGE - 0.1 - back);
        s->pos[2 * i + 1] = (float)(EDGE - 0.1 - 2 * physarum_uniform(4, (uint64_t)i));
        s->angle[i]       = 0.79f;
    }
    for (int64_t c = 0; c < m->height * m->width; c++) {
        const bool is_far = c / m->width > EDGE + 9 || c % m->width > EDGE + 9;

        s->field[c] = is_far ? (float)floor(physarum_uniform(8, (uint64_t)c) * 1000) : 0;
    }
}

int main(void)
{
    const size diagonal[] = { { SIDE, SIDE, 2000, EVERY, 512, SMALLEST, EVERY },
                              { SIDE, SIDE, 2000, EVERY, 512, 9, EVERY },
                              { SIDE, SIDE, 2000, EVERY, 512, LARGEST, EVERY } };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        test_like_sorted(&sizes[i], 1, begin);
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        test_outwards(&ways[w], SMALLEST);
        test_outwards(&ways[w], 18);
        test_outwards(&ways[w], 9);
    }
    for (size_t i = 0; i < sizeof diagonal / sizeof diagonal[0]; i++)
        test_like_sorted(&diagonal[i], 0, begin_diagonally);
    return trial_finish("test_physarum_tiled");
}
