/* --tuned: gives points the tuning values that earlier searches have chosen. */
#ifndef ASSAY_TUNED_H
#define ASSAY_TUNED_H

#include "cupti/module_code.h"
#include "plan/plan.h"
#include "store/store.h"

#include <stdio.h>

/* What happened to the points of a plan. */
typedef struct assay_tuned {
    char **by; /* owned; of each point by its index: the search that chose its values; NULL: none */
    int64_t n; /* points */
    int64_t n_asked;   /* with tuning axes whose values were not given */
    int64_t n_taken;   /* of these, points that got values */
    int64_t n_changed; /* of these, points whose machine code has changed since */
    int64_t n_unknown; /* of these, points for which that is not known */
    int64_t n_gone;    /* points whose chosen values the variant no longer has */
    char    gone[ASSAY_KEY_SIZE + ASSAY_TUNING_SIZE]; /* one of them, "KEY: block=96" */
    char    device[256]; /* on which the search ran; "": there was no search */
} assay_tuned;

/* The current kernels. */
typedef struct assay_tuned_code {
    const char              *kernels_id;
    const assay_module_code *code;
} assay_tuned_code;

/* Gives points the values that the newest search of the same variant, version, axis values and
 * device has chosen, among searches before run_id (0: all of the device that searched last). `now`
 * NULL: changes of code are not looked for. The caller frees. */
assay_status assay_tuned_take(assay_store *store, int64_t run_id, const assay_tuned_code *now,
                              assay_point *points, int64_t n, assay_tuned *tuned);
void         assay_tuned_free(assay_tuned *tuned); /* accepts NULL; zeroes */

/* Prints one line: how many points got values, and how many have their defaults. */
void assay_tuned_say(const assay_tuned *tuned, const char *database, FILE *out);

/* Gives points, stored as `ids` in the order of the plan, the values that they were planned with.
 */
assay_status assay_tuned_resume(assay_store *store, int64_t run_id, assay_point *points,
                                const int64_t *ids, int64_t n);

#endif
