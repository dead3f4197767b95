/* Kernels behind test_executor.c that are right. buf[0] is the input, buf[1] the output. */
#include "kernel.h"

namespace cg = cooperative_groups;

static const unsigned ALL = 0xffffffffu;

template <typename T> static T *output(const assay_args *args)
{
    return static_cast<T *>(args->buf[1]);
}

static __device__ unsigned rank_in_block(void)
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* ---- warp operations: row r of the output holds operation r of every thread */

static __global__ void shuffle_kernel(unsigned *out)
{
    const unsigned rank = threadIdx.x, lane = rank % 32, n = blockDim.x;
    const unsigned value = 1000 + rank;

    out[0 * n + rank] = __shfl_sync(ALL, value, 5);
    out[1 * n + rank] = __shfl_sync(ALL, value, static_cast<int>(lane * 7), 8);
    out[2 * n + rank] = __shfl_up_sync(ALL, value, 3);
    out[3 * n + rank] = __shfl_up_sync(ALL, value, 3, 8);
    out[4 * n + rank] = __shfl_down_sync(ALL, value, 3);
    out[5 * n + rank] = __shfl_down_sync(ALL, value, 2, 16);
    out[6 * n + rank] = __shfl_xor_sync(ALL, value, 5);
    out[7 * n + rank] = __shfl_xor_sync(ALL, value, 12, 8);
    /* The halves of a warp meet separately, in opposite orders. */
    if (lane % 2 == 0) {
        out[8 * n + rank] = __shfl_xor_sync(0x55555555u, value, 2);
        out[9 * n + rank] = __shfl_down_sync(0x55555555u, value, 2, 4);
    } else {
        out[8 * n + rank] = __shfl_sync(0xaaaaaaaau, value, 31);
        out[9 * n + rank] = __shfl_up_sync(0xaaaaaaaau, value, 2, 4);
    }
}

ASSAY_LAUNCHER(executor_shuffle)
{
    shuffle_kernel<<<1, 96, 0, stream>>>(output<unsigned>(args));
    return assay_launch_status();
}

/* Rotates values of each type by one lane. */
template <typename T> static __device__ bool rotates(T base)
{
    const int lane = static_cast<int>(threadIdx.x % 32);
    const T   got  = __shfl_sync(ALL, static_cast<T>(base + static_cast<T>(lane)), lane + 1);

    return got == static_cast<T>(base + static_cast<T>((lane + 1) % 32));
}

static __global__ void shuffle_types_kernel(int *out)
{
    const bool right = rotates<int>(-7) && rotates<unsigned>(0xfffffff0u) &&
                       rotates<long long>(-(1ll << 40)) &&
                       rotates<unsigned long long>(1ull << 63) && rotates<long>(1l << 33) &&
                       rotates<unsigned long>(3) && rotates<float>(0.5f) && rotates<double>(1e-3);

    out[threadIdx.x] = right;
}

ASSAY_LAUNCHER(executor_shuffle_types)
{
    shuffle_types_kernel<<<1, 32, 0, stream>>>(output<int>(args));
    return assay_launch_status();
}

/* 48 threads: the second warp has 16 lanes. */
static __global__ void vote_kernel(unsigned *out)
{
    const unsigned rank = threadIdx.x, lane = rank % 32, n = blockDim.x;
    int            same = -1;

    out[0 * n + rank]  = __ballot_sync(ALL, lane % 3 == 0);
    out[1 * n + rank]  = static_cast<unsigned>(__any_sync(ALL, rank == 40));
    out[2 * n + rank]  = static_cast<unsigned>(__all_sync(ALL, rank < 40));
    out[3 * n + rank]  = __match_any_sync(ALL, lane / 4);
    out[4 * n + rank]  = __match_all_sync(ALL, rank / 32, &same);
    out[5 * n + rank]  = static_cast<unsigned>(same);
    out[6 * n + rank]  = __match_all_sync(ALL, 1.5 * lane, &same);
    out[7 * n + rank]  = static_cast<unsigned>(same);
    out[8 * n + rank]  = __reduce_add_sync(ALL, rank);
    out[9 * n + rank]  = static_cast<unsigned>(__reduce_min_sync(ALL, 5 - static_cast<int>(rank)));
    out[10 * n + rank] = __reduce_max_sync(ALL, rank);
    out[11 * n + rank] = __reduce_and_sync(ALL, ~(1u << lane % 4));
    out[12 * n + rank] = __reduce_or_sync(ALL, 1u << lane);
    out[13 * n + rank] = __reduce_xor_sync(ALL, rank);
}

ASSAY_LAUNCHER(executor_vote)
{
    vote_kernel<<<1, 48, 0, stream>>>(output<unsigned>(args));
    return assay_launch_status();
}

/* Aggregated counting: the lanes that are active together elect one lane, which adds for all. */
static __global__ void active_kernel(unsigned *out)
{
    if (threadIdx.x % 3 != 0)
        return;
    const unsigned active = __activemask();
    const int      leader = __ffs(static_cast<int>(active)) - 1;
    unsigned       base   = 0;

    if (static_cast<int>(threadIdx.x % 32) == leader)
        base = atomicAdd(&out[0], static_cast<unsigned>(__popc(active)));
    base = __shfl_sync(active, base, leader);
    out[1 + base + static_cast<unsigned>(__popc(active & ((1u << threadIdx.x % 32) - 1u)))] =
        threadIdx.x;
    const cg::coalesced_group group = cg::coalesced_threads();
    const unsigned            first = group.shfl(threadIdx.x, 0);

    group.sync();
    if (first > threadIdx.x || group.thread_rank() >= group.size())
        atomicAdd(&out[0], 1000u);
}

ASSAY_LAUNCHER(executor_active)
{
    const int error = assay_memset_zero(args->buf[1], sizeof(unsigned), stream);

    active_kernel<<<1, 96, 0, stream>>>(output<unsigned>(args));
    return error ? error : assay_launch_status();
}

/* ---- blocks: indices, barriers with votes, shared memory */

static __global__ void index_kernel(unsigned *out)
{
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned size  = blockDim.x * blockDim.y * blockDim.z;

    out[block * size + rank_in_block()] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z +
                                          1000 * blockIdx.x + 10000 * blockIdx.y +
                                          100000 * blockIdx.z;
}

ASSAY_LAUNCHER(executor_index)
{
    index_kernel<<<dim3(2, 3, 4), dim3(5, 3, 2), 0, stream>>>(output<unsigned>(args));
    return assay_launch_status();
}

static __global__ void barrier_vote_kernel(int *out)
{
    const int rank = static_cast<int>(threadIdx.x);
    int       sum  = 0;

    for (int round = 0; round < 10; round++) {
        sum += __syncthreads_count(rank % 10 <= round);
        sum += __syncthreads_and(rank < 100 * round) ? 1000 : 0;
        sum += __syncthreads_or(rank == 50 * round) ? 100000 : 0;
    }
    out[rank] = sum;
}

ASSAY_LAUNCHER(executor_barrier_vote)
{
    barrier_vote_kernel<<<1, 200, 0, stream>>>(output<int>(args));
    return assay_launch_status();
}

typedef float row[33];

/* Transposes a 32x32 tile through padded shared rows, and sums by shuffles over warp partials in
 * dynamic shared memory. */
static __global__ void block_kernel(const float *in, float *out)
{
    __shared__ row    tile[32];
    extern __shared__ __align__(16) double partial[];
    const unsigned                         lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double                                 sum = 0;

    in += blockIdx.x * 1024;
    out += blockIdx.x * 1025;
    for (unsigned y = warp; y < 32; y += blockDim.x / 32) {
        tile[y][lane] = in[y * 32 + lane];
        sum += static_cast<double>(tile[y][lane]);
    }
    for (unsigned delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(ALL, sum, delta);
    if (lane == 0)
        partial[warp] = sum;
    __syncthreads();
    for (unsigned y = warp; y < 32; y += blockDim.x / 32)
        out[y * 32 + lane] = tile[lane][y];
    if (threadIdx.x == 0) {
        for (unsigned w = 1; w < blockDim.x / 32; w++)
            sum += partial[w];
        out[1024] = static_cast<float>(sum);
    }
}

ASSAY_LAUNCHER(executor_block)
{
    block_kernel<<<static_cast<unsigned>(args->param[0]), 256, 8 * sizeof(double), stream>>>(
        static_cast<const float *>(args->buf[0]), output<float>(args));
    return assay_launch_status();
}

/* A function with two instantiations, one of them called twice: there are two arrays, and both
 * calls use the same one. */
template <int N> static __device__ int *scratch(void)
{
    __shared__ int values[N];
    return values;
}

static __global__ void shared_identity_kernel(int *out)
{
    int *a = scratch<4>(), *b = scratch<5>();

    out += 3 * blockIdx.x;
    if (threadIdx.x == 0) {
        out[0] = a != b;
        out[1] = a == scratch<4>();
        out[2] = a[3] == b[4] ? a[3] : 0; /* before any thread has written */
    }
    __syncthreads();
    a[threadIdx.x] = 7;
}

ASSAY_LAUNCHER(executor_shared_identity)
{
    shared_identity_kernel<<<8, 4, 0, stream>>>(output<int>(args));
    return assay_launch_status();
}

/* Half of the threads leave early; the others still meet at the barrier. */
static __global__ void early_return_kernel(int *out)
{
    __shared__ int value[64];

    atomicAdd(&out[64 + threadIdx.x], 1);
    if (threadIdx.x >= 40)
        return;
    value[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = value[39 - threadIdx.x];
    __syncthreads();
    out[threadIdx.x] += 100;
}

ASSAY_LAUNCHER(executor_early_return)
{
    const int error = assay_memset_zero(args->buf[1], 128 * sizeof(int), stream);

    early_return_kernel<<<1, 64, 0, stream>>>(output<int>(args));
    return error ? error : assay_launch_status();
}

/* ---- cooperative groups */

struct wide {
    int a, b, c, d, e;
};

static __global__ void groups_kernel(unsigned *out)
{
    const cg::thread_block         block = cg::this_thread_block();
    const cg::thread_block_tile<8> tile  = cg::tiled_partition<8>(block);
    const unsigned                 rank = block.thread_rank(), n = block.size();
    const int                      r   = static_cast<int>(rank);
    const wide                     got = tile.shfl(wide { r, r + 1, r + 2, r + 3, r + 4 }, 3);

    out[0 * n + rank] = cg::reduce(tile, rank, cg::plus<unsigned>());
    out[1 * n + rank] = tile.ballot(rank % 3 == 0);
    out[2 * n + rank] = tile.shfl_down(rank, 3);
    out[3 * n + rank] = tile.shfl_xor(rank, 5);
    out[4 * n + rank] = tile.match_any(rank % 2);
    out[5 * n + rank] = tile.meta_group_rank() * 100 + tile.thread_rank();
    out[6 * n + rank] = static_cast<unsigned>(got.a + got.e);
    out[7 * n + rank] = cg::reduce(cg::tiled_partition<4>(tile), rank, cg::greater<unsigned>());
    out[8 * n + rank] =
        static_cast<unsigned>(tile.any(rank == 9)) + 2u * static_cast<unsigned>(tile.all(rank < 8));
    cg::sync(block);
}

ASSAY_LAUNCHER(executor_groups)
{
    groups_kernel<<<1, dim3(8, 3, 2), 0, stream>>>(output<unsigned>(args));
    return assay_launch_status();
}
