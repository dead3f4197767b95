/* The reference as a call of the C API and as a variant: double precision, rounded once. */
#include "mlp_case.h"
#include "mlp_layout.h"

#include "../../reference/mlp_grad/mlp_grad.h"

#include <stdlib.h>

assay_launch_fn mlp_grad_cpu_ref;

typedef struct extents {
    int64_t x, y, weights, biases;
} extents;

static extents extents_of(const mlp_spec *spec)
{
    const mlp_layout at = mlp_layout_of(spec);

    return (extents) { spec->batch * spec->inputs, spec->batch * spec->outputs,
                       at.weights_at[at.n_layers], at.biases_at[at.n_layers] };
}

static const double *widen(double **free_from, const float *from, int64_t count)
{
    double *to = *free_from;

    for (int64_t i = 0; i < count; i++)
        to[i] = (double)from[i];
    *free_from += count;
    return to;
}

static mlp_grad_result take_result(double **free_from, int64_t count)
{
    const mlp_grad_result taken = { *free_from, *free_from + count };

    *free_from += 2 * count;
    return taken;
}

static void round_to(float *to, mlp_grad_result from, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = (float)from.value[i];
}

int cpu_mlp_grad(const mlp_spec *spec, const mlp_buf *buf)
{
    int              error = mlp_check(spec, buf);
    double           loss[2];
    double          *memory, *rest;
    mlp_grad_inputs  in;
    mlp_grad_results out;

    if (error != MLP_OK)
        return error;
    const extents n = extents_of(spec);

    memory = rest = malloc((size_t)(3 * (n.x + n.y + n.weights + n.biases)) * sizeof(double));
    if (memory == NULL)
        return MLP_INVALID_WORKSPACE;
    in    = (mlp_grad_inputs) { .x       = widen(&rest, buf->x, n.x),
                                .target  = widen(&rest, buf->target, n.y),
                                .weights = widen(&rest, buf->weights, n.weights),
                                .biases  = widen(&rest, buf->biases, n.biases) };
    out   = (mlp_grad_results) { .y         = take_result(&rest, n.y),
                                 .d_x       = take_result(&rest, n.x),
                                 .d_weights = take_result(&rest, n.weights),
                                 .d_biases  = take_result(&rest, n.biases),
                                 .loss      = { &loss[0], &loss[1] } };
    error = mlp_grad_in_double(spec, &in, &out, mlp_grad_serial_for);
    if (error == MLP_OK) {
        round_to(buf->y, out.y, n.y);
        round_to(buf->d_x, out.d_x, n.x);
        round_to(buf->d_weights, out.d_weights, n.weights);
        round_to(buf->d_biases, out.d_biases, n.biases);
        *buf->loss = loss[0];
    }
    free(memory);
    return error;
}

int mlp_grad_cpu_ref(const assay_args *args, assay_stream stream)
{
    const mlp_spec spec = mlp_case_spec(args->param, args->scalar);
    const mlp_buf  buf  = mlp_case_buf(args->buf);

    (void)stream;
    return cpu_mlp_grad(&spec, &buf);
}
