/* Cooperative groups for host compilation, as far as kernel.h brings them along; scans and
 * asynchronous copies are in headers of their own (groups_scan.h, groups_copy.h). */
#ifndef ASSAY_HOST_COOPERATIVE_GROUPS_H
#define ASSAY_HOST_COOPERATIVE_GROUPS_H

#include "groups_block.h"
#include "groups_partition.h"
#include "groups_reduce.h"
#include "groups_tiles.h"

#endif
