/* What travels from a worker to the store, each one row: plain structures without pointers, for a
 * pipe between two copies of one binary. */
#ifndef ASSAY_ROWS_H
#define ASSAY_ROWS_H

#include "case.h"
#include "metric.h"

enum {
    ASSAY_NAME_SIZE   = 64,
    ASSAY_KEY_SIZE    = 1280, /* 8 axes with names and words of 63 characters */
    ASSAY_REASON_SIZE = 512,
    /* Of how numbers are taken beyond the policy's thresholds: raised with any change to the table
       "What no option changes" in docs/measuring.md, so that numbers of two methods are not one
       series. */
    ASSAY_METHOD_VERSION = 2,
    /* The ticks in which a GPU tells time, to events and records alike: in results/baseline the
       least event of one call, in every row of an H100 and an H200, is a multiple of this to within
       0.2 ns, the least record of the H200 to 2 ns; records of the H100 lie half a tick beside. */
    ASSAY_DEVICE_TICK_NS = 32,
    ASSAY_SAME_TICK_NS   = 2, /* values of one tick differ by their conversion alone */
};

/* One output (or invariant) of one input class, worst over the runs of the check. */
typedef struct assay_check_row {
    assay_input   input;
    char          output[ASSAY_NAME_SIZE]; /* buffer, or invariant */
    bool          is_invariant;
    assay_verdict verdict;
    char          reason[ASSAY_REASON_SIZE]; /* "" with PASS */
    uint64_t      seed;
    int           n_runs; /* launches compared, each with another poison and schedule */
    /* the rule as applied */
    assay_rule   rule;
    double       c, u_out, u_acc;
    assay_growth growth;
    double       terms;
    int64_t      max_ulp;
    char         why[ASSAY_REASON_SIZE];
    /* what was found; NaN or -1 where it says nothing */
    int64_t count, n_failed, first_bad_index;
    double  first_bad_value, first_bad_expected;
    double  worst_ratio; /* largest err/bound: above 1 fails; for ULP err/max_ulp; for EXACT 0 or
                            infinity */
    double  max_abs_error, max_abs_expected;
    double  max_ulp_error;
    double  relative_l2;
    int64_t n_exempt;
    double  exempt_share_predicted;
} assay_check_row;

/* How numbers are taken: every threshold. One policy a run. */
typedef struct assay_policy {
    int    n_processes; /* that time a point, one after the other */
    int    n_blocks;    /* of each metric in each process; variants of a point alternate by block */
    double budget_s;    /* wall time of the timing of one point in one process, all its metrics */
    double target_relative_error;     /* a block may end when the half width of its median's 95 %
                                         interval over its median is this small */
    int64_t min_samples, max_samples; /* of a block; a slow kernel gets fewer than the least */
    int64_t confident_samples; /* before the ticks of a clock have shown themselves, all look alike:
                                  no block ends on confidence with fewer */
    int    max_calls;          /* behind one gate */
    int    graph_calls;        /* in one graph, if it does not get longer than: */
    double graph_target_ns;
    double sample_target_ns;        /* a hot sample holds so many calls that it is this long */
    int    warm_window, max_warmup; /* so many times in a row must agree; calls at most */
    int    rewarm;                  /* calls before each later block: another variant ran */
    double warm_agreement;          /* of times, and of SM clocks: (largest - least) / least */
    double warm_share;              /* of the budget, at most */
    int    flush_kind;              /* assay_flush */
    double short_ns;                /* below this event time the event clock does not decide */
    double clock_tie;    /* of a long kernel, event and record are as good if they differ by less */
    double floor_factor; /* below so many times the null kernel: flagged */
    double ceiling_margin;                /* above (1 + this) of the ceiling: SUSPECT */
    double clock_gap_ns, clock_gap_share; /* event and record may differ by the larger of the two */
    int64_t invalid_reasons;              /* clock event reasons that make a sample invalid */
} assay_policy;

/* Consecutive samples of one metric in one process, and what the card did meanwhile. Unknown: NaN,
 * -1 for integers. */
typedef struct assay_block {
    int64_t n_samples;   /* valid ones */
    int64_t n_throttled; /* left out: the clock was held back by power or temperature */
    int64_t n_discarded; /* left out: the gate opened too early */
    int     process;     /* place of the process among those that timed the point, from 0 */
    int     order;       /* place of the block in its process's sequence of all variants */
    double  start_s;     /* of its first sample, since the process began the point's timing */
    double  median_ns, median_cycles, sm_clock_mhz; /* clock: median over its samples */
    int64_t reasons;                   /* clock event reasons seen, united; -1 unknown */
    int     memory_mhz, temperature_c; /* after the block */
    double  power_before_w, power_after_w;
    double  energy_j; /* by which the counter rose; it ticks slower than a block lasts */
    int     memory_before_mhz, temperature_before_c; /* 0 unknown, too */
    int64_t calls; /* behind each of its samples; 0 unknown; between processes only */
} assay_block;

/* Calls behind one sample, as another process has chosen them: all processes are to read alike. 0:
 * free to choose. */
typedef struct assay_calls {
    int64_t hot, graph;
} assay_calls;

/* ---- a measurement ---- */

/* X(kind, member, size, rule): what the store, CSV, JSON and the import know of a measurement, each
 * line a member of the row and a column of the same name. kind and rule: columns.h; size: of a
 * text. A new statistic is a line in ASSAY_MEASUREMENT_LAST, whatever it is about: the columns of
 * the CSV are never moved. */

#define ASSAY_MEASUREMENT_HEAD(X)                                                                  \
    X(REGIME, regime, 0, NEVER)                                                                    \
    X(CLOCK, clock, 0, NEVER)                                                                      \
    /* judged by the parent, once all processes are done: this clock is the one to believe in this \
       regime; the rule that said so, or why it does not decide */                                 \
    X(TRUTH, decides, 0, NEVER)                                                                    \
    X(TEXT, decision, 160, NEVER)                                                                  \
    X(TEXT, tuning, ASSAY_TUNING_SIZE, NEVER) /* "block=256", "": the variant has no tuning axes   \
                                               */

#define ASSAY_MEASUREMENT_TAKEN(X)                                                                 \
    X(INT64, n_samples, 0, NEVER) /* 0: all were invalid, times are NaN */                         \
    X(INT64, n_blocks, 0, NEVER)                                                                   \
    X(INT, n_processes, 0, NEVER)                                                                  \
    X(INT64, launches_per_sample, 0, NEVER) /* the least of all processes; times are per call */   \
    X(REAL, median_ns, 0, NO_SAMPLES)       /* the middle (assay_stats_middle) */                  \
    X(REAL, mean_ns, 0, NO_SAMPLES)                                                                \
    X(REAL, min_ns, 0, NO_SAMPLES)                                                                 \
    X(REAL, p05_ns, 0, NO_SAMPLES)                                                                 \
    X(REAL, q1_ns, 0, NO_SAMPLES)                                                                  \
    X(REAL, q3_ns, 0, NO_SAMPLES)                                                                  \
    X(REAL, p95_ns, 0, NO_SAMPLES)                                                                 \
    X(REAL, max_ns, 0, NO_SAMPLES)                                                                 \
    X(REAL, stdev_ns, 0, NO_SAMPLES)                                                               \
    /* (largest - least) / median of the processes' medians; NaN with one */                       \
    X(REAL, process_spread, 0, NO_SAMPLES)                                                         \
    X(REAL, median_cycles, 0, NO_SAMPLES) /* NaN where the clock was not read */                   \
    X(REAL, sm_clock_mhz, 0, NO_SAMPLES)                                                           \
    X(INT64, n_throttled, 0, NEVER)                                                                \
    X(INT64, n_discarded, 0, NEVER)                                                                \
    /* throttled, gate, budget, samples, confidence: the weakest of all blocks, in this order */   \
    X(TEXT, stop_reason, 32, NEVER)                                                                \
    X(REAL, flush_bytes, 0, NEVER) /* 0: nothing is flushed */                                     \
    X(INT64, n_warmup, 0, NEVER)                                                                   \
    X(REAL, wall_s, 0, NEVER)                                                                      \
    X(TEXT, nvml, 256, NEVER) /* "", or why clock reasons, power and temperature are unknown */

#define ASSAY_MEASUREMENT_WORK(X)                                                                  \
    X(INT64, bytes_declared, 0, NEVER) /* the shape's compulsory bytes */                          \
    X(COUNT64, bytes_moved, 0, NEVER)  /* the variant's own bytes, -1 if not given */              \
    X(REAL, flops, 0, NEVER)

/* Judged by the parent. */
#define ASSAY_MEASUREMENT_LIMITS(X)                                                                \
    X(REAL, floor_ns, 0, NEVER)        /* the null kernel by this regime and clock; NaN unknown */ \
    X(TRUTH, is_below_floor, 0, NEVER) /* under floor_factor times it */                           \
    /* measured in this regime, by this clock, at this working set */                              \
    X(REAL, ceiling_bytes_per_s, 0, NEVER)                                                         \
    X(REAL, ceiling_flops, 0, NEVER) /* measured fp32 rate, flop/s */

/* In the CSV alone. */
#define ASSAY_MEASUREMENT_MORE(X)                                                                  \
    X(REAL, mad_ns, 0, NO_SAMPLES)       /* median distance from the median */                     \
    X(REAL, median_lo_ns, 0, NO_SAMPLES) /* 95 % interval of median_ns; NaN below 6 samples */     \
    X(REAL, median_hi_ns, 0, NO_SAMPLES)                                                           \
    X(TEXT, median_interval, 12, NEVER) /* ranks, quartiles: where it comes from; "" none */       \
    /* correlation of each sample with the next; NaN: too few, or all alike */                     \
    X(REAL, lag1, 0, NO_SAMPLES)                                                                   \
    /* what the straight line through the samples rises by, first to last */                       \
    X(REAL, drift_ns, 0, NO_SAMPLES)                                                               \
    X(REAL, energy_j, 0, NEVER) /* over all blocks; NaN unknown */                                 \
    /* inputs and outputs, each once: what a cache would have to hold */                           \
    X(INT64, working_set_bytes, 0, NEVER)

/* At the end of the CSV and of an object of the JSON report. */
#define ASSAY_MEASUREMENT_LAST(X)

#define ASSAY_MEASUREMENT_MAP(X)                                                                   \
    ASSAY_MEASUREMENT_HEAD(X)                                                                      \
    ASSAY_MEASUREMENT_TAKEN(X)                                                                     \
    ASSAY_MEASUREMENT_WORK(X)                                                                      \
    ASSAY_MEASUREMENT_LIMITS(X)                                                                    \
    ASSAY_MEASUREMENT_MORE(X)                                                                      \
    ASSAY_MEASUREMENT_LAST(X)

#define ASSAY_MEMBER_REGIME(name, size)  assay_regime name;
#define ASSAY_MEMBER_CLOCK(name, size)   assay_clock name;
#define ASSAY_MEMBER_TRUTH(name, size)   bool name;
#define ASSAY_MEMBER_TEXT(name, size)    char name[size];
#define ASSAY_MEMBER_INT(name, size)     int name;
#define ASSAY_MEMBER_INT64(name, size)   int64_t name;
#define ASSAY_MEMBER_COUNT64(name, size) int64_t name;
#define ASSAY_MEMBER_REAL(name, size)    double name;

/* One metric of one variant at one point: a regime (what state the caches are in, how it is
 * launched) read by a clock. Its blocks and raw samples follow it. From a worker: those of its
 * process; in the store: of all. */
typedef struct assay_measurement_row {
#define X(kind, name, size, rule) ASSAY_MEMBER_##kind(name, size)
    ASSAY_MEASUREMENT_MAP(X)
#undef X
    assay_policy policy; /* a row of its own, which others share */
} assay_measurement_row;

/* What the machine can do, measured at the start of a timing run. */
typedef struct assay_ceiling_row {
    char         kind[16]; /* null, copy, read, write, triad, fma */
    assay_regime regime;
    assay_clock  clock;
    int64_t      working_set_bytes; /* 0 for null and fma */
    int64_t      n_samples;
    double       median_ns;
    double       rate; /* bytes/s; fma: flop/s; null: NaN */
} assay_ceiling_row;

/* A variant against another at the same axis values, or (A/A) against itself: paired block by
 * block.
 */
typedef struct assay_comparison_row {
    char         kind[16];                 /* speedup, aa */
    char         against[ASSAY_NAME_SIZE]; /* variant */
    assay_regime regime;
    assay_clock  clock;
    double       ratio;  /* time of `against` over time of this: above 1 is faster */
    double       lo, hi; /* 95 % interval over processes; NaN below 3 processes */
    int          n_pairs, n_processes;
    bool         is_known; /* false: CANNOT_TELL, ratio is NaN, `reason` says why */
    char         reason[160];
} assay_comparison_row;

/* One kernel of one call, from activity records. */
typedef struct assay_launch_row {
    int    ordinal;     /* place in the call */
    char   kernel[256]; /* mangled */
    int    grid[3], block[3];
    int    registers, local_bytes; /* a thread; local: spills and arrays */
    int    static_shared_bytes, dynamic_shared_bytes;
    char   code_hash[24]; /* of its machine code; "" unknown */
    double time_ns;       /* median over calls, hot, by its record */
} assay_launch_row;

/* A named part of one call (by kernel), from activity records. */
typedef struct assay_section_row {
    char   name[ASSAY_NAME_SIZE];
    int    launches; /* a call */
    double time_ns;  /* a call */
    double share;    /* of all sections */
} assay_section_row;

/* One counter of one variant at one point, or a fact of its check. */
typedef struct assay_metric_row {
    char   name[160];
    char   status[16]; /* ok, unsupported, no permission, failed */
    char   reason[128];
    double value;     /* of one call, NaN unless ok */
    int    n_passes;  /* of a first call: processes */
    char   replay[8]; /* user, kernel; check, input, peer: a fact; first: a first call */
} assay_metric_row;

/* A search over tuning axes that goes on where another process has stopped. */
typedef struct assay_search {
    int64_t first;              /* the combination to begin with */
    bool    has_time, by_graph; /* a combination was timed, and it was short: as a graph */
} assay_search;

/* One choice of values on a variant's tuning axes, tried at one point. */
typedef struct assay_trial_row {
    char          tuning[ASSAY_TUNING_SIZE]; /* "block=256" */
    assay_verdict verdict;                   /* only a PASS is timed */
    char          reason[ASSAY_REASON_SIZE];
    assay_regime  regime;
    assay_clock   clock;
    int64_t       n_samples;
    double        median_ns;
    bool          is_chosen;
} assay_trial_row;

#define ASSAY_FIRST_CALL   "first_call_ns" /* of a process, by the host's clock (replay "first") */
#define ASSAY_TOLD_BY_PEER "peer"          /* replay of what a peer says of itself */

enum {
    ASSAY_SMALL_OUTPUT = 16, /* elements of an output that is small enough to travel */
    ASSAY_MAX_SMALL    = 4,
    ASSAY_N_DRAWS      = 2, /* contents of the inputs that are timed, in turn: 0 of the point's own
                               seed, 1 of another */
};

/* What is expected of a small output. */
typedef struct assay_small_output {
    int     buffer, count;
    double  value[ASSAY_SMALL_OUTPUT], magnitude[ASSAY_SMALL_OUTPUT];
    int64_t integer[ASSAY_SMALL_OUTPUT];
    uint8_t law[ASSAY_SMALL_OUTPUT];
    double  terms, exempt_share;
} assay_small_output;

/* Outputs that were judged right by the reference, so that another process need not ask it again:
 * it must find the same bits, or, in a small output (a sum whose order is open), what it judges by
 * the same expectation. */
typedef struct assay_judged {
    bool               is_there;
    uint64_t           digest[ASSAY_MAX_BUFFERS]; /* of each output (device.h) */
    int                n_small;
    assay_small_output small[ASSAY_MAX_SMALL];
} assay_judged;

/* For each of the contents that are timed. */
typedef struct assay_judged_draws {
    assay_judged of_draw[ASSAY_N_DRAWS];
} assay_judged_draws;

/* The end of a point: its verdict is the highest ranked of its checks and of what befell the
 * worker. */
typedef struct assay_verdict_row {
    assay_verdict verdict;
    char          reason[ASSAY_REASON_SIZE];
    int           launches; /* kernels per call, -1 unknown */
    int64_t       workspace_bytes, device_bytes;
    int64_t peak_bytes; /* device memory that its set-up and launches took in all; -1 unknown */
    double  wall_s;
    assay_judged_draws judged; /* between processes only */
} assay_verdict_row;

/* A kernel of the self-check by one clock of one process: shown, not stored. */
typedef struct assay_spin_row {
    char   name[24]; /* null, spin 5 us, copy, fma */
    double own_ns;   /* as the kernel itself read it from the global timer, in its last call; NaN:
                        it does not know */
    assay_regime regime;
    assay_clock  clock;
    int64_t      n_samples, launches_per_sample;
    double       median_ns;
    double       wall_s; /* for the samples */
} assay_spin_row;

/* X(name, member, type): the rows that need nothing behind them. */
#define ASSAY_ROW_MAP(X)                                                                           \
    X(CHECK, check, assay_check_row)                                                               \
    X(VERDICT, verdict, assay_verdict_row)                                                         \
    X(CEILING, ceiling, assay_ceiling_row)                                                         \
    X(SPIN, spin, assay_spin_row)                                                                  \
    X(LAUNCH, launch, assay_launch_row)                                                            \
    X(SECTION, section, assay_section_row)                                                         \
    X(METRIC, metric, assay_metric_row)                                                            \
    X(TRIAL, trial, assay_trial_row)                                                               \
    X(COMPARISON, comparison, assay_comparison_row)

typedef enum assay_row_kind {
#define X(name, member, type) ASSAY_ROW_##name,
    ASSAY_ROW_MAP(X)
#undef X
    ASSAY_N_ROWS
} assay_row_kind;

typedef union assay_any_row {
#define X(name, member, type) type member;
    ASSAY_ROW_MAP(X)
#undef X
} assay_any_row;

#endif
