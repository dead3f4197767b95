/* The sort of fused_sorted: it gives the agents that it got, in the order of their tiles along a Z
 * curve. A call whose last step sorts stores them as the state before that step. */
#include "physarum_call.h"

#include <math.h>
#include <stdlib.h>

assay_launch_fn    physarum_fused_sorted;
assay_workspace_fn physarum_fused_sorted_workspace;

/* More tiles than a block of the scan sums (2048); sides that are no powers of two; one tile; more
 * agents than the host device has threads at once; and more tiles than a scan of two levels sums
 * (2^22), which makes tiles larger: `order` is the size that the order uses. */
static const struct size {
    int64_t height, width, agents, tile, order;
} sizes[] = {
    { 8, 8, 1, 1, 1 },        { 8, 8, 100, 16, 16 },    { 33, 17, 500, 1, 1 },
    { 128, 128, 5000, 1, 1 }, { 128, 128, 5000, 4, 4 }, { 40, 300, 4095, 2, 2 },
    { 64, 64, 9000, 1, 1 },   { 8, 4096, 100, 1, 2 },
};

typedef enum kind {
    ANYWHERE,
    IN_ONE_CELL,
    KINDS
} kind;

/* ---- the order */

static uint64_t z_order(uint64_t y, uint64_t x)
{
    uint64_t number = 0;

    for (unsigned bit = 0; bit < 16; bit++)
        number |= (x >> bit & 1) << 2 * bit | (y >> bit & 1) << (2 * bit + 1);
    return number;
}

static uint64_t tile_at(const physarum_owned *s, int64_t i, int64_t tile)
{
    return z_order((uint64_t)s->pos[2 * i] / (uint64_t)tile,
                   (uint64_t)s->pos[2 * i + 1] / (uint64_t)tile);
}

static int64_t out_of_order(const physarum_owned *s, const struct size *z)
{
    int64_t n = 0;

    for (int64_t i = 1; i < z->agents; i++)
        n += tile_at(s, i, z->order) < tile_at(s, i - 1, z->order);
    return n;
}

/* ---- which agent is which: headings number them */

static float heading_of(int64_t i, int64_t n)
{
    return (float)(((double)i + 0.5) / (double)n * 6.28 - 3.14);
}

static int64_t number_of(float heading, int64_t n)
{
    return (int64_t)floor(((double)heading + 3.14) / 6.28 * (double)n);
}

static bool is_at(double from, double way, float at, int64_t extent)
{
    return fabs(remainder(from + way - (double)at, (double)extent)) < 1e-3;
}

/* Counts agents after the sort that are not those given, each once, `ahead` of where they were. */
static int64_t strangers(const physarum_owned *given, const physarum_owned *sorted,
                         const struct size *z, double ahead)
{
    const int64_t n      = z->agents;
    bool *const   is_met = calloc((size_t)n, sizeof *is_met);
    int64_t       wrong  = 0;

    if (!is_met)
        abort();
    for (int64_t k = 0; k < n; k++) {
        const double  heading = (double)sorted->angle[k];
        const int64_t i       = number_of(sorted->angle[k], n);
        const bool    is_it =
            i >= 0 && i < n && !is_met[i] &&
            is_at((double)given->pos[2 * i], ahead * sin(heading), sorted->pos[2 * k], z->height) &&
            is_at((double)given->pos[2 * i + 1], ahead * cos(heading), sorted->pos[2 * k + 1],
                  z->width);

        if (is_it)
            is_met[i] = true;
        wrong += !is_it;
    }
    free(is_met);
    return wrong;
}

/* The state before the last step of a call. */
static void expect_sorted(const physarum_call *c, const struct size *z, double ahead)
{
    const int64_t out = out_of_order(&c->state[2], z);
    const int64_t off = strangers(&c->state[0], &c->state[2], z, ahead);

    trial_expect(out == 0, "%lld agents, %g steps: %lld are before one earlier",
                 (long long)z->agents, ahead, (long long)out);
    trial_expect(off == 0, "%lld agents, %g steps: %lld are others", (long long)z->agents, ahead,
                 (long long)off);
}

/* ---- sorts */

static void begin(physarum_call *c, const physarum_model *m, const struct size *z, kind where)
{
    c->tune[2] = z->tile;
    physarum_call_workspace(c, physarum_fused_sorted_workspace);
    physarum_state_seed(m, 11, &c->state[0]);
    for (int64_t i = 0; i < z->agents; i++) {
        float *const pos = c->state[0].pos + 2 * i;

        pos[0]               = where == IN_ONE_CELL
                                   ? 5.25f
                                   : (float)physarum_uniform(1, (uint64_t)i) * (float)(z->height - 1);
        pos[1]               = where == IN_ONE_CELL
                                   ? 6.5f
                                   : (float)physarum_uniform(2, (uint64_t)i) * (float)(z->width - 1);
        c->state[0].angle[i] = heading_of(i, z->agents);
    }
}

/* From positions and headings, in a call of one step. */
static void test_first(const struct size *z, kind where)
{
    const physarum_model m =
        physarum_test_model(PHYSARUM_CANONICAL, z->height, z->width, z->agents);
    physarum_call c;

    physarum_call_create(&c, &m, 1, physarum_fused_sorted_workspace);
    begin(&c, &m, z, where);
    if (trial_expect(physarum_fused_sorted(&c.args, NULL) == 0, "launch"))
        expect_sorted(&c, z, 0);
    physarum_call_free(&c);
}

/* Agents that were sorted and have gone three steps: straight ahead, as there is nothing to
 * sense. */
static void test_again(const struct size *z, kind where)
{
    physarum_model m = physarum_test_model(PHYSARUM_CANONICAL, z->height, z->width, z->agents);
    physarum_call  c;

    m.deposit = 0;
    physarum_call_create(&c, &m, 4, physarum_fused_sorted_workspace);
    begin(&c, &m, z, where);
    for (int64_t i = 0; i < z->height * z->width; i++)
        c.state[0].field[i] = 0;
    c.tune[3] = 3; /* steps 0 and 3 */
    if (trial_expect(physarum_fused_sorted(&c.args, NULL) == 0, "launch"))
        expect_sorted(&c, z, 3);
    physarum_call_free(&c);
}

int main(void)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (kind where = ANYWHERE; where < KINDS; where++) {
            if (TRIAL_IS_SANITIZED && i % KINDS != where)
                continue; /* each size once: what is written outside depends only on the size */
            test_first(&sizes[i], where);
            test_again(&sizes[i], where);
        }
    return trial_finish("test_physarum_sort");
}
