/* What the files of the trace share: events and the rows that they are drawn in. */
#ifndef ASSAY_TRACE_INTERNAL_H
#define ASSAY_TRACE_INTERNAL_H

#include "trace.h"

/* Kinds of rows, from the top of the picture to its bottom. */
typedef enum assay_trace_track {
    ASSAY_TRACK_SPANS,
    ASSAY_TRACK_API, /* one for each thread */
    ASSAY_TRACK_SYNC,
    ASSAY_TRACK_OVERHEAD,
    ASSAY_TRACK_PARTS,  /* one for each stream */
    ASSAY_TRACK_DEVICE, /* one for each stream */
} assay_trace_track;

/* A slice of the picture: a span or a record. */
typedef struct assay_trace_event {
    assay_trace_track       track;
    uint32_t                device, context, stream; /* PARTS, DEVICE */
    uint32_t                thread;                  /* API */
    int64_t                 start_ns, end_ns;
    const assay_trace_span *span; /* one of the two is NULL */
    const assay_activity   *record;
    uint32_t                lane; /* from 0, in its thread or stream */
    uint32_t                row;  /* from 0; no other thread or stream has it */
} assay_trace_event;

/* Gives every event its lane and row, and sorts the events: by row group, then by start. On DEVICE
 * tracks no two events of a row overlap; on others one may contain the other. */
assay_status assay_trace_place(assay_trace_event *events, size_t n);
/* Checks that: index of an event that overlaps another of its row wrongly, -1 if there is none, -2
 * without memory. The order of the events does not matter. */
int64_t assay_trace_find_overlap(const assay_trace_event *events, size_t n);

/* ---- trace_sections.c ---- */

/* What the case calls a kernel or a range; NULL: nothing. */
const char *assay_trace_find_name(const assay_section_name *names, const char *text);
/* Is it a kernel, copy or fill with possible times? */
bool assay_trace_is_device(const assay_activity *record);

/* Writes the section of a device record, cut to `size`. False if the case has no name for it; then
 * the text is the record's own name. */
bool assay_trace_name(const assay_section_name *names, const assay_activity *record, char *text,
                      size_t size);

/* ---- trace_parts.c ---- */

/* Consecutive records of one stream in one section. */
typedef struct assay_trace_part {
    assay_trace_span span;
    char             name[64]; /* of its span */
    uint32_t         device, context, stream;
} assay_trace_part;

/* Finds all parts that have a name. *parts is the caller's to free. */
assay_status assay_trace_find_parts(const assay_section_name *names, const assay_activity *records,
                                    size_t n, assay_trace_part **parts, size_t *n_parts);

/* ---- trace_flow.c ---- */

/* An arrow from a call to the work that it started on the device. */
typedef struct assay_trace_flow {
    const assay_trace_event *from, *to;
    uint32_t                 id; /* the correlation id; no two arrows have the same */
} assay_trace_flow;

/* Joins each call (the outermost of those with one correlation id) to the first device event with
 * its id, if that event starts no earlier. *flows is the caller's to free. */
assay_status assay_trace_join(const assay_trace_event *events, size_t n, assay_trace_flow **flows,
                              size_t *n_flows);

/* ---- trace_json.c ---- */

/* Writes the whole file; the events are placed, the arrows are between them. */
void assay_trace_put(FILE *out, const assay_trace_event *events, size_t n,
                     const assay_trace_flow *flows, size_t n_flows, const assay_trace_about *about,
                     int64_t n_left_out);

#endif
