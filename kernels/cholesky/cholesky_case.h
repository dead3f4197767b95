/* What the definition, the reference and the launchers of cholesky agree on. Matrix m is n * n
 * numbers by columns: element (i, j) is a[(m * n + j) * n + i]. Only the part of A on and below the
 * diagonal counts. */
#ifndef ASSAY_CHOLESKY_CASE_H
#define ASSAY_CHOLESKY_CASE_H

enum {
    CHOLESKY_BUF_A,
    CHOLESKY_BUF_L,   /* above its diagonal 0 */
    CHOLESKY_BUF_INFO /* 0, or the first column, from 1, whose pivot is not above 0: then L is
                       * NaN */
};

enum {
    CHOLESKY_PARAM_N,
    CHOLESKY_PARAM_BATCH,
    CHOLESKY_PARAM_TYPE,  /* an assay_type */
    CHOLESKY_PARAM_INPUT, /* an assay_input: what the inputs are made for */
};

enum {
    CHOLESKY_MAX_N = 128
};

#endif
