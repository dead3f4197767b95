/* Buffers of the case fused_add_rmsnorm. */
#ifndef ASSAY_FUSED_CASE_H
#define ASSAY_FUSED_CASE_H

#include "../norms/norms_case.h"

/* Buffers that the pass does not have are empty. Forward, the sum replaces the residual. Backward,
 * the residual is the sum, and x and the residual have the same gradient: that of the sum. */
enum {
    FUSED_X,
    FUSED_RESIDUAL,
    FUSED_WEIGHT,
    FUSED_DY,
    FUSED_D_OUT, /* gradient of the sum from the steps after this one */
    FUSED_Y,
    FUSED_D_SUM,
    FUSED_D_WEIGHT
};

#endif
