/* Where the kernels' arrays are among the buffers of the case layernorm. */
#ifndef ASSAY_LAYER_PLACES_CUH
#define ASSAY_LAYER_PLACES_CUH

#include "../norms/norms.cuh"

#include "layernorm_case.h"

static const norms_places LAYER_PLACES = { LAYER_X,        NORMS_NONE,  LAYER_WEIGHT, LAYER_BIAS,
                                           LAYER_DY,       NORMS_NONE,  LAYER_Y,      LAYER_DX,
                                           LAYER_D_WEIGHT, LAYER_D_BIAS };

#endif
