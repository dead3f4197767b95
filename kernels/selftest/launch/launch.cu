/* Wrong on purpose, each variant in one way: launches that fail, wait, do nothing or never end. */
#include "kernel.h"

#include <cfenv>

namespace
{
const unsigned BLOCK            = 256;
const unsigned TOO_MANY_THREADS = 2048;
/* Kernels without an end do end, long after the time limit: a card must not stay busy for a process
 * that is gone. */
const unsigned long long ENDLESS_NS = 60000000000u;

__device__ int64_t thread_number(void)
{
    return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ bool is_past_end(unsigned long long start_ns)
{
    return assay_global_time_ns() - start_ns > ENDLESS_NS;
}

__global__ void double_kernel(int64_t n, const float *x, float *y)
{
    const int64_t i = thread_number();

    if (i < n)
        y[i] = 2.0f * x[i];
}

const unsigned DONE = 0x600DF00Du;

__global__ void double_once_kernel(int64_t n, const float *x, float *y, const unsigned *done)
{
    const int64_t i = thread_number();

    if (i < n && *done != DONE)
        y[i] = 2.0f * x[i];
}

__global__ void mark_done_kernel(unsigned *done) { *done = DONE; }
} // namespace

static int launch_doubling(const assay_args *args, assay_stream stream, unsigned block)
{
    double_kernel<<<assay_blocks_for(args->count[1], BLOCK), block, 0, stream>>>(
        args->count[1], static_cast<const float *>(args->buf[0]),
        static_cast<float *>(args->buf[1]));
    return assay_launch_status();
}

ASSAY_LAUNCHER(selftest_launch_right) { return launch_doubling(args, stream, BLOCK); }

/* ---- the launcher */

/* Changes the mode for arithmetic of its own, and does not restore it. */
ASSAY_LAUNCHER(selftest_launch_changes_float_mode)
{
    (void)std::fesetround(FE_DOWNWARD);
    return launch_doubling(args, stream, BLOCK);
}

/* Only the host device lets a kernel do this. */
static __global__ void selftest_launch_kernel_changes_float_mode_kernel(int64_t n, const float *x,
                                                                        float *y)
{
    const int64_t i = thread_number();

#ifdef ASSAY_HOST_KERNELS
    (void)std::fesetround(FE_DOWNWARD);
#endif
    if (i < n)
        y[i] = 2.0f * x[i];
}
ASSAY_LAUNCHER(selftest_launch_kernel_changes_float_mode)
{
    selftest_launch_kernel_changes_float_mode_kernel<<<assay_blocks_for(args->count[1], BLOCK),
                                                       BLOCK, 0, stream>>>(
        args->count[1], static_cast<const float *>(args->buf[0]),
        static_cast<float *>(args->buf[1]));
    return assay_launch_status();
}

ASSAY_LAUNCHER(selftest_launch_too_many_threads)
{
    return launch_doubling(args, stream, TOO_MANY_THREADS);
}

/* The same, but nobody looks at the error. */
ASSAY_LAUNCHER(selftest_launch_ignored_error)
{
    double_kernel<<<assay_blocks_for(args->count[1], BLOCK), TOO_MANY_THREADS, 0, stream>>>(
        args->count[1], static_cast<const float *>(args->buf[0]),
        static_cast<float *>(args->buf[1]));
    return 0;
}

ASSAY_LAUNCHER(selftest_launch_hidden_wait)
{
    const int error = launch_doubling(args, stream, BLOCK);

    return error ? error : assay_stream_wait(stream);
}

/* Allocates its scratch in each call; an allocation waits for the device. */
ASSAY_LAUNCHER(selftest_launch_allocates)
{
    void             *scratch = NULL;
    const cudaError_t error   = cudaMalloc(&scratch, 256);

    if (error != cudaSuccess)
        return static_cast<int>(error);
    const int launched = launch_doubling(args, stream, BLOCK);

    return launched ? launched : static_cast<int>(cudaFree(scratch));
}

/* ---- more shared memory than a block gets by default */

const unsigned MUCH_SHARED = 64 * 1024; /* bytes; a block gets 48 KiB */

static __global__ void double_through_shared_kernel(int64_t n, const float *x, float *y)
{
    extern __shared__ __align__(16) float held[];
    const int64_t                         i = thread_number();
    const unsigned slot = MUCH_SHARED / sizeof(float) - blockDim.x + threadIdx.x;

    if (i < n) {
        held[slot] = x[i];
        y[i]       = 2.0f * held[slot];
    }
}

static int launch_through_shared(const assay_args *args, assay_stream stream)
{
    double_through_shared_kernel<<<assay_blocks_for(args->count[1], BLOCK), BLOCK, MUCH_SHARED,
                                   stream>>>(args->count[1],
                                             static_cast<const float *>(args->buf[0]),
                                             static_cast<float *>(args->buf[1]));
    return assay_launch_status();
}

ASSAY_LAUNCHER(selftest_launch_raises_limit)
{
    const int error = assay_allow_shared(double_through_shared_kernel, MUCH_SHARED);

    return error ? error : launch_through_shared(args, stream);
}

/* Works only if another launcher has raised the limit of its kernel before. */
ASSAY_LAUNCHER(selftest_launch_forgets_limit) { return launch_through_shared(args, stream); }

/* Raises the limit in its first call and relies on that: right as long as nobody restores the
 * limit. */
ASSAY_LAUNCHER(selftest_launch_raises_limit_once)
{
    static const int error = assay_allow_shared(double_through_shared_kernel, MUCH_SHARED);

    return error ? error : launch_through_shared(args, stream);
}

/* ---- outputs kept from an earlier call */

/* A note in the work buffer says that the work is done, which is true only of the first call. */
ASSAY_LAUNCHER(selftest_launch_works_once)
{
    unsigned *done = static_cast<unsigned *>(args->buf[2]);

    double_once_kernel<<<assay_blocks_for(args->count[1], BLOCK), BLOCK, 0, stream>>>(
        args->count[1], static_cast<const float *>(args->buf[0]),
        static_cast<float *>(args->buf[1]), static_cast<const unsigned *>(done));
    mark_done_kernel<<<1, 1, 0, stream>>>(done);
    return assay_launch_status();
}

ASSAY_EXPORT int selftest_launch_count_calls(const assay_args *, void **state)
{
    *state = new int(0);
    return 0;
}

ASSAY_EXPORT void selftest_launch_end_count(void *state) { delete static_cast<int *>(state); }

/* The first calls do the work; the later ones rely on the output still being there. */
static int launch_first_calls(const assay_args *args, assay_stream stream, int n_calls)
{
    int *calls = static_cast<int *>(args->state);

    return (*calls)++ < n_calls ? launch_doubling(args, stream, BLOCK) : 0;
}

ASSAY_LAUNCHER(selftest_launch_stale_after_first) { return launch_first_calls(args, stream, 1); }
ASSAY_LAUNCHER(selftest_launch_stale_after_third) { return launch_first_calls(args, stream, 3); }

/* ---- no end */

/* One thread keeps changing memory. */
static __global__ void endless_loop_kernel(int64_t n, const float *x, float *y, unsigned *signal)
{
    const int64_t i = thread_number();

    if (i < n)
        y[i] = 2.0f * x[i];
    if (i == 0) {
        const unsigned long long start_ns = assay_global_time_ns();

        while (!is_past_end(start_ns))
            assay_fetch_add_relaxed(signal, 1u);
    }
}

ASSAY_LAUNCHER(selftest_launch_endless_loop)
{
    endless_loop_kernel<<<assay_blocks_for(args->count[1], BLOCK), BLOCK, 0, stream>>>(
        args->count[1], static_cast<const float *>(args->buf[0]),
        static_cast<float *>(args->buf[1]), static_cast<unsigned *>(args->buf[2]));
    return assay_launch_status();
}

/* Every block waits for a signal that no block gives. */
static __global__ void lost_signal_kernel(int64_t n, const float *x, float *y,
                                          const unsigned *signal)
{
    const int64_t            i        = thread_number();
    const unsigned long long start_ns = assay_global_time_ns();

    if (threadIdx.x == 0)
        while (assay_load_acquire(signal) == 0 && !is_past_end(start_ns))
            __nanosleep(1000);
    __syncthreads();
    if (i < n)
        y[i] = 2.0f * x[i];
}

ASSAY_LAUNCHER(selftest_launch_lost_signal)
{
    unsigned *signal = static_cast<unsigned *>(args->buf[2]);
    const int error  = assay_memset_zero(signal, sizeof *signal, stream);

    lost_signal_kernel<<<assay_blocks_for(args->count[1], BLOCK), BLOCK, 0, stream>>>(
        args->count[1], static_cast<const float *>(args->buf[0]),
        static_cast<float *>(args->buf[1]), signal);
    return error ? error : assay_launch_status();
}
