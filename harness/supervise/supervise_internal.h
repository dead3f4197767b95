/* What the files of the supervisor share: points under way, worker processes, requests. */
#ifndef ASSAY_SUPERVISE_INTERNAL_H
#define ASSAY_SUPERVISE_INTERNAL_H

#include "process/child.h"
#include "progress.h"
#include "record.h"
#include "stats/compare.h"
#include "supervise.h"
#include "supervise_budget.h"
#include "supervise_profile.h"

#include <pthread.h>

enum {
    ASSAY_FIRST_NOTE_LIMIT_S = 60 /* from a request to the worker's first word */
};

/* A point under way. */
typedef struct entry {
    const assay_point *point; /* as planned */
    assay_point        tuned; /* as run: with values that a search chose, here or earlier */
    int64_t            id;
    assay_record       record; /* what will be stored */
    assay_record       staged; /* rows of the request under way */
    assay_verdict_row  answer; /* its verdict by that request */
    bool               has_answer;
    assay_verdict_row  verdict;           /* by its check, or worse */
    bool               is_over;           /* stored, or left 'ready': nothing more is asked of it */
    bool               has_no_records;    /* tracing ruins it, or leaves no room for it */
    bool               has_no_room;       /* to be timed, in the budget */
    double             call_s;            /* of one of its check's calls, on the host's clock */
    double first_ns[ASSAY_MAX_PROCESSES]; /* its first calls, of processes that knew it */
    int    n_first;
} entry;

typedef struct supervisor {
    assay_store                   *store;
    pthread_mutex_t               *store_lock; /* NULL: no other supervisor works beside it */
    int64_t                        run_id;
    const assay_supervise_options *options;
    assay_policy                   policy;   /* the options', as far as this run can keep to it */
    assay_progress                *progress; /* of all that work beside each other */
    int                            seat;     /* there */
    int64_t                        n, n_cut, n_timed; /* points; cut: by the budget */
    assay_budget                   budget;
    double                         start_s;
    double                         starts_s;      /* spent in starting workers, in this group */
    double                         worst_start_s; /* of one worker */
    /* workers, by what they do with CUPTI and by their place among the processes */
    assay_child  child[4][ASSAY_MAX_PROCESSES];
    assay_child  spare;          /* of a check: the next one, while its device opens */
    int          shared_fd;      /* inputs of the group under way, for all workers; 0: none */
    assay_runner runner;         /* in_process only */
    bool         has_no_records; /* said once: there is no record clock here */
    int          n_ruined;       /* groups in a row that tracing has ruined to the last point */
    /* where time goes */
    assay_profile stages, cases;
    double        busy_s; /* of threads that have ended: this one's comes last */
    /* the machine */
    assay_ceiling_row *ceilings; /* owned */
    int                n_ceilings;
    assay_spin_row    *spins; /* owned */
    int                n_spins;
    /* the request under way */
    entry **asked;
    int     n_asked;
    int     process;     /* of those that time the points */
    int     n_processes; /* that do; 0: it is no timing */
    int     place;       /* of the point that the worker is at */
    char    doing[ASSAY_NAME_SIZE];
    double  since_s;      /* it does that; 0: nothing is under way */
    bool    has_begun;    /* the worker has said a word of it */
    bool    has_launched; /* before that, nothing is the kernel's fault */
    double  request_s;    /* when it was sent */
    bool    is_optional;  /* its failure costs no entry anything */
    bool    has_failed;   /* the harness could not do it */
} supervisor;

/* Which of the points asked the worker was at, by its own word; -1 if it had said none. */
int assay_supervise_place(const supervisor *s);

/* One request about entries asked[0..n-1] to the worker of that use and process. Rows and verdicts
 * lie in the entries afterwards; an entry that killed its worker has that as its answer. False in
 * *is_done: the harness failed, at the one that the worker was at or at all, as was told. */
assay_status assay_supervise_ask(supervisor *s, assay_cupti_use use, int process,
                                 assay_request *request, entry **asked, int n, bool *is_done);
assay_status assay_supervise_start(supervisor *s, assay_child *child, assay_cupti_use use);
void         assay_supervise_end_workers(supervisor *s);
void         assay_supervise_end(supervisor *s); /* also the spare one */
/* The harness failed at this point: it stays planned, the person is told. */
void assay_supervise_give_up(const supervisor *s, entry *e, assay_status status, const char *text);

/* A line on stderr, in place of the one of progress. */
void assay_supervise_say(const supervisor *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- where time goes ---- */

/* From now on it is `what` that is waited for; NULL: nothing. */
void assay_supervise_switch(supervisor *s, const char *what);
/* What the person who waits is told of it, with the point and the process at hand. */
void assay_supervise_show(const supervisor *s, const char *what);
/* After the checks of a group: variants on the CPU take seconds where kernels beside them take
 * microseconds, and one that would take several shares of the budget is not timed, which is said.
 */
void assay_supervise_leave_room(const supervisor *s, entry *entries, int n);
/* Nothing unless there is one, or it is asked for. */
void assay_supervise_print_budget(const supervisor *s, double wall_s);
void assay_supervise_print_profile(const supervisor *s, double wall_s);

/* ---- what the request's files share ---- */

/* The parts of a sink: what is said of the request under way. */
assay_status assay_supervise_take_note(void *context, int place, const char *what, double limit_s);
/* Is the worker's silence measured in CPU time while it does this? Elsewhere a GPU works, and the
 * clock on the wall counts. */
bool         assay_supervise_counts_cpu(assay_lane lane, const char *what);
assay_status assay_supervise_take_row(void *context, int place, assay_row_kind kind,
                                      const void *row);
assay_status assay_supervise_take_measurement(void *context, int place,
                                              const assay_measurement_row *row,
                                              const assay_samples         *samples);
/* One message; *finished once the request is answered or cannot be. One that makes no sense is the
 * end of its worker, and a crash of the point that it was at. */
assay_status assay_supervise_handle(supervisor *s, assay_child *child, const assay_message *m,
                                    double *limit_s, bool *finished);
/* A worker that says nothing, or is dead: the verdict on the point that it was at. */
void assay_supervise_take_stall(supervisor *s, assay_child *child);
void assay_supervise_take_death(supervisor *s, assay_child *child);
/* The harness failed at the request. Of several points only the one that the worker was at is given
 * up. */
void assay_supervise_fail(supervisor *s, assay_status status, const char *text);
/* May what failed so have left a device that refuses everything? */
bool assay_supervise_is_worn_out(assay_status status);

/* ---- the stages ---- */

/* Of the sample loops of a point in a process, at the least. */
#define ASSAY_LEAST_TIME_S 0.02
/* All groups of the plan in s->budget, in its order, with what they cost. */
assay_status assay_supervise_list_batches(supervisor *s, const assay_point *points);
/* Is the budget of the run spent? */
bool assay_supervise_is_late(const supervisor *s);
/* A batch from its first check to the store, or skipped if it is not chosen. */
assay_status assay_supervise_batch(supervisor *s, const assay_point *points, const int64_t *ids,
                                   assay_batch *batch);
/* Is nothing of it measured, and does it need little of the machine? Peers come with a library of
 * gigabytes each. A budget is shared out among what runs one after the other. */
bool assay_supervise_goes_beside(const supervisor *s, const assay_point *points,
                                 const assay_batch *batch);
/* All batches that go beside others, options->n_jobs at a time. */
assay_status assay_supervise_beside(supervisor *s, const assay_point *points, const int64_t *ids);
/* Is there anything in this variant that the run's tool of compute-sanitizer, if any, could watch?
 * If not, that is its answer. */
bool assay_supervise_tool_sees(const supervisor *s, entry *e);
/* After the check of an entry: ends its worker, and makes what the tool has said of it a part of
 * the answer. False in *is_done: it could not be judged, as was told. */
assay_status assay_supervise_take_findings(supervisor *s, entry *e, bool *is_done);
/* Its worker could not be started: what the tool says of that, on stderr. */
void assay_supervise_tell_trouble(supervisor *s);
/* Searches the tuning axes of an entry, if that is wanted: trials go into its record, the choice
 * into `tuned`. A search that cannot be made leaves the defaults, and says so. */
assay_status assay_supervise_tune(supervisor *s, entry *e);

/* Has it passed a check, and is more wanted of it? */
bool assay_entry_is_alive(const entry *e);
/* What was found after its check is the point's verdict, with the checks that say so; its numbers
 * are worth nothing. */
void assay_entry_take_down(entry *e);

/* Counters and timelines: in processes of their own, after everything was timed. What cannot be
 * observed keeps the verdict that it has. *is_seen may be NULL. */
assay_status assay_supervise_observe(supervisor *s, entry *e, assay_task task, assay_cupti_use use,
                                     const char *words, bool *is_seen);

/* Times all entries that are alive, process by process, and pairs them. */
assay_status assay_supervise_time(supervisor *s, entry *entries, int n);
/* Judges what was timed: which clock decides, what is too fast to be true, speed-ups. Twins are the
 * same points once more (A/A). */
assay_status assay_supervise_judge(supervisor *s, entry *entries, int n, entry *twins, int n_twins);
/* A worker with records, if this machine has any: *is_there. Said once where it has none. */
assay_status assay_supervise_find_records(supervisor *s, int process, bool *is_there);
/* Floor and ceilings of this run, by every clock. */
assay_status assay_supervise_ceilings(supervisor *s);
/* context: a supervisor, which judges by it from now on. */
assay_status assay_supervise_keep_ceiling(void *context, const assay_ceiling_row *row);

#endif
