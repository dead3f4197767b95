/* A timeline of a few calls of one point, with the host's work beside it, and the sections of a
 * call. */
#include "run_internal.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    N_CALLS   = 5,
    MAX_SPANS = 4 * N_CALLS + 8
};

static const double TRACE_LIMIT_S = 120;

typedef struct recording {
    progress              *p;
    const assay_cupti_api *cupti;
    assay_trace_span       spans[MAX_SPANS];
    int                    n_spans;
} recording;

/* ---- spans ---- */

static int begin_span(recording *r, const char *name, const char *category, int depth)
{
    ASSAY_ASSERT(r->n_spans < MAX_SPANS);
    r->spans[r->n_spans] = (assay_trace_span) {
        .name = name, .category = category, .start_ns = r->cupti->now_ns(), .depth = depth
    };
    return r->n_spans++;
}

static void end_span(recording *r, int span) { r->spans[span].end_ns = r->cupti->now_ns(); }

/* ---- one call ---- */

static assay_status open_gate(const progress *p)
{
    bool was_adequate;

    return assay_run_device_status(p->runner,
                                   p->memory.api->gate_open(p->runner->device, &was_adequate));
}

/* Enqueues a call as a hot sample does, so that the records tell which kernels belong to it. If the
 * launcher waits for the device itself, the gate is only a mark in the records; a closed gate would
 * block it until the time-out. */
static assay_status enqueue_call(progress *p)
{
    const assay_device_api *api    = p->memory.api;
    assay_device           *device = p->runner->device;
    const bool              waits  = (p->variant->flags & ASSAY_HOST_SYNC) != 0;
    assay_fault             fault  = { .kind = ASSAY_FAULT_NONE };
    assay_status            st = ASSAY_OK, opened = ASSAY_OK;

    ASSAY_CHECK(assay_run_device_status(p->runner, api->gate_close(device)));
    if (waits)
        ASSAY_CHECK(open_gate(p));
    st = assay_run_device_status(p->runner,
                                 api->enqueue(device, p->launcher.launch, &p->args, &fault));
    if (st == ASSAY_OK && fault.kind == ASSAY_FAULT_NONE)
        st = assay_run_device_status(p->runner, api->clock_end(device));
    /* Opened in any case: behind a closed gate the next wait would not end. */
    if (!waits)
        opened = open_gate(p);
    ASSAY_CHECK(st);
    ASSAY_CHECK(opened);
    assay_run_add_fault(p, &fault);
out:
    return st;
}

static assay_status wait_for_call(progress *p)
{
    assay_fault  fault = { .kind = ASSAY_FAULT_NONE };
    assay_status st    = ASSAY_OK;

    ASSAY_CHECK(assay_run_device_status(p->runner, p->memory.api->wait(p->runner->device, &fault)));
    assay_run_add_fault(p, &fault);
out:
    return st;
}

static assay_status record_call(recording *r)
{
    progress    *p    = r->p;
    const int    call = begin_span(r, "call", "harness", 1);
    int          part = begin_span(r, "restore", "harness", 2);
    assay_status st   = ASSAY_OK;

    ASSAY_CHECK(assay_buffers_restore(&p->buffers));
    ASSAY_CHECK(wait_for_call(p));
    end_span(r, part);
    part = begin_span(r, "launch", "harness", 2);
    ASSAY_CHECK(enqueue_call(p));
    end_span(r, part);
    part = begin_span(r, "wait", "harness", 2);
    ASSAY_CHECK(wait_for_call(p));
    end_span(r, part);
    end_span(r, call);
out:
    return st;
}

/* ---- results ---- */

assay_status assay_run_write_trace(const progress *p, const char *path,
                                   const assay_trace_span *spans, int n_spans,
                                   const assay_activity *records, int64_t n, int64_t n_dropped)
{
    assay_status            st = ASSAY_OK;
    char                    key[ASSAY_KEY_SIZE];
    FILE                   *file   = fopen(path, "w");
    const char             *script = p->variant->peer.script;
    const assay_trace_about about  = { .program   = script ? script : "assay",
                                       .sections  = p->variant->sections,
                                       .device    = p->runner->info.name,
                                       .point     = assay_point_key(p->point, key, sizeof key),
                                       .process   = (uint32_t)getpid(),
                                       .n_dropped = n_dropped };

    ASSAY_REQUIRE(file, ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    ASSAY_CHECK(assay_trace_write(file, spans, (size_t)n_spans, records, (size_t)n, &about));
out:
    if (file && fclose(file) != 0 && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    return st;
}

/* Converts the rows of one call to records. The caller frees. */
static assay_status records_of_rows(const assay_launch_row *rows, int n, assay_activity **records)
{
    assay_status st    = ASSAY_OK;
    int64_t      at_ns = 1;

    *records = calloc((size_t)n, sizeof **records);
    ASSAY_REQUIRE(*records, ASSAY_E_MEMORY, "no memory for %d launches", n);
    for (int i = 0; i < n; i++) {
        (*records)[i] = (assay_activity) { .kind     = ASSAY_ACTIVITY_KERNEL,
                                           .name     = rows[i].kernel,
                                           .start_ns = at_ns,
                                           .end_ns   = at_ns + (int64_t)rows[i].time_ns };
        at_ns         = (*records)[i].end_ns;
    }
out:
    return st;
}

assay_status assay_run_put_sections(const progress *p, const assay_activity *records, int64_t n,
                                    int64_t n_calls)
{
    assay_status   st       = ASSAY_OK;
    assay_section *sections = NULL;
    int            n_found  = 0;

    ASSAY_CHECK(assay_trace_sections(records, (size_t)n, n_calls, p->variant->sections, &sections,
                                     &n_found, NULL));
    for (int i = 0; i < n_found; i++) {
        /* A mean if the calls differ; a kernel that ran at all is not shown as 0. */
        const int64_t     launches = (sections[i].launches + n_calls / 2) / n_calls;
        assay_section_row row      = { .launches = launches > 0 ? (int)launches : 1,
                                       .time_ns  = sections[i].time_ns,
                                       .share    = sections[i].share };

        (void)assay_text_set(row.name, sizeof row.name, "%s", sections[i].name);
        ASSAY_CHECK(assay_run_put(p, ASSAY_ROW_SECTION, &row));
    }
out:
    free(sections);
    return st;
}

/* Passes on kernels, copies and fills of the calls, without those of the harness: medians if all
 * calls have the same ones, else means. */
static assay_status hand_over_rows(const progress *p, const assay_activity *records, int64_t n)
{
    assay_status      st   = ASSAY_OK;
    assay_launch_row *rows = NULL;
    assay_activity   *work = NULL;
    int               n_rows;
    int64_t           n_work, n_calls = 1;
    char              why[160];

    ASSAY_CHECK(assay_record_launches(records, n, &rows, &n_rows, why, sizeof why));
    for (int i = 0; i < n_rows; i++)
        ASSAY_CHECK(assay_run_put(p, ASSAY_ROW_LAUNCH, &rows[i]));
    n_work = n_rows;
    if (n_rows > 0)
        ASSAY_CHECK(records_of_rows(rows, n_rows, &work));
    else
        ASSAY_CHECK(assay_record_work(records, n, &work, &n_work, &n_calls));
    if (n_rows == 0)
        (void)fprintf(stderr,
                      "assay: the kernels of a call are not kept, and times of sections "
                      "are means over %lld calls: %s\n",
                      (long long)n_calls, why);
    if (n_calls > 0)
        ASSAY_CHECK(assay_run_put_sections(p, work, n_work, n_calls));
out:
    free(work);
    free(rows);
    return st;
}

static assay_status hand_over(const recording *r, const char *path)
{
    assay_status          st      = ASSAY_OK;
    const assay_activity *records = NULL;
    int64_t               n = 0, n_dropped = 0;

    st = r->cupti->activity_collect(&records, &n, &n_dropped);
    ASSAY_REQUIRE(st == ASSAY_OK, st, "%s", r->cupti->message());
    ASSAY_CHECK(assay_run_write_trace(r->p, path, r->spans, r->n_spans, records, n, n_dropped));
    ASSAY_CHECK(hand_over_rows(r->p, records, n));
out:
    return st;
}

assay_status assay_run_trace(assay_runner *runner, const assay_timed_point *point, const char *path,
                             const assay_sink *sink)
{
    assay_status st = ASSAY_OK;
    progress     p  = assay_run_begin(runner, &point->point, sink, 0);
    recording    r  = { .p = &p };
    int          whole, part;

    ASSAY_REQUIRE(p.memory.api && runner->records, ASSAY_E_USAGE,
                  "only what runs on a GPU can be traced");
    r.cupti = runner->records->cupti;
    whole   = begin_span(&r, p.variant->name, "point", 0);
    part    = begin_span(&r, "set up", "harness", 1);
    ASSAY_CHECK(assay_run_arm_timed(&p));
    end_span(&r, part);
    /* Code is loaded when it is first launched. */
    part = begin_span(&r, assay_run_has_launched(&p) ? "call, verified" : "first call, verified",
                      "harness", 1);
    ASSAY_CHECK(assay_run_verify(&p, &point->judged.of_draw[0]));
    end_span(&r, part);
    ASSAY_CHECK(sink->note(sink->context, 0, "tracing", TRACE_LIMIT_S));
    for (int i = 0; i < N_CALLS && !assay_run_has_failed(&p); i++)
        ASSAY_CHECK(record_call(&r));
    end_span(&r, whole);
    if (!assay_run_has_failed(&p))
        ASSAY_CHECK(hand_over(&r, path));
    assay_run_add_finding(&p, ASSAY_PASS, "");
    ASSAY_CHECK(assay_run_put(&p, ASSAY_ROW_VERDICT, &p.row));
out:
    assay_run_tear_down(&p);
    return st;
}
