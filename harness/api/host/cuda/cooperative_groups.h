/* Cooperative groups for host compilation, under CUDA's name. */
#ifndef ASSAY_HOST_CUDA_COOPERATIVE_GROUPS_H
#define ASSAY_HOST_CUDA_COOPERATIVE_GROUPS_H

#include "host/cooperative_groups.h"

#endif
