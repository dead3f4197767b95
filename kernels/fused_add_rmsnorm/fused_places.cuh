/* Where the kernels' arrays are among the buffers of the case fused_add_rmsnorm. */
#ifndef ASSAY_FUSED_PLACES_CUH
#define ASSAY_FUSED_PLACES_CUH

#include "../norms/norms.cuh"

#include "fused_case.h"

/* In the backward pass the kernels' x is the sum, which lies in the residual. */
static inline norms_places fused_places(const assay_args *args)
{
    return { args->param[NORMS_PASS] == NORMS_BACKWARD ? FUSED_RESIDUAL : FUSED_X,
             FUSED_RESIDUAL,
             FUSED_WEIGHT,
             NORMS_NONE,
             FUSED_DY,
             FUSED_D_OUT,
             FUSED_Y,
             FUSED_D_SUM,
             FUSED_D_WEIGHT,
             NORMS_NONE };
}

#endif
