/* device_retry: attempts that repeat themselves on the device until one is good. On a GPU the whole
 * step is one CUDA graph, made once when the variant is set up, with a conditional node that
 * repeats its body while the decision in it says so. On the host device kernels are done when their
 * launch returns, and a loop does the same. */
#include "step_decide.cuh"
#include "step_launch.h"

#ifdef ASSAY_HOST_KERNELS

int  step_repeat_setup(const assay_args *, step_way, step_state *, const char **) { return 0; }
void step_repeat_teardown(step_state *) {}

int step_repeat(const assay_args *args, step_way way, assay_stream stream)
{
    const step_call c     = step_call_of(args, way);
    int             error = step_enqueue_before(c, stream);

    for (int attempt = 0; !error && attempt <= THERMO_MAX_HALVINGS && !c.q.control->is_done;
         attempt++) {
        error = step_enqueue_stages(c, stream);
        if (!error)
            step_decide<step_tell_nobody><<<1, 1, 0, stream>>>(c.q, step_tell_nobody());
        error = error ? error : assay_launch_status();
    }
    return error ? error : step_enqueue_after(c, stream);
}

#elif CUDART_VERSION < 12040

int step_repeat_setup(const assay_args *, step_way, step_state *, const char **why)
{
    *why = "conditional nodes of graphs need CUDA 12.4";
    return ASSAY_NOT_HERE;
}
void step_repeat_teardown(step_state *) {}
int  step_repeat(const assay_args *, step_way, assay_stream)
{
    return static_cast<int>(cudaErrorNotSupported);
}

#else

struct repeat_on_graph {
    cudaGraphConditionalHandle handle;

    __device__ void operator()(bool again) const { cudaGraphSetConditional(handle, again ? 1 : 0); }
};

/* Captures an attempt on another stream, into the body of the loop. */
static cudaError_t fill_loop(const step_call &c, cudaStream_t stream,
                             cudaGraphConditionalHandle handle, cudaGraph_t body)
{
    const repeat_on_graph tell  = { handle };
    cudaError_t           error = cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                                                cudaStreamCaptureModeThreadLocal);
    cudaError_t           ended;

    if (error != cudaSuccess)
        return error;
    error = static_cast<cudaError_t>(step_enqueue_stages(c, stream));
    step_decide<repeat_on_graph><<<1, 1, 0, stream>>>(c.q, tell);
    error = error != cudaSuccess ? error : static_cast<cudaError_t>(assay_launch_status());
    ended = cudaStreamEndCapture(stream, &body);
    return error != cudaSuccess ? error : ended;
}

/* Adds a whole step to the graph that is being captured on `stream`. */
static int capture_step(const step_call &c, cudaStream_t stream, cudaStream_t other)
{
    cudaGraphConditionalHandle handle = 0;
    cudaGraph_t                body   = nullptr;
    int                        error  = step_enqueue_before(c, stream);

    if (!error)
        error = static_cast<int>(assay_graph_add_loop(stream, &handle, &body));
    if (!error)
        error = static_cast<int>(fill_loop(c, other, handle, body));
    return error ? error : step_enqueue_after(c, stream);
}

/* The stream that is kept is for captures of the launcher by others. */
int step_repeat_setup(const assay_args *args, step_way way, step_state *state, const char **)
{
    const step_call c     = step_call_of(args, way);
    cudaStream_t    other = nullptr;
    int error = static_cast<int>(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));

    if (error)
        return error;
    state->stream = other;
    return assay_graph_setup(&state->graph,
                             [&](assay_stream stream) { return capture_step(c, stream, other); });
}

void step_repeat_teardown(step_state *state)
{
    assay_graph_teardown(state->graph);
    if (state->stream)
        (void)cudaStreamDestroy(static_cast<cudaStream_t>(state->stream));
}

/* A graph with a conditional node cannot be a part of another graph: during a capture, the step is
 * captured once more. */
int step_repeat(const assay_args *args, step_way way, assay_stream stream)
{
    const step_state *state = static_cast<const step_state *>(args->state);

    return assay_graph_launch(state->graph, stream, [=](assay_stream captured) {
        return capture_step(step_call_of(args, way), captured,
                            static_cast<cudaStream_t>(state->stream));
    });
}

#endif
