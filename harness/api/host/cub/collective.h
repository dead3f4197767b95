/* The common part of the collectives in host/cuda/cub, which alone include it: which threads take
 * part, where the storage is, reductions and scans in a fixed order, and the result of threads for
 * which none is defined. Threads exchange values through the user's storage by plain loads and
 * stores, with a barrier between them and none at the end. Code that uses the storage again without
 * a barrier has a race, which ThreadSanitizer and unfair schedules find. One thread computes what
 * depends on all values, since all threads run on one CPU thread anyway. */
#ifndef ASSAY_HOST_CUB_COLLECTIVE_H
#define ASSAY_HOST_CUB_COLLECTIVE_H

#include "host/cub/types.h"
#include "host/device_calls.h"

#include <limits>
#include <stdio.h>
#include <type_traits>
#include <utility>

namespace cub
{

[[noreturn]] inline void assay_cub_trap_index(const char *name, const char *what, long long index,
                                              int n, const char *file, int line)
{
    char text[160];

    (void)snprintf(text, sizeof text, "cub: %s: %s %lld of %d", name, what, index, n);
    assay_host_trap(text, file, line);
}

/* Ends the launch with a fault unless the block has the size in the template arguments or, if
 * `least` is smaller, `least` threads in a row. */
template <int X, int Y, int Z> inline void
assay_cub_require_block(const char *name, const char *file, int line, int least = X * Y * Z)
{
    const dim3     block  = blockDim;
    const unsigned enough = least > 0 ? static_cast<unsigned>(least) : 0;
    char           text[160];

    if (block.x == X && block.y == Y && block.z == Z)
        return;
    if (Y == 1 && Z == 1 && block.y == 1 && block.z == 1 && block.x < X && block.x >= enough)
        return;
    if (Y == 1 && Z == 1 && block.y == 1 && block.z == 1)
        (void)snprintf(text, sizeof text, "cub: %s<..., %d> in a block of %u threads", name, X,
                       block.x);
    else
        (void)snprintf(text, sizeof text,
                       "cub: %s for a block of %d x %d x %d in a block of %u x %u x %u threads",
                       name, X, Y, Z, block.x, block.y, block.z);
    assay_host_trap(text, file, line);
}

/* The collective's own shared memory, if the user passes none. */
template <typename Storage>
inline Uninitialized<Storage> &assay_cub_own_storage(const char *name, const char *file, int line)
{
    static const char key = 0;

    return *static_cast<Uninitialized<Storage> *>(assay_host_shared_array(
        &key, sizeof(Storage), alignof(Uninitialized<Storage>), name, file, line));
}

/* Base of the collectives of a block. */
template <typename Storage, int X, int Y, int Z> class assay_cub_block
{
  public:
    using TempStorage = Uninitialized<Storage>;

  protected:
    static constexpr int SIZE = X * Y * Z;

    const char *name_;
    Storage    &storage_;
    int         rank_; /* by rows of x */

    /* least: the threads that a block may have instead of SIZE, if the operation allows fewer. */
    assay_cub_block(const char *name, TempStorage &storage, const char *file, int line,
                    int least = SIZE)
        : name_(name), storage_(storage.Alias()),
          rank_(static_cast<int>(threadIdx.x + X * (threadIdx.y + Y * threadIdx.z)))
    {
        require_block(least, file, line);
    }
    assay_cub_block(const char *name, const char *file, int line, int least = SIZE)
        : assay_cub_block(name, assay_cub_own_storage<Storage>(name, file, line), file, line, least)
    {
    }
    void require_block(int least, const char *file, int line) const
    {
        assay_cub_require_block<X, Y, Z>(name_, file, line, least);
    }
    /* Every thread of the block takes part. */
    void require(int, const char *, int) const {}
    void barrier(const char *file, int line) const
    {
        (void)assay_host_block_barrier(ASSAY_BLOCK_SYNC, false, file, line);
    }
};

/* Base of the collectives of LANES lanes of a warp. */
template <typename Storage, int LANES> class assay_cub_warp
{
    static_assert(LANES >= 1 && LANES <= 32, "a logical warp has 1 to 32 lanes");

  public:
    using TempStorage = Uninitialized<Storage>;

  protected:
    static constexpr int SIZE = LANES;

    const char *name_;
    Storage    &storage_;
    int         rank_;
    int         first_; /* lane of rank 0 */

    assay_cub_warp(const char *name, TempStorage &storage)
        : name_(name), storage_(storage.Alias()),
          rank_(static_cast<int>(assay_host_lane()) % LANES),
          first_(static_cast<int>(assay_host_lane()) - rank_)
    {
    }
    /* Ends the launch with a fault unless the warp has the lanes of the first n ranks. */
    void require(int n, const char *file, int line) const
    {
        const unsigned size  = blockDim.x * blockDim.y * blockDim.z;
        const unsigned lane  = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        const unsigned left  = size - lane / 32u * 32u;
        const int      lanes = left < 32u ? static_cast<int>(left) : 32;
        char           text[160];

        if (first_ + LANES <= 32 && first_ + n <= lanes)
            return;
        (void)snprintf(text, sizeof text,
                       "cub: %s<..., %d> from lane %d on in a warp of %d threads", name_, LANES,
                       first_, lanes);
        assay_host_trap(text, file, line);
    }
    void barrier(const char *file, int line) const
    {
        (void)assay_host_warp_exchange(
            ASSAY_WARP_SYNC, (0xffffffffu >> (32 - LANES)) << (first_ & 31), 0, 0, file, line);
    }
};

/* ---- operators */

struct assay_cub_plus {
    template <typename A, typename B> auto operator()(const A &a, const B &b) const
    {
        return a + b;
    }
};
struct assay_cub_max {
    template <typename T> T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct assay_cub_min {
    template <typename T> T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};

/* Does the operator take the index of its second operand as well? */
template <typename T, typename Op, typename Result>
inline Result assay_cub_apply(Op &op, const T &a, const T &b, int place)
{
    if constexpr (std::is_invocable<Op &, const T &, const T &, int>::value)
        return static_cast<Result>(op(a, b, place));
    else
        return static_cast<Result>(op(a, b));
}

/* ---- reductions and scans: operands keep their order, and rounding errors grow with log n */

/* The largest power of two below n, which is at least 2. */
constexpr int assay_cub_split(int n)
{
    int half = 1;

    while (2 * half < n)
        half *= 2;
    return half;
}

template <typename T, typename Op> inline T assay_cub_reduce(const T *items, int n, Op &op)
{
    if (n == 1)
        return items[0];
    const int half = assay_cub_split(n);

    return static_cast<T>(
        op(assay_cub_reduce(items, half, op), assay_cub_reduce(items + half, n - half, op)));
}

/* Each item becomes the reduction of all items up to itself. */
template <typename T, typename Op> inline void assay_cub_scan_in_place(T *items, int n, Op &op)
{
    if (n == 1)
        return;
    const int half = assay_cub_split(n);

    assay_cub_scan_in_place(items, half, op);
    assay_cub_scan_in_place(items + half, n - half, op);
    for (int i = half; i < n; i++)
        items[i] = static_cast<T>(op(items[half - 1], items[i]));
}

/* The result of a thread for which the documentation defines none: NaN if the type has one,
 * otherwise the thread's own input. */
template <typename T> inline T assay_cub_no_result(const T &own)
{
    if constexpr (std::is_floating_point<T>::value)
        return std::numeric_limits<T>::quiet_NaN();
    else
        return own;
}

} // namespace cub

#endif
