/* The steps that the sorted variants share. */
#include "scatter_sort.h"

scatter_bins scatter_take_bins(const assay_args *args, thermo_arena *arena)
{
    const int64_t n = scatter_particle_count(args), bins = scatter_cell_count(args) + int64_t { 1 };

    return { scatter_take<int>(args, SCATTER_BUF_CELL_ID, n, arena),
             scatter_take<int>(args, SCATTER_BUF_COUNT, bins, arena),
             scatter_take<int>(args, SCATTER_BUF_START, bins, arena),
             scatter_take<int>(args, SCATTER_BUF_SORTED_INDEX, n, arena),
             arena->take<int>(bins),
             arena->take<int>(scatter_scan_sums(bins)) };
}

/* ---- bins ---- */

static __global__ void scatter_compute_cell_idx(scatter_problem q, int *id)
{
    const int t = scatter_thread();

    if (t >= q.n)
        return;
    const scatter_particle p = scatter_load(q.in, t);

    if (!scatter_is_accepted(p)) {
        id[t] = q.cells;
        atomicAdd(q.errors, 1u);
        return;
    }
    const thermo_cell cell = thermo_cell_of(thermo_place_of(q.grid, p.pos));

    id[t] = thermo_node(q.grid, cell.i, cell.j, cell.k);
}

static __global__ void scatter_count_cells(const int *id, int n, int *count)
{
    const int t = scatter_thread();

    if (t < n)
        atomicAdd(count + id[t], 1);
}

int scatter_find_bins(const scatter_problem &q, int *id, unsigned block, assay_stream stream)
{
    const int error = scatter_clear_errors(q, stream);

    if (error || q.n == 0)
        return error;
    scatter_compute_cell_idx<<<assay_blocks_for(q.n, block), block, 0, stream>>>(q, id);
    return assay_launch_status();
}

int scatter_count_bins(const scatter_problem &q, const scatter_bins &bins, unsigned block,
                       assay_stream stream)
{
    const size_t bytes = (static_cast<size_t>(q.cells) + 1) * sizeof(int);
    int          error = scatter_find_bins(q, bins.id, block, stream);

    error = error ? error : assay_memset_zero(bins.count, bytes, stream);
    error = error ? error : assay_memset_zero(bins.cursor, bytes, stream);
    if (error)
        return error;
    if (q.n > 0)
        scatter_count_cells<<<assay_blocks_for(q.n, block), block, 0, stream>>>(bins.id, q.n,
                                                                                bins.count);
    return scatter_scan(bins.count, q.cells + int64_t { 1 }, bins.start, bins.sums, stream);
}

/* ---- particles in order ---- */

static __global__ void scatter_records_kernel(scatter_problem q, const int *index, const int *start,
                                              scatter_record *records)
{
    const int d = scatter_thread();

    if (d < start[q.cells])
        scatter_store_record(records + d, scatter_record_of(q, scatter_load(q.in, index[d])));
}

int scatter_make_records(const scatter_problem &q, const scatter_bins &bins,
                         scatter_record *records, unsigned block, assay_stream stream)
{
    if (q.n == 0)
        return 0;
    scatter_records_kernel<<<assay_blocks_for(q.n, block), block, 0, stream>>>(q, bins.index,
                                                                               bins.start, records);
    return assay_launch_status();
}

static __global__ void scatter_copy_kernel(scatter_problem q, const int *index,
                                           scatter_sorted_particles to)
{
    const int d = scatter_thread();

    if (d < q.n)
        scatter_copy_particle(q.in, index[d], to, d);
}

int scatter_copy_sorted(const assay_args *args, const scatter_problem &q, const scatter_bins &bins,
                        unsigned block, assay_stream stream)
{
    if (q.n == 0 || args->param[SCATTER_PARAM_OUTPUTS] != SCATTER_STAGES)
        return 0;
    scatter_copy_kernel<<<assay_blocks_for(q.n, block), block, 0, stream>>>(
        q, bins.index, scatter_sorted_outputs(args));
    return assay_launch_status();
}

/* ---- sums of nodes: eight lanes each, lane c for the cell that has the node as its corner c ----
 */

static __device__ int cell_with_corner(const thermo_grid &g, int node, int c)
{
    const int k = node % g.gz, j = node / g.gz % g.gy, i = node / g.gz / g.gy;

    return thermo_node(g, c & 4 ? thermo_previous(i, g.gx) : i,
                       c & 2 ? thermo_previous(j, g.gy) : j, c & 1 ? thermo_previous(k, g.gz) : k);
}

static __global__ void scatter_nodes_kernel(scatter_problem q, const scatter_record *records,
                                            const int *start)
{
    const int64_t lane = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int     node = static_cast<int>(lane / THERMO_N_CORNERS);
    const int     c    = static_cast<int>(lane % THERMO_N_CORNERS);
    scatter_sums  s    = {};

    if (node < q.cells) {
        const int cell = cell_with_corner(q.grid, node, c);
        const int end  = start[cell + 1];

        for (int d = start[cell]; d < end; d++) {
            const scatter_record p  = scatter_load_record(records + d);
            const thermo_cell    at = thermo_cell_of({ { p.r[0], p.r[1], p.r[2] } });

            scatter_accumulate(s, p, thermo_corner_weight(at.f, c));
        }
    }
    for (int v = 0; v < THERMO_N_FIELDS; v++)
        for (int d = 1; d < THERMO_N_CORNERS; d *= 2)
            s.v[v] += __shfl_xor_sync(0xffffffffu, s.v[v], d);
    if (node < q.cells)
        for (int v = 0; v < THERMO_N_FIELDS; v++)
            if (v == c)
                *scatter_field(q.out, v, node) = s.v[v];
}

int scatter_sum_nodes(const scatter_problem &q, const scatter_bins &bins,
                      const scatter_record *records, unsigned block, assay_stream stream)
{
    const int64_t lanes = static_cast<int64_t>(q.cells) * THERMO_N_CORNERS;

    scatter_nodes_kernel<<<assay_blocks_for(lanes, block), block, 0, stream>>>(q, records,
                                                                               bins.start);
    return assay_launch_status();
}
