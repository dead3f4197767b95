/* Kernels behind test_executor.c: atomics, and blocks that work together. */
#include "kernel.h"

namespace cg = cooperative_groups;

template <typename T> static T *output(const assay_args *args)
{
    return static_cast<T *>(args->buf[1]);
}

struct counters {
    int                add, sub, low, high;
    unsigned           bits_or, bits_and, bits_xor, wrapped_up, wrapped_down, by_cas;
    unsigned long long wide, wide_high;
    float              sum;
    double             wide_sum;
    long long          wide_low;
    unsigned           last;
};

static __global__ void atomics_kernel(counters *c)
{
    const unsigned i   = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned       old = assay_load_relaxed(&c->by_cas), seen;

    atomicAdd(&c->add, 1);
    atomicSub(&c->sub, 2);
    atomicMin(&c->low, -static_cast<int>(i));
    atomicMax(&c->high, static_cast<int>(i));
    atomicOr(&c->bits_or, 1u << i % 32);
    atomicAnd(&c->bits_and, ~(1u << i % 31));
    atomicXor(&c->bits_xor, i);
    atomicInc(&c->wrapped_up, 6);
    atomicDec(&c->wrapped_down, 6);
    atomicAdd(&c->wide, 1ull << 33);
    atomicMax(&c->wide_high, static_cast<unsigned long long>(i) << 32);
    atomicAdd(&c->sum, 0.5f);
    atomicAdd(&c->wide_sum, 0.25);
    atomicMin(&c->wide_low, -(static_cast<long long>(i) << 32));
    atomicExch(&c->last, i);
    for (;;) {
        seen = atomicCAS(&c->by_cas, old, old + 3);
        if (seen == old)
            break;
        old = seen;
    }
}

static __global__ void atomics_start_kernel(counters *c)
{
    *c          = counters {};
    c->bits_and = ~0u;
}

ASSAY_LAUNCHER(executor_atomics)
{
    atomics_start_kernel<<<1, 1, 0, stream>>>(output<counters>(args));
    atomics_kernel<<<40, 256, 0, stream>>>(output<counters>(args));
    return assay_launch_status();
}

/* In each round every thread reads its neighbour's value from the round before. */
static __global__ void grid_kernel(int rounds, int *a, int *b)
{
    const cg::grid_group grid = cg::this_grid();
    const unsigned       n    = static_cast<unsigned>(grid.size());
    const unsigned       i    = static_cast<unsigned>(grid.thread_rank());

    a[i] = static_cast<int>(i);
    grid.sync();
    for (int round = 0; round < rounds; round++) {
        b[i] = a[(i + 1) % n] + 1;
        grid.sync();
        int *const swap = a;
        a               = b;
        b               = swap;
    }
    if (i == 0 && !grid.is_valid())
        a[0] = -1;
}

ASSAY_LAUNCHER(executor_grid)
{
    int *out = output<int>(args);

    assay_launch_co_resident(grid_kernel, 7, 48, 0, stream, 10, out, out + 7 * 48);
    return assay_launch_status();
}

/* A ring buffer: block 0 produces, the others consume, and each slot has a turn that hands it
 * over. */
struct ring {
    unsigned head, tail, turn[16], value[16];
    unsigned count, sum;
};

static __device__ void put(ring *r, unsigned value)
{
    const unsigned ticket = assay_fetch_add_relaxed(&r->head, 1u);
    unsigned      *turn   = &r->turn[ticket % 16];

    while (assay_load_acquire(turn) != ticket / 16 * 2)
        __nanosleep(100);
    r->value[ticket % 16] = value;
    assay_store_release(turn, ticket / 16 * 2 + 1);
}

static __device__ unsigned take(ring *r)
{
    const unsigned ticket = assay_fetch_add_relaxed(&r->tail, 1u);
    unsigned      *turn   = &r->turn[ticket % 16];

    while (assay_load_acquire(turn) != ticket / 16 * 2 + 1)
        __nanosleep(100);
    const unsigned value = r->value[ticket % 16];

    assay_store_release(turn, ticket / 16 * 2 + 2);
    return value;
}

static __global__ void queue_kernel(unsigned n_each, ring *r)
{
    const unsigned n_consumers = (gridDim.x - 1) * blockDim.x;

    if (blockIdx.x == 0) {
        for (unsigned i = 0; i < n_each * n_consumers / blockDim.x; i++)
            put(r, threadIdx.x + i * blockDim.x);
        return;
    }
    for (unsigned i = 0; i < n_each; i++) {
        atomicAdd(&r->sum, take(r));
        atomicAdd(&r->count, 1u);
    }
}

ASSAY_LAUNCHER(executor_queue)
{
    const int error = assay_memset_zero(args->buf[1], sizeof(ring), stream);

    assay_launch_co_resident(queue_kernel, 4, 32, 0, stream, 20u, output<ring>(args));
    return error ? error : assay_launch_status();
}

/* A lock by exchange and one by compare-and-exchange; the data that they guard is plain memory. */
static __global__ void lock_kernel(unsigned *lock, unsigned *guarded)
{
    while (assay_exchange_acq_rel(&lock[0], 1u) != 0)
        __nanosleep(20);
    guarded[0] += 1;
    assay_store_release(&lock[0], 0u);

    unsigned expected = 0;

    while (!assay_compare_exchange_acq_rel(&lock[1], &expected, 1u))
        expected = 0;
    guarded[1] += 2;
    assay_store_release(&lock[1], 0u);
    assay_fetch_add_acq_rel(&guarded[2], 1u);
}

ASSAY_LAUNCHER(executor_lock)
{
    unsigned *out   = output<unsigned>(args);
    const int error = assay_memset_zero(out, 8 * sizeof(unsigned), stream);

    lock_kernel<<<6, 50, 0, stream>>>(out, out + 2);
    return error ? error : assay_launch_status();
}

/* A sum in one launch: the last block to finish adds up the partial sums of all. */
static __global__ void last_block_kernel(const unsigned *in, unsigned *partial, unsigned *out)
{
    __shared__ unsigned sums[4];
    __shared__ unsigned is_last[1];
    unsigned            sum = in[blockIdx.x * blockDim.x + threadIdx.x];

    for (unsigned delta = 16; delta > 0; delta /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, static_cast<int>(delta));
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
        __threadfence();
        is_last[0] = atomicAdd(&out[1], 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last[0] && threadIdx.x == 0) {
        out[0] = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            out[0] += partial[i];
    }
}

ASSAY_LAUNCHER(executor_last_block)
{
    unsigned *out   = output<unsigned>(args);
    const int error = assay_memset_zero(out, 2 * sizeof(unsigned), stream);

    last_block_kernel<<<50, 128, 0, stream>>>(static_cast<const unsigned *>(args->buf[0]), out + 2,
                                              out);
    return error ? error : assay_launch_status();
}

/* A flag with a fence on each side: relaxed atomics then order the plain data. */
static __global__ void fence_kernel(unsigned *data, unsigned *flag, unsigned *out)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 40 + threadIdx.x;
        __threadfence();
        assay_store_relaxed(&flag[threadIdx.x], 1u);
        return;
    }
    while (assay_load_relaxed(&flag[threadIdx.x]) == 0)
        __nanosleep(50);
    __threadfence();
    out[threadIdx.x] = data[threadIdx.x];
}

ASSAY_LAUNCHER(executor_fence)
{
    unsigned *out   = output<unsigned>(args);
    const int error = assay_memset_zero(out, 96 * sizeof(unsigned), stream);

    assay_launch_co_resident(fence_kernel, 2, 32, 0, stream, out + 32, out + 64, out);
    return error ? error : assay_launch_status();
}

/* A barrier of the grid made by a counter; the data that threads wrote before they arrived is plain
 * memory. */
static __global__ void arrival_kernel(unsigned *arrived, unsigned *data, unsigned *out)
{
    const unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;

    data[i] = 3 * i;
    __syncthreads();
    if (threadIdx.x == 0) {
        assay_add_release(arrived, 1u);
        while (assay_load_acquire(arrived) < gridDim.x)
            ;
    }
    __syncthreads();
    out[i] = data[(i + blockDim.x) % n];
}

ASSAY_LAUNCHER(executor_arrival)
{
    unsigned *out   = output<unsigned>(args);
    const int error = assay_memset_zero(out, sizeof *out, stream);

    assay_launch_co_resident(arrival_kernel, 7, 48, 0, stream, out, out + 1, out + 1 + 7 * 48);
    return error ? error : assay_launch_status();
}

/* Clocks advance and are yield points: thread 0 waits for a time, and thread 1 ends the wait. */
static __global__ void clock_kernel(unsigned *out)
{
    const unsigned long long begin  = assay_global_time_ns();
    const long long          ticks  = clock64();
    const clock_t            coarse = clock();

    if (threadIdx.x == 0)
        while (assay_load_relaxed(&out[2]) == 0 || assay_global_time_ns() < begin + 1000)
            ;
    else
        atomicExch(&out[2], 1u);
    out[threadIdx.x] = assay_global_time_ns() > begin && clock64() > ticks && clock() >= coarse;
}

ASSAY_LAUNCHER(executor_clock)
{
    const int error = assay_memset_zero(args->buf[1], 3 * sizeof(unsigned), stream);

    clock_kernel<<<1, 2, 0, stream>>>(output<unsigned>(args));
    return error ? error : assay_launch_status();
}
