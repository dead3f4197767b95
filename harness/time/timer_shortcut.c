/* Is a kernel quicker where its outputs already hold the answer? */
#include "timer_internal.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum {
    N_PAIRS    = 15,
    ENOUGH     = 12, /* so that no other program on the machine can make it so */
    MOST_PAIRS = 30  /* with those of which a sample was not valid, which are no evidence */
};

static const double LEAST_GAP_NS = 500; /* the noise of a clock is no shortcut */

/* Below this part of the time with outputs overwritten, their writing is not being done. On the
 * host that time holds the fetching of what another thread has just overwritten. */
static double suspect_share(const assay_timer *t)
{
    return t->metric->clock == ASSAY_CLOCK_HOST ? 0.2 : 0.7;
}

static assay_status take_one(assay_timer *t, bool keeps_outputs, double *time_ns)
{
    assay_sample sample = { .time_ns = NAN };
    assay_status st     = ASSAY_OK;

    t->keeps_outputs = keeps_outputs;
    ASSAY_CHECK(t->metric->take(t, &sample, 1));
    *time_ns = sample.is_valid ? sample.time_ns : NAN;
out:
    t->keeps_outputs = false;
    return st;
}

/* Outputs overwritten, then as that call left them. */
static assay_status take_pair(assay_timer *t, double *full_ns, double *kept_ns)
{
    assay_status st = ASSAY_OK;

    *kept_ns = NAN;
    ASSAY_CHECK(take_one(t, false, full_ns));
    if (!has_fault(t))
        ASSAY_CHECK(take_one(t, true, kept_ns));
out:
    return st;
}

static bool is_quicker(const assay_timer *t, double full_ns, double kept_ns)
{
    return kept_ns < suspect_share(t) * full_ns && full_ns - kept_ns > LEAST_GAP_NS;
}

/* Pair i is wanted: over as soon as too many are like other kernels'. */
static bool is_open(int i, int n_valid, int n_quicker)
{
    return i < (n_valid > 0 ? MOST_PAIRS : ASSAY_NEVER_HELD) && n_valid < N_PAIRS &&
           n_valid - n_quicker <= N_PAIRS - ENOUGH;
}

static assay_status count_quicker(assay_timer *t, bool *found, double *full_ns, double *kept_ns)
{
    int          n_valid = 0, n_quicker = 0;
    assay_status st = ASSAY_OK;

    for (int i = 0; is_open(i, n_valid, n_quicker) && !has_fault(t); i++) {
        double full = NAN, kept = NAN;

        ASSAY_CHECK(take_pair(t, &full, &kept));
        n_valid += isfinite(full) && isfinite(kept);
        if (!is_quicker(t, full, kept))
            continue;
        n_quicker++;
        *full_ns = full;
        *kept_ns = kept;
    }
    *found = !has_fault(t) && n_quicker >= ENOUGH;
out:
    return st;
}

assay_status assay_timer_find_shortcut(assay_timer *timer, bool *found, char *reason, size_t size,
                                       assay_fault *fault)
{
    double       full_ns = NAN, kept_ns = NAN;
    assay_status st = ASSAY_OK;

    memset(fault, 0, sizeof *fault);
    *found = false;
    if (!timer->metric->spoils || timer->job->spoil == NULL)
        return ASSAY_OK;
    timer->fault = fault;
    ASSAY_CHECK(count_quicker(timer, found, &full_ns, &kept_ns));
    if (*found)
        (void)assay_text_set(reason, size,
                             "it takes %.4g us where its outputs hold the answer already, and %.4g "
                             "us where they do not (%s, %s clock)",
                             1e-3 * kept_ns, 1e-3 * full_ns,
                             assay_regime_text(timer->metric->regime),
                             assay_clock_text(timer->metric->clock));
out:
    timer->fault = NULL;
    return st;
}
