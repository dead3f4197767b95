/* dot_product: one atomic for each element, and one for each block after warp shuffles. */
#include "dot_product_case.h"
#include "kernel.h"

static const unsigned BLOCK = 256, WARPS = BLOCK / 32, MOST_BLOCKS = 1024;

static __device__ int64_t first_index(void)
{
    return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

static __global__ void naive_kernel(int64_t n, const float *x, const float *y, double *dot)
{
    const int64_t i = first_index();

    if (i < n)
        atomicAdd(dot, static_cast<double>(x[i]) * y[i]);
}

/* The sum over a warp, in lane 0. */
static __device__ double warp_sum(double value)
{
    for (unsigned distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xFFFFFFFFu, value, distance);
    return value;
}

static __global__ void warp_kernel(int64_t n, const float *x, const float *y, double *dot)
{
    __shared__ double partial[WARPS];
    const unsigned    warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    double            sum = 0;

    for (int64_t i = first_index(); i < n; i += static_cast<int64_t>(gridDim.x) * blockDim.x)
        sum += static_cast<double>(x[i]) * y[i];
    sum = warp_sum(sum);
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < WARPS ? partial[lane] : 0);
        if (lane == 0)
            atomicAdd(dot, sum);
    }
}

ASSAY_LAUNCHER(dot_product_naive)
{
    const int64_t n     = args->count[X];
    const int     error = assay_memset_zero(args->buf[DOT], sizeof(double), stream);

    if (error != 0 || n == 0)
        return error;
    naive_kernel<<<assay_blocks_for(n, BLOCK), BLOCK, 0, stream>>>(
        n, static_cast<const float *>(args->buf[X]), static_cast<const float *>(args->buf[Y]),
        static_cast<double *>(args->buf[DOT]));
    return assay_launch_status();
}

ASSAY_LAUNCHER(dot_product_warp)
{
    const int64_t  n      = args->count[X];
    const unsigned blocks = assay_blocks_for(n, BLOCK);
    const int      error  = assay_memset_zero(args->buf[DOT], sizeof(double), stream);

    if (error != 0 || n == 0)
        return error;
    warp_kernel<<<(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS), BLOCK, 0, stream>>>(
        n, static_cast<const float *>(args->buf[X]), static_cast<const float *>(args->buf[Y]),
        static_cast<double *>(args->buf[DOT]));
    return assay_launch_status();
}
