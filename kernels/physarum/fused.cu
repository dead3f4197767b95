/* fused: two kernels a step; the only temporary is the copy of the field that deposits go to. */
#include "physarum_launch.h"

ASSAY_WORKSPACE(physarum_fused_workspace)
{
    return 2 * sizeof(float) * static_cast<size_t>(args->count[PHYSARUM_BUF_FIELD]);
}

/* The update writes the field twice: once for the next step to sense, once for it to deposit in. */
ASSAY_LAUNCHER(physarum_fused)
{
    const physarum_grid g       = physarum_grid_of(args);
    const int64_t       cells   = args->count[PHYSARUM_BUF_FIELD];
    const int64_t       steps   = args->param[PHYSARUM_PARAM_STEPS];
    const unsigned      block   = static_cast<unsigned>(args->tune[0]);
    float *const        ground  = static_cast<float *>(args->workspace);
    float              *copy[2] = { ground, ground + cells };

    physarum_keep_input(args, stream);
    physarum_copy(copy[0], physarum_slot_of(args, 0).field, cells, stream);
    for (int64_t j = 0; j < steps; j++) {
        const physarum_slot from = physarum_slot_of(args, j), to = physarum_slot_of(args, j + 1);
        float *const        next = j + 1 < steps ? copy[(j + 1) % 2] : nullptr;

        physarum_launch_agents(g, from, to, copy[j % 2], block, stream);
        physarum_launch_update(g, copy[j % 2], to.field, next, args->tune[1], stream);
    }
    return assay_launch_status();
}
