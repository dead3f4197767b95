/* The C API's CUDA calls: which steps each method has. */
#include "mlp_launch.h"

ASSAY_EXPORT int64_t mlp_count_weights(const mlp_spec *spec)
{
    if (!mlp_is_valid(spec))
        return 0;
    const mlp_layout at = mlp_layout_of(spec);

    return at.weights_at[at.n_layers];
}

ASSAY_EXPORT int64_t mlp_count_biases(const mlp_spec *spec)
{
    if (!mlp_is_valid(spec))
        return 0;
    const mlp_layout at = mlp_layout_of(spec);

    return at.biases_at[at.n_layers];
}

static mlp_demand demand_of(const mlp_spec *spec, mlp_method method, const mlp_tuning &tuning)
{
    switch (method) {
    case MLP_TILED:
        return mlp_tiled_demand(spec, tuning);
    case MLP_FUSED:
        return mlp_fused_demand(spec, tuning);
    default:
        return mlp_naive_demand(spec);
    }
}

ASSAY_EXPORT int cuda_mlp_supports(const mlp_spec *spec, mlp_method method)
{
    return mlp_is_valid(spec) && method >= 0 && method < MLP_N_METHODS &&
           (method != MLP_FUSED || mlp_fused_supports(spec));
}

size_t mlp_method_workspace(const mlp_spec *spec, mlp_method method, const mlp_tuning &tuning)
{
    if (!cuda_mlp_supports(spec, method))
        return 0;
    return mlp_place(spec, demand_of(spec, method, tuning), NULL, NULL);
}

ASSAY_EXPORT size_t cuda_mlp_workspace(const mlp_spec *spec, mlp_method method)
{
    return mlp_method_workspace(spec, method, mlp_tuning());
}

static int run_fused(const mlp_spec *spec, const mlp_buf *buf, void *workspace,
                     size_t workspace_bytes, const mlp_tuning &tuning, assay_stream stream)
{
    mlp_call  call = {};
    const int error =
        mlp_begin(spec, buf, mlp_fused_demand(spec, tuning), workspace, workspace_bytes, &call);

    call.tuning = tuning;
    call.stream = stream;
    return error == MLP_OK ? mlp_run_fused(call) : error;
}

int mlp_run_method(const mlp_spec *spec, const mlp_buf *buf, mlp_method method, void *workspace,
                   size_t workspace_bytes, const mlp_tuning &tuning, assay_stream stream)
{
    if (!cuda_mlp_supports(spec, method) || tuning.block < 32 || tuning.block > 1024 ||
        tuning.blocks < 1 || tuning.wide_from < 1)
        return MLP_INVALID_VALUE;
    if (method == MLP_FUSED)
        return run_fused(spec, buf, workspace, workspace_bytes, tuning, stream);
    return mlp_run(spec, buf, method == MLP_TILED ? MLP_TILED_STEPS : MLP_NAIVE_STEPS,
                   demand_of(spec, method, tuning), NULL, workspace, workspace_bytes, tuning,
                   stream);
}

ASSAY_EXPORT int cuda_mlp_grad(const mlp_spec *spec, const mlp_buf *buf, mlp_method method,
                               void *workspace, size_t workspace_bytes, assay_stream stream)
{
    return mlp_run_method(spec, buf, method, workspace, workspace_bytes, mlp_tuning(), stream);
}
