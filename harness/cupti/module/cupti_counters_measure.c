/* Counting one call: the passes of the range profiler, and their values by name. */
#include "cupti_counters_internal.h"

#include <math.h>
#include <string.h>

#if ASSAY_CUPTI_HAS_RANGES

/* What is counted. */
typedef struct work {
    assay_status (*reset)(void *context);
    assay_status (*launch)(void *context);
    void *context;
} work;

/* The caller keeps its own record of the failure; this one is for message(). */
static assay_status call_back(assay_status (*function)(void *context), const work *w,
                              const char *what)
{
    const assay_status st = function(w->context);

    return st == ASSAY_OK ? st : ASSAY_FAIL(st, "%s failed while it was counted", what);
}

static assay_status configure(assay_counters *c)
{
    assay_status st      = ASSAY_OK;
    const bool   is_user = c->replay == ASSAY_REPLAY_USER;
    ASSAY_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, image,
                       .pRangeProfilerObject = c->profiler, .counterDataSize = c->data_bytes,
                       .pCounterData = c->data);
    ASSAY_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, config,
                       .pRangeProfilerObject = c->profiler, .configSize = c->schedule.config_bytes,
                       .pConfig = c->schedule.config, .counterDataImageSize = c->data_bytes,
                       .pCounterDataImage = c->data,
                       .range             = is_user ? CUPTI_UserRange : CUPTI_AutoRange,
                       .replayMode        = is_user ? CUPTI_UserReplay : CUPTI_KernelReplay,
                       .maxRangesPerPass = c->max_ranges, .numNestingLevels = 1,
                       .minNestingLevel = 1, .passIndex = 0, .targetNestingLevel = 1);

    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiRangeProfilerCounterDataImageInitialize, &image));
    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiRangeProfilerSetConfig, &config));
out:
    return st;
}

/* ---- one pass ---- */

/* Runs the call between the ends of a range. It waits inside, so that no counter is read before the
 * last kernel has ended. */
static assay_status launch_counted(assay_counters *c, const work *w)
{
    assay_status st = ASSAY_OK;
    ASSAY_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange_Params, push,
                       .pRangeProfilerObject = c->profiler, .pRangeName = "call");
    ASSAY_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params, pop,
                       .pRangeProfilerObject = c->profiler);
    const bool is_user   = c->replay == ASSAY_REPLAY_USER;
    bool       is_pushed = false;

    if (is_user)
        ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiRangeProfilerPushRange, &push));
    is_pushed = is_user;
    ASSAY_CHECK(call_back(w->launch, w, "the launch"));
    ASSAY_CHECK(assay_cupti_driver_wait("the launch"));
    is_pushed = false;
    if (is_user)
        ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiRangeProfilerPopRange, &pop));
out:
    if (is_pushed)
        (void)cuptiRangeProfilerPopRange(&pop);
    return st;
}

static assay_status run_pass(assay_counters *c, const work *w, bool *is_last)
{
    assay_status st         = ASSAY_OK;
    bool         is_started = false;
    ASSAY_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, start,
                       .pRangeProfilerObject = c->profiler);
    ASSAY_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, stop, .pRangeProfilerObject = c->profiler);

    ASSAY_CHECK(call_back(w->reset, w, "what prepares the launch"));
    ASSAY_CHECK(assay_cupti_driver_wait("what prepares the launch"));
    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiRangeProfilerStart, &start));
    is_started = true;
    ASSAY_CHECK(launch_counted(c, w));
    is_started = false;
    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiRangeProfilerStop, &stop));
    *is_last = stop.isAllPassSubmitted != 0;
out:
    if (is_started)
        (void)cuptiRangeProfilerStop(&stop);
    return st;
}

/* With kernel replay, CUPTI itself repeats each kernel, and one pass is enough. */
static assay_status run_passes(assay_counters *c, const work *w)
{
    assay_status st      = ASSAY_OK;
    bool         is_last = false;

    ASSAY_CHECK(configure(c));
    for (size_t pass = 0; !is_last; pass++) {
        if (pass > c->schedule.n_passes)
            ASSAY_CHECK(assay_cupti_counters_refuse(
                c, "CUPTI is not done after %zu launches for %zu passes", pass,
                c->schedule.n_passes));
        ASSAY_CHECK(run_pass(c, w, &is_last));
    }
out:
    return st;
}

/* ---- values ---- */

static assay_status count_ranges(assay_counters *c, size_t *n_ranges)
{
    assay_status st = ASSAY_OK;
    ASSAY_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode,
                       .pRangeProfilerObject = c->profiler);
    ASSAY_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info,
                       .pCounterDataImage = c->data, .counterDataImageSize = c->data_bytes);

    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiRangeProfilerDecodeData, &decode));
    if (decode.numOfRangeDropped > 0)
        ASSAY_CHECK(assay_cupti_counters_refuse(
            c, "CUPTI lost %zu ranges; a call may have %zu kernels with kernel replay",
            decode.numOfRangeDropped, c->max_ranges));
    ASSAY_CHECK(ASSAY_COUNTERS_CALL(c, cuptiRangeProfilerGetCounterDataInfo, &info));
    *n_ranges = info.numTotalRanges;
    if (*n_ranges == 0)
        ASSAY_CHECK(assay_cupti_counters_refuse(c, "the call launched no kernel"));
    if (c->replay == ASSAY_REPLAY_USER && *n_ranges != 1)
        ASSAY_CHECK(assay_cupti_counters_refuse(c, "CUPTI gives %zu ranges for one", *n_ranges));
out:
    return st;
}

static assay_status evaluate(assay_counters *c, size_t range)
{
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params,
                       .pHostObject = c->schedule.object, .pCounterDataImage = c->data,
                       .counterDataImageSize = c->data_bytes, .rangeIndex = range,
                       .ppMetricNames = c->schedule.names, .numMetrics = c->schedule.n_names,
                       .pMetricValues = c->values);

    return ASSAY_COUNTERS_CALL(c, cuptiProfilerHostEvaluateToGpuValues, &params);
}

static bool is_summed(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && strcmp(dot, ".sum") == 0;
}

/* Counts (.sum) are added over the ranges. Other metrics are the plain mean over ranges with a
 * value, so a kernel of 2 us weighs as much as one of 2 ms. */
static void add_values(assay_counters *c)
{
    for (size_t m = 0; m < c->schedule.n_names; m++) {
        if (!is_summed(c->schedule.names[m]) && isnan(c->values[m]))
            continue;
        c->totals[m].sum += c->values[m];
        c->totals[m].n++;
    }
}

static double total(const assay_counters *c, size_t m)
{
    const double n = (double)c->totals[m].n;

    if (c->totals[m].n == 0)
        return NAN;
    return is_summed(c->schedule.names[m]) ? c->totals[m].sum : c->totals[m].sum / n;
}

static void give_value(const assay_counters *c, assay_metric_value *metric)
{
    size_t m = 0;

    if (metric->status != ASSAY_METRIC_OK)
        return;
    while (m < c->schedule.n_names && strcmp(c->schedule.names[m], metric->name) != 0)
        m++;
    if (m == c->schedule.n_names)
        assay_cupti_refuse(metric, 1, ASSAY_METRIC_FAILED, "it was not asked for at the start");
    else if (isnan(total(c, m)))
        assay_cupti_refuse(metric, 1, ASSAY_METRIC_FAILED,
                           "no value: nothing of its kind happened, or it was not counted");
    else
        metric->value = total(c, m);
}

static assay_status read_values(assay_counters *c, assay_metric_value *metrics, int n)
{
    assay_status st       = ASSAY_OK;
    size_t       n_ranges = 0;

    ASSAY_CHECK(count_ranges(c, &n_ranges));
    memset(c->totals, 0, c->schedule.n_names * sizeof *c->totals);
    for (size_t r = 0; r < n_ranges; r++) {
        ASSAY_CHECK(evaluate(c, r));
        add_values(c);
    }
    for (int i = 0; i < n; i++)
        give_value(c, &metrics[i]);
out:
    return st;
}

assay_status assay_cupti_counters_measure(assay_counters *counters,
                                          assay_status (*reset)(void *context),
                                          assay_status (*launch)(void *context), void *context,
                                          assay_metric_value *metrics, int n)
{
    assay_status st = ASSAY_OK;
    const work   w  = { .reset = reset, .launch = launch, .context = context };

    counters->result     = CUPTI_SUCCESS;
    counters->refusal[0] = '\0';
    ASSAY_CHECK(run_passes(counters, &w));
    ASSAY_CHECK(read_values(counters, metrics, n));
out:
    return assay_cupti_counters_settle(counters, st, metrics, n);
}

#endif
