/* Which metrics a chip has, and which of them can be counted together. */
#include "cupti_counters_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if ASSAY_CUPTI_HAS_RANGES

/* ---- names ---- */

/* The suffix of "dram__bytes_read.sum" is ".sum". A '.' before the "__" is part of a unit's name.
 * NULL: there is none. */
static const char *suffix_of(const char *name)
{
    const char *unit_end = strstr(name, "__");

    return unit_end ? strchr(unit_end, '.') : NULL;
}

static bool is_known(CUpti_Profiler_Host_Object *object, const char *name)
{
    ASSAY_CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties_Params, params,
                       .pHostObject = object, .pMetricName = name);

    return cuptiProfilerHostGetMetricProperties(&params) == CUPTI_SUCCESS;
}

/* Is `name` a metric except for its suffix? */
static bool is_base_known(CUpti_Profiler_Host_Object *object, const char *name)
{
    const char *suffix = suffix_of(name);
    char        base[ASSAY_METRIC_NAME_SIZE];

    if (!suffix)
        return false;
    (void)snprintf(base, sizeof base, "%.*s", (int)(suffix - name), name);
    return is_known(object, base);
}

/* CUPTI knows a base name without its suffix, but cannot count it. */
static void judge_name(CUpti_Profiler_Host_Object *object, const char *owner,
                       assay_metric_value *metric)
{
    static const char suffixes[] = "counters take .sum .avg .min .max, ratios .ratio .pct";
    char              reason[sizeof metric->reason];

    if (!memchr(metric->name, '\0', sizeof metric->name)) {
        metric->name[sizeof metric->name - 1] = '\0';
        (void)snprintf(reason, sizeof reason, "the name is too long");
    } else if (is_known(object, metric->name) && suffix_of(metric->name)) {
        return;
    } else if (is_known(object, metric->name)) {
        (void)snprintf(reason, sizeof reason, "it needs a suffix: %s", suffixes);
    } else if (is_base_known(object, metric->name)) {
        (void)snprintf(reason, sizeof reason, "it has no such suffix: %s", suffixes);
    } else {
        (void)snprintf(reason, sizeof reason, "%.32s has no such metric", owner);
    }
    assay_cupti_refuse(metric, 1, ASSAY_METRIC_UNSUPPORTED, reason);
}

/* ---- what fits together ---- */

typedef struct trial {
    const char    *chip;
    const uint8_t *availability;
    const char   **names; /* room for all metrics, and one more */
    size_t         n_names;
} trial;

static void collect(trial *t, const assay_metric_value *metrics, int n)
{
    t->n_names = 0;
    for (int i = 0; i < n; i++)
        if (metrics[i].status == ASSAY_METRIC_OK)
            t->names[t->n_names++] = metrics[i].name;
}

/* Adding a metric that does not fit makes a host object unusable, so each trial has its own. */
static assay_status try_names(const trial *t, size_t n_names, CUptiResult *result)
{
    assay_status                st     = ASSAY_OK;
    CUpti_Profiler_Host_Object *object = NULL;

    *result = CUPTI_SUCCESS;
    if (n_names == 0)
        goto out;
    ASSAY_CHECK(assay_cupti_object_open(t->chip, t->availability, &object));
    *result = assay_cupti_object_add(object, t->names, n_names);
out:
    assay_cupti_object_close(object);
    return st;
}

/* Is it counted for the whole GPU (PCIe, NVLink, chip to chip) and not for a context? No property
 * says so, but CUPTI refuses such metrics together with one that every chip counts for a context.
 */
static assay_status try_device_level(trial *t, bool *is_device_level)
{
    CUptiResult  result = CUPTI_SUCCESS;
    assay_status st     = ASSAY_OK;

    t->names[t->n_names] = "sm__cycles_active.sum";
    if (t->n_names > 0)
        st = try_names(t, t->n_names + 1, &result);
    *is_device_level = result == CUPTI_ERROR_NOT_SUPPORTED;
    return st;
}

/* Judges each metric alone. */
static assay_status judge_alone(trial *t, assay_metric_value *metrics, int n)
{
    assay_status st     = ASSAY_OK;
    CUptiResult  result = CUPTI_SUCCESS;

    for (int i = 0; i < n; i++) {
        collect(t, &metrics[i], 1);
        ASSAY_CHECK(try_names(t, t->n_names, &result));
        if (result != CUPTI_SUCCESS)
            assay_cupti_refuse(&metrics[i], 1, ASSAY_METRIC_UNSUPPORTED,
                               t->availability ? "this device does not offer it"
                                               : "the chip cannot count it as a range");
    }
out:
    return st;
}

static assay_status drop_device_level(trial *t, assay_metric_value *metrics, int n)
{
    assay_status st              = ASSAY_OK;
    bool         is_device_level = false;

    for (int i = 0; i < n; i++) {
        collect(t, &metrics[i], 1);
        ASSAY_CHECK(try_device_level(t, &is_device_level));
        if (is_device_level)
            assay_cupti_refuse(&metrics[i], 1, ASSAY_METRIC_UNSUPPORTED,
                               "device-level: ask for it alone");
    }
out:
    return st;
}

/* Adds one metric after the other, and leaves out those that do not fit the ones before. */
static assay_status judge_in_turn(trial *t, assay_metric_value *metrics, int n)
{
    assay_status st     = ASSAY_OK;
    CUptiResult  result = CUPTI_SUCCESS;

    for (int i = 0; i < n; i++) {
        collect(t, metrics, i + 1);
        ASSAY_CHECK(try_names(t, t->n_names, &result));
        if (result != CUPTI_SUCCESS)
            assay_cupti_refuse(&metrics[i], 1, ASSAY_METRIC_UNSUPPORTED,
                               "it does not go with the metrics before it: ask for it alone");
    }
out:
    return st;
}

/* Most selections fit as they are. Each metric is looked at only if one does not. */
static assay_status judge_together(trial *t, assay_metric_value *metrics, int n,
                                   bool *is_device_level)
{
    static assay_status (*const steps[])(trial *, assay_metric_value *, int) = {
        judge_alone,
        drop_device_level,
        judge_in_turn,
    };
    assay_status st     = ASSAY_OK;
    CUptiResult  result = CUPTI_SUCCESS;

    collect(t, metrics, n);
    ASSAY_CHECK(try_names(t, t->n_names, &result));
    for (size_t s = 0; s < sizeof steps / sizeof steps[0] && result != CUPTI_SUCCESS; s++) {
        ASSAY_CHECK(steps[s](t, metrics, n));
        collect(t, metrics, n);
        ASSAY_CHECK(try_names(t, t->n_names, &result));
    }
    ASSAY_CHECK(try_device_level(t, is_device_level));
out:
    return st;
}

assay_status assay_cupti_judge(const char *chip, const uint8_t *availability,
                               assay_metric_value *metrics, int n, bool *is_device_level)
{
    assay_status                st     = ASSAY_OK;
    CUpti_Profiler_Host_Object *object = NULL;
    trial                       t      = { .chip = chip, .availability = availability };

    *is_device_level = false;
    ASSAY_CHECK(assay_cupti_object_open(chip, availability, &object));
    t.names = calloc((size_t)n + 1, sizeof *t.names);
    ASSAY_REQUIRE(t.names, ASSAY_E_MEMORY, "no memory for the names of %d metrics", n);
    for (int i = 0; i < n; i++)
        if (metrics[i].status == ASSAY_METRIC_OK)
            judge_name(object, availability ? "this device" : chip, &metrics[i]);
    ASSAY_CHECK(judge_together(&t, metrics, n, is_device_level));
out:
    free(t.names);
    assay_cupti_object_close(object);
    return st;
}

#endif
