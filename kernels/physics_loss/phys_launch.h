/* Host side of the physics loss kernels: turns the C API's arguments into a launch. */
#ifndef ASSAY_PHYS_LAUNCH_H
#define ASSAY_PHYS_LAUNCH_H

#include "phys_device.cuh"

/* Outputs that a call wants of its buffers. */
enum {
    PHYS_WANTS_RESIDUALS = 1, /* as far as r_sigma, r_u are not NULL */
    PHYS_WANTS_LOSSES    = 2,
    PHYS_WANTS_GRADIENTS = 4
};

/* Free choices of the kernels. The C API takes the defaults; a value that no kernel was compiled
 * for gives PHYS_INVALID_VALUE. */
struct phys_tuning {
    int64_t block  = 256; /* threads of a block, non-fused and pointwise */
    int64_t tile_x = 64;  /* cells of a marching tile */
    int64_t tile_y = 8;
    int64_t blocks = 512; /* of a marching launch, about, if the grid has enough planes */
    int64_t shape  = 1;   /* of a streaming block: see phys_stream.h */
    int64_t waves  = 1;   /* about how many waves of blocks a streaming launch has */
};

/* The calls of the C API, with the free choices: forward wants residuals and losses, backward
 * gradients, both all three. */
int phys_run_nonfused(const phys_grid_spec *grid, const phys_weights *weights, const phys_buf *buf,
                      unsigned wants, void *workspace, size_t workspace_bytes,
                      const phys_tuning &tuning, assay_stream stream);
int phys_run_fused(const phys_grid_spec *grid, const phys_weights *weights, const phys_buf *buf,
                   int fusion, unsigned wants, const phys_tuning &tuning, assay_stream stream);

/* The kernel arguments of a checked call; the launch sets the tiles. */
phys_kernel_args phys_make_args(const phys_grid_spec *grid, const phys_weights *weights,
                                const phys_buf *buf, unsigned wants);

/* 4 if rows of every array can be read four floats at a time, else 1. */
int phys_vector_width(const phys_kernel_args *a);

/* Zeroes the wanted losses on the stream. */
int phys_zero_losses(const phys_kernel_args *a, assay_stream stream);

/* Cuts the grid into tiles of x, y and z cells. Returns the number of blocks, or 0 if a launch may
 * not have so many. */
unsigned phys_set_tiles(phys_kernel_args *a, int64_t x, int64_t y, int64_t z);

/* The same with tiles of x and y cells. z is chosen so that a launch has about as many blocks as
 * wanted, each with 4 to 64 planes. */
unsigned phys_set_march(phys_kernel_args *a, int64_t x, int64_t y, int64_t wanted_blocks);

/* The same. z is chosen so that the launch ends soonest, if `at_once` blocks run at once and each
 * reads `extra` planes besides its own. */
unsigned phys_set_stream(phys_kernel_args *a, int64_t x, int64_t y, int64_t at_once, int64_t extra);

/* The most static shared memory of a kernel that adds up the losses: it counts beside the dynamic
 * part. */
#define PHYS_LOSS_SHARED 1024

/* Processors of the GPUs that the launches are tuned for, H100 and H200. Results on other GPUs are
 * just as right. */
#define PHYS_PROCESSORS 132

/* The fused kernels: one launch each. Those with `field` in their name give the gradient with
 * respect to the fields, the others that with respect to the residuals. */
typedef int    phys_launch_fn(const phys_kernel_args *a, bool is_central, const phys_tuning &tuning,
                              assay_stream stream);
phys_launch_fn phys_launch_pointwise, phys_launch_box, phys_launch_march, phys_launch_stream;
phys_launch_fn phys_launch_pointwise_field, phys_launch_tiled_field, phys_launch_stream_field;

#endif
