/* Errors that a launcher meets and clears without saying so: one that goes another way then is
 * right, one that takes no notice is not, and its wrong answer is to name them. The linker leads
 * every cudaGetLastError of a module here (--wrap, CMakeLists.txt). */
#include "device_cuda.h"

#include <stdio.h>

cudaError_t __real_cudaGetLastError(void);
cudaError_t __wrap_cudaGetLastError(void);

/* The first one since it was asked for. One thread launches. */
static cudaError_t cleared = cudaSuccess;

cudaError_t __wrap_cudaGetLastError(void)
{
    const cudaError_t error = __real_cudaGetLastError();

    if (cleared == cudaSuccess)
        cleared = error;
    return error;
}

void assay_cuda_forget_cleared(void)
{
    (void)__real_cudaGetLastError(); /* what came before is not this launcher's */
    cleared = cudaSuccess;
}

void assay_cuda_note_cleared(assay_fault *fault)
{
    if (cleared == cudaSuccess)
        return;
    (void)snprintf(fault->text, sizeof fault->text, "the launcher cleared the error %s (%s)",
                   cudaGetErrorName(cleared), cudaGetErrorString(cleared));
}
