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

/* What the kernels leave free. The C API takes the defaults; values that no kernel was compiled for
 * are PHYS_INVALID_VALUE. */
struct phys_tuning {
    int64_t block  = 256; /* threads of a block, non-fused and pointwise */
    int64_t tile_x = 64;  /* cells of a marching tile */
    int64_t tile_y = 8;
    int64_t blocks = 512; /* of a marching launch, about, where the grid has planes enough */
    int64_t shape  = 1;   /* of a streaming block: see phys_stream.h */
    int64_t waves  = 1;   /* of blocks that a streaming launch is cut into, about */
};

/* The calls of the C API, with the free choices: forward wants residuals and losses, backward
 * gradients, both all three. */
int phys_run_nonfused(const phys_grid_spec *grid, const phys_weights *weights, const phys_buf *buf,
                      unsigned wants, void *workspace, size_t workspace_bytes,
                      const phys_tuning &tuning, assay_stream stream);
int phys_run_fused(const phys_grid_spec *grid, const phys_weights *weights, const phys_buf *buf,
                   int fusion, unsigned wants, const phys_tuning &tuning, assay_stream stream);

/* The kernel arguments of a checked call; tiles are left to the launch. */
phys_kernel_args phys_make_args(const phys_grid_spec *grid, const phys_weights *weights,
                                const phys_buf *buf, unsigned wants);

/* 4 if rows of every array can be read four floats at a time, else 1. */
int phys_vector_width(const phys_kernel_args *a);

/* Zeroes the losses on the stream, as far as they are wanted. */
int phys_zero_losses(const phys_kernel_args *a, assay_stream stream);

/* Cuts the grid into tiles of x, y and z cells; 0 blocks: more than a launch may have. */
unsigned phys_set_tiles(phys_kernel_args *a, int64_t x, int64_t y, int64_t z);

/* The same with tiles of x and y cells; z so that a launch has about as many blocks as wanted, each
 * with 4 to 64 planes. */
unsigned phys_set_march(phys_kernel_args *a, int64_t x, int64_t y, int64_t wanted_blocks);

/* The same, z so that the launch is soonest done where `at_once` blocks run at once and each reads
 * `extra` planes besides its own. */
unsigned phys_set_stream(phys_kernel_args *a, int64_t x, int64_t y, int64_t at_once, int64_t extra);

/* Static shared memory of a kernel that adds up the losses, at most: it counts beside the dynamic
 * part. */
#define PHYS_LOSS_SHARED 1024

/* Processors of the GPUs that cuts are chosen for, an H100 or H200: on another one they are no less
 * right. */
#define PHYS_PROCESSORS 132

/* The fused kernels: one launch each. Those called field give the gradient with respect to the
 * fields, the others that with respect to the residuals. */
typedef int    phys_launch_fn(const phys_kernel_args *a, bool is_central, const phys_tuning &tuning,
                              assay_stream stream);
phys_launch_fn phys_launch_pointwise, phys_launch_box, phys_launch_march, phys_launch_stream;
phys_launch_fn phys_launch_pointwise_field, phys_launch_tiled_field, phys_launch_stream_field;

#endif
