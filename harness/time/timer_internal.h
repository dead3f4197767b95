/* What the files of the timer share: its state, and how samples of each metric are taken. */
#ifndef ASSAY_TIMER_INTERNAL_H
#define ASSAY_TIMER_INTERNAL_H

#include "timer.h"

enum {
    ASSAY_MAX_ROUND = 16, /* samples that are taken before their records are examined */
    ASSAY_NEVER_HELD =
        2 /* so many invalid samples or pairs end it: each waits for the gate's time-out */
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
    bool         batches; /* several calls per sample, if the job is repeatable */
    int          round;   /* most samples of a round */
    assay_status (*take)(assay_timer *t, assay_sample *samples, int n);
} metric;

struct assay_timer {
    const assay_timer_job *job;
    const assay_policy    *policy;
    const metric          *metric;
    assay_fault           *fault; /* of the current call */
    assay_samples          samples;
    assay_graph           *graph;            /* owned */
    int64_t                calls, max_calls; /* per sample */
    double                 budget_s;         /* for this metric in this process */
    int64_t                n_warmup;
    bool                   is_warm;
    bool                   gate_has_held; /* the gate has held for a sample of a block */
    bool        has_no_graph;    /* the launcher cannot be captured, so there are no samples */
    bool        keeps_outputs;   /* for now, nothing is spoiled */
    double      warm_s;          /* time of the warm-up */
    int64_t     first_ns;        /* when this metric was first called */
    int64_t     spent_ns;        /* time in warm-up and blocks */
    int64_t     fastest_wall_ns; /* the fastest sample with all its work besides the call */
    const char *stop_reason;     /* the weakest so far, NULL: none */
};

static inline bool has_fault(const assay_timer *t) { return t->fault->kind != ASSAY_FAULT_NONE; }

int64_t assay_timer_now(const assay_timer *t);
double  assay_timer_spent_s(const assay_timer *t, int64_t since_ns);
/* ASSAY_E_USAGE for an unknown pair, and for one that the job cannot have. */
assay_status assay_timer_find_metric(assay_regime regime, assay_clock clock,
                                     const assay_timer_job *job, const metric **found);
/* Calls the launcher once and waits. */
assay_status assay_timer_call(assay_timer *t);
/* Enqueues the preparation of a sample: inputs restored, outputs spoiled. */
assay_status assay_timer_prepare(const assay_timer *t);
/* Makes (again) the graph of t->calls calls, if the metric has one. */
assay_status assay_timer_make_graph(assay_timer *t);
/* Takes one round of at most ASSAY_MAX_ROUND samples; *n of them were read. */
assay_status assay_timer_take_round(assay_timer *t, assay_sample *samples, int *n);

#endif
