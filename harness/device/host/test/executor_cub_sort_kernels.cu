/* Kernels behind test_executor_cub.c: CUB's sorts, histograms and comparisons of neighbours, each
 * against a plain loop. */
#include "executor_cub_test.h"

#include <cuda_fp16.h>

/* ---- sorts: the place of an item is how many come before it */

template <typename Before> static __device__ int place_of(int i, int n, Before before)
{
    int place = 0;

    for (int k = 0; k < n; k++)
        place += before(k, i) || (!before(i, k) && k < i);
    return place;
}

template <typename Key> static __device__ Key key(int i) { return static_cast<Key>(input(i)); }

/* Sorts keys with their numbers as values, up and down, blocked and striped. */
template <typename Key, int X, int N> static __global__ void radix_kernel(unsigned *out)
{
    using sort                                 = cub::BlockRadixSort<Key, X, N, int>;
    const int                             rank = rank_in_block();
    Key                                   keys[N], alone[N];
    int                                   values[N];
    __shared__ typename sort::TempStorage storage[1];
    const auto below = [](int a, int b) { return key<Key>(a) < key<Key>(b); };
    const auto above = [](int a, int b) { return key<Key>(b) < key<Key>(a); };

#define SORT(name, before, place)                                                                  \
    for (int i = 0; i < N; i++) {                                                                  \
        keys[i] = alone[i] = key<Key>(rank * N + i);                                               \
        values[i]          = rank * N + i;                                                         \
    }                                                                                              \
    __syncthreads();                                                                               \
    sort(*storage).name(keys, values);                                                             \
    __syncthreads();                                                                               \
    sort(*storage).name(alone);                                                                    \
    for (int i = 0; i < N; i++) {                                                                  \
        CHECK(values[i] >= 0 && values[i] < X * N && keys[i] == key<Key>(values[i]));              \
        CHECK(place_of(values[i], X *N, before) == (place) && alone[i] == keys[i]);                \
    }
    SORT(Sort, below, rank * N + i)
    SORT(SortDescending, above, rank * N + i)
    SORT(SortBlockedToStriped, below, i * X + rank)
    SORT(SortDescendingBlockedToStriped, above, i * X + rank)
#undef SORT
}
CUB_LAUNCHER(radix_int, 33, radix_kernel<int, 33, 3>)
CUB_LAUNCHER(radix_byte, 64, radix_kernel<unsigned char, 64, 1>)
CUB_LAUNCHER(radix_long, 16, radix_kernel<long long, 16, 2>)
CUB_LAUNCHER(radix_float, 32, radix_kernel<float, 32, 2>)
CUB_LAUNCHER(radix_half, 32, radix_kernel<__half, 32, 2>)

/* Only the given bits count. Zeros of both signs are equal and keep their order. */
static __global__ void radix_bits_kernel(unsigned *out)
{
    using sort            = cub::BlockRadixSort<unsigned, 64, 1>;
    using floats          = cub::BlockRadixSort<float, 64, 1, int>;
    const int  rank       = rank_in_block();
    unsigned   keys[1]    = { static_cast<unsigned>(rank * 37 % 64) };
    float      zeros[1]   = { rank == 5 ? -1.0f : rank == 6 ? 1.0f : rank % 2 == 0 ? 0.0f : -0.0f };
    int        numbers[1] = { rank };
    __shared__ sort::TempStorage storage[1];
    __shared__ floats::TempStorage float_storage[1];

    sort(*storage).Sort(keys, 2, 4);
    CHECK(static_cast<int>(keys[0] >> 2 & 3) == rank / 16);
    __syncthreads();
    keys[0] = static_cast<unsigned>(rank * 37 % 64);
    sort(*storage).Sort(keys, 3, 3);
    CHECK(keys[0] == static_cast<unsigned>(rank * 37 % 64));
    floats(*float_storage).Sort(zeros, numbers);
    /* -1 is first, 1 is last, and the others keep their order between them. */
    CHECK(numbers[0] == (rank == 0 ? 5 : rank == 63 ? 6 : rank <= 5 ? rank - 1 : rank + 1));
    CHECK(zeros[0] == (rank == 0 ? -1.0f : rank == 63 ? 1.0f : 0.0f));
    CHECK(rank == 0 || rank == 63 || (1.0f / zeros[0] < 0) == (numbers[0] % 2 == 1));
}
CUB_LAUNCHER(radix_bits, 64, radix_bits_kernel)

struct by_tens {
    bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

template <typename Sort, int GROUP, int N> static __device__ void check_merge(unsigned *out)
{
    const int                             thread = rank_in_block(), rank = thread % GROUP;
    const int                             edges[] = { 0, 1, GROUP * N / 2 + 1, GROUP * N };
    int                                   keys[N], values[N], alone[N];
    __shared__ typename Sort::TempStorage storage[64];
    Sort                                  own(storage[thread / GROUP]);

    for (const int valid : edges) {
        for (int i = 0; i < N; i++) {
            keys[i] = alone[i] = input(rank * N + i);
            values[i]          = rank * N + i;
        }
        __syncthreads();
        own.StableSort(keys, values, by_tens(), valid, 1000);
        __syncthreads();
        own.Sort(alone, by_tens(), valid, 1000);
        for (int i = 0; i < N; i++) {
            const int at = rank * N + i;
            CHECK(at < valid ? keys[i] == input(values[i]) : keys[i] == 1000);
            CHECK(alone[i] == keys[i]);
            CHECK(at >= valid || place_of(values[i], valid, [](int a, int b) {
                                     return by_tens()(input(a), input(b));
                                 }) == at);
        }
    }
}
static __global__ void block_merge_kernel(unsigned *out)
{
    check_merge<cub::BlockMergeSort<int, 33, 3, int>, 33, 3>(out);
}
CUB_LAUNCHER(block_merge, 33, block_merge_kernel)
static __global__ void warp_merge_kernel(unsigned *out)
{
    check_merge<cub::WarpMergeSort<int, 2, 16, int>, 16, 2>(out);
}
CUB_LAUNCHER(warp_merge, 64, warp_merge_kernel)

/* ---- histograms */

template <cub::BlockHistogramAlgorithm ALGORITHM>
static __global__ void histogram_kernel(unsigned *out)
{
    using histogram = cub::BlockHistogram<unsigned char, 48, 3, 100, ALGORITHM>;
    const int                                  rank = rank_in_block();
    unsigned char                              items[3];
    __shared__ typename histogram::TempStorage storage[1];
    __shared__ unsigned                        bins[100];

    for (int i = 0; i < 3; i++)
        items[i] = static_cast<unsigned char>(input(3 * rank + i) + 50);
    histogram(*storage).Histogram(items, bins);
    __syncthreads();
    histogram(*storage).Composite(items, bins);
    __syncthreads();
    for (int bin = rank; bin < 100; bin += 48) {
        unsigned expected = 0;
        for (int i = 0; i < 144; i++)
            expected += 2 * (input(i) + 50 == bin);
        CHECK(bins[bin] == expected);
    }
}
CUB_LAUNCHER(histogram_sort, 48, histogram_kernel<cub::BLOCK_HISTO_SORT>)
CUB_LAUNCHER(histogram_atomic, 48, histogram_kernel<cub::BLOCK_HISTO_ATOMIC>)

/* ---- neighbours */

/* Also takes the position of the second item. */
struct differs_at {
    int limit;

    bool operator()(int a, int b, int place) const { return a / 10 != b / 10 && place < limit; }
};

template <int X, int N> static __global__ void discontinuity_kernel(unsigned *out)
{
    using flags                                   = cub::BlockDiscontinuity<int, X>;
    const int                              rank   = rank_in_block();
    const auto                             differ = [](int a, int b) { return a / 10 != b / 10; };
    int                                    items[N];
    int                                    heads[N], tails[N];
    __shared__ typename flags::TempStorage storage[1];
    flags                                  own(*storage);

    for (int i = 0; i < N; i++)
        items[i] = input(1 + rank * N + i);
    own.FlagHeads(heads, items, differ);
    for (int i = 0; i < N; i++) {
        const int at = 1 + rank * N + i;
        CHECK(heads[i] == (at == 1 || differ(input(at - 1), input(at))));
    }
    __syncthreads();
    own.FlagTails(tails, items, differ);
    for (int i = 0; i < N; i++) {
        const int at = 1 + rank * N + i;
        CHECK(tails[i] == (at == X * N || differ(input(at), input(at + 1))));
    }
    __syncthreads();
    own.FlagHeadsAndTails(heads, input(0), tails, input(X * N + 1), items, differ);
    for (int i = 0; i < N; i++) {
        const int at = 1 + rank * N + i;
        CHECK(heads[i] == differ(input(at - 1), input(at)));
        CHECK(tails[i] == differ(input(at), input(at + 1)));
    }
    __syncthreads();
    own.FlagHeads(heads, items, differs_at { X * N / 2 }, input(0));
    for (int i = 0; i < N; i++) {
        const int at = 1 + rank * N + i;
        CHECK(heads[i] == (differ(input(at - 1), input(at)) && at - 1 < X * N / 2));
    }
    __syncthreads();
    own.FlagTails(tails, items, differs_at { X * N / 2 }, input(X * N + 1));
    for (int i = 0; i < N; i++) {
        const int at = 1 + rank * N + i;
        CHECK(tails[i] == (differ(input(at), input(at + 1)) && at < X * N / 2));
    }
}
CUB_LAUNCHER(discontinuity_1, 1, discontinuity_kernel<1, 1>)
CUB_LAUNCHER(discontinuity_40, 40, discontinuity_kernel<40, 3>)

template <int X, int N> static __global__ void difference_kernel(unsigned *out)
{
    using difference                                    = cub::BlockAdjacentDifference<int, X>;
    const int                                   rank    = rank_in_block();
    const int                                   edges[] = { 0, 1, X * N / 2 + 1, X * N };
    int                                         items[N], results[N];
    __shared__ typename difference::TempStorage storage[1];
    difference                                  own(*storage);

    for (int i = 0; i < N; i++)
        items[i] = input(1 + rank * N + i);
    own.SubtractLeft(items, results, cub::Difference(), input(0));
    for (int i = 0; i < N; i++)
        CHECK(results[i] == items[i] - input(rank * N + i));
    __syncthreads();
    own.SubtractRight(items, results, cub::Difference(), input(X * N + 1));
    for (int i = 0; i < N; i++)
        CHECK(results[i] == items[i] - input(2 + rank * N + i));
    for (const int valid : edges) {
        __syncthreads();
        own.SubtractLeftPartialTile(items, results, cub::Difference(), valid);
        for (int i = 0; i < N; i++) {
            const int at = rank * N + i;
            CHECK(results[i] == items[i] - (at > 0 && at < valid ? input(at) : 0));
        }
        __syncthreads();
        own.SubtractRightPartialTile(items, results, cub::Difference(), valid);
        for (int i = 0; i < N; i++) {
            const int at = rank * N + i;
            CHECK(results[i] == items[i] - (at + 1 < valid ? input(2 + at) : 0));
        }
    }
    __syncthreads();
    own.SubtractLeft(items, items, cub::Difference());
    for (int i = 0; i < N; i++) {
        const int at = rank * N + i;
        CHECK(items[i] == input(1 + at) - (at > 0 ? input(at) : 0));
    }
}
CUB_LAUNCHER(difference_1, 1, difference_kernel<1, 1>)
CUB_LAUNCHER(difference_40, 40, difference_kernel<40, 3>)

/* ---- runs: the length of run i is i % 4 */

static __global__ void runs_kernel(unsigned *out)
{
    using decode       = cub::BlockRunLengthDecode<int, 32, 2, 3>;
    const int  rank    = rank_in_block();
    int        runs[2] = { 2 * rank, 2 * rank + 1 }, items[3], total = 0;
    unsigned   lengths[2] = { 2 * threadIdx.x % 4, (2 * threadIdx.x + 1) % 4 }, offsets[3];
    __shared__ decode::TempStorage storage[1];
    decode                         own(*storage, runs, lengths, total);

    CHECK(total == 96);
    own.RunLengthDecode(items, offsets);
    for (int i = 0; i < 3; i++) {
        const int at = 3 * rank + i, in_four = at % 6;
        const int run = in_four == 0 ? 1 : in_four < 3 ? 2 : 3;
        CHECK(items[i] == at / 6 * 4 + run);
        CHECK(static_cast<int>(offsets[i]) == in_four - (run == 1 ? 0 : run == 2 ? 1 : 3));
    }
}
CUB_LAUNCHER(runs, 32, runs_kernel)

static __global__ void far_bin_kernel(unsigned *out)
{
    using histogram     = cub::BlockHistogram<int, 32, 1, 16>;
    int        items[1] = { rank_in_block() };
    __shared__ histogram::TempStorage storage[1];
    __shared__ unsigned               bins[16];

    histogram(*storage).Histogram(items, bins);
    out[0] = 0;
}
CUB_LAUNCHER(far_bin, 32, far_bin_kernel)
