/* Kernels behind test_executor_cub.c: CUB's reductions and scans, each against a plain loop. */
#include "executor_cub_test.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* ---- reductions of a block */

static __device__ int sum_to(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += input(i);
    return sum;
}

template <int X, cub::BlockReduceAlgorithm ALGORITHM, int Y, int Z>
static __global__ void reduce_kernel(unsigned *out)
{
    using reduce       = cub::BlockReduce<int, X, ALGORITHM, Y, Z>;
    using maps         = cub::BlockReduce<affine, X, ALGORITHM, Y, Z>;
    const int N        = X * Y * Z;
    const int rank     = rank_in_block();
    const int three[3] = { input(3 * rank), input(3 * rank + 1), input(3 * rank + 2) };
    int       items[3] = { three[0], three[1], three[2] };
    __shared__ typename reduce::TempStorage storage[1];
    __shared__ typename maps::TempStorage   map_storage[1];

    const int sum = reduce(*storage).Sum(input(rank));
    CHECK(rank != 0 ? sum == input(rank) : sum == sum_to(N));
    __syncthreads();
    const int of_items = reduce(*storage).Sum(items);
    CHECK(rank != 0 || of_items == sum_to(3 * N));
    for (int valid = 1; valid <= N; valid += valid < 3 ? 1 : N / 3) {
        __syncthreads();
        const int part = reduce(*storage).Sum(input(rank), valid);
        CHECK(rank != 0 || part == sum_to(valid));
    }
    __syncthreads();
    const int none = reduce(*storage).Sum(input(rank), 0);
    CHECK(none == input(rank));
    const int most     = reduce().Reduce(input(rank), cuda::maximum<>());
    int       expected = input(0);
    for (int i = 1; i < N; i++)
        expected = input(i) > expected ? input(i) : expected;
    CHECK(rank != 0 || most == expected);
    const affine all  = maps(*map_storage).Reduce(map(rank), compose());
    affine       each = map(0);
    for (int i = 1; i < N; i++)
        each = compose()(each, map(i));
    CHECK(rank != 0 || all == each);
}
CUB_LAUNCHER(reduce_1, 1, reduce_kernel<1, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 1, 1>)
CUB_LAUNCHER(reduce_33, 33, reduce_kernel<33, cub::BLOCK_REDUCE_RAKING, 1, 1>)
CUB_LAUNCHER(reduce_128, 128, reduce_kernel<128, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, 1, 1>)
CUB_LAUNCHER(reduce_3d, dim3(4, 5, 3), reduce_kernel<4, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 5, 3>)

/* The block is smaller than the template says; every thread has a valid item. */
static __global__ void reduce_fewer_kernel(unsigned *out)
{
    using reduce         = cub::BlockReduce<int, 1024>;
    const int  rank      = rank_in_block();
    const int  n_threads = static_cast<int>(blockDim.x);
    __shared__ reduce::TempStorage storage[1];

    const int sum = reduce(*storage).Sum(input(rank), n_threads);
    CHECK(rank != 0 || sum == sum_to(n_threads));
    __syncthreads();
    const int part = reduce(*storage).Reduce(input(rank), cuda::maximum<>(), 1);
    CHECK(rank != 0 || part == input(0));
}
CUB_LAUNCHER(reduce_fewer, 40, reduce_fewer_kernel)

/* Some types of each kind. A thread without a result has NaN or its own input. */
static __global__ void reduce_types_kernel(unsigned *out)
{
    using pair      = cub::KeyValuePair<int, float>;
    using floats    = cub::BlockReduce<float, 64>;
    using halves    = cub::BlockReduce<__half, 64>;
    using bfloats   = cub::WarpReduce<__nv_bfloat16>;
    using pairs     = cub::BlockReduce<pair, 64>;
    const int  rank = rank_in_block();
    const int  warp = rank / 32;
    __shared__ floats::TempStorage float_storage[1];
    __shared__ halves::TempStorage half_storage[1];
    __shared__ bfloats::TempStorage bfloat_storage[2];
    __shared__ pairs::TempStorage pair_storage[1];

    const float sum = floats(*float_storage).Sum(0.5f * static_cast<float>(rank));
    CHECK(rank == 0 ? sum == 1008.0f : sum != sum);
    const float one = __half2float(halves(*half_storage).Sum(__float2half(0.25f)));
    CHECK(rank == 0 ? one == 16.0f : one == 0.25f);
    const float two = __bfloat162float(bfloats(bfloat_storage[warp]).Max(__nv_bfloat16(rank)));
    CHECK(rank % 32 != 0 || two == static_cast<float>(rank + 31));
    const pair best =
        pairs(*pair_storage).Reduce(pair(rank, static_cast<float>(rank % 10)), cub::ArgMax());
    CHECK(rank != 0 || (best.key == 9 && best.value == 9.0f));
}
CUB_LAUNCHER(reduce_types, 64, reduce_types_kernel)

/* ---- reductions of a warp */

template <int LANES> static __global__ void warp_reduce_kernel(unsigned *out)
{
    using reduce                                   = cub::WarpReduce<int, LANES>;
    const int                               thread = rank_in_block();
    const int                               warp = thread / 32 * (32 / LANES) + thread % 32 / LANES;
    const int                               lane = thread % 32 % LANES;
    const int                               first = thread - lane;
    __shared__ typename reduce::TempStorage storage[64];

    if (thread % 32 >= 32 / LANES * LANES)
        return;
    const unsigned mask = cub::WarpMask<LANES>(0) << (first % 32);
    for (int valid = 1; valid <= LANES; valid++) {
        int expected = 0;
        for (int i = 0; i < valid; i++)
            expected += input(first + i);
        const int sum = reduce(storage[warp]).Sum(input(thread), valid);
        CHECK(sum == (lane == 0 ? expected : input(thread)));
        __syncwarp(mask);
    }
    const int least    = reduce(storage[warp]).Reduce(input(thread), cub::Min());
    int       expected = input(first);
    for (int i = 1; i < LANES; i++)
        expected = input(first + i) < expected ? input(first + i) : expected;
    CHECK(lane != 0 || least == expected);
    __syncwarp(mask);

    const bool is_flagged = thread % 3 == 1;
    const int  by_head    = reduce(storage[warp]).HeadSegmentedSum(input(thread), is_flagged);
    int        head_sum   = input(thread);
    for (int i = thread + 1; i < first + LANES && i % 3 != 1; i++)
        head_sum += input(i);
    CHECK(by_head == (lane == 0 || is_flagged ? head_sum : input(thread)));
    __syncwarp(mask);

    const int by_tail  = reduce(storage[warp]).TailSegmentedSum(input(thread), is_flagged);
    int       tail_sum = input(thread);
    for (int i = thread; i % 3 != 1 && i + 1 < first + LANES; i++)
        tail_sum += input(i + 1);
    CHECK(by_tail == (lane == 0 || (thread - 1) % 3 == 1 ? tail_sum : input(thread)));
}
CUB_LAUNCHER(warp_reduce_32, 96, warp_reduce_kernel<32>)
CUB_LAUNCHER(warp_reduce_8, 64, warp_reduce_kernel<8>)
CUB_LAUNCHER(warp_reduce_24, 64, warp_reduce_kernel<24>)
CUB_LAUNCHER(warp_reduce_1, 32, warp_reduce_kernel<1>)

/* ---- scans of a block */

/* State of the threads that call back: the sum so far. */
struct running {
    int total;

    int operator()(int block_aggregate)
    {
        const int before = total;

        total += block_aggregate;
        return before;
    }
};

template <int X, cub::BlockScanAlgorithm ALGORITHM, int Y, int Z>
static __global__ void scan_kernel(unsigned *out)
{
    using scan                                   = cub::BlockScan<int, X, ALGORITHM, Y, Z>;
    const int                             N      = X * Y * Z;
    const int                             rank   = rank_in_block();
    int                                   result = 0, total = 0;
    __shared__ typename scan::TempStorage storage[1];

    scan(*storage).ExclusiveSum(input(rank), result);
    CHECK(result == sum_to(rank));
    __syncthreads();
    scan(*storage).InclusiveSum(input(rank), result, total);
    CHECK(result == sum_to(rank + 1) && total == sum_to(N));
    __syncthreads();
    scan(*storage).ExclusiveScan(input(rank), result, 5, cub::Sum(), total);
    CHECK(result == 5 + sum_to(rank) && total == sum_to(N));
    __syncthreads();
    scan(*storage).ExclusiveScan(input(rank), result, cub::Max());
    int most = input(0);
    for (int i = 1; i < rank; i++)
        most = input(i) > most ? input(i) : most;
    CHECK(rank == 0 || result == most);
    __syncthreads();
    scan(*storage).InclusiveScan(input(rank), result, 7, cub::Sum());
    CHECK(result == 7 + sum_to(rank + 1));
    running prefix { 100 };
    for (int tile = 0; tile < 3; tile++) {
        __syncthreads();
        scan(*storage).ExclusiveSum(input(tile * N + rank), result, prefix);
        CHECK(result == 100 + sum_to(tile * N + rank));
    }
    CHECK(prefix.total == (rank < 32 ? 100 + sum_to(3 * N) : 100));
}
CUB_LAUNCHER(scan_1, 1, scan_kernel<1, cub::BLOCK_SCAN_RAKING, 1, 1>)
CUB_LAUNCHER(scan_33, 33, scan_kernel<33, cub::BLOCK_SCAN_RAKING_MEMOIZE, 1, 1>)
CUB_LAUNCHER(scan_128, 128, scan_kernel<128, cub::BLOCK_SCAN_WARP_SCANS, 1, 1>)
CUB_LAUNCHER(scan_2d, dim3(16, 3), scan_kernel<16, cub::BLOCK_SCAN_WARP_SCANS, 3, 1>)

static __global__ void scan_arrays_kernel(unsigned *out)
{
    using scan      = cub::BlockScan<int, 64>;
    using maps      = cub::BlockScan<affine, 64>;
    const int  rank = rank_in_block();
    int        in[3], to[3], total = 0;
    affine     some[2] = { map(2 * rank), map(2 * rank + 1) }, each = map(0);
    running    prefix { 10 };
    __shared__ scan::TempStorage storage[1];
    __shared__ maps::TempStorage map_storage[1];

    for (int i = 0; i < 3; i++)
        in[i] = input(3 * rank + i);
    scan(*storage).ExclusiveSum(in, to, total);
    for (int i = 0; i < 3; i++)
        CHECK(to[i] == sum_to(3 * rank + i) && total == sum_to(192));
    __syncthreads();
    scan(*storage).InclusiveSum(in, to, prefix);
    for (int i = 0; i < 3; i++)
        CHECK(to[i] == 10 + sum_to(3 * rank + i + 1));
    __syncthreads();
    scan(*storage).ExclusiveScan(in, to, -3, cub::Sum());
    for (int i = 0; i < 3; i++)
        CHECK(to[i] == sum_to(3 * rank + i) - 3);
    __syncthreads();
    scan(*storage).InclusiveSum(in, in);
    for (int i = 0; i < 3; i++)
        CHECK(in[i] == sum_to(3 * rank + i + 1));
    maps(*map_storage).InclusiveScan(some, some, compose());
    for (int i = 1; i <= 2 * rank; i++)
        each = compose()(each, map(i));
    CHECK(some[0] == each && some[1] == compose()(each, map(2 * rank + 1)));
}
CUB_LAUNCHER(scan_arrays, 64, scan_arrays_kernel)

/* ---- scans of a warp */

template <int LANES> static __global__ void warp_scan_kernel(unsigned *out)
{
    using scan       = cub::WarpScan<int, LANES>;
    const int thread = rank_in_block();
    const int lane   = thread % LANES;
    const int first  = thread - lane;
    int       sum = 0, total = 0, inclusive = 0, exclusive = 0, before = 0, all = 0;
    __shared__ typename scan::TempStorage storage[64];
    scan                                  own(storage[thread / LANES]);
    const unsigned mask = cub::WarpMask<LANES>(static_cast<unsigned>(thread / LANES));

    for (int i = 0; i < LANES; i++) {
        before += i < lane ? input(first + i) : 0;
        all += input(first + i);
    }
    own.InclusiveSum(input(thread), sum, total);
    CHECK(sum == before + input(thread) && total == all);
    __syncwarp(mask);
    own.ExclusiveSum(input(thread), sum, total);
    CHECK(sum == before && total == all);
    __syncwarp(mask);
    own.ExclusiveScan(input(thread), sum, 9, cub::Sum());
    CHECK(sum == before + 9);
    __syncwarp(mask);
    own.Scan(input(thread), inclusive, exclusive, cub::Sum());
    CHECK(inclusive == before + input(thread) && (lane == 0 || exclusive == before));
    __syncwarp(mask);
    CHECK(own.Broadcast(input(thread), LANES / 2) == input(first + LANES / 2));
}
CUB_LAUNCHER(warp_scan_32, 64, warp_scan_kernel<32>)
CUB_LAUNCHER(warp_scan_4, 64, warp_scan_kernel<4>)

/* ---- mistakes */

extern "C" __attribute__((visibility("default"))) int executor_cub_line;
int                                                   executor_cub_line;

/* The template has another block size than the launch. */
static __global__ void other_size_kernel(unsigned *out)
{
    using reduce = cub::BlockReduce<float, 256>;
    __shared__ reduce::TempStorage storage[1];

    __atomic_store_n(&executor_cub_line, __LINE__ + 1, __ATOMIC_RELAXED);
    const float sum = reduce(*storage).Sum(1.0f);
    out[0]          = sum > 0;
}
CUB_LAUNCHER(other_size, 128, other_size_kernel)

static __global__ void other_shape_kernel(unsigned *out)
{
    int sum;

    __atomic_store_n(&executor_cub_line, __LINE__ + 1, __ATOMIC_RELAXED);
    cub::BlockScan<int, 16, cub::BLOCK_SCAN_RAKING, 16>().InclusiveSum(1, sum);
    out[0] = sum > 0;
}
CUB_LAUNCHER(other_shape, 256, other_shape_kernel)

/* The second warp has only 16 lanes. */
static __global__ void part_of_warp_kernel(unsigned *out)
{
    using reduce = cub::WarpReduce<int>;
    __shared__ reduce::TempStorage storage[2];

    __atomic_store_n(&executor_cub_line, __LINE__ + 1, __ATOMIC_RELAXED);
    const int sum = reduce(storage[threadIdx.x / 32]).Sum(1);
    out[0]        = sum > 0;
}
CUB_LAUNCHER(part_of_warp, 48, part_of_warp_kernel)

/* Two sums use the same storage without a barrier between them; out[0] has the result. */
static __global__ void reuse_kernel(unsigned *out)
{
    using reduce = cub::BlockReduce<int, 64>;
    __shared__ reduce::TempStorage storage[1];

    const int ones   = reduce(*storage).Sum(1);
    const int threes = reduce(*storage).Sum(3);
    if (threadIdx.x == 0)
        out[0] = ones == 64 && threes == 192;
}
CUB_LAUNCHER(reuse, 64, reuse_kernel)
