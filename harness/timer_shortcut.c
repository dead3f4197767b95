/* Is a kernel quicker where its outputs already hold the answer? */
#include "timer_internal.h"

#include "text.h"

#include <math.h>
#include <string.h>

enum {
    N_PAIRS = 15 /* all must agree, so that no other program on the machine can make it so */
};

static const double LEAST_GAP_NS = 500; /* the noise of a clock is no shortcut */

/* Below this part of the time with outputs overwritten, their writing is not being done. On the
 * host that time holds the fetching of what another thread has just overwritten. */
static double suspect_share(const assay_timer *t)
{
    return strcmp(t->metric->clock, "host") == 0 ? 0.2 : 0.7;
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

/* Outputs overwritten, then as that call left them, and so on; over at the first pair that is like
 * other kernels'. A sample that is not valid is no evidence. */
assay_status assay_timer_find_shortcut(assay_timer *timer, bool *found, char *reason, size_t size,
                                       assay_fault *fault)
{
    double       full_ns = NAN, kept_ns = NAN;
    assay_status st = ASSAY_OK;

    memset(fault, 0, sizeof *fault);
    *found       = timer->metric->spoils && timer->job->spoil != NULL;
    timer->fault = fault;
    for (int i = 0; i < N_PAIRS && *found; i++) {
        ASSAY_CHECK(take_one(timer, false, &full_ns));
        if (!has_fault(timer))
            ASSAY_CHECK(take_one(timer, true, &kept_ns));
        *found = !has_fault(timer) && kept_ns < suspect_share(timer) * full_ns &&
                 full_ns - kept_ns > LEAST_GAP_NS;
    }
    if (*found)
        (void)assay_text_set(reason, size,
                             "it takes %.4g us where its outputs hold the answer already, and %.4g "
                             "us where they do not (%s, %s clock)",
                             1e-3 * kept_ns, 1e-3 * full_ns, timer->metric->regime,
                             timer->metric->clock);
out:
    timer->fault = NULL;
    return st;
}
