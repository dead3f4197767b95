/* A trial of the variant `warp`: no shared memory, and one atomic for each warp. */
#include "../kernels/dot_product/dot_product_case.h"
#include "kernel.h"

static const unsigned BLOCK = 128, MOST_BLOCKS = 1024;

static __global__ void trial_kernel(int64_t n, const float *x, const float *y, double *dot)
{
    const int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
    double        sum    = 0;

    for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
         i += stride)
        sum += static_cast<double>(x[i]) * y[i];
    for (unsigned mask = 16; mask > 0; mask /= 2)
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, static_cast<int>(mask));
    if (threadIdx.x % 32 == 0)
        atomicAdd(dot, sum);
}

ASSAY_LAUNCHER(dot_product_warp)
{
    const int64_t  n      = args->count[X];
    const unsigned blocks = assay_blocks_for(n, BLOCK);
    const int      error  = assay_memset_zero(args->buf[DOT], sizeof(double), stream);

    if (error != 0 || n == 0)
        return error;
    trial_kernel<<<(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS), BLOCK, 0, stream>>>(
        n, static_cast<const float *>(args->buf[X]), static_cast<const float *>(args->buf[Y]),
        static_cast<double *>(args->buf[DOT]));
    return assay_launch_status();
}
