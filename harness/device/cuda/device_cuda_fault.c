/* The CUDA device: launches, and what their errors mean. */
#include "device_cuda.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* Errors caused by the kernel. */
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

/* Errors caused by the machine: no kernel is to blame. */
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

    /* An error that a new call meets again cannot be cleared; CUDA calls it sticky. */
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
    assay_cuda_forget_cleared();
    error = (cudaError_t)launch(args, device->stream);
    /* This finds the error if a launcher does not check its own launch. */
    if (error == cudaSuccess)
        error = cudaGetLastError();
    if (error == cudaSuccess) {
        assay_cuda_note_cleared(fault);
        return ASSAY_OK;
    }
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
