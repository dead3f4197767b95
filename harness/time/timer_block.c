/* One block of samples: when it has enough samples, which of them count, and what the card did
 * meanwhile. */
#include "timer_internal.h"

#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MANY_DISCARDED = 8,
    SLOW_SAMPLES   = 3, /* granted if the budget holds fewer than 20 samples */
    LEAST_SAMPLES  = 1, /* granted if one sample takes longer than the whole budget */
};

static const double POLL_S = 0.01; /* between two polls of the clock event reasons */
static const double MAX_RECOVERY_S =
    0.5; /* in one block: the GPU rests, and the budget does not run */
static const long REST_NS = 50000000;

/* The current block. */
typedef struct block {
    assay_block row;
    int64_t     began_ns, polled_ns, first; /* first: index of its first sample */
    int64_t     unpolled;  /* index of the first sample not yet known to be valid */
    int64_t     next_look; /* number of samples at which the median is judged again */
    bool        is_known;  /* at the last look the median was known well enough */
    int64_t     reasons;   /* at the last poll; 0 unknown */
    double      budget_s, recovered_s;
    const char *reason;
} block;

static assay_status append(assay_samples *s, const assay_sample *sample)
{
    assay_status st = ASSAY_OK;

    if (s->n == s->capacity) {
        const int64_t capacity = s->capacity > 0 ? 2 * s->capacity : 256;
        double       *times    = realloc(s->time_ns, (size_t)capacity * sizeof *times);
        double       *clocks   = NULL;

        ASSAY_REQUIRE(times != NULL, ASSAY_E_MEMORY, "out of memory for %lld samples",
                      (long long)capacity);
        s->time_ns = times;
        clocks     = realloc(s->sm_clock_mhz, (size_t)capacity * sizeof *clocks);
        ASSAY_REQUIRE(clocks != NULL, ASSAY_E_MEMORY, "out of memory for %lld samples",
                      (long long)capacity);
        s->sm_clock_mhz = clocks;
        s->capacity     = capacity;
    }
    s->time_ns[s->n]        = sample->time_ns;
    s->sm_clock_mhz[s->n++] = sample->sm_clock_mhz;
out:
    return st;
}

/* Power is averaged over some time, so samples taken at once would be invalid, too. */
static void rest(assay_timer *t, block *b)
{
    const int64_t         before_ns = assay_timer_now(t);
    const struct timespec pause     = { .tv_nsec = REST_NS };

    if (b->recovered_s >= MAX_RECOVERY_S)
        return;
    (void)nanosleep(&pause, NULL); /* a signal may cut it short, which does no harm */
    b->recovered_s += (double)REST_NS * 1e-9;
    b->began_ns += assay_timer_now(t) - before_ns;
}

/* The current reasons, which are also noted in the block; 0: unknown. */
static int64_t ask_reasons(const assay_timer *t, block *b)
{
    const int64_t reasons = assay_nvml_reasons(t->job->nvml);

    if (reasons < 0)
        return 0;
    b->row.reasons = b->row.reasons < 0 ? reasons : b->row.reasons | reasons;
    return reasons;
}

/* Samples since the last poll count only if no reason held the clock back then or now. */
static void poll_reasons(assay_timer *t, block *b)
{
    const int64_t invalid = t->policy->invalid_reasons;
    int64_t       now     = ask_reasons(t, b);

    if (((now | b->reasons) & invalid) && t->samples.n > b->unpolled) {
        b->row.n_throttled += t->samples.n - b->unpolled;
        t->samples.n = b->unpolled;
        b->is_known  = false;
        b->next_look = 0;
    }
    if (now & invalid) {
        rest(t, b);
        now = ask_reasons(t, b);
    }
    b->reasons   = now;
    b->unpolled  = t->samples.n;
    b->polled_ns = assay_timer_now(t);
}

static double fastest_wall_s(const assay_timer *t)
{
    return t->fastest_wall_ns == INT64_MAX ? 0 : (double)t->fastest_wall_ns * 1e-9;
}

/* How many samples a block gets, whatever its budget. */
static int64_t least_samples(const assay_timer *t, const block *b)
{
    const double  wall_s = fastest_wall_s(t);
    const int64_t slow   = wall_s > b->budget_s        ? LEAST_SAMPLES
                           : wall_s > b->budget_s / 20 ? SLOW_SAMPLES
                                                       : t->policy->min_samples;

    return slow < t->policy->min_samples ? slow : t->policy->min_samples;
}

/* Half the width of the median's 95 % interval; NaN below six samples. */
static double half_width(const assay_summary *s)
{
    double lo, hi;

    (void)assay_stats_median_interval(s, s->median, &lo, &hi);
    return (hi - lo) / 2;
}

static assay_status look_at_median(const assay_timer *t, block *b)
{
    const int64_t n = t->samples.n - b->first;
    assay_summary s;
    assay_status  st = ASSAY_OK;

    b->next_look = n + n / 4 + 1;
    ASSAY_CHECK(assay_stats_summarize(t->samples.time_ns + b->first, n, &s));
    b->is_known = s.median > 0 && half_width(&s) <= t->policy->target_relative_error * s.median;
out:
    return st;
}

static assay_status find_stop_reason(assay_timer *t, block *b)
{
    const int64_t n        = t->samples.n - b->first;
    const int64_t many     = t->gate_has_held ? MANY_DISCARDED : ASSAY_NEVER_HELD;
    const bool    is_spent = assay_timer_spent_s(t, b->began_ns) >= b->budget_s;
    assay_status  st       = ASSAY_OK;

    if (n >= t->policy->min_samples && n >= b->next_look)
        ASSAY_CHECK(look_at_median(t, b));
    if (n >= t->policy->min_samples && n >= t->policy->confident_samples && b->is_known)
        b->reason = "confidence";
    else if (n >= t->policy->max_samples)
        b->reason = "samples";
    else if (is_spent && n >= least_samples(t, b))
        b->reason = "budget";
    else if (is_spent && b->row.n_throttled > 0)
        b->reason = "throttled";
    else if (b->row.n_discarded >= many && b->row.n_discarded + b->row.n_throttled > n)
        b->reason = "gate";
out:
    return st;
}

static assay_status take_samples(assay_timer *t, block *b)
{
    assay_sample samples[ASSAY_MAX_ROUND];
    int          n  = 0;
    assay_status st = ASSAY_OK;

    do {
        ASSAY_CHECK(assay_timer_take_round(t, samples, &n));
        if (has_fault(t))
            goto out;
        for (int i = 0; i < n; i++) {
            t->gate_has_held = t->gate_has_held || samples[i].is_valid;
            if (samples[i].is_valid)
                ASSAY_CHECK(append(&t->samples, &samples[i]));
            else
                b->row.n_discarded++;
        }
        if (assay_timer_spent_s(t, b->polled_ns) >= POLL_S)
            poll_reasons(t, b);
        ASSAY_CHECK(find_stop_reason(t, b));
        /* The samples that end the block must have been polled, too. */
        if (b->reason != NULL && b->unpolled < t->samples.n) {
            poll_reasons(t, b);
            b->reason = NULL;
            ASSAY_CHECK(find_stop_reason(t, b));
        }
    } while (b->reason == NULL);
out:
    return st;
}

/* Makes calls before a block, except for a kernel that is slow against the block's share of the
 * warm-up. */
static assay_status rewarm(assay_timer *t)
{
    const double  share_s  = t->policy->warm_share * t->budget_s / t->policy->n_blocks;
    const int64_t began_ns = assay_timer_now(t);
    assay_sample  samples[ASSAY_MAX_ROUND];
    int           n  = 0;
    assay_status  st = ASSAY_OK;

    for (int done = 0; done < t->policy->rewarm && !has_fault(t); done += n) {
        if (assay_timer_spent_s(t, began_ns) + fastest_wall_s(t) > share_s)
            break;
        ASSAY_CHECK(assay_timer_take_round(t, samples, &n));
        t->n_warmup += n;
    }
out:
    return st;
}

static assay_status append_block(assay_timer *t, block *b)
{
    assay_samples        *s     = &t->samples;
    assay_block          *grown = NULL;
    assay_measurement_row row   = { .median_ns = NAN };
    assay_samples         part  = { .n = s->n - b->first };
    assay_status          st    = ASSAY_OK;

    grown = realloc(s->blocks, ((size_t)s->n_blocks + 1) * sizeof *grown);
    ASSAY_REQUIRE(grown != NULL, ASSAY_E_MEMORY, "out of memory for a block");
    s->blocks = grown;
    if (part.n > 0) {
        part.time_ns      = s->time_ns + b->first;
        part.sm_clock_mhz = s->sm_clock_mhz + b->first;
    }
    ASSAY_CHECK(assay_samples_summarize(&part, &row));
    b->row.n_samples         = part.n;
    b->row.median_ns         = row.median_ns;
    b->row.median_cycles     = row.median_cycles;
    b->row.sm_clock_mhz      = row.sm_clock_mhz;
    s->blocks[s->n_blocks++] = b->row;
out:
    return st;
}

static void note_environment(block *b, const assay_nvml_reading *before,
                             const assay_nvml_reading *after)
{
    b->row.power_before_w       = before->power_w;
    b->row.power_after_w        = after->power_w;
    b->row.energy_j             = after->energy_j - before->energy_j;
    b->row.memory_before_mhz    = before->memory_mhz;
    b->row.temperature_before_c = before->temperature_c;
    b->row.memory_mhz           = after->memory_mhz;
    b->row.temperature_c        = after->temperature_c;
}

/* Time since the process began to time the point or, without that origin, this metric. */
static double since_origin_s(const assay_timer *t)
{
    return assay_timer_spent_s(t, t->job->origin_ns != 0 ? t->job->origin_ns : t->first_ns);
}

/* Each block has an equal part of what the warm-up has left, which is at least half of the
 * budget. */
static double block_budget_s(const assay_timer *t)
{
    return fmax(t->budget_s - t->warm_s, t->budget_s / 2) / t->policy->n_blocks;
}

assay_status assay_timer_take_block(assay_timer *timer, int process, int order, assay_fault *fault)
{
    assay_timer       *t = timer;
    assay_nvml_reading before, after;
    assay_status       st       = ASSAY_OK;
    const int64_t      began_ns = assay_timer_now(t);
    double             reading_s;
    block              b = { .row   = { .process = process, .order = order, .reasons = -1 },
                             .first = t->samples.n };

    memset(fault, 0, sizeof *fault);
    if (t->has_no_graph)
        return ASSAY_OK;
    ASSAY_REQUIRE(t->is_warm, ASSAY_E_INTERNAL, "a block was asked of a timer that is not warm");
    t->fault = fault;
    assay_nvml_read(t->job->nvml, &before);
    reading_s = assay_timer_spent_s(t, began_ns);
    if (t->samples.n_blocks > 0)
        ASSAY_CHECK(rewarm(t));
    if (has_fault(t))
        goto out;
    b.began_ns  = began_ns;
    b.polled_ns = assay_timer_now(t);
    b.unpolled  = b.first;
    b.budget_s  = fmax(block_budget_s(t) - reading_s, 0); /* NVML is read once more afterwards */
    poll_reasons(t, &b);
    b.row.start_s = since_origin_s(t);
    ASSAY_CHECK(take_samples(t, &b));
    if (has_fault(t))
        goto out;
    assay_nvml_read(t->job->nvml, &after);
    note_environment(&b, &before, &after);
    ASSAY_CHECK(append_block(t, &b));
    t->stop_reason =
        t->stop_reason ? assay_timer_weaker_reason(t->stop_reason, b.reason) : b.reason;
out:
    t->spent_ns += assay_timer_now(t) - began_ns;
    t->fault = NULL;
    return st;
}
