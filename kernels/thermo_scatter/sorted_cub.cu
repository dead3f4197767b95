/* sorted_cub: the radix sort of CUB in place of the counting sort. It is stable, so that the
 * particles of a cell are in a fixed order without more work. */
#include "scatter_sort.h"

#ifndef ASSAY_HOST_KERNELS

#include <cub/device/device_radix_sort.cuh>

static __global__ void scatter_number_particles(int n, int *index)
{
    const int t = scatter_thread();

    if (t < n)
        index[t] = t;
}

/* From the sorted bins to the start of each bin. Thread t writes the bins after the one of its
 * predecessor up to its own; thread n writes those after the last. */
static __global__ void scatter_find_starts(const int *id, int n, int cells, int *start)
{
    const int t = scatter_thread();

    if (t > n)
        return;
    const int first = t > 0 ? id[t - 1] + 1 : 0;
    const int last  = t < n ? id[t] : cells;

    for (int bin = first; bin <= last; bin++)
        start[bin] = t;
}

static __global__ void scatter_find_counts(const int *start, int n, int cells, int *count)
{
    const int bin = scatter_thread();

    if (bin <= cells)
        count[bin] = (bin < cells ? start[bin + 1] : n) - start[bin];
}

/* The number of bits of numbers up to `cells`. */
static int key_bits(int cells)
{
    int bits = 1;

    while (bits < 31 && cells >> bits > 0)
        bits++;
    return bits;
}

/* Numbers and bins before and after the sort, and the temporary memory of CUB. */
struct sort_space {
    int   *id_sorted, *numbers;
    void  *temporary;
    size_t temporary_bytes;
};

static cudaError_t sort_bins(const scatter_problem &q, const scatter_bins &bins,
                             const sort_space &space, size_t *bytes, assay_stream stream)
{
    return cub::DeviceRadixSort::SortPairs(space.temporary, *bytes, bins.id, space.id_sorted,
                                           space.numbers, bins.index, q.n, 0, key_bits(q.cells),
                                           stream);
}

static sort_space take_space(const scatter_problem &q, const scatter_bins &bins,
                             thermo_arena *arena)
{
    sort_space space = { arena->take<int>(q.n), arena->take<int>(q.n), nullptr, 0 };

    if (sort_bins(q, bins, { nullptr, nullptr, nullptr, 0 }, &space.temporary_bytes, nullptr) !=
        cudaSuccess)
        space.temporary_bytes = 0; /* the launch will say why */
    space.temporary = arena->take<char>(static_cast<int64_t>(space.temporary_bytes));
    return space;
}

ASSAY_WORKSPACE(thermo_scatter_sorted_cub_workspace)
{
    thermo_arena       arena(nullptr);
    scatter_problem    q    = {};
    const scatter_bins bins = scatter_take_bins(args, &arena);

    q.n     = scatter_particle_count(args);
    q.cells = scatter_cell_count(args);
    (void)take_space(q, bins, &arena);
    (void)arena.take<scatter_record>(q.n);
    return arena.bytes();
}

static int sort_particles(const scatter_problem &q, const scatter_bins &bins,
                          const sort_space &space, unsigned block, assay_stream stream)
{
    const unsigned grid  = assay_blocks_for(q.n + int64_t { 1 }, block);
    size_t         bytes = space.temporary_bytes;
    int            error;

    scatter_number_particles<<<grid, block, 0, stream>>>(q.n, space.numbers);
    error = assay_launch_status();
    if (!error && q.n > 0)
        error = static_cast<int>(sort_bins(q, bins, space, &bytes, stream));
    if (error)
        return error;
    scatter_find_starts<<<grid, block, 0, stream>>>(space.id_sorted, q.n, q.cells, bins.start);
    scatter_find_counts<<<assay_blocks_for(q.cells + int64_t { 1 }, block), block, 0, stream>>>(
        bins.start, q.n, q.cells, bins.count);
    return assay_launch_status();
}

ASSAY_LAUNCHER(thermo_scatter_sorted_cub)
{
    const scatter_problem q     = scatter_problem_of(args);
    const unsigned        block = static_cast<unsigned>(args->tune[0]);
    thermo_arena          arena(args->workspace);
    const scatter_bins    bins    = scatter_take_bins(args, &arena);
    const sort_space      space   = take_space(q, bins, &arena);
    scatter_record       *records = arena.take<scatter_record>(q.n);
    int                   error   = scatter_find_bins(q, bins.id, block, stream);

    error = error ? error : sort_particles(q, bins, space, block, stream);
    error = error ? error : scatter_copy_sorted(args, q, bins, block, stream);
    error = error ? error : scatter_make_records(q, bins, records, block, stream);
    return error ? error : scatter_sum_nodes(q, bins, records, block, stream);
}

#endif
