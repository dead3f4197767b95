/* Plain CUDA C++: constants, __device__ and __managed__ variables, structures by value, printf and
 * assert, __launch_bounds__. y = 2 x + the partner's x, in blocks of 64. */
#undef NDEBUG
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

__constant__ float  weights[2];
__device__ unsigned n_arrived;
__managed__ float   factor;

/* ---- a constant that is set again between two launches */

static __global__ void weighted(const float *x, float *y, bool adds)
{
    const int i = blockIdx.x * 64 + threadIdx.x;

    y[i] = (adds ? y[i] : 0.0f) + weights[0] * x[i] + weights[1] * x[i ^ 63];
}
static const float first[2] = { 2, 0 }, second[2] = { 0, 1 };

void constant_set_twice(const float *x, float *y, int n, cudaStream_t stream)
{
    cudaMemcpyToSymbolAsync(weights, first, sizeof weights, 0, cudaMemcpyHostToDevice, stream);
    weighted<<<n / 64, 64, 0, stream>>>(x, y, false);
    cudaMemcpyToSymbolAsync(weights, second, sizeof weights, 0, cudaMemcpyHostToDevice, stream);
    weighted<<<n / 64, 64, 0, stream>>>(x, y, true);
}

/* Wrong: the constant is not set again. */
void constant_set_once(const float *x, float *y, int n, cudaStream_t stream)
{
    cudaMemcpyToSymbolAsync(weights, first, sizeof weights, 0, cudaMemcpyHostToDevice, stream);
    weighted<<<n / 64, 64, 0, stream>>>(x, y, false);
    weighted<<<n / 64, 64, 0, stream>>>(x, y, true);
}

/* ---- a variable of host and device */

static __global__ void by_managed(const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;

    y[i] = factor * x[i] + x[i ^ 63];
}
void managed(const float *x, float *y, int n, cudaStream_t stream)
{
    factor = 2.0f;
    by_managed<<<n / 64, 64, 0, stream>>>(x, y);
}

/* Wrong: adds to what the previous call left. */
void managed_kept(const float *x, float *y, int n, cudaStream_t stream)
{
    factor += 2.0f;
    by_managed<<<n / 64, 64, 0, stream>>>(x, y);
}

/* ---- a variable of the device: the last block that arrives does the work. Wrong: it leaves the
 * counter as it is */

template <bool WRONG> __global__ void last_block(const float *x, float *y, float *w, int n)
{
    __shared__ bool is_last;
    const int       i = blockIdx.x * 64 + threadIdx.x;

    w[i] = x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        is_last = atomicAdd(&n_arrived, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!is_last)
        return;
    for (int k = threadIdx.x; k < n; k += 64)
        y[k] = 2 * w[k] + w[k ^ 63];
    if (!WRONG && threadIdx.x == 0)
        atomicExch(&n_arrived, 0u);
}
template __global__ void last_block<false>(const float *, float *, float *, int);
template __global__ void last_block<true>(const float *, float *, float *, int);

/* ---- a structure by value */

struct view {
    const float     *x;
    float            weight[2];
    __device__ float at(int i) const { return weight[0] * x[i] + weight[1] * x[i ^ 63]; }
};
static __global__ void by_structure(view v, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;

    y[i] = v.at(i);
}
void structure(const float *x, float *y, int n, cudaStream_t stream)
{
    by_structure<<<n / 64, 64, 0, stream>>>(view { x, { 2, 1 } }, y);
}

/* Wrong: the copy was made before the weight was set. */
void structure_copied_early(const float *x, float *y, int n, cudaStream_t stream)
{
    view       v    = { x, { 0, 1 } };
    const view copy = v;

    v.weight[0] = 2;
    by_structure<<<n / 64, 64, 0, stream>>>(copy, y);
}

/* ---- printf and assert. Wrong: the assertion does not hold */

__global__ void prints(const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;

    if (i == 0)
        printf("%s of %u blocks: x[0] = %g\n", "prints", gridDim.x, x[0]);
    y[i] = 2 * x[i] + x[i ^ 63];
}
template <bool WRONG> __global__ void asserts(const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;

    assert(threadIdx.x < (WRONG ? 63 : 64));
    y[i] = 2 * x[i] + x[i ^ 63];
}
template __global__ void asserts<false>(const float *, float *);
template __global__ void asserts<true>(const float *, float *);

/* ---- __launch_bounds__. Wrong: a launch with more threads */

__global__ void __launch_bounds__(64, 4) bounded(const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    y[i] = 2 * x[i] + x[i ^ 63];
}
