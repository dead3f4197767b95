/* The sample loop: warms up, takes blocks of samples and decides when a block has enough. */
#include "timer_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- making one ---- */

assay_status assay_timer_create(const assay_timer_job *job, const assay_policy *policy,
                                assay_regime regime, assay_clock clock, double budget_s,
                                assay_timer **timer)
{
    assay_timer  *t  = calloc(1, sizeof *t);
    assay_status  st = ASSAY_OK;
    const metric *m  = NULL;

    *timer = NULL;
    ASSAY_REQUIRE(t != NULL, ASSAY_E_MEMORY, "out of memory for a timer");
    ASSAY_CHECK(assay_policy_check(policy));
    ASSAY_CHECK(assay_timer_find_metric(regime, clock, job, &m));
    *t = (assay_timer) { .job             = job,
                         .policy          = policy,
                         .metric          = m,
                         .calls           = 1,
                         .max_calls       = 1,
                         .budget_s        = budget_s,
                         .fastest_wall_ns = INT64_MAX };
    /* Inputs that are restored before each sample allow only one call in it. */
    if (m->batches && (job->restore == NULL || job->is_repeatable))
        t->max_calls = m->needs_graph ? policy->graph_calls : policy->max_calls;
    *timer = t;
    t      = NULL;
out:
    free(t);
    return st;
}

void assay_timer_free(assay_timer *timer)
{
    if (timer == NULL)
        return;
    if (timer->graph != NULL)
        timer->job->api->graph_free(timer->job->device, timer->graph);
    assay_samples_free(&timer->samples);
    free(timer);
}

/* ---- warm-up ---- */

typedef struct window {
    double time_ns[64], sm_clock_mhz[64];
    int    n; /* of consecutive samples with the same number of calls */
} window;

/* Chooses as many calls as a sample needs to be long enough for its clock; true if the number
 * changed. */
static bool take_more_calls(assay_timer *t, double time_ns)
{
    const double target_ns =
        t->metric->needs_graph ? t->policy->graph_target_ns : t->policy->sample_target_ns;
    /* A hot sample takes at least the target time, a graph at most. */
    const double  ratio   = time_ns > 0 ? target_ns / time_ns : (double)INFINITY;
    const double  wanted  = t->metric->needs_graph ? floor(ratio) : ceil(ratio);
    const int64_t allowed = wanted < (double)t->max_calls ? (int64_t)wanted : t->max_calls;

    if (time_ns * (double)t->calls >= target_ns || allowed <= t->calls)
        return false;
    t->calls = allowed;
    return true;
}

/* If a gate timed out, there may have been too many calls behind it. */
static bool take_fewer_calls(assay_timer *t)
{
    const int64_t before = t->calls;

    t->calls     = t->calls > 1 ? t->calls / 2 : 1;
    t->max_calls = t->calls;
    return t->calls != before;
}

static bool do_agree(const double *values, int n, double agreement)
{
    double least = INFINITY, most = -INFINITY;

    for (int i = 0; i < n; i++) {
        if (isnan(values[i]))
            continue; /* a clock that was not read */
        least = fmin(least, values[i]);
        most  = fmax(most, values[i]);
    }
    return !(most - least > agreement * least);
}

static bool is_steady(const assay_timer *t, const window *w)
{
    const int n = t->policy->warm_window;

    return w->n >= n && do_agree(w->time_ns, n, t->policy->warm_agreement) &&
           do_agree(w->sm_clock_mhz, n, t->policy->warm_agreement);
}

static assay_status look_at_warm_up(assay_timer *t, const assay_sample *sample, window *w)
{
    assay_status st      = ASSAY_OK;
    bool         changed = false;

    t->n_warmup++;
    if (!sample->is_valid)
        changed = take_fewer_calls(t);
    else if (take_more_calls(t, sample->time_ns))
        changed = true;
    if (changed)
        ASSAY_CHECK(assay_timer_make_graph(t));
    if (changed || !sample->is_valid) {
        w->n = 0;
        goto out;
    }
    w->time_ns[w->n % t->policy->warm_window]      = sample->time_ns;
    w->sm_clock_mhz[w->n % t->policy->warm_window] = sample->sm_clock_mhz;
    w->n++;
out:
    return st;
}

static assay_status warm_until_steady(assay_timer *t)
{
    const int64_t began_ns = assay_timer_now(t);
    assay_sample  samples[ASSAY_MAX_ROUND];
    window        w  = { .n = 0 };
    int           n  = 0;
    assay_status  st = ASSAY_OK;

    do {
        ASSAY_CHECK(assay_timer_take_round(t, samples, &n));
        for (int i = 0; i < n && !has_fault(t); i++)
            ASSAY_CHECK(look_at_warm_up(t, &samples[i], &w));
    } while (!has_fault(t) && !is_steady(t, &w) && t->n_warmup < t->policy->max_warmup &&
             assay_timer_spent_s(t, began_ns) < t->policy->warm_share * t->budget_s);
out:
    return st;
}

/* The launcher has just run, so only its capture was refused. */
static void note_no_graph(assay_timer *t)
{
    if (!t->metric->needs_graph || t->fault->kind != ASSAY_FAULT_LAUNCH)
        return;
    memset(t->fault, 0, sizeof *t->fault);
    t->has_no_graph = true;
    t->stop_reason  = "no graph";
}

assay_status assay_timer_warm_up(assay_timer *timer, assay_fault *fault)
{
    assay_status st = ASSAY_OK;

    memset(fault, 0, sizeof *fault);
    timer->fault    = fault;
    timer->first_ns = assay_timer_now(timer);
    ASSAY_CHECK(assay_timer_prepare(timer));
    ASSAY_CHECK(assay_timer_call(timer));
    timer->n_warmup = 1;
    if (has_fault(timer))
        goto out;
    ASSAY_CHECK(assay_timer_make_graph(timer));
    note_no_graph(timer);
    if (has_fault(timer) || timer->has_no_graph)
        goto out;
    /* If a CPU variant is slower than its budget, its first call is its whole warm-up. */
    if (timer->job->api != NULL || assay_timer_spent_s(timer, timer->first_ns) < timer->budget_s)
        ASSAY_CHECK(warm_until_steady(timer));
    timer->is_warm = true;
out:
    timer->spent_ns += assay_timer_now(timer) - timer->first_ns;
    timer->warm_s = assay_timer_spent_s(timer, timer->first_ns);
    timer->fault  = NULL;
    return st;
}

/* ---- results ---- */

assay_status assay_timer_finish(assay_timer *timer, assay_measurement_row *row,
                                assay_samples *samples)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(timer->stop_reason != NULL, ASSAY_E_INTERNAL, "no block was taken");
    row->regime = timer->metric->regime;
    row->clock  = timer->metric->clock;
    (void)snprintf(row->stop_reason, sizeof row->stop_reason, "%s", timer->stop_reason);
    ASSAY_CHECK(assay_samples_summarize(&timer->samples, row));
    row->launches_per_sample = timer->calls;
    row->flush_bytes         = timer->metric->flushes ? 2 * (double)timer->job->l2_bytes : 0;
    row->n_warmup            = timer->n_warmup;
    row->wall_s              = (double)timer->spent_ns * 1e-9;
    row->policy              = *timer->policy;
    *samples                 = timer->samples;
    timer->samples           = (assay_samples) { .n = 0 };
out:
    return st;
}

assay_status assay_timer_measure(const assay_timer_job *job, const assay_policy *policy,
                                 assay_regime regime, assay_clock clock, double budget_s,
                                 assay_measurement_row *row, assay_fault *fault)
{
    assay_status  st        = ASSAY_OK;
    assay_policy  one_block = *policy;
    assay_timer  *timer     = NULL;
    assay_samples samples   = { .n = 0 };

    one_block.n_blocks = 1;
    ASSAY_CHECK(assay_timer_create(job, &one_block, regime, clock, budget_s, &timer));
    ASSAY_CHECK(assay_timer_warm_up(timer, fault));
    if (fault->kind == ASSAY_FAULT_NONE)
        ASSAY_CHECK(assay_timer_take_block(timer, 0, 0, fault));
    if (fault->kind == ASSAY_FAULT_NONE)
        ASSAY_CHECK(assay_timer_finish(timer, row, &samples));
out:
    assay_samples_free(&samples);
    assay_timer_free(timer);
    return st;
}
