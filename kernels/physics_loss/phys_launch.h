/* Host side of the physics loss kernels: what turns the C API's arguments into a launch. */
#ifndef ASSAY_PHYS_LAUNCH_H
#define ASSAY_PHYS_LAUNCH_H

#include "phys_device.cuh"

/* Outputs a call wants of its buffers. */
enum {
    PHYS_WANTS_RESIDUALS = 1, /* as far as r_sigma, r_u are not NULL */
    PHYS_WANTS_LOSSES    = 2,
    PHYS_WANTS_GRADIENTS = 4
};

/* The kernel arguments of a checked call; tiles are left to the launch. */
phys_kernel_args phys_make_args(const phys_grid_spec *grid, const phys_weights *weights,
                                const phys_buf *buf, unsigned wants);

/* 4 if rows of every array can be read four floats at a time, else 1. */
int phys_vector_width(const phys_kernel_args *a);

/* Zeroes the losses on the stream, as far as they are wanted. */
int phys_zero_losses(const phys_kernel_args *a, assay_stream stream);

/* Cuts the grid into tiles of x, y and z cells; 0 blocks: more than a launch may have. */
unsigned phys_set_tiles(phys_kernel_args *a, int64_t x, int64_t y, int64_t z);

/* The fused kernels: one launch each. */
int phys_launch_pointwise(const phys_kernel_args *a, bool is_central, assay_stream stream);
int phys_launch_box(const phys_kernel_args *a, bool is_central, assay_stream stream);
int phys_launch_march(const phys_kernel_args *a, bool is_central, assay_stream stream);

#endif
