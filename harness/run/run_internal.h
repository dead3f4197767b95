/* What the stages of one point share. Only run*.c include it. */
#ifndef ASSAY_RUN_INTERNAL_H
#define ASSAY_RUN_INTERNAL_H

#include "base/float_mode.h"
#include "check/check.h"
#include "run.h"
#include "trace/trace.h"

/* What a launcher could leave behind for other points of this process: see run_traces.c. */
typedef struct traces {
    uint64_t statics;    /* digest of the module's static memory, to be found again */
    int64_t  n_settings; /* set through the runtime before this point */
    int64_t  set_by_set_up,
        set_by_launch; /* settings by the newest setup, and by the newest launch */
    int n_set_ups, n_launches;
} traces;

/* A point in progress. */
typedef struct progress {
    assay_runner        *runner;
    const assay_point   *point;
    const assay_variant *variant;
    const assay_sink    *sink;
    int                  place; /* its index in the request */
    bool keeps_checks;          /* check results stay here: they are about a trial, not the point */
    assay_memory_space memory;  /* the memory of its buffers and launches */
    assay_launcher     launcher;
    assay_inputs      *inputs; /* of the current input class */
    assay_buffers      buffers;
    assay_args         args;
    void              *state;
    assay_launch_plan  plan;     /* of a variant that declares its kernels */
    assay_peer_job     peer_job; /* what its peer computes, from setup to teardown */
    traces             traces;
    char               remark[ASSAY_REASON_SIZE /
                2]; /* what the device says of a launch that may explain a wrong answer; "" none */
    char   note[ASSAY_REASON_SIZE]; /* what the device says of a right kernel; "" none */
    double first_ns; /* time of its first call in this process; NaN: this is not the first */
    assay_verdict_row row;
} progress;

/* The outputs of several runs on the same inputs. */
typedef struct run_outputs {
    assay_collected run[ASSAY_MAX_RUNS];
    int             n;
} run_outputs;
void assay_run_free_outputs(run_outputs *outputs);

/* Begins a point without findings. */
progress     assay_run_begin(assay_runner *runner, const assay_point *point, const assay_sink *sink,
                             int place);
assay_status assay_run_put(const progress *p, assay_row_kind kind, const void *row);

/* A point must behave as it would alone. Called before and after its launches: what launchers have
 * set through the runtime is undone. If they keep something that cannot be undone, this process
 * serves no other point (run_traces.c). */
void assay_run_note_traces(progress *p);
void assay_run_erase_traces(progress *p);
/* Returns how much had been set before a setup or launch. */
int64_t assay_run_settings(const progress *p);
void    assay_run_note_set_up(progress *p, int64_t set_before);
void    assay_run_note_launch(progress *p, int64_t set_before);

/* Adds a finding. The gravest verdict is kept. */
void assay_run_add_finding(progress *p, assay_verdict verdict, const char *reason);
void assay_run_add_fault(progress *p, const assay_fault *fault);
bool assay_run_has_failed(const progress *p);

/* Makes the inputs of one class, what the reference expects, the buffers, and the variant's own
 * state. Draw 0 has the point's seed; each other number gives other contents of the class. */
assay_status assay_run_prepare(progress *p, assay_input input, uint64_t draw);
assay_status assay_run_expect(progress *p);
assay_status assay_run_set_up(progress *p);
/* Sets its arguments to its current inputs and buffers. */
void assay_run_bind(progress *p);
void assay_run_tear_down(progress *p);

/* Returns the time limit for one run of a kernel: the variant's own, or the default. */
double assay_run_launch_limit_s(const progress *p);
/* Launches once and waits. Counts kernels and looks for hidden waits. */
assay_status assay_run_launch(progress *p, int run, assay_fault *fault);
/* Ends what assay_float_mode_enter began around code of the variant. A changed mode is a finding.
 */
void         assay_run_leave_mode(progress *p, const fenv_t *mode, const char *whose);
assay_status assay_run_probe(progress *p);

/* Has this process launched the variant before? */
bool assay_run_has_launched(const progress *p);
/* Passes on a fact for each input that came from a file, which tells different contents apart. */
assay_status assay_run_put_files(const progress *p);
/* Passes on the time of its first call as a metric; nothing if that was in another process. */
assay_status assay_run_put_first_call(const progress *p);

/* Arms, launches, waits and collects once; the second function judges all collected runs. */
assay_status assay_run_once(progress *p, int run, bool keeps_scratch, run_outputs *outputs);
assay_status assay_run_judge(progress *p, run_outputs *outputs);

/* For peers only: starts the peer unless it is running. If it cannot start, the point is SKIPPED.
 */
assay_status assay_run_find_peer(progress *p);
/* Tells the peer what to compute. Inputs and buffers must be there. */
assay_status assay_run_open_peer(progress *p);
/* Asks the peer instead of launching. If there is no answer, the verdict is found here, and
 * fault->kind is ASSAY_FAULT_PEER. */
assay_status assay_run_ask_peer(progress *p, assay_fault *fault);

/* Ends a peer that has run something, so that the next call is the first one of its process. */
void assay_run_end_used_peer(const progress *p);
/* Passes on a number that the peer or its tool reports, as a fact of the point. */
assay_status assay_run_put_told(const progress *p, const char *name, double value);
/* Passes on what a traced first call and a later one tell about the host, as facts
 * (run_peer_facts.c). */
assay_status assay_run_put_host(const progress *p, const assay_activity *first, int64_t n_first,
                                const assay_activity *later, int64_t n_later);

/* Adds a finding of a peer. It counts although earlier runs went well. */
void assay_run_add_peer_finding(progress *p, const assay_peer_finding *finding);
/* Has nothing been found, not even that the peer does not support this? */
bool assay_run_is_going_well(const progress *p);

/* Passes on records of `n_calls` calls as rows: the sections of a call, and their shares. */
assay_status assay_run_put_sections(const progress *p, const assay_activity *records, int64_t n,
                                    int64_t n_calls);
/* Writes the file of a timeline. */
assay_status assay_run_write_trace(const progress *p, const char *path,
                                   const assay_trace_span *spans, int n_spans,
                                   const assay_activity *records, int64_t n, int64_t n_dropped);

/* Fills in what a measurement of this point is compared with, and its policy. */
void assay_run_describe(const progress *p, const assay_policy *policy, assay_measurement_row *row);

/* Returns how long a step of the timer with this budget may take. Slow variants get a few calls
 * more. */
double assay_run_step_limit_s(const progress *p, double budget_s);

/* A regime, and the clock that reads it. */
typedef struct assay_metric_name {
    assay_regime regime;
    assay_clock  clock;
} assay_metric_name;
/* The metrics that this process can read of work on its device; ends with ASSAY_REGIME_NONE. */
const assay_metric_name *assay_run_device_metrics(const assay_runner *runner);

/* Returns a status of the device, with the device's sentence if it failed. */
assay_status assay_run_device_status(const assay_runner *runner, assay_status status);

/* Returns the class that the case is timed with or, without it, the first one that this point is
 * checked with. */
assay_input assay_run_timed_input(const assay_point *point);

assay_status assay_run_check_all(progress *p);

/* Makes everything ready for timing: launcher, inputs and armed buffers. */
assay_status assay_run_arm_timed(progress *p);
/* Launches once on buffers armed again as run number 0. Looks for stray writes and changed inputs,
 * and compares outputs with those that were judged right (NULL, or not there: judges them in full).
 */
assay_status assay_run_verify(progress *p, const assay_judged *judged);
/* The same for what the last launch left, without another launch. */
assay_status assay_run_verify_left(progress *p, const assay_judged *judged);
/* Keeps the digests of the outputs of the last launch, which were judged right. */
assay_status assay_run_keep_judged(progress *p, assay_judged *judged);
/* After the last block of a metric: SUSPECT if the variant is faster when the answer is already
 * there. */
assay_status assay_run_judge_shortcut(progress *p, assay_timer *timer);
/* What a timer needs to know of an armed point. */
assay_timer_job assay_run_timer_job(progress *p);

#endif
