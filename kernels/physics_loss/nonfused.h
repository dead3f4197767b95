/* The steps of the non-fused variant that have a file of their own. */
#ifndef ASSAY_PHYS_NONFUSED_H
#define ASSAY_PHYS_NONFUSED_H

#include "phys_launch.h"

/* Step 4: the gradient with respect to the fields, from the fields at t1 and the residuals. `block`
 * is the threads of a block; a value that no kernel was compiled for gives PHYS_INVALID_VALUE. */
int phys_launch_nonfused_gradient(const phys_kernel_args &a, const float *r_sigma, const float *r_u,
                                  bool is_central, int64_t block, assay_stream stream);

#endif
