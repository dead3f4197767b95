/* What the definition, the reference and the launchers of qr agree on. Matrices lie by columns:
 * element (i, j) of matrix m of A and of Q is [(m * columns + j) * rows + i], of R [(m * columns +
 * j) * columns + i]. The columns of Q are orthonormal. R is 0 below its diagonal, and the signs of
 * its diagonal are free. */
#ifndef ASSAY_QR_CASE_H
#define ASSAY_QR_CASE_H

enum {
    QR_BUF_A,
    QR_BUF_Q,
    QR_BUF_R
};

enum {
    QR_PARAM_ROWS,
    QR_PARAM_COLUMNS, /* at most as many as rows */
    QR_PARAM_BATCH,
    QR_PARAM_TYPE,  /* an assay_type */
    QR_PARAM_INPUT, /* an assay_input: what the inputs are made for */
};

enum {
    QR_MAX_ROWS     = 128,
    QR_SCALED_BATCH = 8 /* in larger batches no adversarial matrix is scaled */
};

#endif
