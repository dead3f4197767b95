/* States that cases start from: the fast way through many steps gives the bits of the plain one,
 * which moves every agent and writes every cell by itself. */
#include "physarum_test.h"

#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 12
};

static const struct {
    int64_t height, width, agents;
} sizes[] = {
    { 1, 1, 3 },   { 2, 3, 6 },     { 4, 1, 5 },     { 17, 33, 257 },
    { 9, 128, 0 }, { 40, 16, 128 }, { 33, 70, 129 }, { 50, 64, 20000 },
};

/* Runs chunks in another order, as threads may. */
static void backwards(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    for (int64_t chunk = (count + size - 1) / size - 1; chunk >= 0; chunk--)
        fn(context, chunk, chunk * size, count - chunk * size < size ? count : (chunk + 1) * size);
}

static void plain_step(const physarum_model *m, physarum_owned *s)
{
    physarum_owned       next  = physarum_state_create(m);
    const physarum_state from  = physarum_state_view(s);
    const physarum_moves moves = { .pos = next.pos, .angle = next.angle };

    physarum_move_agents(m, &from, &moves);
    physarum_next_field(m, s->field, next.pos, &(physarum_field_out) { .single = next.field });
    physarum_state_free(s);
    *s = next;
}

static bool is_same(const physarum_model *m, const physarum_owned *a, const physarum_owned *b)
{
    const size_t n = (size_t)m->agents, cells = (size_t)(m->height * m->width);

    return memcmp(a->pos, b->pos, 2 * n * sizeof(float)) == 0 &&
           memcmp(a->angle, b->angle, n * sizeof(float)) == 0 &&
           memcmp(a->field, b->field, cells * sizeof(float)) == 0;
}

/* Step by step, and all at once; an odd number of steps ends in the other field. */
static void check(physarum_model m)
{
    physarum_owned plain = physarum_state_create(&m), quick = physarum_state_create(&m);
    physarum_owned all = physarum_state_create(&m);

    physarum_state_seed(&m, 5, &plain);
    physarum_state_seed(&m, 5, &quick);
    physarum_state_seed(&m, 5, &all);
    for (int k = 1; k <= STEPS; k++) {
        plain_step(&m, &plain);
        trial_expect(physarum_advance(&m, quick.pos, quick.angle, quick.field, 1) == 0, "doubts");
        trial_expect(is_same(&m, &plain, &quick),
                     "semantics %d, %lld x %lld, %lld agents, blur %d: step %d is another",
                     m.semantics, (long long)m.height, (long long)m.width, (long long)m.agents,
                     m.blur, k);
        if (k == STEPS - 1) {
            (void)physarum_advance(&m, all.pos, all.angle, all.field, STEPS - 1);
            trial_expect(is_same(&m, &plain, &all), "%d steps at once are others", STEPS - 1);
        }
    }
    physarum_state_free(&plain);
    physarum_state_free(&quick);
    physarum_state_free(&all);
}

int main(void)
{
    static const int semantics[] = { PHYSARUM_CANONICAL, PHYSARUM_TORCH, PHYSARUM_TRITON };

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int s = 0; s < 3; s++)
            for (int blur = 3; blur <= 5; blur += 2) {
                physarum_model m = physarum_test_model(semantics[s], sizes[k].height,
                                                       sizes[k].width, sizes[k].agents);

                if (m.semantics == PHYSARUM_TORCH && (m.height < 2 || m.width < 2))
                    continue; /* would divide by the extent less one, which is 0 */
                m.blur = blur;
                if (!TRIAL_IS_SANITIZED || blur == 3)
                    check(m);
                m.parallel_for = backwards;
                if (!TRIAL_IS_SANITIZED || blur == 5)
                    check(m);
            }
    return trial_finish("test_physarum_advance");
}
