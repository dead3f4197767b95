/* Physics loss, fused, gradient with respect to the fields: planes stream along z through
 * registers, V cells along x a thread.
 *
 * A block works out the residuals and fluxes of a plane of its tile and of a ring of one cell
 * around it. Only fluxes are handed on: along x and y through shared memory, along z through
 * registers from one plane to the next. Neighbours' fields along x and y come from shared memory,
 * each value at t1 from global memory once but for the halo. Two planes of fields and fluxes
 * alternate, so that one barrier a plane is enough.
 *
 * What bounds the kernel is the number of its instructions, so that nothing is asked in a plane
 * that can be known before: what is beyond a zero_gradient end lies in shared memory like
 * any neighbour, warps of the ring work out nothing but what they send, and four planes are
 * written out one after the other, so that no register moves to another one. */
#ifndef ASSAY_FUSED_STREAM_FIELD_CUH
#define ASSAY_FUSED_STREAM_FIELD_CUH

#include "fused_stream_copy.cuh"
#include "phys_stream.h"

/* What a step makes of a plane. */
template <class SHAPE> struct field_step {
    field_vector<SHAPE> x[4], y[4]; /* fluxes */
    field_vector<SHAPE> done[4];    /* gradient of the plane below */
    field_vector<SHAPE> r[4];
};

/* One cell: its residual and what follows from it without a neighbour. */
template <field_kind KIND, bool CENTRAL, class SHAPE>
__device__ static inline void field_cell(const phys_kernel_args &a, const phys_cell &cell, int v,
                                         bool is_counted, field_cells<SHAPE> *cells,
                                         field_step<SHAPE> *step, phys_squares *squares)
{
    float half_v[3], half_s[3], r[4], g[4], own[4];

#pragma unroll
    for (int axis = 0; axis < 3; axis++) {
        half_v[axis] = cell.now[1 + axis] * a.per_two_h[axis];
        half_s[axis] = cell.now[0] * a.per_two_h[axis];
    }
    phys_residual(a, cell, r);
    if (KIND == FIELD_OWN && is_counted)
        phys_add_squares(squares, r);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        g[c]             = a.gradient_factor[c > 0] * r[c];
        step->r[c].at[v] = r[c];
    }
    if (KIND == FIELD_OWN)
        phys_own_gradient<CENTRAL>(a, cell, g, own);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        if (KIND != FIELD_ROW)
            step->x[c].at[v] = phys_flux(g, c, 0, half_v[0], half_s[0]);
        if (KIND != FIELD_SIDE)
            step->y[c].at[v] = phys_flux(g, c, 1, half_v[1], half_s[1]);
        if (KIND == FIELD_OWN) {
            const float z = phys_flux(g, c, 2, half_v[2], half_s[2]);

            step->done[c].at[v]  = cells->sum[c].at[v] - z;
            cells->sum[c].at[v]  = own[c] + cells->sent[c].at[v];
            cells->sent[c].at[v] = z;
        }
    }
}

/* The plane at work, from registers and the shared plane of fields. */
template <field_kind KIND, int PHASE, bool CENTRAL, class SHAPE> __device__ static inline void
field_plane(const phys_kernel_args &a, const field_vector<SHAPE> *fields, bool is_counted,
            field_cells<SHAPE> *cells, field_step<SHAPE> *step, phys_squares *squares)
{
    const field_vector<SHAPE> *const below = cells->plane[PHASE % 3];
    const field_vector<SHAPE> *const now   = cells->plane[(PHASE + 1) % 3];
    const field_vector<SHAPE> *const above = cells->plane[(PHASE + 2) % 3];
    float                            left[4], right[4];
    field_vector<SHAPE>              dy[4];

#pragma unroll
    for (int c = 0; c < 4; c++) {
        const field_vector<SHAPE> *place = fields + c * SHAPE::FIELD;
        const field_vector<SHAPE>  low = place[-SHAPE::WIDTH], high = place[SHAPE::WIDTH];

        left[c]  = place[-1].at[SHAPE::V - 1];
        right[c] = place[1].at[0];
#pragma unroll
        for (int v = 0; v < SHAPE::V; v++)
            dy[c].at[v] = high.at[v] - low.at[v];
    }
#pragma unroll
    for (int v = 0; v < SHAPE::V; v++) {
        phys_cell cell;

#pragma unroll
        for (int c = 0; c < 4; c++) {
            cell.now[c]  = now[c].at[v];
            cell.step[c] = (CENTRAL ? cells->after[c].at[v] : cell.now[c]) - cells->before[c].at[v];
            cell.dx[c]   = (v < SHAPE::V - 1 ? now[c].at[v < SHAPE::V - 1 ? v + 1 : v] : right[c]) -
                         (v > 0 ? now[c].at[v > 0 ? v - 1 : v] : left[c]);
            cell.dy[c] = dy[c].at[v];
            cell.dz[c] = above[c].at[v] - below[c].at[v];
        }
        field_cell<KIND, CENTRAL>(a, cell, v, is_counted, cells, step, squares);
    }
}

/* Fluxes for others. */
template <field_kind KIND, class SHAPE> __device__ static inline void
field_send(const field_role &role, const field_step<SHAPE> &step, const field_shared<SHAPE> &shared)
{

    if (!(role.is & (KIND == FIELD_OWN ? FIELD_READ : FIELD_SENDS)))
        return;
#pragma unroll
    for (int c = 0; c < 4; c++) {
        if (KIND != FIELD_SIDE)
            shared.flux_y[c * SHAPE::FLUX_Y + role.flux_y] = step.y[c];
        if (KIND != FIELD_ROW) {
            shared.to_right[c * SHAPE::FLUX_X + role.flux_x] = step.x[c].at[SHAPE::V - 1];
            shared.to_left[c * SHAPE::FLUX_X + role.flux_x]  = step.x[c].at[0];
        }
    }
}

/* Beyond a zero_gradient end the flux is minus that of the end cell. The thread reads what it has
 * just sent: few blocks come here, and in the others no register waits. */
template <class SHAPE> __device__ static inline void
field_send_ends(const field_role &role, const field_shared<SHAPE> &shared)
{
#pragma unroll 1
    for (int c = 0; c < 4; c++) {
        field_vector<SHAPE> *y = shared.flux_y + c * SHAPE::FLUX_Y + role.flux_y;
        const int            x = c * SHAPE::FLUX_X + role.flux_x;
        field_vector<SHAPE>  minus;

#pragma unroll
        for (int v = 0; v < SHAPE::V; v++)
            minus.at[v] = -y->at[v];
        if (role.is & FIELD_END_LOW)
            y[-SHAPE::LANES] = minus;
        if (role.is & FIELD_END_HIGH)
            y[SHAPE::LANES] = minus;
        if (role.is & FIELD_END_LEFT)
            shared.to_right[x - 1] = -shared.to_left[x];
        if (role.is & FIELD_END_RIGHT)
            shared.to_left[x + 1] = -shared.to_right[x];
    }
}

/* What a thread's cells send each other along x. */
template <class SHAPE> __device__ static inline void field_add_inner(const field_step<SHAPE> &step,
                                                                     field_vector<SHAPE> sum[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++)
#pragma unroll
        for (int v = 0; v < SHAPE::V - 1; v++) {
            sum[c].at[v + 1] += step.x[c].at[v];
            sum[c].at[v] -= step.x[c].at[v + 1];
        }
}

/* Behind the barrier: what the neighbours along y and x send. */
template <class SHAPE> __device__ static inline void
field_receive(const field_role &role, const field_shared<SHAPE> &shared, field_vector<SHAPE> sum[4])
{

#pragma unroll
    for (int c = 0; c < 4; c++) {
        const field_vector<SHAPE> *y   = shared.flux_y + c * SHAPE::FLUX_Y + role.flux_y;
        const int                  x   = c * SHAPE::FLUX_X + role.flux_x;
        const field_vector<SHAPE>  low = y[-SHAPE::LANES], high = y[SHAPE::LANES];

#pragma unroll
        for (int v = 0; v < SHAPE::V; v++)
            sum[c].at[v] += low.at[v] - high.at[v];
        sum[c].at[0] += shared.to_right[x - 1];
        sum[c].at[SHAPE::V - 1] -= shared.to_left[x + 1];
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

/* A thread's own vectors of a plane in shared memory. */
template <class SHAPE> __device__ static inline void
field_take(const field_role &role, const field_vector<SHAPE> *fields, field_vector<SHAPE> to[4])
{
#pragma unroll
    for (int c = 0; c < 4; c++)
        to[c] = fields[c * SHAPE::FIELD + role.field];
}

/* Two planes to begin with, in registers; the second one in shared memory too, and the third one on
 * its way there. */
template <field_kind KIND, bool CENTRAL, class SHAPE> __device__ static inline void
field_start(const phys_kernel_args &a, const field_block<SHAPE> &b, field_cells<SHAPE> *cells)
{
    const int source = phys_source(b.range.first, a.nz, a.periodic[2]);
    const int above  = phys_above(source, a.nz, a.periodic[2]);

    const int64_t plane = static_cast<int64_t>(a.nx) * a.ny;

    field_fetch<KIND>(a, b, source * plane, field_memory<SHAPE>(b, 0));
    field_fetch<KIND>(a, b, above * plane, field_memory<SHAPE>(b, 1));
    field_load<SHAPE::V>(a, phys_below(source, a.nz, a.periodic[2]) * plane, b.role.column,
                         cells->plane[0]);
    field_load<SHAPE::V>(a, source * plane, b.role.column, cells->plane[1]);
    field_load_once<CENTRAL>(a, source * plane, b.role.column, cells);
#pragma unroll
    for (int c = 0; c < 4; c++)
        if (KIND == FIELD_OWN)
            cells->sum[c] = cells->sent[c] = {};
    field_wait<1>();
}

/* All threads of a block wait for each other. Warps of each kind do so at a place of their own,
 * which
 * __syncthreads() does not allow, and a barrier by its number does. */
template <class SHAPE> __device__ static inline void field_meet()
{
    asm volatile("bar.sync %0, %1;" ::"n"(1), "n"(SHAPE::THREADS) : "memory");
}

/* What only threads with cells of the tile do with a plane that they have worked out. */
template <bool PLANE, class SHAPE>
__device__ static inline void field_finish(const phys_kernel_args &a, const field_block<SHAPE> &b,
                                           int z, const field_step<SHAPE> &step,
                                           field_cells<SHAPE> *cells)
{
    const bool is_there = b.role.is & FIELD_READ;
    const bool is_own   = z >= b.range.begin && z < b.range.end;

    if (is_there && z > b.range.begin)
        phys_store_gradient<SHAPE::V>(a.d, a.cells, field_offset(a, z - 1), b.role.column,
                                      step.done);
    if (PLANE && is_there && is_own)
        phys_write_plane<SHAPE::V>(a, field_offset(a, z), b.role.column, step.r);
    if (is_own && z == b.range.first) /* below is a zero_gradient end: minus its own flux */
        field_add<SHAPE::V>(cells->sum, -1, cells->sent);
    field_add_inner(step, cells->sum);
}

/* One plane up to the barrier. Reads of the next one are issued as soon as there is a place for
 * them. */
template <field_kind KIND, int PHASE, bool CENTRAL, bool PLANE, class SHAPE>
__device__ static inline void field_advance(const phys_kernel_args &a, const field_block<SHAPE> &b,
                                            int z, field_cells<SHAPE> *cells, phys_squares *squares)
{
    const field_shared<SHAPE> here(field_memory(b, PHASE)), above(field_memory(b, PHASE + 1));
    const bool                is_last = z == b.range.last;
    const bool is_counted = (b.role.is & FIELD_READ) && z >= b.range.begin && z < b.range.end;
    field_step<SHAPE> step;

    /* Behind the last one nobody will ask for it; a group without copies keeps the count. */
    if (is_last)
        field_commit();
    else
        field_fetch<KIND>(a, b, field_offset(a, z + 2), field_memory(b, PHASE + 2));
    field_wait<1>();
    field_take<SHAPE>(b.role, above.field, cells->plane[(PHASE + 2) % 3]);
    field_plane<KIND, PHASE, CENTRAL>(a, here.field + b.role.field, is_counted, cells, &step,
                                      squares);
    if (!is_last)
        field_load_once<CENTRAL>(a, field_offset(a, z + 1), b.role.column, cells);
    field_send<KIND>(b.role, step, here);
    if (KIND == FIELD_OWN) {
        if (b.role.is & FIELD_END)
            field_send_ends(b.role, here);
        field_finish<PLANE>(a, b, z, step, cells);
    }
}

/* One plane of a block. */
template <field_kind KIND, int PHASE, bool CENTRAL, bool PLANE, class SHAPE>
__device__ static inline void field_pass(const phys_kernel_args &a, const field_block<SHAPE> &b,
                                         int z, field_cells<SHAPE> *cells, phys_squares *squares)
{
    field_advance<KIND, PHASE, CENTRAL, PLANE>(a, b, z, cells, squares);
    field_meet<SHAPE>();
    if (KIND == FIELD_OWN && z >= b.range.begin && z < b.range.end)
        field_receive(b.role, field_shared<SHAPE>(field_memory(b, PHASE)), cells->sum);
}

/* All planes of a block, for warps of one kind, three at a time. */
template <field_kind KIND, bool CENTRAL, bool PLANE, class SHAPE>
__device__ static inline phys_squares field_march(const phys_kernel_args   &a,
                                                  const field_block<SHAPE> &b)
{
    const int          last    = b.range.last;
    phys_squares       squares = { 0, 0 };
    field_cells<SHAPE> cells;

    field_start<KIND, CENTRAL>(a, b, &cells);
    field_meet<SHAPE>();
#pragma unroll 1
    for (int z = b.range.first; z <= last; z++) {
        field_pass<KIND, 0, CENTRAL, PLANE>(a, b, z, &cells, &squares);
        if (++z > last)
            break;
        field_pass<KIND, 1, CENTRAL, PLANE>(a, b, z, &cells, &squares);
        if (++z > last)
            break;
        field_pass<KIND, 2, CENTRAL, PLANE>(a, b, z, &cells, &squares);
    }
    /* Beyond the end: minus its own. */
    if (KIND == FIELD_OWN && (b.role.is & FIELD_READ) && last < b.range.end) {
        field_add<SHAPE::V>(cells.sum, 1, cells.sent);
        phys_store_gradient<SHAPE::V>(a.d, a.cells, field_offset(a, last), b.role.column,
                                      cells.sum);
    }
    return squares;
}

template <int V, int LANES, int ROWS, int BLOCKS_PER_SM, bool CENTRAL, bool PLANE>
static __global__ void __launch_bounds__((field_shape<V, LANES, ROWS>::THREADS), BLOCKS_PER_SM)
    field_kernel(phys_kernel_args a)
{
    using shape = field_shape<V, LANES, ROWS>;
    extern __shared__ __align__(16) unsigned char dynamic_shared[];
    const int                                     thread = static_cast<int>(threadIdx.x);
    const phys_tile                               tile   = phys_tile_of_block(a);
    const field_extent                            extent = field_extent_of<V, LANES, ROWS>(a, tile);
    phys_squares                                  squares;
    field_block<shape>                            b;

    b.memory = reinterpret_cast<float *>(dynamic_shared);
    b.kind   = field_kind_of<LANES, ROWS>(thread);
    b.role   = field_role_of<V, LANES, ROWS>(a, extent, thread);
    b.range  = phys_range_of(a, tile.z);
    b.staged = reinterpret_cast<field_staged *>(b.memory + shape::PLANES * shape::PLANE) + thread -
               shape::OWN;
#pragma unroll
    for (int i = 0; i < FIELD_STAGES; i++)
        if (b.kind != FIELD_OWN)
            b.staged[i * shape::OTHERS] =
                field_staged_of<V, LANES, ROWS>(a, extent, thread - shape::OWN + i * shape::OTHERS);
    if (b.kind == FIELD_OWN)
        squares = field_march<FIELD_OWN, CENTRAL, PLANE>(a, b);
    else if (b.kind == FIELD_ROW)
        squares = field_march<FIELD_ROW, CENTRAL, PLANE>(a, b);
    else
        squares = field_march<FIELD_SIDE, CENTRAL, PLANE>(a, b);
    if (a.loss[0] != NULL)
        phys_add_losses<shape::THREADS>(a, squares, threadIdx.x);
}

/* Three planes more than its own cost a block as much as one of its own. */
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
