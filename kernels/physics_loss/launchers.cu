/* The case's variants on a device: calls of the C API with the values of the tuning axes. */
#include "phys_case.h"
#include "phys_launch.h"

/* By pass: forward, backward, both. */
static const unsigned WANTS[] = {
    PHYS_WANTS_LOSSES | PHYS_WANTS_RESIDUALS,
    PHYS_WANTS_GRADIENTS,
    PHYS_WANTS_LOSSES | PHYS_WANTS_RESIDUALS | PHYS_WANTS_GRADIENTS,
};

static bool is_pass(int64_t pass) { return pass >= PHYS_PASS_FORWARD && pass <= PHYS_PASS_BOTH; }

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
    const int64_t        pass    = args->param[PHYS_PARAM_PASS];
    phys_tuning          tuning;

    tuning.block = args->tune[0];
    return is_pass(pass) ? phys_run_nonfused(&grid, &weights, &buf, WANTS[pass], args->workspace,
                                             args->workspace_bytes, tuning, stream)
                         : PHYS_INVALID_VALUE;
}

/* The fused variants' state is the scratch memory of the losses. */
ASSAY_EXPORT int physics_loss_fused_setup(const assay_args *, void **state)
{
    return assay_setup_allocate(state, PHYS_SCRATCH_BYTES);
}
ASSAY_EXPORT void physics_loss_fused_teardown(void *state) { assay_setup_free(state); }

static int run_fused(const assay_args *args, phys_fusion fusion, const phys_tuning &tuning,
                     assay_stream stream)
{
    const phys_grid_spec grid    = phys_case_grid(args->param, args->scalar);
    const phys_weights   weights = phys_case_weights(args->scalar);
    const int64_t        pass    = args->param[PHYS_PARAM_PASS];
    phys_buf             buf     = phys_case_buf(args->buf, args->count);

    buf.scratch = args->state;
    return is_pass(pass)
               ? phys_run_fused(&grid, &weights, &buf, fusion, WANTS[pass], tuning, stream)
               : PHYS_INVALID_VALUE;
}

ASSAY_LAUNCHER(physics_loss_fused_pointwise)
{
    phys_tuning tuning;

    tuning.block = args->tune[0];
    return run_fused(args, PHYS_FUSED_POINTWISE, tuning, stream);
}

ASSAY_LAUNCHER(physics_loss_fused_tiled)
{
    phys_tuning tuning;

    tuning.tile_x = args->tune[0];
    tuning.tile_y = args->tune[1];
    tuning.blocks = args->tune[2];
    return run_fused(args, PHYS_FUSED_TILED, tuning, stream);
}

ASSAY_LAUNCHER(physics_loss_fused_tiled_8x8x4)
{
    return run_fused(args, PHYS_FUSED_BOX, phys_tuning(), stream);
}

ASSAY_LAUNCHER(physics_loss_fused_stream)
{
    phys_tuning tuning;

    tuning.shape = args->tune[0];
    tuning.waves = args->tune[1];
    return run_fused(args, PHYS_FUSED_STREAM, tuning, stream);
}
