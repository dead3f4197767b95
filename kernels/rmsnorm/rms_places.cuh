/* Where the kernels' arrays are among the buffers of the case rmsnorm. */
#ifndef ASSAY_RMS_PLACES_CUH
#define ASSAY_RMS_PLACES_CUH

#include "../norms/norms.cuh"

#include "rmsnorm_case.h"

static const norms_places RMS_PLACES = { RMS_X,        NORMS_NONE, RMS_WEIGHT, NORMS_NONE,
                                         RMS_DY,       NORMS_NONE, RMS_Y,      RMS_DX,
                                         RMS_D_WEIGHT, NORMS_NONE };

#endif
