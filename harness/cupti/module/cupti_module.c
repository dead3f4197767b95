/* The table of the module assay_cupti.so. Each entry first resets the last failure, so that
 * message() is about the last call. */
#include "cupti_internal.h"

static int64_t now_ns(void)
{
    uint64_t time_ns = 0;

    return cuptiGetTimestamp(&time_ns) == CUPTI_SUCCESS ? (int64_t)time_ns : 0;
}

/* ---- activity ---- */

static assay_status activity_start(bool with_api)
{
    assay_status_reset();
    return assay_cupti_activity_start(with_api);
}

static assay_status activity_collect(const assay_activity **records, int64_t *n, int64_t *n_dropped)
{
    assay_status_reset();
    return assay_cupti_activity_collect(records, n, n_dropped);
}

/* ---- counters ---- */

static assay_status chip_name(int device_index, char *name, size_t size)
{
    assay_status_reset();
    /* Without a driver, CUPTI crashes here. */
    const assay_status st = assay_cupti_require_driver();

    return st == ASSAY_OK ? assay_cupti_chip_name(device_index, name, size) : st;
}

static assay_status counters_validate(const char *chip, assay_metric_value *metrics, int n,
                                      int *n_passes)
{
    assay_status_reset();
    const assay_status st = assay_cupti_load_perf();

    return st == ASSAY_OK ? assay_cupti_counters_validate(chip, metrics, n, n_passes) : st;
}

static assay_status counters_list(const char *chip, const char                            *part,
                                  void (*visit)(void *, const char *, const char *), void *context)
{
    assay_status_reset();
    const assay_status st = assay_cupti_load_perf();

    return st == ASSAY_OK ? assay_cupti_counters_list(chip, part, visit, context) : st;
}

static assay_status counters_open(int device_index, assay_replay replay,
                                  assay_metric_value *metrics, int n, int *n_passes,
                                  assay_counters **counters)
{
    *counters = NULL;
    assay_status_reset();
    const assay_status st = assay_cupti_load_perf();

    return st == ASSAY_OK
               ? assay_cupti_counters_open(device_index, replay, metrics, n, n_passes, counters)
               : st;
}

static assay_status counters_measure(assay_counters *counters, assay_status (*reset)(void *),
                                     assay_status (*launch)(void *), void *context,
                                     assay_metric_value *metrics, int n)
{
    assay_status_reset();
    return assay_cupti_counters_measure(counters, reset, launch, context, metrics, n);
}

/* This name is the module's only visible symbol. */
__attribute__((visibility("default"))) assay_cupti_api_fn assay_cupti_api_table;

const assay_cupti_api *assay_cupti_api_table(void)
{
    static const assay_cupti_api api = {
        .abi               = ASSAY_CUPTI_ABI,
        .message           = assay_status_message,
        .now_ns            = now_ns,
        .activity_start    = activity_start,
        .activity_collect  = activity_collect,
        .activity_stop     = assay_cupti_activity_stop,
        .chip_name         = chip_name,
        .counters_validate = counters_validate,
        .counters_list     = counters_list,
        .counters_open     = counters_open,
        .counters_measure  = counters_measure,
        .counters_close    = assay_cupti_counters_close,
    };

    return &api;
}
