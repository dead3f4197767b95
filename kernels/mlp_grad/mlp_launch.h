/* Host side of the MLP kernels: from the C API's arguments to launches. */
#ifndef ASSAY_MLP_LAUNCH_H
#define ASSAY_MLP_LAUNCH_H

#include "mlp_layout.h"

/* Free choices of the kernels. The C API takes the defaults; a value that no kernel was compiled
 * for gives MLP_INVALID_VALUE. */
struct mlp_tuning {
    int64_t block     = 256; /* threads of a block, naive */
    int64_t wide_from = 132; /* number of 128 x 128 tiles from which a product takes them, not 64 */
    int64_t blocks    = 264; /* about as many parts of a product over the batch; fused: at most */
};

/* Memory between the steps. */
struct mlp_memory {
    float  *h[MLP_MAX_DEPTH]; /* batch x width: outputs of each hidden layer */
    float  *delta[2];         /* batch x widest: of the present layer, and of the one before it */
    double *losses;           /* parts of the sum of squares */
    float  *parts;            /* parts of a layer's gradient */
    float  *ones;             /* one for each sample */
};

/* How many of each a method needs. */
struct mlp_demand {
    int64_t losses = 0, parts = 0, ones = 0;
    bool    layers = true; /* h and delta */
};

/* Returns the bytes; with `memory`, also sets where each array is, from `base` on. */
size_t mlp_place(const mlp_spec *spec, const mlp_demand &demand, void *base, mlp_memory *memory);

/* A call in progress. */
struct mlp_call {
    const mlp_spec *spec;
    const mlp_buf  *buf;
    mlp_layout      at;
    mlp_memory      memory;
    mlp_tuning      tuning;
    void           *library; /* cuBLAS, or NULL */
    assay_stream    stream;
};

/* One layer of the call. */
struct mlp_step {
    int64_t      batch, n_in, n_out;
    bool         is_first, is_last;
    int          activation;
    const float *a;                /* batch x n_in: the layer's inputs */
    const float *weights, *biases; /* n_out x n_in, n_out */
    float       *next;             /* batch x n_out: the activation, or y */
    float       *delta;            /* batch x n_out: d loss / d (W a + b) */
    float       *d_a;              /* batch x n_in: the delta of the layer before, or d_x */
    float       *d_weights, *d_biases;
};

mlp_step mlp_step_of(const mlp_call &call, int l);

/* The steps of a method; each returns an error number. */
typedef int mlp_step_fn(const mlp_call &call, const mlp_step &step);
struct mlp_steps {
    mlp_step_fn *forward;
    mlp_step_fn *delta;    /* of the last layer, with the loss */
    mlp_step_fn *gradient; /* of a layer's weights and biases */
    mlp_step_fn *backward; /* delta of the layer before, or d_x */
};

/* Checks, then runs all steps in order. */
int mlp_run(const mlp_spec *spec, const mlp_buf *buf, const mlp_steps &steps,
            const mlp_demand &demand, void *library, void *workspace, size_t workspace_bytes,
            const mlp_tuning &tuning, assay_stream stream);

/* Only checks and sets the places in the workspace, for methods that are not made of steps. */
int mlp_begin(const mlp_spec *spec, const mlp_buf *buf, const mlp_demand &demand, void *workspace,
              size_t workspace_bytes, mlp_call *call);

/* delta = 2w/N (y - target), and the loss: the step `delta` of methods that do not fuse it. */
mlp_step_fn mlp_launch_delta;
int64_t     mlp_delta_losses(const mlp_spec *spec); /* parts that it needs */
/* loss = w/N times the sum of `count` parts. */
int mlp_launch_loss(const mlp_call &call, int64_t count);

/* 2w/N in fp32. */
float mlp_delta_factor(const mlp_spec *spec);

/* The methods with their free choices. */
int    mlp_run_method(const mlp_spec *spec, const mlp_buf *buf, mlp_method method, void *workspace,
                      size_t workspace_bytes, const mlp_tuning &tuning, assay_stream stream);
size_t mlp_method_workspace(const mlp_spec *spec, mlp_method method, const mlp_tuning &tuning);

/* The steps of each method. */
extern const mlp_steps MLP_NAIVE_STEPS, MLP_TILED_STEPS;
mlp_demand             mlp_naive_demand(const mlp_spec *spec);
mlp_demand             mlp_tiled_demand(const mlp_spec *spec, const mlp_tuning &tuning);
mlp_demand             mlp_fused_demand(const mlp_spec *spec, const mlp_tuning &tuning);
bool                   mlp_fused_supports(const mlp_spec *spec);
int                    mlp_run_fused(const mlp_call &call);

#endif
