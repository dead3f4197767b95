/* Kernels behind test_executor_faults.c: each makes one mistake. A marked statement notes its line,
 * which the report must name. */
#undef NDEBUG
#include "kernel.h"
#include <assert.h>

namespace cg = cooperative_groups;

static const unsigned ALL = 0xffffffffu;

static int lines[2];
/* Where lines are noted. A test may put it in memory that outlives the process. */
extern "C" __attribute__((visibility("default"))) int *executor_marked_line;
int                                                   *executor_marked_line = lines;

/* Atomic: many threads note the same line. */
#define MARKED(k, statement)                                                                       \
    do {                                                                                           \
        __atomic_store_n(&executor_marked_line[k], __LINE__, __ATOMIC_RELAXED);                    \
        statement;                                                                                 \
    } while (0)

static unsigned *output(const assay_args *args) { return static_cast<unsigned *>(args->buf[1]); }

/* A launcher of one kernel on the output buffer. */
#define PLANT(name, grid, block)                                                                   \
    ASSAY_LAUNCHER(executor_##name)                                                                \
    {                                                                                              \
        name##_kernel<<<grid, block, 0, stream>>>(output(args));                                   \
        return assay_launch_status();                                                              \
    }
#define PLANT_CO_RESIDENT(name, grid, block)                                                       \
    ASSAY_LAUNCHER(executor_##name)                                                                \
    {                                                                                              \
        assay_launch_co_resident(name##_kernel, grid, block, 0, stream, output(args));             \
        return assay_launch_status();                                                              \
    }

static __global__ void two_barriers_kernel(unsigned *out)
{
    if (threadIdx.x < 40)
        MARKED(0, __syncthreads());
    else
        MARKED(1, __syncthreads());
    out[threadIdx.x] = threadIdx.x;
}
PLANT(two_barriers, 2, 64)

static __global__ void two_votes_kernel(unsigned *out)
{
    const int vote = threadIdx.x % 2 ? __syncthreads_or(1) : __syncthreads_and(1);

    out[threadIdx.x] = static_cast<unsigned>(vote);
}
PLANT(two_votes, 1, 64)

/* Half of each warp skips the barrier and waits for the other half elsewhere. */
static __global__ void skipped_barrier_kernel(unsigned *out)
{
    if (threadIdx.x % 32 < 16)
        MARKED(0, __syncthreads());
    else
        MARKED(1, __syncwarp());
    out[threadIdx.x] = threadIdx.x;
}
PLANT(skipped_barrier, 1, 64)

/* Lanes 0 and 1 wait for each other with different masks. */
static __global__ void mask_circle_kernel(unsigned *out)
{
    if (threadIdx.x == 0)
        MARKED(0, __syncwarp(0x3));
    else if (threadIdx.x == 1)
        MARKED(1, __syncwarp(0x6));
    else if (threadIdx.x == 2)
        __syncwarp(0x5);
    out[threadIdx.x] = threadIdx.x;
}
PLANT(mask_circle, 1, 32)

static __global__ void exited_source_kernel(unsigned *out)
{
    if (threadIdx.x >= 24)
        return;
    MARKED(0, out[threadIdx.x] = __shfl_down_sync(ALL, threadIdx.x, 8));
}
PLANT(exited_source, 1, 32)

static __global__ void source_outside_mask_kernel(unsigned *out)
{
    if (threadIdx.x < 16)
        MARKED(0, out[threadIdx.x] = __shfl_down_sync(0xffffu, threadIdx.x, 1));
}
PLANT(source_outside_mask, 1, 32)

static __global__ void no_such_lane_kernel(unsigned *out)
{
    MARKED(0, out[threadIdx.x] = __shfl_sync(ALL, threadIdx.x, 31));
}
PLANT(no_such_lane, 1, 20)

static __global__ void not_in_mask_kernel(unsigned *out)
{
    MARKED(0, out[threadIdx.x] = __ballot_sync(0xfffffffeu, 1));
}
PLANT(not_in_mask, 1, 32)

static __global__ void two_operations_kernel(unsigned *out)
{
    if (threadIdx.x % 2)
        MARKED(0, out[threadIdx.x] = __ballot_sync(ALL, 1));
    else
        MARKED(1, out[threadIdx.x] = __shfl_sync(ALL, threadIdx.x, 0));
}
PLANT(two_operations, 1, 32)

static __global__ void grid_sync_kernel(unsigned *out)
{
    MARKED(0, cg::this_grid().sync());
    out[threadIdx.x] = cg::this_grid().is_valid();
}
PLANT(grid_sync, 2, 32)

/* Block 1 ends without the grid barrier of the others. */
static __global__ void left_grid_kernel(unsigned *out)
{
    if (blockIdx.x != 1)
        MARKED(0, cg::this_grid().sync());
    out[threadIdx.x] = 0;
}
PLANT_CO_RESIDENT(left_grid, 5, 32)

/* Some threads wait for the grid, some for their block. */
static __global__ void grid_and_block_kernel(unsigned *out)
{
    if (threadIdx.x < 8)
        MARKED(0, __syncthreads());
    else
        MARKED(1, cg::this_grid().sync());
    out[threadIdx.x] = 0;
}
PLANT_CO_RESIDENT(grid_and_block, 3, 32)

static __global__ void trap_kernel(unsigned *out)
{
    if (out && threadIdx.x == 7)
        MARKED(0, __trap());
}
PLANT(trap, 1, 32)

static __global__ void assert_kernel(unsigned *out)
{
    if (threadIdx.x == 7)
        MARKED(0, assert(out == nullptr));
}
PLANT(assert, 1, 32)

/* No thread ever sets the flag. */
static __global__ void no_flag_kernel(unsigned *out)
{
    if (threadIdx.x == 3)
        while (assay_load_acquire(&out[0]) != 1)
            MARKED(0, __nanosleep(100));
}
PLANT_CO_RESIDENT(no_flag, 2, 32)

/* Each block waits for the next one, which is right in descending order only. */
static __global__ void next_block_kernel(unsigned *out)
{
    if (threadIdx.x == 0 && blockIdx.x + 1 < gridDim.x)
        while (assay_load_acquire(&out[blockIdx.x + 1]) != 1)
            MARKED(0, __nanosleep(100));
    __syncthreads();
    if (threadIdx.x == 0)
        assay_store_release(&out[blockIdx.x], 1u);
}
PLANT(next_block, 200, 32)

/* ---- mistakes of shared memory */

static __global__ void large_static_kernel(unsigned *out)
{
    __shared__ char first[40000];
    if (threadIdx.x < 32)
        MARKED(0, __shared__ char second[9153]; second[0] = first[0]);
    out[0] = 0;
}
PLANT(large_static, 1, 32)

/* Each thread reads what its lower neighbour wrote, without waiting: right in ascending order
 * only. */
static __global__ void missing_barrier_kernel(unsigned *out)
{
    __shared__ unsigned values[64];

    values[threadIdx.x] = threadIdx.x;
    MARKED(0, out[threadIdx.x] = values[threadIdx.x > 0 ? threadIdx.x - 1 : 0]);
}
PLANT(missing_barrier, 1, 64)

/* A warp waits only for its own lanes a few times, and overwrites what the other warp may not have
 * read yet. This shows only if one warp runs ahead. */
static __global__ void ran_ahead_kernel(unsigned *out)
{
    __shared__ unsigned value[1];
    unsigned            sum = threadIdx.x;

    if (threadIdx.x == 0)
        value[0] = 1;
    __syncthreads();
    const unsigned seen = value[0];

    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_xor_sync(ALL, sum, static_cast<int>(offset));
    if (threadIdx.x == 0)
        value[0] = 2;
    out[threadIdx.x] = seen + 0 * sum;
}
PLANT(ran_ahead, 1, 64)

static __global__ void uninitialised_kernel(float *out)
{
    __shared__ float  values[8];
    extern __shared__ __align__(16) float dynamic[];

    out[2 * threadIdx.x]     = values[threadIdx.x];
    out[2 * threadIdx.x + 1] = dynamic[threadIdx.x];
    values[threadIdx.x] = dynamic[threadIdx.x] = 1; /* the next block must not see it */
}
ASSAY_LAUNCHER(executor_uninitialised)
{
    uninitialised_kernel<<<1, 8, 8 * sizeof(float), stream>>>(
        reinterpret_cast<float *>(output(args)));
    return assay_launch_status();
}

/* ---- launches */

static __global__ void count_kernel(unsigned *out) { atomicAdd(out, 1u); }

/* param: grid x y z, block x y z, dynamic bytes, bytes to allow before (or 0), co-resident. */
ASSAY_LAUNCHER(executor_shape)
{
    const int64_t *p = args->param;
    const dim3     grid(static_cast<unsigned>(p[0]), static_cast<unsigned>(p[1]),
                        static_cast<unsigned>(p[2]));
    const dim3     block(static_cast<unsigned>(p[3]), static_cast<unsigned>(p[4]),
                         static_cast<unsigned>(p[5]));
    const int      allowed = p[7] ? assay_allow_shared(count_kernel, p[7]) : 0;
    const int      zeroed  = assay_memset_zero(args->buf[1], sizeof(unsigned), stream);

    if (allowed || zeroed)
        return allowed ? allowed : zeroed;
    if (p[8])
        assay_launch_co_resident(count_kernel, grid, block, static_cast<size_t>(p[6]), stream,
                                 output(args));
    else
        count_kernel<<<grid, block, static_cast<size_t>(p[6]), stream>>>(output(args));
    return assay_launch_status();
}

ASSAY_LAUNCHER(executor_forgotten_error)
{
    count_kernel<<<1, 2000, 0, stream>>>(output(args));
    return 0;
}

ASSAY_LAUNCHER(executor_other_stream)
{
    char *const other =
        reinterpret_cast<char *>(stream) + 1; /* the default one is the launcher's */

    count_kernel<<<1, 1, 0, reinterpret_cast<assay_stream>(other)>>>(output(args));
    return stream ? assay_launch_status() : 0;
}

ASSAY_LAUNCHER(executor_three_launches)
{
    for (unsigned i = 1; i <= 3; i++)
        count_kernel<<<i, 1, 0, stream>>>(output(args));
    return assay_launch_status();
}

ASSAY_LAUNCHER(executor_wait)
{
    count_kernel<<<1, 1, 0, stream>>>(output(args));
    const int error = assay_stream_wait(stream);

    return error ? error : assay_launch_status();
}

ASSAY_LAUNCHER(executor_own_error) { return args->buf[1] && stream ? 42 : 0; }

/* The order in which threads draw a number. param: number of blocks, threads in each. */
static __global__ void order_kernel(unsigned *out)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    out[1 + i] = atomicAdd(out, 1u);
}
ASSAY_LAUNCHER(executor_order)
{
    const int error = assay_memset_zero(args->buf[1], sizeof(unsigned), stream);

    order_kernel<<<static_cast<unsigned>(args->param[0]), static_cast<unsigned>(args->param[1]), 0,
                   stream>>>(output(args));
    return error ? error : assay_launch_status();
}
