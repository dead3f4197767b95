/* fused_graph: all steps of a call as one CUDA graph, made once when the variant is set up. The
 * host executor has no graphs: this file is empty there. */
#include "physarum_steps.h"

#ifdef __CUDACC__

static int capture(const assay_args *args, cudaStream_t stream, cudaGraphExec_t *executable)
{
    cudaGraph_t graph = nullptr;
    cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);

    if (error != cudaSuccess)
        return static_cast<int>(error);
    physarum_enqueue_fused(args, stream);
    error = cudaStreamEndCapture(stream, &graph);
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(executable, graph, 0);
    if (graph)
        (void)cudaGraphDestroy(graph); /* the executable has all it needs */
    return static_cast<int>(error);
}

ASSAY_EXPORT int physarum_fused_graph_setup(const assay_args *args, void **state)
{
    cudaStream_t    stream     = nullptr;
    cudaGraphExec_t executable = nullptr;
    int error = static_cast<int>(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    if (error != 0)
        return error;
    error = capture(args, stream, &executable);
    (void)cudaStreamDestroy(stream); /* nothing ran on it */
    *state = executable;
    return error;
}

ASSAY_EXPORT void physarum_fused_graph_teardown(void *state)
{
    if (state)
        (void)cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(state));
}

/* A graph cannot be launched into a stream that is being captured: there the steps are enqueued, so
 * that the graph under capture holds them itself. */
ASSAY_LAUNCHER(physarum_fused_graph)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;

    if (cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
        status == cudaStreamCaptureStatusActive) {
        physarum_enqueue_fused(args, stream);
        return assay_launch_status();
    }
    return static_cast<int>(cudaGraphLaunch(static_cast<cudaGraphExec_t>(args->state), stream));
}

#endif
