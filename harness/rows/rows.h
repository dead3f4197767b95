/* Rows that go from a worker to the store: plain structures without pointers, for a pipe between
 * two processes of the same program. */
#ifndef ASSAY_ROWS_H
#define ASSAY_ROWS_H

#include "case.h"
#include "metric.h"

enum {
    ASSAY_NAME_SIZE   = 64,
    ASSAY_KEY_SIZE    = 1280, /* 8 axes with names and words of 63 characters */
    ASSAY_REASON_SIZE = 512,
    /* The version of the method: how numbers are measured besides the policy's thresholds. It is
     * raised with any change to the table "What no option changes" in docs/measuring.md, so that
     * numbers of two methods are not one series. */
    ASSAY_METHOD_VERSION = 2,
    /* The tick of a GPU's clock, for events and records alike. In results/baseline the smallest
     * event of one call, in every row of an H100 and an H200, is a multiple of it to within 0.2 ns,
     * and the smallest record of the H200 to within 2 ns. Records of the H100 are half a tick off.
     */
    ASSAY_DEVICE_TICK_NS = 32,
    ASSAY_SAME_TICK_NS   = 2, /* values of one tick differ only by conversion */
};

/* The result for one output or invariant with one input class, the worst of the check's runs. */
typedef struct assay_check_row {
    assay_input   input;
    char          output[ASSAY_NAME_SIZE]; /* buffer, or invariant */
    bool          is_invariant;
    assay_verdict verdict;
    char          reason[ASSAY_REASON_SIZE]; /* "" with PASS */
    uint64_t      seed;
    int           n_runs; /* launches compared, each with another poison and schedule */
    /* the rule that was applied */
    assay_rule   rule;
    double       c, u_out, u_acc;
    assay_growth growth;
    double       terms;
    int64_t      max_ulp;
    char         why[ASSAY_REASON_SIZE];
    /* what was found; NaN or -1 where it does not apply */
    int64_t count, n_failed, first_bad_index;
    double  first_bad_value, first_bad_expected;
    double
        worst_ratio; /* largest err/bound, above 1 fails; ULP: err/max_ulp; EXACT: 0 or infinity */
    double  max_abs_error, max_abs_expected;
    double  max_ulp_error;
    double  relative_l2;
    int64_t n_exempt;
    double  exempt_share_predicted;
} assay_check_row;

/* The policy: every threshold of measuring. A run has one policy. */
typedef struct assay_policy {
    int    n_processes; /* that time a point, one after the other */
    int    n_blocks;    /* of each metric in each process; variants alternate by block */
    double budget_s;    /* wall time of the timing of one point in one process, all its metrics */
    double target_relative_error;     /* a block may end when half the 95 % interval of its median,
                                         divided by the median, is this small */
    int64_t min_samples, max_samples; /* of a block; a slow kernel gets fewer than the minimum */
    int64_t confident_samples; /* no block ends on confidence with fewer: until a clock's ticks
                                  show, all samples look alike */
    int    max_calls;          /* behind one gate */
    int    graph_calls;        /* in one graph, if it does not get longer than: */
    double graph_target_ns;
    double sample_target_ns;     /* a hot sample holds so many calls that it is this long */
    int warm_window, max_warmup; /* so many consecutive times must agree; at most so many calls */
    int rewarm;            /* calls before each later block, since another variant ran meanwhile */
    double warm_agreement; /* of times, and of SM clocks: (largest - least) / least */
    double warm_share;     /* at most, of the budget */
    int    flush_kind;     /* assay_flush */
    double short_ns;       /* below this event time the event clock does not decide */
    double
        clock_tie; /* for a long kernel, event and record count as equal if they differ by less */
    double floor_factor;   /* a time below so many times the null kernel is flagged */
    double ceiling_margin; /* above (1 + this) of the ceiling: SUSPECT */
    double clock_gap_ns, clock_gap_share; /* event and record may differ by the larger of the two */
    int64_t invalid_reasons;              /* clock event reasons that make a sample invalid */
} assay_policy;

/* A block: consecutive samples of one metric in one process, and the state of the card meanwhile.
 * Unknown: NaN, or -1 for integers. */
typedef struct assay_block {
    int64_t n_samples;   /* valid ones */
    int64_t n_throttled; /* left out: the clock was held back by power or temperature */
    int64_t n_discarded; /* left out: the gate opened too early */
    int     process;     /* number of the process among those that timed the point, from 0 */
    int     order;       /* number of the block in its process's sequence of all variants */
    double  start_s;     /* of its first sample, since the process began the point's timing */
    double  median_ns, median_cycles, sm_clock_mhz; /* clock: median over its samples */
    int64_t reasons; /* clock event reasons that occurred, combined by |; -1 unknown */
    int     memory_mhz, temperature_c; /* after the block */
    double  power_before_w, power_after_w;
    double  energy_j; /* by which the counter rose; it ticks slower than a block lasts */
    int     memory_before_mhz, temperature_before_c; /* 0: unknown too */
    int64_t calls; /* behind each of its samples; 0 unknown; between processes only */
} assay_block;

/* The calls per sample that another process has chosen, so that all processes measure alike. 0:
 * free to choose. */
typedef struct assay_calls {
    int64_t hot, graph;
} assay_calls;

/* ---- a measurement ---- */

/* X(kind, member, size, rule): what store, CSV, JSON and import know of a measurement. Each line is
 * a member of the row and a column of the same name. kind and rule: columns.h; size: of a text. A
 * new statistic is a line in ASSAY_MEASUREMENT_LAST, whatever it is about, since the columns of the
 * CSV are never moved. */

#define ASSAY_MEASUREMENT_HEAD(X)                                                                  \
    X(REGIME, regime, 0, NEVER)                                                                    \
    X(CLOCK, clock, 0, NEVER)                                                                      \
    /* judged by the parent, once all processes are done: this clock is the one to believe in this \
       regime; the rule that said so, or why it does not decide */                                 \
    X(TRUTH, decides, 0, NEVER)                                                                    \
    X(TEXT, decision, 160, NEVER)                                                                  \
    X(TEXT, tuning, ASSAY_TUNING_SIZE, NEVER) /* "block=256"; "": the variant has no tuning axes   \
                                               */

#define ASSAY_MEASUREMENT_TAKEN(X)                                                                 \
    X(INT64, n_samples, 0, NEVER) /* 0: all were invalid, times are NaN */                         \
    X(INT64, n_blocks, 0, NEVER)                                                                   \
    X(INT, n_processes, 0, NEVER)                                                                  \
    X(INT64, launches_per_sample, 0,                                                               \
      NEVER)                          /* the smallest of all processes; times are per call */      \
    X(REAL, median_ns, 0, NO_SAMPLES) /* the middle (assay_stats_middle) */                        \
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

/* The parent sets these. */
#define ASSAY_MEASUREMENT_LIMITS(X)                                                                \
    X(REAL, floor_ns, 0, NEVER)        /* the null kernel by this regime and clock; NaN unknown */ \
    X(TRUTH, is_below_floor, 0, NEVER) /* under floor_factor times it */                           \
    /* measured in this regime, by this clock, at this working set */                              \
    X(REAL, ceiling_bytes_per_s, 0, NEVER)                                                         \
    X(REAL, ceiling_flops, 0, NEVER) /* measured fp32 rate, flop/s */

/* Only in the CSV. */
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

/* At the end of the CSV, and of an object in the JSON report. */
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

/* A measurement: one variant at one point in one regime by one clock. Its blocks and raw samples
 * follow it. From a worker it covers that process; in the store, all processes. */
typedef struct assay_measurement_row {
#define X(kind, name, size, rule) ASSAY_MEMBER_##kind(name, size)
    ASSAY_MEASUREMENT_MAP(X)
#undef X
    assay_policy policy; /* a separate row, which other measurements share */
} assay_measurement_row;

/* A ceiling of the machine, measured at the start of a timing run. */
typedef struct assay_ceiling_row {
    char         kind[16]; /* null, copy, read, write, triad, fma */
    assay_regime regime;
    assay_clock  clock;
    int64_t      working_set_bytes; /* 0 for null and fma */
    int64_t      n_samples;
    double       median_ns;
    double       rate; /* bytes/s; fma: flop/s; null: NaN */
} assay_ceiling_row;

/* A variant compared with another one at the same axis values, or with itself (A/A), paired block
 * by block. */
typedef struct assay_comparison_row {
    char         kind[16];                 /* speedup, aa */
    char         against[ASSAY_NAME_SIZE]; /* variant */
    assay_regime regime;
    assay_clock  clock;
    double       ratio;  /* time of `against` divided by the time of this: above 1 is faster */
    double       lo, hi; /* 95 % interval over processes; NaN below 3 processes */
    int          n_pairs, n_processes;
    bool         is_known; /* false: CANNOT_TELL, ratio is NaN, `reason` says why */
    char         reason[160];
} assay_comparison_row;

/* One kernel of one call, from activity records. */
typedef struct assay_launch_row {
    int    ordinal;     /* its number in the call */
    char   kernel[256]; /* mangled */
    int    grid[3], block[3];
    int    registers, local_bytes; /* a thread; local: spills and arrays */
    int    static_shared_bytes, dynamic_shared_bytes;
    char   code_hash[24]; /* of its machine code; "" unknown */
    double time_ns;       /* median over calls, hot, by its record */
} assay_launch_row;

/* A section: a named part of one call, from activity records. */
typedef struct assay_section_row {
    char   name[ASSAY_NAME_SIZE];
    int    launches; /* a call */
    double time_ns;  /* a call */
    double share;    /* of all sections */
} assay_section_row;

/* A hardware counter of one variant at one point, or a fact of its check. */
typedef struct assay_metric_row {
    char   name[160];
    char   status[16]; /* ok, unsupported, no permission, failed */
    char   reason[128];
    double value;     /* of one call, NaN unless ok */
    int    n_passes;  /* for a first call: processes */
    char   replay[8]; /* user, kernel: counters; check, input, peer: facts; first: a first call */
} assay_metric_row;

/* A search over tuning axes that continues where another process has stopped. */
typedef struct assay_search {
    int64_t first;              /* the combination to begin with */
    bool    has_time, by_graph; /* a combination was timed; it was short, so graphs are used */
} assay_search;

/* One combination of a variant's tuning values, tried at one point. */
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
#define ASSAY_TOLD_BY_PEER "peer"          /* replay of facts that a peer reports */

enum {
    ASSAY_SMALL_OUTPUT = 16, /* elements of an output that is small enough to be sent */
    ASSAY_MAX_SMALL    = 4,
    ASSAY_N_DRAWS =
        2, /* contents of the timed inputs, in turn: 0 from the point's seed, 1 from another */
};

/* The expectation of a small output. */
typedef struct assay_small_output {
    int     buffer, count;
    double  value[ASSAY_SMALL_OUTPUT], magnitude[ASSAY_SMALL_OUTPUT];
    int64_t integer[ASSAY_SMALL_OUTPUT];
    uint8_t law[ASSAY_SMALL_OUTPUT];
    double  terms, exempt_share;
} assay_small_output;

/* Outputs that were judged right by the reference, so that another process need not run it again.
 * That process must find the same bits or, in a small output (a sum in any order), values that pass
 * with the same expectation. */
typedef struct assay_judged {
    bool               is_there;
    uint64_t           digest[ASSAY_MAX_BUFFERS]; /* of each output (device.h) */
    int                n_small;
    assay_small_output small[ASSAY_MAX_SMALL];
} assay_judged;

/* For each of the contents of the timed inputs. */
typedef struct assay_judged_draws {
    assay_judged of_draw[ASSAY_N_DRAWS];
} assay_judged_draws;

/* The end of a point. Its verdict is the gravest of its checks and of what happened to the worker.
 */
typedef struct assay_verdict_row {
    assay_verdict verdict;
    char          reason[ASSAY_REASON_SIZE];
    int           launches; /* kernels per call, -1 unknown */
    int64_t       workspace_bytes, device_bytes;
    int64_t peak_bytes; /* device memory that its setup and launches took in all; -1 unknown */
    double  wall_s;
    assay_judged_draws judged; /* between processes only */
} assay_verdict_row;

/* A kernel of the self-check by one clock in one process. It is shown, not stored. */
typedef struct assay_spin_row {
    char   name[24]; /* null, spin 5 us, copy, fma */
    double own_ns; /* as the kernel itself read it from the global timer, in its last call; NaN: it
                      does not measure itself */
    assay_regime regime;
    assay_clock  clock;
    int64_t      n_samples, launches_per_sample;
    double       median_ns;
    double       wall_s; /* for the samples */
} assay_spin_row;

/* X(name, member, type): the rows that are not followed by arrays. */
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
