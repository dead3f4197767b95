/* Elements whose type is known only at run time. For kernels that compute in single precision, and
 * whose reads and writes are few beside the computation. */
#ifndef ASSAY_OPS_ANY_CUH
#define ASSAY_OPS_ANY_CUH

#include "ops_types.cuh"

const unsigned OPS_ALL_LANES = 0xffffffffu;

/* `type` is ASSAY_F32, ASSAY_F16 or ASSAY_BF16. */
__device__ inline float ops_load_any(int type, const void *from, int64_t i)
{
    if (type == ASSAY_F32)
        return static_cast<const float *>(from)[i];
    return type == ASSAY_F16 ? ops_float(static_cast<const __half *>(from)[i])
                             : ops_float(static_cast<const __nv_bfloat16 *>(from)[i]);
}

__device__ inline void ops_store_any(int type, void *to, int64_t i, float x)
{
    if (type == ASSAY_F32)
        static_cast<float *>(to)[i] = x;
    else if (type == ASSAY_F16)
        static_cast<__half *>(to)[i] = ops_round<__half>(x);
    else
        static_cast<__nv_bfloat16 *>(to)[i] = ops_round<__nv_bfloat16>(x);
}

/* The value of the type that is nearest to x. */
__device__ inline float ops_round_any(int type, float x)
{
    if (type == ASSAY_F32)
        return x;
    return type == ASSAY_F16 ? ops_float(ops_round<__half>(x))
                             : ops_float(ops_round<__nv_bfloat16>(x));
}

/* The bits of a magnitude: they are in the order of the magnitudes, with NaN above all. */
__device__ inline unsigned ops_magnitude(float x) { return __float_as_uint(fabsf(x)); }

/* The lane of this thread in its warp, the warp's number in its block, and the number of whole
 * warps of the block. */
__device__ inline int ops_lane(void) { return static_cast<int>(threadIdx.x % 32); }
__device__ inline int ops_warp(void) { return static_cast<int>(threadIdx.x / 32); }
__device__ inline int ops_warps(void) { return static_cast<int>(blockDim.x / 32); }

#endif
