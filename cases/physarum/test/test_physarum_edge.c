/* Agents at the float next below the width, which an addition may round to the width: they stay on
 * the grid, and a step begins where the state before it says. */
#include "physarum_call.h"

#include <math.h>
#include <string.h>

assay_launch_fn physarum_fused, physarum_two_kernel, physarum_fused_sorted, physarum_fused_resident;
assay_workspace_fn physarum_fused_workspace, physarum_two_kernel_workspace,
    physarum_fused_sorted_workspace, physarum_fused_resident_workspace;

enum {
    HEIGHT = 64,
    WIDTH  = 256, /* 256.7071, a turned step past it, is not close to a float */
    AGENTS = 1500
};

static const struct {
    const char         *name;
    assay_launch_fn    *launch;
    assay_workspace_fn *workspace;
} variants[] = {
    { "two_kernel", physarum_two_kernel, physarum_two_kernel_workspace },
    { "fused", physarum_fused, physarum_fused_workspace },
    { "fused_sorted", physarum_fused_sorted, physarum_fused_sorted_workspace },
    { "fused_resident", physarum_fused_resident, physarum_fused_resident_workspace },
};

static bool is_on(float x) { return x >= 0 && x < WIDTH; }

/* With nothing to sense, all go straight on. Returns how many are off the grid, before the last
 * step or after it, or further from the edge than their earlier steps took them. */
static int64_t off_after(const physarum_call *c, int64_t steps, float ahead)
{
    int64_t off = 0;

    for (int64_t i = 0; i < AGENTS; i++) {
        const float x[] = { c->state[1].pos[2 * i + 1], c->state[2].pos[2 * i + 1] };

        off += !is_on(x[0]) || !is_on(x[1]);
        off += fabsf(remainderf(x[1], WIDTH)) > ahead + (float)(steps - 1) + 0x1p-14f;
    }
    return off;
}

/* Is `to` one step from `from`: rounded where it arrives, and once more where it is wrapped to? */
static bool is_step(double from, double step, double to, double extent)
{
    return fabs(remainder(from + step - to, extent)) <=
           PHYSARUM_ROUNDOFF * (fabs(from + step) + fabs(to)) + PHYSARUM_ANGLE_ERROR;
}

/* How many agents did not go where their new heading says in the last step. */
static int64_t astray(const physarum_call *c, const physarum_model *m)
{
    const physarum_owned *before = &c->state[2], *after = &c->state[1];
    int64_t               n = 0;

    for (int64_t i = 0; i < AGENTS; i++) {
        const double heading = (double)after->angle[i], step = (double)m->step;

        n += !is_step((double)before->pos[2 * i], step * sin(heading), (double)after->pos[2 * i],
                      HEIGHT) ||
             !is_step((double)before->pos[2 * i + 1], step * cos(heading),
                      (double)after->pos[2 * i + 1], WIDTH);
    }
    return n;
}

/* All agents begin at the edge; or 1 ahead of it, with a heading whose cosine is 1 - 2^-16, which
 * takes those that are stored as x + 2 from 255 to the edge. There one side has a trail 3.5 cells
 * further on, and they turn. */
static void begin(physarum_call *c, const physarum_model *m, float ahead)
{
    physarum_state_seed(m, 7, &c->state[0]);
    memset(c->state[0].field, 0, sizeof(float) * HEIGHT * WIDTH);
    for (int64_t i = 0; i < AGENTS; i++) {
        c->state[0].pos[2 * i + 1] = nextafterf(WIDTH, 0) - ahead;
        if (ahead > 0)
            c->state[0].angle[i] = 0x1.6a09e6p-8f;
    }
    for (int64_t y = 0; y < HEIGHT && ahead > 0; y++)
        c->state[0].field[y * WIDTH + 3] = (float)(y * 37 % HEIGHT);
}

static void test_from_the_edge(size_t v, int64_t steps, float ahead)
{
    const physarum_model m    = physarum_test_model(PHYSARUM_CANONICAL, HEIGHT, WIDTH, AGENTS);
    const char *const    name = variants[v].name;
    physarum_call        c;

    physarum_call_create(&c, &m, steps, variants[v].workspace);
    begin(&c, &m, ahead);
    if (trial_expect(variants[v].launch(&c.args, NULL) == 0, "%s: launch", name)) {
        trial_expect(off_after(&c, steps, ahead) == 0,
                     "%s: after %d steps from %g before the edge %d agents are off", name,
                     (int)steps, (double)ahead, (int)off_after(&c, steps, ahead));
        trial_expect(astray(&c, &m) == 0, "%s: in step %d from %g before the edge %d go elsewhere",
                     name, (int)steps, (double)ahead, (int)astray(&c, &m));
    }
    physarum_call_free(&c);
}

int main(void)
{
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (int64_t steps = 1; steps <= 3; steps++) {
            test_from_the_edge(v, steps, 0);
            test_from_the_edge(v, steps, 1);
        }
    return trial_finish("test_physarum_edge");
}
