/* A pass of one file that launchers of another use. */
#ifndef ATTENTION_LAUNCH_H
#define ATTENTION_LAUNCH_H

#include "kernel.h"

/* Backward, a warp a row, behind a forward pass that left the logarithms of its sums: row.cu. */
int attention_row_backward(const assay_args *args, assay_stream stream);

#endif
