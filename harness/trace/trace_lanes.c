/* Rows of a trace: no slice may hide another. */
#include "trace_internal.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* Ends of the events that are open at the current time, the innermost last. */
typedef struct lane {
    int64_t *ends; /* owned */
    size_t   n, capacity;
} lane;

typedef struct lanes {
    lane  *items;     /* owned */
    size_t n, n_used; /* the others are kept for the next group */
} lanes;

/* Events with the same answer share a thread or a stream. */
static int compare_groups(const assay_trace_event *a, const assay_trace_event *b)
{
    const int64_t keys[][2] = {
        { a->track, b->track },   { a->device, b->device }, { a->context, b->context },
        { a->stream, b->stream }, { a->thread, b->thread },
    };

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i][0] != keys[i][1])
            return assay_order_int64(keys[i][0], keys[i][1]);
    }
    return 0;
}

static bool is_instant(const assay_trace_event *event) { return event->start_ns == event->end_ns; }

/* By start; an outer event comes first, but an instant comes before the events that start with
 * it. */
static int compare_times(const assay_trace_event *a, const assay_trace_event *b)
{
    if (a->start_ns != b->start_ns)
        return assay_order_int64(a->start_ns, b->start_ns);
    if (is_instant(a) || is_instant(b))
        return is_instant(b) - is_instant(a);
    return assay_order_int64(b->end_ns, a->end_ns);
}

/* Of two spans with the same times, the one with less depth contains the other. */
static int compare_depths(const assay_trace_event *a, const assay_trace_event *b)
{
    return a->span && b->span ? assay_order_int64(a->span->depth, b->span->depth) : 0;
}

static int compare_events(const void *left, const void *right)
{
    const assay_trace_event *a = left, *b = right;
    const int                groups = compare_groups(a, b);
    const int                times  = groups ? groups : compare_times(a, b);

    return times ? times : compare_depths(a, b);
}

static bool may_nest(const assay_trace_event *event) { return event->track != ASSAY_TRACK_DEVICE; }

/* Is there room in the lane? Removes the events that have ended. */
static bool fits(lane *l, const assay_trace_event *event)
{
    while (l->n > 0 && l->ends[l->n - 1] <= event->start_ns)
        l->n--;
    return l->n == 0 || (may_nest(event) && event->end_ns <= l->ends[l->n - 1]);
}

static bool push(lane *l, int64_t end_ns)
{
    if (l->n == l->capacity) {
        const size_t capacity = l->capacity ? 2 * l->capacity : 8;
        int64_t     *ends     = realloc(l->ends, capacity * sizeof *ends);

        if (!ends)
            return false;
        l->ends     = ends;
        l->capacity = capacity;
    }
    l->ends[l->n++] = end_ns;
    return true;
}

/* The first lane with room, a new one if there is none. NULL: out of memory. */
static lane *find_lane(lanes *all, const assay_trace_event *event)
{
    for (size_t i = 0; i < all->n_used; i++) {
        if (fits(&all->items[i], event))
            return &all->items[i];
    }
    if (all->n_used == all->n) {
        lane *items = realloc(all->items, (all->n + 1) * sizeof *items);

        if (!items)
            return NULL;
        all->items = items;
        memset(&all->items[all->n++], 0, sizeof *items);
    }
    lane *opened = &all->items[all->n_used++];

    opened->n = 0;
    return opened;
}

static void free_lanes(lanes *all)
{
    for (size_t i = 0; i < all->n; i++)
        free(all->items[i].ends);
    free(all->items);
}

assay_status assay_trace_place(assay_trace_event *events, size_t n)
{
    assay_status st    = ASSAY_OK;
    lanes        all   = { 0 };
    uint32_t     first = 0; /* row of the group's lane 0 */

    if (n > 1)
        qsort(events, n, sizeof *events, compare_events);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && compare_groups(&events[i - 1], &events[i]) != 0) {
            first += (uint32_t)all.n_used;
            all.n_used = 0;
        }
        lane *found = find_lane(&all, &events[i]);

        ASSAY_REQUIRE(found && push(found, events[i].end_ns), ASSAY_E_MEMORY,
                      "no memory for the rows of the trace");
        events[i].lane = (uint32_t)(found - all.items);
        events[i].row  = first + events[i].lane;
    }
out:
    free_lanes(&all);
    return st;
}

/* ---- the check ---- */

typedef const assay_trace_event *event_ref;

static int compare_rows(const void *left, const void *right)
{
    const event_ref a = *(const event_ref *)left, b = *(const event_ref *)right;

    return a->row != b->row ? assay_order_int64(a->row, b->row) : compare_times(a, b);
}

/* Walks the rows, outer events first. refs[0..open) becomes the stack of open events. */
static event_ref find_in_order(event_ref *refs, size_t n)
{
    size_t open = 0;

    for (size_t i = 0; i < n; i++) {
        const event_ref event = refs[i];

        if (open > 0 && refs[0]->row != event->row)
            open = 0;
        while (open > 0 && refs[open - 1]->end_ns <= event->start_ns)
            open--;
        if (open > 0 && (!may_nest(event) || event->end_ns > refs[open - 1]->end_ns))
            return event;
        refs[open++] = event;
    }
    return NULL;
}

int64_t assay_trace_find_overlap(const assay_trace_event *events, size_t n)
{
    event_ref *refs = calloc(n ? n : 1, sizeof *refs);

    if (!refs)
        return -2;
    for (size_t i = 0; i < n; i++)
        refs[i] = &events[i];
    if (n > 1)
        qsort(refs, n, sizeof *refs, compare_rows);
    const event_ref found = find_in_order(refs, n);

    free(refs);
    return found ? found - events : -1;
}
