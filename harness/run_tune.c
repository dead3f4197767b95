/* The search over a variant's tuning axes at one point: every combination is judged, then timed,
 * from the same state; the fastest one is chosen. */
#include "run_internal.h"

#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TRIAL_BUDGET_S = 0.05;

typedef struct search {
    assay_runner      *runner;
    const assay_point *point; /* with its default values */
    assay_policy       policy;
    const assay_sink  *sink;
    bool               by_graph; /* short: the event interval is mostly its own */
    assay_trial_row   *rows;     /* one a combination, owned */
} search;

static void name_metric(const search *s, bool is_host, assay_trial_row *row)
{
    (void)assay_text_set(row->regime, sizeof row->regime, "%s",
                         is_host       ? "e2e"
                         : s->by_graph ? "graph"
                                       : "cold");
    (void)assay_text_set(row->clock, sizeof row->clock, "%s",
                         is_host       ? "host"
                         : s->by_graph ? "graph"
                                       : "event");
}

static assay_status measure(const search *s, progress *p, assay_trial_row *row)
{
    assay_status          st          = ASSAY_OK;
    const assay_timer_job job         = assay_run_timer_job(p);
    assay_measurement_row measurement = { .median_ns = NAN };
    assay_fault           fault;

    name_metric(s, (p->variant->flags & ASSAY_HOST_SYNC) != 0, row);
    ASSAY_CHECK(p->sink->note(p->sink->context, p->place, "tuning",
                              assay_run_step_limit_s(p, TRIAL_BUDGET_S)));
    ASSAY_CHECK(assay_timer_measure(&job, &s->policy, row->regime, row->clock, TRIAL_BUDGET_S,
                                    &measurement, &fault));
    assay_run_find_fault(p, &fault);
    row->n_samples = measurement.n_samples;
    row->median_ns = measurement.median_ns;
out:
    return st;
}

/* The state is set anew for each trial; what its check says goes into its row, not among the
 * point's own checks. */
static assay_status try_one(search *s, int64_t i)
{
    assay_status     st    = ASSAY_OK;
    assay_trial_row *row   = &s->rows[i];
    assay_point      tuned = *s->point;
    progress         p;

    assay_point_tune(&tuned, i);
    p              = assay_run_begin(s->runner, &tuned, s->sink, 0);
    p.keeps_checks = true;
    row->median_ns = NAN;
    (void)assay_point_tuning_text(&tuned, row->tuning, sizeof row->tuning);
    ASSAY_CHECK(assay_run_arm_timed(&p));
    ASSAY_CHECK(assay_run_verify(&p, NULL));
    if (!assay_run_has_failed(&p))
        ASSAY_CHECK(measure(s, &p, row));
    if (!assay_run_has_failed(&p))
        assay_run_find(&p, ASSAY_PASS, "");
out:
    /* A combination that needs more memory than there is cannot be chosen, that is all. */
    if (st == ASSAY_E_DEVICE_MEMORY || st == ASSAY_E_MEMORY) {
        assay_run_find(&p, ASSAY_SKIPPED, assay_status_message());
        assay_status_reset();
        st = ASSAY_OK;
    }
    row->verdict = p.row.verdict;
    (void)assay_text_set(row->reason, sizeof row->reason, "%s", p.row.reason);
    assay_run_tear_down(&p);
    return st;
}

static void choose(search *s, int64_t n)
{
    int64_t best = -1;

    for (int64_t i = 0; i < n; i++)
        if (s->rows[i].verdict == ASSAY_PASS && isfinite(s->rows[i].median_ns) &&
            (best < 0 || s->rows[i].median_ns < s->rows[best].median_ns))
            best = i;
    if (best >= 0)
        s->rows[best].is_chosen = true;
}

/* The defaults come first; how long the first right one takes decides what all are read by. A
 * combination that ruins the device ends the search: the worker must end, and what it found is
 * handed over. */
static assay_status try_all(search *s, int64_t n)
{
    assay_status st       = ASSAY_OK;
    bool         has_time = false;

    for (int64_t i = 0; i < n && !s->runner->is_spent; i++) {
        ASSAY_CHECK(try_one(s, i));
        if (has_time || !isfinite(s->rows[i].median_ns))
            continue;
        has_time = true;
        if (s->rows[i].median_ns < s->policy.short_ns) {
            s->by_graph = true;
            ASSAY_CHECK(try_one(s, i));
        }
    }
out:
    return st;
}

assay_status assay_run_tune(assay_runner *runner, const assay_point *point,
                            const assay_policy *policy, const assay_sink *sink)
{
    assay_status  st = ASSAY_OK;
    const int64_t n  = assay_point_tuning_count(&point->definition->variants[point->variant]);
    search        s  = { .runner = runner, .point = point, .policy = *policy, .sink = sink };

    s.rows = calloc((size_t)n, sizeof *s.rows);
    ASSAY_REQUIRE(s.rows, ASSAY_E_MEMORY, "no memory for %lld trials", (long long)n);
    ASSAY_CHECK(try_all(&s, n));
    choose(&s, n);
    for (int64_t i = 0; i < n; i++)
        if (s.rows[i].verdict != ASSAY_NOT_RUN)
            ASSAY_CHECK(sink->row(sink->context, 0, ASSAY_ROW_TRIAL, &s.rows[i]));
out:
    free(s.rows);
    return st;
}
