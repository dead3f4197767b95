/* What the definition, the reference and the launchers of svd agree on. Matrices lie by columns:
 * element (i, j) of matrix m of A and of U is [(m * columns + j) * rows + i], of V [(m * columns +
 * j) * columns + i]. Singular value k of matrix m, from the largest on, is s[m * columns + k].
 * Columns k of U and of V are its vectors, of length 1: A v = s u. The common sign of both is free;
 * so are the vectors of equal values, and u where s is 0. */
#ifndef ASSAY_SVD_CASE_H
#define ASSAY_SVD_CASE_H

enum {
    SVD_BUF_A,
    SVD_BUF_S,
    SVD_BUF_U,
    SVD_BUF_V
};

enum {
    SVD_PARAM_ROWS,
    SVD_PARAM_COLUMNS, /* at most as many as rows */
    SVD_PARAM_BATCH,
    SVD_PARAM_TYPE,  /* an assay_type */
    SVD_PARAM_INPUT, /* an assay_input: what the inputs are made for */
};

enum {
    SVD_MAX_ROWS     = 32,
    SVD_SCALED_BATCH = 11 /* in larger batches no adversarial matrix is scaled */
};

#endif
