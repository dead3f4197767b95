/* What the points of a plan took when they were timed before, and how well they are known. */
#ifndef ASSAY_KNOWN_TIMES_H
#define ASSAY_KNOWN_TIMES_H

#include "cupti/module_code.h"
#include "plan/plan.h"
#include "store/store.h"

typedef struct assay_known_times {
    double *wall_s;  /* owned; of each point, by its place in the plan; NaN: never timed,
                         and after assay_known_times_spread no other of its case either */
    double *fixed_s; /* owned; of that all but its sample loops, which follow the budget */
    double
        *doubt;      /* owned; relative half width of its interval on a GPU, for each run since: the
                        more, the less is known of it today; infinite: never timed, or changed since */
    int64_t n_known; /* points that were timed */
    int64_t n_changed; /* of these, whose machine code is not what it was then */
    char    device[256];
} assay_known_times;

/* What a point of which no time is known will take: as long as the known ones of its case. NaN: of
 * none of its case is one known. */
void assay_known_times_spread(const assay_point *points, int64_t n, assay_known_times *times);

/* From the newest runs on the device of run_id (0: of the newest one that timed anything). `code`:
 * of the module that is run now; NULL: what has changed is not asked for. Caller frees. */
assay_status assay_known_times_read(assay_store *store, int64_t run_id, const assay_point *points,
                                    int64_t n, const assay_module_code *code,
                                    assay_known_times *times);
void         assay_known_times_free(assay_known_times *times); /* accepts NULL; zeroes */

#endif
