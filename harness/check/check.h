/* The checker decides, from host memory alone, what is true of one output. It knows neither device
 * nor store. */
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

/* The data of one check of a point: outputs of n_runs launches on the same inputs. Run r has the
 * poison of launch r and its own schedule. */
typedef struct assay_check_data {
    const assay_case     *definition;
    const assay_variant  *variant;
    const assay_shape    *shape;
    assay_input           input;
    uint64_t              seed;
    const void *const    *in;       /* initial contents, by buffer; NULL for OUT and WORK */
    const assay_expected *expected; /* by buffer */
    int                   n_runs;
    const void *const
        *out[ASSAY_MAX_RUNS]; /* out[r][b]: final contents of OUT and INOUT, else NULL */
} assay_check_data;

/* Returns the tolerance for an output of this type and input class. The exact class means EXACT
 * unless the tolerance says why not. */
assay_tolerance assay_check_tolerance(const assay_case *definition, const char *output,
                                      assay_type type, assay_input input);

/* Is err <= bound for one element? Anything unordered fails, and so does a bound that is not
 * finite. `got` is a value of the output's type, widened to double; `expected` is in double. A
 * value that the type cannot hold must be infinite; one that it can hold must not. BOUND also
 * allows half the smallest denormal of fp32 (one of fp64), since rounding costs that whatever u_out
 * says. `ratio` gets err/bound (ULP: err/max_ulp; EXACT: 0 or infinity); it is NaN only if an
 * operand is. */
bool assay_check_element(const assay_tolerance *tol, assay_type type, double got, double expected,
                         double magnitude, double terms, double *ratio);

/* Returns the distance of two values in ULPs of fp32 or fp64, with `expected` rounded to the type
 * first. It is 0 between +0 and -0, and between equal infinities. It is infinite if a value is NaN,
 * and between an infinity and anything else. */
double assay_check_ulp(assay_type type, double got, double expected);

/* Judges output `b` of all runs into *row. Element by element, worst over the runs:
 *   UNWRITTEN         its poison is left in every run (OUT only; one run of an integer output: and
 *                     the poison is not the right answer)
 *   NOT_FINITE        NaN or infinity where the reference has a number the type can hold
 *   WRONG_VALUE       outside the tolerance; a number where NaN is due; a number or the other
 *                     infinity where the reference is infinite; exempt elements that differ, above
 *                     the predicted share (even so they must be written and finite)
 *   NONDETERMINISTIC  only if all values are right: runs of an ASSAY_DETERMINISTIC variant differ
 * The gravest one is the verdict, and the reason tells of it. first_bad_* are of the first element
 * that fails in any way; n_failed counts elements. If the payload of a NaN tells its origin (guard
 * zone, poison, unset shared memory), the reason names it. Integer outputs compare exactly under
 * every rule. Fails with ASSAY_E_CASE if the reference left a NaN without a law for it, or an
 * invalid magnitude, number of terms or share. */
assay_status assay_check_output(const assay_check_data *data, int b, assay_check_row *row);

/* Does the case's comparer judge this output, instead of the rule for each element? */
bool assay_check_is_compared(const assay_case *definition, const char *output);

/* Judges the outputs of the case's comparer over all runs, as one output named "*". If the variant
 * is ASSAY_DETERMINISTIC, the bits of these outputs are compared too. */
assay_status assay_check_compare(const assay_check_data *data, assay_check_row *row);

/* Judges invariant number `i` over all runs: SKIPPED if it does not apply, WRONG_VALUE unless
 * |value - expected| is within a finite bound. */
assay_status assay_check_invariant(const assay_check_data *data, int i, assay_check_row *row);

/* Receives a row that has been judged. Any return value but ASSAY_OK ends the judging. */
typedef assay_status assay_check_put_fn(void *context, const assay_check_row *row);

/* Judges everything of one input class, a row each: the comparer, then each output that it does not
 * judge, then each invariant that applies. Fails with ASSAY_E_CASE if no element is judged. */
assay_status assay_check_all(const assay_check_data *data, assay_check_put_fn *put, void *context);

/* Returns fact f of the last run; NaN if it has no value. */
assay_status assay_check_fact(const assay_check_data *data, int f, double *value);

/* Returns the first byte of a guard zone that no longer has guard number `number` (fill.h); -1:
 * none. */
int64_t assay_check_guard(const void *zone, size_t bytes, assay_type type, int number);

/* Returns how many exempt elements may differ. Each of `count` elements is exempt with probability
 * `share`; the number is the largest one that is not surprising (one chance in a million). */
int64_t assay_check_exempt_limit(int64_t count, double share);

/* Is the case defined consistently? Checks its fields and, through its shape, every combination of
 * axis values. Fails with ASSAY_E_CASE and a sentence that names the case and the field. */
assay_status assay_check_definition(const assay_case *definition);

#ifdef __cplusplus
}
#endif
#endif
