/* Launchers whose answer is right, but which leave this process changed. */
#include "kernel.h"

#include <atomic>
#include <csignal>
#include <stdlib.h>
#include <thread>
#include <unistd.h>

enum {
    BLOCK    = 128,
    A_MINUTE = 60,
};

static __global__ void twice_kernel(int64_t n, const float *x, float *y)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = 2.0f * x[i];
}

static int launch_twice(const assay_args *args, assay_stream stream)
{
    const int64_t n = args->count[1];

    twice_kernel<<<assay_blocks_for(n, BLOCK), BLOCK, 0, stream>>>(
        n, static_cast<const float *>(args->buf[0]), static_cast<float *>(args->buf[1]));
    return assay_launch_status();
}

/* Starts a thread that uses a core, and forgets it. */
ASSAY_LAUNCHER(selftest_launch_left_thread)
{
    static std::atomic<unsigned> turns { 0 };
    static bool                  is_started = false;

    if (!is_started)
        std::thread([] {
            for (;;)
                turns.fetch_add(1, std::memory_order_relaxed);
        }).detach();
    is_started = true;
    return launch_twice(args, stream);
}

/* Lasts a minute, unless somebody looks. */
ASSAY_LAUNCHER(selftest_launch_left_process)
{
    static pid_t child = 0;

    if (child == 0)
        child = fork();
    if (child == 0) {
        (void)sleep(A_MINUTE);
        _exit(0);
    }
    return launch_twice(args, stream);
}

ASSAY_LAUNCHER(selftest_launch_left_handler)
{
    return signal(SIGUSR1, SIG_IGN) == SIG_ERR ? 1 : launch_twice(args, stream);
}

ASSAY_LAUNCHER(selftest_launch_left_folder)
{
    return chdir("/") != 0 ? 1 : launch_twice(args, stream);
}

ASSAY_LAUNCHER(selftest_launch_left_variable)
{
    return setenv("SELFTEST_LEFT", "1", 1) != 0 ? 1 : launch_twice(args, stream);
}
