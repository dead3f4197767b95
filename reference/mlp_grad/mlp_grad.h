/* Entry point of the MLP reference beyond the C API: on double values, so that its own tests are
 * not limited by the rounding of fp32 inputs. */
#ifndef ASSAY_REFERENCE_MLP_GRAD_H
#define ASSAY_REFERENCE_MLP_GRAD_H

#include "../../kernels/mlp_grad/mlp_grad.h"

/* Laid out like mlp_buf. */
typedef struct mlp_grad_inputs {
    const double *x, *target, *weights, *biases;
} mlp_grad_inputs;

/* A result and, for each element, how far fp32 may be off: in units of 2^-24, one standard
 * deviation (docs/mlp_grad.md). Both are written. */
typedef struct mlp_grad_result {
    double *value, *deviation;
} mlp_grad_result;

typedef struct mlp_grad_results {
    mlp_grad_result y, d_x, d_weights, d_biases, loss;
} mlp_grad_results;

/* 0, or MLP_INVALID_WORKSPACE: out of memory, nothing is written. The spec must be valid. */
ASSAY_EXPORT int mlp_grad_in_double(const mlp_spec *spec, const mlp_grad_inputs *in,
                                    const mlp_grad_results *out,
                                    assay_parallel_for_fn  *parallel_for);

/* Runs all chunks one after another. */
static inline void mlp_grad_serial_for(int64_t count, int64_t size, assay_parallel_fn *fn,
                                       void *context)
{
    for (int64_t begin = 0, chunk = 0; begin < count; begin += size, chunk++)
        fn(context, chunk, begin, begin + size < count ? begin + size : count);
}

#endif
