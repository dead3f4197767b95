/* Where each layer of the network lies: for the kernels, the CPU variant and the programs. */
#ifndef ASSAY_MLP_LAYOUT_H
#define ASSAY_MLP_LAYOUT_H

#include "mlp_check.h"

typedef struct mlp_layout {
    int     n_layers;
    int64_t n[MLP_MAX_LAYERS + 1]; /* inputs of layer l; the last: outputs of the network */
    int64_t weights_at[MLP_MAX_LAYERS + 1], biases_at[MLP_MAX_LAYERS + 1]; /* [n_layers]: the end */
} mlp_layout;

/* For a valid spec. */
static inline mlp_layout mlp_layout_of(const mlp_spec *spec)
{
    mlp_layout at;

    at.n_layers      = spec->depth + 1;
    at.weights_at[0] = at.biases_at[0] = 0;
    at.n[0]                            = spec->inputs;
    for (int l = 0; l < at.n_layers; l++) {
        at.n[l + 1]          = l < spec->depth ? spec->width : spec->outputs;
        at.weights_at[l + 1] = at.weights_at[l] + at.n[l + 1] * at.n[l];
        at.biases_at[l + 1]  = at.biases_at[l] + at.n[l + 1];
    }
    return at;
}

/* The largest number of values that the kernels keep between steps. */
static inline int64_t mlp_widest(const mlp_spec *spec)
{
    return spec->width > spec->outputs ? spec->width : spec->outputs;
}

#endif
