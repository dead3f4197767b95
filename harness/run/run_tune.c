/* The search over a variant's tuning axes at one point. Each combination is judged, then timed,
 * from the same state, and passed on. */
#include "run_internal.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static const double TRIAL_BUDGET_S = 0.05;

typedef struct search {
    assay_runner      *runner;
    const assay_point *point; /* the point with its default values */
    assay_policy       policy;
    const assay_sink  *sink;
    bool               has_time; /* a combination was timed */
    bool by_graph;       /* the kernels are short: an event interval would mostly measure itself */
    assay_trial_row row; /* of the current combination */
} search;

static void name_metric(const search *s, bool is_host, assay_trial_row *row)
{
    row->regime = is_host ? ASSAY_REGIME_E2E : s->by_graph ? ASSAY_REGIME_GRAPH : ASSAY_REGIME_COLD;
    row->clock  = is_host ? ASSAY_CLOCK_HOST : s->by_graph ? ASSAY_CLOCK_GRAPH : ASSAY_CLOCK_EVENT;
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
    assay_run_add_fault(p, &fault);
    row->n_samples = measurement.n_samples;
    row->median_ns = measurement.median_ns;
out:
    return st;
}

/* Each trial starts from the same state. The results of its check go into its own row, not to the
 * point. */
static assay_status try_one(search *s, int64_t i)
{
    assay_status     st    = ASSAY_OK;
    assay_trial_row *row   = &s->row;
    assay_point      tuned = *s->point;
    progress         p;

    assay_point_tune(&tuned, i);
    p              = assay_run_begin(s->runner, &tuned, s->sink, 0);
    p.keeps_checks = true;
    *row           = (assay_trial_row) { .verdict = ASSAY_NOT_RUN };
    row->median_ns = NAN;
    (void)assay_point_tuning_text(&tuned, row->tuning, sizeof row->tuning);
    ASSAY_CHECK(assay_run_arm_timed(&p));
    ASSAY_CHECK(assay_run_verify(&p, NULL));
    if (!assay_run_has_failed(&p))
        ASSAY_CHECK(measure(s, &p, row));
    if (!assay_run_has_failed(&p))
        assay_run_add_finding(&p, ASSAY_PASS, "");
out:
    /* A combination for which there is not enough memory just cannot be chosen. */
    if (st == ASSAY_E_DEVICE_MEMORY || st == ASSAY_E_MEMORY) {
        assay_run_add_finding(&p, ASSAY_SKIPPED, assay_status_message());
        assay_status_reset();
        st = ASSAY_OK;
    }
    row->verdict = p.row.verdict;
    (void)assay_text_set(row->reason, sizeof row->reason, "%s", p.row.reason);
    assay_run_tear_down(&p);
    return st;
}

/* The first right combination tells whether all are short; it is then tried once more. */
static assay_status try_next(search *s, int64_t i)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(try_one(s, i));
    if (!s->has_time && isfinite(s->row.median_ns)) {
        s->has_time = true;
        s->by_graph = s->row.median_ns < s->policy.short_ns;
        if (s->by_graph)
            ASSAY_CHECK(try_one(s, i));
    }
    ASSAY_CHECK(s->sink->row(s->sink->context, 0, ASSAY_ROW_TRIAL, &s->row));
out:
    return st;
}

assay_status assay_run_tune(assay_runner *runner, const assay_point *point,
                            const assay_policy *policy, const assay_search *from,
                            const assay_sink *sink)
{
    assay_status  st = ASSAY_OK;
    const int64_t n  = assay_point_tuning_count(&point->definition->variants[point->variant]);
    search        s  = { .runner   = runner,
                         .point    = point,
                         .policy   = *policy,
                         .sink     = sink,
                         .has_time = from->has_time,
                         .by_graph = from->by_graph };

    for (int64_t i = from->first; i < n && !runner->is_spent; i++)
        ASSAY_CHECK(try_next(&s, i));
out:
    return st;
}
