/* What the files of this folder share. */
#ifndef ASSAY_CORRUPT_INTERNAL_H
#define ASSAY_CORRUPT_INTERNAL_H

#include "corrupt.h"

enum {
    ASSAY_CORRUPT_MIN_POINTS = 10, /* of one case, if it has them */
    ASSAY_CORRUPT_MAX_CHOSEN = 128
};

/* Chooses the points to look at; of several variants at the same axis values, the first. They are
 * the points where each output is largest, one for each word of an axis, and others. */
assay_status assay_corrupt_choose(const assay_point *points, int64_t n,
                                  int64_t chosen[ASSAY_CORRUPT_MAX_CHOSEN], int *n_chosen);

/* NULL: none. */
const assay_waiver *assay_corrupt_find_waiver(const assay_case *c, const char *output,
                                              assay_corruption corruption);

/* Judges one point with all its input classes, as a check does. */
assay_status assay_corrupt_point(const assay_point *point, assay_corrupt_result *result);

#endif
