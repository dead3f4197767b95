/* The fused calls of the physics loss API: which outputs they ask for, and which kernel computes
 * them. */
#include "phys_launch.h"

/* NULL: not supported. */
static const struct {
    phys_launch_fn *residual, *field;
} LAUNCHES[PHYS_N_FUSIONS] = {
    { phys_launch_march, phys_launch_stream_field },        /* PHYS_FUSED_DEFAULT */
    { phys_launch_pointwise, phys_launch_pointwise_field }, /* PHYS_FUSED_POINTWISE */
    { phys_launch_march, phys_launch_tiled_field },         /* PHYS_FUSED_TILED */
    { phys_launch_box, NULL },                              /* PHYS_FUSED_BOX */
    { phys_launch_stream, phys_launch_stream_field },       /* PHYS_FUSED_STREAM */
};

int phys_run_fused(const phys_grid_spec *grid, const phys_weights *weights, const phys_buf *buf,
                   int fusion, unsigned wants, const phys_tuning &tuning, assay_stream stream)
{
    const unsigned needs = PHYS_NEEDS_FIELDS | (wants & PHYS_WANTS_LOSSES ? PHYS_NEEDS_LOSSES : 0) |
                           (wants & PHYS_WANTS_GRADIENTS ? PHYS_NEEDS_GRADIENTS : 0);
    const int error = phys_check(grid, weights, buf, needs);

    if (error != PHYS_OK || fusion < 0 || fusion >= PHYS_N_FUSIONS)
        return error != PHYS_OK ? error : PHYS_INVALID_VALUE;

    const bool is_field = grid->vjp == PHYS_VJP_FIELD && (wants & PHYS_WANTS_GRADIENTS) != 0;
    phys_launch_fn *const launch = is_field ? LAUNCHES[fusion].field : LAUNCHES[fusion].residual;

    if (launch == NULL)
        return PHYS_NOT_SUPPORTED;

    const phys_kernel_args a       = phys_make_args(grid, weights, buf, wants);
    const int              zeroing = phys_zero_losses(&a, stream);

    return zeroing != PHYS_OK ? zeroing : launch(&a, grid->time == PHYS_CENTRAL, tuning, stream);
}

/* ---- C API */

int cuda_phys_loss_forward_fused(const phys_grid_spec *grid, const phys_weights *weights,
                                 const phys_buf *buf, phys_fusion fusion, assay_stream stream)
{
    return phys_run_fused(grid, weights, buf, fusion, PHYS_WANTS_LOSSES | PHYS_WANTS_RESIDUALS,
                          phys_tuning(), stream);
}

int cuda_phys_loss_backward_fused(const phys_grid_spec *grid, const phys_weights *weights,
                                  const phys_buf *buf, phys_fusion fusion, assay_stream stream)
{
    return phys_run_fused(grid, weights, buf, fusion, PHYS_WANTS_GRADIENTS, phys_tuning(), stream);
}

int cuda_phys_loss_fused(const phys_grid_spec *grid, const phys_weights *weights,
                         const phys_buf *buf, phys_fusion fusion, assay_stream stream)
{
    return phys_run_fused(grid, weights, buf, fusion,
                          PHYS_WANTS_LOSSES | PHYS_WANTS_RESIDUALS | PHYS_WANTS_GRADIENTS,
                          phys_tuning(), stream);
}
