/* The checker: decides, from host memory alone, what is true of one output. Knows no device and no
 * store. */
#ifndef ASSAY_CHECK_H
#define ASSAY_CHECK_H

#include "rows/rows.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_MAX_RUNS = 8
};

/* What one check of a point has in hand: the outputs of n_runs launches from the same inputs, run r
 * with the poison of launch r and its own schedule. */
typedef struct assay_check_data {
    const assay_case     *definition;
    const assay_variant  *variant;
    const assay_shape    *shape;
    assay_input           input;
    uint64_t              seed;
    const void *const    *in;       /* initial contents by buffer; NULL for OUT and WORK */
    const assay_expected *expected; /* by buffer */
    int                   n_runs;
    const void *const
        *out[ASSAY_MAX_RUNS]; /* out[r][b]: final contents of OUT and INOUT, else NULL */
} assay_check_data;

/* The tolerance that applies to an output of this type under this input class (the exact class
 * means EXACT unless the tolerance says why not). */
assay_tolerance assay_check_tolerance(const assay_case *definition, const char *output,
                                      assay_type type, assay_input input);

/* err <= bound for one element? Anything unordered fails, and so does a bound that is not finite.
 * `got` is a value of the output's type widened to double, `expected` is in double. What the type
 * cannot hold must be infinite; what it holds must not. BOUND also grants half the smallest
 * denormal of fp32 (one of fp64): rounding costs that whatever u_out says. `ratio` gets err/bound
 * (ULP: err/max_ulp; EXACT: 0 or infinity; never NaN unless an operand is). */
bool assay_check_element(const assay_tolerance *tol, assay_type type, double got, double expected,
                         double magnitude, double terms, double *ratio);

/* Distance of two values in units in the last place of fp32 or fp64 (expected rounded to the type
 * first). +0 and -0 are 0 apart, an infinity and itself too; infinity for a NaN on either side and
 * for an infinity against anything else. */
double assay_check_ulp(assay_type type, double got, double expected);

/* Judges output `b` of all runs into *row. Element by element, worst over the runs:
 *   UNWRITTEN         its poison is left in every run (OUT only; one run of an integer output: and
 *                     the poison is not the right answer)
 *   NOT_FINITE        NaN or infinity where the reference has a number the type can hold
 *   WRONG_VALUE       outside the tolerance; a number where NaN is due; a number or the other
 *                     infinity where the reference is infinite; exempt elements that differ, above
 *                     the predicted share (they must be written and finite all the same)
 *   NONDETERMINISTIC  only if all values are right: runs of an ASSAY_DETERMINISTIC variant differ
 * The highest ranked decides, and the reason speaks of it; first_bad_* are of the first element
 * that fails in any way. n_failed counts elements. A NaN that still tells is said to be a guard's,
 * a poison's or unset shared memory's. Integer outputs compare exactly whatever the rule. Fails
 * with ASSAY_E_CASE where the reference left NaN and no mask, or a magnitude, number of terms or
 * share that is none. */
assay_status assay_check_output(const assay_check_data *data, int b, assay_check_row *row);

/* Does the case's comparer judge this output, in place of its elements? */
bool assay_check_is_compared(const assay_case *definition, const char *output);

/* Judges the case's own comparer (its outputs at once, output name "*") over all runs, and the bits
 * of these outputs if the variant is ASSAY_DETERMINISTIC. */
assay_status assay_check_compare(const assay_check_data *data, assay_check_row *row);

/* Judges invariant number `i` over all runs: SKIPPED where it does not apply, WRONG_VALUE unless
 * |value - expected| is within a finite bound. */
assay_status assay_check_invariant(const assay_check_data *data, int i, assay_check_row *row);

/* Takes a row that has been judged; what it returns but ASSAY_OK ends the judging. */
typedef assay_status assay_check_put_fn(void *context, const assay_check_row *row);

/* All that is judged of one class of input, a row each: the comparer, then each output that it does
 * not judge, then each invariant that says something here. Fails with ASSAY_E_CASE where nothing is
 * said of any element. */
assay_status assay_check_all(const assay_check_data *data, assay_check_put_fn *put, void *context);

/* Fact f of the last run; NaN if it has nothing to say. */
assay_status assay_check_fact(const assay_check_data *data, int f, double *value);

/* First byte of a guard zone that no longer holds guard number `number` (fill.h), or -1. */
int64_t assay_check_guard(const void *zone, size_t bytes, assay_type type, int number);

/* The number of exempt elements that may differ: the largest count that is not surprising (one
 * chance in a million) when each of `count` elements is exempt with probability `share`. */
int64_t assay_check_exempt_limit(int64_t count, double share);

/* Is the case defined consistently? Walks its fields and, through its shape, every combination of
 * axis values. Fails with ASSAY_E_CASE and a sentence that names the case and the field. */
assay_status assay_check_definition(const assay_case *definition);

#ifdef __cplusplus
}
#endif
#endif
