/* sorted_cell: a counting sort of particle numbers, which are then put into a fixed order inside
 * each cell. Each node is summed from the cells around it, without atomics. The bits do not depend
 * on the schedule. */
#include "scatter_sort.h"

static __global__ void scatter_place_index(scatter_bins bins, int n)
{
    const int t = scatter_thread();

    if (t < n) {
        const int id = bins.id[t];

        bins.index[bins.start[id] + atomicAdd(bins.cursor + id, 1)] = t;
    }
}

/* Shell sort: for the dozen particles of a cell it is an insertion sort, and it stays usable if a
 * cell has thousands. */
static __device__ void sort_ascending(int *a, int n)
{
    int gap = 1;

    while (gap < n / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (int i = gap; i < n; i++) {
            const int value = a[i];
            int       at    = i;

            for (; at >= gap && a[at - gap] > value; at -= gap)
                a[at] = a[at - gap];
            a[at] = value;
        }
    }
}

static __global__ void scatter_order_cells(scatter_bins bins, int n_bins)
{
    const int bin = scatter_thread();

    if (bin < n_bins)
        sort_ascending(bins.index + bins.start[bin], bins.count[bin]);
}

ASSAY_WORKSPACE(thermo_scatter_sorted_cell_workspace)
{
    thermo_arena arena(nullptr);

    (void)scatter_take_bins(args, &arena);
    (void)arena.take<scatter_record>(scatter_particle_count(args));
    return arena.bytes();
}

ASSAY_LAUNCHER(thermo_scatter_sorted_cell)
{
    const scatter_problem q     = scatter_problem_of(args);
    const unsigned        block = static_cast<unsigned>(args->tune[0]);
    thermo_arena          arena(args->workspace);
    const scatter_bins    bins    = scatter_take_bins(args, &arena);
    scatter_record       *records = arena.take<scatter_record>(q.n);
    int                   error   = scatter_count_bins(q, bins, block, stream);

    if (error)
        return error;
    if (q.n > 0)
        scatter_place_index<<<assay_blocks_for(q.n, block), block, 0, stream>>>(bins, q.n);
    scatter_order_cells<<<assay_blocks_for(q.cells + int64_t { 1 }, block), block, 0, stream>>>(
        bins, q.cells + 1);
    error = assay_launch_status();
    error = error ? error : scatter_copy_sorted(args, q, bins, block, stream);
    error = error ? error : scatter_make_records(q, bins, records, block, stream);
    return error ? error : scatter_sum_nodes(q, bins, records, block, stream);
}
