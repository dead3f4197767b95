/* What the launch of the streaming kernels and the files that hold them by shape share. */
#ifndef ASSAY_PHYS_STREAM_H
#define ASSAY_PHYS_STREAM_H

#include "phys_launch.h"

/* Shapes of a block, the tuning axis `shape`: 1 to PHYS_STREAM_SHAPES. The tables of shapes and
 * docs/physics_loss.md say what each means for each kernel. The first is the default: as many rows
 * as an SM has registers for, since the ring around a tile is computed twice. */
#define PHYS_STREAM_SHAPES 5

/* One kernel at one shape. waves: how many waves of blocks the planes are cut for. */
typedef int phys_stream_fn(phys_kernel_args a, int64_t waves, assay_stream stream);

/* The kernels for the gradient with respect to the fields; [1] writes more than the gradients at
 * t1. */
extern phys_stream_fn *const phys_stream_field_first_order[2][PHYS_STREAM_SHAPES];
extern phys_stream_fn *const phys_stream_field_central[2][PHYS_STREAM_SHAPES];

phys_launch_fn phys_stream_residual;

#endif
