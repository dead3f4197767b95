/* axpy: one element a thread, or four elements a thread by 16-byte accesses. */
#include "axpy_case.h"
#include "kernel.h"

/* Tuning axes of both variants: threads of a block. */
enum {
    BLOCK
};

static unsigned block_of(const assay_args *args)
{
    return static_cast<unsigned>(args->tune[BLOCK]);
}

static __global__ void axpy_naive_kernel(int64_t n, float a, const float *x, float *y)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = fmaf(a, x[i], y[i]);
}

ASSAY_LAUNCHER(axpy_naive)
{
    const int64_t  n     = args->count[Y];
    const unsigned block = block_of(args);

    if (n == 0)
        return 0;
    axpy_naive_kernel<<<assay_blocks_for(n, block), block, 0, stream>>>(
        n, static_cast<float>(args->scalar[A]), static_cast<const float *>(args->buf[X]),
        static_cast<float *>(args->buf[Y]));
    return assay_launch_status();
}

/* Thread i takes elements 4i to 4i+3; the last n % 4 elements go one by one to the first threads.
 */
static __global__ void axpy_vec4_kernel(int64_t n, float a, const float *x, float *y)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < n / 4) {
        const float4 from = reinterpret_cast<const float4 *>(x)[i];
        float4       to   = reinterpret_cast<float4 *>(y)[i];

        to.x                             = fmaf(a, from.x, to.x);
        to.y                             = fmaf(a, from.y, to.y);
        to.z                             = fmaf(a, from.z, to.z);
        to.w                             = fmaf(a, from.w, to.w);
        reinterpret_cast<float4 *>(y)[i] = to;
    }
    if (i < n % 4) {
        const int64_t tail = n - n % 4 + i;

        y[tail] = fmaf(a, x[tail], y[tail]);
    }
}

ASSAY_LAUNCHER(axpy_vec4)
{
    const int64_t  n       = args->count[Y];
    const int64_t  threads = n / 4 > 4 ? n / 4 : 4;
    const unsigned block   = block_of(args);

    if (n == 0)
        return 0;
    axpy_vec4_kernel<<<assay_blocks_for(threads, block), block, 0, stream>>>(
        n, static_cast<float>(args->scalar[A]), static_cast<const float *>(args->buf[X]),
        static_cast<float *>(args->buf[Y]));
    return assay_launch_status();
}
