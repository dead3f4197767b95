/* Physics loss, non-fused: derivatives, residuals, loss and gradient are kernels of their own, with
 * every intermediate in memory. The gradient with respect to the residuals is part of the loss
 * kernel; that with respect to the fields is a fourth step (nonfused_gradient.cu). Fusion is
 * compared with this baseline, so each kernel moves its bytes as fast as it can: V cells a thread,
 * with all loads of a thread in flight together. A block has THREADS threads in every kernel. */
#include "nonfused.h"

/* The sixteen derivatives of each cell, one array each: four in time, then twelve in space, axis by
 * axis. The arrays follow each other in the workspace. */
struct derivative_arrays {
    float                     *first;
    int64_t                    cells;
    __host__ __device__ float *time(int c) const { return first + c * cells; }
    __host__ __device__ float *space(int axis, int c) const
    {
        return first + (4 + 4 * axis + c) * cells;
    }
};

/* ---- step 1: derivatives */

/* The places that the derivatives of V cells along x read. */
struct derivative_places {
    int64_t here, left, right, y_below, y_above, z_below, z_above;
};

template <int V>
__device__ static inline derivative_places places_of(const phys_kernel_args &a, int x, int y, int z)
{
    const int64_t     plane = static_cast<int64_t>(a.nx) * a.ny;
    const int64_t     row   = z * plane + static_cast<int64_t>(y) * a.nx;
    derivative_places p;

    p.here    = row + x;
    p.left    = row + phys_below(x, a.nx, a.periodic[0]);
    p.right   = row + phys_above(x + V - 1, a.nx, a.periodic[0]);
    p.y_below = z * plane + static_cast<int64_t>(phys_below(y, a.ny, a.periodic[1])) * a.nx + x;
    p.y_above = z * plane + static_cast<int64_t>(phys_above(y, a.ny, a.periodic[1])) * a.nx + x;
    p.z_below = p.here + (phys_below(z, a.nz, a.periodic[2]) - z) * plane;
    p.z_above = p.here + (phys_above(z, a.nz, a.periodic[2]) - z) * plane;
    return p;
}

template <int V> __device__ static inline phys_vector<V>
scaled_difference(const phys_vector<V> &from, const phys_vector<V> &minus, float factor)
{
    phys_vector<V> d;

#pragma unroll
    for (int v = 0; v < V; v++)
        d.at[v] = (from.at[v] - minus.at[v]) * factor;
    return d;
}

/* The derivatives of one component. */
template <int V, bool CENTRAL>
__device__ static inline void derive_component(const phys_kernel_args  &a,
                                               const derivative_places &p, int c,
                                               const derivative_arrays &out)
{
    const float         *f       = a.now[c];
    const phys_vector<V> now     = phys_load<V>(f, p.here);
    const phys_vector<V> before  = phys_load<V>(a.before[c], p.here);
    const phys_vector<V> after   = CENTRAL ? phys_load<V>(a.after[c], p.here) : now;
    const phys_vector<V> y_below = phys_load<V>(f, p.y_below), y_above = phys_load<V>(f, p.y_above);
    const phys_vector<V> z_below = phys_load<V>(f, p.z_below), z_above = phys_load<V>(f, p.z_above);
    const float          left = f[p.left], right = f[p.right];
    phys_vector<V>       x_below, x_above;

#pragma unroll
    for (int v = 0; v < V; v++) {
        x_below.at[v] = v > 0 ? now.at[v > 0 ? v - 1 : v] : left;
        x_above.at[v] = v < V - 1 ? now.at[v < V - 1 ? v + 1 : v] : right;
    }
    phys_store(out.time(c), p.here, scaled_difference<V>(after, before, a.per_step));
    phys_store(out.space(0, c), p.here, scaled_difference<V>(x_above, x_below, a.per_two_h[0]));
    phys_store(out.space(1, c), p.here, scaled_difference<V>(y_above, y_below, a.per_two_h[1]));
    phys_store(out.space(2, c), p.here, scaled_difference<V>(z_above, z_below, a.per_two_h[2]));
}

template <int V, int THREADS, bool CENTRAL> static __global__ void __launch_bounds__(THREADS)
    derivatives_kernel(phys_kernel_args a, derivative_arrays out)
{
    const phys_tile tile = phys_tile_of_block(a);
    const int       x = (tile.x * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x)) * V;
    const int       y = tile.y * static_cast<int>(blockDim.y) + static_cast<int>(threadIdx.y);

    if (x >= a.nx || y >= a.ny)
        return;

    const derivative_places places = places_of<V>(a, x, y, tile.z);

#pragma unroll
    for (int c = 0; c < 4; c++)
        derive_component<V, CENTRAL>(a, places, c, out);
}

/* ---- step 2: residuals, cell by cell */

template <int V, int THREADS> static __global__ void __launch_bounds__(THREADS)
    residuals_kernel(phys_kernel_args a, derivative_arrays in, float *r_sigma, float *r_u)
{
    const int64_t  i = (static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x) * V;
    phys_vector<V> now[4], r[4], space[3][4];

    if (i >= a.cells)
        return;
#pragma unroll
    for (int c = 0; c < 4; c++) {
        now[c] = phys_load<V>(a.now[c], i);
        r[c]   = phys_load<V>(in.time(c), i);
#pragma unroll
        for (int axis = 0; axis < 3; axis++)
            space[axis][c] = phys_load<V>(in.space(axis, c), i);
    }
#pragma unroll
    for (int v = 0; v < V; v++) {
        const float divergence = space[0][1].at[v] + space[1][2].at[v] + space[2][3].at[v];

#pragma unroll
        for (int c = 0; c < 4; c++)
#pragma unroll
            for (int axis = 0; axis < 3; axis++)
                r[c].at[v] = fmaf(now[1 + axis].at[v], space[axis][c].at[v], r[c].at[v]);
        r[0].at[v] = fmaf(now[0].at[v], divergence, r[0].at[v]);
    }
    phys_store(r_sigma, i, r[0]);
#pragma unroll
    for (int c = 1; c < 4; c++)
        phys_store(r_u, (c - 1) * a.cells + i, r[c]);
}

/* ---- step 3: loss and gradient from the residuals. Both are optional. A block takes many cells,
 * because each block ends in two atomics on the same two numbers. */

template <int V, int THREADS> static __global__ void __launch_bounds__(THREADS)
    loss_kernel(phys_kernel_args a, const float *r_sigma, const float *r_u)
{
    const int64_t stride = static_cast<int64_t>(gridDim.x) * THREADS * V;
    phys_squares  sum    = { 0, 0 };

    for (int64_t i = (static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x) * V; i < a.cells;
         i += stride) {
        phys_vector<V> r[4];

        r[0] = phys_load<V>(r_sigma, i);
#pragma unroll
        for (int c = 1; c < 4; c++)
            r[c] = phys_load<V>(r_u, (c - 1) * a.cells + i);
        phys_write<V>(a, i, r);
#pragma unroll
        for (int v = 0; v < V; v++) {
            const float one[4] = { r[0].at[v], r[1].at[v], r[2].at[v], r[3].at[v] };

            phys_add_squares(&sum, one);
        }
    }
    if (a.loss[0] != NULL)
        phys_add_losses<THREADS>(a, sum, threadIdx.x);
}

/* ---- launches */

/* What the three steps pass on: derivatives in the workspace, and residuals in the workspace or in
 * the caller's arrays. */
struct nonfused_arrays {
    derivative_arrays derivatives;
    float            *r_sigma, *r_u;
};

/* Step 1. */
template <int V, int THREADS> static int
launch_derivatives(phys_kernel_args a, derivative_arrays out, bool is_central, assay_stream stream)
{
    unsigned lanes = 1;

    /* As many lanes as a row has vectors, at most a warp: threads stay busy on small grids. */
    while (lanes < 32 && static_cast<int>(lanes) * V < a.nx)
        lanes *= 2;

    const dim3     block(lanes, THREADS / lanes);
    const unsigned blocks = phys_set_tiles(&a, lanes * V, block.y, 1);

    if (blocks == 0)
        return PHYS_INVALID_GRID;
    if (is_central)
        derivatives_kernel<V, THREADS, true><<<blocks, block, 0, stream>>>(a, out);
    else
        derivatives_kernel<V, THREADS, false><<<blocks, block, 0, stream>>>(a, out);
    return assay_launch_status();
}

/* Steps 1 and 2. */
template <int V, int THREADS> static int launch_residuals(const phys_kernel_args &a,
                                                          const nonfused_arrays  &to,
                                                          bool is_central, assay_stream stream)
{
    const unsigned blocks = assay_blocks_for(a.cells, THREADS * V);
    const int      error  = launch_derivatives<V, THREADS>(a, to.derivatives, is_central, stream);

    if (error != PHYS_OK || blocks == 0)
        return error != PHYS_OK ? error : PHYS_INVALID_GRID;
    residuals_kernel<V, THREADS>
        <<<blocks, THREADS, 0, stream>>>(a, to.derivatives, to.r_sigma, to.r_u);
    return assay_launch_status();
}

/* Step 3. */
template <int THREADS> static int launch_loss(const phys_kernel_args &a, const float *r_sigma,
                                              const float *r_u, int v, assay_stream stream)
{
    /* At most 2^19 threads, so that each has many cells of a large grid. */
    const unsigned most   = a.loss[0] != NULL ? (1u << 19) / THREADS : INT32_MAX;
    const unsigned needed = assay_blocks_for(a.cells, THREADS * v);
    const unsigned blocks = needed < most ? needed : most;
    const int      error  = phys_zero_losses(&a, stream);

    if (error != PHYS_OK || blocks == 0)
        return error != PHYS_OK ? error : PHYS_INVALID_GRID;
    if (v == 4)
        loss_kernel<4, THREADS><<<blocks, THREADS, 0, stream>>>(a, r_sigma, r_u);
    else
        loss_kernel<1, THREADS><<<blocks, THREADS, 0, stream>>>(a, r_sigma, r_u);
    return assay_launch_status();
}

/* All three steps, v cells a thread. */
template <int THREADS> static int launch_steps(const phys_kernel_args &a, const nonfused_arrays &to,
                                               int v, bool is_central, assay_stream stream)
{
    const int error = v == 4 ? launch_residuals<4, THREADS>(a, to, is_central, stream)
                             : launch_residuals<1, THREADS>(a, to, is_central, stream);

    return error != PHYS_OK ? error : launch_loss<THREADS>(a, to.r_sigma, to.r_u, v, stream);
}

/* By threads of a block. */
struct nonfused_launches {
    int64_t block;
    int (*steps)(const phys_kernel_args &a, const nonfused_arrays &to, int v, bool is_central,
                 assay_stream stream);
    int (*loss)(const phys_kernel_args &a, const float *r_sigma, const float *r_u, int v,
                assay_stream stream);
};
static const nonfused_launches LAUNCHES[] = {
    { 256, launch_steps<256>, launch_loss<256> },
    { 128, launch_steps<128>, launch_loss<128> },
    { 512, launch_steps<512>, launch_loss<512> },
};

static const nonfused_launches *launches_of(int64_t block)
{
    for (const nonfused_launches &launches : LAUNCHES)
        if (launches.block == block)
            return &launches;
    return NULL;
}

static bool is_aligned(const void *p) { return reinterpret_cast<uintptr_t>(p) % 16 == 0; }

static bool wants_field_gradient(const phys_grid_spec *grid, const phys_kernel_args &a)
{
    return grid->vjp == PHYS_VJP_FIELD && a.d[0] != NULL;
}

/* For the steps before the fourth, which do not write this gradient. */
static phys_kernel_args without_field_gradient(const phys_grid_spec *grid, phys_kernel_args a)
{
    if (grid->vjp == PHYS_VJP_FIELD)
        a.d[0] = a.d[1] = NULL;
    return a;
}

/* From the fields. Residuals go to the caller's arrays if given, else to the workspace. */
static int run_steps(const phys_grid_spec *grid, const phys_kernel_args &a, const phys_buf *buf,
                     void *workspace, const nonfused_launches &launches, assay_stream stream)
{
    const derivative_arrays derivatives = { static_cast<float *>(workspace), a.cells };
    float *const            own_r       = derivatives.first + 16 * a.cells;
    const nonfused_arrays   to          = {
                   derivatives,
        buf->r_sigma != NULL ? buf->r_sigma : own_r,
        buf->r_u != NULL ? buf->r_u : own_r + a.cells,
    };
    const bool is_vector = phys_vector_width(&a) == 4 && is_aligned(workspace) &&
                           is_aligned(to.r_sigma) && is_aligned(to.r_u);

    const int error = launches.steps(without_field_gradient(grid, a), to, is_vector ? 4 : 1,
                                     grid->time == PHYS_CENTRAL, stream);

    if (error != PHYS_OK || !wants_field_gradient(grid, a))
        return error;
    return phys_launch_nonfused_gradient(a, to.r_sigma, to.r_u, grid->time == PHYS_CENTRAL,
                                         launches.block, stream);
}

/* From given residuals to gradients. */
static int run_backward(const phys_grid_spec *grid, const phys_kernel_args &a, const phys_buf *buf,
                        const nonfused_launches &launches, assay_stream stream)
{
    if (grid->vjp == PHYS_VJP_FIELD)
        return phys_launch_nonfused_gradient(a, buf->r_sigma, buf->r_u, grid->time == PHYS_CENTRAL,
                                             launches.block, stream);

    const bool is_vector = a.cells % 4 == 0 && is_aligned(buf->r_sigma) && is_aligned(buf->r_u) &&
                           is_aligned(a.d[0]) && is_aligned(a.d[1]);

    return launches.loss(a, buf->r_sigma, buf->r_u, is_vector ? 4 : 1, stream);
}

static unsigned needs_of(const phys_grid_spec *grid, unsigned wants)
{
    const unsigned gradients = wants & PHYS_WANTS_GRADIENTS ? PHYS_NEEDS_GRADIENTS : 0;

    if (wants & PHYS_WANTS_LOSSES)
        return PHYS_NEEDS_FIELDS | PHYS_NEEDS_LOSSES | gradients;
    /* A missing grid is refused by the check. */
    if (grid != NULL && grid->vjp == PHYS_VJP_FIELD)
        return PHYS_NEEDS_RESIDUALS | PHYS_NEEDS_T1 | gradients;
    return PHYS_NEEDS_RESIDUALS | gradients;
}

int phys_run_nonfused(const phys_grid_spec *grid, const phys_weights *weights, const phys_buf *buf,
                      unsigned wants, void *workspace, size_t bytes, const phys_tuning &tuning,
                      assay_stream stream)
{
    const nonfused_launches *launches     = launches_of(tuning.block);
    const bool               wants_losses = (wants & PHYS_WANTS_LOSSES) != 0;
    const int                error        = phys_check(grid, weights, buf, needs_of(grid, wants));

    if (error != PHYS_OK || launches == NULL)
        return error != PHYS_OK ? error : PHYS_INVALID_VALUE;
    if (wants_losses && (workspace == NULL || bytes < cuda_phys_loss_workspace(grid)))
        return PHYS_INVALID_WORKSPACE;

    /* Residuals are passed between the steps; they are no output of the last one. */
    const phys_kernel_args a = phys_make_args(grid, weights, buf, wants & ~PHYS_WANTS_RESIDUALS);

    return wants_losses ? run_steps(grid, a, buf, workspace, *launches, stream)
                        : run_backward(grid, a, buf, *launches, stream);
}

/* ---- C API */

size_t cuda_phys_loss_workspace(const phys_grid_spec *grid)
{
    return grid == NULL ? 0 : 20 * sizeof(float) * static_cast<size_t>(phys_count_cells(grid));
}

int cuda_phys_loss_forward_nonfused(const phys_grid_spec *grid, const phys_weights *weights,
                                    const phys_buf *buf, void *workspace, size_t workspace_bytes,
                                    assay_stream stream)
{
    return phys_run_nonfused(grid, weights, buf, PHYS_WANTS_LOSSES | PHYS_WANTS_RESIDUALS,
                             workspace, workspace_bytes, phys_tuning(), stream);
}

int cuda_phys_loss_nonfused(const phys_grid_spec *grid, const phys_weights *weights,
                            const phys_buf *buf, void *workspace, size_t workspace_bytes,
                            assay_stream stream)
{
    return phys_run_nonfused(grid, weights, buf,
                             PHYS_WANTS_LOSSES | PHYS_WANTS_RESIDUALS | PHYS_WANTS_GRADIENTS,
                             workspace, workspace_bytes, phys_tuning(), stream);
}

int cuda_phys_loss_backward_nonfused(const phys_grid_spec *grid, const phys_weights *weights,
                                     const phys_buf *buf, assay_stream stream)
{
    return phys_run_nonfused(grid, weights, buf, PHYS_WANTS_GRADIENTS, NULL, 0, phys_tuning(),
                             stream);
}
