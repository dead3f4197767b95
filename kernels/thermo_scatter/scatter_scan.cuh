/* Scans of one integer a thread, within a warp and a block. */
#ifndef ASSAY_SCATTER_SCAN_CUH
#define ASSAY_SCATTER_SCAN_CUH

#include "kernel.h"

enum {
    SCATTER_SCAN_BLOCK = 256,
    SCATTER_SCAN_WARPS = SCATTER_SCAN_BLOCK / 32
};

__device__ inline int scatter_warp_inclusive(int value)
{
    const int lane = static_cast<int>(threadIdx.x % 32);

    for (int d = 1; d < 32; d *= 2) {
        const int below = __shfl_up_sync(0xffffffffu, value, static_cast<unsigned>(d));

        value += lane >= d ? below : 0;
    }
    return value;
}

/* Returns the sum of the values of all threads before this one; *total gets the sum of all. Every
 * thread of a block of SCATTER_SCAN_BLOCK calls it, with shared memory for SCATTER_SCAN_WARPS
 * values. */
__device__ inline int scatter_block_exclusive(int value, int *warps, int *total)
{
    const int warp      = static_cast<int>(threadIdx.x / 32);
    const int inclusive = scatter_warp_inclusive(value);

    if (threadIdx.x % 32 == 31)
        warps[warp] = inclusive;
    __syncthreads();
    if (warp == 0) {
        const int sum =
            scatter_warp_inclusive(threadIdx.x < SCATTER_SCAN_WARPS ? warps[threadIdx.x] : 0);

        if (threadIdx.x < SCATTER_SCAN_WARPS)
            warps[threadIdx.x] = sum;
    }
    __syncthreads();
    *total           = warps[SCATTER_SCAN_WARPS - 1];
    const int before = warp > 0 ? warps[warp - 1] : 0;

    __syncthreads(); /* before the next use of `warps` */
    return before + inclusive - value;
}

#endif
