/* Physics loss, non-fused, step 4: the gradient with respect to the fields, from the fields at t1
 * and the residuals in memory.
 *
 * A block marches along z. Each thread holds three planes of its V cells' fields in registers, and
 * the gradient of one plane until the flux of the next one completes it. So fields and residuals
 * come from memory once, except the two planes next to a block's own. Neighbours along x and y come
 * through the caches. */
#include "nonfused.h"
#include "phys_gradient.cuh"

/* Where the step reads its residuals. */
struct gradient_residuals {
    const float *r[4];
};

/* Fields and cotangents of V cells. */
template <int V> struct gradient_cells {
    phys_vector<V> now[4], cotangent[4];
};

/* A thread's cells, and the cells around them: places in a plane, and signs of their cotangents. */
struct gradient_place {
    int64_t here, left, right, below, above;
    float   sign_left, sign_right, sign_below, sign_above;
};

template <int V>
__device__ static inline gradient_place gradient_place_of(const phys_kernel_args &a, int x, int y)
{
    const int64_t  row = static_cast<int64_t>(y) * a.nx;
    gradient_place p;

    p.here       = row + x;
    p.left       = row + phys_below(x, a.nx, a.periodic[0]);
    p.right      = row + phys_above(x + V - 1, a.nx, a.periodic[0]);
    p.below      = static_cast<int64_t>(phys_below(y, a.ny, a.periodic[1])) * a.nx + x;
    p.above      = static_cast<int64_t>(phys_above(y, a.ny, a.periodic[1])) * a.nx + x;
    p.sign_left  = phys_sign_below(x, a.periodic[0]);
    p.sign_right = phys_sign_above(x + V - 1, a.nx, a.periodic[0]);
    p.sign_below = phys_sign_below(y, a.periodic[1]);
    p.sign_above = phys_sign_above(y, a.ny, a.periodic[1]);
    return p;
}

template <int V>
__device__ static inline void load_now(const phys_kernel_args &a, int64_t at, phys_vector<V> now[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++)
        now[c] = phys_load<V>(a.now[c], at);
}

template <int V> __device__ static inline void load_cotangents(const phys_kernel_args   &a,
                                                               const gradient_residuals &from,
                                                               int64_t                   at,
                                                               phys_vector<V> cotangent[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++) {
        cotangent[c] = phys_load<V>(from.r[c], at);
#pragma unroll
        for (int v = 0; v < V; v++)
            cotangent[c].at[v] *= a.gradient_factor[c > 0];
    }
}

template <int V> __device__ static inline gradient_cells<V>
load_cells(const phys_kernel_args &a, const gradient_residuals &from, int64_t at)
{
    gradient_cells<V> cells;

    load_now<V>(a, at, cells.now);
    load_cotangents<V>(a, from, at, cells.cotangent);
    return cells;
}

/* Adds sign times the flux of V cells to d of V cells. */
template <int V>
__device__ static inline void add_flux(const phys_kernel_args &a, int axis, float sign,
                                       const phys_vector<V> cotangent[4],
                                       const phys_vector<V> now[4], phys_vector<V> d[4])
{
#pragma unroll
    for (int v = 0; v < V; v++) {
        const float one[4]   = { cotangent[0].at[v], cotangent[1].at[v], cotangent[2].at[v],
                                 cotangent[3].at[v] };
        const float value[4] = { now[0].at[v], now[1].at[v], now[2].at[v], now[3].at[v] };
        float       sum[4]   = { d[0].at[v], d[1].at[v], d[2].at[v], d[3].at[v] };

        phys_add_flux(a, axis, sign, one, value, sum);
#pragma unroll
        for (int c = 0; c < 4; c++)
            d[c].at[v] = sum[c];
    }
}

/* The cells one place to the left (-1) or right (+1): all but one belong to this thread. */
template <int V> __device__ static inline gradient_cells<V>
shifted(const gradient_cells<V> &cells, const gradient_cells<1> &end, float sign, int by)
{
    gradient_cells<V> result;

#pragma unroll
    for (int c = 0; c < 4; c++)
#pragma unroll
        for (int v = 0; v < V; v++) {
            const int  from     = v + by;
            const bool is_own   = from >= 0 && from < V;
            const int  own      = is_own ? from : 0;
            result.now[c].at[v] = is_own ? cells.now[c].at[own] : end.now[c].at[0];
            result.cotangent[c].at[v] =
                is_own ? cells.cotangent[c].at[own] : sign * end.cotangent[c].at[0];
        }
    return result;
}

/* The three planes of fields around a thread's cells. */
template <int V> struct gradient_planes {
    phys_vector<V> below[4], above[4];
};

template <int V> __device__ static inline void
start_gradient(const phys_kernel_args &a, const gradient_cells<V> &here,
               const gradient_planes<V> &planes, const gradient_cells<V> x[2],
               const gradient_cells<V> y[2], bool is_central, phys_vector<V> d[4])
{
#pragma unroll
    for (int v = 0; v < V; v++) {
        phys_cell cell;
        float     cotangent[4], sum[4];

#pragma unroll
        for (int c = 0; c < 4; c++) {
            cell.dx[c]   = x[1].now[c].at[v] - x[0].now[c].at[v];
            cell.dy[c]   = y[1].now[c].at[v] - y[0].now[c].at[v];
            cell.dz[c]   = planes.above[c].at[v] - planes.below[c].at[v];
            cotangent[c] = here.cotangent[c].at[v];
        }
        phys_direct(a, cell, cotangent, is_central, sum);
#pragma unroll
        for (int c = 0; c < 4; c++)
            d[c].at[v] = sum[c];
    }
}

/* The gradient of plane z, without the fluxes along z. */
template <int V> __device__ static inline void
plane_gradient(const phys_kernel_args &a, const gradient_residuals &from, const gradient_place &at,
               int64_t plane_start, const gradient_cells<V> &here, const gradient_planes<V> &planes,
               bool is_central, phys_vector<V> d[4])
{
    const gradient_cells<1> left  = load_cells<1>(a, from, plane_start + at.left);
    const gradient_cells<1> right = load_cells<1>(a, from, plane_start + at.right);
    const gradient_cells<V> y[2]  = { load_cells<V>(a, from, plane_start + at.below),
                                      load_cells<V>(a, from, plane_start + at.above) };
    const gradient_cells<V> x[2]  = { shifted<V>(here, left, at.sign_left, -1),
                                      shifted<V>(here, right, at.sign_right, 1) };

    start_gradient<V>(a, here, planes, x, y, is_central, d);
    add_flux<V>(a, 0, 1, x[0].cotangent, x[0].now, d);
    add_flux<V>(a, 0, -1, x[1].cotangent, x[1].now, d);
    add_flux<V>(a, 1, at.sign_below, y[0].cotangent, y[0].now, d);
    add_flux<V>(a, 1, -at.sign_above, y[1].cotangent, y[1].now, d);
}

/* What a thread carries from plane to plane. */
template <int V> struct gradient_march {
    gradient_cells<V>  here;
    gradient_planes<V> planes;
    phys_vector<V>     flux[4];    /* flux of the plane below */
    phys_vector<V>     pending[4]; /* gradient of the plane below */
};

template <int V> static __device__ __forceinline__ void
gradient_start(const phys_kernel_args &a, const gradient_residuals &from, const gradient_place &at,
               int z0, gradient_march<V> *m)
{
    const int64_t plane = static_cast<int64_t>(a.nx) * a.ny;
    const int     first = phys_below(z0, a.nz, a.periodic[2]);

    m->here = load_cells<V>(a, from, first * plane + at.here);
    add_flux<V>(a, 2, phys_sign_below(z0, a.periodic[2]), m->here.cotangent, m->here.now, m->flux);
#pragma unroll
    for (int c = 0; c < 4; c++)
        m->planes.below[c] = m->here.now[c];
    load_now<V>(a, z0 * plane + at.here, m->here.now);
}

/* Exchanges fluxes: this plane's goes to the one below, that of the one below to this. */
template <int V> static __device__ __forceinline__ void
exchange_flux(const phys_vector<V> own_flux[4], phys_vector<V> d[4], gradient_march<V> *m)
{
#pragma unroll
    for (int c = 0; c < 4; c++)
#pragma unroll
        for (int v = 0; v < V; v++) {
            m->pending[c].at[v] -= own_flux[c].at[v];
            d[c].at[v] += m->flux[c].at[v];
        }
}

template <int V> static __device__ __forceinline__ void
gradient_advance(const phys_vector<V> own_flux[4], const phys_vector<V> d[4], gradient_march<V> *m)
{
#pragma unroll
    for (int c = 0; c < 4; c++) {
        m->pending[c]      = d[c];
        m->flux[c]         = own_flux[c];
        m->planes.below[c] = m->here.now[c];
        m->here.now[c]     = m->planes.above[c];
    }
}

template <int V, int THREADS, int BLOCKS_PER_SM, bool CENTRAL>
static __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    gradient_kernel(phys_kernel_args a, gradient_residuals from)
{
    const phys_tile tile = phys_tile_of_block(a);
    const int       x = (tile.x * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x)) * V;
    const int       y = tile.y * static_cast<int>(blockDim.y) + static_cast<int>(threadIdx.y);
    const int       z0 = tile.z * a.planes, z1 = min(z0 + a.planes, a.nz);
    const int64_t   plane = static_cast<int64_t>(a.nx) * a.ny;

    if (x >= a.nx || y >= a.ny)
        return;

    const gradient_place at = gradient_place_of<V>(a, x, y);
    gradient_march<V>    m  = {};

    gradient_start<V>(a, from, at, z0, &m);
#pragma unroll 1
    for (int z = z0; z < z1; z++) {
        const int      next = phys_above(z, a.nz, a.periodic[2]);
        phys_vector<V> d[4], own_flux[4] = {};

        load_now<V>(a, next * plane + at.here, m.planes.above);
        load_cotangents<V>(a, from, z * plane + at.here, m.here.cotangent);
        plane_gradient<V>(a, from, at, z * plane, m.here, m.planes, CENTRAL, d);
        phys_store_far<V>(a, z * plane + at.here, m.here.cotangent);
        add_flux<V>(a, 2, 1, m.here.cotangent, m.here.now, own_flux);
        exchange_flux<V>(own_flux, d, &m);
        if (z > z0)
            phys_store_components<V>(a.d, (z - 1) * plane + at.here, a.cells, m.pending);
        gradient_advance<V>(own_flux, d, &m);
    }

    const int   last = phys_above(z1 - 1, a.nz, a.periodic[2]);
    const float sign = phys_sign_above(z1 - 1, a.nz, a.periodic[2]);

    load_cotangents<V>(a, from, last * plane + at.here, m.here.cotangent);
    add_flux<V>(a, 2, -sign, m.here.cotangent, m.here.now, m.pending);
    phys_store_components<V>(a.d, (z1 - 1) * plane + at.here, a.cells, m.pending);
}

/* ---- launches */

/* Planes of a block: enough that reading two more costs little, few enough that all processors of a
 * large GPU get several blocks. */
static int64_t planes_of_block(int64_t columns, int64_t nz)
{
    const int64_t wanted_blocks = 1024, least = 4, most = 64;
    const int64_t planes = columns * nz / wanted_blocks;

    return planes < least ? least : planes > most ? most : planes;
}

template <int V, int THREADS, int BLOCKS_PER_SM>
static int launch_gradient(phys_kernel_args a, const gradient_residuals &from, bool is_central,
                           assay_stream stream)
{
    unsigned lanes = 1;

    /* As many lanes as a row has vectors, at most a warp: threads stay busy on small grids. */
    while (lanes < 32 && static_cast<int>(lanes) * V < a.nx)
        lanes *= 2;

    const dim3     block(lanes, THREADS / lanes);
    const int64_t  width = static_cast<int64_t>(lanes) * V, height = block.y;
    const int64_t  columns = assay_ceil_div(a.nx, width) * assay_ceil_div(a.ny, height);
    const unsigned blocks  = phys_set_tiles(&a, width, height, planes_of_block(columns, a.nz));

    if (blocks == 0)
        return PHYS_INVALID_GRID;
    if (is_central)
        gradient_kernel<V, THREADS, BLOCKS_PER_SM, true><<<blocks, block, 0, stream>>>(a, from);
    else
        gradient_kernel<V, THREADS, BLOCKS_PER_SM, false><<<blocks, block, 0, stream>>>(a, from);
    return assay_launch_status();
}

static bool is_aligned(const void *p) { return reinterpret_cast<uintptr_t>(p) % 16 == 0; }

/* By threads of a block. 512 threads on an SM have enough registers for their planes. */
static const struct {
    int64_t block;
    int (*vectors)(phys_kernel_args a, const gradient_residuals &from, bool is_central,
                   assay_stream stream);
    int (*scalars)(phys_kernel_args a, const gradient_residuals &from, bool is_central,
                   assay_stream stream);
} LAUNCHES[] = {
    { 256, launch_gradient<2, 256, 2>, launch_gradient<1, 256, 2> },
    { 128, launch_gradient<2, 128, 4>, launch_gradient<1, 128, 4> },
    { 512, launch_gradient<2, 512, 1>, launch_gradient<1, 512, 1> },
};

int phys_launch_nonfused_gradient(const phys_kernel_args &a, const float *r_sigma, const float *r_u,
                                  bool is_central, int64_t block, assay_stream stream)
{
    const gradient_residuals from = { { r_sigma, r_u, r_u + a.cells, r_u + 2 * a.cells } };
    const bool is_vector = phys_vector_width(&a) == 4 && is_aligned(r_sigma) && is_aligned(r_u);

    for (const auto &size : LAUNCHES)
        if (size.block == block)
            return (is_vector ? size.vectors : size.scalars)(a, from, is_central, stream);
    return PHYS_INVALID_VALUE;
}
