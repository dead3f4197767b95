/* C API of the physics loss: residuals of transport equations on a grid, their weighted mean
 * squares, and the gradient with respect to the residuals or to the fields. Usable without the
 * harness.
 *
 * All calls return 0 or an error number (CUDA's numbers, on every device) and launch nothing when
 * an argument is invalid. The cuda_ calls enqueue on the stream and return: they neither allocate
 * nor wait. docs/physics_loss.md holds the mathematics. */
#ifndef ASSAY_PHYS_LOSS_H
#define ASSAY_PHYS_LOSS_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a difference reaches over the end of an axis. */
typedef enum phys_boundary {
    PHYS_PERIODIC      = 0, /* wraps around */
    PHYS_ZERO_GRADIENT = 1, /* the outside cell equals the edge cell: (f1 - f0) / 2h at the edge */
    PHYS_N_BOUNDARIES
} phys_boundary;

typedef enum phys_time {
    PHYS_FIRST_ORDER = 0, /* (f(t1) - f(t0)) / dt; t2 is not used */
    PHYS_CENTRAL     = 1, /* (f(t2) - f(t0)) / 2dt */
    PHYS_N_TIMES
} phys_time;

/* What d_sigma and d_u are the gradient with respect to. */
typedef enum phys_vjp {
    PHYS_VJP_RESIDUAL = 0, /* the residuals: 2 w R / N */
    PHYS_VJP_FIELD    = 1, /* the fields: the residuals' gradient carried through their transpose */
    PHYS_N_VJPS
} phys_vjp;

/* The time levels that a gradient is given at. */
typedef enum phys_levels {
    PHYS_LEVELS_T1  = 0,
    PHYS_LEVELS_ALL = 1, /* t0 too, and t2 with PHYS_CENTRAL; with PHYS_VJP_FIELD only */
    PHYS_N_LEVELS
} phys_levels;

enum {
    PHYS_OK                = 0,
    PHYS_INVALID_VALUE     = 1,   /* an argument is out of range, or a buffer is missing */
    PHYS_INVALID_WORKSPACE = 2,   /* the workspace is missing or too small */
    PHYS_INVALID_GRID      = 9,   /* more blocks than a launch may have */
    PHYS_NOT_SUPPORTED     = 801, /* the kernel asked for cannot do what the grid asks for */
};

/* Of phys_buf's scratch, aligned to 8 bytes. */
#define PHYS_SCRATCH_BYTES 16448

/* Cells are numbered (z * ny + y) * nx + x. Each extent is at most 2^30, the number of cells at
 * most 2^40. The enumerations are held as int so that any value may arrive and be refused. */
typedef struct phys_grid_spec {
    int64_t nx, ny, nz;
    double  hx, hy, hz;  /* spacings, > 0 */
    double  dt;          /* time step, > 0 */
    int     boundary[3]; /* phys_boundary of the x, y and z axis */
    int     time;        /* phys_time */
    int     vjp;         /* phys_vjp */
    int     levels;      /* phys_levels */
} phys_grid_spec;

typedef struct phys_weights {
    double w_sigma, w_u;
} phys_weights;

/* Fields are fp32. sigma: N elements. u: 3N, all ux, then all uy, then all uz. The caller owns all
 * memory: on the device for the cuda_ calls, on the host for the cpu_ calls. No output may overlap
 * an input. */
typedef struct phys_buf {
    const float *sigma_t0, *sigma_t1, *sigma_t2; /* t2: with PHYS_CENTRAL only */
    const float *u_t0, *u_t1, *u_t2;
    float       *d_sigma[3], *d_u[3]; /* gradients by level: [1] always; [0], and [2] with
                                       PHYS_CENTRAL, as far as PHYS_LEVELS_ALL asks for them */
    float *r_sigma, *r_u;             /* residuals: written by forward calls unless NULL, read by
                                       backward_nonfused; other calls leave them alone */
    double *loss_sigma, *loss_u;      /* one element each */
    void   *scratch; /* NULL, or PHYS_SCRATCH_BYTES that were zero before their first use and are
                        zero again after each: the cuda_ calls then add up the losses within the
                        launch that computes them, else another one zeroes the losses before it.
                        Calls that may run at the same time need one each. */
} phys_buf;

/* ---- CPU: double precision throughout, outputs rounded once */

/* loss_sigma, loss_u and, unless NULL, r_sigma and r_u. */
ASSAY_EXPORT int cpu_phys_loss_forward(const phys_grid_spec *grid, const phys_weights *weights,
                                       const phys_buf *buf);
/* The gradients, from the fields. */
ASSAY_EXPORT int cpu_phys_loss_backward(const phys_grid_spec *grid, const phys_weights *weights,
                                        const phys_buf *buf);

/* ---- CUDA, non-fused: derivatives, residuals, loss and gradient as kernels of their own */

/* Bytes of device memory that the forward and the joint call need: sixteen derivatives, and the
 * residuals in case the caller does not ask for them. 0 for an invalid grid. The workspace is
 * aligned to 16 bytes; backward_nonfused and the fused calls need none. */
ASSAY_EXPORT size_t cuda_phys_loss_workspace(const phys_grid_spec *grid);

ASSAY_EXPORT int cuda_phys_loss_forward_nonfused(const phys_grid_spec *grid,
                                                 const phys_weights *weights, const phys_buf *buf,
                                                 void *workspace, size_t workspace_bytes,
                                                 assay_stream stream);
/* From the residuals in r_sigma and r_u, which are only read. PHYS_VJP_RESIDUAL needs no fields,
 * PHYS_VJP_FIELD those of t1. */
ASSAY_EXPORT int cuda_phys_loss_backward_nonfused(const phys_grid_spec *grid,
                                                  const phys_weights *weights, const phys_buf *buf,
                                                  assay_stream stream);
/* Both: losses, gradients and, unless NULL, r_sigma and r_u. */
ASSAY_EXPORT int cuda_phys_loss_nonfused(const phys_grid_spec *grid, const phys_weights *weights,
                                         const phys_buf *buf, void *workspace,
                                         size_t workspace_bytes, assay_stream stream);

/* ---- CUDA, fused: one kernel from the fields to everything asked for */

typedef enum phys_fusion {
    PHYS_FUSED_DEFAULT   = 0, /* the fastest known: TILED, for the fields' gradient STREAM */
    PHYS_FUSED_POINTWISE = 1, /* one thread a cell, neighbours through the caches */
    PHYS_FUSED_TILED     = 2, /* a shared tile that marches along z */
    PHYS_FUSED_BOX       = 3, /* a shared tile of 8 x 8 x 4 cells and its halo of one: for
                                 gradients PHYS_VJP_RESIDUAL only, else PHYS_NOT_SUPPORTED */
    PHYS_FUSED_STREAM = 4,    /* planes stream along z through registers */
    PHYS_N_FUSIONS
} phys_fusion;

ASSAY_EXPORT int cuda_phys_loss_forward_fused(const phys_grid_spec *grid,
                                              const phys_weights *weights, const phys_buf *buf,
                                              phys_fusion fusion, assay_stream stream);
ASSAY_EXPORT int cuda_phys_loss_backward_fused(const phys_grid_spec *grid,
                                               const phys_weights *weights, const phys_buf *buf,
                                               phys_fusion fusion, assay_stream stream);
ASSAY_EXPORT int cuda_phys_loss_fused(const phys_grid_spec *grid, const phys_weights *weights,
                                      const phys_buf *buf, phys_fusion fusion, assay_stream stream);

#ifdef __cplusplus
}
#endif
#endif
