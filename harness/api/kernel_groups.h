/* Cooperative groups, for kernels that use them. This is a separate header, since CUDA's header
 * takes three seconds to compile. On the host device, kernel.h already has them. */
#ifndef ASSAY_KERNEL_GROUPS_H
#define ASSAY_KERNEL_GROUPS_H

#include "kernel.h"

#ifndef ASSAY_HOST_KERNELS
#include <cooperative_groups.h>
#endif

#endif
