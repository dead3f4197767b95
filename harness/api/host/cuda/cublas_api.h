/* The library's own header, behind the types that it takes. */
#ifndef ASSAY_HOST_CUDA_CUBLAS_API_H
#define ASSAY_HOST_CUDA_CUBLAS_API_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#include_next <cublas_api.h>

#endif
