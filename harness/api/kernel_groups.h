/* Cooperative groups, for kernels that use them: a header of its own, since CUDA's takes three
 * seconds to compile. On the host kernel.h has them. */
#ifndef ASSAY_KERNEL_GROUPS_H
#define ASSAY_KERNEL_GROUPS_H

#include "kernel.h"

#ifndef ASSAY_HOST_KERNELS
#include <cooperative_groups.h>
#endif

#endif
