/* The vectors of a warp's particles pass through shared memory, so that whole lines are read and
 * written. */
#ifndef ASSAY_GATHER_STAGE_CUH
#define ASSAY_GATHER_STAGE_CUH

#include "kernel.h"

enum {
    GATHER_WARP        = 32,
    GATHER_WARP_VALUES = 3 * GATHER_WARP
};

/* The part of the block's shared memory that belongs to this warp, and the warp's values in an
 * array of three a particle: where they begin, and how many there are. */
struct gather_stage {
    float  *values;
    int     lane;
    int64_t first;
    int     count;
};

/* `block_values` has three elements for each thread of the block; n is the number of particles. */
__device__ inline gather_stage gather_stage_of(float *block_values, int n)
{
    const int warp  = static_cast<int>(threadIdx.x) / GATHER_WARP;
    const int first = static_cast<int>(blockIdx.x * blockDim.x) + warp * GATHER_WARP;

    return { block_values + warp * GATHER_WARP_VALUES, static_cast<int>(threadIdx.x) % GATHER_WARP,
             3 * static_cast<int64_t>(first), 3 * min(n - first, int { GATHER_WARP }) };
}

/* Every lane of the warp calls these, even without a particle. Loads come before stores: the place
 * that a store writes first was read by this lane only. */
__device__ inline void gather_load_vector(const gather_stage &s, const float *from, float v[3])
{
    from += s.first + s.lane;
#pragma unroll
    for (int k = 0; k < 3; k++)
        v[k] = s.lane + k * GATHER_WARP < s.count ? __ldcs(from + k * GATHER_WARP) : 0.0f;
#pragma unroll
    for (int k = 0; k < 3; k++)
        s.values[s.lane + k * GATHER_WARP] = v[k];
    __syncwarp();
#pragma unroll
    for (int d = 0; d < 3; d++)
        v[d] = s.values[3 * s.lane + d];
}

__device__ inline void gather_store_vector(const gather_stage &s, const float v[3], float *to)
{
#pragma unroll
    for (int d = 0; d < 3; d++)
        s.values[3 * s.lane + d] = v[d];
    __syncwarp();
    to += s.first + s.lane;
#pragma unroll
    for (int k = 0; k < 3; k++)
        if (s.lane + k * GATHER_WARP < s.count)
            __stcs(to + k * GATHER_WARP, s.values[s.lane + k * GATHER_WARP]);
    __syncwarp();
}

#endif
