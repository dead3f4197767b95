/* CUDA's header of this name: a part of what cuda_runtime.h has. */
#ifndef ASSAY_HOST_CUDA_DEVICE_TYPES_H
#define ASSAY_HOST_CUDA_DEVICE_TYPES_H

#include "cuda_runtime.h"

#endif
