/* One run from a request to its exit status; what begins one and what resumes one share. Knows no
 * command line. Seen by command_*.c alone. */
#ifndef ASSAY_COMMAND_RUN_H
#define ASSAY_COMMAND_RUN_H

#include "exit_status.h"
#include "gate/known_failures.h"
#include "run_request.h"
#include "store/store.h"
#include "supervise/supervise.h"
#include "tuned.h"

/* What came of a run. */
typedef struct assay_run_outcome {
    int     exit_status;
    int64_t run_id; /* 0: it ended before anything was stored */
} assay_run_outcome;

/* Carries out a request: plans, stores the plan, supervises, reports. A failure leaves the points
 * that were not judged 'ready'; the outcome then has ASSAY_EXIT_USAGE, or ASSAY_EXIT_WRONG if that
 * was found before: what was found outweighs that it could not be told. */
assay_status assay_run_execute(const assay_run_request *request, assay_run_outcome *outcome);

typedef struct run_job {
    const assay_run_request *request;
    assay_target             target;
    assay_store             *store; /* owned */
    int64_t                  run_id;
    assay_plan               plan;
    int64_t                 *point_ids; /* owned; of the plan's points */
    assay_tuned              tuned;     /* owned; of a new run: what they take from searches */
    int                      lock_fd;   /* of the GPU, while timing */
    char                     uuid[40];
    int                      run_fd; /* of this run, so that nobody resumes it while it lives */
    int                      exit_status;
    bool                     is_traced; /* a timeline was written */
    /* real sizes that were selected, and that this device is not given unless asked for */
    int64_t              n_left_out;
    assay_known_failures known; /* owned */
} run_job;

/* A run is held by its process for as long as it lives. ASSAY_E_USAGE names another that has it. */
assay_status assay_job_hold(run_job *job, const char *uuid);

/* The points of a selection; or those of the request's keys, in the order given. */
assay_status assay_job_plan(run_job *job, const assay_selection *selection);

/* The points that `assay fuzz` has found, with their seeds, beside what a plain check selects. */
assay_status assay_job_add_found(run_job *job);
/* Where nothing is timed, small points of sizes that no case lists count as edge sizes: every class
 * of input is checked. */
void assay_job_widen(run_job *job);

/* The list of known failures, with a warning for entries that name nothing. Before anything is
 * stored or run. */
assay_status assay_job_read_known(run_job *job);

/* What the supervisor is told of a request, on the device that was chosen for it. *is_traced is set
 * once a timeline is written. Borrows from all three. */
assay_supervise_options assay_run_supervise_options(const assay_run_request *request,
                                                    const assay_target *target, bool *is_traced);

/* The points of the plan, through to the report; sets the exit status. */
assay_status assay_job_supervise(run_job *job);

/* Cuts a plan to n_each points of each variant (0: all), and to the shard that was asked for. Is
 * nothing left? Said on stderr. */
assay_status assay_job_cut(int n_each, const assay_shard *shard, assay_plan *plan, bool *is_empty);

void assay_job_free(run_job *job);

/* Is a trace wanted of what launches nothing on a GPU, or where there is no CUPTI? Said on stderr.
 */
bool assay_job_cannot_trace(const run_job *job);

#endif
