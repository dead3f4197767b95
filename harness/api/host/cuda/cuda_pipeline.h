/* Asynchronous copies for host compilation: the functions of CUDA's header of this name. */
#ifndef ASSAY_HOST_CUDA_PIPELINE_H
#define ASSAY_HOST_CUDA_PIPELINE_H

#include "cuda_pipeline_primitives.h"

#endif
