/* Parts of a call: in which range of the host each launch was made, and which consecutive records
 * have one name. */
#include "trace_internal.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

typedef const assay_activity *record_ref;

/* ---- the range of a launch ---- */

static int compare_calls(const void *left, const void *right)
{
    const record_ref a = *(const record_ref *)left, b = *(const record_ref *)right;

    return assay_order_int64(a->correlation_id, b->correlation_id);
}

/* A range that begins later comes later. Of two that begin together, the inner one comes later. */
static int compare_starts(const void *left, const void *right)
{
    const record_ref a = *(const record_ref *)left, b = *(const record_ref *)right;

    return a->start_ns != b->start_ns ? assay_order_int64(a->start_ns, b->start_ns)
                                      : assay_order_int64(b->end_ns, a->end_ns);
}

static size_t gather_calls(const assay_activity *records, size_t n, record_ref *refs)
{
    size_t n_refs = 0;

    for (size_t i = 0; i < n; i++)
        if (records[i].kind == ASSAY_ACTIVITY_API)
            refs[n_refs++] = &records[i];
    if (n_refs > 1)
        qsort(refs, n_refs, sizeof *refs, compare_calls);
    return n_refs;
}

static size_t gather_ranges(const assay_section_name *names, const assay_activity *records,
                            size_t n, record_ref *refs)
{
    size_t n_refs = 0;

    for (size_t i = 0; i < n; i++)
        if (records[i].kind == ASSAY_ACTIVITY_RANGE &&
            assay_trace_find_name(names, records[i].name))
            refs[n_refs++] = &records[i];
    if (n_refs > 1)
        qsort(refs, n_refs, sizeof *refs, compare_starts);
    return n_refs;
}

/* Finds the last range to begin among those that are open when the call begins. The end of the call
 * does not matter: a call ends in the range that it was made in, but their times come from
 * different clocks. */
static const char *range_around(record_ref call, const record_ref *ranges, size_t n)
{
    size_t least = 0, end = n; /* end: the first one that begins after the call */

    while (least < end) {
        const size_t middle = least + (end - least) / 2;

        if (ranges[middle]->start_ns <= call->start_ns)
            least = middle + 1;
        else
            end = middle;
    }
    while (least-- > 0)
        if (ranges[least]->thread == call->thread && ranges[least]->end_ns >= call->start_ns)
            return ranges[least]->name;
    return NULL;
}

assay_status assay_trace_find_ranges(const assay_section_name *names, assay_activity *records,
                                     size_t n)
{
    assay_status st     = ASSAY_OK;
    record_ref  *calls  = calloc(n ? n : 1, sizeof *calls);
    record_ref  *ranges = calloc(n ? n : 1, sizeof *ranges);

    ASSAY_REQUIRE(calls && ranges, ASSAY_E_MEMORY, "no memory for the ranges of a trace");
    const size_t n_calls  = gather_calls(records, n, calls);
    const size_t n_ranges = gather_ranges(names, records, n, ranges);

    for (size_t i = 0; i < n; i++) {
        const record_ref  key  = &records[i];
        const record_ref *call = NULL;

        if (assay_trace_is_device(key) && key->correlation_id != 0)
            call = bsearch(&key, calls, n_calls, sizeof *calls, compare_calls);
        records[i].range = call ? range_around(*call, ranges, n_ranges) : NULL;
    }
out:
    free(ranges);
    free(calls);
    return st;
}

/* ---- parts ---- */

static int compare_streams(const void *left, const void *right)
{
    const record_ref a = *(const record_ref *)left, b = *(const record_ref *)right;
    const int64_t    keys[][2] = {
           { a->device, b->device },     { a->context, b->context }, { a->stream, b->stream },
           { a->start_ns, b->start_ns }, { a->end_ns, b->end_ns },
    };

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i][0] != keys[i][1])
            return assay_order_int64(keys[i][0], keys[i][1]);
    return 0;
}

static bool is_next(const assay_trace_part *part, record_ref record, const char *name)
{
    return part->device == record->device && part->context == record->context &&
           part->stream == record->stream && strcmp(part->name, name) == 0;
}

/* Each record joins the last part or begins a new one. A record without a name ends the last
 * part. */
static size_t join(const assay_section_name *names, const record_ref *refs, size_t n,
                   assay_trace_part *parts)
{
    size_t n_parts                  = 0;
    bool   is_open                  = false;
    char   name[sizeof parts->name] = "";

    for (size_t i = 0; i < n; i++) {
        const bool is_named = assay_trace_name(names, refs[i], name, sizeof name);

        if (is_named && !(is_open && is_next(&parts[n_parts - 1], refs[i], name))) {
            assay_trace_part *part = &parts[n_parts++];

            memcpy(part->name, name, sizeof name);
            part->span    = (assay_trace_span) { .name     = part->name,
                                                 .category = "part",
                                                 .start_ns = refs[i]->start_ns,
                                                 .end_ns   = refs[i]->end_ns };
            part->device  = refs[i]->device;
            part->context = refs[i]->context;
            part->stream  = refs[i]->stream;
        }
        is_open = is_named;
        if (is_named && refs[i]->end_ns > parts[n_parts - 1].span.end_ns)
            parts[n_parts - 1].span.end_ns = refs[i]->end_ns;
    }
    return n_parts;
}

assay_status assay_trace_find_parts(const assay_section_name *names, const assay_activity *records,
                                    size_t n, assay_trace_part **parts, size_t *n_parts)
{
    assay_status st     = ASSAY_OK;
    size_t       n_refs = 0;
    record_ref  *refs   = calloc(n ? n : 1, sizeof *refs);

    *parts   = calloc(n ? n : 1, sizeof **parts);
    *n_parts = 0;
    ASSAY_REQUIRE(refs && *parts, ASSAY_E_MEMORY, "no memory for the parts of a trace");
    for (size_t i = 0; i < n; i++)
        if (assay_trace_is_device(&records[i]))
            refs[n_refs++] = &records[i];
    if (n_refs > 1)
        qsort(refs, n_refs, sizeof *refs, compare_streams);
    *n_parts = join(names, refs, n_refs, *parts);
out:
    free(refs);
    return st;
}
