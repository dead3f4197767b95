/* Cooperative groups for host compilation under CUDA's name: reduce. */
#ifndef ASSAY_HOST_CUDA_GROUPS_REDUCE_H
#define ASSAY_HOST_CUDA_GROUPS_REDUCE_H

#include "host/cooperative_groups.h"
#include "host/groups_update.h"

#endif
