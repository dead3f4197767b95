/* How the case mlp_grad numbers its buffers, parameters and scalars. The case, the reference and
 * the launchers share it, so that the numbers stand in one place. */
#ifndef ASSAY_MLP_CASE_H
#define ASSAY_MLP_CASE_H

#include "mlp_grad.h"

enum {
    MLP_BUF_X,
    MLP_BUF_TARGET,
    MLP_BUF_WEIGHTS,
    MLP_BUF_BIASES,
    MLP_BUF_Y,
    MLP_BUF_D_X,
    MLP_BUF_D_WEIGHTS,
    MLP_BUF_D_BIASES,
    MLP_BUF_LOSS,
    MLP_N_BUFS
};

enum {
    MLP_PARAM_BATCH,
    MLP_PARAM_INPUTS,
    MLP_PARAM_WIDTH,
    MLP_PARAM_OUTPUTS,
    MLP_PARAM_DEPTH,
    MLP_PARAM_ACTIVATION
};

enum {
    MLP_SCALAR_LOSS_WEIGHT
};

/* The factor c of the tolerance. cases/mlp_grad/mlp_grad.c derives it; the reference needs it to
 * tell which activations may come out on the other side of the kink. */
#define MLP_TOLERANCE_C 4.0

static inline mlp_spec mlp_case_spec(const int64_t *param, const double *scalar)
{
    mlp_spec spec;

    spec.batch       = param[MLP_PARAM_BATCH];
    spec.inputs      = param[MLP_PARAM_INPUTS];
    spec.width       = param[MLP_PARAM_WIDTH];
    spec.outputs     = param[MLP_PARAM_OUTPUTS];
    spec.depth       = (int)param[MLP_PARAM_DEPTH];
    spec.activation  = (int)param[MLP_PARAM_ACTIVATION];
    spec.loss_weight = scalar[MLP_SCALAR_LOSS_WEIGHT];
    return spec;
}

static inline mlp_buf mlp_case_buf(void *const *buf)
{
    mlp_buf b;

    b.x         = (const float *)buf[MLP_BUF_X];
    b.target    = (const float *)buf[MLP_BUF_TARGET];
    b.weights   = (const float *)buf[MLP_BUF_WEIGHTS];
    b.biases    = (const float *)buf[MLP_BUF_BIASES];
    b.y         = (float *)buf[MLP_BUF_Y];
    b.d_x       = (float *)buf[MLP_BUF_D_X];
    b.d_weights = (float *)buf[MLP_BUF_D_WEIGHTS];
    b.d_biases  = (float *)buf[MLP_BUF_D_BIASES];
    b.loss      = (double *)buf[MLP_BUF_LOSS];
    return b;
}

#endif
