/* What the two files of the timer share: the state of one run of it, and how one sample is taken.
 */
#ifndef ASSAY_TIMER_INTERNAL_H
#define ASSAY_TIMER_INTERNAL_H

#include "timer.h"

typedef struct timing timing;

typedef struct regime {
    const char *name, *clock;
    bool        needs_device, flushes, batches;
    assay_status (*sample)(timing *t, double *time_ns, bool *is_valid);
} regime;

struct timing {
    const assay_timer_job    *job;
    const assay_timer_policy *policy;
    const regime             *regime;
    assay_fault              *fault;
    assay_samples            *samples;
    int64_t                   launches, max_launches; /* per sample */
    int64_t                   n_warmup;
    int64_t                   began_ns; /* of the run; of its budget, after the first call: */
    int64_t                   budget_began_ns;
    int64_t                   fastest_wall_ns; /* of one sample with all that belongs to it */
    int64_t                   next_look;       /* number of samples */
};

static inline bool has_fault(const timing *t) { return t->fault->kind != ASSAY_FAULT_NONE; }

int64_t assay_timer_now(const timing *t);
/* Fails with E_USAGE for an unknown name, and for a CPU variant in a regime of devices. */
assay_status assay_timer_find_regime(const char *name, const assay_timer_job *job,
                                     const regime **found);
assay_status assay_timer_restore(const timing *t);
/* The launcher once, to its end. */
assay_status assay_timer_call(timing *t);
/* One sample; time_ns is per launch and only there if is_valid. */
assay_status assay_timer_sample(timing *t, double *time_ns, bool *is_valid);

#endif
