/* The host device: runs kernels on the CPU. It checks kernels, and never times them. */
#include "device.h"
#include "device/device_evidence.h"
#include "device/module_statics.h"
#include "executor.h"
#include "sanitizer.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <new>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

struct assay_device {
    char stream; /* its address is the launch stream */
};

namespace
{
const size_t ALIGNMENT = 256;
int          n_open    = 0;
} // namespace

static assay_stream stream_of(assay_device *device)
{
    return reinterpret_cast<assay_stream>(&device->stream);
}

/* ---- facts ---- */

/* Reads the text after "name :" from a file of such lines; "" if there is none, or if the system
 * does not have or show such a file. Returns 0, or the error number if the file could be opened at
 * another time. */
static int read_field(const char *path, const char *name, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    char  line[512];

    text[0] = '\0';
    if (!file)
        return errno == ENOENT || errno == EACCES ? 0 : errno;
    while (!text[0] && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');

        if (!colon || strncmp(line, name, strlen(name)) != 0)
            continue;
        for (colon++; isspace(static_cast<unsigned char>(*colon)); colon++)
            ;
        colon[strcspn(colon, "\n")] = '\0';
        (void)snprintf(text, size, "%s", colon);
    }
    (void)fclose(file);
    return 0;
}

/* 0 if unknown. */
static int64_t memory_field(const char *name)
{
    char text[64];

    (void)read_field("/proc/meminfo", name, text, sizeof text);
    return static_cast<int64_t>(strtoll(text, nullptr, 10)) * 1024;
}

/* The name tells times of this CPU from those of another one, so no name is made up if it cannot be
 * read. */
static assay_status read_info(assay_device_info *info)
{
    static const char *const cpus = "/proc/cpuinfo";
    struct utsname           kernel;

    memset(info, 0, sizeof *info);
    (void)snprintf(info->kind, sizeof info->kind, "host");
    const int error = read_field(cpus, "model name", info->name, sizeof info->name);

    if (error != 0)
        return ASSAY_FAIL(ASSAY_E_DEVICE, "cannot read the CPU's name in %s: %s", cpus,
                          strerror(error));
    /* Some architectures do not report the name of the model. */
    if (!info->name[0])
        (void)snprintf(info->name, sizeof info->name, "%s CPU",
                       uname(&kernel) == 0 ? kernel.machine : "unknown");
    info->memory_bytes      = memory_field("MemTotal");
    info->memory_free_bytes = memory_field("MemAvailable");
    info->can_time          = false;
    return ASSAY_OK;
}

static int device_count(char *why, size_t size)
{
    if (why && size > 0)
        why[0] = '\0';
    return 1;
}

static assay_status device_open(int index, assay_device **device, assay_device_info *info)
{
    assay_status st = ASSAY_OK;

    *device = nullptr;
    if (index != 0)
        return ASSAY_FAIL(ASSAY_E_USAGE, "there is one host device, number 0; asked for %d", index);
    if (info)
        st = read_info(info);
    if (st != ASSAY_OK)
        return st;
    *device = new (std::nothrow) assay_device {};
    if (!*device)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for the host device");
    n_open++;
    return ASSAY_OK;
}

static void device_close(assay_device *device)
{
    if (!device)
        return;
    delete device;
    if (--n_open > 0)
        return;
    assay_executor_take_fault(nullptr);
    assay_pool_shut_down();
}

/* ---- memory ---- */

static assay_status device_alloc(assay_device *, size_t bytes, void **memory)
{
    const int64_t total = memory_field("MemTotal");

    *memory = nullptr;
    if (total > 0 && bytes > static_cast<uint64_t>(total))
        return ASSAY_FAIL(ASSAY_E_DEVICE_MEMORY, "%zu bytes asked for, the host has %lld", bytes,
                          static_cast<long long>(total));
    if (posix_memalign(memory, ALIGNMENT, bytes > 0 ? bytes : 1) != 0) {
        *memory = nullptr;
        return ASSAY_FAIL(ASSAY_E_DEVICE_MEMORY, "no memory for %zu bytes", bytes);
    }
    if (bytes == 0)
        assay_asan_poison(*memory, 1);
    return ASSAY_OK;
}

static void device_release(assay_device *, void *memory) { free(memory); }

/* Copies bytes even if kernels are forbidden to touch them. The empty asm keeps the loop from
 * becoming a call of memcpy, which AddressSanitizer checks for every caller. */
ASSAY_NO_ASAN static void copy_unwatched(void *to, const void *from, size_t bytes)
{
    char       *t = static_cast<char *>(to);
    const char *f = static_cast<const char *>(from);
    size_t      i = 0;

    for (; i + sizeof(uint64_t) <= bytes; i += sizeof(uint64_t)) {
        struct __attribute__((packed, may_alias)) word {
            uint64_t bits;
        };

        reinterpret_cast<word *>(t + i)->bits = reinterpret_cast<const word *>(f + i)->bits;
        asm volatile("" ::: "memory");
    }
    for (; i < bytes; i++) {
        t[i] = f[i];
        asm volatile("" ::: "memory");
    }
}

static void copy_bytes(void *to, const void *from, size_t bytes)
{
    if (ASSAY_HAS_ASAN)
        copy_unwatched(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

static assay_status device_copy(assay_device *, void *to, const void *from, size_t bytes)
{
    if (bytes == 0)
        return ASSAY_OK;
    if (!to || !from)
        return ASSAY_FAIL(ASSAY_E_USAGE, "copy of %zu bytes from or to a null pointer", bytes);
    copy_bytes(to, from, bytes);
    return ASSAY_OK;
}

static assay_status device_set(assay_device *, void *memory, int byte, size_t bytes)
{
    if (bytes > 0 && !memory)
        return ASSAY_FAIL(ASSAY_E_USAGE, "cannot set %zu bytes at a null pointer", bytes);
    if (bytes > 0)
        memset(memory, byte, bytes);
    return ASSAY_OK;
}

static int64_t device_free_bytes(assay_device *) { return memory_field("MemAvailable"); }

static void device_forbid(assay_device *, const void *memory, size_t bytes, bool forbidden)
{
    if (forbidden)
        assay_asan_poison(memory, bytes);
    else
        assay_asan_unpoison(memory, bytes);
}

/* ---- evidence ---- */

/* Launches run to their end before enqueue returns, so there is nothing to wait for. */
static assay_status device_digest(assay_device *, const void *memory, size_t bytes, uint64_t *sum)
{
    const char *from = static_cast<const char *>(memory);
    uint32_t    word[1024];

    *sum = 0;
    if (bytes > 0 && !memory)
        return ASSAY_FAIL(ASSAY_E_USAGE, "digest of %zu bytes at a null pointer", bytes);
    for (size_t at = 0; at < bytes; at += sizeof word) {
        const size_t here    = bytes - at < sizeof word ? bytes - at : sizeof word;
        const size_t n_words = (here + sizeof word[0] - 1) / sizeof word[0];

        word[n_words - 1] = 0;
        copy_bytes(word, from + at, here);
        for (size_t i = 0; i < n_words; i++)
            *sum += assay_evidence_digest(at / sizeof word[0] + i, word[i]);
    }
    return ASSAY_OK;
}

/* ---- launches ---- */

static void device_schedule(assay_device *, const assay_schedule *schedule)
{
    assay_executor_schedule(schedule);
}

static void clear_fault(assay_fault *fault)
{
    if (fault)
        *fault = assay_fault {};
}

/* Calls the launcher. An error is a fault, whether the launcher returns it or forgets to. */
static void call_launcher(assay_device *device, assay_launch_fn *launch, const assay_args *args,
                          assay_fault *fault)
{
    int error, forgotten, cleared;

    (void)assay_host_launch_status();
    assay_executor_reset_counts();
    assay_executor_expect_stream(stream_of(device));
    error     = launch(args, stream_of(device));
    forgotten = assay_host_launch_status();
    cleared   = assay_executor_forgotten();
    assay_executor_expect_stream(nullptr);
    error = error != 0 ? error : forgotten;
    if (!fault)
        return;
    if (error == 0) { /* no fault; but a cleared error may be why an answer is wrong */
        if (cleared != 0)
            (void)snprintf(fault->text, sizeof fault->text,
                           "the launcher cleared launch error %d: %s", cleared,
                           assay_executor_launch_text());
        return;
    }
    fault->kind = ASSAY_FAULT_LAUNCH;
    (void)snprintf(fault->text, sizeof fault->text, "launch error %d: %s", error,
                   assay_executor_launch_text()[0] ? assay_executor_launch_text()
                                                   : "returned by the launcher itself");
}

static assay_status device_enqueue(assay_device *device, assay_launch_fn *launch,
                                   const assay_args *args, assay_fault *fault)
{
    clear_fault(fault);
    call_launcher(device, launch, args, fault);
    return ASSAY_OK;
}

static assay_status device_wait(assay_device *, assay_fault *fault)
{
    clear_fault(fault);
    assay_executor_take_fault(fault);
    /* The memory in which threads run is not the kernel's. */
    if (fault && fault->kind == ASSAY_FAULT_MEMORY) {
        clear_fault(fault);
        return ASSAY_FAIL(ASSAY_E_MEMORY, "the host device has no memory to run the kernel in");
    }
    if (fault && fault->kind == ASSAY_FAULT_UNSUPPORTED) {
        const assay_fault found = *fault;

        clear_fault(fault);
        return ASSAY_FAIL(ASSAY_E_UNSUPPORTED, "%s", found.text);
    }
    return ASSAY_OK;
}

static assay_status device_probe(assay_device *device, assay_launch_fn *launch,
                                 const assay_args *args, int *launches, assay_fault *fault)
{
    assay_fault found {};

    call_launcher(device, launch, args, &found);
    if (launches)
        *launches = assay_executor_launches();
    if (found.kind == ASSAY_FAULT_NONE && assay_executor_has_waited()) {
        found.kind = ASSAY_FAULT_HIDDEN_SYNC;
        (void)snprintf(found.text, sizeof found.text,
                       "the launcher waited for the stream%s%s; a variant that must declares "
                       "ASSAY_HOST_SYNC",
                       assay_executor_wait_text()[0] ? ": " : "", assay_executor_wait_text());
    }
    if (fault)
        *fault = found;
    return ASSAY_OK;
}

/* ---- timing ---- */

static assay_status no_timing(void)
{
    return ASSAY_FAIL(ASSAY_E_UNSUPPORTED,
                      "the host device checks kernels, its times mean nothing");
}
static bool device_undo_settings(assay_device *)
{
    assay_executor_undo_settings();
    return true;
}
static assay_status device_flush_cache(assay_device *, assay_flush) { return no_timing(); }
static assay_status device_gate_close(assay_device *) { return no_timing(); }
static assay_status device_gate_open(assay_device *, bool *) { return no_timing(); }
static assay_status device_mark(assay_device *, int) { return no_timing(); }
static assay_status device_elapsed(assay_device *, double *) { return no_timing(); }
static assay_status device_clock_end(assay_device *) { return no_timing(); }
static assay_status device_sm_clock(assay_device *, double *mhz)
{
    *mhz = NAN;
    return no_timing();
}
static assay_status device_graph_make(assay_device *, assay_launch_fn *, const assay_args *, int,
                                      assay_graph **graph, assay_fault *fault)
{
    *graph = nullptr;
    clear_fault(fault);
    return no_timing();
}
static assay_status device_graph_launch(assay_device *, assay_graph *) { return no_timing(); }
static void         device_graph_free(assay_device *, assay_graph *) {} /* there are no graphs */

const assay_device_api *assay_module_api(void)
{
    static const assay_device_api api = {
        ASSAY_DEVICE_ABI,
        "host",
        ASSAY_SANITIZER,
        device_count,
        device_open,
        device_close,
        assay_status_message,
        device_alloc,
        device_release,
        device_copy,
        device_copy,
        device_copy,
        device_set,
        device_forbid,
        device_schedule,
        device_enqueue,
        device_wait,
        device_probe,
        assay_statics_digest,
        assay_executor_n_settings,
        device_undo_settings,
        device_free_bytes,
        device_digest,
        device_flush_cache,
        device_gate_close,
        device_gate_open,
        device_mark,
        device_elapsed,
        device_clock_end,
        device_sm_clock,
        device_graph_make,
        device_graph_launch,
        device_graph_free,
        assay_host_device_kernel,
        assay_host_launch_plan,
    };

    return &api;
}
