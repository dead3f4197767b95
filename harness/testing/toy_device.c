/* A device of plain memory. */
#include "toy_device.h"

#include "device/device_evidence.h"

#include <stdlib.h>
#include <string.h>

toy_device toy_gpu;

/* ---- memory ---- */

static struct {
    void   *memory;
    int64_t bytes;
} blocks[TOY_N_BLOCKS];

static assay_status memory_alloc(assay_device *d, size_t bytes, void **memory)
{
    const int64_t rounded = (int64_t)((bytes + 256) / 256 * 256);
    int           place   = 0;

    (void)d;
    *memory = NULL;
    while (place < TOY_N_BLOCKS && blocks[place].memory)
        place++;
    if (place == TOY_N_BLOCKS ||
        (toy_gpu.bytes_allowed > 0 && toy_gpu.bytes_used + rounded > toy_gpu.bytes_allowed))
        return ASSAY_E_DEVICE_MEMORY;
    *memory = aligned_alloc(256, (size_t)rounded);
    if (!*memory)
        return ASSAY_E_DEVICE_MEMORY;
    blocks[place].memory = *memory;
    blocks[place].bytes  = rounded;
    toy_gpu.bytes_used += rounded;
    if (toy_gpu.bytes_used > toy_gpu.most_bytes_used)
        toy_gpu.most_bytes_used = toy_gpu.bytes_used;
    return ASSAY_OK;
}

static void memory_release(assay_device *d, void *memory)
{
    (void)d;
    for (int i = 0; memory && i < TOY_N_BLOCKS; i++)
        if (blocks[i].memory == memory) {
            toy_gpu.bytes_used -= blocks[i].bytes;
            blocks[i].memory = NULL;
        }
    free(memory);
}

static int64_t free_bytes(assay_device *d)
{
    (void)d;
    return toy_gpu.bytes_allowed > 0 ? toy_gpu.bytes_allowed - toy_gpu.bytes_used : 0;
}

static assay_status memory_copy(assay_device *d, void *to, const void *from, size_t bytes)
{
    (void)d;
    memcpy(to, from, bytes);
    return ASSAY_OK;
}

static assay_status memory_upload(assay_device *d, void *to, const void *from, size_t bytes)
{
    toy_gpu.n_uploads++;
    return memory_copy(d, to, from, bytes);
}

static assay_status memory_set(assay_device *d, void *memory, int byte, size_t bytes)
{
    (void)d;
    memset(memory, byte, bytes);
    return ASSAY_OK;
}

static void memory_forbid(assay_device *d, const void *memory, size_t bytes, bool forbidden)
{
    (void)d, (void)memory, (void)bytes, (void)forbidden;
}

/* ---- evidence ---- */

uint64_t toy_digest(const void *memory, size_t bytes)
{
    const char *from = memory;
    uint64_t    sum  = 0;

    for (size_t at = 0; at < bytes; at += sizeof(uint32_t)) {
        uint32_t word = 0;

        memcpy(&word, from + at, bytes - at < sizeof word ? bytes - at : sizeof word);
        sum += assay_evidence_digest(at / sizeof word, word);
    }
    return sum;
}

static assay_status digest(assay_device *d, const void *memory, size_t bytes, uint64_t *sum)
{
    (void)d;
    *sum = toy_digest(memory, bytes);
    return ASSAY_OK;
}

/* ---- launches ---- */

static void note_schedule(assay_device *d, const assay_schedule *schedule)
{
    (void)d;
    if (toy_gpu.n_schedules < TOY_N_SCHEDULES)
        toy_gpu.schedules[toy_gpu.n_schedules++] = *schedule;
}

static assay_status call_launcher(assay_device *d, assay_launch_fn *launch, const assay_args *args,
                                  assay_fault *fault)
{
    const int error = launch(args, NULL);

    (void)d;
    memset(fault, 0, sizeof *fault);
    if (toy_gpu.remark)
        (void)strcpy(fault->text, toy_gpu.remark);
    toy_gpu.n_launches++;
    toy_gpu.clock_ns += TOY_LAUNCH_NS;
    if (error) {
        fault->kind = ASSAY_FAULT_LAUNCH;
        (void)strcpy(fault->text, "refused");
    }
    return ASSAY_OK;
}

static assay_status wait_for_it(assay_device *d, assay_fault *fault)
{
    (void)d;
    *fault             = toy_gpu.next_fault;
    toy_gpu.next_fault = (assay_fault) { .kind = ASSAY_FAULT_NONE };
    return ASSAY_OK;
}

static assay_status probe_it(assay_device *d, assay_launch_fn *launch, const assay_args *args,
                             int *launches, assay_fault *fault)
{
    *launches = 1;
    (void)call_launcher(d, launch, args, fault);
    if (toy_gpu.probe_waits) {
        fault->kind = ASSAY_FAULT_HIDDEN_SYNC;
        (void)strcpy(fault->text, "it waits");
    }
    return ASSAY_OK;
}

/* ---- timing ---- */

static assay_status flush(assay_device *d, assay_flush kind)
{
    (void)d, (void)kind;
    return ASSAY_OK;
}

static assay_status close_gate(assay_device *d)
{
    (void)d;
    toy_gpu.n_gates++;
    return ASSAY_OK;
}

static assay_status open_gate(assay_device *d, bool *was_adequate)
{
    (void)d;
    *was_adequate = !toy_gpu.gates_time_out;
    return ASSAY_OK;
}

static assay_status mark(assay_device *d, int slot)
{
    (void)d;
    toy_gpu.mark_ns[slot] = toy_gpu.clock_ns;
    return ASSAY_OK;
}

static assay_status elapsed(assay_device *d, double *time_ns)
{
    (void)d;
    *time_ns = (double)(toy_gpu.mark_ns[1] - toy_gpu.mark_ns[0]);
    return ASSAY_OK;
}

static assay_status end_clock(assay_device *d)
{
    (void)d;
    return ASSAY_OK;
}

static assay_status sm_clock(assay_device *d, double *mhz)
{
    (void)d;
    *mhz = toy_gpu.sm_clock_mhz > 0 ? toy_gpu.sm_clock_mhz : 1000;
    return ASSAY_OK;
}

/* ---- graphs: the calls, made when the graph is launched ---- */

struct assay_graph {
    assay_launch_fn  *launch;
    const assay_args *args;
    int               n_calls;
};

static assay_status make_graph(assay_device *d, assay_launch_fn *launch, const assay_args *args,
                               int n_calls, assay_graph **graph, assay_fault *fault)
{
    (void)d;
    memset(fault, 0, sizeof *fault);
    *graph = NULL;
    if (toy_gpu.forbids_graphs) {
        fault->kind = ASSAY_FAULT_HIDDEN_SYNC;
        (void)strcpy(fault->text, "it cannot be captured");
        return ASSAY_OK;
    }
    if (toy_gpu.refuses_graphs) {
        fault->kind = ASSAY_FAULT_LAUNCH;
        (void)strcpy(fault->text, "not supported within a capture");
        return ASSAY_OK;
    }
    *graph = malloc(sizeof **graph);
    if (!*graph)
        return ASSAY_E_MEMORY;
    **graph = (assay_graph) { launch, args, n_calls };
    toy_gpu.n_graphs++;
    toy_gpu.n_graphs_made++;
    return ASSAY_OK;
}

static assay_status launch_graph(assay_device *d, assay_graph *graph)
{
    assay_fault fault;

    toy_gpu.is_replaying = true;
    for (int i = 0; i < graph->n_calls; i++) {
        (void)call_launcher(d, graph->launch, graph->args, &fault);
        if (fault.kind != ASSAY_FAULT_NONE)
            toy_gpu.next_fault = fault;
    }
    toy_gpu.is_replaying = false;
    return ASSAY_OK;
}

static void free_graph(assay_device *d, assay_graph *graph)
{
    (void)d;
    toy_gpu.n_graphs -= graph != NULL;
    free(graph);
}

static const char *message(void) { return "the device of plain memory failed"; }

static uint64_t no_statics(void) { return 0; }
static int64_t  no_settings(void) { return 0; }
static bool     undo_nothing(assay_device *device)
{
    (void)device;
    return true;
}

const assay_device_api memory_api = {
    .abi           = ASSAY_DEVICE_ABI,
    .kind          = "host",
    .sanitizer     = ASSAY_SANITIZER,
    .message       = message,
    .statics       = no_statics,
    .n_settings    = no_settings,
    .undo_settings = undo_nothing,
    .alloc         = memory_alloc,
    .release       = memory_release,
    .upload        = memory_upload,
    .download      = memory_copy,
    .copy          = memory_copy,
    .set           = memory_set,
    .forbid        = memory_forbid,
    .schedule      = note_schedule,
    .enqueue       = call_launcher,
    .wait          = wait_for_it,
    .probe         = probe_it,
    .free_bytes    = free_bytes,
    .digest        = digest,
    .flush_cache   = flush,
    .gate_close    = close_gate,
    .gate_open     = open_gate,
    .mark          = mark,
    .elapsed       = elapsed,
    .clock_end     = end_clock,
    .sm_clock      = sm_clock,
    .graph_make    = make_graph,
    .graph_launch  = launch_graph,
    .graph_free    = free_graph,
};
