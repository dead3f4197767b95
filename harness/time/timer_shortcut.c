/* Does a kernel do its work in each call? It is called when it could save the work, and when it
 * cannot know that its answer will be judged. */
#include "timer_internal.h"

#include "base/entropy.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum {
    MOST_CALLS = 16 /* before the call that is judged */
};

static const double LEAST_GAP_NS      = 500;  /* less is the noise of a clock */
static const double UNANNOUNCED_SHARE = 0.05; /* of a block's time, for unannounced calls */

/* ---- pairs ---- */

/* So many pairs that other programs on the machine cannot cause it. On the host, the time with
 * overwritten outputs includes fetching what another thread has just written. */
const assay_shortcut_rule assay_shortcut_outputs = {
    .pairs = 15, .enough = 12, .share = 0.7, .host_share = 0.2
};
/* New inputs are drawn between the two calls of a pair. If the machine is busy, a short call on the
 * host is quicker without that wait in a quarter to a third of all pairs; six such pairs would come
 * by chance at one of a thousand points. */
const assay_shortcut_rule assay_shortcut_inputs = {
    .pairs = 12, .enough = 12, .share = 0.7, .host_share = 0.5
};

/* Calls so long that hardly anything else on the machine makes one seem shorter by a third: two
 * pairs without a gain are enough. */
static const double              LONG_NS       = 1e7;
static const assay_shortcut_rule shortcut_long = {
    .pairs = 6, .enough = 5, .share = 0.7, .host_share = 0.2
};

void assay_shortcut_add(assay_shortcut *s, const assay_timer *timer, double full_ns,
                        double spared_ns)
{
    const double share =
        timer->metric->clock == ASSAY_CLOCK_HOST ? s->rule->host_share : s->rule->share;

    s->n++;
    s->n_valid += isfinite(full_ns) && isfinite(spared_ns);
    if (!(spared_ns < share * full_ns && full_ns - spared_ns > LEAST_GAP_NS))
        return;
    s->n_quicker++;
    s->full_ns   = full_ns;
    s->spared_ns = spared_ns;
}

/* Invalid samples are no evidence. */
bool assay_shortcut_is_open(const assay_shortcut *s)
{
    const assay_shortcut_rule *rule = s->rule;

    return s->n < (s->n_valid > 0 ? 2 * rule->pairs : ASSAY_NEVER_HELD) &&
           s->n_valid < rule->pairs && s->n_valid - s->n_quicker <= rule->pairs - rule->enough;
}

bool assay_shortcut_is_found(const assay_shortcut *s) { return s->n_quicker >= s->rule->enough; }

bool assay_timer_spoils(const assay_timer *timer)
{
    return timer->metric->spoils && timer->job->spoil != NULL;
}

void assay_timer_name(const assay_timer *timer, char *name, size_t size)
{
    (void)assay_text_set(name, size, "%s, %s clock", assay_regime_text(timer->metric->regime),
                         assay_clock_text(timer->metric->clock));
}

assay_status assay_timer_take_one(assay_timer *timer, double *time_ns, assay_fault *fault)
{
    assay_sample sample = { .time_ns = NAN };
    assay_status st     = ASSAY_OK;

    memset(fault, 0, sizeof *fault);
    timer->fault = fault;
    ASSAY_CHECK(timer->metric->take(timer, &sample, 1));
    *time_ns = sample.is_valid ? sample.time_ns : NAN;
out:
    timer->fault = NULL;
    return st;
}

/* Takes one call with outputs overwritten, then one with outputs as that call left them. */
static assay_status take_pair(assay_timer *t, double *full_ns, double *kept_ns, assay_fault *fault)
{
    assay_status st = ASSAY_OK;

    *kept_ns = NAN;
    ASSAY_CHECK(assay_timer_take_one(t, full_ns, fault));
    if (fault->kind != ASSAY_FAULT_NONE)
        goto out;
    t->keeps_outputs = true;
    ASSAY_CHECK(assay_timer_take_one(t, kept_ns, fault));
out:
    t->keeps_outputs = false;
    return st;
}

assay_status assay_timer_find_shortcut(assay_timer *timer, bool *found, char *reason, size_t size,
                                       assay_fault *fault)
{
    assay_shortcut s = { .rule = &assay_shortcut_outputs };
    char           name[64];
    assay_status   st = ASSAY_OK;

    memset(fault, 0, sizeof *fault);
    *found = false;
    if (!assay_timer_spoils(timer))
        return ASSAY_OK;
    while (assay_shortcut_is_open(&s) && fault->kind == ASSAY_FAULT_NONE) {
        double full_ns = NAN, kept_ns = NAN;

        ASSAY_CHECK(take_pair(timer, &full_ns, &kept_ns, fault));
        if (s.n == 0 && full_ns > LONG_NS && kept_ns > LONG_NS / 4)
            s.rule = &shortcut_long;
        assay_shortcut_add(&s, timer, full_ns, kept_ns);
    }
    *found = fault->kind == ASSAY_FAULT_NONE && assay_shortcut_is_found(&s);
    assay_timer_name(timer, name, sizeof name);
    if (*found)
        (void)assay_text_set(reason, size,
                             "it takes %.4g us if its outputs hold the answer already, and %.4g us "
                             "if they do not (%s)",
                             1e-3 * s.spared_ns, 1e-3 * s.full_ns, name);
out:
    return st;
}

/* ---- a call that nobody has announced ---- */

/* A slow kernel gets fewer calls, and none if one call takes longer than that share. */
static assay_status choose_calls(const assay_timer *t, uint32_t *n)
{
    const double share_s = UNANNOUNCED_SHARE * t->budget_s / t->policy->n_blocks;
    const double most    = share_s * 1e9 / (double)t->fastest_wall_ns;
    assay_status st      = ASSAY_OK;

    ASSAY_CHECK(assay_entropy_fill(n, sizeof *n));
    *n %= (uint32_t)fmax(1, fmin(MOST_CALLS, most));
out:
    return st;
}

assay_status assay_timer_call_unannounced(assay_timer *timer, assay_fault *fault)
{
    assay_timer *t  = timer;
    uint32_t     n  = 0;
    assay_status st = ASSAY_OK;

    memset(fault, 0, sizeof *fault);
    t->fault = fault;
    ASSAY_CHECK(choose_calls(t, &n));
    for (uint32_t i = 0; i <= n && !has_fault(t); i++) {
        if (t->job->restore != NULL)
            ASSAY_CHECK(t->job->restore(t->job->context));
        if (i == n && t->job->spoil != NULL)
            ASSAY_CHECK(t->job->spoil(t->job->context));
        ASSAY_CHECK(assay_timer_call(t));
    }
out:
    t->fault = NULL;
    return st;
}
