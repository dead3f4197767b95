/* Passes of one file that launchers of another use. All enqueue behind a forward pass, which left
 * the logarithms of its sums in the workspace. */
#ifndef ATTENTION_LAUNCH_H
#define ATTENTION_LAUNCH_H

#include "kernel.h"

/* Backward, a warp a row: row.cu. */
int attention_row_backward(const assay_args *args, assay_stream stream);

/* Backward by tiles, of fp32 and heads of 64 and 128: tiled_backward.cu. */
int attention_row_backward_tiled(const assay_args *args, assay_stream stream);

#endif
