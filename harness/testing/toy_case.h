/* Cases for the tests of registry, plan and run: small enough to know every answer. */
#ifndef ASSAY_TOY_CASE_H
#define ASSAY_TOY_CASE_H

#include "case.h"

/* y[i] = 2 * x[i], one float buffer in, one out; word axis "flavour" is plain or odd. */
extern const assay_case toy_double;
/* Group "shelf". */
extern const assay_case toy_shelf;
/* Group "selftest". */
extern const assay_case        toy_broken;
extern const assay_case *const toy_cases[];

#endif
