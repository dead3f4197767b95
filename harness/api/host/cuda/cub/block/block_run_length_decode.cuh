/* cub::BlockRunLengthDecode by its documentation. */
#ifndef ASSAY_HOST_CUB_BLOCK_RUN_LENGTH_DECODE_CUH
#define ASSAY_HOST_CUB_BLOCK_RUN_LENGTH_DECODE_CUH

#include "host/cub/collective.h"

#include <algorithm>
#include <stdint.h>

namespace cub
{

template <typename Item, typename Offset, int RUNS> struct assay_cub_runs_storage {
    Item   values[RUNS];
    Offset offsets[RUNS]; /* where each run begins; at first its length, where that is given */
    Offset total;
};

template <typename Item, int X, int RUNS_PER_THREAD, int DECODED_ITEMS_PER_THREAD,
          typename Offset = uint32_t, int Y = 1, int Z = 1>
class BlockRunLengthDecode
    : public assay_cub_block<assay_cub_runs_storage<Item, Offset, X * Y * Z * RUNS_PER_THREAD>, X,
                             Y, Z>
{
    using base =
        assay_cub_block<assay_cub_runs_storage<Item, Offset, X * Y * Z * RUNS_PER_THREAD>, X, Y, Z>;
    static constexpr int N    = RUNS_PER_THREAD;
    static constexpr int RUNS = X * Y * Z * RUNS_PER_THREAD;

  public:
    using typename base::TempStorage;

    template <typename Length, typename Total>
    BlockRunLengthDecode(TempStorage &storage, const Item (&run_values)[N],
                         const Length (&run_lengths)[N], Total &total_decoded_size, ASSAY_HOST_SITE)
        : base("BlockRunLengthDecode", storage, file, line)
    {
        begin_by_lengths(run_values, run_lengths, total_decoded_size, file, line);
    }
    template <typename UserOffset>
    BlockRunLengthDecode(TempStorage &storage, const Item (&run_values)[N],
                         const UserOffset (&run_offsets)[N], ASSAY_HOST_SITE)
        : base("BlockRunLengthDecode", storage, file, line)
    {
        put(run_values, run_offsets, file, line);
    }

    /* Blocked, from this item of the decoded ones on; the offsets are those within the runs. */
    template <typename RelativeOffset>
    void RunLengthDecode(Item (&items)[DECODED_ITEMS_PER_THREAD],
                         RelativeOffset (&item_offsets)[DECODED_ITEMS_PER_THREAD],
                         Offset from_decoded_offset = 0)
    {
        for (int i = 0; i < DECODED_ITEMS_PER_THREAD; i++) {
            const Offset place = static_cast<Offset>(
                from_decoded_offset +
                static_cast<Offset>(base::rank_ * DECODED_ITEMS_PER_THREAD + i));
            const Offset *offsets = base::storage_.offsets;
            const auto    run = std::upper_bound(offsets + 1, offsets + RUNS, place) - offsets - 1;

            items[i]        = base::storage_.values[run];
            item_offsets[i] = static_cast<RelativeOffset>(place - offsets[run]);
        }
    }
    void RunLengthDecode(Item (&items)[DECODED_ITEMS_PER_THREAD], Offset from_decoded_offset = 0)
    {
        Offset unused[DECODED_ITEMS_PER_THREAD];

        RunLengthDecode(items, unused, from_decoded_offset);
    }

  private:
    template <typename From>
    void put(const Item (&values)[N], const From (&from)[N], const char *file, int line)
    {
        for (int i = 0; i < N; i++) {
            base::storage_.values[base::rank_ * N + i]  = values[i];
            base::storage_.offsets[base::rank_ * N + i] = static_cast<Offset>(from[i]);
        }
        base::barrier(file, line);
    }
    /* Thread 0 makes offsets of the lengths. */
    template <typename Length, typename Total>
    void begin_by_lengths(const Item (&values)[N], const Length (&lengths)[N], Total &total,
                          const char *file, int line)
    {
        Offset sum = 0;

        put(values, lengths, file, line);
        for (int run = 0; base::rank_ == 0 && run < RUNS; run++) {
            const Offset length = base::storage_.offsets[run];

            base::storage_.offsets[run] = sum;
            sum                         = static_cast<Offset>(sum + length);
        }
        if (base::rank_ == 0)
            base::storage_.total = sum;
        base::barrier(file, line);
        total = static_cast<Total>(base::storage_.total);
    }
};

} // namespace cub

#endif
