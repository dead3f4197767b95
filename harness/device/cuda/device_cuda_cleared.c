/* Errors that a launcher meets and clears without reporting them. That is right for a launcher that
 * then tries another way, and wrong for one that ignores the error; its wrong answer then names the
 * error. The linker redirects every cudaGetLastError of a module here (--wrap, CMakeLists.txt). */
#include "device_cuda.h"

#include <stdio.h>

cudaError_t __real_cudaGetLastError(void);
cudaError_t __wrap_cudaGetLastError(void);

/* The first cleared error since forget_cleared. Only one thread launches. */
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
    (void)__real_cudaGetLastError(); /* earlier errors are not this launcher's */
    cleared = cudaSuccess;
}

void assay_cuda_note_cleared(assay_fault *fault)
{
    if (cleared == cudaSuccess)
        return;
    (void)snprintf(fault->text, sizeof fault->text, "the launcher cleared the error %s (%s)",
                   cudaGetErrorName(cleared), cudaGetErrorString(cleared));
}
