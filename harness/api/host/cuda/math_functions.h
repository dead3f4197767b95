/* CUDA's header of this name: a part of what cuda_runtime.h has. */
#ifndef ASSAY_HOST_CUDA_MATH_FUNCTIONS_H
#define ASSAY_HOST_CUDA_MATH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
