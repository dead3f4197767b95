/* How often the rules of compare.h err on the runs of a file: each build compared with itself
 * (A/A). */
#ifndef ASSAY_STORE_CALIBRATE_H
#define ASSAY_STORE_CALIBRATE_H

#include "store_compare.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One case in one version, regime and clock, on one device: one of its points, or all of them. */
typedef struct assay_calibrated {
    const char       *case_name, *device_kind, *device_name;
    assay_regime      regime;
    assay_clock       clock;
    const char       *key, *tuning; /* of the point; key "": all of them together */
    int64_t           case_version;
    assay_calibration result;
    char              runs[2048]; /* uuids of the runs; truncated if there are too many */
} assay_calibrated;

typedef struct assay_calibrations {
    /* sorted by case, version, regime, clock and device; each case is followed by its points, by
     * key and tuning. Points differ from one another, so a case has no spread between processes. */
    assay_calibrated *rows;
    int64_t           n, capacity;
    int64_t           n_cases; /* rows of cases */
    int64_t           n_pairs; /* of runs that were compared */
    int64_t     n_different;   /* lines of them that were not compared, since conditions differed */
    assay_texts texts;
} assay_calibrations;

/* Pairs the finished timing runs of one build on one device in the order of time, each run in one
 * pair. Each pair is compared as one table, as a person would. Earlier calibrations are not used,
 * since the rules themselves are judged. The caller frees. */
assay_status assay_calibrations_find(assay_store *store, const assay_side_filter *filter,
                                     const assay_compare_rule *rule,
                                     assay_calibrations       *calibrations);
void         assay_calibrations_free(assay_calibrations *calibrations); /* accepts NULL; zeroes */

/* Stores the cases that have a band, with their points. n: the number of cases. */
assay_status assay_calibrations_record(assay_store *store, const assay_calibrations *calibrations,
                                       int64_t *n);

#ifdef __cplusplus
}
#endif
#endif
