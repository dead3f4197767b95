/* The device side of fused_resident: many steps in one cooperative kernel.
 *
 * A step has two phases. Every block takes part in each, and a grid barrier follows each. Phase 1:
 * agents, which stay on their multiprocessor, sense in the field and deposit in its copy. Phase 2:
 * the update reads that copy, and writes the field and the other copy.
 *
 * One barrier a phase is enough. The field is read only in phase 1 and written only in phase 2. So
 * between any reads of a cell and the write after them there is a barrier that all readers have
 * reached, and between the write and the reads after it a barrier that the writer has reached. A
 * copy is written in the phase 2 before and by deposits in phase 1, and read in the phase 2 that
 * follows. Meanwhile that phase writes the other copy, which nobody has touched since the phase 2
 * before, two barriers ago.
 *
 * On a small grid a step takes: twice the way to L2 and back for a barrier (after the deposits and
 * stores, which have to arrive first), twice that way for the loads after it, and instructions. So
 * everything that does not need the barrier stands between arriving and waiting: where an agent's
 * sensors are follows from the agent alone.
 *
 * One thread of a block arrives and waits for all, between barriers of the block. By the memory
 * model, these barriers and the release and acquire at device scope form one chain: what any thread
 * of the grid wrote before is seen by the plain loads of any thread after. (The loads must not be
 * __ldg: the fields change while the kernel runs.) The acquire empties the SM's L1 cache, which
 * then serves the neighbours in it: the agents of a block are contiguous in the order of tiles. */
#ifndef PHYSARUM_RESIDENT_CUH
#define PHYSARUM_RESIDENT_CUH

#include "resident_agents.cuh"
#include "sorted_step.cuh"
#include "update.cuh"

/* What a launch gets: some of the call's steps, perhaps with its last one. */
struct resident_run {
    physarum_grid   g;
    inner_cells     inner;
    const uint4    *record;   /* agents as they were sorted */
    physarum_sorted agents;   /* where the agents go for the next sort */
    const float    *field;    /* before the first of the steps */
    float          *copy[2];  /* where deposits go, by the parity of the steps left in the call */
    physarum_slot   state[2]; /* after the call, and before its last step */
    unsigned       *arrived;  /* blocks at the barriers of the call */
    unsigned        passed;   /* barriers of earlier launches */
    int             steps, left;    /* steps of this launch; steps of the call after its first */
    int             block_agents;   /* the most agents that a block has */
    int             items;          /* the most agents that a thread has */
    int             warp_rows;      /* rows that a warp updates at a time; 0: one thread a cell */
    int             parts_deep;     /* number of such parts of the field along y */
    int             next_x, next_y; /* from a warp's part to its next one, along the parts */
};

/* ---- the grid's barrier, in two halves */

/* The counter only grows: nobody has to reset it, and nobody can overtake. */
struct grid_barrier {
    unsigned *arrived;
    unsigned  target;
};

/* What this block's threads have written is visible to those who wait. */
__device__ inline void arrive(grid_barrier *b)
{
    __syncthreads();
    if (threadIdx.x == 0)
        assay_add_release(b->arrived, 1u);
    b->target += gridDim.x;
}

/* All blocks are resident, so all of them arrive. */
__device__ inline void await(const grid_barrier &b)
{
    if (threadIdx.x == 0)
        while (static_cast<int>(assay_load_acquire(b.arrived) - b.target) < 0)
            ;
    __syncthreads();
}

/* Agents of this block. */
__device__ inline resident_share share_of_block(const resident_run &r)
{
    const int first = min(static_cast<int>(blockIdx.x) * r.block_agents, r.g.agents);

    return resident_share { first, min(first + r.block_agents, r.g.agents) };
}

/* ---- phase 1: several items at a time, so that their loads are in flight together */

template <int GROUP> struct resident_views {
    sorted_view of[GROUP];
    bool        wraps[GROUP]; /* near the seam */
};

template <int GROUP, int ITEMS> __device__ inline void look(const resident_run           &r,
                                                            const resident_agents<ITEMS> &agents,
                                                            int first, resident_views<GROUP> *views)
{
#pragma unroll
    for (int q = 0; q < GROUP; q++) {
        const sorted_agent     a    = unpacked(item_place(agents, first + q));
        const physarum_heading rest = item_direction(agents, first + q);

        views->wraps[q] = !is_inside(r.inner, a);
        views->of[q] = views->wraps[q] ? view_of<true>(r.g, a, rest) : view_of<false>(r.g, a, rest);
    }
}

template <int GROUP> __device__ inline void
load_samples(const float *field, const resident_views<GROUP> &views, float (*sample)[3])
{
#pragma unroll
    for (int q = 0; q < GROUP; q++)
#pragma unroll
        for (int s = 0; s < 3; s++)
            sample[q][s] = field[views.of[q].cell[s]];
}

template <int GROUP, int ITEMS>
__device__ inline void move(const resident_run &r, bool is_last, const resident_views<GROUP> &views,
                            const float (*sample)[3], int first,
                            const resident_agents<ITEMS> &agents, sorted_agent *next)
{
#pragma unroll
    for (int q = 0; q < GROUP; q++) {
        next[q] = moved_agent<false>(r.g, unpacked(item_place(agents, first + q)),
                                     views.of[q].ahead, sample[q][0], sample[q][1], sample[q][2]);
        if (views.wraps[q]) {
            next[q].y = place_at<true>(next[q].y, r.g.extent_y);
            next[q].x = place_at<true>(next[q].x, r.g.extent_x);
            next[q].x = is_last ? next[q].x : kept_x(r.g, next[q].x);
        }
    }
}

/* The last step of a call stores the states before and after it. */
template <int GROUP, int ITEMS>
__device__ inline void store_last(const resident_run &r, const resident_share &share,
                                  const resident_agents<ITEMS> &agents, int first,
                                  const sorted_agent *next)
{
#pragma unroll
    for (int q = 0; q < GROUP; q++) {
        const int k = first + q, i = agent_at(share, k);

        if (is_there(agents, k)) {
            const float rest = item_rest(r.record, share, agents, k);

            write_state(r.state[1], i, unpacked(item_place(agents, k)), rest);
            write_state(r.state[0], i, next[q], rest);
        }
    }
}

/* `views` are those of the first items, which were computed while waiting for the barrier. */
template <int GROUP, int ITEMS>
__device__ inline void sense_and_deposit(const resident_run &r, const resident_share &share,
                                         bool is_last, const float *field, float *deposited,
                                         resident_views<GROUP>  *views,
                                         resident_agents<ITEMS> *agents)
{
    constexpr int UNROLL = resident_size<ITEMS>::UNROLL;
    const int     end    = resident_size<ITEMS>::IN_SHARED ? r.items : ITEMS;

#pragma unroll UNROLL
    for (int first = 0; first < end; first += GROUP) {
        const resident_views<GROUP> now = *views;
        sorted_agent                next[GROUP];
        float                       sample[GROUP][3];

        load_samples(field, now, sample);
        if (first + GROUP < end) /* while the samples are in flight */
            look(r, *agents, first + GROUP, views);
        move(r, is_last, now, sample, first, *agents, next);
        if (is_last)
            store_last<GROUP>(r, share, *agents, first, next);
#pragma unroll
        for (int q = 0; q < GROUP; q++) {
            const bool is_one = is_there(*agents, first + q);
            const int  cell   = static_cast<int>(cell_of(r.g, next[q].y, next[q].x));
            const int  n      = count_in_warp(is_one ? cell : -1);

            put_place(agents, first + q, packed(next[q]));
            if (n > 0)
                atomicAdd(deposited + cell, r.g.deposit * static_cast<float>(n));
        }
    }
}

/* ---- phase 2 */

/* The parts of the field that a warp updates, one after the other: ROWS rows, as wide as a warp.
 * The parts of a block's warps lie below one another, so that they share rows at their edges. The
 * divisions are done once for all steps. */
struct resident_part {
    int x, y;
};

__device__ inline resident_part first_part(const resident_run &r)
{
    const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);

    return resident_part { warp / r.parts_deep * UPDATE_COLUMNS,
                           warp % r.parts_deep * r.warp_rows };
}

template <int ROWS> __device__ inline void update_parts(const resident_run &r, resident_part p,
                                                        const float *deposited, float *field,
                                                        float *copy)
{
    const int lane = static_cast<int>(threadIdx.x % 32);

    while (p.x < r.g.width) {
        update_rows<1, true, ROWS>(r.g, deposited, field, copy, p.x + lane * 4, p.y);
        p.x += r.next_x;
        p.y += r.next_y;
        if (p.y >= r.parts_deep * ROWS) {
            p.y -= r.parts_deep * ROWS;
            p.x += UPDATE_COLUMNS;
        }
    }
}

__device__ inline void update_all_cells(const physarum_grid &g, const float *deposited,
                                        float *field, float *copy)
{
    const int cells = g.height * g.width, threads = static_cast<int>(gridDim.x * blockDim.x);

    for (int c = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); c < cells; c += threads)
        update_cell<true>(g, deposited, field, copy, c);
}

__device__ inline void update(const resident_run &r, const resident_part &first,
                              const float *deposited, float *field, float *copy)
{
    if (r.warp_rows == 1)
        update_parts<1>(r, first, deposited, field, copy);
    else if (r.warp_rows == 2)
        update_parts<2>(r, first, deposited, field, copy);
    else
        update_all_cells(r.g, deposited, field, copy);
}

#endif
