/* The law for one element. It is inline, so that the scan of an output compiles to one loop per
 * rule and type. Only check_*.c include it. */
#ifndef ASSAY_CHECK_LAW_H
#define ASSAY_CHECK_LAW_H

#include "case.h"
#include "type_fields.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A tolerance, prepared for many elements of one output. */
typedef struct assay_check_law {
    double c, u_out;
    double u_acc_g; /* u_acc * g(terms) */
    double denormal;
    double max_ulp;
} assay_check_law;

assay_check_law assay_check_law_of(const assay_tolerance *tol, assay_type type, double terms);

static inline double assay_law_round(assay_type type, double value)
{
    if (type == ASSAY_F32)
        return (double)(float)value;
    return assay_type_is_narrow(type) ? assay_narrow_value(type, assay_narrow_bits(type, value))
                                      : value;
}

static inline int64_t assay_law_place(assay_type type, double value)
{
    if (type == ASSAY_F32 || type == ASSAY_F64)
        return assay_type_place(type, value);
    return assay_narrow_place(type, value);
}

/* Both are values of the type, and finite. */
static inline double assay_law_ulp_finite(assay_type type, double a, double b)
{
    const int64_t x = assay_law_place(type, a), y = assay_law_place(type, b);

    return (double)(x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x);
}

/* `rounded` is a value of the type. */
static inline double assay_law_ulp(assay_type type, double got, double rounded)
{
    if (fabs(got) <= DBL_MAX && fabs(rounded) <= DBL_MAX)
        return assay_law_ulp_finite(type, got, rounded);
    return got == rounded ? 0 : (double)INFINITY;
}

static inline double assay_law_bound(const assay_check_law *law, double expected, double magnitude)
{
    return law->c * (law->u_out * fabs(expected) + law->u_acc_g * magnitude) + law->denormal;
}

static inline bool assay_law_within(double err, double bound, double *ratio)
{
    const bool is_bound = bound >= 0 && bound <= DBL_MAX;

    *ratio = !is_bound ? (double)INFINITY : err == 0 ? 0 : err / bound;
    return is_bound && err <= bound;
}

/* Judges a value that is not a number against a number that the type can hold. */
static inline bool assay_law_special(assay_rule rule, const assay_check_law *law, double got,
                                     double expected, double rounded, double magnitude,
                                     double *ratio)
{
    const bool is_same = got == rounded;

    /* Judges a value beyond the largest one, in a type without infinities. */
    if (isnan(got) && isnan(rounded) && !isnan(expected)) {
        *ratio = 0;
        return true;
    }
    if (isnan(got) || isnan(expected)) {
        *ratio = NAN;
        return false;
    }
    /* The reference may be just beyond the largest value, with that value within the bound. */
    if (rule == ASSAY_RULE_BOUND && isfinite(expected) && isfinite(got))
        return assay_law_within(fabs(got - expected), assay_law_bound(law, expected, magnitude),
                                ratio);
    *ratio = is_same ? 0 : (double)INFINITY;
    return is_same;
}

/* `rounded`: `expected`, rounded to the type. */
static inline bool assay_law_holds(assay_rule rule, assay_type type, const assay_check_law *law,
                                   double got, double expected, double rounded, double magnitude,
                                   double *ratio)
{
    double ulp;

    if (!(fabs(got) <= DBL_MAX && fabs(rounded) <= DBL_MAX))
        return assay_law_special(rule, law, got, expected, rounded, magnitude, ratio);
    if (rule == ASSAY_RULE_BOUND)
        return assay_law_within(fabs(got - expected), assay_law_bound(law, expected, magnitude),
                                ratio);
    if (rule == ASSAY_RULE_ULP) {
        ulp    = assay_law_ulp_finite(type, got, rounded);
        *ratio = ulp == 0 ? 0 : ulp / law->max_ulp;
        return ulp <= law->max_ulp;
    }
    *ratio = got == rounded ? 0 : (double)INFINITY;
    return got == rounded;
}

#endif
