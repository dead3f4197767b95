/* The functions of a device that may fail: those of the table that a kernel module gives. The table
 * is changed in place, since its address tells which module it belongs to. */
#include "fault.h"

#include "device.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static assay_device_api real;
static char             said[128];

static bool fails(const char *call)
{
    const bool now = fault_now("device", call);

    said[0] = '\0';
    if (now)
        (void)snprintf(said, sizeof said, "device call %s fails, as it was told to", call);
    return now;
}

static const char *message(void) { return said[0] ? said : real.message(); }

/* X(call, parameters, arguments, status) */
#define DEVICE_MAP(X)                                                                              \
    X(open, (int index, assay_device **d, assay_device_info *info), (index, d, info),              \
      ASSAY_E_DEVICE)                                                                              \
    X(alloc, (assay_device * d, size_t bytes, void **memory), (d, bytes, memory),                  \
      ASSAY_E_DEVICE_MEMORY)                                                                       \
    X(upload, (assay_device * d, void *to, const void *from, size_t bytes), (d, to, from, bytes),  \
      ASSAY_E_DEVICE)                                                                              \
    X(download, (assay_device * d, void *to, const void *from, size_t bytes),                      \
      (d, to, from, bytes), ASSAY_E_DEVICE)                                                        \
    X(copy, (assay_device * d, void *to, const void *from, size_t bytes), (d, to, from, bytes),    \
      ASSAY_E_DEVICE)                                                                              \
    X(set, (assay_device * d, void *memory, int byte, size_t bytes), (d, memory, byte, bytes),     \
      ASSAY_E_DEVICE)                                                                              \
    X(enqueue,                                                                                     \
      (assay_device * d, assay_launch_fn * launch, const assay_args *args, assay_fault *fault),    \
      (d, launch, args, fault), ASSAY_E_DEVICE)                                                    \
    X(wait, (assay_device * d, assay_fault * fault), (d, fault), ASSAY_E_DEVICE)                   \
    X(probe,                                                                                       \
      (assay_device * d, assay_launch_fn * launch, const assay_args *args, int *launches,          \
       assay_fault *fault),                                                                        \
      (d, launch, args, launches, fault), ASSAY_E_DEVICE)                                          \
    X(digest, (assay_device * d, const void *memory, size_t bytes, uint64_t *digest),              \
      (d, memory, bytes, digest), ASSAY_E_DEVICE)                                                  \
    X(flush_cache, (assay_device * d, assay_flush kind), (d, kind), ASSAY_E_DEVICE)                \
    X(gate_close, (assay_device * d), (d), ASSAY_E_DEVICE)                                         \
    X(gate_open, (assay_device * d, bool *adequate), (d, adequate), ASSAY_E_DEVICE)                \
    X(mark, (assay_device * d, int slot), (d, slot), ASSAY_E_DEVICE)                               \
    X(elapsed, (assay_device * d, double *time_ns), (d, time_ns), ASSAY_E_DEVICE)                  \
    X(clock_end, (assay_device * d), (d), ASSAY_E_DEVICE)                                          \
    X(sm_clock, (assay_device * d, double *mhz), (d, mhz), ASSAY_E_DEVICE)                         \
    X(graph_make,                                                                                  \
      (assay_device * d, assay_launch_fn * launch, const assay_args *args, int n_calls,            \
       assay_graph **graph, assay_fault *fault),                                                   \
      (d, launch, args, n_calls, graph, fault), ASSAY_E_DEVICE)                                    \
    X(graph_launch, (assay_device * d, assay_graph * graph), (d, graph), ASSAY_E_DEVICE)

#define X(call, parameters, arguments, status)                                                     \
    static assay_status wrap_##call parameters                                                     \
    {                                                                                              \
        return fails(#call) ? (status) : real.call arguments;                                      \
    }
DEVICE_MAP(X)
#undef X

void fault_device_wrap(void *handle)
{
    assay_module_api_fn *give = NULL;
    assay_device_api    *api;
    const uintptr_t      page = (uintptr_t)sysconf(_SC_PAGESIZE);

    memcpy(&give, &handle, sizeof give);
    memcpy(&api, &(const assay_device_api *) { give() }, sizeof api);
    if (api->open == wrap_open)
        return;
    real = *api;

    void        *first = (char *)api - (uintptr_t)api % page;
    const size_t size  = (size_t)((char *)(api + 1) - (char *)first);

    if (mprotect(first, size, PROT_READ | PROT_WRITE) != 0)
        return;
#define X(call, parameters, arguments, status)                                                     \
    if (real.call)                                                                                 \
        api->call = wrap_##call;
    DEVICE_MAP(X)
#undef X
    api->message = message;
}
