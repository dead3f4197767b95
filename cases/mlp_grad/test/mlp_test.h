/* What the stand-alone MLP programs share: networks with their data on the host. */
#ifndef ASSAY_MLP_TEST_H
#define ASSAY_MLP_TEST_H

#include "../../../kernels/mlp_grad/mlp_grad.h"

#include <stdbool.h>

/* The tensors of a network, by place in mlp_tensors.of. */
typedef enum mlp_tensor {
    MLP_X,
    MLP_TARGET,
    MLP_WEIGHTS,
    MLP_BIASES,
    MLP_Y,
    MLP_D_X,
    MLP_D_WEIGHTS,
    MLP_D_BIASES,
    MLP_N_TENSORS
} mlp_tensor;
#define MLP_FIRST_OUTPUT MLP_Y
const char *mlp_tensor_name(mlp_tensor tensor);

typedef struct mlp_tensors {
    float  *of[MLP_N_TENSORS];
    int64_t count[MLP_N_TENSORS];
    double  loss;
} mlp_tensors;

/* Sets only the tensors' sizes. */
void mlp_tensors_measure(const mlp_spec *spec, mlp_tensors *tensors);
/* Inputs are filled from the seed, outputs with NaN; false: out of memory. The caller frees in
 * either case. */
bool mlp_tensors_create(const mlp_spec *spec, unsigned seed, mlp_tensors *tensors);
void mlp_tensors_free(mlp_tensors *tensors);

/* The C API's view of tensors in any memory; `loss` is separate. */
mlp_buf mlp_buf_of(float *const of[MLP_N_TENSORS], double *loss);

/* From -1 to 1, the same on every machine. */
double mlp_random(uint64_t seed, uint64_t index);

/* "batch 33, 3-31-31-2, tanh": valid until the next call. */
const char *mlp_describe(const mlp_spec *spec);

/* Calls `check` with valid arguments that are spoiled in one place after another. */
typedef void mlp_invalid_fn(const char *what, const mlp_spec *spec, const mlp_buf *buf,
                            void *context);
void         mlp_for_each_invalid(const mlp_spec *spec, const mlp_buf *buf, mlp_invalid_fn *check,
                                  void *context);

#endif
