/* Arrangements of items over threads, and the exchange between them. Only loads, stores and
 * exchanges of blocks and warps include it. */
#ifndef ASSAY_HOST_CUB_EXCHANGE_H
#define ASSAY_HOST_CUB_EXCHANGE_H

#include "host/cub/collective.h"

namespace cub
{

/* The index of item i of a thread, with N items per thread and SIZE threads. Blocked: the items of
 * a thread follow one another. Striped: items of all threads alternate. Warp-striped: items of the
 * threads of each warp alternate. */
template <int N> constexpr int    assay_cub_blocked(int rank, int i) { return rank * N + i; }
template <int SIZE> constexpr int assay_cub_striped(int rank, int i) { return i * SIZE + rank; }
template <int N, int SIZE> constexpr int assay_cub_warp_striped(int rank, int i)
{
    constexpr int LANES = SIZE < 32 ? SIZE : 32;

    return rank / LANES * LANES * N + i * LANES + rank % LANES;
}

template <typename T, int N> struct assay_cub_exchange_storage {
    T items[N];
};

/* Empty if the threads do not exchange. */
struct assay_cub_no_storage {
    char unused;
};

enum assay_cub_arrangement {
    ASSAY_CUB_BLOCKED,
    ASSAY_CUB_STRIPED,
    ASSAY_CUB_WARP_STRIPED
};

/* A barrier of the thread's warp. */
inline void assay_cub_sync_warp(const char *file, int line)
{
    (void)assay_host_warp_exchange(ASSAY_WARP_SYNC, 0xffffffffu, 0, 0, file, line);
}

template <assay_cub_arrangement A, int N, int SIZE> constexpr int assay_cub_place(int rank, int i)
{
    return A == ASSAY_CUB_BLOCKED   ? assay_cub_blocked<N>(rank, i)
           : A == ASSAY_CUB_STRIPED ? assay_cub_striped<SIZE>(rank, i)
                                    : assay_cub_warp_striped<N, SIZE>(rank, i);
}

/* Reads and writes items in this arrangement, at most the first n in memory. */
template <assay_cub_arrangement A, int SIZE, typename T, int N, typename Iterator>
inline void assay_cub_load(int rank, Iterator from, T (&items)[N], int n)
{
    for (int i = 0; i < N; i++) {
        const int place = assay_cub_place<A, N, SIZE>(rank, i);

        if (place < n)
            items[i] = static_cast<T>(from[place]);
    }
}

template <assay_cub_arrangement A, int SIZE, typename T, int N, typename Iterator>
inline void assay_cub_store(int rank, Iterator to, const T (&items)[N], int n)
{
    for (int i = 0; i < N; i++) {
        const int place = assay_cub_place<A, N, SIZE>(rank, i);

        if (place < n)
            to[place] = items[i];
    }
}

/* For a Group (assay_cub_block or assay_cub_warp) whose storage, if it has any, holds N items per
 * thread. */
template <typename T, int N, typename Group> class assay_cub_transposer : public Group
{
  public:
    using typename Group::TempStorage;

  protected:
    using Group::Group;

    static constexpr int TOTAL = N * Group::SIZE;

    template <assay_cub_arrangement A> int place(int i) const
    {
        return assay_cub_place<A, N, Group::SIZE>(this->rank_, i);
    }
    /* Warp-striped items stay within their warp. */
    template <assay_cub_arrangement A, assay_cub_arrangement B>
    void meet(const char *file, int line) const
    {
        if (A == ASSAY_CUB_WARP_STRIPED || B == ASSAY_CUB_WARP_STRIPED)
            assay_cub_sync_warp(file, line);
        else
            this->barrier(file, line);
    }
    /* Exchanges the first n items; `in` and `out` may be the same. */
    template <assay_cub_arrangement FROM, assay_cub_arrangement TO, typename Out>
    void rearrange(const T (&in)[N], Out (&out)[N], int n, const char *file, int line)
    {
        assay_cub_store<FROM, Group::SIZE>(this->rank_, this->storage_.items, in, n);
        meet<FROM, TO>(file, line);
        assay_cub_load<TO, Group::SIZE>(this->rank_, this->storage_.items, out, n);
    }
    /* Reads in arrangement A, and makes that blocked. */
    template <assay_cub_arrangement A, typename Iterator>
    void load(Iterator from, T (&items)[N], int n, const char *file, int line)
    {
        for (int i = 0; i < N; i++)
            if (place<A>(i) < n)
                this->storage_.items[place<A>(i)] = static_cast<T>(from[place<A>(i)]);
        meet<A, ASSAY_CUB_BLOCKED>(file, line);
        assay_cub_load<ASSAY_CUB_BLOCKED, Group::SIZE>(this->rank_, this->storage_.items, items, n);
    }
    template <assay_cub_arrangement A, typename Iterator>
    void store(Iterator to, const T (&items)[N], int n, const char *file, int line)
    {
        assay_cub_store<ASSAY_CUB_BLOCKED, Group::SIZE>(this->rank_, this->storage_.items, items,
                                                        n);
        meet<A, ASSAY_CUB_BLOCKED>(file, line);
        for (int i = 0; i < N; i++)
            if (place<A>(i) < n)
                to[place<A>(i)] = this->storage_.items[place<A>(i)];
    }
    /* Scatters each item to its rank, except those that are left out; then reads them in
     * arrangement TO. */
    template <assay_cub_arrangement TO, typename Out, typename Rank, typename IsLeftOut>
    void scatter(const T (&in)[N], Out (&out)[N], const Rank (&ranks)[N], IsLeftOut is_left_out,
                 const char *file, int line)
    {
        for (int i = 0; i < N; i++) {
            const long long rank = static_cast<long long>(ranks[i]);

            if (is_left_out(i))
                continue;
            if (rank < 0 || rank >= TOTAL)
                assay_cub_trap_index(this->name_, "an item goes to place", rank, TOTAL, file, line);
            this->storage_.items[rank] = in[i];
        }
        this->barrier(file, line);
        assay_cub_load<TO, Group::SIZE>(this->rank_, this->storage_.items, out, TOTAL);
    }
};

} // namespace cub

#endif
