/* What travels from a worker to the store: plain structures without pointers into a process, so
 * that they can go through a pipe between two copies of one binary. The store writes each as one
 * row. */
#ifndef ASSAY_ROWS_H
#define ASSAY_ROWS_H

#include "case.h"

enum {
    ASSAY_NAME_SIZE   = 64,
    ASSAY_KEY_SIZE    = 1280, /* 8 axes with names and words of 63 characters */
    ASSAY_REASON_SIZE = 512,
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

/* One metric of one variant at one point. Its raw samples follow it, in time order, block by block.
 */
typedef struct assay_measurement_row {
    char    regime[8]; /* cold, hot, e2e */
    char    clock[8];  /* event, host */
    int64_t n_samples, n_blocks;
    int64_t launches_per_sample;
    double  median_ns, mean_ns, min_ns, max_ns, p05_ns, q1_ns, q3_ns, p95_ns, stdev_ns;
    char    stop_reason[32]; /* confidence, budget, samples */
    /* policy: every threshold that decided how many samples there are */
    double  target_relative_error, budget_s, flush_bytes;
    int64_t min_samples, max_samples, n_warmup;
    double  wall_s;
    int64_t bytes_declared; /* the shape's compulsory bytes */
    int64_t bytes_moved;    /* the variant's own bytes, -1 if not given */
    double  flops;
} assay_measurement_row;

/* The end of a point: its verdict is the highest ranked of its checks and of what befell the
 * worker. */
typedef struct assay_verdict_row {
    assay_verdict verdict;
    char          reason[ASSAY_REASON_SIZE];
    int           launches; /* kernels per call, -1 unknown */
    int64_t       workspace_bytes, device_bytes;
    double        wall_s;
} assay_verdict_row;

/* A point as planned. */
typedef struct assay_point_row {
    char     key[ASSAY_KEY_SIZE]; /* physics_loss/fused_tiled/grid=64x64x64/boundary=periodic/... */
    char     case_name[ASSAY_NAME_SIZE];
    char     variant[ASSAY_NAME_SIZE];
    char     baseline[ASSAY_NAME_SIZE]; /* "" none */
    uint64_t seed;
    unsigned expect;      /* ASSAY_BIT set of allowed verdicts in this lane; ASSAY_BIT(PASS) unless
                             broken on purpose */
    bool    is_reference; /* its PASS is no check */
    bool    is_timed;     /* to be timed once it has passed */
    int64_t cells;
    int     n_axes;
    struct {
        char            name[ASSAY_NAME_SIZE];
        assay_axis_kind kind;
        int64_t         i[3];
        char            text[ASSAY_NAME_SIZE]; /* as in the key */
    } axis[ASSAY_MAX_AXES];
} assay_point_row;

/* A run as started. Text fields are "" where unknown. */
typedef struct assay_run_row {
    char     uuid[40];
    char     command[2048]; /* argv, quoted */
    char     verb[16];      /* check, bench, run */
    char     options[2048]; /* what resume needs, one "--name=value" a line */
    uint64_t seed;
    char     lane[8];
    char     host[128], kernel_release[128], cpu_model[128];
    int      n_cpus;
    char     assay_version[32], git_commit[64];
    bool     git_dirty;
    char     compiler[128], cuda_compiler[128], build_type[32], build_flags[512];
    char     binary_id[80], kernels_id[80]; /* build ids of the program and of the kernel module */
    char     device_uuid[64]; /* read back by assay_store_find_interrupted; not written from here */
} assay_run_row;

#endif
