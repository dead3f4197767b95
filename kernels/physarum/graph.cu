/* fused_graph: all steps of a call of `fused` as one CUDA graph, made once when the variant is set
 * up. The host device has no graphs: this file is empty there. */
#include "kernel.h"

#ifndef ASSAY_HOST_KERNELS

ASSAY_LAUNCHER(physarum_fused); /* fused.cu */

ASSAY_EXPORT int physarum_fused_graph_setup(const assay_args *args, void **state)
{
    return assay_graph_setup(state,
                             [=](assay_stream stream) { return physarum_fused(args, stream); });
}

ASSAY_EXPORT void physarum_fused_graph_teardown(void *state) { assay_graph_teardown(state); }

ASSAY_LAUNCHER(physarum_fused_graph)
{
    return assay_graph_launch(
        args->state, stream, [=](assay_stream captured) { return physarum_fused(args, captured); });
}

#endif
