/* Passes, parameters, scalars and tuning axes of the cases on norms of rows. */
#ifndef ASSAY_NORMS_CASE_H
#define ASSAY_NORMS_CASE_H

enum {
    NORMS_FORWARD,
    NORMS_BACKWARD,
    NORMS_FP8 /* forward; the result is divided by a scale and stored as E4M3 */
};

/* Parameters. */
enum {
    NORMS_TYPE, /* an assay_type */
    NORMS_PASS,
    NORMS_ROWS,
    NORMS_COLS
};

/* Scalars. */
enum {
    NORMS_EPS,  /* a single-precision number */
    NORMS_SCALE /* only NORMS_FP8 */
};

/* Tuning axes: each variant has those that its own list names, in that order. */
enum {
    NORMS_TUNE_BLOCK    = 0, /* plain, welford: threads of a block */
    NORMS_TUNE_ELEMENTS = 0, /* registers: elements of a row that a thread holds */
    NORMS_TUNE_SUMS     = 1, /* registers: columns of partial sums, over all blocks */
    NORMS_TUNE_BLOCKS   = 0  /* warp_rows: blocks of the backward pass */
};

enum {
    NORMS_WIDEST = 16384 /* columns of a row that a block holds in registers */
};

#endif
