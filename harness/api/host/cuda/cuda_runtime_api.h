/* CUDA's header of this name: a part of what cuda_runtime.h has. */
#ifndef ASSAY_HOST_CUDA_CUDA_RUNTIME_API_H
#define ASSAY_HOST_CUDA_CUDA_RUNTIME_API_H

#include "cuda_runtime.h"

#endif
