/* Names that softmax_row, its reference and its launchers share: places in the lists of the shape.
 */
#ifndef SOFTMAX_CASE_H
#define SOFTMAX_CASE_H

/* Buffers. */
enum {
    SOFTMAX_X,
    SOFTMAX_Y
};

/* Parameters, also those of softmax_row_grad. The type is an assay_type. */
enum {
    SOFTMAX_ROWS,
    SOFTMAX_WIDTH,
    SOFTMAX_TYPE
};

/* Elements of a row that a lane holds where a warp keeps the row, and columns that a warp can
 * keep. */
enum {
    SOFTMAX_LANE        = 32,
    SOFTMAX_GRAD_LANE   = 16, /* that many of x, and of dy */
    SOFTMAX_SKINNY      = 32 * SOFTMAX_LANE,
    SOFTMAX_GRAD_SKINNY = 32 * SOFTMAX_GRAD_LANE
};

/* Columns that one block can keep. */
enum {
    SOFTMAX_KEPT      = 32768,
    SOFTMAX_GRAD_KEPT = 16384
};

#endif
