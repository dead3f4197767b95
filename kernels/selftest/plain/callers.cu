/* The host functions of theirs/plain.cu as launchers, one line each, and a launch without one. */
#include "kernel.h"

#include "theirs/plain.cu"

ASSAY_CALLER(selftest_plain_called, by_element<<<CEIL_DIV(ASSAY_PARAM(0), 64), 64>>>(
                                        ASSAY_BUFFER(const float, 0), ASSAY_BUFFER(const float, 1),
                                        ASSAY_BUFFER(float, 2), ASSAY_PARAM(0)))
ASSAY_CALLER(selftest_plain_large,
             through_large_shared(ASSAY_BUFFER(const float, 0), ASSAY_BUFFER(const float, 1),
                                  ASSAY_BUFFER(float, 2), ASSAY_PARAM(0)))
ASSAY_CALLER(selftest_plain_waits,
             waits_for_the_device(ASSAY_BUFFER(const float, 0), ASSAY_BUFFER(const float, 1),
                                  ASSAY_BUFFER(float, 2), ASSAY_PARAM(0)))
