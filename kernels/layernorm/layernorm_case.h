/* Buffers of the case layernorm. */
#ifndef ASSAY_LAYERNORM_CASE_H
#define ASSAY_LAYERNORM_CASE_H

#include "../norms/norms_case.h"

/* Buffers that the pass does not have are empty. */
enum {
    LAYER_X,
    LAYER_WEIGHT,
    LAYER_BIAS,
    LAYER_DY,
    LAYER_Y,
    LAYER_DX,
    LAYER_D_WEIGHT,
    LAYER_D_BIAS
};

#endif
