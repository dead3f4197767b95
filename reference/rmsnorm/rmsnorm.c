/* y = x w / sqrt(mean(x^2) + eps) of each row, its gradients, and y divided by a scale as E4M3. */
#include "../norms/norms_reference.h"

#include "../../kernels/rmsnorm/rmsnorm_case.h"

assay_reference_fn rmsnorm_reference;

void rmsnorm_reference(const assay_reference_args *args)
{
    const norms_places at = { .x        = RMS_X,
                              .residual = NORMS_NONE,
                              .weight   = RMS_WEIGHT,
                              .bias     = NORMS_NONE,
                              .dy       = RMS_DY,
                              .d_out    = NORMS_NONE,
                              .y        = RMS_Y,
                              .dx       = RMS_DX,
                              .d_weight = RMS_D_WEIGHT,
                              .d_bias   = NORMS_NONE };

    norms_reference(args, &at);
}
