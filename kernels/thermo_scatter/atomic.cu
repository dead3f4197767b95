/* Scatter without sorting: one thread a particle, with 40 atomic additions. atomic_cas adds by a
 * compare-and-swap loop, as a device without floating-point atomics must. atomic_native uses the
 * hardware's addition. atomic_vector adds density and momentum of a node as one access of 16
 * bytes. */
#include "scatter_launch.h"

/* Adds density and momentum of a node, which lie side by side. */
__device__ inline void scatter_add4(float4 *to, float4 value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    atomicAdd(to, value);
#else
    atomicAdd(&to->x, value.x);
    atomicAdd(&to->y, value.y);
    atomicAdd(&to->z, value.z);
    atomicAdd(&to->w, value.w);
#endif
}

/* Sets the record of particle t. Returns false for a rejected particle, and counts it. */
static __device__ bool read_particle(const scatter_problem &q, int t, scatter_record *record)
{
    const scatter_particle p = scatter_load(q.in, t);

    if (!scatter_is_accepted(p)) {
        atomicAdd(q.errors, 1u);
        return false;
    }
    *record = scatter_record_of(q, p);
    return true;
}

template <typename Add> static __global__ void scatter_atomic_kernel(scatter_problem q, Add add)
{
    const int      t = scatter_thread();
    scatter_record p;

    if (t < q.n && read_particle(q, t, &p))
        scatter_add_to_corners(q, p, add);
}

template <typename Add> static int launch_atomic(const assay_args *args, assay_stream stream)
{
    const scatter_problem q     = scatter_problem_of(args);
    const unsigned        block = static_cast<unsigned>(args->tune[0]);
    int                   error = scatter_clear_fields(q, stream);

    error = error ? error : scatter_clear_errors(q, stream);
    if (error || q.n == 0)
        return error;
    scatter_atomic_kernel<Add><<<assay_blocks_for(q.n, block), block, 0, stream>>>(q, Add());
    return assay_launch_status();
}

ASSAY_LAUNCHER(thermo_scatter_atomic_cas) { return launch_atomic<scatter_add_cas>(args, stream); }
ASSAY_LAUNCHER(thermo_scatter_atomic_native)
{
    return launch_atomic<scatter_add_native>(args, stream);
}

/* ---- vectors: nodes of (rho, mom) in the workspace, taken apart at the end ---- */

static __global__ void scatter_vector_kernel(scatter_problem q, float4 *nodes)
{
    const int      t = scatter_thread();
    scatter_record p;

    if (t >= q.n || !read_particle(q, t, &p))
        return;
    const thermo_cell cell = thermo_cell_of({ { p.r[0], p.r[1], p.r[2] } });
#pragma unroll
    for (int c = 0; c < THERMO_N_CORNERS; c++) {
        const int    node = thermo_corner_node(q.grid, cell, c);
        scatter_sums s    = {};

        scatter_accumulate(s, p, thermo_corner_weight(cell.f, c));
        scatter_add4(nodes + node, make_float4(s.v[THERMO_RHO], s.v[THERMO_MOM_X],
                                               s.v[THERMO_MOM_Y], s.v[THERMO_MOM_Z]));
        atomicAdd(q.out.e + node, s.v[THERMO_E_INT]);
    }
}

/* Value v of the momentum array belongs to node v / 3, so that whole lines are written. */
static __global__ void scatter_unpack_kernel(scatter_problem q, const float *nodes)
{
    const int64_t v = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (v >= 3 * static_cast<int64_t>(q.cells))
        return;
    q.out.mom[v] = nodes[v / 3 * 4 + 1 + v % 3];
    if (v < q.cells)
        q.out.rho[v] = nodes[4 * v];
}

ASSAY_WORKSPACE(thermo_scatter_atomic_vector_workspace)
{
    return static_cast<size_t>(scatter_cell_count(args)) * sizeof(float4);
}

ASSAY_LAUNCHER(thermo_scatter_atomic_vector)
{
    const scatter_problem q     = scatter_problem_of(args);
    const unsigned        block = static_cast<unsigned>(args->tune[0]);
    const size_t          cells = static_cast<size_t>(q.cells);
    float4               *nodes = static_cast<float4 *>(args->workspace);
    int                   error = scatter_clear_errors(q, stream);

    error = error ? error : assay_memset_zero(nodes, cells * sizeof *nodes, stream);
    error = error ? error : assay_memset_zero(q.out.e, cells * sizeof *q.out.e, stream);
    if (error)
        return error;
    if (q.n > 0)
        scatter_vector_kernel<<<assay_blocks_for(q.n, block), block, 0, stream>>>(q, nodes);
    scatter_unpack_kernel<<<assay_blocks_for(3 * static_cast<int64_t>(q.cells), block), block, 0,
                            stream>>>(q, reinterpret_cast<const float *>(nodes));
    return assay_launch_status();
}
