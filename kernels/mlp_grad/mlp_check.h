/* Which arguments of the MLP calls are valid, on every device. */
#ifndef ASSAY_MLP_CHECK_H
#define ASSAY_MLP_CHECK_H

#include "mlp_grad.h"

#include <math.h>
#include <stdbool.h>

static inline bool mlp_is_extent(int64_t n) { return n >= 1 && n <= (int64_t)1 << 20; }

static inline bool mlp_is_valid(const mlp_spec *spec)
{
    return spec != NULL && spec->batch >= 1 && spec->batch <= (int64_t)1 << 30 &&
           mlp_is_extent(spec->inputs) && mlp_is_extent(spec->width) &&
           mlp_is_extent(spec->outputs) && spec->depth >= 1 && spec->depth <= MLP_MAX_DEPTH &&
           spec->activation >= 0 && spec->activation < MLP_N_ACTIVATIONS &&
           isfinite((float)(2 * spec->loss_weight));
}

static inline int mlp_check(const mlp_spec *spec, const mlp_buf *buf)
{
    if (!mlp_is_valid(spec) || buf == NULL)
        return MLP_INVALID_VALUE;
    if (buf->x == NULL || buf->target == NULL || buf->weights == NULL || buf->biases == NULL ||
        buf->y == NULL || buf->d_x == NULL || buf->d_weights == NULL || buf->d_biases == NULL ||
        buf->loss == NULL)
        return MLP_INVALID_VALUE;
    return MLP_OK;
}

#endif
