/* The scan of an output: what is wrong, how much, and where first. Only check_*.c include it. */
#ifndef ASSAY_CHECK_SCAN_H
#define ASSAY_CHECK_SCAN_H

#include "check.h"
#include "check_law.h"

/* What can be true of one element, the gravest last. */
typedef enum assay_finding {
    ASSAY_FOUND_RIGHT,
    ASSAY_FOUND_EXEMPT, /* an exempt element differs; a failure only if too many do */
    ASSAY_FOUND_WRONG,
    ASSAY_FOUND_NOT_FINITE,
    ASSAY_FOUND_UNWRITTEN,
    ASSAY_N_FINDINGS
} assay_finding;

/* A sum of squares in three ranges, so that nothing overflows or underflows. */
typedef struct assay_squares {
    double big, middle, small;
} assay_squares;

/* What was found in one chunk, or merged over all. Maxima are over compared elements of all runs,
 * and infinite if a value is not finite. */
typedef struct assay_scan {
    int64_t       n[ASSAY_N_FINDINGS], first[ASSAY_N_FINDINGS];
    int           first_run[ASSAY_N_FINDINGS];
    int64_t       n_compared;    /* elements judged by the tolerance */
    int64_t       bad_reference; /* first element without a usable reference, or -1 */
    double        worst_ratio, max_abs_error, max_abs_expected, max_ulp_error;
    assay_squares expected, error[ASSAY_MAX_RUNS];
} assay_scan;

/* One output, prepared for the scan. */
typedef struct assay_scan_job {
    assay_type            type;
    assay_input           input;
    int                   buffer;
    bool                  is_poisoned; /* it is an OUT buffer */
    assay_rule            rule;
    assay_check_law       law;
    const assay_expected *expected;
    int64_t               count;
    int                   n_runs;
    const void           *run[ASSAY_MAX_RUNS];
} assay_scan_job;

/* Does element i still hold the poison of run r? */
bool assay_check_is_left(const assay_scan_job *job, int64_t i, int r);

assay_status assay_check_scan(const assay_scan_job *job, assay_scan *found);

/* Returns root of a / root of b; 0 for 0 / 0, infinity for x / 0. */
double assay_squares_ratio(const assay_squares *a, const assay_squares *b);

#endif
