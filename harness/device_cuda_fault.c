/* The CUDA device: launches, what their errors mean, and the probe that finds hidden waits. */
#include "device_cuda.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_GRAPH_DEPTH = 8
};

/* ---- words ---- */

static _Thread_local char last_message[1024];

const char *assay_cuda_message(void) { return last_message; }

assay_status assay_cuda_say(assay_status status, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    (void)vsnprintf(last_message, sizeof last_message, format, list);
    va_end(list);
    return status;
}

assay_status assay_cuda_fail(cudaError_t error, const char *what)
{
    (void)cudaGetLastError();
    return assay_cuda_say(error == cudaErrorMemoryAllocation ? ASSAY_E_DEVICE_MEMORY
                                                             : ASSAY_E_DEVICE,
                          "%s: %s: %s", what, cudaGetErrorName(error), cudaGetErrorString(error));
}

/* ---- faults ---- */

/* Errors that say something of the kernel. */
static const struct {
    cudaError_t      error;
    assay_fault_kind kind;
} fault_kinds[] = {
    { cudaErrorInvalidValue, ASSAY_FAULT_LAUNCH },
    { cudaErrorInvalidConfiguration, ASSAY_FAULT_LAUNCH },
    { cudaErrorMissingConfiguration, ASSAY_FAULT_LAUNCH },
    { cudaErrorInvalidDeviceFunction, ASSAY_FAULT_LAUNCH },
    { cudaErrorInvalidKernelImage, ASSAY_FAULT_LAUNCH },
    { cudaErrorNoKernelImageForDevice, ASSAY_FAULT_LAUNCH },
    { cudaErrorInvalidPtx, ASSAY_FAULT_LAUNCH },
    { cudaErrorUnsupportedPtxVersion, ASSAY_FAULT_LAUNCH },
    { cudaErrorJitCompilerNotFound, ASSAY_FAULT_LAUNCH },
    { cudaErrorJitCompilationDisabled, ASSAY_FAULT_LAUNCH },
    { cudaErrorInvalidResourceHandle, ASSAY_FAULT_LAUNCH },
    { cudaErrorLaunchOutOfResources, ASSAY_FAULT_LAUNCH },
    { cudaErrorCooperativeLaunchTooLarge, ASSAY_FAULT_LAUNCH },
    { cudaErrorNotSupported, ASSAY_FAULT_LAUNCH },
    { cudaErrorInvalidClusterSize, ASSAY_FAULT_LAUNCH },
    { cudaErrorInvalidResourceConfiguration, ASSAY_FAULT_LAUNCH },
    { cudaErrorIllegalAddress, ASSAY_FAULT_ADDRESS },
    { cudaErrorMisalignedAddress, ASSAY_FAULT_ADDRESS },
    { cudaErrorInvalidAddressSpace, ASSAY_FAULT_ADDRESS },
    { cudaErrorAssert, ASSAY_FAULT_OTHER },
    { cudaErrorLaunchFailure, ASSAY_FAULT_OTHER },
    { cudaErrorLaunchTimeout, ASSAY_FAULT_OTHER },
    { cudaErrorIllegalInstruction, ASSAY_FAULT_OTHER },
    { cudaErrorHardwareStackError, ASSAY_FAULT_OTHER },
    { cudaErrorInvalidPc, ASSAY_FAULT_OTHER },
};

/* Errors that say something of the machine: no kernel is to blame. */
static const cudaError_t machine_errors[] = {
    cudaErrorInitializationError, cudaErrorCudartUnloading,    cudaErrorInsufficientDriver,
    cudaErrorDevicesUnavailable,  cudaErrorNoDevice,           cudaErrorECCUncorrectable,
    cudaErrorNvlinkUncorrectable, cudaErrorContextIsDestroyed, cudaErrorSystemNotReady,
    cudaErrorMpsConnectionFailed, cudaErrorMpsRpcFailure,      cudaErrorMpsServerNotReady,
    cudaErrorMpsClientTerminated, cudaErrorExternalDevice,
};

static bool is_machine_error(cudaError_t error)
{
    for (size_t i = 0; i < sizeof machine_errors / sizeof machine_errors[0]; i++)
        if (machine_errors[i] == error)
            return true;
    return false;
}

static void clear_fault(assay_fault *fault) { memset(fault, 0, sizeof *fault); }

assay_status assay_cuda_set_fault(cudaError_t error, assay_fault_kind unlisted, assay_fault *fault)
{
    clear_fault(fault);
    if (error == cudaSuccess)
        return ASSAY_OK;
    if (is_machine_error(error))
        return assay_cuda_fail(error, "the device failed under a kernel");
    fault->kind = unlisted;
    for (size_t i = 0; i < sizeof fault_kinds / sizeof fault_kinds[0]; i++)
        if (fault_kinds[i].error == error)
            fault->kind = fault_kinds[i].kind;
    (void)snprintf(fault->text, sizeof fault->text, "%s: %s", cudaGetErrorName(error),
                   cudaGetErrorString(error));
    return ASSAY_OK;
}

void assay_cuda_note_unusable(const assay_device *device, assay_fault *fault)
{
    const size_t used = strlen(fault->text);
    cudaError_t  now;

    /* An error that a new call meets again cannot be cleared: CUDA calls it sticky. */
    (void)cudaGetLastError();
    now = cudaStreamQuery(device->stream);
    (void)cudaGetLastError();
    if (now != cudaSuccess && now != cudaErrorNotReady)
        (void)snprintf(fault->text + used, sizeof fault->text - used,
                       "; the device is unusable for the rest of this process");
}

/* ---- launching ---- */

assay_status assay_cuda_enqueue(assay_device *device, assay_launch_fn *launch,
                                const assay_args *args, assay_fault *fault)
{
    cudaError_t  error;
    assay_status st;

    clear_fault(fault);
    if (launch == NULL)
        return assay_cuda_say(ASSAY_E_USAGE, "no launcher was given");
    (void)cudaGetLastError(); /* what came before is not this launcher's */
    error = (cudaError_t)launch(args, device->stream);
    /* A launcher that does not look at its own launch is found out here. */
    if (error == cudaSuccess)
        error = cudaGetLastError();
    if (error == cudaSuccess)
        return ASSAY_OK;
    st = assay_cuda_set_fault(error, ASSAY_FAULT_LAUNCH, fault);
    if (st == ASSAY_OK)
        assay_cuda_note_unusable(device, fault);
    return st;
}

assay_status assay_cuda_wait(assay_device *device, assay_fault *fault)
{
    const cudaError_t error = cudaStreamSynchronize(device->stream);
    assay_status      st    = assay_cuda_set_fault(error, ASSAY_FAULT_OTHER, fault);

    if (st == ASSAY_OK && error != cudaSuccess)
        assay_cuda_note_unusable(device, fault);
    return st;
}

/* ---- probe ---- */

/* Errors by which a capture refuses a call that waits or allocates. */
static bool is_refused_wait(cudaError_t error)
{
    return error == cudaErrorStreamCaptureUnsupported || error == cudaErrorStreamCaptureImplicit ||
           error == cudaErrorCapturedEvent;
}

bool assay_cuda_judge_capture(cudaError_t returned, cudaError_t left, cudaError_t ended,
                              assay_fault *fault)
{
    /* What the launcher met comes first: it names the cause, the end of the capture only that
     * there was one. */
    const cudaError_t  met   = returned != cudaSuccess ? returned : left;
    const cudaError_t  all[] = { returned, left, ended };
    const cudaError_t *wait  = NULL;

    clear_fault(fault);
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
    int  kernels, allocations;
    bool is_exact; /* false: a node whose kernels cannot be counted from outside */
} node_counts;

static assay_status count_nodes(cudaGraph_t graph, int depth, node_counts *counts);

static assay_status count_node(cudaGraphNode_t node, int depth, node_counts *counts)
{
    enum cudaGraphNodeType type;
    cudaGraph_t            child = NULL;
    assay_status           st    = ASSAY_OK;

    ASSAY_CUDA_CHECK(cudaGraphNodeGetType(node, &type));
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

/* Captures the launcher into a graph that never runs. */
static assay_status probe_by_capture(assay_device *device, assay_launch_fn *launch,
                                     const assay_args *args, int *launches, assay_fault *fault)
{
    node_counts  counts = { .is_exact = true };
    cudaGraph_t  graph  = NULL;
    cudaError_t  returned, left, ended;
    bool         is_whole;
    assay_status st = ASSAY_OK;

    /* Thread-local: a call of this thread that waits or allocates is refused; other threads are no
     * concern of the launcher. */
    ASSAY_CUDA_CHECK(cudaStreamBeginCapture(device->stream, cudaStreamCaptureModeThreadLocal));
    returned = (cudaError_t)launch(args, device->stream);
    left     = cudaGetLastError();
    ended    = cudaStreamEndCapture(device->stream, &graph);
    (void)cudaGetLastError();
    is_whole = assay_cuda_judge_capture(returned, left, ended, fault);
    if (fault->kind != ASSAY_FAULT_NONE || !is_whole)
        goto out;
    st = count_nodes(graph, 0, &counts);
    if (st != ASSAY_OK)
        goto out;
    *launches = counts.is_exact ? counts.kernels : -1;
    if (counts.allocations > 0) {
        fault->kind = ASSAY_FAULT_HIDDEN_SYNC;
        (void)snprintf(fault->text, sizeof fault->text,
                       "the launcher allocates memory on its stream (%d allocation(s) a call)",
                       counts.allocations);
    }
out:
    if (graph != NULL && cudaGraphDestroy(graph) != cudaSuccess)
        (void)cudaGetLastError(); /* a leaked graph costs a little memory and nothing else */
    return st;
}

assay_status assay_cuda_probe(assay_device *device, assay_launch_fn *launch, const assay_args *args,
                              int *launches, assay_fault *fault)
{
    assay_status st;

    *launches = -1;
    /* An ordinary launch first: it loads what is loaded lazily, which a capture would not allow. */
    st = assay_cuda_enqueue(device, launch, args, fault);
    if (st == ASSAY_OK && fault->kind == ASSAY_FAULT_NONE)
        st = assay_cuda_wait(device, fault);
    if (st == ASSAY_OK && fault->kind == ASSAY_FAULT_NONE)
        st = probe_by_capture(device, launch, args, launches, fault);
    return st;
}
