/* CUDA graphs of variants: the part of kernel_cuda.h that the host device lacks. Code that uses it
 * stands between #ifndef ASSAY_HOST_KERNELS and #endif. */
#ifndef ASSAY_KERNEL_GRAPH_H
#define ASSAY_KERNEL_GRAPH_H

/* Makes an executable graph of the work that `enqueue(stream)` puts on the stream. `enqueue`
 * returns 0 or an error number. Nothing runs. The caller frees *executable. */
template <typename Enqueue> inline cudaError_t
assay_graph_capture(cudaStream_t stream, Enqueue enqueue, cudaGraphExec_t *executable)
{
    cudaGraph_t graph = nullptr;
    cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), ended;

    if (error != cudaSuccess)
        return error;
    error = static_cast<cudaError_t>(enqueue(stream));
    ended = cudaStreamEndCapture(stream, &graph);
    if (error == cudaSuccess)
        error = ended;
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(executable, graph, 0);
    if (graph)
        (void)cudaGraphDestroy(graph); /* the executable has all it needs */
    return error;
}

/* For a variant's setup: makes the graph that its launcher launches and its teardown frees. Returns
 * 0, or an error number with NULL in *graph. */
template <typename Enqueue> inline int assay_graph_setup(void **graph, Enqueue enqueue)
{
    cudaStream_t    stream     = nullptr;
    cudaGraphExec_t executable = nullptr;
    cudaError_t     error      = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

    if (error == cudaSuccess) {
        error = assay_graph_capture(stream, enqueue, &executable);
        (void)cudaStreamDestroy(stream); /* nothing ran on it */
    }
    *graph = executable;
    return static_cast<int>(error);
}

inline void assay_graph_teardown(void *graph)
{
    if (graph)
        (void)cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph));
}

/* Launches the graph. While the stream is being captured no graph can be launched on it, and
 * `enqueue(stream)` adds the same work to the capture instead. Returns 0 or an error number. */
template <typename Enqueue>
inline int assay_graph_launch(void *graph, assay_stream stream, Enqueue enqueue)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;

    if (cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
        status == cudaStreamCaptureStatusActive)
        return enqueue(stream);
    return static_cast<int>(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph), stream));
}

#if CUDART_VERSION >= 12040 /* conditional nodes */

/* In CUDA 12, the versions of these functions that take edge data have numbered names. */
#if CUDART_VERSION < 13000
#define cudaStreamGetCaptureInfo            cudaStreamGetCaptureInfo_v3
#define cudaGraphAddNode                    cudaGraphAddNode_v2
#define cudaStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies_v2
#endif

/* Adds a while node after what `stream` has captured so far. The caller fills its *body. The body
 * runs once, and again as long as the last call of cudaGraphSetConditional(*loop, value) in it had
 * the value 1. */
inline cudaError_t assay_graph_add_loop(cudaStream_t stream, cudaGraphConditionalHandle *loop,
                                        cudaGraph_t *body)
{
    cudaStreamCaptureStatus  status;
    cudaGraph_t              graph    = nullptr;
    cudaGraphNode_t          node     = nullptr;
    const cudaGraphNode_t   *before   = nullptr;
    const cudaGraphEdgeData *edges    = nullptr;
    size_t                   n_before = 0;
    cudaGraphNodeParams      params   = {};
    cudaError_t              error =
        cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, &edges, &n_before);

    if (error == cudaSuccess)
        error = cudaGraphConditionalHandleCreate(loop, graph, 1, cudaGraphCondAssignDefault);
    params.type               = cudaGraphNodeTypeConditional;
    params.conditional.handle = *loop;
    params.conditional.type   = cudaGraphCondTypeWhile;
    params.conditional.size   = 1;
    if (error == cudaSuccess)
        error = cudaGraphAddNode(&node, graph, before, edges, n_before, &params);
    if (error != cudaSuccess)
        return error;
    *body = params.conditional.phGraph_out[0];
    return cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1,
                                               cudaStreamSetCaptureDependencies);
}

#if CUDART_VERSION < 13000
#undef cudaStreamGetCaptureInfo
#undef cudaGraphAddNode
#undef cudaStreamUpdateCaptureDependencies
#endif

#endif

#endif
