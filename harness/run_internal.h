/* What the stages of one point share; private to run*.c. */
#ifndef ASSAY_RUN_INTERNAL_H
#define ASSAY_RUN_INTERNAL_H

#include "check.h"
#include "run.h"

/* A point on its way. */
typedef struct progress {
    assay_runner        *runner;
    const assay_point   *point;
    const assay_variant *variant;
    const assay_sink    *sink;
    assay_place          place;
    assay_launcher       launcher;
    assay_inputs        *inputs; /* of the class under way */
    assay_buffers        buffers;
    assay_args           args;
    void                *state;
    assay_verdict_row    row;
} progress;

/* Outputs of several runs from the same inputs. */
typedef struct run_outputs {
    void *out[ASSAY_MAX_RUNS][ASSAY_MAX_BUFFERS];
    int   n;
} run_outputs;
void assay_run_free_outputs(run_outputs *outputs);

/* A finding; the highest ranked verdict stays. */
void assay_run_find(progress *p, assay_verdict verdict, const char *reason);
void assay_run_find_fault(progress *p, const assay_fault *fault);
bool assay_run_has_failed(const progress *p);

/* Inputs and expectation of one class; buffers and the variant's own state for them. */
assay_status assay_run_prepare(progress *p, assay_input input);
assay_status assay_run_set_up(progress *p);
void         assay_run_tear_down(progress *p);

/* Launches once and waits; counts kernels and looks for hidden waits. */
assay_status assay_run_launch(progress *p, int run, assay_fault *fault);
assay_status assay_run_probe(progress *p);

/* One armed, waited for and collected launch; and the judgement of all that were collected. */
assay_status assay_run_once(progress *p, int run, bool keeps_scratch, run_outputs *outputs);
assay_status assay_run_judge(progress *p, run_outputs *outputs);

/* Is this class of input checked at this point? */
bool assay_run_wants_input(const assay_point *point, assay_input input);

/* The two stages. */
assay_status assay_run_check_all(progress *p);
assay_status assay_run_time_all(progress *p);

#endif
