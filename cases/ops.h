/* What the definitions of the cases on operators (group "ops") share: the axis over types, its
 * bound, random numbers, variants that must fail. */
#ifndef ASSAY_CASES_OPS_H
#define ASSAY_CASES_OPS_H

#include "case.h"

/* Types of elements; the shape passes ops_type() of the value to the kernels as a parameter. */
#define OPS_TYPE_AXIS                                                                              \
    ASSAY_AXIS("type", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "f32"), ASSAY_WORD(1, "f16"),                \
               ASSAY_WORD(2, "bf16"))

static inline assay_type ops_type(const assay_value *value)
{
    static const assay_type types[] = { ASSAY_F32, ASSAY_F16, ASSAY_BF16 };

    return types[value->i[0]];
}

/* For cases whose reference computes the error of each value itself, as its magnitude. */
#define OPS_COUNTED(reason)                                                                        \
    {                                                                                              \
        .rule = ASSAY_RULE_BOUND, .c = 1, .u_out = ASSAY_U_OF_TYPE, .u_acc = ASSAY_U32_ROUNDOFF,   \
        .growth = ASSAY_G_ONE, .why = (reason)                                                     \
    }

/* From 64 random bits to 0 <= x < 1. */
static inline double ops_unit(uint64_t random) { return (double)(random >> 11) * 0x1p-53; }

/* For a variant that is wrong on purpose: the verdicts that are allowed in each lane. */
#define OPS_MUST_FAIL(verdicts)                                                                    \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (verdicts), [ASSAY_LANE_HOST] = (verdicts),                            \
        [ASSAY_LANE_ASAN] = (verdicts), [ASSAY_LANE_TSAN] = (verdicts)                             \
    }

#endif
