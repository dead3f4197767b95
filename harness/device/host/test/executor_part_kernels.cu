/* Kernels behind test_executor_parts.c: barriers of a part of a block, right and wrong. A marked
 * statement notes its line, which the report must name. */
#include "kernel.h"

#include "host/block_calls.h"

static int                                             lines[2];
extern "C" __attribute__((visibility("default"))) int *executor_part_line;
int                                                   *executor_part_line = lines;

/* Atomic: many threads note the same line. */
#define MARKED(k, statement)                                                                       \
    do {                                                                                           \
        __atomic_store_n(&executor_part_line[k], __LINE__, __ATOMIC_RELAXED);                      \
        statement;                                                                                 \
    } while (0)

#define PART(name, grid, block)                                                                    \
    ASSAY_LAUNCHER(executor_##name)                                                                \
    {                                                                                              \
        name##_kernel<<<grid, block, 0, stream>>>(static_cast<unsigned *>(args->buf[1]));          \
        return assay_launch_status();                                                              \
    }

static void bar_sync(unsigned id, unsigned n, ASSAY_HOST_SITE)
{
    (void)assay_host_named_barrier(ASSAY_NAMED_SYNC, id, n, true, false, file, line);
}
static void bar_arrive(unsigned id, unsigned n, ASSAY_HOST_SITE)
{
    (void)assay_host_named_barrier(ASSAY_NAMED_ARRIVE, id, n, true, false, file, line);
}

/* Two warps fill one of two slots; two others add it up and give it back. */
static __global__ void handover_kernel(unsigned *out)
{
    __shared__ unsigned slots[128];
    const unsigned      lane = threadIdx.x % 64;

    if (threadIdx.x < 64) {
        for (unsigned i = 0; i < 10; i++) {
            if (i >= 2)
                bar_sync(3 + i % 2, 128);
            slots[i % 2 * 64 + lane] = 1000 * i + lane;
            bar_arrive(1 + i % 2, 128);
        }
        return;
    }
    unsigned sum = 0;

    for (unsigned i = 0; i < 10; i++) {
        bar_sync(1 + i % 2, 128);
        sum += slots[i % 2 * 64 + 63 - lane];
        if (i < 8)
            bar_arrive(3 + i % 2, 128);
    }
    out[blockIdx.x * 64 + lane] = sum;
}
PART(handover, 3, 128)

/* Each pair of warps votes separately; the last thread of the block is missing. */
static __global__ void pair_votes_kernel(unsigned *out)
{
    const unsigned pair = threadIdx.x / 64;
    const auto     vote = [pair](assay_part_op op, bool is_for) {
        return static_cast<unsigned>(
            assay_host_named_barrier(op, 15 - pair, 64, true, is_for, __FILE__, __LINE__));
    };

    out[threadIdx.x] = vote(ASSAY_NAMED_COUNT, threadIdx.x % 3 == 0) * 4;
    out[threadIdx.x] += vote(ASSAY_NAMED_AND, threadIdx.x < 126) * 2;
    out[threadIdx.x] += vote(ASSAY_NAMED_OR, threadIdx.x == 70);
}
PART(pair_votes, 1, 127)

/* A barrier without a count is for all threads that are left: half of the last warp, and none of
 * the first. */
static __global__ void all_left_kernel(unsigned *out)
{
    __shared__ unsigned values[96];

    if (threadIdx.x < 32 || threadIdx.x >= 80)
        return;
    values[threadIdx.x] = threadIdx.x;
    bar_sync(0, 0);
    out[threadIdx.x] = values[32 + (threadIdx.x - 32 + 17) % 48];
}
PART(all_left, 1, 96)

/* Groups of 64. Each thread gets the value at the same distance from the group's end, and the
 * votes. */
static __global__ void group_kernel(unsigned *out)
{
    __shared__ unsigned values[192];
    const unsigned      first = threadIdx.x / 64 * 64, rank = threadIdx.x - first;
    const auto          meet = [first](assay_part_op op, unsigned value, unsigned source) {
        return static_cast<unsigned>(
            assay_host_group_exchange(op, first, 64, value, source, __FILE__, __LINE__));
    };

    values[threadIdx.x] = threadIdx.x;
    (void)meet(ASSAY_GROUP_SYNC, 0, 0);
    out[threadIdx.x] = values[first + (rank + 40) % 64];
    out[threadIdx.x] += 1000 * meet(ASSAY_GROUP_SHUFFLE, threadIdx.x, 63 - rank);
    out[threadIdx.x] += 1000000 * meet(ASSAY_GROUP_ANY, threadIdx.x == 100, 0);
    out[threadIdx.x] += 2000000 * meet(ASSAY_GROUP_ALL, threadIdx.x < 130, 0);
}
PART(group, 1, 192)

/* ---- mistakes */

static __global__ void odd_count_kernel(unsigned *) { MARKED(0, bar_sync(1, 48)); }
PART(odd_count, 1, 64)

static __global__ void no_such_barrier_kernel(unsigned *) { MARKED(0, bar_sync(16, 32)); }
PART(no_such_barrier, 1, 64)

static __global__ void large_count_kernel(unsigned *) { MARKED(0, bar_sync(1, 96)); }
PART(large_count, 1, 64)

static __global__ void no_count_kernel(unsigned *) { MARKED(0, bar_arrive(1, 0)); }
PART(no_count, 1, 64)

static __global__ void two_counts_kernel(unsigned *)
{
    if (threadIdx.x < 32)
        MARKED(0, bar_sync(2, 64));
    else
        MARKED(1, bar_sync(2, 96));
}
PART(two_counts, 1, 96)

static void bar_or(unsigned id, unsigned n, ASSAY_HOST_SITE)
{
    (void)assay_host_named_barrier(ASSAY_NAMED_OR, id, n, true, true, file, line);
}

static __global__ void sync_and_vote_kernel(unsigned *)
{
    if (threadIdx.x < 32)
        MARKED(0, bar_sync(2, 64));
    else
        MARKED(1, bar_or(2, 64));
}
PART(sync_and_vote, 1, 64)

static __global__ void split_warp_kernel(unsigned *)
{
    if (threadIdx.x < 16)
        MARKED(0, bar_sync(2, 32));
    else
        MARKED(1, bar_sync(2, 32));
}
PART(split_warp, 1, 32)

static __global__ void left_barrier_kernel(unsigned *)
{
    if (threadIdx.x < 64)
        MARKED(0, bar_sync(2, 96));
}
PART(left_barrier, 1, 128)

/* The two warps use two barriers in opposite orders. */
static __global__ void crossed_kernel(unsigned *)
{
    if (threadIdx.x < 32)
        MARKED(0, bar_sync(1, 64));
    else
        MARKED(1, bar_sync(2, 64));
}
PART(crossed, 1, 64)

static void group_sync(unsigned first, unsigned n, ASSAY_HOST_SITE)
{
    (void)assay_host_group_exchange(ASSAY_GROUP_SYNC, first, n, 0, 0, file, line);
}

static __global__ void left_group_kernel(unsigned *)
{
    if (threadIdx.x < 96)
        MARKED(0, group_sync(0, 128));
}
PART(left_group, 1, 128)

static __global__ void part_of_warp_kernel(unsigned *) { MARKED(0, group_sync(16, 32)); }
PART(part_of_warp, 1, 64)
