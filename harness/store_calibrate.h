/* How often the rules of compare.h err on the runs of a file: each build against itself (A/A). */
#ifndef ASSAY_STORE_CALIBRATE_H
#define ASSAY_STORE_CALIBRATE_H

#include "store_compare.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One case in one version, regime and clock, on one device. */
typedef struct assay_calibrated {
    const char       *case_name, *regime, *clock, *device_kind, *device_name;
    int64_t           case_version;
    assay_calibration result;
    char              runs[2048]; /* uuids of the runs behind it; cut where they are too many */
} assay_calibrated;

typedef struct assay_calibrations {
    assay_calibrated *rows; /* by case, version, regime, clock and device */
    int64_t           n;
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

/* Writes the rows that have a band. n: how many. */
assay_status assay_calibrations_record(assay_store *store, const assay_calibrations *calibrations,
                                       int64_t *n);

#ifdef __cplusplus
}
#endif
#endif
