/* Gaussian elimination with partial pivoting in double, of one matrix: for the reference and for
 * the judges of solutions. */
#ifndef ASSAY_LU_FACTOR_H
#define ASSAY_LU_FACTOR_H

#include "../../kernels/lu_solve/lu_case.h"
#include "kernel.h"

typedef enum lu_kind {
    LU_SOLVABLE,
    LU_SINGULAR, /* a pivot that is zero except for roundings of double */
    LU_EITHER    /* a pivot near the threshold: single precision may see it on either side */
} lu_kind;

/* P A = L U. Row i of P A is row `row[i]` of A. */
typedef struct lu_factors {
    lu_kind kind;
    int64_t n;
    int64_t first; /* the first pivot that decides the kind, counted from 1; 0 if solvable */
    int64_t row[LU_MAX_N];
    double  lu[LU_MAX_N][LU_MAX_N]; /* L below the diagonal, where it is 1, and U */
} lu_factors;

/* Factors matrix m of `a`. If it is singular the factors are not complete. */
void lu_factor(lu_factors *f, assay_type type, const void *a, int64_t n, int64_t m);

/* A x = b; `b` is overwritten by x. */
void lu_factors_solve(const lu_factors *f, double *b);

/* sums[i]: row i of |L| |U| |x|, by rows of A. */
void lu_factors_sums(const lu_factors *f, const double *x, double *sums);

#endif
