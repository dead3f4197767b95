/* A run request: everything that one run needs to know, from any source. check, bench, profile,
 * trace, run and gate fill it from the command line (command_request.c), resume from what is stored
 * (run_options.h). command_run.h carries it out, without knowing the command line. It is in this
 * folder because most of it (selection, database, reports) is used before and after supervising;
 * the supervisor gets only stages and policy (assay_supervise_options). */
#ifndef ASSAY_RUN_REQUEST_H
#define ASSAY_RUN_REQUEST_H

#include "bench_report.h"
#include "plan/plan.h"
#include "select.h"

/* What follows the check of a point. Every run checks: no verdict, no number. Floor and ceilings of
 * the machine are measured whenever kernels are timed. */
typedef struct assay_stages {
    bool times, counts, traces;
    bool tunes;          /* before points are timed, try all values of their tuning axes */
    bool full_tier_only; /* points of the quick tier are only checked */
} assay_stages;

/* How points are timed, as it was given and stored; resume uses it again. 0: not given. */
typedef struct assay_timing {
    int         n_processes;
    double      time_s;       /* of the sample loops of one point in one process */
    double      target_error; /* share */
    const char *flush;        /* of the cold regime: write, read */
    bool        against_itself;
} assay_timing;

/* How events are counted, as it was given. */
typedef struct assay_counting {
    const char *metrics; /* NULL: core */
    const char *replay;  /* user, kernel */
} assay_counting;

/* The results to write. */
typedef struct assay_run_outputs {
    const char       *database;
    bool              makes_folder; /* make the folder of the default database */
    const char       *trace;        /* the file of the timeline */
    assay_bench_flags gbench;       /* if there are any, Google Benchmark reports instead */
    bool              is_quiet;     /* no progress line, no report */
    bool              is_brief;     /* no progress line, and one line as the report */
    bool              has_details;  /* a report of everything */
    bool              is_part;      /* part of a gate, which itself warns and reports */
} assay_run_outputs;

/* All texts are borrowed. */
typedef struct assay_run_request {
    assay_case_table cases;
    const char      *script; /* file whose variants are among them; NULL */
    const char      *script_digest;
    /* which points */
    assay_selection selection;
    bool            full_tier_needs_gpu; /* without a GPU, only the quick tier of the selection */
    assay_shard     shard;
    int             n_each;  /* points of each variant, the largest; 0: all */
    const char *const *keys; /* points in this order instead of the selection; NULL */
    int64_t            n_keys;
    /* where */
    assay_target_words target;
    bool is_tuned; /* with values from earlier searches; resume finds them with the points */
    /* what is done with the points, and how */
    assay_stages   stages;
    assay_timing   timing;
    assay_counting counting;
    assay_gpu_tool tool;     /* the compute-sanitizer tool that watches checks; or NONE */
    double         budget_s; /* wall time of the whole run; 0: none */
    bool           in_process;
    bool           is_strict; /* a barrier is no fence for a reader: $ASSAY_STRICT_MEMORY_MODEL */
    int n_jobs; /* groups of points that are checked at the same time; 0: as many as suit the
                   machine */
    bool        profiles_self;  /* prints what the time of the run was spent on */
    const char *known_failures; /* the file; NULL: the default file, if it exists */
    /* what comes out */
    assay_run_outputs outputs;
    /* for the row of the run; nothing depends on these */
    const char *verb;
    int         argc;
    char      **argv;
    const char *reason;  /* nightly, pr, local; NULL: not given */
    const char *repeats; /* uuid of the run whose points are timed again; NULL */
} assay_run_request;

/* The kind of run that a command asks for. */
typedef enum assay_run_kind {
    ASSAY_RUN_CHECK,
    ASSAY_RUN_BENCH,
    ASSAY_RUN_PROFILE,
    ASSAY_RUN_TRACE,
    ASSAY_RUN_RUN,
    ASSAY_N_RUN_KINDS
} assay_run_kind;

/* Finds the kind that is stored as `verb`; false: there is none. */
bool assay_run_kind_find(const char *verb, assay_run_kind *kind);

/* Makes the request of a kind without options: verb, stages, the tiers of its selection; on any
 * device, and the rest 0. */
void assay_run_request_of(assay_run_kind kind, assay_run_request *request);

/* Returns the selection for a kind of device ("cuda", "host"). On the host device every CUDA thread
 * is a fiber, so the full tier is only for CPU variants and GPUs. */
assay_selection assay_run_request_selection(const assay_run_request *request,
                                            const char              *device_kind);

/* Is this point timed, counted or traced if it passes? */
bool assay_run_request_wants_more(const assay_run_request *request, const assay_point *point);

/* Returns the lane under which the run is stored: its tool's, if it has one, else that of its
 * target. */
const char *assay_run_request_lane(const assay_run_request *request, const assay_target *target);

/* Does it need a GPU? */
bool assay_run_request_needs_gpu(const assay_run_request *request);

/* Returns the policy: the defaults, with what was given. */
assay_policy assay_timing_policy(const assay_timing *timing);

#endif
