/* What the files of compare share. */
#ifndef ASSAY_COMPARE_INTERNAL_H
#define ASSAY_COMPARE_INTERNAL_H

#include "compare.h"

/* ---- compare_student.c: Student's t with any df > 0, infinity for the normal distribution ---- */

/* P(|T| >= |t|). NaN for NaN or df not above 0. */
double assay_student_p(double t, double df);
/* The t with P(|T| >= t) = p, 0 < p < 1. NaN outside. */
double assay_student_t(double p, double df);
/* P(F >= f) of the F distribution, f > 0. */
double assay_f_p(double f, double df1, double df2);

/* ---- compare_effect.c ---- */

/* Returns how many of n processes are trimmed at each end. */
int64_t assay_compare_trimmed(int64_t n);

/* One side in one unit, process by process. */
typedef struct assay_spread {
    int64_t n;
    double  mean;     /* trimmed */
    double  variance; /* n times the squared standard error of the mean */
    double  df;
    double  step; /* of the clock, relative */
} assay_spread;

/* Computes the effect, and its sides in s. */
assay_status assay_effect_find(const assay_compare_input *input, bool in_cycles,
                               assay_effect *effect, assay_spread s[2]);
/* Computes p and interval for a log ratio e, as if s had n processes on each side. */
void assay_effect_judge(const assay_spread s[2], int64_t n_a, int64_t n_b,
                        const assay_compare_known *known, assay_effect *effect);
bool assay_compare_is_identical(const assay_compare_input *input);

/* ---- compare_decide.c ---- */

/* Returns the band of a comparison, known or assumed. A case's band tells what its points have in
 * common, but one point may move far more. So it replaces a missing band of the point only if it is
 * at least unknown_band. */
double assay_compare_band(const assay_compare_rule *rule, const assay_compare_known *known);
/* Is the band known, not assumed? */
bool assay_compare_has_band(const assay_compare_rule *rule, const assay_compare_known *known);

/* ---- compare_text.c ---- */

void assay_compare_explain(const assay_compare_rule *rule, const assay_compare_known *known,
                           assay_compared *row);

#endif
