/* Buffers of the case fused_add_rmsnorm. */
#ifndef ASSAY_FUSED_CASE_H
#define ASSAY_FUSED_CASE_H

#include "../norms/norms_case.h"

/* Those that the pass does not have are empty. Forward the residual becomes the sum; on the way
 * back it is the sum, and x and the residual have one gradient: that of the sum. */
enum {
    FUSED_X,
    FUSED_RESIDUAL,
    FUSED_WEIGHT,
    FUSED_DY,
    FUSED_D_OUT, /* what the sum is worth behind this step */
    FUSED_Y,
    FUSED_D_SUM,
    FUSED_D_WEIGHT
};

#endif
