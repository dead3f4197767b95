/* Names that softmax_row, its reference and its launchers share: places in the lists of the shape.
 */
#ifndef SOFTMAX_CASE_H
#define SOFTMAX_CASE_H

/* Buffers. */
enum {
    SOFTMAX_X,
    SOFTMAX_Y
};

/* Parameters, of softmax_row_grad too. The type is an assay_type. */
enum {
    SOFTMAX_ROWS,
    SOFTMAX_WIDTH,
    SOFTMAX_TYPE
};

/* Columns that a warp takes in one vector a lane: rows up to here can share a warp. */
#define SOFTMAX_SKINNY(type) ((type) == ASSAY_F32 ? 128 : 256)

/* Columns that one block can keep. */
enum {
    SOFTMAX_KEPT      = 32768,
    SOFTMAX_GRAD_KEPT = 16384
};

#endif
