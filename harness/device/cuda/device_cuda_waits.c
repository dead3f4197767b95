/* Calls of a launcher that wait for the device while it is being captured. They are noted by name
 * and not executed: a capture would refuse them, and many programs end then. Afterwards the capture
 * is thrown away, or the launcher is reported to wait. The linker redirects such calls of a module
 * here (--wrap, CMakeLists.txt). */
#include "device_cuda.h"

/* Only one thread launches. */
static bool        is_watched;
static const char *first_wait;

static bool note(const char *call)
{
    if (is_watched && first_wait == NULL)
        first_wait = call;
    return is_watched;
}

void assay_cuda_watch_waits(void)
{
    is_watched = true;
    first_wait = NULL;
}

const char *assay_cuda_end_watch(void)
{
    is_watched = false;
    return first_wait;
}

#define ASSAY_WAITS(call, parameters, arguments)                                                   \
    cudaError_t __real_##call parameters;                                                          \
    cudaError_t __wrap_##call parameters;                                                          \
    cudaError_t __wrap_##call parameters                                                           \
    {                                                                                              \
        return note(#call) ? cudaSuccess : __real_##call arguments;                                \
    }

ASSAY_WAITS(cudaDeviceSynchronize, (void), ())
ASSAY_WAITS(cudaEventSynchronize, (cudaEvent_t event), (event))
ASSAY_WAITS(cudaStreamSynchronize, (cudaStream_t stream), (stream))
/* The same for code that is compiled with a default stream for each thread. */
ASSAY_WAITS(cudaStreamSynchronize_ptsz, (cudaStream_t stream), (stream))
