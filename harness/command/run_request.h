/* A run request: everything that one run needs to know, whoever asks for it. check, bench, profile,
 * trace, run and gate fill it from the command line (command_request.c), resume from what is stored
 * (run_options.h); command_run.h carries it out and knows no command line.
 *
 * It lies in this room because most of it (selection, database, reports) is done before and after
 * supervising: of it the supervisor gets the stages and the policy (assay_supervise_options). */
#ifndef ASSAY_RUN_REQUEST_H
#define ASSAY_RUN_REQUEST_H

#include "bench_report.h"
#include "plan/plan.h"
#include "select.h"

/* What follows the check of a point. The check itself is in every run: no verdict, no number. Floor
 * and ceilings of the machine are measured wherever kernels are timed. */
typedef struct assay_stages {
    bool times, counts, traces;
    bool tunes;          /* what is timed: all values of its tuning axes before */
    bool full_tier_only; /* points of the quick tier are only checked */
} assay_stages;

/* How points are timed, as it was given, and so stored: resume gives it once more. 0: not given. */
typedef struct assay_timing {
    int         n_processes;
    double      time_s;       /* of the sample loops of a point in a process */
    double      target_error; /* share */
    const char *flush;        /* of the cold regime: write, read */
    bool        against_itself;
} assay_timing;

/* How events are counted, as it was given. */
typedef struct assay_counting {
    const char *metrics; /* NULL: core */
    const char *replay;  /* user, kernel */
} assay_counting;

/* What comes out. */
typedef struct assay_run_outputs {
    const char       *database;
    bool              makes_folder; /* that of the default database */
    const char       *trace;        /* the file of the timeline */
    assay_bench_flags gbench;       /* with any: Google Benchmark reports instead of us */
    bool              is_quiet;     /* no progress line, no report */
    bool              is_brief;     /* no progress line, and one line instead of a report */
    bool              has_details;  /* a report of everything */
    bool              is_part;      /* of a gate, which warns and reports by itself */
} assay_run_outputs;

/* All texts are borrowed. */
typedef struct assay_run_request {
    assay_case_table cases;
    const char      *script; /* whose variants are among them; NULL */
    const char      *script_digest;
    /* which points */
    assay_selection    selection;
    bool               full_tier_needs_gpu; /* elsewhere only the quick tier of the selection */
    assay_shard        shard;
    int                n_each; /* points of each variant, the largest; 0: all */
    const char *const *keys;   /* points in this order instead of the selection; NULL */
    int64_t            n_keys;
    /* where */
    assay_target_words target;
    bool is_tuned; /* with what earlier searches have chosen; resume finds it with the points */
    /* what is done with them, and how */
    assay_stages   stages;
    assay_timing   timing;
    assay_counting counting;
    assay_gpu_tool tool;     /* of compute-sanitizer, that watches what is checked; or NONE */
    double         budget_s; /* wall time of the whole run; 0: none */
    bool           in_process;
    bool           is_strict; /* a barrier is no reader's fence: $ASSAY_STRICT_MEMORY_MODEL */
    int  n_jobs; /* groups of points that are checked at a time; 0: as many as suit the machine */
    bool profiles_self;         /* where the time of the run itself went */
    const char *known_failures; /* the file; NULL: the usual one, if it is there */
    /* what comes out */
    assay_run_outputs outputs;
    /* what the run's row tells of where it came from; none of it decides anything */
    const char *verb;
    int         argc;
    char      **argv;
    const char *reason;  /* nightly, pr, local; NULL: not given */
    const char *repeats; /* uuid of the run whose points are timed again; NULL */
} assay_run_request;

/* What is asked for under one word. */
typedef enum assay_run_kind {
    ASSAY_RUN_CHECK,
    ASSAY_RUN_BENCH,
    ASSAY_RUN_PROFILE,
    ASSAY_RUN_TRACE,
    ASSAY_RUN_RUN,
    ASSAY_N_RUN_KINDS
} assay_run_kind;

/* The kind that is stored as `verb`; false: there is none. */
bool assay_run_kind_find(const char *verb, assay_run_kind *kind);

/* The request of a kind, without anything that a person says beside its word: verb, stages, the
 * tiers of its selection; on any device, and the rest 0. */
void assay_run_request_of(assay_run_kind kind, assay_run_request *request);

/* The selection on a device of that kind ("cuda", "host"). On the host device every CUDA thread is
 * a fiber: real sizes are for CPU variants and GPUs. */
assay_selection assay_run_request_selection(const assay_run_request *request,
                                            const char              *device_kind);

/* Is this point timed, counted or traced once it has passed? */
bool assay_run_request_wants_more(const assay_run_request *request, const assay_point *point);

/* The lane that the run is stored under: its tool's, if there is one, else that of its target. */
const char *assay_run_request_lane(const assay_run_request *request, const assay_target *target);

/* Is it for what a GPU alone can show? */
bool assay_run_request_needs_gpu(const assay_run_request *request);

/* The thresholds of the sample loop: the defaults, and what was given. */
assay_policy assay_timing_policy(const assay_timing *timing);

#endif
