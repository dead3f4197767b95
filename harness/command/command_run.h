/* One run from its points to its exit status: what begins one and what resumes one share. Seen by
 * command_*.c alone. */
#ifndef ASSAY_COMMAND_RUN_H
#define ASSAY_COMMAND_RUN_H

#include "cli.h"
#include "gate/known_failures.h"
#include "select.h"
#include "store/store.h"

typedef struct run_job {
    const assay_cli *cli;
    assay_target     target;
    assay_store     *store; /* owned */
    int64_t          run_id;
    assay_plan       plan;
    int64_t         *point_ids; /* owned; of the plan's points */
    int              lock_fd;   /* of the GPU, while timing */
    char             uuid[40];
    int              run_fd; /* of this run, so that nobody resumes it while it lives */
    int              exit_status;
    bool             is_traced; /* a timeline was written */
    int64_t n_left_out; /* real sizes that were selected, and that this device is not given unless
                           asked for */
    assay_known_failures known; /* owned */
} run_job;

bool assay_job_is_command(const assay_cli *cli, const char *name);

/* Is this point timed, counted or traced once it has passed? */
bool assay_job_wants_more(const assay_cli *cli, const assay_point *point);

/* A run is held by its process for as long as it lives. ASSAY_E_USAGE names another that has it. */
assay_status assay_job_hold(run_job *job, const char *uuid);

/* The points of a selection; of a gate that times again those of cli->keys, in the order given. */
assay_status assay_job_plan(run_job *job, const assay_selection *selection);

/* The list of known failures, with a warning for entries that name nothing. Before anything is
 * stored or run. */
assay_status assay_job_read_known(run_job *job);

/* The points of the plan, through to the report; sets the exit status. */
assay_status assay_job_supervise(run_job *job);

/* Cuts a plan to the shard that was asked for. Is nothing left? Said on stderr. */
assay_status assay_job_shard(const assay_cli *cli, assay_plan *plan, bool *is_empty);

/* Frees everything; the exit status of the job, or of the failure, which is printed. */
int assay_job_finish(run_job *job, assay_status st);

/* Is a trace wanted of what launches nothing on a GPU, or where there is no CUPTI? Said on stderr.
 */
bool assay_job_cannot_trace(const run_job *job);

#endif
