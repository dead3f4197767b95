/* Types that CUB's other headers are made of. */
#ifndef ASSAY_HOST_CUB_UTIL_TYPE_CUH
#define ASSAY_HOST_CUB_UTIL_TYPE_CUH

#include "host/cub/types.h"

#endif
