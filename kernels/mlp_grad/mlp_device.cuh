/* What the MLP kernels share: activations, and the sum over a block. */
#ifndef ASSAY_MLP_DEVICE_CUH
#define ASSAY_MLP_DEVICE_CUH

#include "mlp_check.h"

__device__ inline float mlp_activate(int activation, float z)
{
    return activation == MLP_TANH ? tanhf(z) : fmaxf(z, 0.0F);
}

/* The derivative, from the activation's result. */
__device__ inline float mlp_slope(int activation, float h)
{
    return activation == MLP_TANH ? fmaf(-h, h, 1.0F) : h > 0.0F ? 1.0F : 0.0F;
}

/* The sum over a block of 256 threads, in the same order every time. Only thread 0 gets it, since
 * the others would read it while it is being written. All threads of the block call it; `sums` is
 * 256 numbers of shared memory. */
__device__ inline double mlp_block_sum(double *sums, double mine)
{
    const unsigned me = threadIdx.x;

    sums[me] = mine;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (me < half)
            sums[me] += sums[me + half];
    }
    return me == 0 ? sums[0] : 0;
}

#endif
