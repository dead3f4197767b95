/* The timeline of a peer: its first call and a later one, recorded by the tool of its process, and
 * the sections of the later call. */
#include "run_internal.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For the tool's start, and for ending a peer that was too slow. */
static const double SLACK_S = 60;

/* The two calls: the first of the process, and one after the answer was verified. */
typedef struct calls {
    assay_peer_recording first, later;
} calls;

/* ---- records ---- */

static const assay_peer_record *const *by_name(const void *at) { return at; }

static int compare_names(const void *left, const void *right)
{
    return strcmp((*by_name(left))->name, (*by_name(right))->name);
}

/* There are few names and many records. Equal names share one address, by which they are compared.
 */
static assay_status share_names(const assay_peer_recording *r, assay_activity *activities)
{
    assay_status              st     = ASSAY_OK;
    const assay_peer_record **sorted = calloc((size_t)r->n + 1, sizeof *sorted);

    ASSAY_REQUIRE(sorted, ASSAY_E_MEMORY, "no memory for %lld records", (long long)r->n);
    for (int64_t i = 0; i < r->n; i++)
        sorted[i] = &r->records[i];
    if (r->n > 1)
        qsort(sorted, (size_t)r->n, sizeof *sorted, compare_names);
    for (int64_t i = 0; i < r->n; i++) {
        const bool is_new = i == 0 || strcmp(sorted[i]->name, sorted[i - 1]->name) != 0;

        activities[sorted[i] - r->records].name =
            is_new ? sorted[i]->name : activities[sorted[i - 1] - r->records].name;
    }
out:
    free(sorted);
    return st;
}

static assay_activity to_activity(const assay_peer_record *r)
{
    static const assay_activity_kind kinds[] = {
        [ASSAY_PEER_KERNEL]    = ASSAY_ACTIVITY_KERNEL,
        [ASSAY_PEER_COPY]      = ASSAY_ACTIVITY_MEMCPY,
        [ASSAY_PEER_FILL]      = ASSAY_ACTIVITY_MEMSET,
        [ASSAY_PEER_CALL]      = ASSAY_ACTIVITY_API,
        [ASSAY_PEER_RANGE]     = ASSAY_ACTIVITY_RANGE,
        [ASSAY_PEER_OPERATION] = ASSAY_ACTIVITY_OPERATION,
    };
    assay_activity a = { .kind           = kinds[r->kind],
                         .start_ns       = r->start_ns,
                         .end_ns         = r->start_ns + r->duration_ns,
                         .correlation_id = (uint32_t)r->correlation,
                         .registers      = (uint32_t)r->registers };

    if (r->kind <= ASSAY_PEER_FILL)
        a.stream = (uint32_t)r->place;
    else
        a.thread = (uint32_t)r->place;
    for (int d = 0; d < 3; d++) {
        a.grid[d]  = (uint32_t)r->grid[d];
        a.block[d] = (uint32_t)r->block[d];
    }
    return a;
}

/* Converts to activity records, which borrow the names; records of the device get their ranges. */
static assay_status to_activities(const progress *p, const assay_peer_recording *r,
                                  assay_activity *activities)
{
    assay_status st = ASSAY_OK;

    for (int64_t i = 0; i < r->n; i++)
        activities[i] = to_activity(&r->records[i]);
    ASSAY_CHECK(share_names(r, activities));
    ASSAY_CHECK(assay_trace_find_ranges(p->variant->sections, activities, (size_t)r->n));
out:
    return st;
}

/* ---- rows ---- */

/* Counts kernels, copies and fills. */
static int64_t count_launched(const assay_peer_recording *r, assay_peer_kind last)
{
    int64_t n = 0;

    for (int64_t i = 0; i < r->n; i++)
        n += r->records[i].kind <= (int32_t)last;
    return n;
}

static assay_launch_row to_launch(const assay_peer_record *r, int ordinal)
{
    assay_launch_row row = { .ordinal              = ordinal,
                             .registers            = r->registers > 0 ? r->registers : -1,
                             .local_bytes          = -1,
                             .static_shared_bytes  = -1,
                             .dynamic_shared_bytes = -1,
                             .time_ns              = (double)r->duration_ns };

    (void)assay_text_set(row.kernel, sizeof row.kernel, "%s", r->name);
    memcpy(row.grid, r->grid, sizeof row.grid);
    memcpy(row.block, r->block, sizeof row.block);
    return row;
}

static assay_status put_launches(const progress *p, const assay_peer_recording *r)
{
    assay_status  st      = ASSAY_OK;
    const int64_t n       = count_launched(r, ASSAY_PEER_FILL);
    int           ordinal = 0;

    if (n > ASSAY_MAX_LAUNCHES) {
        (void)fprintf(stderr,
                      "assay: the kernels of a call are not kept: a call of %lld is longer than "
                      "the %d kept\n",
                      (long long)n, ASSAY_MAX_LAUNCHES);
        return ASSAY_OK;
    }
    for (int64_t i = 0; i < r->n; i++) {
        if (r->records[i].kind > ASSAY_PEER_FILL)
            continue;
        const assay_launch_row row = to_launch(&r->records[i], ordinal++);

        ASSAY_CHECK(assay_run_put(p, ASSAY_ROW_LAUNCH, &row));
    }
out:
    return st;
}

static assay_trace_span span_of(const char *name, const assay_activity *activities, int64_t n)
{
    assay_trace_span span = { .name     = name,
                              .category = "peer",
                              .start_ns = activities[0].start_ns };

    for (int64_t i = 0; i < n; i++)
        span.end_ns = activities[i].end_ns > span.end_ns ? activities[i].end_ns : span.end_ns;
    return span;
}

/* Writes both calls to one file. All numbers are of the later call. */
static assay_status hand_over(progress *p, const char *path, const calls *c)
{
    assay_status     st    = ASSAY_OK;
    const int64_t    n     = c->first.n + c->later.n;
    assay_activity  *first = calloc((size_t)n + 1, sizeof *first);
    assay_activity  *later = first ? first + c->first.n : NULL;
    assay_trace_span spans[2];
    int              n_spans = 0;

    ASSAY_REQUIRE(first, ASSAY_E_MEMORY, "no memory for %lld records", (long long)n);
    ASSAY_CHECK(to_activities(p, &c->first, first));
    ASSAY_CHECK(to_activities(p, &c->later, later));
    if (c->first.n > 0)
        spans[n_spans++] = span_of("first call", first, c->first.n);
    if (c->later.n > 0)
        spans[n_spans++] = span_of("call", later, c->later.n);
    ASSAY_CHECK(assay_run_write_trace(p, path, spans, n_spans, first, n,
                                      c->first.n_left_out + c->later.n_left_out));
    ASSAY_CHECK(put_launches(p, &c->later));
    ASSAY_CHECK(assay_run_put_sections(p, later, c->later.n, 1));
    ASSAY_CHECK(assay_run_put_host(p, first, c->first.n, later, c->later.n));
    p->row.launches = (int)count_launched(&c->later, ASSAY_PEER_KERNEL);
out:
    free(first);
    return st;
}

/* ---- one point ---- */

static assay_status record_call(progress *p, bool is_first, assay_peer_recording *recording)
{
    assay_status       st = ASSAY_OK;
    assay_peer_finding finding;

    ASSAY_CHECK(
        p->sink->note(p->sink->context, p->place, "tracing", p->peer_job.limit_s + SLACK_S));
    ASSAY_CHECK(assay_peer_trace(p->runner->peer, is_first, recording, &finding));
    assay_run_add_peer_finding(p, &finding);
out:
    return st;
}

assay_status assay_run_trace_peer(assay_runner *runner, const assay_timed_point *point,
                                  const char *path, const assay_sink *sink)
{
    assay_status st = ASSAY_OK;
    progress     p  = assay_run_begin(runner, &point->point, sink, 0);
    calls        c  = { .first = { .n = 0 } };

    assay_run_end_used_peer(&p);
    ASSAY_CHECK(assay_run_find_peer(&p));
    if (assay_run_is_going_well(&p))
        ASSAY_CHECK(assay_run_arm_timed(&p));
    if (assay_run_is_going_well(&p))
        ASSAY_CHECK(record_call(&p, true, &c.first));
    if (assay_run_is_going_well(&p))
        ASSAY_CHECK(assay_run_verify(&p, &point->judged.of_draw[0]));
    if (assay_run_is_going_well(&p))
        ASSAY_CHECK(record_call(&p, false, &c.later));
    if (assay_run_is_going_well(&p))
        ASSAY_CHECK(hand_over(&p, path, &c));
    if (assay_run_is_going_well(&p))
        assay_run_add_finding(&p, ASSAY_PASS, "");
    ASSAY_CHECK(assay_run_put(&p, ASSAY_ROW_VERDICT, &p.row));
out:
    assay_run_tear_down(&p);
    free(c.first.records);
    free(c.later.records);
    return st;
}
