/* Kernels behind test_executor_cub.c: CUB's loads, stores and exchanges, each compared with the
 * documented place of every item. */
#include "executor_cub_test.h"

/* The place of item i of a thread that has n items. */
enum arrangement {
    BLOCKED,
    STRIPED,
    WARP_STRIPED
};
static __device__ int place(arrangement a, int rank, int i, int n, int threads)
{
    return a == BLOCKED   ? rank * n + i
           : a == STRIPED ? i * threads + rank
                          : rank / 32 * 32 * n + i * 32 + rank % 32;
}

/* ---- loads and stores of a block */

template <cub::BlockLoadAlgorithm LOAD, cub::BlockStoreAlgorithm STORE, int X, int Y, int N>
static __global__ void block_kernel(unsigned *out)
{
    using load                               = cub::BlockLoad<short, X, N, LOAD, Y>;
    using store                              = cub::BlockStore<short, X, N, STORE, Y>;
    const arrangement                      a = LOAD == cub::BLOCK_LOAD_STRIPED ? STRIPED : BLOCKED;
    const int                              T = X * Y, rank = rank_in_block();
    const int                              edges[] = { 0, 1, T * N / 2 + 1, T * N - 1, T * N };
    short                                  items[N];
    __shared__ short                       memory[X * Y * N];
    __shared__ short                       result[X * Y * N];
    __shared__ typename load::TempStorage  load_storage[1];
    __shared__ typename store::TempStorage store_storage[1];

    for (int i = rank; i < T * N; i += T)
        memory[i] = static_cast<short>(input(i));
    __syncthreads();
    load(*load_storage).Load(memory, items);
    for (int i = 0; i < N; i++)
        CHECK(items[i] == input(place(a, rank, i, N, T)));
    for (const int valid : edges) {
        for (short &item : items)
            item = -1000;
        for (int i = rank; i < T * N; i += T)
            result[i] = 2000;
        __syncthreads();
        load(*load_storage).Load(static_cast<const short *>(memory), items, valid);
        for (int i = 0; i < N; i++)
            CHECK(items[i] ==
                  (place(a, rank, i, N, T) < valid ? input(place(a, rank, i, N, T)) : -1000));
        store(*store_storage).Store(result, items, valid);
        __syncthreads();
        for (int i = rank; i < T * N; i += T)
            CHECK(result[i] == (i < valid ? input(i) : 2000));
        load(*load_storage).Load(memory, items, valid, 77);
        for (int i = 0; i < N; i++)
            CHECK(items[i] ==
                  (place(a, rank, i, N, T) < valid ? input(place(a, rank, i, N, T)) : 77));
    }
    __syncthreads();
    load(*load_storage).Load(memory, items);
    store(*store_storage).Store(result, items);
    __syncthreads();
    for (int i = rank; i < T * N; i += T)
        CHECK(result[i] == input(i));
}
CUB_LAUNCHER(direct, 33, block_kernel<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT, 33, 1, 3>)
CUB_LAUNCHER(striped, dim3(16, 2),
             block_kernel<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED, 16, 2, 4>)
CUB_LAUNCHER(vectorize, 64,
             block_kernel<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE, 64, 1, 4>)
CUB_LAUNCHER(transpose, 33,
             block_kernel<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE, 33, 1, 3>)
CUB_LAUNCHER(
    warp_transpose, 64,
    block_kernel<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE, 64, 1, 3>)
CUB_LAUNCHER(timesliced, dim3(32, 2),
             block_kernel<cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
                          cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED, 32, 2, 2>)

/* ---- loads and stores without a collective; iterators */

struct twice {
    int operator()(int x) const { return 2 * x; }
};

static __global__ void direct_kernel(unsigned *out)
{
    const int                             T = 64, N = 3, rank = rank_in_block();
    int                                   items[N];
    cub::KeyValuePair<ptrdiff_t, int>     pairs[N];
    __shared__ int                        result[192];
    const cub::CountingInputIterator<int> from(5);
    cub::TransformInputIterator<int, twice, cub::CountingInputIterator<int>> doubled(from, twice());

    cub::LoadDirectStriped<T>(rank, from, items);
    for (int i = 0; i < N; i++)
        CHECK(items[i] == 5 + place(STRIPED, rank, i, N, T));
    cub::StoreDirectStriped<T>(rank, result, items);
    __syncthreads();
    CHECK(result[191 - rank] == 196 - rank);
    cub::LoadDirectWarpStriped(rank, doubled + 1, items, 100, -1);
    for (int i = 0; i < N; i++) {
        const int at = place(WARP_STRIPED, rank, i, N, T);
        CHECK(items[i] == (at < 100 ? 2 * (6 + at) : -1));
    }
    cub::LoadDirectBlocked(rank, cub::CacheModifiedInputIterator<cub::LOAD_LDG, int>(result),
                           items);
    for (int i = 0; i < N; i++)
        CHECK(items[i] == 5 + place(BLOCKED, rank, i, N, T));
    cub::LoadDirectBlocked(rank, cub::ArgIndexInputIterator<int *>(result), pairs);
    CHECK(pairs[1].key == 3 * rank + 1 && pairs[1].value == 3 * rank + 6);
    CHECK(cub::ThreadReduce(items, cub::Sum()) == 9 * rank + 18);
    CHECK(cub::ThreadLoad<cub::LOAD_CS>(result + 2) == 7);
}
CUB_LAUNCHER(direct_items, 64, direct_kernel)

/* ---- exchanges */

template <int X, int N> static __global__ void exchange_kernel(unsigned *out)
{
    using exchange                                 = cub::BlockExchange<affine, X, N>;
    const int                                 rank = rank_in_block();
    affine                                    items[N], moved[N];
    int                                       ranks[N];
    bool                                      flags[N];
    __shared__ typename exchange::TempStorage storage[1];
    exchange                                  own(*storage);

#define EXCHANGE(name, from, to)                                                                   \
    for (int i = 0; i < N; i++)                                                                    \
        items[i] = map(place(from, rank, i, N, X));                                                \
    __syncthreads();                                                                               \
    own.name(items, moved);                                                                        \
    __syncthreads();                                                                               \
    own.name(items);                                                                               \
    for (int i = 0; i < N; i++)                                                                    \
        CHECK(moved[i] == map(place(to, rank, i, N, X)) && moved[i] == items[i]);
    EXCHANGE(BlockedToStriped, BLOCKED, STRIPED)
    EXCHANGE(StripedToBlocked, STRIPED, BLOCKED)
    EXCHANGE(BlockedToWarpStriped, BLOCKED, WARP_STRIPED)
    EXCHANGE(WarpStripedToBlocked, WARP_STRIPED, BLOCKED)
#undef EXCHANGE

    /* From the last to the first; items of odd rank are left out. */
    for (int i = 0; i < N; i++) {
        ranks[i] = X * N - 1 - (rank * N + i);
        items[i] = map(ranks[i]);
        flags[i] = ranks[i] % 2 == 0;
    }
    __syncthreads();
    own.ScatterToBlocked(items, moved, ranks);
    for (int i = 0; i < N; i++)
        CHECK(moved[i] == map(place(BLOCKED, rank, i, N, X)));
    __syncthreads();
    own.ScatterToStriped(items, moved, ranks);
    for (int i = 0; i < N; i++)
        CHECK(moved[i] == map(place(STRIPED, rank, i, N, X)));
    __syncthreads();
    own.ScatterToStripedFlagged(items, moved, ranks, flags);
    for (int i = 0; i < N; i++)
        CHECK(place(STRIPED, rank, i, N, X) % 2 == 1 ||
              moved[i] == map(place(STRIPED, rank, i, N, X)));
    for (int i = 0; i < N; i++)
        ranks[i] = flags[i] ? ranks[i] : -1;
    __syncthreads();
    own.ScatterToStripedGuarded(items, ranks);
    for (int i = 0; i < N; i++)
        CHECK(place(STRIPED, rank, i, N, X) % 2 == 1 ||
              items[i] == map(place(STRIPED, rank, i, N, X)));
}
CUB_LAUNCHER(exchange_64, 64, exchange_kernel<64, 3>)
CUB_LAUNCHER(exchange_32, 32, exchange_kernel<32, 1>)

/* ---- of a warp */

template <int LANES, cub::WarpLoadAlgorithm LOAD, cub::WarpStoreAlgorithm STORE>
static __global__ void warp_kernel(unsigned *out)
{
    const int N            = 3;
    using load             = cub::WarpLoad<int, N, LOAD, LANES>;
    using store            = cub::WarpStore<int, N, STORE, LANES>;
    using exchange         = cub::WarpExchange<int, N, LANES>;
    const arrangement a    = LOAD == cub::WARP_LOAD_STRIPED ? STRIPED : BLOCKED;
    const int         rank = rank_in_block() % LANES, warp = rank_in_block() / LANES;
    const int         valid = LANES * N / 2 + 1;
    int               items[N], moved[N], ranks[N];
    __shared__ int    memory[192];
    __shared__ typename load::TempStorage     load_storage[64 / LANES];
    __shared__ typename store::TempStorage    store_storage[64 / LANES];
    __shared__ typename exchange::TempStorage exchange_storage[64 / LANES];
    int *const                                own = memory + warp * LANES * N;
    const unsigned mask = cub::WarpMask<LANES>(static_cast<unsigned>(warp));

    for (int i = rank; i < LANES * N; i += LANES)
        own[i] = input(i);
    __syncwarp(mask);
    load(load_storage[warp]).Load(own, items);
    __syncwarp(mask);
    for (int i = 0; i < N; i++)
        CHECK(items[i] == input(place(a, rank, i, N, LANES)));
    for (int &item : items)
        item++;
    store(store_storage[warp]).Store(own, items, valid);
    __syncwarp(mask);
    for (int i = rank; i < LANES * N; i += LANES)
        CHECK(own[i] == input(i) + (i < valid));
    load(load_storage[warp]).Load(own, items, 1, -7);
    for (int i = 0; i < N; i++)
        CHECK(items[i] == (rank == 0 && i == 0 ? input(0) + 1 : -7));

    for (int i = 0; i < N; i++) {
        items[i] = input(rank * N + i);
        ranks[i] = LANES * N - 1 - (rank * N + i);
    }
    exchange(exchange_storage[warp]).BlockedToStriped(items, moved);
    for (int i = 0; i < N; i++)
        CHECK(moved[i] == input(i * LANES + rank));
    __syncwarp(mask);
    exchange(exchange_storage[warp]).StripedToBlocked(moved, moved);
    for (int i = 0; i < N; i++)
        CHECK(moved[i] == items[i]);
    __syncwarp(mask);
    exchange(exchange_storage[warp]).ScatterToStriped(items, ranks);
    for (int i = 0; i < N; i++)
        CHECK(items[i] == input(LANES * N - 1 - (i * LANES + rank)));
}
CUB_LAUNCHER(warp_direct, 64, warp_kernel<32, cub::WARP_LOAD_DIRECT, cub::WARP_STORE_VECTORIZE>)
CUB_LAUNCHER(warp_striped, 64, warp_kernel<8, cub::WARP_LOAD_STRIPED, cub::WARP_STORE_STRIPED>)
CUB_LAUNCHER(warp_transposed, 64,
             warp_kernel<16, cub::WARP_LOAD_TRANSPOSE, cub::WARP_STORE_TRANSPOSE>)

/* ---- shuffles of a block */

template <int X> static __global__ void shuffle_kernel(unsigned *out)
{
    using shuffle  = cub::BlockShuffle<int, X>;
    const int rank = rank_in_block();
    int       one = -100, items[2] = { input(2 * rank), input(2 * rank + 1) }, moved[2], edge = 0;
    __shared__ typename shuffle::TempStorage storage[1];

    shuffle(*storage).Offset(input(rank), one, -2);
    CHECK(one == (rank < 2 ? -100 : input(rank - 2)));
    __syncthreads();
    shuffle(*storage).Rotate(input(rank), one, 3);
    CHECK(one == input((rank + 3) % X));
    moved[0] = moved[1] = -100;
    __syncthreads();
    shuffle(*storage).Up(items, moved, edge);
    CHECK(moved[0] == (rank == 0 ? -100 : input(2 * rank - 1)) && moved[1] == items[0]);
    CHECK(edge == input(2 * X - 1));
    moved[1] = -100;
    __syncthreads();
    shuffle(*storage).Down(items, moved, edge);
    CHECK(moved[1] == (rank == X - 1 ? -100 : input(2 * rank + 2)) && moved[0] == items[1]);
    CHECK(edge == input(0));
}
CUB_LAUNCHER(shuffle_1, 1, shuffle_kernel<1>)
CUB_LAUNCHER(shuffle_50, 50, shuffle_kernel<50>)

/* A rank to which no item can be scattered. */
static __global__ void far_scatter_kernel(unsigned *out)
{
    using exchange      = cub::BlockExchange<int, 32, 1>;
    int        items[1] = { 1 }, ranks[1] = { 32 };
    __shared__ exchange::TempStorage storage[1];

    exchange(*storage).ScatterToBlocked(items, ranks);
    out[0] = 0;
}
CUB_LAUNCHER(far_scatter, 32, far_scatter_kernel)
