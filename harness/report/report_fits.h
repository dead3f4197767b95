/* Times along one axis of a case with all others fixed, and the curves through them. Only reports
 * include it. */
#ifndef ASSAY_REPORT_FITS_H
#define ASSAY_REPORT_FITS_H

#include "report_internal.h"

#include "stats/fit.h"

/* X(name, word): what a size along an axis counts. */
#define ASSAY_SIZE_UNIT_MAP(X)                                                                     \
    X(NONE, "")                                                                                    \
    X(SIDE, "side")                                                                                \
    X(CELLS, "cells")

typedef enum assay_size_unit {
#define X(name, word) ASSAY_SIZE_UNIT_##name,
    ASSAY_SIZE_UNIT_MAP(X)
#undef X
} assay_size_unit;
const char *assay_size_unit_text(assay_size_unit unit);

/* Times of one variant in one regime, by the clocks that decide, at three sizes or more. Along a
 * grid axis the size is the side if all grids are squares or cubes, else the number of cells. */
typedef struct assay_fitted {
    char      case_name[ASSAY_NAME_SIZE], variant[ASSAY_NAME_SIZE], regime[ASSAY_NAME_SIZE];
    char      clocks[2 * ASSAY_NAME_SIZE]; /* "record, event" */
    char      axis[ASSAY_NAME_SIZE];
    char      others[ASSAY_KEY_SIZE]; /* the other axes, "name=value;name=value", for people */
    int64_t   case_version;
    int64_t   n, n_above; /* times; and those not near the floor */
    double   *x, *time_ns;
    int64_t  *point_ids;
    assay_fit fit;                /* through all times */
    double    slope, slope_error; /* through the times not near the floor */
    assay_size_unit unit;
} assay_fitted;

/* Reads the series at the stream's current row (query "fits"), and moves the stream to the next. n
 * is 0 if there are too few sizes. The caller frees. */
assay_status assay_fitted_read(assay_report_stream *s, assay_fitted *fitted);
void         assay_fitted_free(assay_fitted *fitted); /* accepts NULL */

/* Writes the member "fits" of the JSON report. */
assay_status assay_json_fits(const assay_report *report);

#endif
