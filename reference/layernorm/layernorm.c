/* y = (x - mean) w / sqrt(mean((x - mean)^2) + eps) + b of each row, and its gradients. */
#include "../norms/norms_reference.h"

#include "../../kernels/layernorm/layernorm_case.h"

assay_reference_fn layernorm_reference;

void layernorm_reference(const assay_reference_args *args)
{
    const norms_places at = { .x          = LAYER_X,
                              .residual   = NORMS_NONE,
                              .weight     = LAYER_WEIGHT,
                              .bias       = LAYER_BIAS,
                              .dy         = LAYER_DY,
                              .d_out      = NORMS_NONE,
                              .y          = LAYER_Y,
                              .dx         = LAYER_DX,
                              .d_weight   = LAYER_D_WEIGHT,
                              .d_bias     = LAYER_D_BIAS,
                              .is_centred = true };

    norms_reference(args, &at);
}
