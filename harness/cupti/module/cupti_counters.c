/* Opens and closes a range profiler: the counters of the GPU of the current context. */
#include "cupti_counters_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if ASSAY_CUPTI_HAS_RANGES

#include <cupti_target.h>

enum {
    MAX_KERNELS = 512 /* in one call, with kernel replay; CUPTI refuses a few thousand */
};

/* ---- failures ---- */

assay_status assay_cupti_counters_check(assay_counters *c, CUptiResult result, const char *call)
{
    if (result == CUPTI_SUCCESS)
        return ASSAY_OK;
    c->result = result;
    c->call   = call;
    return ASSAY_E_DEVICE;
}

assay_status assay_cupti_counters_refuse(assay_counters *c, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    (void)vsnprintf(c->refusal, sizeof c->refusal, format, list);
    va_end(list);
    return ASSAY_E_DEVICE;
}

assay_status assay_cupti_counters_settle(assay_counters *c, assay_status status,
                                         assay_metric_value *metrics, int n)
{
    if (status == ASSAY_OK || (c->result == CUPTI_SUCCESS && !c->refusal[0]))
        return status;
    if (c->refusal[0])
        assay_cupti_refuse(metrics, n, ASSAY_METRIC_FAILED, c->refusal);
    else
        assay_cupti_refuse_result(metrics, n, c->result, c->call);
    assay_status_reset();
    return ASSAY_OK;
}

/* ---- the device ---- */

assay_status assay_cupti_chip_name(int device_index, char *name, size_t size)
{
    assay_status st = ASSAY_OK;
    ASSAY_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, params,
                       .deviceIndex = (size_t)device_index);

    ASSAY_CHECK(assay_cupti_driver_find(device_index)); /* without a driver CUPTI crashes */
    ASSAY_CUPTI_CHECK(cuptiDeviceGetChipName(&params));
    ASSAY_REQUIRE(params.pChipName, ASSAY_E_DEVICE, "CUPTI has no name for the chip of GPU %d",
                  device_index);
    (void)snprintf(name, size, "%s", params.pChipName);
out:
    return st;
}

/* Returns why a device cannot be profiled although the driver would allow it. */
static const char *why_unsupported(const CUpti_Profiler_DeviceSupported_Params *p)
{
    const struct {
        CUpti_Profiler_Support_Level level;
        const char                  *reason;
    } facts[] = {
        { p->architecture, "this GPU is older than the range profiler wants (7.0)" },
        { p->sli, "GPUs joined by SLI cannot be profiled" },
        { p->vGpu, "this virtual GPU cannot be profiled, or its host does not allow it" },
        { p->confidentialCompute, "a GPU in confidential computing mode cannot be profiled" },
        { p->cmp, "a mining processor cannot be profiled" },
        { p->wsl, "this GPU cannot be profiled under WSL" },
    };

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (facts[i].level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
            facts[i].level == CUPTI_PROFILER_CONFIGURATION_DISABLED)
            return facts[i].reason;
    return "CUPTI does not say that this GPU can be profiled";
}

static assay_status start_profiler(assay_counters *c, CUdevice device, assay_metric_value *metrics,
                                   int n)
{
    assay_status st = ASSAY_OK;
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, start, .pPriv = NULL);
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_DeviceSupported_Params, support, .cuDevice = device,
                       .api = CUPTI_PROFILER_RANGE_PROFILING);

    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiProfilerInitialize, &start));
    c->is_initialized = true;
    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiProfilerDeviceSupported, &support));
    if (support.isSupported != CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
        assay_cupti_refuse(metrics, n, ASSAY_METRIC_UNSUPPORTED, why_unsupported(&support));
out:
    return st;
}

/* Reads which counters the device offers now. */
static assay_status read_availability(assay_counters *c, CUcontext context)
{
    assay_status st = ASSAY_OK;
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability_Params, params, .ctx = context);

    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiProfilerGetCounterAvailability, &params)); /* size */
    c->availability = calloc(1, params.counterAvailabilityImageSize + 1);
    ASSAY_REQUIRE(c->availability, ASSAY_E_MEMORY, "no memory for a list of counters");
    params.pCounterAvailabilityImage = c->availability;
    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiProfilerGetCounterAvailability, &params));
out:
    return st;
}

/* ---- metrics ---- */

/* Schedules what the chip has, then what this device offers of it. Device-level metrics are not in
 * the list of a context's counters. */
static assay_status schedule(assay_counters *c, const char *chip, CUcontext context,
                             assay_metric_value *metrics, int n)
{
    assay_status st              = ASSAY_OK;
    bool         is_device_level = false;

    ASSAY_CHECK(assay_cupti_judge(chip, NULL, metrics, n, &is_device_level));
    if (!is_device_level) {
        ASSAY_CHECK(read_availability(c, context));
        ASSAY_CHECK(assay_cupti_judge(chip, c->availability, metrics, n, &is_device_level));
    }
    ASSAY_CHECK(assay_cupti_schedule_open(chip, c->availability, metrics, n, &c->schedule));
out:
    return st;
}

static assay_status choose_metrics(assay_counters *c, int device_index, CUcontext context,
                                   assay_metric_value *metrics, int n)
{
    assay_status st = ASSAY_OK;
    char         chip[64], reason[128];

    ASSAY_CHECK(assay_cupti_chip_name(device_index, chip, sizeof chip));
    st = schedule(c, chip, context, metrics, n);
    if (st == ASSAY_E_USAGE) { /* the chip is newer than this CUPTI */
        assay_status_reset();
        (void)snprintf(reason, sizeof reason, "this CUPTI does not know the chip %s", chip);
        assay_cupti_refuse(metrics, n, ASSAY_METRIC_UNSUPPORTED, reason);
        st = ASSAY_OK;
    }
out:
    return st;
}

/* ---- collecting ---- */

static assay_status enable(assay_counters *c, CUcontext context)
{
    assay_status st = ASSAY_OK;
    ASSAY_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, on, .ctx = context);
    ASSAY_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size,
                       .pMetricNames = c->schedule.names, .numMetrics = c->schedule.n_names,
                       .maxNumOfRanges       = c->max_ranges,
                       .maxNumRangeTreeNodes = (uint32_t)c->max_ranges);

    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiRangeProfilerEnable, &on));
    c->profiler               = on.pRangeProfilerObject;
    size.pRangeProfilerObject = c->profiler;
    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiRangeProfilerGetCounterDataSize, &size));
    c->data_bytes = size.counterDataSize;
    c->data       = calloc(1, c->data_bytes + 1);
    c->values     = calloc(c->schedule.n_names, sizeof *c->values);
    c->totals     = calloc(c->schedule.n_names, sizeof *c->totals);
    ASSAY_REQUIRE(c->data && c->values && c->totals, ASSAY_E_MEMORY,
                  "no memory for %zu bytes of counter data", c->data_bytes);
out:
    return st;
}

static assay_status open_counters(assay_counters *c, int device_index, assay_metric_value *metrics,
                                  int n)
{
    assay_status st      = ASSAY_OK;
    CUcontext    context = NULL;
    CUdevice     device  = 0;

    ASSAY_CHECK(assay_cupti_context(&context, &device));
    ASSAY_CHECK(start_profiler(c, device, metrics, n));
    ASSAY_CHECK(choose_metrics(c, device_index, context, metrics, n));
    if (c->schedule.n_names > 0)
        ASSAY_CHECK(enable(c, context));
out:
    return assay_cupti_counters_settle(c, st, metrics, n);
}

static bool is_any_ok(const assay_metric_value *metrics, int n)
{
    for (int i = 0; i < n; i++)
        if (metrics[i].status == ASSAY_METRIC_OK)
            return true;
    return false;
}

assay_status assay_cupti_counters_open(int device_index, assay_replay replay,
                                       assay_metric_value *metrics, int n, int *n_passes,
                                       assay_counters **counters)
{
    assay_status    st = ASSAY_OK;
    assay_counters *c  = NULL;

    *n_passes = 0;
    *counters = NULL;
    assay_cupti_reset_metrics(metrics, n);
    if (!assay_cupti_has_ranges(metrics, n))
        goto out;
    c = calloc(1, sizeof *c);
    ASSAY_REQUIRE(c, ASSAY_E_MEMORY, "no memory for counters");
    c->replay     = replay;
    c->max_ranges = replay == ASSAY_REPLAY_USER ? 1 : MAX_KERNELS;
    ASSAY_CHECK(open_counters(c, device_index, metrics, n));
    if (is_any_ok(metrics, n)) {
        *n_passes = (int)c->schedule.n_passes;
        *counters = c;
        c         = NULL;
    }
out:
    assay_cupti_counters_close(c);
    return st;
}

void assay_cupti_counters_close(assay_counters *counters)
{
    ASSAY_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, off, .pPriv = NULL);
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, end, .pPriv = NULL);

    if (!counters)
        return;
    off.pRangeProfilerObject = counters->profiler;
    if (counters->profiler)
        (void)cuptiRangeProfilerDisable(&off);
    assay_cupti_schedule_close(&counters->schedule);
    if (counters->is_initialized)
        (void)cuptiProfilerDeInitialize(&end);
    free(counters->availability);
    free(counters->data);
    free(counters->values);
    free(counters->totals);
    free(counters);
}

#endif
