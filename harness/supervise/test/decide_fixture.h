/* Rows of a point to decide on. */
#ifndef ASSAY_TEST_DECIDE_FIXTURE_H
#define ASSAY_TEST_DECIDE_FIXTURE_H

#include "supervise/decide.h"
#include "testing/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double NONE    = -1,
                    INVALID = -2; /* NONE: no such row; INVALID: a row without a valid sample */

enum {
    MANY = 20 /* calls in a graph */
};

static assay_measurement_row rows[8];
static assay_measured        measured[8];
static int                   n_rows;

static inline assay_measurement_row *add(assay_regime regime, assay_clock clock, double median_ns)
{
    assay_measurement_row *row = &rows[n_rows];

    measured[n_rows++] = (assay_measured) { row, NULL };
    *row               = (assay_measurement_row) { .n_samples           = median_ns < 0 ? 0 : 40,
                                                   .launches_per_sample = 1,
                                                   .median_ns           = median_ns < 0 ? (double)NAN : median_ns,
                                                   .policy              = assay_policy_default(),
                                                   .decides             = true };
    row->regime        = regime;
    row->clock         = clock;
    (void)strcpy(row->decision, "stale");
    return row;
}

static inline int start_over(void **state)
{
    (void)state;
    n_rows = 0;
    return 0;
}

#endif
