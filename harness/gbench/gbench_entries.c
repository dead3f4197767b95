/* Entries for Google Benchmark: what each must hold, and names that are taken. */
#include "gbench.h"
#include "gbench_internal.h"

#include <math.h>
#include <string.h>

enum {
    MAX_BLOCKS = 1000000
};

static assay_status check_counters(const assay_gbench_entry *entry)
{
    if (entry->n_counters < 0 || entry->n_counters > ASSAY_GBENCH_MAX_COUNTERS)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "benchmark %s has %d counters", entry->name,
                          entry->n_counters);
    for (int i = 0; i < entry->n_counters; i++) {
        const char *name = entry->counters[i].name;

        if (!name || !name[0] || assay_gbench_is_field(name))
            return ASSAY_FAIL(ASSAY_E_INTERNAL, "benchmark %s has a counter of the name '%s'",
                              entry->name, name ? name : "");
    }
    return ASSAY_OK;
}

assay_status assay_gbench_check_entry(const assay_gbench_entry *entry)
{
    if (entry->error)
        return ASSAY_OK;
    if (entry->n_repetitions < 1 || entry->n_repetitions > MAX_BLOCKS)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "benchmark %s has %lld repetitions", entry->name,
                          (long long)entry->n_repetitions);
    for (int64_t i = 0; i < entry->n_repetitions; i++) {
        const double time_ns = entry->time_ns[i];

        if (isnan(time_ns) && entry->missing && entry->missing[i])
            continue;
        if (!isfinite(time_ns) || time_ns <= 0)
            return ASSAY_FAIL(ASSAY_E_INTERNAL, "repetition %lld of benchmark %s took %g ns",
                              (long long)i, entry->name, time_ns);
    }
    return check_counters(entry);
}

const char *assay_gbench_missing(const assay_gbench_entry *entry, int64_t repetition)
{
    if (entry->error)
        return entry->error[0] ? entry->error : "no reason given";
    if (repetition >= entry->n_repetitions)
        return "more repetitions are asked for than there are";
    return entry->missing ? entry->missing[repetition] : NULL;
}

static bool is_listed(const char *name, size_t length, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == length && strncmp(*list, name, length) == 0)
            return true;
    return false;
}

bool assay_gbench_is_context(const char *name, size_t length)
{
    static const char *const keys[] = {
        "date",        "host_name",           "executable",         "num_cpus",
        "mhz_per_cpu", "cpu_scaling_enabled", "aslr_enabled",       "caches",
        "load_avg",    "library_version",     "library_build_type", "json_schema_version",
        NULL,
    };

    return is_listed(name, length, keys);
}

bool assay_gbench_is_field(const char *name)
{
    static const char *const fields[] = {
        "name",
        "family_index",
        "per_family_instance_index",
        "run_name",
        "run_type",
        "repetitions",
        "threads",
        "repetition_index",
        "aggregate_name",
        "aggregate_unit",
        "error_occurred",
        "error_message",
        "skipped",
        "skip_message",
        "iterations",
        "real_time",
        "cpu_time",
        "time_unit",
        "label",
        NULL,
    };

    return is_listed(name, strlen(name), fields);
}
