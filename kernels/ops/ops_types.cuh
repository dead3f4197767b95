/* Types of the cases on operators (group "ops"): elements are read as float, computed as float, and
 * rounded once where they are stored. */
#ifndef ASSAY_OPS_TYPES_CUH
#define ASSAY_OPS_TYPES_CUH

#include "kernel.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

template <typename T> __device__ inline float ops_float(T x) { return static_cast<float>(x); }

/* Rounds to the nearest, ties to even, in every type. */
template <typename T> __device__ inline T ops_round(float x) { return static_cast<T>(x); }

/* Neighbours that one instruction loads or stores: 16 bytes, at a multiple of 16. */
template <typename T> struct alignas(16) ops_pack {
    static constexpr int SIZE = 16 / sizeof(T);
    T                    v[SIZE];
};

/* Launches CALL with the type T of the enumeration in args->param[PARAM]; other types are an error
 * number. For example OPS_LAUNCH_BY_TYPE(args->param[TYPE], run<T>(args, stream)). */
#define OPS_LAUNCH_BY_TYPE(type, ...)                                                              \
    do {                                                                                           \
        switch (type) {                                                                            \
        case ASSAY_F32: {                                                                          \
            using T = float;                                                                       \
            __VA_ARGS__;                                                                           \
            break;                                                                                 \
        }                                                                                          \
        case ASSAY_F16: {                                                                          \
            using T = __half;                                                                      \
            __VA_ARGS__;                                                                           \
            break;                                                                                 \
        }                                                                                          \
        case ASSAY_BF16: {                                                                         \
            using T = __nv_bfloat16;                                                               \
            __VA_ARGS__;                                                                           \
            break;                                                                                 \
        }                                                                                          \
        default:                                                                                   \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

#endif
