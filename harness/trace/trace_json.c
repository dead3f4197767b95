/* Writes a placed trace as text: the JSON object format of the Trace Event Format. */
#include "trace_internal.h"

#include "base/demangle.h"
#include "base/json.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    /* Above every process number of Linux (2^22), so that a device never has the number of a
     * process. */
    DEVICE_PROCESS = 10000000,
};

typedef struct writer {
    FILE                    *out;
    const assay_trace_about *about;
    uint32_t                 process;  /* of the host's rows */
    int64_t                  first_ns; /* time zero of the picture */
    bool                     has_event;
} writer;

/* ---- parts of an event ---- */

/* Begins an event; the caller closes its brace. */
static void begin(writer *w, const char *phase)
{
    (void)fprintf(w->out, "%s\n{\"ph\":\"%s\"", w->has_event ? "," : "", phase);
    w->has_event = true;
}

static bool is_of_device(const assay_trace_event *event)
{
    return event->track == ASSAY_TRACK_PARTS || event->track == ASSAY_TRACK_DEVICE;
}

static uint32_t process_of(const writer *w, const assay_trace_event *event)
{
    return is_of_device(event) ? DEVICE_PROCESS + event->device : w->process;
}

static void put_place(const writer *w, const assay_trace_event *event)
{
    (void)fprintf(w->out, ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, process_of(w, event),
                  event->row + 1);
}

/* Writes microseconds with three decimals, from whole nanoseconds: a double would lose the last
 * digits. */
static void put_us(const writer *w, const char *key, int64_t from_ns, int64_t to_ns)
{
    const uint64_t ns = (uint64_t)to_ns - (uint64_t)from_ns;

    (void)fprintf(w->out, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

static void put_text(const writer *w, const char *key, const char *text)
{
    (void)fprintf(w->out, ",\"%s\":", key);
    assay_json_put_text(w->out, text, "");
}

/* ---- names of processes and rows ---- */

static void put_meta(writer *w, const assay_trace_event *event, const char *what, bool is_process)
{
    begin(w, "M");
    (void)fprintf(w->out, ",\"name\":\"%s\"", what);
    if (is_process)
        (void)fprintf(w->out, ",\"pid\":%" PRIu32, process_of(w, event));
    else
        put_place(w, event);
    (void)fputs(",\"args\":{", w->out);
}

static void put_process(writer *w, const assay_trace_event *event)
{
    const bool  is_device = is_of_device(event);
    const char *name      = is_device ? w->about->device : w->about->program;
    char        text[256];

    if (is_device)
        (void)snprintf(text, sizeof text, "GPU %" PRIu32 "%s%s", event->device, name ? ": " : "",
                       name ? name : "");
    else
        (void)snprintf(text, sizeof text, "host%s%s", name ? ": " : "", name ? name : "");
    put_meta(w, event, "process_name", true);
    (void)fputs("\"name\":", w->out);
    assay_json_put_text(w->out, text, "");
    (void)fputs("}}", w->out);
    put_meta(w, event, "process_sort_index", true);
    (void)fprintf(w->out, "\"sort_index\":%" PRIu32 "}}", is_device ? 1 + event->device : 0);
}

static void put_row(writer *w, const assay_trace_event *event)
{
    char text[96], lane[32] = "";

    switch (event->track) {
    case ASSAY_TRACK_SPANS:
        (void)snprintf(text, sizeof text, "harness");
        break;
    case ASSAY_TRACK_API:
        (void)snprintf(text, sizeof text, "calls of thread %" PRIu32, event->thread);
        break;
    case ASSAY_TRACK_SYNC:
        (void)snprintf(text, sizeof text, "synchronization");
        break;
    case ASSAY_TRACK_OVERHEAD:
        (void)snprintf(text, sizeof text, "overhead of the tracing and of the driver");
        break;
    case ASSAY_TRACK_PARTS:
        (void)snprintf(text, sizeof text, "parts of context %" PRIu32 ", stream %" PRIu32,
                       event->context, event->stream);
        break;
    case ASSAY_TRACK_DEVICE:
        (void)snprintf(text, sizeof text, "context %" PRIu32 ", stream %" PRIu32, event->context,
                       event->stream);
        break;
    }
    if (event->lane > 0)
        (void)snprintf(lane, sizeof lane, " (lane %" PRIu32 ")", event->lane + 1);
    put_meta(w, event, "thread_name", false);
    (void)fprintf(w->out, "\"name\":\"%s%s\"}}", text, lane);
    put_meta(w, event, "thread_sort_index", false);
    (void)fprintf(w->out, "\"sort_index\":%" PRIu32 "}}", event->row + 1);
}

static void put_names(writer *w, const assay_trace_event *events, size_t n)
{
    uint32_t n_rows = 0;

    for (size_t i = 0; i < n; i++) {
        if (i == 0 || process_of(w, &events[i]) != process_of(w, &events[i - 1]))
            put_process(w, &events[i]);
        /* Rows first occur in the order of their numbers. */
        if (events[i].row == n_rows) {
            put_row(w, &events[i]);
            n_rows++;
        }
    }
}

/* ---- slices ---- */

static void put_kernel_facts(const writer *w, const assay_activity *record)
{
    char *full = assay_demangle(record->name ? record->name : "");

    put_text(w, "function", full ? full : record->name);
    free(full);
    (void)fprintf(w->out,
                  ",\"grid\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "],\"block\":[%" PRIu32 ",%" PRIu32
                  ",%" PRIu32 "]",
                  record->grid[0], record->grid[1], record->grid[2], record->block[0],
                  record->block[1], record->block[2]);
    (void)fprintf(w->out,
                  ",\"registers_per_thread\":%" PRIu32 ",\"local_bytes_per_thread\":%" PRIu32
                  ",\"static_shared_bytes\":%" PRIu32 ",\"dynamic_shared_bytes\":%" PRIu32,
                  record->registers, record->local_bytes, record->static_shared_bytes,
                  record->dynamic_shared_bytes);
    if (record->code_hash[0])
        put_text(w, "code_hash", record->code_hash);
}

static void put_record_facts(const writer *w, const assay_activity *record)
{
    (void)fprintf(w->out, "\"correlation_id\":%" PRIu32, record->correlation_id);
    if (record->kind == ASSAY_ACTIVITY_KERNEL)
        put_kernel_facts(w, record);
    if (record->kind == ASSAY_ACTIVITY_MEMCPY || record->kind == ASSAY_ACTIVITY_MEMSET)
        (void)fprintf(w->out, ",\"bytes\":%" PRIu64, record->bytes);
    if (record->kind == ASSAY_ACTIVITY_SYNC)
        (void)fprintf(w->out, ",\"context\":%" PRIu32 ",\"stream\":%" PRIu32, record->context,
                      record->stream);
    if (record->graph_id)
        (void)fprintf(w->out, ",\"graph_id\":%" PRIu32, record->graph_id);
}

/* The title of a slice, and its category. */
static void put_title(const writer *w, const assay_trace_event *event)
{
    static const char *const categories[] = {
        [ASSAY_ACTIVITY_KERNEL] = "kernel", [ASSAY_ACTIVITY_MEMCPY] = "memcpy",
        [ASSAY_ACTIVITY_MEMSET] = "memset", [ASSAY_ACTIVITY_API] = "cuda_api",
        [ASSAY_ACTIVITY_SYNC] = "sync",     [ASSAY_ACTIVITY_OVERHEAD] = "overhead",
        [ASSAY_ACTIVITY_RANGE] = "range",   [ASSAY_ACTIVITY_OPERATION] = "operation",
    };
    const assay_activity *record = event->record;
    char                  name[256];

    if (event->span) {
        put_text(w, "name", event->span->name);
        put_text(w, "cat", event->span->category ? event->span->category : "harness");
        return;
    }
    if (record->kind == ASSAY_ACTIVITY_KERNEL && record->name)
        put_text(w, "name", assay_demangle_short(record->name, name, sizeof name));
    else
        put_text(w, "name", record->name);
    put_text(w, "cat", categories[record->kind]);
}

static void put_slice(writer *w, const assay_trace_event *event)
{
    begin(w, "X");
    put_title(w, event);
    put_place(w, event);
    put_us(w, "ts", w->first_ns, event->start_ns);
    put_us(w, "dur", event->start_ns, event->end_ns);
    (void)fputs(",\"args\":{", w->out);
    if (event->span)
        (void)fprintf(w->out, "\"depth\":%d", event->span->depth);
    else
        put_record_facts(w, event->record);
    (void)fputs("}}", w->out);
}

/* ---- arrows ---- */

static void put_arrow(writer *w, const assay_trace_flow *flow)
{
    const assay_trace_event *ends[] = { flow->from, flow->to };

    for (int i = 0; i < 2; i++) {
        begin(w, i == 0 ? "s" : "f");
        (void)fprintf(w->out, "%s,\"name\":\"launch\",\"cat\":\"launch\",\"id\":%" PRIu32,
                      i == 0 ? "" : ",\"bp\":\"e\"", flow->id);
        put_place(w, ends[i]);
        put_us(w, "ts", w->first_ns, ends[i]->start_ns);
        (void)fputc('}', w->out);
    }
}

/* ---- the whole ---- */

static void find_frame(writer *w, const assay_trace_event *events, size_t n)
{
    w->process = w->about->process;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || events[i].start_ns < w->first_ns)
            w->first_ns = events[i].start_ns;
        if (w->process == 0 && events[i].record)
            w->process = events[i].record->process;
    }
}

static void put_about(const writer *w, int64_t n_left_out)
{
    const assay_trace_about *about = w->about;

    (void)fprintf(w->out,
                  "\"otherData\":{\"first_ns\":\"%" PRId64 "\",\"n_dropped\":%" PRId64
                  ",\"n_left_out\":%" PRId64,
                  w->first_ns, about->n_dropped, n_left_out);
    if (about->program)
        put_text(w, "program", about->program);
    if (about->device)
        put_text(w, "device", about->device);
    if (about->point)
        put_text(w, "point", about->point);
    (void)fputc('}', w->out);
}

void assay_trace_put(FILE *out, const assay_trace_event *events, size_t n,
                     const assay_trace_flow *flows, size_t n_flows, const assay_trace_about *about,
                     int64_t n_left_out)
{
    writer w = { .out = out, .about = about };

    find_frame(&w, events, n);
    (void)fputs("{\"displayTimeUnit\":\"ns\",", out);
    put_about(&w, n_left_out);
    (void)fputs(",\"traceEvents\":[", out);
    put_names(&w, events, n);
    for (size_t i = 0; i < n; i++)
        put_slice(&w, &events[i]);
    for (size_t i = 0; i < n_flows; i++)
        put_arrow(&w, &flows[i]);
    (void)fputs("\n]}\n", out);
}
