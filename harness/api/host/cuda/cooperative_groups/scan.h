/* Cooperative groups for host compilation under CUDA's name: scan. */
#ifndef ASSAY_HOST_CUDA_GROUPS_SCAN_H
#define ASSAY_HOST_CUDA_GROUPS_SCAN_H

#include "host/cooperative_groups.h"
#include "host/groups_update.h"

#endif
