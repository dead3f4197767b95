/* The CUDA device: captures of a launcher. The probe finds hidden waits by a capture that never
 * runs; a graph is a capture that is timed. */
#include "device_cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_GRAPH_DEPTH = 8
};

struct assay_graph {
    cudaGraphExec_t executable; /* owned */
};

/* ---- what a capture says ---- */

/* Errors by which a capture refuses a call that waits or allocates. */
static bool is_refused_wait(cudaError_t error)
{
    return error == cudaErrorStreamCaptureUnsupported || error == cudaErrorStreamCaptureImplicit ||
           error == cudaErrorCapturedEvent;
}

bool assay_cuda_judge_capture(cudaError_t returned, cudaError_t left, cudaError_t ended,
                              assay_fault *fault)
{
    /* The launcher's own error comes first, since it names the cause. The error of the end of the
     * capture only says that there was one. */
    const cudaError_t  met   = returned != cudaSuccess ? returned : left;
    const cudaError_t  all[] = { returned, left, ended };
    const cudaError_t *wait  = NULL;

    memset(fault, 0, sizeof *fault);
    for (size_t i = 0; i < sizeof all / sizeof all[0] && wait == NULL; i++)
        if (is_refused_wait(all[i]))
            wait = &all[i];
    if (wait == NULL && ended == cudaErrorStreamCaptureInvalidated &&
        met != cudaErrorNotSupported && met != cudaErrorNotPermitted)
        wait = &all[2];
    if (wait != NULL) {
        fault->kind = ASSAY_FAULT_HIDDEN_SYNC;
        (void)snprintf(fault->text, sizeof fault->text,
                       "the launcher waits or allocates: capturing it into a graph ended with %s "
                       "(%s)",
                       cudaGetErrorName(*wait), cudaGetErrorString(*wait));
    } else if (ended == cudaErrorStreamCaptureUnjoined) {
        fault->kind = ASSAY_FAULT_OTHER;
        (void)snprintf(fault->text, sizeof fault->text,
                       "the launcher leaves work on another stream that the launch stream does not "
                       "wait for (%s)",
                       cudaGetErrorName(ended));
    }
    return met == cudaSuccess && ended == cudaSuccess;
}

typedef struct node_counts {
    int  nodes, kernels, allocations;
    bool is_exact; /* false: a node whose kernels cannot be counted from outside */
} node_counts;

static assay_status count_nodes(cudaGraph_t graph, int depth, node_counts *counts);

static assay_status count_node(cudaGraphNode_t node, int depth, node_counts *counts)
{
    enum cudaGraphNodeType type;
    cudaGraph_t            child = NULL;
    assay_status           st    = ASSAY_OK;

    ASSAY_CUDA_CHECK(cudaGraphNodeGetType(node, &type));
    counts->nodes++;
    if (type == cudaGraphNodeTypeKernel)
        counts->kernels++;
    else if (type == cudaGraphNodeTypeMemAlloc)
        counts->allocations++;
    else if (type == cudaGraphNodeTypeConditional ||
             (type == cudaGraphNodeTypeGraph && depth == MAX_GRAPH_DEPTH))
        counts->is_exact = false;
    else if (type == cudaGraphNodeTypeGraph) {
        ASSAY_CUDA_CHECK(cudaGraphChildGraphNodeGetGraph(node, &child));
        st = count_nodes(child, depth + 1, counts);
    }
out:
    return st;
}

static assay_status count_nodes(cudaGraph_t graph, int depth, node_counts *counts)
{
    cudaGraphNode_t *nodes = NULL;
    size_t           n     = 0;
    assay_status     st    = ASSAY_OK;

    ASSAY_CUDA_CHECK(cudaGraphGetNodes(graph, NULL, &n));
    if (n == 0)
        goto out;
    nodes = calloc(n, sizeof *nodes);
    if (nodes == NULL) {
        st = assay_cuda_say(ASSAY_E_MEMORY, "out of host memory for the %zu nodes of a graph", n);
        goto out;
    }
    ASSAY_CUDA_CHECK(cudaGraphGetNodes(graph, nodes, &n));
    for (size_t i = 0; i < n && st == ASSAY_OK; i++)
        st = count_node(nodes[i], depth, counts);
out:
    free(nodes);
    return st;
}

/* ---- capture ---- */

/* A captured launcher. */
typedef struct capture {
    cudaGraph_t graph; /* owned */
    bool        is_whole;
    cudaError_t error;  /* the first one met, if it is not whole */
    node_counts counts; /* if it is whole */
} capture;

static void capture_free(capture *c)
{
    if (c->graph != NULL && cudaGraphDestroy(c->graph) != cudaSuccess)
        (void)cudaGetLastError(); /* a leaked graph costs a little memory and nothing else */
    c->graph = NULL;
}

static void note_allocations(int allocations, int n_calls, assay_fault *fault)
{
    if (allocations == 0)
        return;
    fault->kind = ASSAY_FAULT_HIDDEN_SYNC;
    (void)snprintf(fault->text, sizeof fault->text,
                   "the launcher allocates memory on its stream (%d allocation(s) a call)",
                   allocations / n_calls);
}

/* Counts the nodes of the graph that is being captured; -1: unknown. */
static int64_t count_captured(const assay_device *device)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaGraph_t                  graph  = NULL;
    size_t                       n      = 0;
#if CUDART_VERSION >= 13000
    cudaError_t error =
        cudaStreamGetCaptureInfo(device->stream, &status, NULL, &graph, NULL, NULL, NULL);
#else
    cudaError_t error =
        cudaStreamGetCaptureInfo_v2(device->stream, &status, NULL, &graph, NULL, NULL);
#endif

    if (error == cudaSuccess && status == cudaStreamCaptureStatusActive)
        error = cudaGraphGetNodes(graph, NULL, &n);
    else
        n = 0;
    return error == cudaSuccess && n > 0 ? (int64_t)n : -1;
}

/* What the calls of one capture add to the graph. */
typedef struct call_counts {
    int64_t nodes; /* so far */
    int     idle;  /* calls that added nothing */
} call_counts;

static void count_call(const assay_device *device, call_counts *counts)
{
    const int64_t nodes = count_captured(device);

    counts->idle += nodes <= counts->nodes;
    counts->nodes = nodes > counts->nodes ? nodes : counts->nodes;
}

/* A launcher that never launches anything is judged by its outputs. */
static void note_idle_calls(const call_counts *counts, int n_calls, assay_fault *fault)
{
    if (counts->nodes == 0 || counts->idle == 0 || fault->kind != ASSAY_FAULT_NONE)
        return;
    fault->kind = ASSAY_FAULT_IDLE;
    (void)snprintf(fault->text, sizeof fault->text,
                   "%d of %d calls of the launcher launch nothing: captured into a graph, one "
                   "behind the other",
                   counts->idle, n_calls);
}

static void note_wait(const char *call, assay_fault *fault)
{
    if (call == NULL || (fault->kind != ASSAY_FAULT_NONE && fault->kind != ASSAY_FAULT_HIDDEN_SYNC))
        return;
    fault->kind = ASSAY_FAULT_HIDDEN_SYNC;
    (void)snprintf(fault->text, sizeof fault->text, "the launcher waits: it calls %s", call);
}

/* Captures n_calls of the launcher. The caller frees with capture_free in any case. */
static assay_status capture_calls(assay_device *device, assay_launch_fn *launch,
                                  const assay_args *args, int n_calls, capture *c,
                                  assay_fault *fault)
{
    cudaError_t  returned = cudaSuccess, left = cudaSuccess, ended;
    call_counts  added = { .idle = 0 };
    const char  *wait  = NULL;
    assay_status st    = ASSAY_OK;

    *c = (capture) { .counts = { .is_exact = true } };
    (void)cudaGetLastError(); /* earlier errors are not this launcher's */
    /* Thread-local: a call of this thread that waits or allocates is refused. Other threads do not
     * belong to the launcher. */
    ASSAY_CUDA_CHECK(cudaStreamBeginCapture(device->stream, cudaStreamCaptureModeThreadLocal));
    assay_cuda_watch_waits();
    for (int i = 0; i < n_calls && returned == cudaSuccess && left == cudaSuccess; i++) {
        returned = (cudaError_t)launch(args, device->stream);
        left     = cudaGetLastError();
        count_call(device, &added);
    }
    wait  = assay_cuda_end_watch();
    ended = cudaStreamEndCapture(device->stream, &c->graph);
    (void)cudaGetLastError();
    c->is_whole = assay_cuda_judge_capture(returned, left, ended, fault);
    c->error    = returned != cudaSuccess ? returned : left != cudaSuccess ? left : ended;
    if (fault->kind != ASSAY_FAULT_NONE || !c->is_whole)
        goto out;
    st = count_nodes(c->graph, 0, &c->counts);
    if (st == ASSAY_OK)
        note_allocations(c->counts.allocations, n_calls, fault);
    note_idle_calls(&added, n_calls, fault);
out:
    note_wait(wait, fault);
    return st;
}

/* ---- probe ---- */

assay_status assay_cuda_probe(assay_device *device, assay_launch_fn *launch, const assay_args *args,
                              int *launches, assay_fault *fault)
{
    capture      c;
    assay_status st;

    *launches = -1;
    /* An ordinary launch comes first. It loads what is loaded lazily, which a capture would not
     * allow. */
    st = assay_cuda_enqueue(device, launch, args, fault);
    if (st == ASSAY_OK && fault->kind == ASSAY_FAULT_NONE)
        st = assay_cuda_wait(device, fault);
    if (st != ASSAY_OK || fault->kind != ASSAY_FAULT_NONE)
        return st;
    st = capture_calls(device, launch, args, 1, &c, fault);
    if (st == ASSAY_OK && c.is_whole && c.counts.is_exact)
        *launches = c.counts.kernels;
    capture_free(&c);
    return st;
}

/* ---- graphs ---- */

/* A capture without a whole graph becomes a fault, with the text of its error. */
static assay_status require_whole(const capture *c, assay_fault *fault)
{
    if (fault->kind != ASSAY_FAULT_NONE || c->is_whole)
        return ASSAY_OK;
    return assay_cuda_set_fault(c->error, ASSAY_FAULT_LAUNCH, fault);
}

/* Makes a graph that can be launched from the capture; at the latest this shows what is wrong with
 * a node. */
static assay_status instantiate(assay_device *device, const capture *c, assay_graph *graph,
                                assay_fault *fault)
{
    cudaError_t  error = cudaGraphInstantiateWithFlags(&graph->executable, c->graph, 0);
    assay_status st    = ASSAY_OK;

    if (error != cudaSuccess) {
        graph->executable = NULL;
        if (error == cudaErrorMemoryAllocation)
            return assay_cuda_fail(error, "cudaGraphInstantiateWithFlags");
        (void)cudaGetLastError();
        return assay_cuda_set_fault(error, ASSAY_FAULT_LAUNCH, fault);
    }
    /* The graph is sent to the device now, not in the first launch. */
    if (c->counts.nodes > 0)
        ASSAY_CUDA_CHECK(cudaGraphUpload(graph->executable, device->stream));
out:
    return st;
}

assay_status assay_cuda_graph_make(assay_device *device, assay_launch_fn *launch,
                                   const assay_args *args, int n_calls, assay_graph **graph,
                                   assay_fault *fault)
{
    capture      c    = { .graph = NULL };
    assay_graph *made = NULL;
    assay_status st;

    *graph = NULL;
    memset(fault, 0, sizeof *fault);
    if (launch == NULL || n_calls < 1)
        return assay_cuda_say(ASSAY_E_USAGE, launch == NULL ? "no launcher was given"
                                                            : "a graph has at least one call");
    made = calloc(1, sizeof *made);
    if (made == NULL)
        return assay_cuda_say(ASSAY_E_MEMORY, "out of host memory for a graph");
    st = capture_calls(device, launch, args, n_calls, &c, fault);
    if (st == ASSAY_OK)
        st = require_whole(&c, fault);
    if (st == ASSAY_OK && fault->kind == ASSAY_FAULT_NONE)
        st = instantiate(device, &c, made, fault);
    capture_free(&c);
    if (st == ASSAY_OK && fault->kind == ASSAY_FAULT_NONE) {
        *graph = made;
        made   = NULL;
    }
    assay_cuda_graph_free(device, made);
    return st;
}

assay_status assay_cuda_graph_launch(assay_device *device, assay_graph *graph)
{
    assay_status st = ASSAY_OK;

    if (graph == NULL)
        return assay_cuda_say(ASSAY_E_USAGE, "no graph was given");
    ASSAY_CUDA_CHECK(cudaGraphLaunch(graph->executable, device->stream));
out:
    return st;
}

void assay_cuda_graph_free(assay_device *device, assay_graph *graph)
{
    (void)device;
    if (graph == NULL)
        return;
    /* As for memory: after a fault every call fails, and this error can be ignored. */
    if (graph->executable != NULL && cudaGraphExecDestroy(graph->executable) != cudaSuccess)
        (void)cudaGetLastError();
    free(graph);
}
