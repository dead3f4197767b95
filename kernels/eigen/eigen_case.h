/* What the definition, the reference and the launchers of eigen agree on. Matrices lie by columns:
 * element (i, j) of matrix m of A and of V is [(m * n + j) * n + i]. A is symmetric and stored
 * whole. Eigenvalue k of matrix m, from the least on, is w[m * n + k], and column k of V is its
 * vector, of length 1. Signs are free, and so are the vectors of equal eigenvalues. */
#ifndef ASSAY_EIGEN_CASE_H
#define ASSAY_EIGEN_CASE_H

enum {
    EIGEN_BUF_A,
    EIGEN_BUF_W,
    EIGEN_BUF_V
};

enum {
    EIGEN_PARAM_N,
    EIGEN_PARAM_BATCH,
    EIGEN_PARAM_TYPE,  /* an assay_type */
    EIGEN_PARAM_INPUT, /* an assay_input: what the inputs are made for */
};

enum {
    EIGEN_MAX_N        = 32,
    EIGEN_SCALED_BATCH = 10 /* in larger batches no adversarial matrix is scaled */
};

#endif
