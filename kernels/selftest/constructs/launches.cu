/* Plain CUDA C++: launches in the forms that people write. y = 2 x + the partner's x, where
 * partners are 63 and 0, 62 and 1, ... of each 64 elements; n is a multiple of 64. */
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

#define LAUNCH(kernel, blocks, ...) kernel<<<(blocks), 64, 0, stream>>>(__VA_ARGS__)

template <typename T> static __global__ void pairs(const T *x, T *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    y[i] = 2 * x[i] + x[i ^ 63];
}
static __global__ void doubled(const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    y[i] = 2 * x[i];
}
static __global__ void partner_added(const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    y[i] += x[i ^ 63];
}

/* Each block brings the elements of the next one; wrong: and does not wait for the one before. */
template <bool WRONG> __global__ void across_blocks(const float *x, float *y, float *w, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, next = (i + 64) % n;

    w[next] = x[next];
    if (!WRONG)
        cg::this_grid().sync();
    y[i] = 2 * w[i] + w[i ^ 63];
}
template __global__ void across_blocks<false>(const float *, float *, float *, int);
template __global__ void across_blocks<true>(const float *, float *, float *, int);

/* ---- host functions */

void launch_deduced(const float *x, float *y, int n) { pairs<<<n / 64, 64>>>(x, y); }

void launch_on_stream(const float *x, float *y, int n, cudaStream_t stream)
{
    pairs<float><<<dim3(n / 64), dim3(64, 1, 1), 0, stream>>>(x, y);
}

void launch_by_macro(const float *x, float *y, int n, cudaStream_t stream)
{
    LAUNCH(pairs, n / 64, x, y);
}

/* Wrong: half of the blocks. */
void launch_by_macro_wrong(const float *x, float *y, int n, cudaStream_t stream)
{
    LAUNCH(pairs, n / 128, x, y);
}

void launch_by_pointer(const float *x, float *y, int n)
{
    static void (*const kernels[])(const float *, float *) = { doubled, pairs<float> };

    kernels[n > 0]<<<n / 64, 64>>>(x, y);
}

/* Wrong: that pointer of the table which doubles alone. */
void launch_by_pointer_wrong(const float *x, float *y, int n)
{
    static void (*const kernels[])(const float *, float *) = { doubled, pairs<float> };

    kernels[n < 0]<<<n / 64, 64>>>(x, y);
}

void launch_several(const float *x, float *y, int n)
{
    doubled<<<n / 64, 64>>>(x, y);
    partner_added<<<n / 64, 64>>>(x, y);
}

/* Wrong: in the other order. */
void launch_several_wrong(const float *x, float *y, int n)
{
    partner_added<<<n / 64, 64>>>(x, y);
    doubled<<<n / 64, 64>>>(x, y);
}

template <bool WRONG>
static void cooperative(const float *x, float *y, float *w, int n, cudaStream_t stream)
{
    void *arguments[] = { &x, &y, &w, &n };

    cudaLaunchCooperativeKernel((void *)across_blocks<WRONG>, dim3(n / 64), dim3(64), arguments, 0,
                                stream);
}
void launch_cooperative(const float *x, float *y, float *w, int n, cudaStream_t stream)
{
    cooperative<false>(x, y, w, n, stream);
}
void launch_cooperative_wrong(const float *x, float *y, float *w, int n, cudaStream_t stream)
{
    cooperative<true>(x, y, w, n, stream);
}

void launch_by_configuration(const float *x, float *y, float *w, int n, cudaStream_t stream)
{
    cudaLaunchAttribute together = {};
    cudaLaunchConfig_t  config   = {};

    together.id              = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    config.gridDim           = dim3(n / 64);
    config.blockDim          = dim3(64);
    config.stream            = stream;
    config.attrs             = &together;
    config.numAttrs          = 1;
    cudaLaunchKernelEx(&config, across_blocks<false>, x, y, w, n);
}

/* Wrong: nothing says that all blocks must be there at once, and grid.sync() waits for them. */
void launch_by_configuration_wrong(const float *x, float *y, float *w, int n, cudaStream_t stream)
{
    cudaLaunchConfig_t config = {};

    config.gridDim  = dim3(n / 64);
    config.blockDim = dim3(64);
    config.stream   = stream;
    cudaLaunchKernelEx(&config, across_blocks<false>, x, y, w, n);
}
