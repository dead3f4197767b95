/* What the definition, the reference and the launchers of lu_solve agree on. Matrix m is n * n
 * numbers by columns: element (i, j) is a[(m * n + j) * n + i]. */
#ifndef ASSAY_LU_CASE_H
#define ASSAY_LU_CASE_H

enum {
    LU_BUF_A,
    LU_BUF_B,
    LU_BUF_X,
    LU_BUF_INFO,
    LU_N_BUFS
};

enum {
    LU_PARAM_N,
    LU_PARAM_BATCH,
    LU_PARAM_TYPE,  /* an assay_type */
    LU_PARAM_INPUT, /* an assay_input: what the inputs are made for */
};

enum {
    LU_MAX_N      = 128,
    LU_MAX_SINGLE = 1024 /* matrices that are solved by one launch each */
};

/* A pivot is too small if it is at most LU_THRESHOLD * n * 2^-24 * the largest |a[i][j]|:
 * elimination in single precision leaves about that much where a singular matrix has 0. Then info
 * is its column, counted from 1, and all of x is NaN. */
#define LU_THRESHOLD 4

#endif
