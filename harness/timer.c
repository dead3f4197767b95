/* The sample loop: warms up, takes samples of one regime and decides when they are enough. */
#include "timer_internal.h"

#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_LAUNCHES   = 32, /* behind one gate: the queue of a stream is finite */
    WARM_WINDOW    = 5,  /* consecutive times that must agree */
    MAX_WARMUP     = 1000,
    SLOW_SAMPLES   = 5,
    LEAST_SAMPLES  = 3,
    MANY_DISCARDED = 8,
};

static const double SAMPLE_TARGET_NS = 50e3; /* a hot sample is at least this long if it can be */
static const double WARM_AGREEMENT   = 0.05;
static const double WARM_SHARE       = 0.2; /* of the budget */

assay_timer_policy assay_timer_default(void)
{
    return (assay_timer_policy) {
        .target_relative_error = 0.005,
        .budget_s              = 0.25,
        .min_samples           = 20,
        .max_samples           = 2000,
        .n_blocks              = 4,
    };
}

void assay_samples_free(assay_samples *samples)
{
    if (samples == NULL)
        return;
    free(samples->time_ns);
    free(samples->block_end);
    memset(samples, 0, sizeof *samples);
}

/* ---- warm-up ---- */

/* A gate that timed out had perhaps too many launches behind it. */
static void take_fewer_launches(timing *t)
{
    t->launches     = t->launches > 1 ? t->launches / 2 : 1;
    t->max_launches = t->launches;
}

static double spent_s(const timing *t)
{
    return (double)(assay_timer_now(t) - t->budget_began_ns) * 1e-9;
}

/* More launches in a sample that is too short to be read well; true if there are more now. */
static bool take_more_launches(timing *t, double time_ns)
{
    const double  interval_ns = time_ns * (double)t->launches;
    const double  wanted  = interval_ns > 0 ? ceil(SAMPLE_TARGET_NS / time_ns) : (double)INFINITY;
    const int64_t allowed = wanted < (double)t->max_launches ? (int64_t)wanted : t->max_launches;

    if (interval_ns >= SAMPLE_TARGET_NS || allowed <= t->launches)
        return false;
    t->launches = allowed;
    return true;
}

static bool do_agree(const double *window)
{
    double least = window[0], most = window[0];

    for (int i = 1; i < WARM_WINDOW; i++) {
        least = fmin(least, window[i]);
        most  = fmax(most, window[i]);
    }
    return most - least <= WARM_AGREEMENT * least;
}

/* Samples that nobody sees, until the last few agree or a share of the budget is gone. */
static assay_status warm_up(timing *t)
{
    double       window[WARM_WINDOW], time_ns = 0;
    int64_t      n = 0;
    bool         is_valid;
    assay_status st = ASSAY_OK;

    do {
        ASSAY_CHECK(assay_timer_sample(t, &time_ns, &is_valid));
        if (has_fault(t))
            goto out;
        t->n_warmup++;
        if (!is_valid)
            take_fewer_launches(t);
        if (!is_valid || take_more_launches(t, time_ns))
            n = 0;
        else
            window[n++ % WARM_WINDOW] = time_ns;
    } while (!(n >= WARM_WINDOW && do_agree(window)) && t->n_warmup < MAX_WARMUP &&
             spent_s(t) < WARM_SHARE * t->policy->budget_s);
out:
    return st;
}

/* The first call loads code and touches pages; the budget begins after it. For a CPU variant that
 * is slower than its whole budget it is all the warm-up there is. */
static assay_status first_calls(timing *t)
{
    assay_status st = ASSAY_OK;

    t->began_ns = assay_timer_now(t);
    ASSAY_CHECK(assay_timer_restore(t));
    ASSAY_CHECK(assay_timer_call(t));
    t->n_warmup        = 1;
    t->budget_began_ns = assay_timer_now(t);
    if (has_fault(t) || (t->job->api == NULL &&
                         (double)(t->budget_began_ns - t->began_ns) * 1e-9 > t->policy->budget_s))
        goto out;
    ASSAY_CHECK(warm_up(t));
out:
    return st;
}

/* ---- enough? ---- */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static double fastest_wall_s(const timing *t)
{
    return t->fastest_wall_ns == INT64_MAX ? 0 : (double)t->fastest_wall_ns * 1e-9;
}

/* Samples that the budget must grant. */
static int64_t least_samples(const timing *t)
{
    const double budget_s = t->policy->budget_s, wall_s = fastest_wall_s(t);

    if (wall_s > budget_s)
        return least(LEAST_SAMPLES, t->policy->min_samples);
    if (wall_s > budget_s / 20)
        return least(SLOW_SAMPLES, t->policy->min_samples);
    return t->policy->min_samples;
}

/* Below six samples the interval is NaN, and nothing is known. */
static assay_status is_median_known(const timing *t, bool *is_known)
{
    assay_summary s;
    assay_status  st = ASSAY_OK;

    *is_known = false;
    ASSAY_CHECK(assay_stats_summarize(t->samples->time_ns, t->samples->n, &s));
    *is_known = s.median > 0 &&
                (s.median_hi - s.median_lo) / 2 <= t->policy->target_relative_error * s.median;
out:
    return st;
}

/* Why to stop now; NULL to go on. */
static assay_status find_stop_reason(timing *t, const char **reason)
{
    const int64_t n = t->samples->n, blocks = t->policy->n_blocks;
    const bool    is_full     = n >= t->policy->max_samples;
    const double  round_s     = fastest_wall_s(t) * (double)blocks;
    const bool    is_balanced = n % blocks == 0 || round_s > t->policy->budget_s / 10;
    bool          is_spent, is_known = false;
    assay_status  st = ASSAY_OK;

    *reason = NULL;
    if (t->samples->n_discarded >= MANY_DISCARDED + n / 4) {
        *reason = "gate";
        goto out;
    }
    /* Blocks are of equal size unless the samples are so slow that this would cost too much. */
    if (!is_full && (n < least_samples(t) || !is_balanced))
        goto out;
    is_spent = spent_s(t) >= t->policy->budget_s;
    if (is_full || is_spent || n >= t->next_look) {
        ASSAY_CHECK(is_median_known(t, &is_known));
        t->next_look = n + n / 8; /* sorting at every sample would eat the budget */
    }
    *reason = is_known ? "confidence" : is_full ? "samples" : is_spent ? "budget" : NULL;
out:
    return st;
}

/* ---- the loop ---- */

static assay_status append(assay_samples *samples, double time_ns)
{
    assay_status st = ASSAY_OK;

    if (samples->n == samples->capacity) {
        const int64_t capacity = samples->capacity > 0 ? 2 * samples->capacity : 256;
        double *grown = realloc(samples->time_ns, (size_t)capacity * sizeof *samples->time_ns);

        ASSAY_REQUIRE(grown != NULL, ASSAY_E_MEMORY, "out of memory for %lld samples",
                      (long long)capacity);
        samples->time_ns  = grown;
        samples->capacity = capacity;
    }
    samples->time_ns[samples->n++] = time_ns;
out:
    return st;
}

static assay_status collect(timing *t, const char **reason)
{
    double       time_ns = 0;
    bool         is_valid;
    assay_status st = ASSAY_OK;

    do {
        ASSAY_CHECK(assay_timer_sample(t, &time_ns, &is_valid));
        if (has_fault(t))
            goto out;
        if (is_valid)
            ASSAY_CHECK(append(t->samples, time_ns));
        else
            t->samples->n_discarded++;
        /* All samples of a row hold the same number of launches. */
        if (!is_valid && t->samples->n == 0)
            take_fewer_launches(t);
        ASSAY_CHECK(find_stop_reason(t, reason));
    } while (*reason == NULL);
out:
    return st;
}

/* ---- results ---- */

static assay_status make_blocks(const timing *t)
{
    assay_samples *s  = t->samples;
    assay_status   st = ASSAY_OK;

    s->n_blocks = least(t->policy->n_blocks, s->n);
    if (s->n_blocks == 0)
        goto out;
    s->block_end = calloc((size_t)s->n_blocks, sizeof *s->block_end);
    ASSAY_REQUIRE(s->block_end != NULL, ASSAY_E_MEMORY, "out of memory for %lld blocks",
                  (long long)s->n_blocks);
    for (int64_t k = 0; k < s->n_blocks; k++)
        s->block_end[k] = (k + 1) * (s->n / s->n_blocks) + least(k + 1, s->n % s->n_blocks);
out:
    return st;
}

static assay_status fill_row(const timing *t, const char *reason, assay_measurement_row *row)
{
    assay_summary s;
    assay_status  st = ASSAY_OK;

    ASSAY_CHECK(assay_stats_summarize(t->samples->time_ns, t->samples->n, &s));
    (void)snprintf(row->regime, sizeof row->regime, "%s", t->regime->name);
    (void)snprintf(row->clock, sizeof row->clock, "%s", t->regime->clock);
    (void)snprintf(row->stop_reason, sizeof row->stop_reason, "%s", reason);
    row->n_samples             = t->samples->n;
    row->n_blocks              = t->samples->n_blocks;
    row->launches_per_sample   = t->launches;
    row->median_ns             = s.median;
    row->mean_ns               = s.mean;
    row->min_ns                = s.min;
    row->max_ns                = s.max;
    row->p05_ns                = s.p05;
    row->q1_ns                 = s.q1;
    row->q3_ns                 = s.q3;
    row->p95_ns                = s.p95;
    row->stdev_ns              = s.stdev;
    row->target_relative_error = t->policy->target_relative_error;
    row->budget_s              = t->policy->budget_s;
    row->flush_bytes           = t->regime->flushes ? 2 * (double)t->job->l2_bytes : 0;
    row->min_samples           = least_samples(t);
    row->max_samples           = t->policy->max_samples;
    row->n_warmup              = t->n_warmup;
    row->wall_s                = (double)(assay_timer_now(t) - t->began_ns) * 1e-9;
out:
    return st;
}

static assay_status check_policy(const assay_timer_policy *p)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(isfinite(p->target_relative_error) && p->target_relative_error >= 0,
                  ASSAY_E_USAGE, "the target error must be 0 or more, not %g",
                  p->target_relative_error);
    ASSAY_REQUIRE(isfinite(p->budget_s) && p->budget_s >= 0, ASSAY_E_USAGE,
                  "the budget must be 0 s or more, not %g", p->budget_s);
    ASSAY_REQUIRE(p->min_samples >= 1 && p->max_samples >= p->min_samples, ASSAY_E_USAGE,
                  "at least %lld and at most %lld samples is no range", (long long)p->min_samples,
                  (long long)p->max_samples);
    ASSAY_REQUIRE(p->n_blocks >= 1, ASSAY_E_USAGE, "there must be a block, not %lld",
                  (long long)p->n_blocks);
out:
    return st;
}

assay_status assay_timer_run(const assay_timer_job *job, const char *regime_name,
                             const assay_timer_policy *policy, assay_measurement_row *row,
                             assay_samples *samples, assay_fault *fault)
{
    timing       t      = { .job             = job,
                            .policy          = policy,
                            .fault           = fault,
                            .samples         = samples,
                            .launches        = 1,
                            .max_launches    = 1,
                            .fastest_wall_ns = INT64_MAX };
    const char  *reason = NULL;
    assay_status st     = ASSAY_OK;

    memset(samples, 0, sizeof *samples);
    memset(fault, 0, sizeof *fault);
    ASSAY_CHECK(check_policy(policy));
    ASSAY_CHECK(assay_timer_find_regime(regime_name, job, &t.regime));
    /* A launch that is undone before each sample cannot be repeated within one. */
    if (t.regime->batches && job->restore == NULL)
        t.max_launches = MAX_LAUNCHES;
    ASSAY_CHECK(first_calls(&t));
    if (!has_fault(&t))
        ASSAY_CHECK(collect(&t, &reason));
    if (has_fault(&t))
        goto out;
    ASSAY_CHECK(make_blocks(&t));
    ASSAY_CHECK(fill_row(&t, reason, row));
out:
    if (st != ASSAY_OK || has_fault(&t))
        assay_samples_free(samples);
    return st;
}
