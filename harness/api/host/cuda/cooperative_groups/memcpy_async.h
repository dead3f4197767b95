/* Cooperative groups for host compilation under CUDA's name: asynchronous copies. */
#ifndef ASSAY_HOST_CUDA_GROUPS_MEMCPY_ASYNC_H
#define ASSAY_HOST_CUDA_GROUPS_MEMCPY_ASYNC_H

#include "host/cooperative_groups.h"
#include "host/groups_copy.h"

#endif
