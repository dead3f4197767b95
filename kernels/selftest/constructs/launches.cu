/* Plain CUDA C++: launches in the forms that people write. y = 2 x + the partner's x, where
 * partners are 63 and 0, 62 and 1, ... of each 64 elements; n is a multiple of 64. */
#include <cuda_runtime.h>

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

/* Wrong: launches half of the blocks. */
void launch_by_macro_wrong(const float *x, float *y, int n, cudaStream_t stream)
{
    LAUNCH(pairs, n / 128, x, y);
}

void launch_by_pointer(const float *x, float *y, int n)
{
    static void (*const kernels[])(const float *, float *) = { doubled, pairs<float> };

    kernels[n > 0]<<<n / 64, 64>>>(x, y);
}

/* Wrong: uses the pointer of the table that only doubles. */
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

/* Wrong: launches in the other order. */
void launch_several_wrong(const float *x, float *y, int n)
{
    partner_added<<<n / 64, 64>>>(x, y);
    doubled<<<n / 64, 64>>>(x, y);
}
