/* What the definitions of the cases on operators (group "ops") share: the axis over types. */
#ifndef ASSAY_CASES_OPS_H
#define ASSAY_CASES_OPS_H

#include "case.h"

/* The value of the axis is an assay_type; the shape hands it to the kernels as a parameter. */
#define OPS_TYPE_AXIS                                                                              \
    ASSAY_AXIS("type", ASSAY_AXIS_TEXT, ASSAY_WORD(ASSAY_F32, "f32"),                              \
               ASSAY_WORD(ASSAY_F16, "f16"), ASSAY_WORD(ASSAY_BF16, "bf16"))

/* A variant that is wrong on purpose: the verdicts that are allowed, in each lane. */
#define OPS_MUST_FAIL(verdicts)                                                                    \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (verdicts), [ASSAY_LANE_HOST] = (verdicts),                            \
        [ASSAY_LANE_ASAN] = (verdicts), [ASSAY_LANE_TSAN] = (verdicts)                             \
    }

#endif
