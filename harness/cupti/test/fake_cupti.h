/* A stand-in for CUPTI under the module's files for counters: it logs the calls, and fails where
 * a test asks for it. For one test program. */
#ifndef ASSAY_FAKE_CUPTI_H
#define ASSAY_FAKE_CUPTI_H

#include "cupti/module/cupti_counters_internal.h"
#include "testing/testing.h"

#include <cupti_target.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct fake {
    char         log[512]; /* one letter for each call around a launch */
    const char  *fails_at; /* a function's name, or NULL */
    CUptiResult  result;   /* the result of that failure */
    uint32_t     version;
    size_t       n_passes, n_ranges, n_dropped, passes_done;
    bool         is_endless, is_confidential, has_no_context;
    assay_status wait_status;
    int          n_objects, n_enabled, n_initialized; /* opened and not closed */
    /* as configured */
    size_t max_ranges;
    bool   is_user;
} fake;

static CUptiResult called(const char *name, const char *letter)
{
    strcat(fake.log, letter);
    return fake.fails_at && strcmp(fake.fails_at, name) == 0 ? fake.result : CUPTI_SUCCESS;
}
#define CALLED(letter) called(__func__, letter)

/* A host object with an availability image, and one without. */
static int                         objects[2];
static CUpti_Profiler_Host_Object *object_of(int which)
{
    return (CUpti_Profiler_Host_Object *)&objects[which];
}

CUptiResult cuptiGetVersion(uint32_t *version)
{
    *version = fake.version;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *p)
{
    p->pChipName = "GH100";
    return CALLED("");
}

CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params *p)
{
    const CUptiResult result = CALLED("");

    p->pHostObject = object_of(p->pCounterAvailabilityImage != NULL);
    fake.n_objects += result == CUPTI_SUCCESS;
    return result;
}

CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params *p)
{
    assert_non_null(p->pHostObject);
    fake.n_objects--;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params *p)
{
    static const char *const chips[] = { "GH100" };

    p->numChips    = 1;
    p->ppChipNames = chips;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetBaseMetrics(CUpti_Profiler_Host_GetBaseMetrics_Params *p)
{
    p->numMetrics = 0;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetMetricProperties(CUpti_Profiler_Host_GetMetricProperties_Params *p)
{
    return strncmp(p->pMetricName, "bad__", 5) == 0 ? CUPTI_ERROR_INVALID_METRIC_NAME
                                                    : CUPTI_SUCCESS;
}

/* pcie__ metrics cannot be combined with another unit, clash__ metrics not with each other; the
 * device does not offer gone__ metrics. */
CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params *p)
{
    size_t n_pcie = 0, n_gone = 0, n_clash = 0;

    for (size_t i = 0; i < p->numMetrics; i++) {
        n_pcie += strncmp(p->ppMetricNames[i], "pcie__", 6) == 0;
        n_gone += strncmp(p->ppMetricNames[i], "gone__", 6) == 0;
        n_clash += strncmp(p->ppMetricNames[i], "clash__", 7) == 0;
    }
    if (n_clash > 1 || (n_gone > 0 && p->pHostObject == object_of(1)))
        return CUPTI_ERROR_INVALID_PARAMETER;
    return n_pcie > 0 && n_pcie < p->numMetrics ? CUPTI_ERROR_NOT_SUPPORTED : CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params *p)
{
    p->configImageSize = 16;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params *p)
{
    memset(p->pConfigImage, 1, p->configImageSize);
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params *p)
{
    p->numOfPasses = fake.n_passes;
    return CUPTI_SUCCESS;
}

/* Counts grow with the range; one ratio has a value in the first range only. */
CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params *p)
{
    for (size_t i = 0; i < p->numMetrics; i++) {
        const char  *name  = p->ppMetricNames[i];
        const double range = (double)p->rangeIndex;

        p->pMetricValues[i] = strstr(name, "none")                    ? NAN
                              : strstr(name, "rare") && p->rangeIndex ? NAN
                                                                      : 10 * (range + 1);
    }
    return CALLED("");
}

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *p)
{
    const CUptiResult result = CALLED("");

    (void)p;
    fake.n_initialized += result == CUPTI_SUCCESS;
    return result;
}

CUptiResult cuptiProfilerDeInitialize(CUpti_Profiler_DeInitialize_Params *p)
{
    (void)p;
    fake.n_initialized--;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerDeviceSupported(CUpti_Profiler_DeviceSupported_Params *p)
{
    const CUpti_Profiler_Support_Level yes = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;

    p->architecture = p->sli = p->vGpu = p->cmp = p->wsl = yes;
    p->confidentialCompute                               = p->isSupported =
        fake.is_confidential ? CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED : yes;
    return CALLED("");
}

CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params *p)
{
    p->counterAvailabilityImageSize = 8;
    return CALLED("a");
}

CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params *p)
{
    const CUptiResult result = CALLED("");

    p->pRangeProfilerObject = (CUpti_RangeProfiler_Object *)&objects[0];
    fake.n_enabled += result == CUPTI_SUCCESS;
    return result;
}

CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params *p)
{
    assert_non_null(p->pRangeProfilerObject);
    fake.n_enabled--;
    return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params *p)
{
    fake.max_ranges    = p->maxNumOfRanges;
    p->counterDataSize = 32;
    return CALLED("");
}

CUptiResult cuptiRangeProfilerCounterDataImageInitialize(
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params *p)
{
    memset(p->pCounterData, 0, p->counterDataSize);
    return CALLED("");
}

CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params *p)
{
    fake.is_user     = p->range == CUPTI_UserRange;
    fake.passes_done = 0;
    assert_int_equal(p->replayMode, fake.is_user ? CUPTI_UserReplay : CUPTI_KernelReplay);
    assert_int_equal(p->maxRangesPerPass, fake.max_ranges);
    return CALLED("");
}

CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params *p)
{
    (void)p;
    return CALLED("[");
}

CUptiResult cuptiRangeProfilerPushRange(CUpti_RangeProfiler_PushRange_Params *p)
{
    assert_non_null(p->pRangeName);
    return CALLED("(");
}

CUptiResult cuptiRangeProfilerPopRange(CUpti_RangeProfiler_PopRange_Params *p)
{
    (void)p;
    return CALLED(")");
}

CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params *p)
{
    fake.passes_done++;
    p->isAllPassSubmitted =
        !fake.is_endless && (!fake.is_user || fake.passes_done >= fake.n_passes);
    return CALLED("]");
}

CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params *p)
{
    p->numOfRangeDropped = fake.n_dropped;
    return CALLED("");
}

CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params *p)
{
    p->numTotalRanges = fake.n_ranges;
    return CALLED("");
}

/* ---- functions of the module's other files ---- */

const char *assay_cupti_explain(CUptiResult error, const char *what, char *text, size_t size)
{
    (void)snprintf(text, size, "%s: error %d", what, (int)error);
    return text;
}

assay_status assay_cupti_fail(CUptiResult error, const char *what)
{
    return ASSAY_FAIL(ASSAY_E_DEVICE, "%s: error %d", what, (int)error);
}

assay_status assay_cupti_context(CUcontext *context, CUdevice *device)
{
    *context = (CUcontext)&objects[0];
    *device  = 0;
    return fake.has_no_context ? ASSAY_FAIL(ASSAY_E_DEVICE, "no context") : ASSAY_OK;
}

assay_status assay_cupti_driver_find(int device_index)
{
    (void)device_index;
    return ASSAY_OK;
}

assay_status assay_cupti_driver_wait(const char *what)
{
    (void)what;
    strcat(fake.log, "w");
    return fake.wait_status;
}

/* ---- counting with it ---- */

enum {
    N = 5 /* metrics of the usual selection */
};

/* The launches that are counted. */
static struct {
    int          n_resets, n_launches;
    assay_status reset, launch; /* what they return */
} call;

static assay_status reset_call(void *context)
{
    assert_ptr_equal(context, &call);
    strcat(fake.log, "r");
    call.n_resets++;
    return call.reset;
}

static assay_status launch_call(void *context)
{
    assert_ptr_equal(context, &call);
    strcat(fake.log, "l");
    call.n_launches++;
    return call.launch;
}

static void usual_metrics(assay_metric_value metrics[N])
{
    static const char *const names[N] = { "a__count.sum", "a__rate.pct", "a__rare.ratio",
                                          "a__count.sum.per_second", "bad__name.sum" };

    memset(metrics, 0, N * sizeof *metrics);
    for (int i = 0; i < N; i++) {
        metrics[i].status = ASSAY_METRIC_FAILED; /* must be overwritten */
        (void)snprintf(metrics[i].name, sizeof metrics[i].name, "%s", names[i]);
    }
}

/* Opens, counts once, closes, as `assay profile` does with a point. */
static assay_status count(assay_replay replay, assay_metric_value *metrics, int n, int *n_passes)
{
    assay_status    st       = ASSAY_OK;
    assay_counters *counters = NULL;

    ASSAY_CHECK(assay_cupti_counters_open(0, replay, metrics, n, n_passes, &counters));
    fake.log[0] = '\0';
    if (counters)
        ASSAY_CHECK(
            assay_cupti_counters_measure(counters, reset_call, launch_call, &call, metrics, n));
out:
    assay_cupti_counters_close(counters);
    return st;
}

static int start_test(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof fake);
    memset(&call, 0, sizeof call);
    fake.version  = ASSAY_CUPTI_RANGE_API;
    fake.n_passes = 2;
    fake.n_ranges = 1;
    assay_status_reset();
    return 0;
}

/* Whatever happened, everything that was opened is closed. */
static int end_test(void **state)
{
    (void)state;
    assert_int_equal(fake.n_objects, 0);
    assert_int_equal(fake.n_enabled, 0);
    assert_int_equal(fake.n_initialized, 0);
    return 0;
}

static void assert_metric(const assay_metric_value *metric, assay_metric_status status,
                          const char *words)
{
    if (metric->status != status || !strstr(metric->reason, words))
        fail_msg("%s: %s \"%s\" is not %s \"%s\"", metric->name,
                 assay_metric_status_text(metric->status), metric->reason,
                 assay_metric_status_text(status), words);
    assert_int_equal(metric->reason[0] == '\0', status == ASSAY_METRIC_OK);
    assert_int_equal(isnan(metric->value), status != ASSAY_METRIC_OK);
}

/* Checks all metrics but the last, which is no metric and keeps its own status. */
static void assert_all(const assay_metric_value metrics[N], assay_metric_status status,
                       const char *words)
{
    for (int i = 0; i < N - 1; i++)
        assert_metric(&metrics[i], status, words);
}

#endif
