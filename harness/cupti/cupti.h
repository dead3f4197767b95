/* CUPTI behind one table of functions, in a module of its own (assay_cupti.so): the program needs
 * CUPTI only where it is used, and says so where it is missing. Activity records (record clock,
 * trace) and counters are never used in one process: records of replayed passes falsify instruction
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
    ASSAY_CODE_HASH_SIZE   = 24, /* "9f86d081884c7d65", 64 bits of hash in hex, and its NUL */
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
    /* Of a framework in another process, which says them itself (peer/peer.h): */
    ASSAY_ACTIVITY_OPERATION, /* on the host; calls may be made within */
    ASSAY_ACTIVITY_RANGE,     /* on the host, under a name that the program gives to a part */
} assay_activity_kind;

/* One record. Texts belong to the module and live until activity_stop. */
typedef struct assay_activity {
    assay_activity_kind kind;
    const char *name; /* kernel: mangled; API: cudaLaunchKernel_v7000; memcpy: "memcpy HtoD" */
    int64_t     start_ns, end_ns; /* CUPTI's clock: that of now_ns() */
    uint32_t    correlation_id;   /* joins an API record with what it started */
    uint32_t    device, context, stream, process, thread;
    uint32_t    grid[3], block[3];                         /* kernels */
    uint32_t    registers, local_bytes;                    /* a thread */
    uint32_t    static_shared_bytes, dynamic_shared_bytes; /* a block */
    uint64_t    bytes;                                     /* memcpy, memset */
    uint32_t    graph_id;                                  /* 0: not from a graph */
    char        code_hash[ASSAY_CODE_HASH_SIZE]; /* of the kernel's machine code; "" unknown */
    const char *range; /* that it was launched in (trace/trace.h); NULL: none */
} assay_activity;

/* ---- counters ---- */

typedef enum assay_metric_status {
    ASSAY_METRIC_OK,
    ASSAY_METRIC_UNSUPPORTED,   /* the chip has no such metric, or not in this set */
    ASSAY_METRIC_NO_PERMISSION, /* counters are reserved for the administrator */
    ASSAY_METRIC_FAILED,
} assay_metric_status;
const char *assay_metric_status_text(assay_metric_status status); /* "ok", "no permission", ... */

typedef enum assay_replay {
    ASSAY_REPLAY_USER,  /* the caller resets, flushes and launches once a pass */
    ASSAY_REPLAY_KERNEL /* CUPTI replays each kernel and restores device memory; ranges are kernels,
                           and a metric is summed (counts) or averaged (ratios) over them */
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
    /* The sentence behind the last failed call of this module. */
    const char *(*message)(void);
    /* Nanoseconds of the clock that records are stamped with; works without a GPU. */
    int64_t (*now_ns)(void);

    /* Starts recording; before the device is opened. `with_api`: host calls too (trace). */
    assay_status (*activity_start)(bool with_api);
    /* Everything recorded since the last collect, by start time. The device must have been waited
     * for. *records lives until the next collect. *n_dropped: records that CUPTI lost. */
    assay_status (*activity_collect)(const assay_activity **records, int64_t *n,
                                     int64_t *n_dropped);
    void (*activity_stop)(void); /* whatever happened before */

    /* Name of the chip of an open device ("GH100"). */
    assay_status (*chip_name)(int device_index, char *name, size_t size);
    /* Without a GPU: status (and reason) of each of the n named metrics on `chip`, and the passes
     * that those found OK need together. E_USAGE for an unknown chip. */
    assay_status (*counters_validate)(const char *chip, assay_metric_value *metrics, int n,
                                      int *n_passes);
    /* Calls `visit` with each base metric of a chip and its description; `part` in its name. */
    assay_status (*counters_list)(const char *chip, const char *part,
                                  void (*visit)(void *context, const char *name,
                                                const char *description),
                                  void *context);
    /* Prepares counting on the device of the current context. Metrics that cannot be had keep their
     * status and do not spoil the others; *counters is NULL if none is left (with ASSAY_OK). */
    assay_status (*counters_open)(int device_index, assay_replay replay,
                                  assay_metric_value *metrics, int n, int *n_passes,
                                  assay_counters **counters);
    /* USER: once a pass reset(context), which enqueues and is waited for outside of what is
     * counted, then launch(context), which is counted. KERNEL: each once. Values are filled by
     * name. */
    assay_status (*counters_measure)(assay_counters *counters, assay_status (*reset)(void *context),
                                     assay_status (*launch)(void *context), void *context,
                                     assay_metric_value *metrics, int n);
    void (*counters_close)(assay_counters *counters); /* accepts NULL */
} assay_cupti_api;

typedef const assay_cupti_api *assay_cupti_api_fn(void);

/* Loads the module that came with this program. NULL with a sentence: what is missing and what to
 * do. It stays loaded. */
const assay_cupti_api *assay_cupti_load(char *why, size_t why_size);

#ifdef __cplusplus
}
#endif
#endif
