/* Physics loss, fused, gradient with respect to the fields: planes stream along z through
 * registers, V cells along x a thread.
 *
 * A block computes the residuals and fluxes of a plane of its tile and of a ring of one cell around
 * it. Only fluxes are exchanged: along x through the warp, along y through shared memory, along z
 * through registers from one plane to the next. The fields of neighbours come the same ways; apart
 * from the halo, each value at t1 is read from memory once. Two planes of fields and two of fluxes
 * alternate in shared memory, so that one barrier a plane is enough. */
#ifndef ASSAY_FUSED_STREAM_FIELD_CUH
#define ASSAY_FUSED_STREAM_FIELD_CUH

#include "fused_stream_place.cuh"
#include "phys_stream.h"

/* The two planes of shared memory that a step reads and writes. */
template <int V> struct field_shared {
    phys_vector<V> *here;  /* fields of the current plane */
    phys_vector<V> *above; /* fields of the plane above, which this step writes */
    phys_vector<V> *flux;  /* along y, of the current plane */
    float          *sides; /* along x, from beside the tile */
};

template <int V, int LANES, int ROWS>
__device__ static inline field_shared<V> field_shared_of(phys_vector<V> *shared, int z)
{
    using shape           = field_shape<V, LANES, ROWS>;
    const int       place = z & 1;
    field_shared<V> s;

    s.here  = shared + place * 4 * shape::FIELD;
    s.above = shared + (1 - place) * 4 * shape::FIELD;
    s.flux  = shared + 2 * 4 * shape::FIELD + place * 4 * shape::FLUX;
    s.sides = reinterpret_cast<float *>(shared + 2 * 4 * (shape::FIELD + shape::FLUX)) +
              place * 4 * shape::SIDE;
    return s;
}

/* What a thread holds from plane to plane. */
template <int V> struct field_cells {
    phys_vector<V> below[4], now[4], above[4]; /* t1 */
    phys_vector<V> before[4], after[4];        /* t0; t2 with central time only */
    phys_vector<V> sum[4];  /* gradient of the plane below, without what the next plane sends
                             * down */
    phys_vector<V> sent[4]; /* flux along z of the plane below */
    phys_vector<V> staged;
};

/* A plane begins at the same place for all threads, and a thread's cells have the same place in
 * each plane. So 32 bits are enough for a place: one register and one addition less for each
 * address. */
template <int V> __device__ static inline void field_load(const phys_kernel_args &a, int64_t plane,
                                                          unsigned column, phys_vector<V> to[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++)
        to[c] = phys_load<V>(a.now[c] + plane, column);
}

/* Values that only the current plane needs: t0, and t2 with central time. */
template <int V, bool CENTRAL> __device__ static inline void
field_load_once(const phys_kernel_args &a, int64_t plane, unsigned column, field_cells<V> *cells)
{
#pragma unroll
    for (int c = 0; c < 4; c++) {
        cells->before[c] = phys_load_once<V>(a.before[c] + plane, column);
        if (CENTRAL)
            cells->after[c] = phys_load_once<V>(a.after[c] + plane, column);
    }
}

/* What a step computes of a plane. */
template <int V> struct field_step {
    phys_vector<V> x[4], y[4]; /* fluxes */
    phys_vector<V> done[4];    /* gradient of the plane below */
    phys_vector<V> r[4];
};

/* The values left and right of a thread's cells. */
template <int V, int LANES>
__device__ static inline void field_beside(const phys_vector<V> &now, const phys_vector<V> *row,
                                           unsigned is, float *left, float *right)
{
    *left  = __shfl_up_sync(0xffffffffu, now.at[V - 1], 1, LANES);
    *right = __shfl_down_sync(0xffffffffu, now.at[0], 1, LANES);
    if (is & FIELD_AT_LEFT)
        *left = is & FIELD_END_LEFT ? now.at[0] : row[is & FIELD_LEFT_OF ? 0 : -1].at[V - 1];
    if (is & FIELD_AT_RIGHT)
        *right = is & FIELD_END_RIGHT ? now.at[V - 1] : row[is & FIELD_RIGHT_OF ? 0 : 1].at[0];
}

/* One cell: its residual, and what follows from it without a neighbour. */
template <int V, bool CENTRAL>
__device__ static inline void field_cell(const phys_kernel_args &a, const phys_cell &cell, int v,
                                         field_cells<V> *cells, field_step<V> *step, float r[4])
{
    float half_v[3], half_s[3], g[4], own[4];

#pragma unroll
    for (int axis = 0; axis < 3; axis++) {
        half_v[axis] = cell.now[1 + axis] * a.per_two_h[axis];
        half_s[axis] = cell.now[0] * a.per_two_h[axis];
    }
    phys_residual(a, cell, r);
#pragma unroll
    for (int c = 0; c < 4; c++)
        g[c] = a.gradient_factor[c > 0] * r[c];
    phys_own_gradient<CENTRAL>(a, cell, g, own);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        const float z = phys_flux(g, c, 2, half_v[2], half_s[2]);

        step->x[c].at[v]     = phys_flux(g, c, 0, half_v[0], half_s[0]);
        step->y[c].at[v]     = phys_flux(g, c, 1, half_v[1], half_s[1]);
        step->done[c].at[v]  = cells->sum[c].at[v] - z;
        cells->sum[c].at[v]  = own[c] + cells->sent[c].at[v];
        cells->sent[c].at[v] = z;
    }
}

/* Computes the current plane from registers and the shared plane of fields. */
template <int V, int LANES, int ROWS, bool CENTRAL> __device__ static inline void
field_plane(const phys_kernel_args &a, const field_role &role, const phys_vector<V> *fields,
            bool is_counted, field_cells<V> *cells, field_step<V> *step, phys_squares *squares)
{
    using shape = field_shape<V, LANES, ROWS>;
    float          left[4], right[4];
    phys_vector<V> dy[4];

#pragma unroll
    for (int c = 0; c < 4; c++) {
        const phys_vector<V> *place = fields + c * shape::FIELD + role.field;
        const phys_vector<V>  low = place[-shape::WIDTH], high = place[shape::WIDTH];

        field_beside<V, LANES>(cells->now[c], place, role.is, &left[c], &right[c]);
#pragma unroll
        for (int v = 0; v < V; v++)
            dy[c].at[v] = high.at[v] - low.at[v];
    }
#pragma unroll
    for (int v = 0; v < V; v++) {
        phys_cell cell;
        float     r[4];

#pragma unroll
        for (int c = 0; c < 4; c++) {
            const phys_vector<V> &now = cells->now[c];

            cell.now[c]  = now.at[v];
            cell.step[c] = (CENTRAL ? cells->after[c].at[v] : now.at[v]) - cells->before[c].at[v];
            cell.dx[c]   = (v < V - 1 ? now.at[v < V - 1 ? v + 1 : v] : right[c]) -
                         (v > 0 ? now.at[v > 0 ? v - 1 : v] : left[c]);
            cell.dy[c] = dy[c].at[v];
            cell.dz[c] = cells->above[c].at[v] - cells->below[c].at[v];
        }
        field_cell<V, CENTRAL>(a, cell, v, cells, step, r);
        if (is_counted)
            phys_add_squares(squares, r);
#pragma unroll
        for (int c = 0; c < 4; c++)
            step->r[c].at[v] = r[c];
    }
}

/* Stores the fluxes that other threads need to shared memory. */
template <int V, int LANES, int ROWS> __device__ static inline void
field_send(const field_role &role, const field_step<V> &step, const field_shared<V> &shared)
{
    using shape = field_shape<V, LANES, ROWS>;

#pragma unroll
    for (int c = 0; c < 4; c++) {
        if (role.is & FIELD_RING)
            shared.flux[c * shape::FLUX + role.flux] = step.y[c];
        if (role.is & (FIELD_LEFT_OF | FIELD_RIGHT_OF))
            shared.sides[c * shape::SIDE + role.side] =
                role.is & FIELD_LEFT_OF ? step.x[c].at[V - 1] : step.x[c].at[0];
    }
}

/* Adds the fluxes of the cells along x that are in this row of lanes or beyond an end. */
template <int V, int LANES> __device__ static inline void
field_receive_x(unsigned is, const field_step<V> &step, phys_vector<V> sum[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++) {
        const phys_vector<V> &x     = step.x[c];
        float                 left  = __shfl_up_sync(0xffffffffu, x.at[V - 1], 1, LANES);
        float                 right = __shfl_down_sync(0xffffffffu, x.at[0], 1, LANES);

        if (is & FIELD_AT_LEFT)
            left = is & FIELD_END_LEFT ? -x.at[0] : 0;
        if (is & FIELD_AT_RIGHT)
            right = is & FIELD_END_RIGHT ? -x.at[V - 1] : 0;
#pragma unroll
        for (int v = 0; v < V; v++)
            sum[c].at[v] += (v > 0 ? x.at[v > 0 ? v - 1 : v] : left) -
                            (v < V - 1 ? x.at[v < V - 1 ? v + 1 : v] : right);
    }
}

template <int V> __device__ static inline void field_add(phys_vector<V> sum[4], float factor,
                                                         const phys_vector<V> value[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++)
#pragma unroll
        for (int v = 0; v < V; v++)
            sum[c].at[v] = fmaf(factor, value[c].at[v], sum[c].at[v]);
}

/* Call after the barrier. Adds the fluxes of the rows above and below, and of the cells beside the
 * tile. */
template <int V, int LANES, int ROWS> __device__ static inline void
field_receive(const field_role &role, const field_shared<V> &shared, phys_vector<V> sum[4])
{
    using shape         = field_shape<V, LANES, ROWS>;
    const bool  end_low = role.is & FIELD_END_LOW, end_high = role.is & FIELD_END_HIGH;
    const float of_low = end_low ? -1.0f : 1.0f, of_high = end_high ? 1.0f : -1.0f;
    const bool  is_left  = (role.is & (FIELD_AT_LEFT | FIELD_END_LEFT)) == FIELD_AT_LEFT;
    const bool  is_right = (role.is & (FIELD_AT_RIGHT | FIELD_END_RIGHT)) == FIELD_AT_RIGHT;

#pragma unroll
    for (int c = 0; c < 4; c++) {
        const phys_vector<V> *place = shared.flux + c * shape::FLUX + role.flux;
        const float          *side  = shared.sides + c * shape::SIDE + role.side;
        const phys_vector<V>  low = place[end_low ? 0 : -LANES], high = place[end_high ? 0 : LANES];

#pragma unroll
        for (int v = 0; v < V; v++)
            sum[c].at[v] = fmaf(of_high, high.at[v], fmaf(of_low, low.at[v], sum[c].at[v]));
        if (is_left)
            sum[c].at[0] += side[0];
        if (is_right)
            sum[c].at[V - 1] -= side[ROWS];
    }
}

/* Stores the fields of a plane to shared memory. */
template <int V, int LANES, int ROWS>
__device__ static inline void field_publish(const field_role &role, const field_staged &staged,
                                            const phys_vector<V>  fields[4],
                                            const phys_vector<V> &stage, phys_vector<V> *to)
{
    using shape = field_shape<V, LANES, ROWS>;

#pragma unroll
    for (int c = 0; c < 4; c++)
        if (role.is & FIELD_READ)
            to[c * shape::FIELD + role.field] = fields[c];
    if (staged.from != NULL)
        to[staged.to] = stage;
}

/* Loads the first three planes; the middle one goes to shared memory too. */
template <int V, int LANES, int ROWS, bool CENTRAL>
__device__ static inline void field_start(const phys_kernel_args &a, const field_role &role,
                                          const field_staged &staged, int source,
                                          phys_vector<V> *shared, field_cells<V> *cells)
{
    const int64_t plane = static_cast<int64_t>(a.nx) * a.ny;
    const int64_t below = phys_below(source, a.nz, a.periodic[2]) * plane;
    const int64_t above = phys_above(source, a.nz, a.periodic[2]) * plane;

    field_load<V>(a, below, role.column, cells->below);
    field_load<V>(a, source * plane, role.column, cells->now);
    field_load<V>(a, above, role.column, cells->above);
    field_load_once<V, CENTRAL>(a, source * plane, role.column, cells);
    if (staged.from != NULL)
        cells->staged = phys_load<V>(staged.from, source * plane);
    field_publish<V, LANES, ROWS>(role, staged, cells->now, cells->staged, shared);
    if (staged.from != NULL)
        cells->staged = phys_load<V>(staged.from, above);
}

/* One plane of a block. Loads of the next one are issued as soon as there is room for them. */
template <int V, int LANES, int ROWS, bool CENTRAL, bool PLANE>
__device__ static inline void field_advance(const phys_kernel_args &a, const field_role &role,
                                            const field_staged &staged, const phys_range &range,
                                            int z, int above, const field_shared<V> &shared,
                                            field_cells<V> *cells, phys_squares *squares)
{
    const int64_t  plane  = static_cast<int64_t>(a.nx) * a.ny;
    const int      beyond = phys_above(above, a.nz, a.periodic[2]);
    const bool     is_in = role.is & FIELD_IN, is_own = z >= range.begin && z < range.end;
    const bool     is_last = z == range.last;
    phys_vector<V> fetched[4];
    field_step<V>  step;

    field_publish<V, LANES, ROWS>(role, staged, cells->above, cells->staged, shared.above);
    /* After the last plane nothing needs them. */
    field_load<V>(a, (is_last ? above : beyond) * plane, role.column, fetched);
    if (staged.from != NULL)
        cells->staged = phys_load<V>(staged.from, (is_last ? above : beyond) * plane);
    field_plane<V, LANES, ROWS, CENTRAL>(a, role, shared.here, is_own && is_in, cells, &step,
                                         squares);
    if (!is_last)
        field_load_once<V, CENTRAL>(a, above * plane, role.column, cells);
    field_send<V, LANES, ROWS>(role, step, shared);
    if (is_in && z > range.begin)
        phys_store_gradient<V>(a.d, a.cells, (z - 1) * plane, role.column, step.done);
    if (PLANE && is_in && is_own)
        phys_write_plane<V>(a, z * plane, role.column, step.r);
    if (is_own && z == range.first) /* below is a zero_gradient end: minus its own flux */
        field_add<V>(cells->sum, -1, cells->sent);
    field_receive_x<V, LANES>(role.is, step, cells->sum);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        cells->below[c] = cells->now[c];
        cells->now[c]   = cells->above[c];
        cells->above[c] = fetched[c];
    }
    __syncthreads();
    if (is_in && is_own)
        field_receive<V, LANES, ROWS>(role, shared, cells->sum);
}

template <int V, int LANES, int ROWS, int BLOCKS_PER_SM, bool CENTRAL, bool PLANE>
static __global__ void __launch_bounds__((field_shape<V, LANES, ROWS>::THREADS), BLOCKS_PER_SM)
    field_kernel(phys_kernel_args a)
{
    using shape = field_shape<V, LANES, ROWS>;
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    phys_vector<V>    *memory  = reinterpret_cast<phys_vector<V> *>(dynamic_shared);
    const int          thread  = static_cast<int>(threadIdx.x);
    const phys_tile    tile    = phys_tile_of_block(a);
    const field_extent extent  = field_extent_of<V, LANES, ROWS>(a, tile);
    const field_role   role    = field_role_of<V, LANES, ROWS>(a, extent, thread);
    const field_staged staged  = field_staged_of<V, LANES, ROWS>(a, extent, thread);
    const phys_range   range   = phys_range_of(a, tile.z);
    phys_squares       squares = { 0, 0 };
    field_cells<V>     cells;
    int                source = phys_source(range.first, a.nz, a.periodic[2]);

    field_start<V, LANES, ROWS, CENTRAL>(
        a, role, staged, source, field_shared_of<V, LANES, ROWS>(memory, range.first).here, &cells);
#pragma unroll
    for (int c = 0; c < 4; c++)
        cells.sum[c] = cells.sent[c] = {};
    __syncthreads();
#pragma unroll 1
    for (int z = range.first; z <= range.last; z++) {
        source = phys_above(source, a.nz, a.periodic[2]);
        field_advance<V, LANES, ROWS, CENTRAL, PLANE>(a, role, staged, range, z, source,
                                                      field_shared_of<V, LANES, ROWS>(memory, z),
                                                      &cells, &squares);
    }
    if ((role.is & FIELD_IN) && range.last < range.end) { /* beyond the end: minus its own flux */
        field_add<V>(cells.sum, 1, cells.sent);
        phys_store_gradient<V>(a.d, a.cells, range.last * (static_cast<int64_t>(a.nx) * a.ny),
                               role.column, cells.sum);
    }
    if (a.loss[0] != NULL)
        phys_add_losses<shape::THREADS>(a, squares, threadIdx.x);
}

/* Beside its own planes a block handles three more, and each costs as much as its own. */
template <int V, int LANES, int ROWS, int BLOCKS_PER_SM, bool CENTRAL, bool PLANE>
static int field_launch(phys_kernel_args a, int64_t waves, assay_stream stream)
{
    using shape = field_shape<V, LANES, ROWS>;
    const unsigned blocks =
        phys_set_stream(&a, LANES * V, ROWS, waves * BLOCKS_PER_SM * PHYS_PROCESSORS, 3);
    const int error =
        assay_allow_shared(field_kernel<V, LANES, ROWS, BLOCKS_PER_SM, CENTRAL, PLANE>,
                           shape::BYTES + PHYS_LOSS_SHARED);

    if (blocks == 0 || error != PHYS_OK)
        return blocks == 0 ? PHYS_INVALID_GRID : error;
    field_kernel<V, LANES, ROWS, BLOCKS_PER_SM, CENTRAL, PLANE>
        <<<blocks, shape::THREADS, shape::BYTES, stream>>>(a);
    return assay_launch_status();
}

#endif
