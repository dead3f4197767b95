/* Kernels behind test_executor_plain.c: plain CUDA C++ after translation, and older spellings of it
 * (kernel_macros.h). */
#include "kernel.h"

/* ---- lambdas: shared memory is not captured, whatever they hold by value */

static __shared__ unsigned total;

template <typename F> static __device__ void call(F f) { f(); }

static __global__ void lambda_kernel(unsigned *out)
{
    __shared__ unsigned seen[64];
    const unsigned      i    = threadIdx.x;
    const auto          note = [=] { seen[i] = i + 1; };
    const auto          each = [i] {
        const auto inner = [=](unsigned k) { return seen[k] + i; };

        return inner(63 - i);
    };

    if (i == 0)
        total = 0;
    note();
    __syncthreads();
    out[i] = each();
    call([=] { atomicAdd(&total, seen[i]); });
    __syncthreads();
    if (i == 0)
        out[64] = total;
}

ASSAY_LAUNCHER(executor_lambdas)
{
    lambda_kernel<<<1, 64, 0, stream>>>(static_cast<unsigned *>(args->buf[1]));
    return assay_launch_status();
}

/* ---- older spellings */

template <typename T, int N> static __global__ void older_kernel(T *out, T factor)
{
    ASSAY_SHARED_DYNAMIC(T, dynamic);
    ASSAY_SHARED(T, fixed, N);
    const int i = static_cast<int>(threadIdx.x);

    dynamic[i] = static_cast<T>(i);
    __syncthreads();
    fixed[N - 1 - i] = dynamic[N - 1 - i] * factor;
    __syncthreads();
    out[i] = fixed[i];
}

static __global__ void older_grid_kernel(unsigned *out)
{
    atomicAdd(&out[64], 1u);
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0)
        out[65] = out[64];
}

static __global__ void older_last_kernel(unsigned *out)
{
    assay_grid_dependency_wait();
    out[66] = out[65] + 1;
}

ASSAY_LAUNCHER(executor_older_spellings)
{
    unsigned *out   = static_cast<unsigned *>(args->buf[1]);
    const int error = ASSAY_ALLOW_SHARED((older_kernel<unsigned, 64>), 60000);

    ASSAY_LAUNCH((older_kernel<unsigned, 64>), 1, 64, 60000, stream, out, 3);
    ASSAY_LAUNCH_CO_RESIDENT(older_grid_kernel, 3, 1, 0, stream, out);
    ASSAY_LAUNCH_DEPENDENT(older_last_kernel, 1, 1, 0, stream, out);
    return error ? error : assay_launch_status();
}

/* ---- launches by a function are named as the kernel is */

static __global__ void trap_kernel(void) { __trap(); }

ASSAY_LAUNCHER(executor_launched_by_function)
{
    cudaLaunchConfig_t config = {};

    (void)args;
    config.gridDim = config.blockDim = 1;
    config.stream                    = stream;
    return static_cast<int>(cudaLaunchKernelEx(&config, trap_kernel));
}
