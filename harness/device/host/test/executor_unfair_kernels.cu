/* Kernels behind test_executor_unfair.c: the order in which warps run, who waits for whom, and
 * mistakes that only an unfair schedule shows. */
#include "kernel.h"

namespace
{
const unsigned BLOCK = 64, WARP = 32, WARPS = BLOCK / WARP, ROUNDS = 20;

unsigned *output(const assay_args *args) { return static_cast<unsigned *>(args->buf[1]); }
} // namespace

/* Logs the order in which warps of the grid run: out[0] counts, out[1] is unused. */
static __global__ void log_kernel(unsigned *out)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (threadIdx.x % WARP == 0)
            out[2 + atomicAdd(&out[0], 1u)] = blockIdx.x * WARPS + threadIdx.x / WARP;
        __syncwarp();
    }
}

static int launch_log(const assay_args *args, assay_stream stream, unsigned n_blocks)
{
    const int error = assay_memset_zero(output(args), 2 * sizeof(unsigned), stream);

    if (error != 0)
        return error;
    log_kernel<<<n_blocks, BLOCK, 0, stream>>>(output(args));
    return assay_launch_status();
}
ASSAY_LAUNCHER(executor_log) { return launch_log(args, stream, 1); }
/* Enough threads for several OS threads. */
ASSAY_LAUNCHER(executor_log_many) { return launch_log(args, stream, 80); }

/* Each thread waits for the one before it; the first thread waits for the last one of the block
 * before. It waits by loads, by a lock, by an operation that always writes, or by sleeping. */
enum class way {
    LOOKS,
    LOCKS,
    WRITES,
    SLEEPS
};

template <way W> static __device__ bool is_mine(unsigned *turn, unsigned i)
{
    if (W == way::LOOKS)
        return assay_load_acquire(turn) == i;
    if (W == way::LOCKS)
        return atomicCAS(turn, i, i | 1u << 30) == i;
    if (W == way::WRITES)
        return (atomicAdd(turn, 1u << 16) & 0xffffu) == i;
    __nanosleep(1);
    return assay_load_acquire(turn) == i;
}

template <way W> static __global__ void chain_kernel(unsigned *out)
{
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x;

    while (!is_mine<W>(&out[0], i))
        ;
    __threadfence();
    out[1] += i;
    __threadfence();
    if (W == way::WRITES)
        atomicAdd(&out[0], 1u);
    else
        atomicExch(&out[0], i + 1);
}

template <way W> static int launch_chain(const assay_args *args, assay_stream stream)
{
    const int error = assay_memset_zero(output(args), 2 * sizeof(unsigned), stream);

    if (error != 0)
        return error;
    assay_launch_co_resident(chain_kernel<W>, 3, BLOCK, 0, stream, output(args));
    return assay_launch_status();
}
ASSAY_LAUNCHER(executor_chain_looks) { return launch_chain<way::LOOKS>(args, stream); }
ASSAY_LAUNCHER(executor_chain_locks) { return launch_chain<way::LOCKS>(args, stream); }
ASSAY_LAUNCHER(executor_chain_writes) { return launch_chain<way::WRITES>(args, stream); }
ASSAY_LAUNCHER(executor_chain_sleeps) { return launch_chain<way::SLEEPS>(args, stream); }

/* Blocks add to one sum by a read and a write; what another block adds in between is lost. */
static __global__ void lost_kernel(unsigned *out)
{
    atomicExch(&out[0], atomicAdd(&out[0], 0u) + 1);
}
ASSAY_LAUNCHER(executor_lost_update)
{
    const int error = assay_memset_zero(output(args), 2 * sizeof(unsigned), stream);

    if (error != 0)
        return error;
    lost_kernel<<<64, 1, 0, stream>>>(output(args));
    return assay_launch_status();
}

/* One warp polls for a change that no thread makes; the others work. */
static __global__ void in_vain_kernel(unsigned *out)
{
    for (unsigned round = 0; round < ROUNDS; round++)
        atomicAdd(&out[0], 1u);
    while (threadIdx.x < WARP && assay_load_acquire(&out[1]) != 1)
        ;
}
ASSAY_LAUNCHER(executor_in_vain)
{
    const int error = assay_memset_zero(output(args), 2 * sizeof(unsigned), stream);

    if (error != 0)
        return error;
    in_vain_kernel<<<5, BLOCK, 0, stream>>>(output(args));
    return assay_launch_status();
}
