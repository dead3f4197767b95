/* --tuned: points with the values of tuning axes that earlier searches have chosen. */
#ifndef ASSAY_TUNED_H
#define ASSAY_TUNED_H

#include "cupti/module_code.h"
#include "plan/plan.h"
#include "store/store.h"

#include <stdio.h>

/* What became of the points of a plan. */
typedef struct assay_tuned {
    char  **by;        /* owned; of each point by its place: whose choice it has; NULL: none */
    int64_t n;         /* points */
    int64_t n_asked;   /* with tuning axes, and without values given to them */
    int64_t n_taken;   /* they have a choice now */
    int64_t n_changed; /* of these, whose machine code is not what it was then */
    int64_t n_unknown; /* of these, of which that cannot be told */
    int64_t n_gone;    /* whose choice the variant does not have any more */
    char    gone[ASSAY_KEY_SIZE + ASSAY_TUNING_SIZE]; /* one of them, "KEY: block=96" */
    char    device[256];                              /* that searched; "": none did */
} assay_tuned;

/* The kernels that are run now. */
typedef struct assay_tuned_code {
    const char              *kernels_id;
    const assay_module_code *code;
} assay_tuned_code;

/* Gives points what the newest search of the same variant, version, axis values and device has
 * chosen, among those that were there before run_id (0: among all of the device that searched
 * last). `now` NULL: whether code has changed is not asked for. Caller frees. */
assay_status assay_tuned_take(assay_store *store, int64_t run_id, const assay_tuned_code *now,
                              assay_point *points, int64_t n, assay_tuned *tuned);
void         assay_tuned_free(assay_tuned *tuned); /* accepts NULL; zeroes */

/* One line: how many points have what, and how many have their defaults. */
void assay_tuned_say(const assay_tuned *tuned, const char *database, FILE *out);

/* Gives points, stored as `ids` in the order of the plan, what they were planned with. */
assay_status assay_tuned_resume(assay_store *store, int64_t run_id, assay_point *points,
                                const int64_t *ids, int64_t n);

#endif
