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
    ASSAY_FIRST_NOTE_LIMIT_S = 60 /* seconds from a request to the worker's first message */
};

/* A point in progress. */
typedef struct entry {
    const assay_point *point; /* the point as planned */
    assay_point        tuned; /* the point as run, with tuning values that a search chose */
    int64_t            id;
    assay_record       record; /* rows that will be stored */
    assay_record       staged; /* rows of the current request */
    assay_verdict_row  answer; /* its verdict from that request */
    bool               has_answer;
    assay_verdict_row  verdict;        /* its verdict from its check, or a worse one */
    bool               is_over;        /* stored, or left 'ready': nothing more is done with it */
    bool               has_no_records; /* tracing ruins it, or leaves no memory for it */
    bool               has_no_room;    /* the budget has no room to time it */
    double             call_s;         /* wall time of one call in its check */
    double first_ns[ASSAY_MAX_PROCESSES]; /* times of its first calls, in processes that measured
                                             one */
    int n_first;
} entry;

typedef struct supervisor {
    assay_store                   *store;
    pthread_mutex_t               *store_lock; /* NULL: no other supervisor works beside this one */
    int64_t                        run_id;
    const assay_supervise_options *options;
    assay_policy    policy;   /* the policy of the options, as far as this run can keep it */
    assay_progress *progress; /* shared by all supervisors that work side by side */
    int             seat;     /* this supervisor's number there */
    int64_t         n, n_cut, n_timed; /* points; cut: by the budget */
    assay_budget    budget;
    double          start_s;
    double          starts_s;      /* time of starting workers, in this group */
    double          worst_start_s; /* the longest start of a worker */
    /* workers, by their use of CUPTI and by process number */
    assay_child  child[4][ASSAY_MAX_PROCESSES];
    assay_child  spare;     /* for checks: the next worker, while its device opens */
    int          shared_fd; /* shared inputs of the group in progress, for all workers; 0: none */
    assay_runner runner;    /* only with in_process */
    bool         has_no_records; /* it was said once that there is no record clock */
    int          n_ruined;       /* consecutive groups that tracing has ruined completely */
    /* what the time is spent on */
    assay_profile stages, cases;
    double        busy_s; /* times of threads that have ended; this one's is added last */
    /* floor and ceilings of the machine */
    assay_ceiling_row *ceilings; /* owned */
    int                n_ceilings;
    assay_spin_row    *spins; /* owned */
    int                n_spins;
    /* the request in progress */
    entry **asked;
    int     n_asked;
    int     process;     /* number of this process among those that time the points */
    int     n_processes; /* how many processes time them; 0: nothing is timed */
    int     place;       /* the point that the worker is working on */
    char    doing[ASSAY_NAME_SIZE];
    double  since_s;      /* when it began that; 0: it does nothing */
    bool    has_begun;    /* the worker has sent a message about it */
    bool    has_launched; /* until then, no failure is the kernel's */
    double  request_s;    /* when the request was sent */
    bool    is_optional;  /* its failure changes no entry */
    bool    has_failed;   /* the harness could not do it */
} supervisor;

/* Returns the index of the requested point that the worker was working on, from its own message;
 * -1: it has sent none. */
int assay_supervise_place(const supervisor *s);

/* Sends one request about entries asked[0..n-1] to the worker of that use and process. Afterwards
 * the entries have its rows and verdicts; an entry that killed its worker has that as its verdict.
 * *is_done is false if the harness failed, at one entry or as a whole; that has been printed. */
assay_status assay_supervise_ask(supervisor *s, assay_cupti_use use, int process,
                                 assay_request *request, entry **asked, int n, bool *is_done);
assay_status assay_supervise_start(supervisor *s, assay_child *child, assay_cupti_use use);
void         assay_supervise_end_workers(supervisor *s);
void         assay_supervise_end(supervisor *s); /* also the spare one */
/* The harness failed at this point. The point stays planned, and a message says so. */
void assay_supervise_give_up(const supervisor *s, entry *e, assay_status status, const char *text);

/* Prints a line on stderr, in place of the progress line. */
void assay_supervise_say(const supervisor *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- what the time is spent on ---- */

/* From now on `what` is waited for; NULL: nothing. */
void assay_supervise_switch(supervisor *s, const char *what);
/* Shows what is waited for in the progress line, with the point and the process. */
void assay_supervise_show(const supervisor *s, const char *what);
/* After the checks of a group: leaves slow CPU variants out of timing. They can take seconds where
 * kernels take microseconds; one that would need several shares of the budget is not timed, and a
 * message says so. */
void assay_supervise_leave_room(const supervisor *s, entry *entries, int n);
/* Prints what the budget left out; nothing if there is no budget. */
void assay_supervise_print_budget(const supervisor *s, double wall_s);
void assay_supervise_print_profile(const supervisor *s, double wall_s);

/* ---- what the files of requests share ---- */

/* The functions of a sink: they receive what is said of the request in progress. */
assay_status assay_supervise_take_note(void *context, int place, const char *what, double limit_s);
/* Is the worker's silence measured in CPU time in this stage? In other stages a GPU works, and wall
 * time counts. */
bool         assay_supervise_counts_cpu(assay_lane lane, const char *what);
assay_status assay_supervise_take_row(void *context, int place, assay_row_kind kind,
                                      const void *row);
assay_status assay_supervise_take_measurement(void *context, int place,
                                              const assay_measurement_row *row,
                                              const assay_samples         *samples);
/* Receives one message. Sets *finished when the request is answered or cannot be. An invalid
 * message ends its worker, and counts as a crash of the point that it was working on. */
assay_status assay_supervise_handle(supervisor *s, assay_child *child, const assay_message *m,
                                    double *limit_s, bool *finished);
/* A worker is silent or dead: finds the verdict on the point that it was working on. */
void assay_supervise_take_stall(supervisor *s, assay_child *child);
void assay_supervise_take_death(supervisor *s, assay_child *child);
/* The harness failed at the request. If it has several points, only the one that the worker was
 * working on is given up. */
void assay_supervise_fail(supervisor *s, assay_status status, const char *text);
/* Can the failure have left the device unusable? */
bool assay_supervise_is_worn_out(assay_status status);

/* ---- the stages ---- */

/* The least time of the sample loops of a point in one process. */
#define ASSAY_LEAST_TIME_S 0.02
/* Fills s->budget with all groups of the plan, in its order, and their costs. */
assay_status assay_supervise_list_batches(supervisor *s, const assay_point *points);
/* Is the budget of the run used up? */
bool assay_supervise_is_late(const supervisor *s);
/* Runs a batch from its first check to the store, or skips it if it is not chosen. */
assay_status assay_supervise_batch(supervisor *s, const assay_point *points, const int64_t *ids,
                                   assay_batch *batch);
/* Can it run beside others? Only if nothing of it is measured and it needs little of the machine.
 * Peers load a library of gigabytes each, and a budget is divided among batches that run one after
 * the other. */
bool assay_supervise_goes_beside(const supervisor *s, const assay_point *points,
                                 const assay_batch *batch);
/* Runs all batches that can run beside others, options->n_jobs at a time. */
assay_status assay_supervise_beside(supervisor *s, const assay_point *points, const int64_t *ids);
/* Is there anything in this variant that the run's compute-sanitizer tool can watch? If not, the
 * entry gets that verdict. */
bool assay_supervise_tool_sees(const supervisor *s, entry *e);
/* After the check of an entry: ends its worker, and adds the tool's reports to the verdict.
 * *is_done is false if the entry could not be judged; that has been printed. */
assay_status assay_supervise_take_findings(supervisor *s, entry *e, bool *is_done);
/* The worker could not be started: prints on stderr what the tool says about that. */
void assay_supervise_tell_trouble(supervisor *s);
/* Searches the tuning axes of an entry, if the run asks for that. Trials go into its record, the
 * choice into `tuned`. If the search fails, the defaults stay, and a message says so. */
assay_status assay_supervise_tune(supervisor *s, entry *e);

/* Has it passed a check, and is it to be timed, counted or traced? */
bool assay_entry_is_alive(const entry *e);
/* A fault that was found after its check becomes the point's verdict, with the check results that
 * show it; its numbers are dropped. */
void assay_entry_take_down(entry *e);

/* Counters and timelines, in their own processes, after everything was timed. An entry that cannot
 * be observed keeps its verdict. *is_seen may be NULL. */
assay_status assay_supervise_observe(supervisor *s, entry *e, assay_task task, assay_cupti_use use,
                                     const char *words, bool *is_seen);

/* Times all entries that still pass, process by process, and pairs them. */
assay_status assay_supervise_time(supervisor *s, entry *entries, int n);
/* Judges the timed entries: which clock decides, which is faster than physics, speed-ups. Twins are
 * the same points timed once more (A/A). */
assay_status assay_supervise_judge(supervisor *s, entry *entries, int n, entry *twins, int n_twins);
/* Gets a worker with activity records. *is_there: the machine has them; if not, a message says so
 * once. */
assay_status assay_supervise_find_records(supervisor *s, int process, bool *is_there);
/* Measures floor and ceilings of this run, by every clock. */
assay_status assay_supervise_ceilings(supervisor *s);
/* `context` is a supervisor, which judges by this ceiling from now on. */
assay_status assay_supervise_keep_ceiling(void *context, const assay_ceiling_row *row);

#endif
