/* Rows that the parent itself stores. They are not sent between processes. */
#ifndef ASSAY_ROWS_STORED_H
#define ASSAY_ROWS_STORED_H

#include "rows.h"

/* A point as planned. */
typedef struct assay_point_row {
    char     key[ASSAY_KEY_SIZE]; /* physics_loss/fused_tiled/grid=64x64x64/boundary=periodic/... */
    char     case_name[ASSAY_NAME_SIZE];
    char     variant[ASSAY_NAME_SIZE];
    char     baseline[ASSAY_NAME_SIZE]; /* "" none */
    char     variant_what[ASSAY_VARIANT_WHAT_SIZE];
    char     rate_fact[ASSAY_NAME_SIZE], rate_along[ASSAY_NAME_SIZE]; /* "" none */
    uint64_t seed;
    unsigned expect;      /* ASSAY_BIT of each verdict allowed in this lane; ASSAY_BIT(PASS) unless
                             broken on purpose */
    bool    is_reference; /* its PASS is no check */
    bool    is_timed;     /* to be timed if it passes */
    int64_t cells;
    int64_t bytes_declared;    /* the shape's compulsory bytes */
    int64_t bytes_moved;       /* the variant's own bytes, -1 if not given */
    int64_t working_set_bytes; /* inputs and outputs, each once */
    double  flops;
    int     n_axes;
    struct {
        char            name[ASSAY_NAME_SIZE];
        assay_axis_kind kind;
        int64_t         i[3];
        char            text[ASSAY_NAME_SIZE]; /* as in the key */
    } axis[ASSAY_MAX_AXES];
} assay_point_row;

/* The settings of a device, as they were read. Unknown: "", -1 for integers, NaN for reals. */
typedef struct assay_device_settings {
    char   nvml[80], vbios[32];
    int    mig, persistence; /* 1, 0 */
    int    compute_mode;     /* 0 default, 2 prohibited, 3 exclusive process */
    double power_limit_w, power_limit_default_w;
    int    application_sm_mhz, application_memory_mhz; /* clocks set for applications */
    int    numa_node; /* of the host, to which the card is connected */
} assay_device_settings;

/* A run as started. Text fields are "" where unknown. */
typedef struct assay_run_row {
    char     uuid[40];
    char     command[2048];         /* argv, quoted */
    char     verb[ASSAY_NAME_SIZE]; /* check, bench, run, profile, trace; or a program's name */
    char     options[2048];         /* what resume needs, one "--name=value" per line */
    uint64_t seed;
    char     lane[16];
    char     host[128], kernel_release[128], cpu_model[128];
    int      n_cpus;
    char     assay_version[32], git_commit[64];
    bool     git_dirty;
    char     compiler[128], cuda_compiler[128], build_type[32], build_flags[512];
    char     binary_id[80], kernels_id[80]; /* build ids of the program and of the kernel module */
    char     device_uuid[64]; /* set by assay_store_find_interrupted; ignored by begin_run */
    /* the build's source and libraries */
    char git_branch[128], git_commit_utc[32], git_diff_hash[72];
    char cuda_toolkit[32], cuda_architectures[128], cupti[32], sqlite[32], google_benchmark[32];
    /* this start of the program */
    char   reason[16];  /* nightly, pr, local */
    double monotonic_s; /* CLOCK_MONOTONIC */
    char   boot_id[40], user[64], container[80], ci_url[512];
    char   environment[2048]; /* CUDA_, NVIDIA_ and LD_ variables, quoted for a shell */
    char   governor[32], affinity[256];
    int    turbo, smt;   /* 1, 0; -1 unknown */
    double load_average; /* of a minute; NaN unknown */
    assay_device_settings device;
} assay_run_row;

/* Rows that are named by a uuid. The store makes it and writes it into `uuid`. */

/* An annotation: a person's text about a series (view measured_series) or a run; one of the two may
 * be "". */
typedef struct assay_annotation_row {
    char uuid[40];
    char series[2048], run_uuid[40];
    char text[ASSAY_REASON_SIZE], who[ASSAY_NAME_SIZE];
} assay_annotation_row;

/* A run that others are compared with. Of several rows with one name, the newest counts. */
typedef struct assay_accepted_row {
    char uuid[40];
    char name[ASSAY_NAME_SIZE], run_uuid[40];
    char why[ASSAY_REASON_SIZE], who[ASSAY_NAME_SIZE];
} assay_accepted_row;

/* How often the decision rule errs on one case, or one point, and one device although nothing has
 * changed (A/A). */
typedef struct assay_calibration_row {
    char         uuid[40];
    char         case_name[ASSAY_NAME_SIZE];
    int          case_version;
    assay_regime regime;
    assay_clock  clock;
    char         device_kind[8],
        device_name[128];              /* of the device; the row does not hold for another one */
    char    key[ASSAY_KEY_SIZE];       /* of the point; "": all points of the case */
    char    tuning[ASSAY_TUNING_SIZE]; /* of the point */
    int64_t n_comparisons;
    double  false_slower, false_faster, cannot_tell; /* shares */
    double  band;       /* smaller effects are not called changes; NaN: unknown for this point */
    double  process_sd; /* of a point: of ln(time) between processes of one run; NaN unknown */
    int64_t process_df; /* its degrees of freedom; 0 unknown */
    char    method[160];
    char    runs[2048]; /* uuids, separated by spaces */
} assay_calibration_row;

/* One point of one run compared with the same point of another. Unknown numbers: NaN. */
typedef struct assay_change_row {
    char         uuid[40];
    char         from_run[40], to_run[40]; /* uuids */
    char         from_key[ASSAY_KEY_SIZE], to_key[ASSAY_KEY_SIZE];
    assay_regime regime;
    assay_clock  clock;          /* NONE: none decides */
    double       effect, lo, hi; /* time here over time there, less 1 */
    double       p, p_corrected, cycles_effect, threshold, band;
    char         verdict[16]; /* SAME, FASTER, SLOWER, CANNOT_TELL */
    char         reason[ASSAY_REASON_SIZE];
} assay_change_row;

#endif
