/* Kernels behind test_executor_cuda.c: the parts of namespace cuda that plain kernels use. */
#include "kernel.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/pipeline>
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/barrier>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/* A launcher of one kernel on a table of 4096 numbers and the output buffer. */
#define CUDA(name, grid, block)                                                                    \
    ASSAY_LAUNCHER(executor_##name)                                                                \
    {                                                                                              \
        name##_kernel<<<grid, block, 0, stream>>>(static_cast<unsigned *>(args->buf[0]),           \
                                                  static_cast<unsigned *>(args->buf[1]));          \
        return assay_launch_status();                                                              \
    }

/* ---- barriers and pipelines: each sums what a block of 64 reads in reverse, over some stages */

static __global__ void cuda_barrier_kernel(const unsigned *in, unsigned *out)
{
    __shared__ block_barrier bar[1];
    __shared__ unsigned      values[64];
    const auto               block = cg::this_thread_block();
    const unsigned           i     = block.thread_rank();
    unsigned                 sum   = 0;

    if (i == 0)
        init(bar, 64);
    block.sync();
    for (unsigned stage = 0; stage < 6; stage++) {
        if (stage % 2 == 0)
            cuda::memcpy_async(block, values, in + 64 * stage, cuda::aligned_size_t<16>(256), *bar);
        else if (stage % 3 == 0)
            cuda::memcpy_async(values + i, in + 64 * stage + i, sizeof(unsigned), *bar);
        else
            values[i] = in[64 * stage + i];
        block_barrier::arrival_token token = bar->arrive();
        bar->wait(cuda::std::move(token));
        sum += values[63 - i];
        bar->arrive_and_wait();
    }
    if (i >= 32) {
        bar->arrive_and_drop();
        return;
    }
    bar->arrive_and_wait();
    bar->arrive_and_wait();
    out[i] = sum;
}
CUDA(cuda_barrier, 1, 64)

static __global__ void cuda_bytes_kernel(const unsigned *in, unsigned *out)
{
    __shared__ block_barrier bar[1];
    __shared__ uint4         values[16];
    unsigned                 sum = 0;

    if (threadIdx.x == 0)
        init(bar, 64);
    __syncthreads();
    for (unsigned stage = 0; stage < 6; stage++) {
        block_barrier::arrival_token token;

        if (threadIdx.x == 0) {
            cuda::device::memcpy_async_tx(&values[0].x, in + 64 * stage,
                                          cuda::aligned_size_t<16>(256), *bar);
            token = cuda::device::barrier_arrive_tx(*bar, 1, 256);
        } else {
            token = bar->arrive();
        }
        bar->wait(cuda::std::move(token));
        sum += (&values[0].x)[63 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
CUDA(cuda_bytes, 1, 64)

static __global__ void thread_pipeline_kernel(const unsigned *in, unsigned *out)
{
    __shared__ unsigned values[2 * 64];
    const unsigned      i    = threadIdx.x;
    unsigned            sum  = 0;
    auto                pipe = cuda::make_pipeline();
    const auto          fill = [&](unsigned stage) {
        pipe.producer_acquire();
        if (stage < 6)
            cuda::memcpy_async(&values[stage % 2 * 64 + i], &in[64 * stage + i], sizeof(unsigned),
                                        pipe);
        pipe.producer_commit();
    };

    fill(0);
    for (unsigned stage = 0; stage < 6; stage++) {
        fill(stage + 1);
        if (stage % 2 == 0)
            pipe.consumer_wait();
        else
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        __syncthreads();
        sum += values[stage % 2 * 64 + 63 - i];
        pipe.consumer_release();
        __syncthreads();
    }
    out[i] = sum;
}
CUDA(thread_pipeline, 1, 64)

static __global__ void block_pipeline_kernel(const unsigned *in, unsigned *out)
{
    using state = cuda::pipeline_shared_state<cuda::thread_scope_block, 3>;
    __shared__ state    states[1];
    __shared__ unsigned values[3 * 64];
    const auto          block = cg::this_thread_block();
    auto                pipe  = cuda::make_pipeline(block, states);
    const unsigned      i     = block.thread_rank();
    unsigned            sum = 0, next = 0;

    for (unsigned stage = 0; stage < 6; stage++) {
        for (; next < 6 && next < stage + 3; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, values + next % 3 * 64, in + 64 * next, 256, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += values[stage % 3 * 64 + 63 - i];
        pipe.consumer_release();
    }
    out[i] = sum;
}
CUDA(block_pipeline, 1, 64)

/* 32 of 96 threads produce: the first ones, or those with that role. */
template <bool BySize> static __global__ void roles_kernel(const unsigned *in, unsigned *out)
{
    using state = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
    __shared__ state    states[1];
    __shared__ unsigned values[2 * 64];
    const auto          block       = cg::this_thread_block();
    const auto          warp        = cg::tiled_partition<32>(block);
    const unsigned      i           = block.thread_rank();
    const bool          is_producer = warp.meta_group_rank() == (BySize ? 0 : 2);
    unsigned            sum         = 0;
    const auto role = is_producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto       pipe = BySize ? cuda::make_pipeline(block, states, size_t { 32 })
                             : cuda::make_pipeline(block, states, role);

    for (unsigned stage = 0; stage < 6; stage++)
        if (is_producer) {
            pipe.producer_acquire();
            cuda::memcpy_async(warp, values + stage % 2 * 64, in + 64 * stage, 256, pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += values[stage % 2 * 64 + 63 - (BySize ? i - 32 : i)];
            pipe.consumer_release();
        }
    if (!is_producer)
        out[BySize ? i - 32 : i] = sum;
}

ASSAY_LAUNCHER(executor_sized_pipeline)
{
    roles_kernel<true><<<1, 96, 0, stream>>>(static_cast<unsigned *>(args->buf[0]),
                                             static_cast<unsigned *>(args->buf[1]));
    return assay_launch_status();
}
ASSAY_LAUNCHER(executor_role_pipeline)
{
    roles_kernel<false><<<1, 96, 0, stream>>>(static_cast<unsigned *>(args->buf[0]),
                                              static_cast<unsigned *>(args->buf[1]));
    return assay_launch_status();
}

/* The consumer does not wait for its stage. */
static __global__ void no_consumer_wait_kernel(const unsigned *in, unsigned *out)
{
    __shared__ unsigned values[64];
    auto                pipe = cuda::make_pipeline();

    pipe.producer_acquire();
    cuda::memcpy_async(&values[threadIdx.x], &in[threadIdx.x], sizeof(unsigned), pipe);
    pipe.producer_commit();
    out[threadIdx.x] = values[threadIdx.x];
}
CUDA(no_consumer_wait, 1, 64)

/* ---- atomics: 4 blocks of 64, each thread i of 256 */

/* The same as in test_executor_cuda.c. */
struct cuda_counters {
    cuda::atomic<int>                                 sum;
    cuda::atomic<unsigned, cuda::thread_scope_device> bits, mask, odd;
    cuda::std::atomic<unsigned long long>             wide;
    cuda::atomic<float, cuda::thread_scope_device>    real;
    int                                               low, high, swapped, by_operator;
    cuda::atomic<unsigned, cuda::thread_scope_device> turn, guarded;
    unsigned                                          scans, plain;
};

static __global__ void cuda_atomics_kernel(cuda_counters *c)
{
    const int i = static_cast<int>(blockIdx.x * 64 + threadIdx.x);
    const cuda::atomic_ref<int, cuda::thread_scope_device> low(c->low), high(c->high),
        by(c->by_operator);
    const cuda::std::atomic_ref<int> swapped(c->swapped);
    int                              seen = swapped.load(cuda::std::memory_order_relaxed);

    c->sum.fetch_add(i, cuda::memory_order_relaxed);
    c->sum.fetch_sub(1);
    c->bits.fetch_or(1u << i % 32);
    c->mask.fetch_and(~(1u << i % 31), cuda::std::memory_order_acq_rel);
    c->odd ^= static_cast<unsigned>(i);
    c->wide += 1ull << 33;
    c->real.fetch_add(0.25f, cuda::memory_order_release);
    low.fetch_min(-i);
    high.fetch_max(i);
    ++by;
    by--;
    by += 3;
    while (!swapped.compare_exchange_weak(seen, seen + 2, cuda::memory_order_acq_rel,
                                          cuda::memory_order_relaxed))
        continue;
    (void)cg::inclusive_scan_update(cg::tiled_partition<32>(cg::this_thread_block()), c->guarded,
                                    1u);
}

/* Blocks update a plain variable in turn, once by wait and notify and once by a fence. */
static __global__ void turns_kernel(cuda_counters *c)
{
    if (threadIdx.x == 0) {
        for (unsigned now = c->turn.load(cuda::memory_order_acquire); now != blockIdx.x;
             now          = c->turn.load(cuda::memory_order_acquire))
            c->turn.wait(now, cuda::memory_order_acquire);
        c->plain += blockIdx.x + 1;
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        c->turn.store(blockIdx.x + 1, cuda::memory_order_relaxed);
        c->turn.notify_all();
    }
}

static __global__ void atomics_begin_kernel(cuda_counters *c)
{
    memset(static_cast<void *>(c), 0, sizeof *c);
    c->mask = ~0u;
}

ASSAY_LAUNCHER(executor_cuda_atomics)
{
    cuda_counters *c = static_cast<cuda_counters *>(args->buf[1]);

    atomics_begin_kernel<<<1, 1, 0, stream>>>(c);
    cuda_atomics_kernel<<<4, 64, 0, stream>>>(c);
    assay_launch_co_resident(turns_kernel, 4, 32, 0, stream, c);
    return assay_launch_status();
}

/* ---- cuda::std and cuda:: as plain kernels use them */

static __global__ void cuda_std_kernel(unsigned *out)
{
    cuda::std::array<unsigned, 3>       three = { 3, 1, 2 };
    const auto                          pair  = cuda::std::make_tuple(threadIdx.x, 2.0f);
    const cuda::std::complex<float>     c(0, 1);
    const cuda::std::optional<unsigned> maybe = threadIdx.x;
    const cuda::maximum<>               larger {};
    const cuda::minimum<unsigned>       smaller {};

    static_assert(cuda::std::is_same_v<cuda::std::uint32_t, unsigned>, "one and the same");
    out[0] = cuda::std::get<0>(pair) + cuda::std::max(three[0], three[1]) * 10;
    out[1] = cuda::std::numeric_limits<unsigned>::max();
    out[2] = static_cast<unsigned>(-(c * c).real());
    out[3] = *maybe + larger(3u, 4u) * 10 + smaller(5, 6) * 100;
    out[4] = cuda::std::plus<unsigned>()(3, 4);
    out[5] = cuda::std::bit_cast<unsigned>(1.0f);
    out[6] = cuda::ceil_div(10u, 3u) * 100 + cuda::round_up(10u, 4u);
    out[7] = static_cast<unsigned>(cuda::std::popcount(0xf0u) + cuda::std::countl_zero(1u));
}

ASSAY_LAUNCHER(executor_cuda_std)
{
    cuda_std_kernel<<<1, 1, 0, stream>>>(static_cast<unsigned *>(args->buf[1]));
    return assay_launch_status();
}

/* ---- host code that stands around plain kernels */

static __global__ void runtime_kernel(unsigned *out) { out[0] += 1; }

#if __has_include(<library_types.h>)
static_assert(sizeof(libraryPropertyType) == sizeof(int), "what <curand.h> asks of the runtime");
#endif

static void CUDART_CB note_callback(cudaStream_t, cudaError_t error, void *data)
{
    static_cast<unsigned *>(data)[1] = error == cudaSuccess;
}
static void note_function(void *data) { static_cast<unsigned *>(data)[2] = 2; }

ASSAY_LAUNCHER(executor_runtime)
{
    unsigned       *out  = static_cast<unsigned *>(args->buf[1]);
    const unsigned  five = 5;
    cudaDeviceProp  about;
    cudaMemLocation place = { cudaMemLocationTypeDevice, 0 };
    int             value = -1, blocks = 0, grid = 0, block = 0;
    void           *kernel = reinterpret_cast<void *>(&runtime_kernel);

    memset(out, 0, 8 * sizeof *out);
    runtime_kernel<<<1, 1, 0, stream>>>(out);
    (void)cudaStreamAddCallback(stream, note_callback, out, 0);
    (void)cudaLaunchHostFunc(stream, note_function, out);
    (void)cudaMemcpyPeerAsync(out + 3, 0, &five, 0, sizeof five, stream);
    (void)cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, 0);
    out[4] = value == cudaComputeModeDefault;
    (void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0);
    (void)cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel);
    out[5] = blocks > 0 && grid > 0 && block > 0;
    out[6] = cudaMemAdvise(out, 4, cudaMemAdviseSetReadMostly, place) == cudaSuccess &&
             cudaMemPrefetchAsync(out, 4, place, 0, stream) == cudaSuccess;
    out[7] = cudaGetDeviceProperties(&about, 0) == cudaSuccess && about.pageableMemoryAccess == 0;
    return assay_launch_status();
}
