/* The timeline of a peer: one call as the tool of its own process recorded it, and what the call is
 * made of. */
#include "run_internal.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SLACK_S =
    60; /* the tool's own start, and the end of a peer that was too slow */

/* ---- records ---- */

/* Names are few and records many: each name has one place, so that equal ones are found by it. */
static const char *share_name(const assay_peer_record *records, int64_t i,
                              const assay_activity *activities)
{
    enum {
        LOOKED_AT = 256 /* records back; a call of many steps repeats itself sooner */
    };
    const int64_t end = i > LOOKED_AT ? i - LOOKED_AT : 0;

    for (int64_t k = i - 1; k >= end; k--)
        if (strcmp(records[k].name, records[i].name) == 0)
            return activities[k].name;
    return records[i].name;
}

/* As activity records, which borrow the names. Caller frees. */
static assay_status to_activities(const assay_peer_record *records, int64_t n,
                                  assay_activity **activities)
{
    static const assay_activity_kind kinds[] = { ASSAY_ACTIVITY_KERNEL, ASSAY_ACTIVITY_MEMCPY,
                                                 ASSAY_ACTIVITY_MEMSET };
    assay_status                     st      = ASSAY_OK;

    *activities = calloc((size_t)n + 1, sizeof **activities);
    ASSAY_REQUIRE(*activities, ASSAY_E_MEMORY, "no memory for %lld records", (long long)n);
    for (int64_t i = 0; i < n; i++) {
        assay_activity *a = &(*activities)[i];

        a->kind      = kinds[records[i].kind];
        a->name      = share_name(records, i, *activities);
        a->start_ns  = records[i].start_ns;
        a->end_ns    = records[i].start_ns + records[i].duration_ns;
        a->registers = (uint32_t)records[i].registers;
        for (int d = 0; d < 3; d++) {
            a->grid[d]  = (uint32_t)records[i].grid[d];
            a->block[d] = (uint32_t)records[i].block[d];
        }
    }
out:
    return st;
}

/* ---- rows ---- */

static assay_status put_launches(const progress *p, const assay_peer_record *records, int64_t n)
{
    assay_status st = ASSAY_OK;

    if (n > ASSAY_MAX_LAUNCHES)
        (void)fprintf(stderr,
                      "assay: the kernels of a call are not kept: a call of %lld is longer than "
                      "the %d kept\n",
                      (long long)n, ASSAY_MAX_LAUNCHES);
    for (int64_t i = 0; i < n && n <= ASSAY_MAX_LAUNCHES; i++) {
        const assay_peer_record *r   = &records[i];
        assay_launch_row         row = { .ordinal     = (int)i,
                                         .registers   = r->registers > 0 ? r->registers : -1,
                                         .local_bytes = -1,
                                         .static_shared_bytes  = -1,
                                         .dynamic_shared_bytes = -1,
                                         .time_ns              = (double)r->duration_ns };

        (void)assay_text_set(row.kernel, sizeof row.kernel, "%s", r->name);
        memcpy(row.grid, r->grid, sizeof row.grid);
        memcpy(row.block, r->block, sizeof row.block);
        ASSAY_CHECK(assay_run_put(p, ASSAY_ROW_LAUNCH, &row));
    }
out:
    return st;
}

static int count_kernels(const assay_peer_record *records, int64_t n)
{
    int n_kernels = 0;

    for (int64_t i = 0; i < n; i++)
        n_kernels += records[i].kind == 0;
    return n_kernels;
}

static assay_status hand_over(progress *p, const char *path, const assay_peer_record *records,
                              int64_t n)
{
    assay_status     st         = ASSAY_OK;
    assay_activity  *activities = NULL;
    assay_trace_span call       = { .name = "call", .category = "peer" };

    ASSAY_CHECK(to_activities(records, n, &activities));
    for (int64_t i = 0; i < n; i++)
        call.end_ns = activities[i].end_ns > call.end_ns ? activities[i].end_ns : call.end_ns;
    call.start_ns = n > 0 ? activities[0].start_ns : 0;
    ASSAY_CHECK(assay_run_write_trace(p, path, &call, n > 0, activities, n, 0));
    ASSAY_CHECK(put_launches(p, records, n));
    ASSAY_CHECK(assay_run_put_sections(p, activities, n, 1));
    p->row.launches = count_kernels(records, n);
out:
    free(activities);
    return st;
}

/* ---- one point ---- */

static assay_status record_call(progress *p, const char *path)
{
    assay_status       st      = ASSAY_OK;
    assay_peer_record *records = NULL;
    int64_t            n       = 0;
    assay_peer_finding finding;

    ASSAY_CHECK(
        p->sink->note(p->sink->context, p->place, "tracing", p->peer_job.limit_s + SLACK_S));
    ASSAY_CHECK(assay_peer_trace(p->runner->peer, &records, &n, &finding));
    assay_run_find_of_peer(p, &finding);
    if (assay_run_is_going_well(p))
        ASSAY_CHECK(hand_over(p, path, records, n));
out:
    free(records);
    return st;
}

assay_status assay_run_trace_peer(assay_runner *runner, const assay_timed_point *point,
                                  const char *path, const assay_sink *sink)
{
    assay_status st = ASSAY_OK;
    progress     p  = assay_run_begin(runner, &point->point, sink, 0);

    ASSAY_CHECK(assay_run_find_peer(&p));
    if (assay_run_is_going_well(&p))
        ASSAY_CHECK(assay_run_arm_timed(&p));
    if (assay_run_is_going_well(&p))
        ASSAY_CHECK(assay_run_verify(&p, &point->judged.of_draw[0]));
    if (assay_run_is_going_well(&p))
        ASSAY_CHECK(record_call(&p, path));
    if (assay_run_is_going_well(&p))
        assay_run_find(&p, ASSAY_PASS, "");
    ASSAY_CHECK(assay_run_put(&p, ASSAY_ROW_VERDICT, &p.row));
out:
    assay_run_tear_down(&p);
    return st;
}
