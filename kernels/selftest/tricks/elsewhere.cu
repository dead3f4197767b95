/* Tricks of launchers: work that is done on another stream or later, where waiting for the launch's
 * stream does not see it; and an input that is kept in the L2. y[i] = 2 * x[i]. */
#include "kernel.h"

#include "tricks_case.h"

#include <chrono>
#include <thread>
#include <vector>

namespace
{
const unsigned BLOCK = 256;
/* Long after the launcher has returned and its output has been looked at. */
const unsigned long long        LATE_NS = 20000000;
const std::chrono::milliseconds LATER(100);

__global__ void tricks_twice_after_kernel(int64_t n, const float *x, float *y,
                                          unsigned long long wait_ns)
{
    const int64_t            i        = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const unsigned long long start_ns = assay_global_time_ns();

    while (assay_global_time_ns() - start_ns < wait_ns)
        __nanosleep(1000);
    if (i < n)
        y[i] = 2.0f * x[i];
}

int launch_after(const assay_args *args, unsigned long long wait_ns, assay_stream stream)
{
    tricks_twice_after_kernel<<<assay_blocks_for(args->count[Y], BLOCK), BLOCK, 0, stream>>>(
        args->count[Y], static_cast<const float *>(args->buf[X]),
        static_cast<float *>(args->buf[Y]), wait_ns);
    return assay_launch_status();
}
} // namespace

/* ---- another stream ---- */

ASSAY_EXPORT int selftest_tricks_begin_stream(const assay_args *, void **state)
{
    cudaStream_t stream = nullptr;
    const int error = static_cast<int>(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    *state = stream;
    return error;
}

/* Work that still runs there must not touch memory that now belongs to others. */
ASSAY_EXPORT void selftest_tricks_end_stream(void *state)
{
    const cudaStream_t stream = static_cast<cudaStream_t>(state);

    if (stream == nullptr)
        return;
    (void)cudaStreamSynchronize(stream);
    (void)cudaStreamDestroy(stream);
}

ASSAY_LAUNCHER(selftest_tricks_slow_on_another_stream)
{
    (void)stream;
    return launch_after(args, LATE_NS, static_cast<cudaStream_t>(args->state));
}

/* Mostly done when somebody looks, although nobody has waited for it. */
ASSAY_LAUNCHER(selftest_tricks_quick_on_another_stream)
{
    (void)stream;
    return launch_after(args, 0, static_cast<cudaStream_t>(args->state));
}

/* ---- later ---- */

typedef std::vector<std::thread> later_work;

ASSAY_EXPORT int selftest_tricks_begin_later(const assay_args *, void **state)
{
    *state = new later_work;
    return 0;
}

ASSAY_EXPORT void selftest_tricks_end_later(void *state)
{
    later_work *threads = static_cast<later_work *>(state);

    if (threads == nullptr)
        return;
    for (std::thread &t : *threads)
        t.join();
    delete threads;
}

static void do_later(const float *x, float *y, int64_t n)
{
    std::this_thread::sleep_for(LATER);
#ifdef ASSAY_HOST_KERNELS
    for (int64_t i = 0; i < n; i++)
        y[i] = 2.0f * x[i];
#else
    tricks_twice_after_kernel<<<assay_blocks_for(n, BLOCK), BLOCK, 0, cudaStreamPerThread>>>(n, x,
                                                                                             y, 0);
    (void)cudaStreamSynchronize(cudaStreamPerThread);
#endif
}

/* Returns at once; a thread of its own does the work when nobody waits any more. */
ASSAY_LAUNCHER(selftest_tricks_done_later)
{
    later_work *threads = static_cast<later_work *>(args->state);

    (void)stream;
    threads->emplace_back(do_later, static_cast<const float *>(args->buf[X]),
                          static_cast<float *>(args->buf[Y]), args->count[Y]);
    return 0;
}

/* ---- the L2 ---- */

/* Sets aside lines that no ordinary access evicts. */
ASSAY_EXPORT int selftest_tricks_set_lines_aside(const assay_args *args, void **state)
{
    *state = nullptr;
    return static_cast<int>(cudaDeviceSetLimit(
        cudaLimitPersistingL2CacheSize, sizeof(float) * static_cast<size_t>(args->count[X])));
}

/* The input stays there from call to call, through every flush of the cache. */
ASSAY_LAUNCHER(selftest_tricks_persisting_l2)
{
    cudaStreamAttrValue value = {};

    value.accessPolicyWindow.base_ptr  = args->buf[X];
    value.accessPolicyWindow.num_bytes = sizeof(float) * static_cast<size_t>(args->count[X]);
    value.accessPolicyWindow.hitRatio  = 1.0f;
    value.accessPolicyWindow.hitProp   = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp  = cudaAccessPropertyStreaming;
    const cudaError_t error =
        cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);

    return error != cudaSuccess ? static_cast<int>(error) : launch_after(args, 0, stream);
}
