/* Agents at the float next below the width, which an addition on the way may round to the width. */
#include "physarum_call.h"

#include <math.h>
#include <string.h>

assay_launch_fn    physarum_fused, physarum_two_kernel, physarum_fused_sorted;
assay_workspace_fn physarum_fused_workspace, physarum_two_kernel_workspace,
    physarum_fused_sorted_workspace;

enum {
    HEIGHT = 64,
    WIDTH  = 128,
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
};

static bool is_on(float x) { return x >= 0 && x < WIDTH; }

/* Nothing to smell: all go straight on. Returns how many are off the grid, before the last step or
 * after it, or further from the edge than their steps before it took them. */
static int64_t off_after(const physarum_call *c, int64_t steps)
{
    int64_t off = 0;

    for (int64_t i = 0; i < AGENTS; i++) {
        const float x[] = { c->state[1].pos[2 * i + 1], c->state[2].pos[2 * i + 1] };

        off += !is_on(x[0]) || !is_on(x[1]);
        off += fabsf(remainderf(x[1], WIDTH)) > (float)(steps - 1) + 0x1p-16f;
    }
    return off;
}

static void test_from_the_edge(size_t v, int64_t steps)
{
    const physarum_model m = physarum_test_model(PHYSARUM_CANONICAL, HEIGHT, WIDTH, AGENTS);
    physarum_call        c;

    physarum_call_create(&c, &m, steps, variants[v].workspace);
    physarum_state_seed(&m, 7, &c.state[0]);
    memset(c.state[0].field, 0, sizeof(float) * HEIGHT * WIDTH);
    for (int64_t i = 0; i < AGENTS; i++)
        c.state[0].pos[2 * i + 1] = nextafterf(WIDTH, 0);
    if (trial_expect(variants[v].launch(&c.args, NULL) == 0, "%s: launch", variants[v].name))
        trial_expect(off_after(&c, steps) == 0,
                     "%s: after %d steps from the edge %d agents are off", variants[v].name,
                     (int)steps, (int)off_after(&c, steps));
    physarum_call_free(&c);
}

int main(void)
{
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (int64_t steps = 1; steps <= 2; steps++)
            test_from_the_edge(v, steps);
    return trial_finish("test_physarum_edge");
}
