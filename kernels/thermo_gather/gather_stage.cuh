/* Vectors of a warp's particles pass through shared memory, so that whole lines are read and
 * written. */
#ifndef ASSAY_GATHER_STAGE_CUH
#define ASSAY_GATHER_STAGE_CUH

#include "kernel.h"

enum {
    GATHER_WARP        = 32,
    GATHER_WARP_VALUES = 3 * GATHER_WARP
};

/* The part of the block's shared memory that belongs to this warp, and its first particle. */
struct gather_stage {
    float  *values;
    int     lane;
    int64_t first;
};

/* `block_values` has three elements for each thread of the block. */
__device__ inline gather_stage gather_stage_of(float *block_values)
{
    const int warp = static_cast<int>(threadIdx.x) / GATHER_WARP;

    return { block_values + warp * GATHER_WARP_VALUES, static_cast<int>(threadIdx.x) % GATHER_WARP,
             (static_cast<int64_t>(blockIdx.x) * blockDim.x + warp * GATHER_WARP) * 3 };
}

/* Every lane of the warp calls these, also one without a particle. n: elements of the array. */
__device__ inline void gather_load_vector(const gather_stage &s, const float *from, int64_t n,
                                          float v[3])
{
    for (int k = s.lane; k < GATHER_WARP_VALUES; k += GATHER_WARP)
        s.values[k] = s.first + k < n ? from[s.first + k] : 0.0f;
    __syncwarp();
    for (int d = 0; d < 3; d++)
        v[d] = s.values[3 * s.lane + d];
    __syncwarp();
}

__device__ inline void gather_store_vector(const gather_stage &s, const float v[3], int64_t n,
                                           float *to)
{
    for (int d = 0; d < 3; d++)
        s.values[3 * s.lane + d] = v[d];
    __syncwarp();
    for (int k = s.lane; k < GATHER_WARP_VALUES; k += GATHER_WARP)
        if (s.first + k < n)
            to[s.first + k] = s.values[k];
    __syncwarp();
}

#endif
