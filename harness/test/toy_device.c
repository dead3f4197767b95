/* A device of plain memory. */
#include "toy_device.h"

#include <stdlib.h>
#include <string.h>

toy_device device;

static assay_status memory_alloc(assay_device *d, size_t bytes, void **memory)
{
    (void)d;
    *memory = aligned_alloc(256, (bytes + 256) / 256 * 256);
    return *memory ? ASSAY_OK : ASSAY_E_DEVICE_MEMORY;
}

static void memory_release(assay_device *d, void *memory)
{
    (void)d;
    free(memory);
}

static assay_status memory_upload(assay_device *d, void *to, const void *from, size_t bytes)
{
    (void)d;
    memcpy(to, from, bytes);
    return ASSAY_OK;
}

static void memory_forbid(assay_device *d, const void *memory, size_t bytes, bool forbidden)
{
    (void)d, (void)memory, (void)bytes, (void)forbidden;
}

static void no_schedule(assay_device *d, const assay_schedule *schedule)
{
    (void)d, (void)schedule;
}

static assay_status call_launcher(assay_device *d, assay_launch_fn *launch, const assay_args *args,
                                  assay_fault *fault)
{
    const int error = launch(args, NULL);

    (void)d;
    memset(fault, 0, sizeof *fault);
    device.n_launches++;
    device.clock_ns += 1000;
    if (error) {
        fault->kind = ASSAY_FAULT_LAUNCH;
        (void)strcpy(fault->text, "refused");
    }
    return ASSAY_OK;
}

static assay_status wait_for_it(assay_device *d, assay_fault *fault)
{
    (void)d;
    *fault            = device.next_fault;
    device.next_fault = (assay_fault) { .kind = ASSAY_FAULT_NONE };
    return ASSAY_OK;
}

static assay_status probe_it(assay_device *d, assay_launch_fn *launch, const assay_args *args,
                             int *launches, assay_fault *fault)
{
    *launches = 1;
    (void)call_launcher(d, launch, args, fault);
    if (device.probe_waits) {
        fault->kind = ASSAY_FAULT_HIDDEN_SYNC;
        (void)strcpy(fault->text, "it waits");
    }
    return ASSAY_OK;
}

static assay_status nothing(assay_device *d)
{
    (void)d;
    return ASSAY_OK;
}

static assay_status open_gate(assay_device *d, bool *was_adequate)
{
    (void)d;
    *was_adequate = true;
    return ASSAY_OK;
}

static assay_status mark(assay_device *d, int slot)
{
    (void)d;
    device.mark_ns[slot] = device.clock_ns;
    return ASSAY_OK;
}

static assay_status elapsed(assay_device *d, double *time_ns)
{
    (void)d;
    *time_ns = (double)(device.mark_ns[1] - device.mark_ns[0]);
    return ASSAY_OK;
}

static const char *message(void) { return "the device of plain memory failed"; }

const assay_device_api memory_api = {
    .abi         = ASSAY_DEVICE_ABI,
    .kind        = "host",
    .message     = message,
    .alloc       = memory_alloc,
    .release     = memory_release,
    .upload      = memory_upload,
    .download    = memory_upload,
    .copy        = memory_upload,
    .forbid      = memory_forbid,
    .schedule    = no_schedule,
    .enqueue     = call_launcher,
    .wait        = wait_for_it,
    .probe       = probe_it,
    .flush_cache = nothing,
    .gate_close  = nothing,
    .gate_open   = open_gate,
    .mark        = mark,
    .elapsed     = elapsed,
};
