/* How long the points of a plan took in earlier runs, and how certain that is. */
#ifndef ASSAY_KNOWN_TIMES_H
#define ASSAY_KNOWN_TIMES_H

#include "cupti/module_code.h"
#include "plan/plan.h"
#include "store/store.h"

typedef struct assay_known_times {
    double *wall_s;  /* owned; of each point, by its index in the plan. NaN: never timed; after
                        assay_known_times_spread: no point of its case was */
    double *fixed_s; /* owned; of that, all but its sample loops, which follow the budget */
    double *doubt; /* owned; relative half width of its interval on a GPU, times the runs since: the
                      larger, the less certain; infinite: never timed, or changed since */
    int64_t n_known;   /* points that were timed */
    int64_t n_changed; /* of these, points whose machine code has changed since */
    char    device[256];
} assay_known_times;

/* Estimates points without a known time: as long as the known ones of their case. NaN: none of the
 * case is known. */
void assay_known_times_spread(const assay_point *points, int64_t n, assay_known_times *times);

/* Reads the newest runs on the device of run_id (0: of the newest run that timed anything). `code`:
 * of the current module; NULL: changes are not looked for. The caller frees. */
assay_status assay_known_times_read(assay_store *store, int64_t run_id, const assay_point *points,
                                    int64_t n, const assay_module_code *code,
                                    assay_known_times *times);
void         assay_known_times_free(assay_known_times *times); /* accepts NULL; zeroes */

#endif
