/* The pipeline of the Metal original: a counting sort moves whole particles into the order of their
 * cells. Then one thread a particle adds to eight nodes, with 40 atomics as without the sort;
 * neighbours in a warp now meet on the same addresses. sorted_cas is the original as it is, with
 * its compare-and-swap loop and 256 threads a block. sorted_particle uses the hardware's addition,
 * and its block size is a tuning value. */
#include "scatter_sort.h"

static __global__ void scatter_reorder_particles(scatter_problem q, scatter_bins bins,
                                                 scatter_sorted_particles to)
{
    const int t = scatter_thread();

    if (t >= q.n)
        return;
    const int id = bins.id[t];
    const int d  = bins.start[id] + atomicAdd(bins.cursor + id, 1);

    scatter_copy_particle(q.in, t, to, d);
    bins.index[d] = t;
}

/* Particles from start[cells] on are the rejected ones. */
template <typename Add> static __global__ void scatter_sorted(scatter_problem q, const int *start,
                                                              scatter_particles particles, Add add)
{
    const int d = scatter_thread();

    if (d < start[q.cells])
        scatter_add_to_corners(q, scatter_record_of(q, scatter_load(particles, d)), add);
}

static scatter_sorted_particles take_sorted(const assay_args *args, thermo_arena *arena)
{
    const int64_t n = scatter_particle_count(args);

    return { scatter_take<float>(args, SCATTER_BUF_SORTED_POS, 3 * n, arena),
             scatter_take<float>(args, SCATTER_BUF_SORTED_VEL, 3 * n, arena),
             scatter_take<float>(args, SCATTER_BUF_SORTED_MASS, n, arena),
             scatter_take<float>(args, SCATTER_BUF_SORTED_HEAT, n, arena),
             scatter_take<float>(args, SCATTER_BUF_SORTED_ENERGY, n, arena) };
}

ASSAY_WORKSPACE(thermo_scatter_sorted_particle_workspace)
{
    thermo_arena arena(nullptr);

    (void)scatter_take_bins(args, &arena);
    (void)take_sorted(args, &arena);
    return arena.bytes();
}

template <typename Add>
static int launch_sorted(const assay_args *args, unsigned block, assay_stream stream)
{
    const scatter_problem          q    = scatter_problem_of(args);
    const unsigned                 grid = assay_blocks_for(q.n, block);
    thermo_arena                   arena(args->workspace);
    const scatter_bins             bins  = scatter_take_bins(args, &arena);
    const scatter_sorted_particles to    = take_sorted(args, &arena);
    int                            error = scatter_count_bins(q, bins, block, stream);

    error = error ? error : scatter_clear_fields(q, stream);
    if (error || q.n == 0)
        return error;
    scatter_reorder_particles<<<grid, block, 0, stream>>>(q, bins, to);
    scatter_sorted<Add><<<grid, block, 0, stream>>>(
        q, bins.start, { to.pos, to.vel, to.mass, to.heat, to.energy }, Add());
    return assay_launch_status();
}

/* Threads of a block in the original. */
enum {
    METAL_BLOCK = 256
};

ASSAY_LAUNCHER(thermo_scatter_sorted_cas)
{
    return launch_sorted<scatter_add_cas>(args, METAL_BLOCK, stream);
}
ASSAY_LAUNCHER(thermo_scatter_sorted_particle)
{
    return launch_sorted<scatter_add_native>(args, static_cast<unsigned>(args->tune[0]), stream);
}
