/* Which call started which work. */
#include "trace_internal.h"

#include "base/sort.h"

#include <stdlib.h>

typedef const assay_trace_event *event_ref;

/* By correlation id; for one id, calls come first; then by start, an outer event before those in
 * it. */
static int compare(const void *left, const void *right)
{
    const event_ref a = *(const event_ref *)left, b = *(const event_ref *)right;
    const int64_t   keys[][2] = {
          { a->record->correlation_id, b->record->correlation_id },
          { a->track, b->track },
          { a->start_ns, b->start_ns },
          { b->end_ns, a->end_ns },
    };

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i][0] != keys[i][1])
            return assay_order_int64(keys[i][0], keys[i][1]);
    }
    return 0;
}

/* Collects calls and work of the device, sorted; returns their number. */
static size_t gather(const assay_trace_event *events, size_t n, event_ref *refs)
{
    size_t n_refs = 0;

    for (size_t i = 0; i < n; i++) {
        const bool joins =
            events[i].track == ASSAY_TRACK_API || events[i].track == ASSAY_TRACK_DEVICE;

        if (joins && events[i].record->correlation_id != 0)
            refs[n_refs++] = &events[i];
    }
    if (n_refs > 1)
        qsort(refs, n_refs, sizeof *refs, compare);
    return n_refs;
}

assay_status assay_trace_join(const assay_trace_event *events, size_t n, assay_trace_flow **flows,
                              size_t *n_flows)
{
    assay_status st   = ASSAY_OK;
    event_ref   *refs = calloc(n ? n : 1, sizeof *refs);

    *flows   = calloc(n ? n : 1, sizeof **flows);
    *n_flows = 0;
    ASSAY_REQUIRE(refs && *flows, ASSAY_E_MEMORY, "no memory for the arrows of the trace");
    const size_t n_refs = gather(events, n, refs);

    for (size_t i = 0, next = 0; i < n_refs; i = next) {
        const uint32_t id     = refs[i]->record->correlation_id;
        event_ref      device = NULL;

        for (next = i; next < n_refs && refs[next]->record->correlation_id == id; next++) {
            if (!device && refs[next]->track == ASSAY_TRACK_DEVICE)
                device = refs[next];
        }
        if (refs[i]->track == ASSAY_TRACK_API && device && device->start_ns >= refs[i]->start_ns)
            (*flows)[(*n_flows)++] = (assay_trace_flow) { .from = refs[i], .to = device, .id = id };
    }
out:
    free(refs);
    return st;
}
