/* Buffers of the case rmsnorm. */
#ifndef ASSAY_RMSNORM_CASE_H
#define ASSAY_RMSNORM_CASE_H

#include "../norms/norms_case.h"

/* Buffers that the pass does not have are empty. */
enum {
    RMS_X,
    RMS_WEIGHT,
    RMS_DY,
    RMS_Y,
    RMS_DX,
    RMS_D_WEIGHT
};

#endif
