/* Agents of fused_resident on their multiprocessor: a block keeps its own in registers or shared
 * memory. */
#ifndef PHYSARUM_RESIDENT_AGENTS_CUH
#define PHYSARUM_RESIDENT_AGENTS_CUH

#include "order.cuh"
#include "sorted_agent.cuh"

/* ---- where they are */

/* A block's agents are contiguous, and so are a warp's at each item. */
struct resident_share {
    int first, end;
};

__device__ inline int agent_at(const resident_share &share, int k)
{
    return share.first + k * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
}

/* Sizes of a kernel with ITEMS agents a thread. */
template <int ITEMS> struct resident_size {
    /* Places that are too many for registers are in shared memory, where loops need not be
     * unrolled. */
    static constexpr bool     IN_SHARED = ITEMS > 4;
    static constexpr unsigned THREADS   = ITEMS == 4 ? 512 : 1024; /* of a block, at most */
    static constexpr int      GROUP     = ITEMS <= 4 ? ITEMS : 2;  /* loads in flight together */
    static constexpr int      UNROLL    = IN_SHARED ? 1 : ITEMS / GROUP;
    static constexpr size_t   BYTES = ITEMS * (sizeof(float2) + (IN_SHARED ? sizeof(float) : 0));
    /* Whether a block sorts its agents now and then: meanwhile all agents of a thread are in its
     * registers. */
    static constexpr bool IS_ORDERED = IN_SHARED && ITEMS <= 8;
};

/* In shared memory, BYTES a thread, item after item: places and rests. Where places are in
 * registers instead: the directions of the rests, which no step changes. */
template <int ITEMS> struct resident_agents {
    uint2    own[resident_size<ITEMS>::IN_SHARED ? 1 : ITEMS]; /* packed */
    uint2   *place;                                            /* or in shared memory */
    float   *rest;
    float2  *direction; /* sine, cosine */
    unsigned there;     /* bit k: item k is an agent */
};

template <int ITEMS> __device__ inline resident_agents<ITEMS> agents_in(unsigned char *shared)
{
    resident_agents<ITEMS> a;

    a.place = reinterpret_cast<uint2 *>(shared) + threadIdx.x;
    a.rest  = reinterpret_cast<float *>(a.place - threadIdx.x + ITEMS * blockDim.x) + threadIdx.x;
    a.direction = reinterpret_cast<float2 *>(shared) + threadIdx.x;
    a.there     = 0;
    return a;
}

template <int ITEMS> __device__ inline uint2 item_place(const resident_agents<ITEMS> &a, int k)
{
    if constexpr (resident_size<ITEMS>::IN_SHARED)
        return a.place[static_cast<unsigned>(k) * blockDim.x];
    else
        return a.own[k];
}

template <int ITEMS> __device__ inline void put_place(resident_agents<ITEMS> *a, int k, uint2 place)
{
    if constexpr (resident_size<ITEMS>::IN_SHARED)
        a->place[static_cast<unsigned>(k) * blockDim.x] = place;
    else
        a->own[k] = place;
}

template <int ITEMS> __device__ inline void put_rest(resident_agents<ITEMS> *a, int k, float rest)
{
    const unsigned         at = static_cast<unsigned>(k) * blockDim.x;
    const physarum_heading d  = direction_of_rest(rest);

    if constexpr (resident_size<ITEMS>::IN_SHARED)
        a->rest[at] = rest;
    else
        a->direction[at] = make_float2(d.sine, d.cosine);
}

template <int ITEMS>
__device__ inline physarum_heading item_direction(const resident_agents<ITEMS> &a, int k)
{
    const unsigned at = static_cast<unsigned>(k) * blockDim.x;

    if constexpr (resident_size<ITEMS>::IN_SHARED)
        return direction_of_rest(a.rest[at]);
    else
        return physarum_heading { a.direction[at].x, a.direction[at].y };
}

/* Agents in registers are still in the order of their records. */
template <int ITEMS> __device__ inline float
item_rest(const uint4 *record, const resident_share &share, const resident_agents<ITEMS> &a, int k)
{
    if constexpr (resident_size<ITEMS>::IN_SHARED)
        return a.rest[static_cast<unsigned>(k) * blockDim.x];
    else
        return rest_of(record[agent_at(share, k)]);
}

template <int ITEMS> __device__ inline bool is_there(const resident_agents<ITEMS> &a, int k)
{
    return (a.there >> k & 1u) != 0;
}

/* A missing agent senses too, from the first cell: that is cheaper than a test. */
template <int ITEMS> __device__ inline void
load_agents(const uint4 *record, const resident_share &share, resident_agents<ITEMS> *a)
{
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const int  i      = agent_at(share, k);
        const bool is_one = i < share.end;

        a->there |= is_one ? 1u << k : 0u;
        put_place(a, k, is_one ? place_of(record[i]) : packed(sorted_agent { 0.0f, 0.0f, 0u }));
        put_rest(a, k, is_one ? rest_of(record[i]) : 0.0f);
    }
}

template <int ITEMS>
__device__ inline void store_agents(const uint4 *record, const physarum_sorted &to,
                                    const resident_share &share, const resident_agents<ITEMS> &a)
{
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (is_there(a, k)) {
            to.place[agent_at(share, k)] = item_place(a, k);
            to.rest[agent_at(share, k)]  = item_rest(record, share, a, k);
        }
}

/* ---- in the order of tiles again */

/* By tiles of 2 x 2 cells, within a window of 64 x 64 cells. Agents a whole window apart share a
 * bin. */
enum {
    ORDER_EVERY = 16, /* steps */
    ORDER_BINS  = 1024,
    ORDER_MASK  = 31
};

struct order_counts {
    unsigned bin[ORDER_BINS], warp[32];
};

__device__ inline unsigned order_bin(uint2 place)
{
    const sorted_agent a = unpacked(place);

    return z_order(static_cast<unsigned>(a.y) / 2 & ORDER_MASK,
                   static_cast<unsigned>(a.x) / 2 & ORDER_MASK);
}

/* Replaces each count by the sum of the counts before it. */
__device__ inline void sum_bins(order_counts *count)
{
    const unsigned each = (ORDER_BINS + blockDim.x - 1) / blockDim.x, first = threadIdx.x * each;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned       sum = 0, before;

    for (unsigned b = first; b < first + each && b < ORDER_BINS; b++)
        sum += count->bin[b];
    before = lanes_before(sum, lane);
    if (lane == 31)
        count->warp[warp] = before + sum;
    __syncthreads();
    for (unsigned w = 0; w < warp; w++)
        before += count->warp[w];
    for (unsigned b = first; b < first + each && b < ORDER_BINS; b++) {
        const unsigned here = count->bin[b];

        count->bin[b] = before;
        before += here;
    }
    __syncthreads();
}

/* A counting sort. Steps move agents out of the order of the last sort, but a warp should sense and
 * deposit in one neighbourhood. */
template <int ITEMS> __device__ inline void order_block(const resident_agents<ITEMS> &a)
{
    __shared__ order_counts count[1];
    uint2                   place[ITEMS];
    float                   rest[ITEMS];
    unsigned                at[ITEMS]; /* bin, and place in the bin */

    for (unsigned b = threadIdx.x; b < ORDER_BINS; b += blockDim.x)
        count->bin[b] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        unsigned bin;

        place[k] = item_place(a, k);
        bin      = order_bin(place[k]);
        rest[k]  = a.rest[static_cast<unsigned>(k) * blockDim.x];
        at[k]    = is_there(a, k) ? bin << 16 | atomicAdd(count->bin + bin, 1u) : 0u;
    }
    __syncthreads();
    sum_bins(count);
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        const unsigned slot = count->bin[at[k] >> 16] + (at[k] & 0xffffu) - threadIdx.x;

        if (is_there(a, k)) {
            a.place[static_cast<int>(slot)] = place[k];
            a.rest[static_cast<int>(slot)]  = rest[k];
        }
    }
    __syncthreads();
}

#endif
