/* fused_resident with every number of agents a thread that it has a kernel for, on fields updated
 * by rows and by cells, over calls that end at a sort and between two: it gives the bits of
 * fused_sorted, whose steps are checked against the reference. For that, sums must not depend on
 * the order of deposits. Either the update keeps the field as it is, so that all sums are of whole
 * numbers; or deposits are 0, and the update is the real one (in the same order in both, except for
 * a mean of 5 x 5, which is of whole numbers in a call's first step). */
#include "physarum_call.h"

#include <stdlib.h>
#include <string.h>

assay_launch_fn    physarum_fused_sorted, physarum_fused_resident;
assay_workspace_fn physarum_fused_sorted_workspace, physarum_fused_resident_workspace;
assay_setup_fn     physarum_fused_resident_setup;

enum {
    TOO_LARGE = 720 /* cudaErrorCooperativeLaunchTooLarge */
};

typedef struct size {
    int64_t height, width, agents, steps, block, per_sm, every;
} size;

/* The host device takes two blocks for each of `per_sm`, up to four: with 128 threads and per_sm 1,
 * a thread has 1, 2, 4, 8 and 16 agents up to 256, 512, ... 4096 of them. */
static const size sizes[] = {
    { 9, 128, 0, 3, 128, 1, 2 },
    { 9, 128, 1, 1, 128, 1, 128 },
    { 33, 17, 256, 2, 128, 1, 1 },
    { 33, 17, 257, 5, 128, 1, 2 },
    { 64, 128, 512, 4, 128, 1, 2 },
    { 64, 128, 513, 5, 128, 1, 64 },
    { 61, 256, 1024, 3, 128, 1, 2 },
    { 61, 256, 1025, 3, 128, 1, 3 },
    { 8, 8, 2048, 3, 128, 1, 2 },
    { 97, 89, 2049, 3, 128, 1, 2 },
    { 128, 128, 4096, 5, 128, 1, 4 },
    { 40, 128, 4095, 2, 128, 1, 128 },
    { 128, 128, 4097, 3, 128, 2, 2 },
    { 16, 128, 1000, 3, 1024, 1, 2 },
    { 16, 128, 1000, 3, 512, 2, 128 },
    { 61, 256, 2041, 35, 128, 1, 33 }, /* put in order in the blocks at steps 16 and 32 */
};

/* ---- calls */

static void begin(physarum_call *c, const physarum_model *m, const size *z,
                  assay_workspace_fn *workspace)
{
    physarum_call_create(c, m, z->steps, workspace);
    physarum_state_seed(m, 5, &c->state[0]);
    for (int64_t i = 0; i < m->height * m->width; i++)
        c->state[0].field[i] = (float)(int)(physarum_uniform(6, (uint64_t)i) * 9);
    for (int b = 3; b < 9; b++)
        memset(c->buf[b], 0xff, (size_t)c->count[b] * sizeof(float));
    memset(c->args.workspace, 0xff, c->args.workspace_bytes);
    c->tune[3] = z->every;
}

typedef enum kind {
    KEEPS_FIELD,
    BLURS_3,
    BLURS_5,
    KINDS
} kind;

static physarum_model model_of(const size *z, kind what)
{
    physarum_model m = physarum_test_model(PHYSARUM_CANONICAL, z->height, z->width, z->agents);

    if (what == KEEPS_FIELD)
        m.blend = m.decay = 0;
    else
        m.deposit = 0;
    m.blur = what == BLURS_5 ? 5 : 3;
    return m;
}

/* ---- agents, in any order */

typedef struct agent {
    float y, x, angle;
} agent;

static int compare(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(agent)); /* any order that is the same for both */
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

static void expect_same(const size *z, kind what, const physarum_owned *a, const physarum_owned *b,
                        const char *which)
{
    agent *const left = in_order(a, z->agents), *const right = in_order(b, z->agents);
    const size_t cells = (size_t)(z->height * z->width);

    trial_expect(memcmp(a->field, b->field, cells * sizeof(float)) == 0,
                 "%lld agents, %lld steps, model %d: the field %s is another", (long long)z->agents,
                 (long long)z->steps, (int)what, which);
    trial_expect(memcmp(left, right, (size_t)z->agents * sizeof *left) == 0,
                 "%lld agents, %lld steps, model %d: the agents %s are others",
                 (long long)z->agents, (long long)z->steps, (int)what, which);
    free(left);
    free(right);
}

static void test_size(const size *z, kind what)
{
    const physarum_model m = model_of(z, what);
    physarum_call        sorted, resident;
    void                *state = &sorted;

    begin(&sorted, &m, z, physarum_fused_sorted_workspace);
    begin(&resident, &m, z, physarum_fused_resident_workspace);
    resident.tune[0] = z->block;
    resident.tune[1] = z->per_sm;
    trial_expect(physarum_fused_resident_setup(&resident.args, &state) == 0 && !state,
                 "%lld agents: the set-up", (long long)z->agents);
    trial_expect(physarum_fused_sorted(&sorted.args, NULL) == 0, "fused_sorted: launch");
    if (trial_expect(physarum_fused_resident(&resident.args, NULL) == 0, "%lld agents: launch",
                     (long long)z->agents)) {
        expect_same(z, what, &sorted.state[1], &resident.state[1], "after the call");
        expect_same(z, what, &sorted.state[2], &resident.state[2], "before the last step");
    }
    physarum_call_free(&sorted);
    physarum_call_free(&resident);
}

/* ---- limits */

/* One agent more than 256 threads hold: the reason names the limit, and a launch fails. */
static void test_too_many(void)
{
    const size           z     = { 128, 128, 4097, 3, 128, 1, 2 };
    const physarum_model m     = model_of(&z, KEEPS_FIELD);
    void                *state = NULL;
    physarum_call        c;

    begin(&c, &m, &z, physarum_fused_resident_workspace);
    c.tune[0] = z.block;
    c.tune[1] = z.per_sm;
    if (trial_expect(physarum_fused_resident_setup(&c.args, &state) == ASSAY_NOT_HERE && state,
                     "the set-up takes too many agents"))
        trial_expect(strstr(state, "at most 4096 agents") != NULL, "the reason: %s",
                     (const char *)state);
    trial_expect(physarum_fused_resident(&c.args, NULL) == TOO_LARGE,
                 "too many agents are launched");
    physarum_call_free(&c);
}

int main(void)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size one_step = sizes[i];

        one_step.steps = 1;
        for (kind what = KEEPS_FIELD; what < KINDS; what++)
            if (!TRIAL_IS_SANITIZED || i % KINDS == what) /* each size once */
                test_size(what == BLURS_5 ? &one_step : &sizes[i], what);
    }
    test_too_many();
    return trial_finish("test_physarum_resident");
}
