/* Google Benchmark with a C interface. Points that were measured already are registered as
 * benchmarks, one repetition for each process, so that its console, JSON and compare.py work with
 * our numbers. */
#ifndef ASSAY_GBENCH_H
#define ASSAY_GBENCH_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_GBENCH_MAX_COUNTERS = 12
};

typedef struct assay_gbench_counter {
    const char *name;        /* must not be a field that every benchmark has in the JSON */
    double      value;       /* left out unless finite */
    bool        is_per_call; /* an amount per call, shown as a rate: bytes, flops, cells */
} assay_gbench_counter;

/* One measurement of one point. Texts and arrays belong to the caller, and must outlive the run. */
typedef struct assay_gbench_entry {
    const char        *name;    /* key/regime/clock */
    const double      *time_ns; /* of each process, finite and above 0; NaN: it has none */
    const char *const *missing; /* NULL if all have one; else why this process has none: reported as
                                   a skipped repetition, so that k stays process k */
    int64_t              n_repetitions;
    const char          *label; /* or NULL */
    const char          *error; /* NULL, or why there is no time: reported as a skipped benchmark */
    assay_gbench_counter counters[ASSAY_GBENCH_MAX_COUNTERS];
    int                  n_counters;
} assay_gbench_entry;

/* The version of the library that this was built with ("1.7.1"); NULL: it was built without. */
const char *assay_gbench_version(void);

/* Checks the flags --benchmark_... (and --v). E_USAGE names the first one that has no effect here
 * (the library does not measure these times), is unknown to the library, or has a wrong value. E_IO
 * if the file of --benchmark_out cannot be written. E_UNSUPPORTED for any flag without the library.
 * The library's environment variables BENCHMARK_... are overruled. */
assay_status assay_gbench_check_flags(char *const *flags, int n);
/* Does --benchmark_filter, if given, select this name? By the library's rule: a regular expression
 * found anywhere; "-" before it negates; "all" and "" select everything. E_USAGE for a malformed
 * one. */
assay_status assay_gbench_wants(char *const *flags, int n, const char *name, bool *wanted);

/* Returns the value of the last --benchmark_<name>: "true" for a switch without a value; NULL if
 * not given. */
const char *assay_gbench_flag(char *const *flags, int n, const char *name);
/* The same for a switch: "list_tests" (nothing is measured, only names are printed). */
bool assay_gbench_flag_is_on(char *const *flags, int n, const char *name);

/* Adds a line to the JSON's context and the console's head, from the next report until the process
 * ends. E_USAGE if the key is taken: by the library, or here with another value. */
assay_status assay_gbench_add_context(const char *key, const char *value);

/* Registers and runs all entries that the filter selects: console output to stdout, files as the
 * flags say. With --benchmark_list_tests, only names are read and printed. E_NOTHING if no entry is
 * left, E_INTERNAL if an entry is not valid, E_IO if not all could be written. */
assay_status assay_gbench_report(char *const *flags, int n_flags, const assay_gbench_entry *entries,
                                 int64_t n_entries);

#ifdef __cplusplus
}
#endif
#endif
