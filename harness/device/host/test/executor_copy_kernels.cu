/* Kernels behind test_executor_copies.c: asynchronous copies and barriers in memory, right and
 * wrong. A marked statement notes its line, which the report must name. */
#include "kernel.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

static int                                             lines[2];
extern "C" __attribute__((visibility("default"))) int *executor_copy_line;
int                                                   *executor_copy_line = lines;

/* Atomic: many threads note the same line. */
#define MARKED(k, statement)                                                                       \
    do {                                                                                           \
        __atomic_store_n(&executor_copy_line[k], __LINE__, __ATOMIC_RELAXED);                      \
        statement;                                                                                 \
    } while (0)

/* A launcher of one kernel on a table of 4096 numbers and the output buffer. */
#define COPY(name, grid, block)                                                                    \
    ASSAY_LAUNCHER(executor_##name)                                                                \
    {                                                                                              \
        name##_kernel<<<grid, block, 0, stream>>>(static_cast<unsigned *>(args->buf[0]),           \
                                                  static_cast<unsigned *>(args->buf[1]));          \
        return assay_launch_status();                                                              \
    }

/* Copies run three stages ahead of the sum. Each thread copies 16 bytes in a stage and reads those
 * of a neighbour. */
static __global__ void stages_kernel(const unsigned *in, unsigned *out)
{
    __shared__ uint4 stages[4 * 64];
    const unsigned   i       = threadIdx.x;
    uint4            sum     = make_uint4(0, 0, 0, 0);
    const auto       set_out = [=](unsigned stage) {
        if (stage < 10)
            __pipeline_memcpy_async(&stages[stage % 4 * 64 + i], &in[(stage * 64 + i) * 4], 16);
        __pipeline_commit();
    };

    for (unsigned stage = 0; stage < 3; stage++)
        set_out(stage);
    for (unsigned stage = 0; stage < 10; stage++) {
        __pipeline_wait_prior(2);
        __syncthreads();
        const uint4 it = stages[stage % 4 * 64 + 63 - i];

        sum = make_uint4(sum.x + it.x, sum.y + it.y, sum.z + it.z, sum.w + it.w);
        set_out(stage + 3);
    }
    out[blockIdx.x * 64 + i] = sum.x + 10 * sum.y + 100 * sum.z + 1000 * sum.w;
}
COPY(stages, 2, 64)

/* The end of each copy is filled with zeros; copies of 4, 8 and 16 bytes. */
static __global__ void zeros_kernel(const unsigned *in, unsigned *out)
{
    __shared__ unsigned char bytes[32 * 28];
    unsigned char *mine = &bytes[threadIdx.x * 16], *small = &bytes[32 * 16 + threadIdx.x * 8];
    unsigned char *tiny    = &bytes[32 * 24 + threadIdx.x * 4];
    unsigned       sums[3] = { 0, 0, 0 };

    __pipeline_memcpy_async(mine, &in[threadIdx.x * 4], 16, threadIdx.x % 17);
    __pipeline_memcpy_async(small, &in[threadIdx.x * 2], 8, threadIdx.x % 9);
    __pipeline_memcpy_async(tiny, &in[threadIdx.x], 4, threadIdx.x % 5);
    assay_host_copy_wait_all(__FILE__, __LINE__);
    for (unsigned k = 0; k < 16; k++)
        sums[0] += mine[k] != 0;
    for (unsigned k = 0; k < 8; k++)
        sums[1] += small[k] != 0;
    for (unsigned k = 0; k < 4; k++)
        sums[2] += tiny[k] != 0;
    out[threadIdx.x] = sums[0] + 100 * sums[1] + 10000 * sums[2];
}
COPY(zeros, 1, 32)

/* A block copies 403 bytes; then each tile copies, and its newest copy may still be on its way. */
static __global__ void group_copy_kernel(const unsigned *in, unsigned *out)
{
    __shared__ unsigned    first[101];
    __shared__ unsigned    second[2 * 40];
    const cg::thread_block block = cg::this_thread_block();
    const auto             tile  = cg::tiled_partition<32>(block);
    unsigned              *mine  = &second[tile.meta_group_rank() * 40];

    cg::memcpy_async(block, reinterpret_cast<char *>(first), reinterpret_cast<const char *>(in),
                     403);
    cg::memcpy_async(tile, mine, in + 200, cuda::aligned_size_t<4>(80));
    cg::memcpy_async(tile, mine + 20, 20, in + 300, 30);
    cg::wait_prior<1>(block);
    out[threadIdx.x] = first[threadIdx.x] + mine[threadIdx.x % 20];
    cg::wait(tile);
    out[threadIdx.x] += mine[20 + threadIdx.x % 20] + (first[100] & 0xffffffu);
}
COPY(group_copy, 1, 64)

/* No thread waits: the copies arrive at the latest when their threads end. */
static __global__ void no_wait_kernel(const unsigned *in, unsigned *out)
{
    __shared__ unsigned values[64];

    __pipeline_memcpy_async(&values[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __syncthreads();
    out[threadIdx.x] = values[threadIdx.x];
}
COPY(no_wait, 1, 64)

/* The wait leaves out the newest group, which the thread then reads. */
static __global__ void wrong_group_kernel(const unsigned *in, unsigned *out)
{
    __shared__ unsigned values[128];

    for (unsigned k = 0; k < 2; k++) {
        __pipeline_memcpy_async(&values[64 * k + threadIdx.x], &in[64 * k + threadIdx.x], 4);
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    out[threadIdx.x] = values[64 + threadIdx.x];
}
COPY(wrong_group, 1, 64)

/* Each thread waits for its own copies; no barrier follows. */
static __global__ void no_barrier_kernel(const unsigned *in, unsigned *out)
{
    __shared__ unsigned values[64];

    __pipeline_memcpy_async(&values[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = values[63 - threadIdx.x];
}
COPY(no_barrier, 1, 64)

/* The source changes while the copy is on its way. */
static __global__ void changed_source_kernel(unsigned *in, unsigned *out)
{
    __shared__ unsigned values[64];
    const unsigned      before = in[threadIdx.x];

    __pipeline_memcpy_async(&values[threadIdx.x], &in[threadIdx.x], 4);
    in[threadIdx.x] = before + 1;
    assay_host_copy_wait_all(__FILE__, __LINE__);
    out[threadIdx.x] = values[threadIdx.x] - before;
    in[threadIdx.x]  = before;
}
COPY(changed_source, 1, 64)

/* ---- mistakes */

static __global__ void global_target_kernel(const unsigned *in, unsigned *out)
{
    MARKED(0, __pipeline_memcpy_async(&out[threadIdx.x], &in[threadIdx.x], 4));
}
COPY(global_target, 1, 32)

static __global__ void past_array_kernel(const unsigned *in, unsigned *)
{
    __shared__ uint4 values[8];
    uint4           *first = values; /* the compiler's own check of bounds covers only arrays */

    MARKED(0, __pipeline_memcpy_async(&first[threadIdx.x], &in[threadIdx.x * 4], 16));
}
COPY(past_array, 1, 32)

static __global__ void odd_size_kernel(const unsigned *in, unsigned *)
{
    __shared__ uint4 values[32];

    MARKED(0, __pipeline_memcpy_async(&values[threadIdx.x], &in[threadIdx.x * 4], 12));
}
COPY(odd_size, 1, 32)

static __global__ void odd_source_kernel(const unsigned *in, unsigned *)
{
    __shared__ uint4 values[32];

    MARKED(0, __pipeline_memcpy_async(&values[threadIdx.x], &in[threadIdx.x * 4 + 1], 16));
}
COPY(odd_source, 1, 32)

static __global__ void odd_target_kernel(const unsigned *in, unsigned *)
{
    __shared__ uint4 values[33];
    unsigned *const  words = &values[0].x;

    MARKED(0, __pipeline_memcpy_async(&words[threadIdx.x * 4 + 2], &in[threadIdx.x * 4], 16));
}
COPY(odd_target, 1, 32)

/* ---- barriers in memory */

/* Warp 0 copies for all. Each of its threads arrives when its copies have; the others wait for the
 * phase. */
static __global__ void arrive_kernel(const unsigned *in, unsigned *out)
{
    __shared__ unsigned     values[2 * 128];
    __shared__ __mbarrier_t barriers[1];
    unsigned                sum = 0;

    if (threadIdx.x == 0)
        __mbarrier_init(barriers, 128);
    __syncthreads();
    for (unsigned phase = 0; phase < 4; phase++) {
        if (threadIdx.x < 32)
            for (unsigned k = threadIdx.x; k < 128; k += 32)
                __pipeline_memcpy_async(&values[phase % 2 * 128 + k], &in[phase * 128 + k], 4);
        if (threadIdx.x < 32)
            __pipeline_arrive_on(barriers);
        const __mbarrier_token_t token = __mbarrier_arrive(barriers);

        while (!__mbarrier_try_wait(barriers, token, 1000))
            continue;
        sum += values[phase % 2 * 128 + 127 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
COPY(arrive, 1, 128)

/* One thread copies in bulk and tells the barrier how many bytes to expect; no other thread
 * arrives. */
static __global__ void bulk_kernel(const unsigned *in, unsigned *out)
{
    __shared__ uint4    values[64];
    __shared__ uint64_t barriers[1];
    unsigned            sum = 0;

    if (threadIdx.x == 0)
        assay_host_mbarrier_init(barriers, 1, __FILE__, __LINE__);
    __syncthreads();
    for (unsigned phase = 0; phase < 3; phase++) {
        if (threadIdx.x == 0) {
            (void)assay_host_mbarrier_arrive(barriers, 1, 1024, false, __FILE__, __LINE__);
            for (unsigned part = 0; part < 2; part++)
                assay_host_copy_bulk(&values[part * 32], &in[phase * 256 + part * 128], 512,
                                     barriers, __FILE__, __LINE__);
        }
        assay_host_mbarrier_wait(barriers, phase % 2, __FILE__, __LINE__);
        sum += values[63 - threadIdx.x].x;
        __syncthreads();
    }
    if (threadIdx.x == 0)
        __mbarrier_inval(barriers);
    out[threadIdx.x] = sum;
}
COPY(bulk, 1, 64)

/* Half of the threads leave after the first phase, and report that to the barrier. */
static __global__ void drop_kernel(const unsigned *in, unsigned *out)
{
    __shared__ unsigned     values[64];
    __shared__ __mbarrier_t barriers[1];
    const unsigned          i = threadIdx.x;

    if (i == 0)
        __mbarrier_init(barriers, 64);
    __syncthreads();
    values[i] = in[i];
    if (i >= 32) {
        (void)__mbarrier_arrive_and_drop(barriers);
        return;
    }
    const unsigned pending = __mbarrier_token_pending_count(__mbarrier_arrive(barriers));

    while (!__mbarrier_test_wait_parity(barriers, false))
        continue;
    out[i] = values[63 - i];
    values[i] += pending >= 1 && pending <= 64;
    (void)__mbarrier_arrive(barriers);
    assay_host_mbarrier_wait(barriers, true, __FILE__, __LINE__);
    out[i] += values[(i + 1) % 32];
}
COPY(drop, 1, 64)

static __global__ void no_init_kernel(const unsigned *, unsigned *)
{
    __shared__ __mbarrier_t barriers[1];

    MARKED(0, (void)__mbarrier_arrive(barriers));
}
COPY(no_init, 1, 32)

static __global__ void many_arrivals_kernel(const unsigned *, unsigned *)
{
    __shared__ __mbarrier_t barriers[1];

    if (threadIdx.x == 0)
        __mbarrier_init(barriers, 64);
    __syncthreads();
    MARKED(0, (void)assay_host_mbarrier_arrive(barriers, 3, 0, false, __FILE__, __LINE__));
}
COPY(many_arrivals, 1, 32)

static __global__ void few_arrivals_kernel(const unsigned *, unsigned *)
{
    __shared__ __mbarrier_t barriers[1];

    if (threadIdx.x == 0)
        __mbarrier_init(barriers, 64);
    __syncthreads();
    (void)__mbarrier_arrive(barriers);
    MARKED(0, assay_host_mbarrier_wait(barriers, false, __FILE__, __LINE__));
}
COPY(few_arrivals, 1, 48)
