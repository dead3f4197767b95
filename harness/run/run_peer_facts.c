/* What the host did in two calls of a peer, as facts: how long the first call took and where, and
 * how often the later call used CUDA. */
#include "run_internal.h"

#include "base/sort.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_DEPTH  = 64, /* nested ranges and operations; deeper ones are added to their parent */
    MOST_FACTS  = 12, /* of each kind */
    MOST_NAMES  = 1024,
    LEAST_SHARE = 100 /* of the first call: parts below one hundredth are not reported */
};

/* The total of all parts with one name. */
typedef struct tally {
    const char *name;
    bool        is_call; /* it is a call of CUDA */
    int64_t     n;
    double      own_ns; /* without the parts inside it */
} tally;

/* Parts with equal names share one entry (share_names of run_peer_trace.c). Names that do not fit
 * share the last one. */
typedef struct tallies {
    tally  items[MOST_NAMES + 1];
    size_t n;
} tallies;

static bool is_host(const assay_activity *r)
{
    return r->kind == ASSAY_ACTIVITY_API || r->kind == ASSAY_ACTIVITY_OPERATION ||
           r->kind == ASSAY_ACTIVITY_RANGE;
}

static tally *tally_of(tallies *all, const assay_activity *r)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->items[i].name == r->name)
            return &all->items[i];
    if (all->n > MOST_NAMES)
        return &all->items[MOST_NAMES];
    all->items[all->n] = (tally) { .name = r->name, .is_call = r->kind == ASSAY_ACTIVITY_API };
    if (all->n == MOST_NAMES)
        all->items[all->n] = (tally) { .name = "(other names)" };
    return &all->items[all->n++];
}

typedef const assay_activity *record_ref;

/* Sorts by thread; a part that contains another comes first. */
static int compare_nesting(const void *left, const void *right)
{
    const record_ref a = *(const record_ref *)left, b = *(const record_ref *)right;

    if (a->thread != b->thread)
        return assay_order_int64(a->thread, b->thread);
    return a->start_ns != b->start_ns ? assay_order_int64(a->start_ns, b->start_ns)
                                      : assay_order_int64(b->end_ns, a->end_ns);
}

/* The clocks of a thread's ranges and calls differ a little, so a part may end after the one in
 * which it began. */
static double overlap_ns(const assay_activity *inner, const assay_activity *outer)
{
    const int64_t end_ns = inner->end_ns < outer->end_ns ? inner->end_ns : outer->end_ns;

    return (double)(end_ns - inner->start_ns);
}

/* Subtracts the time of each part from the part that contains it. Parts that are too deep count as
 * a part of the deepest. */
static void add_own_times(const record_ref *refs, size_t n, tallies *all)
{
    record_ref open[MOST_DEPTH];
    int        depth = 0;

    for (size_t i = 0; i < n; i++) {
        const double length_ns = (double)(refs[i]->end_ns - refs[i]->start_ns);
        tally       *own       = tally_of(all, refs[i]);

        while (depth > 0 && (open[depth - 1]->thread != refs[i]->thread ||
                             open[depth - 1]->end_ns <= refs[i]->start_ns))
            depth--;
        own->n++;
        if (depth == MOST_DEPTH)
            continue;
        own->own_ns += length_ns;
        if (depth > 0)
            tally_of(all, open[depth - 1])->own_ns -= overlap_ns(refs[i], open[depth - 1]);
        open[depth++] = refs[i];
    }
}

static assay_status count(const assay_activity *records, int64_t n, tallies *all)
{
    assay_status st     = ASSAY_OK;
    size_t       n_refs = 0;
    record_ref  *refs   = calloc((size_t)n + 1, sizeof *refs);

    ASSAY_REQUIRE(refs, ASSAY_E_MEMORY, "no memory for %lld records", (long long)n);
    for (int64_t i = 0; i < n; i++)
        if (is_host(&records[i]))
            refs[n_refs++] = &records[i];
    if (n_refs > 1)
        qsort(refs, n_refs, sizeof *refs, compare_nesting);
    add_own_times(refs, n_refs, all);
out:
    free(refs);
    return st;
}

static int compare_own_times(const void *left, const void *right)
{
    const tally *a = left, *b = right;

    return assay_order_double(b->own_ns, a->own_ns);
}

static int compare_numbers(const void *left, const void *right)
{
    const tally *a = left, *b = right;

    return assay_order_int64(b->n, a->n);
}

/* The time from the first start on the host to the last end, also on the device. */
static double length_of(const assay_activity *records, int64_t n)
{
    int64_t end_ns = 0;

    for (int64_t i = 0; i < n; i++)
        end_ns = records[i].end_ns > end_ns ? records[i].end_ns : end_ns;
    return n > 0 ? (double)(end_ns - records[0].start_ns) : 0;
}

static assay_status put_named(const progress *p, const char *what, const tally *t, double value)
{
    char name[sizeof((assay_metric_row *)0)->name];

    (void)assay_text_set(name, sizeof name, "%s%s", what, t->name);
    return assay_run_put_told(p, name, value);
}

static assay_status put_first(const progress *p, tallies *all, double length_ns)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_run_put_told(p, "traced_first_call_ns", length_ns));
    if (all->n > 1)
        qsort(all->items, all->n, sizeof *all->items, compare_own_times);
    for (size_t i = 0; i < all->n && i < MOST_FACTS; i++)
        if (all->items[i].own_ns * LEAST_SHARE >= length_ns)
            ASSAY_CHECK(
                put_named(p, "traced_first_call_ns in ", &all->items[i], all->items[i].own_ns));
out:
    return st;
}

static assay_status put_calls(const progress *p, tallies *all)
{
    assay_status st     = ASSAY_OK;
    int          n_told = 0;

    if (all->n > 1)
        qsort(all->items, all->n, sizeof *all->items, compare_numbers);
    for (size_t i = 0; i < all->n && n_told < MOST_FACTS; i++)
        if (all->items[i].is_call) {
            ASSAY_CHECK(put_named(p, "calls of ", &all->items[i], (double)all->items[i].n));
            n_told++;
        }
out:
    return st;
}

assay_status assay_run_put_host(const progress *p, const assay_activity *first, int64_t n_first,
                                const assay_activity *later, int64_t n_later)
{
    assay_status st  = ASSAY_OK;
    tallies     *all = calloc(2, sizeof *all);

    ASSAY_REQUIRE(all, ASSAY_E_MEMORY, "no memory for what the host of a peer did");
    ASSAY_CHECK(count(first, n_first, &all[0]));
    ASSAY_CHECK(count(later, n_later, &all[1]));
    if (all[0].n > 0)
        ASSAY_CHECK(put_first(p, &all[0], length_of(first, n_first)));
    ASSAY_CHECK(put_calls(p, &all[1]));
out:
    free(all);
    return st;
}
