/* What the files of assay_cupti.so share. Only they include CUPTI. */
#ifndef ASSAY_CUPTI_INTERNAL_H
#define ASSAY_CUPTI_INTERNAL_H

#include "cupti/cupti.h"

#include "cupti/cupti_names.h"

/* Its headers one by one, since <cupti.h> would find our file of that name. */
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_result.h>
#include <cupti_version.h>

/* ---- cupti_help.c: what every part needs ---- */

/* Records "what: CUPTI_ERROR_...: what that means and what to do" (in ASSAY_FAIL's record, of which
 * the module has its own). Returns the status: E_UNSUPPORTED for what this machine cannot do or
 * does not allow, else E_DEVICE. `what` may be the text of a call, which is cut at its '('. */
assay_status assay_cupti_fail(CUptiResult error, const char *what);
/* Writes only the sentence. */
const char *assay_cupti_explain(CUptiResult error, const char *what, char *text, size_t size);

/* In a function with `assay_status st` and an `out:` label. */
#define ASSAY_CUPTI_CHECK(call)                                                                    \
    do {                                                                                           \
        const CUptiResult assay_cupti_error_ = (call);                                             \
        if (assay_cupti_error_ != CUPTI_SUCCESS) {                                                 \
            st = assay_cupti_fail(assay_cupti_error_, #call);                                      \
            goto out;                                                                              \
        }                                                                                          \
    } while (0)

/* E_UNSUPPORTED with a sentence if the machine has no NVIDIA driver. */
assay_status assay_cupti_require_driver(void);

/* Gets the current context of this thread and its device (an ordinal), from the driver that the
 * process has loaded. E_UNSUPPORTED without a driver, E_DEVICE without a context. Either pointer
 * may be NULL. */
assay_status assay_cupti_context(CUcontext *context, CUdevice *device);

/* Loads libnvperf_host.so from the folder of libcupti, which loads it by its bare name. The table
 * calls this before each of the counter functions below. */
assay_status assay_cupti_load_perf(void);

/* ---- cupti_records.c ---- */

/* The newest record of each kind that these headers know. Later ones append members, so records of
 * a newer CUPTI are read correctly. */
#if CUPTI_API_VERSION >= 130100
typedef CUpti_ActivityKernel11 assay_cupti_kernel;
#elif CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10        assay_cupti_kernel;
#else
typedef CUpti_ActivityKernel9 assay_cupti_kernel;
#endif
#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityMemcpy6          assay_cupti_memcpy;
typedef CUpti_ActivityOverhead3        assay_cupti_overhead;
typedef CUpti_ActivitySynchronization2 assay_cupti_sync;
#else
typedef CUpti_ActivityMemcpy5         assay_cupti_memcpy;
typedef CUpti_ActivityOverhead        assay_cupti_overhead;
typedef CUpti_ActivitySynchronization assay_cupti_sync;
#endif
typedef CUpti_ActivityMemset4 assay_cupti_memset;

typedef enum assay_conversion {
    ASSAY_CONVERTED,
    ASSAY_CONVERT_OTHER, /* a kind of record that is not kept */
    ASSAY_CONVERT_LOST,  /* no time stamps (CUPTI's own buffers ran over), or no memory */
} assay_conversion;

/* Converts a record of CUPTI. Its texts are in `names`, or are constant. */
assay_conversion assay_cupti_convert(const CUpti_Activity *record, assay_names *names,
                                     assay_activity *activity);

/* ---- cupti_activity.c ---- */

assay_status assay_cupti_activity_start(bool with_api);
assay_status assay_cupti_activity_collect(const assay_activity **records, int64_t *n,
                                          int64_t *n_dropped);
void         assay_cupti_activity_stop(void);

/* ---- cupti_counters*.c: the functions of the table with the same names. Before each call the
 * table resets the sentence of the first failure. ---- */

assay_status assay_cupti_chip_name(int device_index, char *name, size_t size);
assay_status assay_cupti_counters_validate(const char *chip, assay_metric_value *metrics, int n,
                                           int *n_passes);
assay_status assay_cupti_counters_list(const char *chip, const char *part,
                                       void (*visit)(void *context, const char *name,
                                                     const char *description),
                                       void *context);
assay_status assay_cupti_counters_open(int device_index, assay_replay replay,
                                       assay_metric_value *metrics, int n, int *n_passes,
                                       assay_counters **counters);
assay_status assay_cupti_counters_measure(assay_counters *counters,
                                          assay_status (*reset)(void *context),
                                          assay_status (*launch)(void *context), void *context,
                                          assay_metric_value *metrics, int n);
void         assay_cupti_counters_close(assay_counters *counters); /* accepts NULL */

#endif
