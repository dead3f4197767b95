/* Host objects, schedules and lists of metrics: what CUPTI can tell without a GPU. */
#include "cupti_counters_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if ASSAY_CUPTI_HAS_RANGES

/* ---- host objects ---- */

static assay_status fail_unknown_chip(const char *chip)
{
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips_Params, chips, .pPriv = NULL);
    char   known[512] = "";
    size_t length     = 0;

    if (cuptiProfilerHostGetSupportedChips(&chips) != CUPTI_SUCCESS)
        chips.numChips = 0;
    for (size_t i = 0; i < chips.numChips && length < sizeof known; i++)
        length +=
            (size_t)snprintf(known + length, sizeof known - length, " %s", chips.ppChipNames[i]);
    return ASSAY_FAIL(ASSAY_E_USAGE, "this CUPTI does not know a chip '%.32s'; it knows%s", chip,
                      known);
}

assay_status assay_cupti_object_open(const char *chip, const uint8_t *availability,
                                     CUpti_Profiler_Host_Object **object)
{
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, params,
                       .profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER, .pChipName = chip,
                       .pCounterAvailabilityImage = availability);
    const CUptiResult result = cuptiProfilerHostInitialize(&params);

    *object = NULL;
    if (result == CUPTI_ERROR_INVALID_CHIP_NAME)
        return fail_unknown_chip(chip);
    if (result != CUPTI_SUCCESS)
        return assay_cupti_fail(result, "cuptiProfilerHostInitialize");
    *object = params.pHostObject;
    return ASSAY_OK;
}

void assay_cupti_object_close(CUpti_Profiler_Host_Object *object)
{
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params, .pHostObject = object);

    if (object)
        (void)cuptiProfilerHostDeinitialize(&params);
}

CUptiResult assay_cupti_object_add(CUpti_Profiler_Host_Object *object, const char **names, size_t n)
{
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, params, .pHostObject = object,
                       .ppMetricNames = names, .numMetrics = n);

    return cuptiProfilerHostConfigAddMetrics(&params);
}

/* ---- schedules ---- */

static assay_status copy_names(const assay_metric_value *metrics, int n,
                               assay_cupti_schedule *schedule)
{
    assay_status st = ASSAY_OK;

    schedule->names     = calloc((size_t)n + 1, sizeof *schedule->names);
    schedule->name_text = calloc((size_t)n + 1, sizeof *schedule->name_text);
    ASSAY_REQUIRE(schedule->names && schedule->name_text, ASSAY_E_MEMORY,
                  "no memory for the names of %d metrics", n);
    for (int i = 0; i < n; i++) {
        if (metrics[i].status != ASSAY_METRIC_OK)
            continue;
        char *const name = schedule->name_text[schedule->n_names];

        memcpy(name, metrics[i].name, sizeof metrics[i].name);
        schedule->names[schedule->n_names++] = name;
    }
out:
    return st;
}

static assay_status read_config(assay_cupti_schedule *schedule)
{
    assay_status st = ASSAY_OK;
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size,
                       .pHostObject = schedule->object);
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, image,
                       .pHostObject = schedule->object);
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, passes, .pPriv = NULL);

    ASSAY_CUPTI_CHECK(cuptiProfilerHostGetConfigImageSize(&size));
    schedule->config = calloc(1, size.configImageSize);
    ASSAY_REQUIRE(schedule->config, ASSAY_E_MEMORY, "no memory for %zu bytes of configuration",
                  size.configImageSize);
    schedule->config_bytes = size.configImageSize;
    image.configImageSize  = schedule->config_bytes;
    image.pConfigImage     = schedule->config;
    ASSAY_CUPTI_CHECK(cuptiProfilerHostGetConfigImage(&image));
    passes.configImageSize = schedule->config_bytes;
    passes.pConfigImage    = schedule->config;
    ASSAY_CUPTI_CHECK(cuptiProfilerHostGetNumOfPasses(&passes));
    schedule->n_passes = passes.numOfPasses;
out:
    return st;
}

assay_status assay_cupti_schedule_open(const char *chip, const uint8_t *availability,
                                       const assay_metric_value *metrics, int n,
                                       assay_cupti_schedule *schedule)
{
    assay_status st = ASSAY_OK;

    memset(schedule, 0, sizeof *schedule);
    ASSAY_CHECK(copy_names(metrics, n, schedule));
    if (schedule->n_names == 0)
        goto out;
    ASSAY_CHECK(assay_cupti_object_open(chip, availability, &schedule->object));
    ASSAY_CUPTI_CHECK(assay_cupti_object_add(schedule->object, schedule->names, schedule->n_names));
    ASSAY_CHECK(read_config(schedule));
out:
    if (st != ASSAY_OK)
        assay_cupti_schedule_close(schedule);
    return st;
}

void assay_cupti_schedule_close(assay_cupti_schedule *schedule)
{
    assay_cupti_object_close(schedule->object);
    free(schedule->names);
    free(schedule->name_text);
    free(schedule->config);
    memset(schedule, 0, sizeof *schedule);
}

/* ---- functions of the table ---- */

static assay_status require_ranges(void)
{
    assay_metric_value any = { .status = ASSAY_METRIC_OK };

    return assay_cupti_has_ranges(&any, 1) ? ASSAY_OK
                                           : ASSAY_FAIL(ASSAY_E_UNSUPPORTED, "%s", any.reason);
}

assay_status assay_cupti_counters_validate(const char *chip, assay_metric_value *metrics, int n,
                                           int *n_passes)
{
    assay_status         st = ASSAY_OK;
    assay_cupti_schedule schedule;
    bool                 is_device_level = false;

    *n_passes = 0;
    memset(&schedule, 0, sizeof schedule);
    assay_cupti_reset_metrics(metrics, n);
    ASSAY_CHECK(require_ranges());
    ASSAY_CHECK(assay_cupti_judge(chip, NULL, metrics, n, &is_device_level));
    ASSAY_CHECK(assay_cupti_schedule_open(chip, NULL, metrics, n, &schedule));
    *n_passes = (int)schedule.n_passes;
out:
    assay_cupti_schedule_close(&schedule);
    return st;
}

/* What a visitor is called with. */
typedef struct listing {
    const char *part; /* of the name */
    void (*visit)(void *context, const char *name, const char *description);
    void *context;
} listing;

static assay_status list_type(CUpti_Profiler_Host_Object *object, CUpti_MetricType type,
                              const listing *l)
{
    assay_status st = ASSAY_OK;
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_Host_GetBaseMetrics_Params, base, .pHostObject = object,
                       .metricType = type);

    ASSAY_CUPTI_CHECK(cuptiProfilerHostGetBaseMetrics(&base));
    for (size_t i = 0; i < base.numMetrics; i++) {
        const char *name = base.ppMetricNames[i];
        ASSAY_CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties_Params, about,
                           .pHostObject = object, .pMetricName = name);

        if (!strstr(name, l->part))
            continue;
        ASSAY_CUPTI_CHECK(cuptiProfilerHostGetMetricProperties(&about));
        l->visit(l->context, name, about.pDescription ? about.pDescription : "");
    }
out:
    return st;
}

assay_status assay_cupti_counters_list(const char *chip, const char *part,
                                       void (*visit)(void *context, const char *name,
                                                     const char *description),
                                       void *context)
{
    assay_status                st     = ASSAY_OK;
    CUpti_Profiler_Host_Object *object = NULL;
    const listing l = { .part = part ? part : "", .visit = visit, .context = context };

    ASSAY_CHECK(require_ranges());
    ASSAY_CHECK(assay_cupti_object_open(chip, NULL, &object));
    for (int type = 0; type < CUPTI_METRIC_TYPE__COUNT; type++)
        ASSAY_CHECK(list_type(object, (CUpti_MetricType)type, &l));
out:
    assay_cupti_object_close(object);
    return st;
}

#endif
