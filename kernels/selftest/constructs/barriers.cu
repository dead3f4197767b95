/* Plain CUDA C++: cuda::barrier, cuda::pipeline, and copies that they wait for: y = 2 x + the
 * partner's x, in blocks of 64. cuda::atomic_ref, and fences: y = the sum of 64 whole numbers. The
 * wrong kernels are those of <true>. */
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

#define BOTH(kernel)                                                                               \
    template __global__ void kernel<false>(const float *, float *);                                \
    template __global__ void kernel<true>(const float *, float *)

static __device__ void begin(block_barrier *b)
{
    if (threadIdx.x == 0)
        init(b, 64);
    __syncthreads();
}

/* Arrives first, waits later. Wrong: does not wait. */
template <bool WRONG> __global__ void cuda_barrier(const float *x, float *y)
{
    __shared__ float                       tile[64];
    __shared__ alignas(block_barrier) char bytes[sizeof(block_barrier)];
    block_barrier                         *b = reinterpret_cast<block_barrier *>(bytes);
    const int                              t = threadIdx.x, i = blockIdx.x * 64 + t;

    begin(b);
    tile[t]                            = x[i];
    block_barrier::arrival_token token = b->arrive();
    const float                  twice = 2 * x[i];
    if (!WRONG)
        b->wait(static_cast<block_barrier::arrival_token &&>(token));
    y[i] = twice + tile[63 - t];
}
BOTH(cuda_barrier);

/* Copies whose end the barrier signals. Wrong: waits only for the threads, not for the copies. */
template <bool WRONG> __global__ void barrier_copy(const float *x, float *y)
{
    __shared__ float                       tile[64];
    __shared__ alignas(block_barrier) char bytes[sizeof(block_barrier)];
    block_barrier                         *b = reinterpret_cast<block_barrier *>(bytes);
    const int                              t = threadIdx.x, i = blockIdx.x * 64 + t;

    begin(b);
    cuda::memcpy_async(&tile[t], &x[i], sizeof(float), *b);
    if (WRONG)
        __syncthreads();
    else
        b->arrive_and_wait();
    y[i] = 2 * x[i] + tile[63 - t];
}
BOTH(barrier_copy);

/* A thread's own pipeline of two stages. Wrong: does not wait for the second stage. */
template <bool WRONG> __global__ void pipelined(const float *x, float *y)
{
    __shared__ float                          tile[2][64];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    const int                                 t = threadIdx.x, i = blockIdx.x * 64 + t;

    for (int k = 0; k < 2; k++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[k][t], &x[i], sizeof(float), pipe);
        pipe.producer_commit();
    }
    for (int k = 0; k < (WRONG ? 1 : 2); k++) {
        pipe.consumer_wait();
        pipe.consumer_release();
    }
    __syncthreads();
    y[i] = 2 * tile[0][t] + tile[1][63 - t];
}
BOTH(pipelined);

/* ---- sums */

#define SUMS(kernel)                                                                               \
    template __global__ void kernel<false>(const int *, int *);                                    \
    template __global__ void kernel<true>(const int *, int *)

/* The last thread that arrives adds up what all have written. Wrong: arriving orders nothing. */
template <bool WRONG> __global__ void atomic_ref(const int *x, int *y)
{
    __shared__ int                                  part[64], n_there;
    cuda::atomic_ref<int, cuda::thread_scope_block> arrived(n_there);
    const cuda::memory_order                        order =
        WRONG ? cuda::memory_order_relaxed : cuda::memory_order_acq_rel;
    int sum = 0;

    if (threadIdx.x == 0)
        n_there = 0;
    __syncthreads();
    part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    if (arrived.fetch_add(1, order) != 63)
        return;
    for (int k = 0; k < 64; k++)
        sum += part[k];
    y[blockIdx.x] = sum;
}
SUMS(atomic_ref);

/* The same with a fence. Wrong: no fence. */
template <bool WRONG> __global__ void fences(const int *x, int *y)
{
    __shared__ int part[64], n_there;
    int            sum = 0;

    if (threadIdx.x == 0)
        n_there = 0;
    __syncthreads();
    part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    if (!WRONG)
        __threadfence_block();
    if (atomicAdd(&n_there, 1) != 63)
        return;
    if (!WRONG)
        __threadfence_block();
    for (int k = 0; k < 64; k++)
        sum += part[k];
    y[blockIdx.x] = sum;
}
SUMS(fences);
