/* Where in a history did the time change? Segments of constant level in a series of positive
 * values, robust against single outliers. A pure function of an array; the caller has cut the
 * series where conditions changed (driver, card, case version, clock), and calls once a piece.
 *
 * With x = ln(value), the segmentation minimises
 *
 *   sum over segments of sum |x_i - median of its segment| / b  +  penalty * (segments - 1)
 *
 * over all cuts into segments of at least ASSAY_STEPS_MIN_POINTS, exactly, by dynamic programming
 * (the L1 Potts functional: Storath, Weinmann and Unser 2014, IEEE Trans. Signal Process. 62:5456;
 * as a search for change points: Jackson et al. 2005, IEEE Signal Process. Lett. 12:105). A single
 * outlier costs its distance in whatever segment it lies, so it never pays to cut it out.
 *
 *   b       = sigma * sqrt(2 / pi), the mean of |x - median| of normal noise
 *   sigma   = median |x_i+1 - x_i| / (0.6745 * sqrt(2)): from differences, so that a step does not
 *             count as noise. Where more than half of the differences are 0 (a quantised series):
 *             sqrt(mean of d^2 / 2), d the difference but at most three ticks, the least difference
 *             that is not 0 being a tick. Never below ASSAY_STEPS_LEAST_NOISE.
 *   penalty = 3 + 2 ln(n), times 1 + 8 / n since sigma of a short series is itself uncertain: of
 * the form of the Bayesian information criterion, with constants chosen on simulated series without
 * a step (docs/comparing.md has the rates).
 *
 * A drift would come out as a staircase. So a straight line (Theil 1950, Sen 1968) is tried, too,
 * at the price of one cut: where it is the better description, there are no steps but a drift. */
#ifndef ASSAY_STEPS_H
#define ASSAY_STEPS_H

#include "status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_STEPS_MIN_POINTS = 2, /* of a segment: one point is never a step */
    ASSAY_STEPS_MOST = 2000,    /* most points of a series; time and memory grow with the square */
};
#define ASSAY_STEPS_LEAST_NOISE 0.0005 /* relative: a GPU's time always varies by more */

typedef struct assay_step {
    int64_t index;             /* first point after the change */
    int64_t earliest, latest;  /* range of that point: moving the cut there costs less than 3 (in ln
                                  of the likelihood, about 95 %) */
    int64_t n_before, n_after; /* points of the segments on both sides */
    double  before, after;     /* their medians */
    double  relative, lo, hi;  /* after / before - 1, with its 95 % interval. The interval takes the
                                  cut as given, so sizes near the limit are a little too large */
    double
        evidence; /* how much worse the fit is without this cut, divided by the penalty: above 1 */
} assay_step;

typedef struct assay_steps {
    assay_step *steps; /* ascending */
    int64_t     n;
    double      noise;          /* sigma, relative */
    bool        is_drift;       /* a straight line fits better: then n is 0 */
    double      drift_relative; /* from the first point to the last; 0 unless is_drift */
} assay_steps;

/* Steps smaller than `threshold` (relative; 0: none) are left out, the smallest first, and their
 * neighbours are joined. There are no steps with fewer than 4 values, and after a failure:
 * ASSAY_E_USAGE for a value that is not finite or not above 0, for more than ASSAY_STEPS_MOST
 * values, or for a threshold outside [0, 1); ASSAY_E_MEMORY. The caller frees; what *steps held
 * before is not freed. */
assay_status assay_steps_find(const double *values, int64_t n, double threshold,
                              assay_steps *steps);
void         assay_steps_free(assay_steps *steps); /* accepts NULL; zeroes *steps */

#ifdef __cplusplus
}
#endif
#endif
