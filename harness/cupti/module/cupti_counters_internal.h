/* What the counter files of the CUPTI module share: results of calls as statuses of metrics, and
 * the host half of the range profiler (names and passes, which need no GPU). */
#ifndef ASSAY_CUPTI_COUNTERS_INTERNAL_H
#define ASSAY_CUPTI_COUNTERS_INTERNAL_H

#include "cupti_internal.h"

/* The range profiler and its host interface exist since CUDA 12.6. */
#ifndef ASSAY_CUPTI_RANGE_API
#define ASSAY_CUPTI_RANGE_API 24
#endif
#if CUPTI_API_VERSION >= ASSAY_CUPTI_RANGE_API
#define ASSAY_CUPTI_HAS_RANGES 1
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#else
#define ASSAY_CUPTI_HAS_RANGES 0
#endif

/* ---- cupti_counters_outcome.c ---- */

/* Gives each metric that is still OK this status and a reason, and removes its value. */
void assay_cupti_refuse(assay_metric_value *metrics, int n, assay_metric_status status,
                        const char *reason);
/* The same for the result of a CUPTI call. */
void assay_cupti_refuse_result(assay_metric_value *metrics, int n, CUptiResult result,
                               const char *call);
/* Makes every metric OK, without a value; functions that judge them begin with this. */
void assay_cupti_reset_metrics(assay_metric_value *metrics, int n);
/* False, and every metric is refused, if the loaded libcupti is older than CUDA 12.6. */
bool assay_cupti_has_ranges(assay_metric_value *metrics, int n);

/* ---- cupti_counters_driver.c ---- */

/* Starts the driver. E_UNSUPPORTED if there is none, E_USAGE if it has no such device. */
assay_status assay_cupti_driver_find(int device_index);
/* Waits for all work in the current context; `what` begins the sentence of a failure. */
assay_status assay_cupti_driver_wait(const char *what);

#if ASSAY_CUPTI_HAS_RANGES

/* A parameter structure of CUPTI: all zero, except its size (which is not its sizeof) and the
 * members given here. */
#define ASSAY_CUPTI_PARAMS(type, name, ...)                                                        \
    type name = { .structSize = type##_STRUCT_SIZE, __VA_ARGS__ }

/* ---- cupti_counters_host.c ---- */

/* A host object knows the metrics of a chip: all of them or, with an availability image, those that
 * a device offers. A wrong name makes it unusable. E_USAGE for an unknown chip. */
assay_status assay_cupti_object_open(const char *chip, const uint8_t *availability,
                                     CUpti_Profiler_Host_Object **object);
void         assay_cupti_object_close(CUpti_Profiler_Host_Object *object); /* accepts NULL */
CUptiResult  assay_cupti_object_add(CUpti_Profiler_Host_Object *object, const char **names,
                                    size_t n);

/* Metrics, scheduled into passes. A zeroed schedule is empty. */
typedef struct assay_cupti_schedule {
    CUpti_Profiler_Host_Object *object;
    const char                **names; /* point into name_text */
    char (*name_text)[ASSAY_METRIC_NAME_SIZE];
    size_t   n_names;
    uint8_t *config; /* which counters in which pass */
    size_t   config_bytes, n_passes;
} assay_cupti_schedule;

/* Schedules the metrics that are OK; if there are none, the schedule is empty. The caller closes.
 */
assay_status assay_cupti_schedule_open(const char *chip, const uint8_t *availability,
                                       const assay_metric_value *metrics, int n,
                                       assay_cupti_schedule *schedule);
void         assay_cupti_schedule_close(
            assay_cupti_schedule *schedule); /* accepts an empty one; zeroes *schedule */

/* ---- cupti_counters_judge.c ---- */

/* Gives a status other than OK to metrics that the chip (or the device of the availability image)
 * lacks, and to those that do not fit the others. *is_device_level: the remaining metrics are
 * counted for the whole GPU, not for a context. */
assay_status assay_cupti_judge(const char *chip, const uint8_t *availability,
                               assay_metric_value *metrics, int n, bool *is_device_level);

/* ---- cupti_counters.c ---- */

/* The sum of one metric over ranges. */
typedef struct assay_cupti_total {
    double sum;
    size_t n; /* ranges that had a value */
} assay_cupti_total;

/* A range profiler on one context. */
struct assay_counters {
    assay_cupti_schedule        schedule;
    CUpti_RangeProfiler_Object *profiler;
    assay_replay                replay;
    bool                        is_initialized;
    size_t                      max_ranges;
    uint8_t                    *availability; /* image; must outlive the schedule made with it */
    uint8_t                    *data;         /* counter data image */
    size_t                      data_bytes;
    double                     *values; /* of one range: n_names */
    assay_cupti_total          *totals; /* over ranges: n_names */
    /* why counting failed */
    CUptiResult result; /* with the call that returned it, or: */
    const char *call;
    char        refusal[128]; /* "", or a reason that is not CUPTI's */
};

/* E_DEVICE, kept in `c`, unless the call succeeded. */
assay_status assay_cupti_counters_check(assay_counters *c, CUptiResult result, const char *call);
#define ASSAY_COUNTERS_CALL(c, function, params)                                                   \
    assay_cupti_counters_check((c), function(params), #function)
/* E_DEVICE, with a sentence. */
assay_status assay_cupti_counters_refuse(assay_counters *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* If counters fail, the run does not. The kept result becomes the status of every metric that is
 * still OK, and ASSAY_OK is returned. Any other failure is returned. */
assay_status assay_cupti_counters_settle(assay_counters *c, assay_status status,
                                         assay_metric_value *metrics, int n);

#endif
#endif
