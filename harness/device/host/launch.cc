/* A launch from request to end: checks with CUDA's error numbers, counts, the pending fault. */
#include "executor.h"
#include "host/runtime/device.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

namespace
{
/* Smaller launches are not worth waking other OS threads for. */
const uint64_t SMALL_LAUNCH_THREADS = 4096;

struct executor {
    std::mutex     mutex; /* one launch at a time */
    assay_schedule schedule { ASSAY_ASCENDING, 0 };
    const void    *expected_stream = nullptr;
    int            error           = ASSAY_LAUNCH_OK;
    char           error_text[256] = "";
    int            n_launches      = 0;
    bool           has_waited      = false;
    int            forgotten       = ASSAY_LAUNCH_OK; /* an error that the launcher asked for */
    char           wait_text[256]  = "";              /* the first call that waits */
    assay_fault    fault {}, mode_fault {};
    char           note[sizeof assay_fault::text] = ""; /* about a launch without a fault */
    std::map<const void *, size_t> allowed_shared;
    int64_t                        n_settings = 0;
};
/* Never destroyed, since launches may come until the process ends. Not on the heap: the first
 * caller, who wants to launch or to clean up, could not be told that memory is short. */
executor &the_executor(void)
{
    alignas(executor) static char place[sizeof(executor)];
    static executor              *one = new (place) executor();

    return *one;
}
} // namespace

static int refuse(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int refuse(int error, const char *format, ...)
{
    executor &e = the_executor();
    va_list   list;

    va_start(list, format);
    (void)vsnprintf(e.error_text, sizeof e.error_text, format, list);
    va_end(list);
    e.error = error;
    return error;
}

static int check_shape(const assay_launch_request *request)
{
    const dim3     g = request->grid, b = request->block;
    const uint64_t n_threads = uint64_t { b.x } * b.y * b.z;

    if (g.x == 0 || g.y == 0 || g.z == 0 || n_threads == 0)
        return refuse(ASSAY_LAUNCH_CONFIGURATION,
                      "a dimension is 0: grid (%u,%u,%u), block (%u,%u,%u)", g.x, g.y, g.z, b.x,
                      b.y, b.z);
    if (b.x > ASSAY_MAX_BLOCK_THREADS || b.y > ASSAY_MAX_BLOCK_THREADS || b.z > 64 ||
        n_threads > ASSAY_MAX_BLOCK_THREADS)
        return refuse(ASSAY_LAUNCH_CONFIGURATION,
                      "block (%u,%u,%u): at most 1024 threads, and at most 64 in z", b.x, b.y, b.z);
    if (request->max_threads > 0 && n_threads > request->max_threads)
        return refuse(ASSAY_LAUNCH_CONFIGURATION,
                      "block (%u,%u,%u): the kernel's __launch_bounds__ say at most %u threads",
                      b.x, b.y, b.z, request->max_threads);
    if (g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535)
        return refuse(ASSAY_LAUNCH_CONFIGURATION,
                      "grid (%u,%u,%u): at most 2147483647 blocks in x, 65535 in y and z", g.x, g.y,
                      g.z);
    return ASSAY_LAUNCH_OK;
}

/* The default stream of a launcher is that of its thread, which is the stream that it was given. */
static bool is_expected(const void *stream)
{
    const void *const per_thread = reinterpret_cast<const void *>(2); /* cudaStreamPerThread */

    return stream == the_executor().expected_stream || stream == nullptr || stream == per_thread;
}

static int check_resources(const assay_launch_request *request, size_t shared_limit)
{
    const executor &e = the_executor();
    const dim3      g = request->grid, b = request->block;
    const double    resident = double { 1 } * g.x * g.y * g.z * b.x * b.y * b.z;

    if (e.expected_stream && !is_expected(request->stream))
        return refuse(ASSAY_LAUNCH_STREAM,
                      "the launch is not on the stream that the launcher was given");
    if (request->dynamic_bytes > shared_limit)
        return refuse(ASSAY_LAUNCH_VALUE,
                      "%zu bytes of dynamic shared memory: this kernel may have %zu (see "
                      "cudaFuncSetAttribute)",
                      request->dynamic_bytes, shared_limit);
    if (request->is_co_resident && resident > double { ASSAY_MAX_RESIDENT_THREADS })
        return refuse(ASSAY_LAUNCH_COOPERATIVE_MAX,
                      "%.0f threads cannot be resident at once: the host device has room for %u",
                      resident, ASSAY_MAX_RESIDENT_THREADS);
    return ASSAY_LAUNCH_OK;
}

static unsigned workers_for(const assay_launch *launch)
{
    const uint64_t n_threads = launch->n_blocks * launch->n_threads;
    const unsigned pool      = assay_pool_size();
    /* One OS thread makes the launch repeatable. Under ThreadSanitizer it has too few contexts for
     * all blocks of a co-resident launch. */
    const bool is_alone = launch->schedule.order == ASSAY_UNFAIR &&
                          !(ASSAY_HAS_TSAN && launch->request->is_co_resident);

    if (launch->n_blocks == 1 || is_alone ||
        (n_threads < SMALL_LAUNCH_THREADS && !ASSAY_HAS_TSAN && !launch->request->is_co_resident))
        return 1;
    return launch->n_blocks < pool ? static_cast<unsigned>(launch->n_blocks) : pool;
}

/* A barrier that did not wait for threads that had exited is legal, but often a mistake. It is
 * printed on request only, since many kernels do it on purpose. */
static void print_note(const assay_launch *launch)
{
    if (launch->n_early_exits > 0 && getenv("ASSAY_HOST_NOTES"))
        (void)fprintf(
            stderr,
            "note: kernel %s: %llu block barriers opened without threads that had exited, "
            "the last at %s\n",
            launch->request->kernel, static_cast<unsigned long long>(launch->n_early_exits),
            assay_site_text(launch->early_exit).text);
}

/* Keeps the note on a barrier that replaced a fence, from the first OS thread that saw one. */
static void keep_note(const assay_launch *launch)
{
    executor &e = the_executor();

    for (unsigned i = 0; i < launch->n_workers && !e.note[0]; i++) {
        const assay_order_note &note = launch->workers[i].orders.note;

        if (note.barrier_file)
            (void)snprintf(
                e.note, sizeof e.note,
                "last block behind a barrier: kernel %s reads what others had written before the "
                "atomic at %s behind the barrier at %s, without a fence between the two: right on "
                "every GPU so far, a race by the memory model (--strict-memory-model)",
                launch->request->kernel,
                assay_site_text({ note.update_file, note.update_line }).text,
                assay_site_text({ note.barrier_file, note.barrier_line }).text);
    }
}

static void run(const assay_launch_request *request, bool is_shared_raised)
{
    executor    &e = the_executor();
    assay_launch launch {};
    const dim3   g = request->grid, b = request->block;

    launch.request          = request;
    launch.schedule         = e.schedule;
    launch.n_blocks         = uint64_t { g.x } * g.y * g.z;
    launch.n_threads        = b.x * b.y * b.z;
    launch.is_shared_raised = is_shared_raised;
    assay_tsan_release(&launch.begin_object);
    assay_pool_run(&launch, workers_for(&launch));
    assay_tsan_acquire(&launch.end_object);
    print_note(&launch);
    keep_note(&launch);
    if (launch.has_fault)
        e.fault = launch.fault;
    if (launch.float_mode[0]) {
        e.mode_fault.kind = ASSAY_FAULT_FLOAT_MODE;
        (void)snprintf(e.mode_fault.text, sizeof e.mode_fault.text,
                       "kernel %s leaves the floating-point mode changed (%s), which no kernel "
                       "can on a GPU",
                       request->kernel, launch.float_mode);
    }
}

void assay_host_launch(const assay_launch_request *request)
{
    executor                         &e = the_executor();
    const std::lock_guard<std::mutex> lock(e.mutex);
    const auto                        allowed = e.allowed_shared.find(request->function);
    /* A limit that was set for a kernel by name is for dynamic memory beside its static memory,
     * even below 48 KiB. */
    const size_t raised = request->allows_shared              ? size_t { ASSAY_DYNAMIC_SHARED_MAX }
                          : allowed != e.allowed_shared.end() ? allowed->second
                                                              : 0;
    /* A limit below the default changes nothing for smaller launches. */
    const size_t limit = std::max(raised, size_t { ASSAY_STATIC_SHARED_MAX });

    e.n_launches++;
    if (check_shape(request) != ASSAY_LAUNCH_OK ||
        check_resources(request, limit) != ASSAY_LAUNCH_OK)
        return;
    /* As on the GPU, nothing runs after a fault until it has been reported. */
    if (e.fault.kind == ASSAY_FAULT_NONE)
        run(request, raised != 0 && request->dynamic_bytes <= raised);
}

int assay_host_launch_status(void)
{
    executor                         &e = the_executor();
    const std::lock_guard<std::mutex> lock(e.mutex);
    const int                         error = e.error;

    e.error = ASSAY_LAUNCH_OK;
    return error;
}

int assay_host_last_error(bool is_forgotten)
{
    executor                         &e = the_executor();
    const std::lock_guard<std::mutex> lock(e.mutex);
    const int                         error = e.error;

    if (is_forgotten && error != ASSAY_LAUNCH_OK) {
        e.forgotten = error;
        e.error     = ASSAY_LAUNCH_OK;
    }
    return error;
}

void assay_host_note_wait(const char *call, const char *file, int line)
{
    executor                         &e = the_executor();
    const std::lock_guard<std::mutex> lock(e.mutex);

    e.has_waited = true;
    if (!e.wait_text[0])
        (void)snprintf(e.wait_text, sizeof e.wait_text, "%s at %s:%d", call, file, line);
}

void assay_executor_refuse_call(void)
{
    const std::lock_guard<std::mutex> lock(the_executor().mutex);

    (void)refuse(ASSAY_LAUNCH_CONFIGURATION,
                 "a __global__ function was called like a function, without a launch");
}

int assay_host_stream_wait(void *)
{
    executor                         &e = the_executor();
    const std::lock_guard<std::mutex> lock(e.mutex);

    e.has_waited = true;
    return e.fault.kind == ASSAY_FAULT_NONE ? ASSAY_LAUNCH_OK : ASSAY_LAUNCH_FAILURE;
}

int assay_host_allow_shared(const void *function, size_t bytes)
{
    executor                         &e = the_executor();
    const std::lock_guard<std::mutex> lock(e.mutex);

    if (bytes > ASSAY_DYNAMIC_SHARED_MAX)
        return ASSAY_LAUNCH_VALUE;
    e.n_settings++;
    e.allowed_shared[function] = bytes;
    return ASSAY_LAUNCH_OK;
}

int64_t assay_executor_n_settings(void)
{
    executor                         &e = the_executor();
    const std::lock_guard<std::mutex> lock(e.mutex);

    return e.n_settings;
}

void assay_executor_undo_settings(void)
{
    executor                         &e = the_executor();
    const std::lock_guard<std::mutex> lock(e.mutex);

    e.allowed_shared.clear();
}

uint64_t assay_host_time_ns(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        return 0;
    return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

/* ---- for the device */

void assay_executor_schedule(const assay_schedule *schedule)
{
    const std::lock_guard<std::mutex> lock(the_executor().mutex);

    the_executor().schedule = *schedule;
}

void assay_executor_expect_stream(const void *stream)
{
    const std::lock_guard<std::mutex> lock(the_executor().mutex);

    the_executor().expected_stream = stream;
}

const char *assay_executor_launch_text(void) { return the_executor().error_text; }

void assay_executor_reset_counts(void)
{
    executor                         &e = the_executor();
    const std::lock_guard<std::mutex> lock(e.mutex);

    e.n_launches    = 0;
    e.has_waited    = false;
    e.forgotten     = ASSAY_LAUNCH_OK;
    e.error_text[0] = '\0';
    e.wait_text[0]  = '\0';
}

int assay_executor_launches(void) { return the_executor().n_launches; }

bool        assay_executor_has_waited(void) { return the_executor().has_waited; }
const char *assay_executor_wait_text(void) { return the_executor().wait_text; }
int         assay_executor_forgotten(void) { return the_executor().forgotten; }

void assay_executor_take_fault(assay_fault *fault)
{
    executor                         &e = the_executor();
    const std::lock_guard<std::mutex> lock(e.mutex);

    if (fault) {
        *fault = e.fault.kind != ASSAY_FAULT_NONE ? e.fault : e.mode_fault;
        if (fault->kind == ASSAY_FAULT_NONE)
            (void)snprintf(fault->text, sizeof fault->text, "%s", e.note);
    }
    e.note[0] = '\0';
    e.fault = e.mode_fault = assay_fault {};
}
