/* CUPTI, behind one table of functions in a separate module (assay_cupti.so). The program needs
 * CUPTI only when it uses it, and says so if it is missing. Activity records (record clock, trace)
 * and counters are never used in one process, since records of replayed passes falsify instruction
 * counters. */
#ifndef ASSAY_CUPTI_H
#define ASSAY_CUPTI_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_CUPTI_ABI        = 2,
    ASSAY_CODE_HASH_SIZE   = 24, /* 64 bits of hash in hex, "9f86d081884c7d65", and its zero byte */
    ASSAY_METRIC_NAME_SIZE = 160,
};

/* ---- activity ---- */

typedef enum assay_activity_kind {
    ASSAY_ACTIVITY_KERNEL,
    ASSAY_ACTIVITY_MEMCPY,
    ASSAY_ACTIVITY_MEMSET,
    ASSAY_ACTIVITY_API,      /* a runtime or driver call on the host */
    ASSAY_ACTIVITY_SYNC,     /* the host waits */
    ASSAY_ACTIVITY_OVERHEAD, /* CUPTI's own work */
    /* From a framework in another process, which reports them itself (peer/peer.h): */
    ASSAY_ACTIVITY_OPERATION, /* on the host; it may contain calls */
    ASSAY_ACTIVITY_RANGE,     /* on the host; a part that the program has named */
} assay_activity_kind;

/* One record. Its texts belong to the module, and are valid until activity_stop. */
typedef struct assay_activity {
    assay_activity_kind kind;
    const char *name; /* kernel: mangled; API: cudaLaunchKernel_v7000; memcpy: "memcpy HtoD" */
    int64_t     start_ns, end_ns; /* CUPTI's clock: that of now_ns() */
    uint32_t    correlation_id;   /* relates an API record to what it started */
    uint32_t    device, context, stream, process, thread;
    uint32_t    grid[3], block[3];                         /* kernels */
    uint32_t    registers, local_bytes;                    /* a thread */
    uint32_t    static_shared_bytes, dynamic_shared_bytes; /* a block */
    uint64_t    bytes;                                     /* memcpy, memset */
    uint32_t    graph_id;                                  /* 0: not from a graph */
    char        code_hash[ASSAY_CODE_HASH_SIZE]; /* of the kernel's machine code; "" unknown */
    const char *range; /* the range in which it was launched (trace/trace.h); NULL: none */
} assay_activity;

/* ---- counters ---- */

typedef enum assay_metric_status {
    ASSAY_METRIC_OK,
    ASSAY_METRIC_UNSUPPORTED,   /* the chip lacks the metric, or cannot count it in this set */
    ASSAY_METRIC_NO_PERMISSION, /* counters are reserved for the administrator */
    ASSAY_METRIC_FAILED,
} assay_metric_status;
const char *assay_metric_status_text(assay_metric_status status); /* "ok", "no permission", ... */

typedef enum assay_replay {
    ASSAY_REPLAY_USER,  /* in each pass the caller resets, flushes and launches */
    ASSAY_REPLAY_KERNEL /* CUPTI replays each kernel and restores device memory. Ranges are kernels;
                           a metric is summed (counts) or averaged (ratios) over them */
} assay_replay;

typedef struct assay_metric_value {
    char                name[ASSAY_METRIC_NAME_SIZE];
    assay_metric_status status;
    double              value;       /* NaN unless OK */
    char                reason[128]; /* "" with OK */
} assay_metric_value;

typedef struct assay_counters assay_counters;

typedef struct assay_cupti_api {
    int abi;
    /* The sentence for the last failed call of this module. */
    const char *(*message)(void);
    /* Nanoseconds of the clock that stamps records; works without a GPU. */
    int64_t (*now_ns)(void);

    /* Starts recording, before the device is opened. `with_api`: also calls of the host (trace). */
    assay_status (*activity_start)(bool with_api);
    /* Gives all records since the last collect, sorted by start. The caller has waited for the
     * device. *records is valid until the next collect. *n_dropped: records that CUPTI lost. */
    assay_status (*activity_collect)(const assay_activity **records, int64_t *n,
                                     int64_t *n_dropped);
    void (*activity_stop)(void); /* whatever happened before */

    /* Gives the name of the chip of an open device ("GH100"). */
    assay_status (*chip_name)(int device_index, char *name, size_t size);
    /* Without a GPU: gives status and reason of each of the n named metrics on `chip`, and the
     * number of passes that the OK ones need together. E_USAGE for an unknown chip. */
    assay_status (*counters_validate)(const char *chip, assay_metric_value *metrics, int n,
                                      int *n_passes);
    /* Calls `visit` with each base metric of a chip that has `part` in its name, and its
     * description. */
    assay_status (*counters_list)(const char *chip, const char *part,
                                  void (*visit)(void *context, const char *name,
                                                const char *description),
                                  void *context);
    /* Prepares counting on the device of the current context. Metrics that cannot be counted keep
     * their status and do not affect the others. *counters is NULL, with ASSAY_OK, if none is left.
     */
    assay_status (*counters_open)(int device_index, assay_replay replay,
                                  assay_metric_value *metrics, int n, int *n_passes,
                                  assay_counters **counters);
    /* USER: for each pass calls reset(context), whose work is waited for and not counted, then
     * launch(context), which is counted. KERNEL: calls each once. Fills values by name. */
    assay_status (*counters_measure)(assay_counters *counters, assay_status (*reset)(void *context),
                                     assay_status (*launch)(void *context), void *context,
                                     assay_metric_value *metrics, int n);
    void (*counters_close)(assay_counters *counters); /* accepts NULL */
} assay_cupti_api;

typedef const assay_cupti_api *assay_cupti_api_fn(void);

/* Loads the module that came with this program, which stays loaded. NULL, with a sentence that says
 * what is missing and what to do. */
const assay_cupti_api *assay_cupti_load(char *why, size_t why_size);

#ifdef __cplusplus
}
#endif
#endif
