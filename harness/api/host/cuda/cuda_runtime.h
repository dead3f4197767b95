/* CUDA's header of this name for the host device: what nvcc includes before a .cu file. */
#ifndef ASSAY_HOST_CUDA_RUNTIME_H
#define ASSAY_HOST_CUDA_RUNTIME_H

/* Standard headers come first: they must not see the macros that mark CUDA. */
#include <algorithm>
#include <assert.h>
#include <limits>
#include <math.h>
#include <new>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tuple>
#include <type_traits>
#include <utility>

/* Headers of CUDA's host libraries (<curand.h>) take their types from here. */
#if __has_include(<library_types.h>)
#include <library_types.h>
#endif

#include "kernel.h"

#include "host/intrinsics.h"
#include "host/ptx_tensor.h"
#include "host/runtime/kernels.h"
#include "host/runtime/memory.h"
#include "host/vector_atomics.h"

/* CUDA's libraries would include their own copies of these headers; the definitions below say that
 * they are included already.
 */
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __HOST_DEFINES_H__
#define __BUILTIN_TYPES_H__
#define __DEVICE_TYPES_H__

#define __CUDACC__                   1
#define __NVCC__                     1
#define __CUDACC_VER_MAJOR__         13
#define __CUDACC_VER_MINOR__         0
#define __CUDACC_VER_BUILD__         0
#define __CUDA_ARCH_LIST__           900
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDACC_EXTENDED_LAMBDA__   1
#define CUDART_VERSION               13000
#define CUDA_VERSION                 13000
#ifndef __clang__
#define __builtin_assume(condition) ((condition) ? static_cast<void>(0) : __builtin_unreachable())
#endif
#define CUDARTAPI
#define CUDART_CB
#define __device_builtin__
#define __builtin_align__(n) __attribute__((aligned(n)))

#endif
