/* What the stages of one point share; private to run*.c. */
#ifndef ASSAY_RUN_INTERNAL_H
#define ASSAY_RUN_INTERNAL_H

#include "base/float_mode.h"
#include "check/check.h"
#include "run.h"
#include "trace/trace.h"

/* What its launcher could leave for other points of this process: see run_traces.c. */
typedef struct traces {
    uint64_t statics;    /* digest of the module's static memory as it is to be found again */
    int64_t  n_settings; /* set through the runtime before this point */
    int64_t  set_by_set_up, set_by_launch; /* by the newest of each */
    int      n_set_ups, n_launches;
} traces;

/* A point on its way. */
typedef struct progress {
    assay_runner        *runner;
    const assay_point   *point;
    const assay_variant *variant;
    const assay_sink    *sink;
    int                  place;        /* in the request */
    bool                 keeps_checks; /* to itself: they are about a trial, not about the point */
    assay_place          memory;       /* where its buffers are and its launches run */
    assay_launcher       launcher;
    assay_inputs        *inputs; /* of the class under way */
    assay_buffers        buffers;
    assay_args           args;
    void                *state;
    assay_launch_plan    plan;     /* of a variant that declares its kernels */
    assay_peer_job       peer_job; /* what its peer computes, from set-up to tear-down */
    traces               traces;
    char                 remark[ASSAY_REASON_SIZE / 2]; /* of its device, on a launch; "" none */
    char                 note[ASSAY_REASON_SIZE]; /* of its device, on a right kernel; "" none */
    double               first_ns; /* its first call in this process; NaN: it was not the first */
    assay_verdict_row    row;
} progress;

/* Outputs of several runs from the same inputs. */
typedef struct run_outputs {
    assay_collected run[ASSAY_MAX_RUNS];
    int             n;
} run_outputs;
void assay_run_free_outputs(run_outputs *outputs);

/* Begins a point: nothing is found yet. */
progress     assay_run_begin(assay_runner *runner, const assay_point *point, const assay_sink *sink,
                             int place);
assay_status assay_run_put(const progress *p, assay_row_kind kind, const void *row);

/* A point is to find what it would find alone. Before and after its launches: what launchers have
 * set through the runtime is undone; where they keep something that cannot be undone, this process
 * serves no other point (run_traces.c). */
void assay_run_note_traces(progress *p);
void assay_run_erase_traces(progress *p);
/* Of a set-up or a launch: how much had been set before it. */
int64_t assay_run_settings(const progress *p);
void    assay_run_note_set_up(progress *p, int64_t set_before);
void    assay_run_note_launch(progress *p, int64_t set_before);

/* A finding; the highest ranked verdict stays. */
void assay_run_find(progress *p, assay_verdict verdict, const char *reason);
void assay_run_find_fault(progress *p, const assay_fault *fault);
bool assay_run_has_failed(const progress *p);

/* Inputs of one class (draw 0: of the point's seed; any other number: other contents of the class,
 * each its own), and what the reference expects of them; buffers and the variant's own state
 * for them. */
assay_status assay_run_prepare(progress *p, assay_input input, uint64_t draw);
assay_status assay_run_expect(progress *p);
assay_status assay_run_set_up(progress *p);
/* Its arguments are those of its inputs and buffers as they are now. */
void assay_run_bind(progress *p);
void assay_run_tear_down(progress *p);

/* For one run of a kernel: the variant's own limit, or the default. */
double assay_run_launch_limit_s(const progress *p);
/* Launches once and waits; counts kernels and looks for hidden waits. */
assay_status assay_run_launch(progress *p, int run, assay_fault *fault);
/* Ends what assay_float_mode_enter began, around code of the variant: a change is a finding. */
void         assay_run_leave_mode(progress *p, const fenv_t *mode, const char *whose);
assay_status assay_run_probe(progress *p);

/* Has this process launched the variant before? */
bool assay_run_has_launched(const progress *p);
/* A fact for each input that came from a file, by which numbers on other contents are told apart.
 */
assay_status assay_run_put_files(const progress *p);
/* What its first call took, as a metric; nothing if that was in another process. */
assay_status assay_run_put_first_call(const progress *p);

/* One armed, waited for and collected launch; and the judgement of all that were collected. */
assay_status assay_run_once(progress *p, int run, bool keeps_scratch, run_outputs *outputs);
assay_status assay_run_judge(progress *p, run_outputs *outputs);

/* Of a point whose variant is a peer; of others nothing happens. Starts the peer unless it runs:
 * where there is none, the point is SKIPPED. */
assay_status assay_run_find_peer(progress *p);
/* Tells it what is to be computed, now that inputs and buffers are there. */
assay_status assay_run_open_peer(progress *p);
/* In place of a launch; what it means that there is no answer is found, and fault->kind is
 * ASSAY_FAULT_PEER. */
assay_status assay_run_ask_peer(progress *p, assay_fault *fault);

/* Ends a peer that has run something, so that the next call is the first of its process. */
void assay_run_end_used_peer(const progress *p);
/* A number that the peer tells, or its own tool recorded, as a fact of the point. */
assay_status assay_run_put_told(const progress *p, const char *name, double value);
/* What a traced first call and a later one say of the host, as facts (run_peer_facts.c). */
assay_status assay_run_put_host(const progress *p, const assay_activity *first, int64_t n_first,
                                const assay_activity *later, int64_t n_later);

/* What a peer has shown of itself counts although runs before it went well. */
void assay_run_find_of_peer(progress *p, const assay_peer_finding *finding);
/* Nothing speaks against going on: not even that the peer does not do this. */
bool assay_run_is_going_well(const progress *p);

/* Records of `n_calls` calls as rows: the parts of a call, and their shares. */
assay_status assay_run_put_sections(const progress *p, const assay_activity *records, int64_t n,
                                    int64_t n_calls);
/* The timeline's file. */
assay_status assay_run_write_trace(const progress *p, const char *path,
                                   const assay_trace_span *spans, int n_spans,
                                   const assay_activity *records, int64_t n, int64_t n_dropped);

/* What a measurement of this point is held against, and by which rules it was taken. */
void assay_run_describe(const progress *p, const assay_policy *policy, assay_measurement_row *row);

/* How long a step of the timer may take that has this budget: what is slow gets a few calls beyond
 * it. */
double assay_run_step_limit_s(const progress *p, double budget_s);

/* A regime with the clock that reads it. */
typedef struct assay_metric_name {
    assay_regime regime;
    assay_clock  clock;
} assay_metric_name;
/* What this process can read of work on its device; ends with ASSAY_REGIME_NONE. */
const assay_metric_name *assay_run_device_metrics(const assay_runner *runner);

/* A status of the device, with its own sentence where it failed. */
assay_status assay_run_device_status(const assay_runner *runner, assay_status status);

/* The class that the case is timed with, or the first one that this point is checked with. */
assay_input assay_run_timed_input(const assay_point *point);

assay_status assay_run_check_all(progress *p);

/* Ready for timing: launcher, inputs, buffers, armed. */
assay_status assay_run_arm_timed(progress *p);
/* One launch on buffers armed (again) as number 0: stray writes, changed inputs, and outputs that
 * were judged right before (NULL, or not there: judged here in full). */
assay_status assay_run_verify(progress *p, const assay_judged *judged);
/* The same of what the last launch left, without another one. */
assay_status assay_run_verify_left(progress *p, const assay_judged *judged);
/* Notes the outputs that are where the last launch wrote them, and have been judged right. */
assay_status assay_run_keep_judged(progress *p, assay_judged *judged);
/* After the last block of a metric: SUSPECT if the variant is quicker where the answer stands. */
assay_status assay_run_judge_shortcut(progress *p, assay_timer *timer);
/* What a timer needs of an armed point. */
assay_timer_job assay_run_timer_job(progress *p);

#endif
