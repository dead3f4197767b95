/* cub::BlockDiscontinuity by its documentation. */
#ifndef ASSAY_HOST_CUB_BLOCK_DISCONTINUITY_CUH
#define ASSAY_HOST_CUB_BLOCK_DISCONTINUITY_CUH

#include "host/cub/neighbours.h"

namespace cub
{

template <typename T, int X, int Y = 1, int Z = 1> class BlockDiscontinuity
    : public assay_cub_neighbours<T, X, Y, Z>
{
    using base = assay_cub_neighbours<T, X, Y, Z>;

  public:
    using typename base::TempStorage;

    explicit BlockDiscontinuity(TempStorage &storage, ASSAY_HOST_SITE)
        : base("BlockDiscontinuity", storage, file, line)
    {
    }
    explicit BlockDiscontinuity(ASSAY_HOST_SITE) : base("BlockDiscontinuity", file, line) {}

    /* The first and the last item of the tile are flagged, unless compared with what lies beside
     * it. */
    template <int N, typename Flag, typename Op>
    void FlagHeads(Flag (&heads)[N], T (&input)[N], Op op, ASSAY_HOST_SITE)
    {
        flag(heads, static_cast<Flag *>(nullptr), input, op, nullptr, nullptr, file, line);
    }
    template <int N, typename Flag, typename Op>
    void FlagHeads(Flag (&heads)[N], T (&input)[N], Op op, T tile_predecessor_item, ASSAY_HOST_SITE)
    {
        flag(heads, static_cast<Flag *>(nullptr), input, op, &tile_predecessor_item, nullptr, file,
             line);
    }
    template <int N, typename Flag, typename Op>
    void FlagTails(Flag (&tails)[N], T (&input)[N], Op op, ASSAY_HOST_SITE)
    {
        flag(static_cast<Flag *>(nullptr), tails, input, op, nullptr, nullptr, file, line);
    }
    template <int N, typename Flag, typename Op>
    void FlagTails(Flag (&tails)[N], T (&input)[N], Op op, T tile_successor_item, ASSAY_HOST_SITE)
    {
        flag(static_cast<Flag *>(nullptr), tails, input, op, nullptr, &tile_successor_item, file,
             line);
    }
    template <int N, typename Flag, typename Op> void
    FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T (&input)[N], Op op, ASSAY_HOST_SITE)
    {
        flag(heads, tails, input, op, nullptr, nullptr, file, line);
    }
    template <int N, typename Flag, typename Op>
    void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T tile_successor_item, T (&input)[N],
                           Op op, ASSAY_HOST_SITE)
    {
        flag(heads, tails, input, op, nullptr, &tile_successor_item, file, line);
    }
    template <int N, typename Flag, typename Op>
    void FlagHeadsAndTails(Flag (&heads)[N], T tile_predecessor_item, Flag (&tails)[N],
                           T (&input)[N], Op   op, ASSAY_HOST_SITE)
    {
        flag(heads, tails, input, op, &tile_predecessor_item, nullptr, file, line);
    }
    template <int N, typename Flag, typename Op>
    void FlagHeadsAndTails(Flag (&heads)[N], T tile_predecessor_item, Flag (&tails)[N],
                           T tile_successor_item, T (&input)[N], Op op, ASSAY_HOST_SITE)
    {
        flag(heads, tails, input, op, &tile_predecessor_item, &tile_successor_item, file, line);
    }

  private:
    template <int N, typename Flag, typename Op>
    void flag(Flag *heads, Flag *tails, const T (&input)[N], Op &op, const T *predecessor,
              const T *successor, const char *file, int line)
    {
        base::put(input, file, line);
        for (int i = 0; i < N; i++) {
            const T  *before = base::before(input, i, predecessor);
            const T  *after  = base::after(input, i, successor);
            const int place  = base::rank_ * N + i;

            if (heads)
                heads[i] = before ? differ<Flag>(op, *before, input[i], place) : Flag(1);
            if (tails)
                tails[i] = after ? differ<Flag>(op, input[i], *after, place + 1) : Flag(1);
        }
    }
    template <typename Flag, typename Op>
    static Flag differ(Op &op, const T &a, const T &b, int place)
    {
        return static_cast<Flag>(assay_cub_apply<T, Op, bool>(op, a, b, place));
    }
};

} // namespace cub

#endif
