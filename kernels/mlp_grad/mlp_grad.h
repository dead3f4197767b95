/* C API of the MLP gradient: forward and backward pass of a small fully connected network with a
 * mean-square loss. Usable without the harness.
 *
 * All calls return 0 or an error number (CUDA's numbers, on every device) and launch nothing when
 * an argument is invalid. The cuda_ calls enqueue on the stream and return: they neither allocate
 * nor wait. docs/mlp_grad.md holds the mathematics. */
#ifndef ASSAY_MLP_GRAD_H
#define ASSAY_MLP_GRAD_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the hidden layers; the output layer is linear. */
typedef enum mlp_activation {
    MLP_TANH = 0,
    MLP_RELU = 1, /* max(z, 0); its derivative at 0 is 0 */
    MLP_N_ACTIVATIONS
} mlp_activation;

enum {
    MLP_MAX_DEPTH  = 4,
    MLP_MAX_LAYERS = MLP_MAX_DEPTH + 1
};

enum {
    MLP_OK                = 0,
    MLP_INVALID_VALUE     = 1,   /* an argument is out of range, or a buffer is missing */
    MLP_INVALID_WORKSPACE = 2,   /* the workspace is missing or too small; cpu_: no memory */
    MLP_INVALID_GRID      = 9,   /* more blocks than a launch may have */
    MLP_LIBRARY_FAILED    = 999, /* cuBLAS returned an error */
};

/* `depth` hidden layers of `width` neurons between `inputs` and `outputs`. Extents are 1 to 2^20,
 * the batch 1 to 2^30. The activation is held as int so that any value may arrive and be refused.
 */
typedef struct mlp_spec {
    int64_t batch, inputs, width, outputs;
    int     depth;       /* 1 to MLP_MAX_DEPTH */
    int     activation;  /* mlp_activation */
    double  loss_weight; /* loss = loss_weight / (batch * outputs) * sum (y - target)^2 */
} mlp_spec;

/* All row-major, samples and neurons as rows. Layer l maps n(l) to n(l+1) values: its weights are
 * n(l+1) rows of n(l), its biases n(l+1) numbers; the layers follow each other without gaps, the
 * gradients likewise. The caller owns all memory: on the device for the cuda_ calls, on the host
 * for the cpu_ call. No output may overlap an input. */
typedef struct mlp_buf {
    const float *x, *target;       /* batch x inputs, batch x outputs */
    const float *weights, *biases; /* of all layers */
    float       *y;                /* batch x outputs: what the network says */
    float       *d_x;              /* batch x inputs */
    float       *d_weights, *d_biases;
    double      *loss; /* one element */
} mlp_buf;

/* Numbers in `weights` and `biases`; 0 for an invalid spec. */
ASSAY_EXPORT int64_t mlp_count_weights(const mlp_spec *spec);
ASSAY_EXPORT int64_t mlp_count_biases(const mlp_spec *spec);

/* ---- CPU: double precision throughout, outputs rounded once. Allocates while it runs. */
ASSAY_EXPORT int cpu_mlp_grad(const mlp_spec *spec, const mlp_buf *buf);

/* ---- CUDA */

typedef enum mlp_method {
    MLP_NAIVE = 0, /* a kernel for each step, a thread for each result */
    MLP_TILED = 1, /* shared tiles; bias, activation and loss within the products */
    MLP_FUSED = 2, /* the network in one kernel for each part of the batch: extents up to 64, depth
                      up to 2 */
    MLP_N_METHODS
} mlp_method;

/* Whether a method takes this network. False for an invalid spec. */
ASSAY_EXPORT int cuda_mlp_supports(const mlp_spec *spec, mlp_method method);
/* Bytes of device memory a call needs, aligned to 16 bytes. 0 where it is not supported. */
ASSAY_EXPORT size_t cuda_mlp_workspace(const mlp_spec *spec, mlp_method method);
ASSAY_EXPORT int    cuda_mlp_grad(const mlp_spec *spec, const mlp_buf *buf, mlp_method method,
                                  void *workspace, size_t workspace_bytes, assay_stream stream);

/* ---- cuBLAS: the same steps with the library's products, in plain fp32 */

/* The library, found by the loader when it is asked for: a build needs none of it. */
typedef struct mlp_cublas mlp_cublas;

/* NULL with the reason in `why`: not here, or it does not start. Caller destroys. */
ASSAY_EXPORT mlp_cublas *mlp_cublas_create(char *why, size_t size);
ASSAY_EXPORT void        mlp_cublas_destroy(mlp_cublas *library); /* accepts NULL */
ASSAY_EXPORT size_t      cublas_mlp_workspace(const mlp_spec *spec);
ASSAY_EXPORT int cublas_mlp_grad(mlp_cublas *library, const mlp_spec *spec, const mlp_buf *buf,
                                 void *workspace, size_t workspace_bytes, assay_stream stream);

#ifdef __cplusplus
}
#endif
#endif
