/* How often the rules of compare.h err on the runs of a file: each build against itself (A/A). */
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
    char              runs[2048]; /* uuids of the runs behind it; cut where they are too many */
} assay_calibrated;

typedef struct assay_calibrations {
    /* by case, version, regime, clock and device; each case is followed by its points, by key and
     * tuning. Points are unlike: the case has no spread between processes. */
    assay_calibrated *rows;
    int64_t           n, capacity;
    int64_t           n_cases;     /* rows of cases */
    int64_t           n_pairs;     /* of runs that were compared */
    int64_t           n_different; /* lines of them that could not be, as their conditions differ */
    assay_texts       texts;
} assay_calibrations;

/* Finished timing runs of one build on one device are paired in the order of time, each run in one
 * pair, and each pair is one table, as a person would compare it. The rules know nothing of earlier
 * calibrations here: it is they that are judged. Caller frees. */
assay_status assay_calibrations_find(assay_store *store, const assay_side_filter *filter,
                                     const assay_compare_rule *rule,
                                     assay_calibrations       *calibrations);
void         assay_calibrations_free(assay_calibrations *calibrations); /* accepts NULL; zeroes */

/* Writes the cases that have a band, with their points. n: how many cases. */
assay_status assay_calibrations_record(assay_store *store, const assay_calibrations *calibrations,
                                       int64_t *n);

#ifdef __cplusplus
}
#endif
#endif
