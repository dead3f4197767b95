/* The case's variants on a device: calls of the C API with the values of the tuning axes. */
#include "mlp_case.h"
#include "mlp_launch.h"

static int run(const assay_args *args, mlp_method method, const mlp_tuning &tuning,
               assay_stream stream)
{
    const mlp_spec spec = mlp_case_spec(args->param, args->scalar);
    const mlp_buf  buf  = mlp_case_buf(args->buf);

    return mlp_run_method(&spec, &buf, method, args->workspace, args->workspace_bytes, tuning,
                          stream);
}

static size_t workspace(const assay_args *args, mlp_method method, const mlp_tuning &tuning)
{
    const mlp_spec spec = mlp_case_spec(args->param, args->scalar);

    return mlp_method_workspace(&spec, method, tuning);
}

static mlp_tuning naive_tuning(const assay_args *args)
{
    mlp_tuning tuning;

    tuning.block = args->tune[0];
    return tuning;
}

static mlp_tuning tiled_tuning(const assay_args *args)
{
    mlp_tuning tuning;

    tuning.wide_from = args->tune[0];
    tuning.blocks    = args->tune[1];
    return tuning;
}

static mlp_tuning fused_tuning(const assay_args *args)
{
    mlp_tuning tuning;

    tuning.blocks = args->tune[0];
    return tuning;
}

ASSAY_WORKSPACE(mlp_grad_naive_workspace) { return workspace(args, MLP_NAIVE, naive_tuning(args)); }
ASSAY_LAUNCHER(mlp_grad_naive) { return run(args, MLP_NAIVE, naive_tuning(args), stream); }

ASSAY_WORKSPACE(mlp_grad_tiled_workspace) { return workspace(args, MLP_TILED, tiled_tuning(args)); }
ASSAY_LAUNCHER(mlp_grad_tiled) { return run(args, MLP_TILED, tiled_tuning(args), stream); }

ASSAY_WORKSPACE(mlp_grad_fused_workspace) { return workspace(args, MLP_FUSED, fused_tuning(args)); }
ASSAY_LAUNCHER(mlp_grad_fused) { return run(args, MLP_FUSED, fused_tuning(args), stream); }
