/* What the files of the timer share: its state, and how samples of each metric are taken. */
#ifndef ASSAY_TIMER_INTERNAL_H
#define ASSAY_TIMER_INTERNAL_H

#include "timer.h"

enum {
    ASSAY_MAX_ROUND = 16, /* samples taken before anything is decided about them */
    /* So many, and none was valid: more are not tried, since each waits the gate's time-out. */
    ASSAY_NEVER_HELD = 2
};

/* One sample as it was read. */
typedef struct assay_sample {
    double time_ns, sm_clock_mhz; /* per call; NaN unknown */
    bool   is_valid;              /* false: the gate opened too early, or its record is lost */
} assay_sample;

typedef struct metric {
    assay_regime regime;
    assay_clock  clock;
    bool         needs_device, needs_recorder, needs_graph;
    bool         flushes;
    bool         spoils;  /* outputs are overwritten before each sample */
    bool         batches; /* several calls a sample, if the job can be repeated */
    int          round;   /* samples a round, at most */
    assay_status (*take)(assay_timer *t, assay_sample *samples, int n);
} metric;

struct assay_timer {
    const assay_timer_job *job;
    const assay_policy    *policy;
    const metric          *metric;
    assay_fault           *fault; /* of the call under way */
    assay_samples          samples;
    assay_graph           *graph;            /* owned */
    int64_t                calls, max_calls; /* per sample */
    double                 budget_s;         /* of this metric in this process */
    int64_t                n_warmup;
    bool                   is_warm;
    bool                   gate_has_held;   /* for a sample of a block */
    bool                   has_no_graph;    /* the launcher cannot be captured: no samples */
    bool                   keeps_outputs;   /* for once, nothing is spoiled */
    double                 warm_s;          /* that the warm-up took of the budget */
    int64_t                first_ns;        /* when the timing of this metric began */
    int64_t                spent_ns;        /* in warm-up and blocks */
    int64_t                fastest_wall_ns; /* of one sample with all that belongs to it */
    const char            *stop_reason;     /* the weakest so far, NULL: none */
};

static inline bool has_fault(const assay_timer *t) { return t->fault->kind != ASSAY_FAULT_NONE; }

int64_t assay_timer_now(const assay_timer *t);
double  assay_timer_spent_s(const assay_timer *t, int64_t since_ns);
/* ASSAY_E_USAGE for an unknown pair, and for one that the job cannot have. */
assay_status assay_timer_find_metric(assay_regime regime, assay_clock clock,
                                     const assay_timer_job *job, const metric **found);
/* The launcher once, to its end. */
assay_status assay_timer_call(assay_timer *t);
/* Enqueues what makes a sample start as it should: inputs restored, outputs spoiled. */
assay_status assay_timer_prepare(const assay_timer *t);
/* (Re)makes the graph of t->calls calls, if the metric has one. */
assay_status assay_timer_make_graph(assay_timer *t);
/* One round of at most ASSAY_MAX_ROUND samples; *n of them were read. */
assay_status assay_timer_take_round(assay_timer *t, assay_sample *samples, int *n);

#endif
