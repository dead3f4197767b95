/* residual = x + residual as stored, y = residual w / sqrt(mean(residual^2) + eps) of each row, and
 * the gradients. */
#include "../norms/norms_reference.h"

#include "../../kernels/fused_add_rmsnorm/fused_case.h"

assay_reference_fn fused_add_rmsnorm_reference;

void fused_add_rmsnorm_reference(const assay_reference_args *args)
{
    const bool         is_back = args->param[NORMS_PASS] == NORMS_BACKWARD;
    const norms_places at      = { .x        = is_back ? FUSED_RESIDUAL : FUSED_X,
                                   .residual = is_back ? NORMS_NONE : FUSED_RESIDUAL,
                                   .weight   = FUSED_WEIGHT,
                                   .bias     = NORMS_NONE,
                                   .dy       = FUSED_DY,
                                   .d_out    = FUSED_D_OUT,
                                   .y        = FUSED_Y,
                                   .dx       = FUSED_D_SUM,
                                   .d_weight = FUSED_D_WEIGHT,
                                   .d_bias   = NORMS_NONE };

    norms_reference(args, &at);
}
