/* The counter functions for builds with a CUPTI older than CUDA 12.6. */
#include "cupti_counters_internal.h"

#if !ASSAY_CUPTI_HAS_RANGES

#define TOO_OLD "built with a CUPTI older than CUDA 12.6, which brought counters"

assay_status assay_cupti_chip_name(int device_index, char *name, size_t size)
{
    (void)device_index, (void)name, (void)size;
    return ASSAY_FAIL(ASSAY_E_UNSUPPORTED, TOO_OLD);
}

assay_status assay_cupti_counters_validate(const char *chip, assay_metric_value *metrics, int n,
                                           int *n_passes)
{
    (void)chip, (void)metrics, (void)n;
    *n_passes = 0;
    return ASSAY_FAIL(ASSAY_E_UNSUPPORTED, TOO_OLD);
}

assay_status assay_cupti_counters_list(const char *chip, const char *part,
                                       void (*visit)(void *context, const char *name,
                                                     const char *description),
                                       void *context)
{
    (void)chip, (void)part, (void)visit, (void)context;
    return ASSAY_FAIL(ASSAY_E_UNSUPPORTED, TOO_OLD);
}

assay_status assay_cupti_counters_open(int device_index, assay_replay replay,
                                       assay_metric_value *metrics, int n, int *n_passes,
                                       assay_counters **counters)
{
    (void)device_index, (void)replay;
    *n_passes = 0;
    *counters = NULL;
    assay_cupti_reset_metrics(metrics, n);
    assay_cupti_refuse(metrics, n, ASSAY_METRIC_UNSUPPORTED, TOO_OLD);
    return ASSAY_OK;
}

/* Never called: no counters were opened. */
assay_status assay_cupti_counters_measure(assay_counters *counters,
                                          assay_status (*reset)(void *context),
                                          assay_status (*launch)(void *context), void *context,
                                          assay_metric_value *metrics, int n)
{
    (void)counters, (void)reset, (void)launch, (void)context;
    assay_cupti_refuse(metrics, n, ASSAY_METRIC_UNSUPPORTED, TOO_OLD);
    return ASSAY_OK;
}

void assay_cupti_counters_close(assay_counters *counters) { (void)counters; }

#endif
