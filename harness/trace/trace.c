/* Makes the events of a trace from records and spans. */
#include "trace_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static assay_trace_event event_of_span(const assay_trace_span *span)
{
    return (assay_trace_event) {
        .track    = ASSAY_TRACK_SPANS,
        .span     = span,
        .start_ns = span->start_ns,
        .end_ns   = span->end_ns,
    };
}

static assay_trace_event event_of_record(const assay_activity *record)
{
    static const assay_trace_track tracks[] = {
        [ASSAY_ACTIVITY_KERNEL]    = ASSAY_TRACK_DEVICE,
        [ASSAY_ACTIVITY_MEMCPY]    = ASSAY_TRACK_DEVICE,
        [ASSAY_ACTIVITY_MEMSET]    = ASSAY_TRACK_DEVICE,
        [ASSAY_ACTIVITY_API]       = ASSAY_TRACK_API,
        [ASSAY_ACTIVITY_SYNC]      = ASSAY_TRACK_SYNC,
        [ASSAY_ACTIVITY_OVERHEAD]  = ASSAY_TRACK_OVERHEAD,
        [ASSAY_ACTIVITY_OPERATION] = ASSAY_TRACK_API,
        [ASSAY_ACTIVITY_RANGE]     = ASSAY_TRACK_API,
    };
    assay_trace_event event = {
        .track    = tracks[record->kind],
        .record   = record,
        .start_ns = record->start_ns,
        .end_ns   = record->end_ns,
    };

    if (event.track == ASSAY_TRACK_API)
        event.thread = record->thread;
    if (event.track == ASSAY_TRACK_DEVICE) {
        event.device  = record->device;
        event.context = record->context;
        event.stream  = record->stream;
    }
    return event;
}

static assay_trace_event event_of_part(const assay_trace_part *part)
{
    return (assay_trace_event) {
        .track    = ASSAY_TRACK_PARTS,
        .span     = &part->span,
        .start_ns = part->span.start_ns,
        .end_ns   = part->span.end_ns,
        .device   = part->device,
        .context  = part->context,
        .stream   = part->stream,
    };
}

/* Appends an event unless its times are impossible. */
static void add(assay_trace_event *events, size_t *n, assay_trace_event event)
{
    if (event.end_ns >= event.start_ns)
        events[(*n)++] = event;
}

assay_status assay_trace_write(FILE *out, const assay_trace_span *spans, size_t n_spans,
                               const assay_activity *records, size_t n_records,
                               const assay_trace_about *about)
{
    static const assay_trace_about nothing;
    assay_trace_event             *events = NULL;
    assay_trace_flow              *flows  = NULL;
    assay_trace_part              *parts  = NULL;
    assay_status                   st     = ASSAY_OK;
    size_t                         n = 0, n_all, n_flows = 0, n_parts = 0;

    about = about ? about : &nothing;
    ASSAY_CHECK(assay_trace_find_parts(about->sections, records, n_records, &parts, &n_parts));
    n_all  = n_spans + n_records + n_parts;
    events = calloc(n_all ? n_all : 1, sizeof *events);
    ASSAY_REQUIRE(events, ASSAY_E_MEMORY, "no memory for a trace of %zu events", n_all);
    for (size_t i = 0; i < n_spans; i++)
        add(events, &n, event_of_span(&spans[i]));
    for (size_t i = 0; i < n_records; i++)
        add(events, &n, event_of_record(&records[i]));
    for (size_t i = 0; i < n_parts; i++)
        add(events, &n, event_of_part(&parts[i]));
    ASSAY_CHECK(assay_trace_place(events, n));
    ASSAY_CHECK(assay_trace_join(events, n, &flows, &n_flows));
    errno = 0;
    assay_trace_put(out, events, n, flows, n_flows, about, (int64_t)(n_all - n));
    ASSAY_REQUIRE(fflush(out) == 0 && !ferror(out), ASSAY_E_IO, "cannot write the trace: %s",
                  errno ? strerror(errno) : "output error");
out:
    free(flows);
    free(events);
    free(parts);
    return st;
}
