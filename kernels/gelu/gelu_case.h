/* Names that the cases gelu and silu, their reference and their launchers share: places in the
 * lists of the shape, and what is computed. */
#ifndef GELU_CASE_H
#define GELU_CASE_H

/* Buffers. */
enum {
    ACT_X,
    ACT_D_Y, /* has elements only in the backward pass */
    ACT_OUT
};

/* Parameters. */
enum {
    ACT_TYPE, /* an assay_type: of x, and of every other buffer that is not fp8 */
    ACT_OUTPUT,
    ACT_FUNCTION
};

/* What is computed. */
enum {
    ACT_Y,
    ACT_Y_F8, /* the same times the scale, in E4M3, limited to its largest value */
    ACT_D_X
};

enum {
    ACT_GELU_ERF,
    ACT_GELU_TANH,
    ACT_SILU
};

/* Scalars. */
enum {
    ACT_SCALE
};

#endif
