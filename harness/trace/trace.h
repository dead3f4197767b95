/* What a GPU did, as a picture and as sums. Activity records and spans of our own become the JSON
 * that Perfetto and chrome://tracing read, and time per kernel. Pure functions of their arguments;
 * they know no CUPTI and no device. */
#ifndef ASSAY_TRACE_H
#define ASSAY_TRACE_H

#include "case.h"
#include "cupti/cupti.h"

#include <stdio.h>

/* A stretch of the host's work: a point, a check, a launch. */
typedef struct assay_trace_span {
    const char *name, *category;
    int64_t     start_ns, end_ns; /* of assay_cupti_api.now_ns */
    int         depth;            /* 0: in no other span */
} assay_trace_span;

/* The description of a trace. NULL members are left out. */
typedef struct assay_trace_about {
    const char               *program, *device, *point;
    const assay_section_name *sections;  /* what the case calls its kernels and ranges */
    uint32_t                  process;   /* of the host's rows; 0: as in the records */
    int64_t                   n_dropped; /* records that are missing */
} assay_trace_about;

/* Gives each device record the innermost range that its call was made in, on the call's thread, of
 * those that the case has a section for; NULL where there is none. The names stay those of the
 * ranges' records. */
assay_status assay_trace_find_ranges(const assay_section_name *names, assay_activity *records,
                                     size_t n);

/* Writes a trace. Above each stream lies a row of the parts of a call: kernels, copies and fills
 * that follow each other and that the case has put under one name. Device records of one
 * stream that overlap get rows of their own (lanes), and so
 * do calls that overlap without one containing the other, so that no slice is hidden. A launch is
 * joined to the first thing that it started by an arrow. What ends before it starts is left out and
 * counted in "n_left_out". `about` may be NULL. E_IO if the file cannot be written; flushes it. */
assay_status assay_trace_write(FILE *out, const assay_trace_span *spans, size_t n_spans,
                               const assay_activity *records, size_t n_records,
                               const assay_trace_about *about);

/* Device time of one part of a call. Kernels are put together under the name that the case gives
 * them; others by the section of the range that they were launched in, or by kind of kernel (its
 * short name). Copies are a section, and so are fills. */
typedef struct assay_section {
    char    name[64];
    int64_t launches; /* over all calls */
    double  time_ns;  /* of one call */
    double  share;    /* of the time of all sections: they add up to 1 */
} assay_section;

typedef struct assay_section_total {
    int64_t launches; /* of kernels, over all calls */
    double  busy_ns;  /* of one call: time in which something ran; overlaps count once */
    double  span_ns;  /* of one call: from the first start to the last end, waiting included */
} assay_section_total;

/* Sums the device records of `n_calls` like calls (at least 1) into sections, the longest first.
 * *sections is the caller's to free; NULL if there is nothing. `names` and `total` may be NULL. */
assay_status assay_trace_sections(const assay_activity *records, size_t n_records, int64_t n_calls,
                                  const assay_section_name *names, assay_section **sections,
                                  int *n_sections, assay_section_total *total);

#endif
