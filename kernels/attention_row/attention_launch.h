/* Passes in one file that launchers in another use. All enqueue after a forward pass, which stored
 * the logarithms of its sums in the workspace. */
#ifndef ATTENTION_LAUNCH_H
#define ATTENTION_LAUNCH_H

#include "kernel.h"

/* Backward, a warp takes a row: row.cu. */
int attention_row_backward(const assay_args *args, assay_stream stream);

/* Backward by tiles, for fp32 and heads of 64 and 128: tiled_backward.cu. */
int attention_row_backward_tiled(const assay_args *args, assay_stream stream);

#endif
