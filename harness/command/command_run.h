/* One run, from a request to its exit status: the part that new and resumed runs share. It does not
 * know the command line. Only command_*.c include it. */
#ifndef ASSAY_COMMAND_RUN_H
#define ASSAY_COMMAND_RUN_H

#include "exit_status.h"
#include "gate/known_failures.h"
#include "run_request.h"
#include "store/store.h"
#include "supervise/supervise.h"
#include "tuned.h"

/* The result of a run. */
typedef struct assay_run_outcome {
    int     exit_status;
    int64_t run_id; /* 0: it ended before anything was stored */
} assay_run_outcome;

/* Carries out a request: plans, stores the plan, supervises, reports. After a failure, points that
 * were not judged stay 'ready'. The outcome then has ASSAY_EXIT_USAGE, or ASSAY_EXIT_WRONG if a
 * kernel was found wrong before, since that matters more. */
assay_status assay_run_execute(const assay_run_request *request, assay_run_outcome *outcome);

typedef struct run_job {
    const assay_run_request *request;
    assay_target             target;
    assay_store             *store; /* owned */
    int64_t                  run_id;
    assay_plan               plan;
    int64_t                 *point_ids; /* owned; of the plan's points */
    assay_tuned              tuned;     /* owned; of a new run: values from earlier searches */
    int                      lock_fd;   /* of the GPU, while timing */
    char                     uuid[40];
    int  run_fd; /* lock of this run, so that no other process resumes it meanwhile */
    int  exit_status;
    bool is_traced; /* a timeline was written */
    /* selected points of the full tier that this device runs only if asked */
    int64_t              n_left_out;
    assay_known_failures known; /* owned */
} run_job;

/* Locks a run for the life of this process. ASSAY_E_USAGE names another process that has it. */
assay_status assay_job_hold(run_job *job, const char *uuid);

/* Plans the points of a selection, or those of the request's keys in the order given. */
assay_status assay_job_plan(run_job *job, const assay_selection *selection);

/* Adds the points that `assay fuzz` has found, with their seeds, to those of a plain check. */
assay_status assay_job_add_found(run_job *job);
/* If nothing is timed, small points whose sizes no case lists are treated as the quick tier: every
 * input class is checked. */
void assay_job_widen(run_job *job);

/* Reads the list of known failures, and warns of entries that name nothing. Called before anything
 * is stored or run. */
assay_status assay_job_read_known(run_job *job);

/* Makes the supervisor's options from a request, for the chosen device. *is_traced is set when a
 * timeline was written. Borrows from all three. */
assay_supervise_options assay_run_supervise_options(const assay_run_request *request,
                                                    const assay_target *target, bool *is_traced);

/* Runs the points of the plan and reports; sets the exit status. */
assay_status assay_job_supervise(run_job *job);

/* Reduces a plan to n_each points of each variant (0: all), and to the selected shard. Is nothing
 * left? Then says so on stderr. */
assay_status assay_job_cut(int n_each, const assay_shard *shard, assay_plan *plan, bool *is_empty);

void assay_job_free(run_job *job);

/* Is a trace requested of a variant that launches nothing on a GPU, or without CUPTI? Then says so
 * on stderr. */
bool assay_job_cannot_trace(const run_job *job);

#endif
