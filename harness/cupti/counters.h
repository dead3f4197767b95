/* Which hardware counters to read, by preset or name, and what their values mean. It knows names
 * and statuses, not CUPTI (see cupti.h). */
#ifndef ASSAY_COUNTERS_H
#define ASSAY_COUNTERS_H

#include "cupti.h"

#include <stdio.h>

enum {
    ASSAY_MAX_METRICS = 256 /* in one selection */
};

#define ASSAY_METRIC_DRAM_READ  "dram__bytes_read.sum"
#define ASSAY_METRIC_DRAM_WRITE "dram__bytes_write.sum"

/* A named set of metrics. The names are valid on GH100; on a chip that lacks one, its status says
 * so. */
typedef struct assay_preset {
    const char        *name, *what;
    const char *const *metrics; /* ends with NULL */
} assay_preset;
extern const assay_preset assay_presets[];                         /* ends with a NULL name */
const assay_preset       *assay_counters_preset(const char *name); /* NULL: there is none */

/* Parses a selection such as "core,memory,dram__bytes.sum" into metrics with their names, each
 * once, in the order given; NULL means "core". A word with "__" is a metric, any other a preset.
 * ASSAY_E_USAGE names what is wrong and the nearest preset; *metrics is then NULL. The caller
 * frees. */
assay_status assay_counters_parse(const char *list, assay_metric_value **metrics, int *n);

/* Returns the value of one metric; NaN if it is missing or its status is not OK. */
double assay_counters_value(const assay_metric_value *metrics, int n, const char *name);

/* Floating-point operations of threads, without predicated-off ones: additions and multiplications
 * count 1, fused multiply-adds 2. NaN if one of the three counters is missing. Tensor cores are not
 * included. */
typedef struct assay_flops {
    double fp32, fp64;
} assay_flops;
assay_flops assay_counters_flops(const assay_metric_value *metrics, int n);

/* Returns a sentence that says what to do about a status; "" for OK. */
const char *assay_counters_remedy(assay_metric_status status);

/* `assay profile --dry-run`: prints, for each preset or for the selection `list`, a table of
 * metrics, statuses and reasons, and the number of passes. ASSAY_E_USAGE if the chip is unknown, or
 * a metric cannot be counted on it. */
assay_status assay_counters_dry_run(const assay_cupti_api *api, const char *chip, const char *list,
                                    FILE *out);
/* `assay profile --list-metrics`: prints the base metrics of a chip with `part` in their names (""
 * or NULL: all). ASSAY_E_NOTHING if there is none. */
assay_status assay_counters_list(const assay_cupti_api *api, const char *chip, const char *part,
                                 FILE *out);

#endif
