/* The case's variants on a device: thin over the C API. */
#include "phys_case.h"

ASSAY_WORKSPACE(physics_loss_nonfused_workspace)
{
    const phys_grid_spec grid = phys_case_grid(args->param, args->scalar);

    return args->param[PHYS_PARAM_PASS] == PHYS_PASS_BACKWARD ? 0 : cuda_phys_loss_workspace(&grid);
}

ASSAY_LAUNCHER(physics_loss_nonfused)
{
    const phys_grid_spec grid    = phys_case_grid(args->param, args->scalar);
    const phys_weights   weights = phys_case_weights(args->scalar);
    const phys_buf       buf     = phys_case_buf(args->buf, args->count);

    switch (args->param[PHYS_PARAM_PASS]) {
    case PHYS_PASS_FORWARD:
        return cuda_phys_loss_forward_nonfused(&grid, &weights, &buf, args->workspace,
                                               args->workspace_bytes, stream);
    case PHYS_PASS_BACKWARD:
        return cuda_phys_loss_backward_nonfused(&grid, &weights, &buf, stream);
    case PHYS_PASS_BOTH:
        return cuda_phys_loss_nonfused(&grid, &weights, &buf, args->workspace,
                                       args->workspace_bytes, stream);
    default:
        return PHYS_INVALID_VALUE;
    }
}

static int run_fused(const assay_args *args, phys_fusion fusion, assay_stream stream)
{
    const phys_grid_spec grid    = phys_case_grid(args->param, args->scalar);
    const phys_weights   weights = phys_case_weights(args->scalar);
    const phys_buf       buf     = phys_case_buf(args->buf, args->count);

    switch (args->param[PHYS_PARAM_PASS]) {
    case PHYS_PASS_FORWARD:
        return cuda_phys_loss_forward_fused(&grid, &weights, &buf, fusion, stream);
    case PHYS_PASS_BACKWARD:
        return cuda_phys_loss_backward_fused(&grid, &weights, &buf, fusion, stream);
    case PHYS_PASS_BOTH:
        return cuda_phys_loss_fused(&grid, &weights, &buf, fusion, stream);
    default:
        return PHYS_INVALID_VALUE;
    }
}

ASSAY_LAUNCHER(physics_loss_fused_pointwise)
{
    return run_fused(args, PHYS_FUSED_POINTWISE, stream);
}

ASSAY_LAUNCHER(physics_loss_fused_tiled) { return run_fused(args, PHYS_FUSED_TILED, stream); }

ASSAY_LAUNCHER(physics_loss_fused_tiled_8x8x4) { return run_fused(args, PHYS_FUSED_BOX, stream); }
