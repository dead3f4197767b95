/* What counting needs of the NVIDIA driver, which is loaded at run time and never linked. */
#include "cupti_counters_internal.h"

#include <dlfcn.h>
#include <string.h>

static assay_status find(const char *name, void *function)
{
    assay_status st      = ASSAY_OK;
    void        *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void        *address = library ? dlsym(library, name) : NULL;

    ASSAY_REQUIRE(library, ASSAY_E_UNSUPPORTED, "there is no NVIDIA driver here (libcuda.so.1)");
    ASSAY_REQUIRE(address, ASSAY_E_UNSUPPORTED, "the NVIDIA driver here has no %s", name);
    memcpy(function, &address, sizeof address);
out: /* the library stays loaded */
    return st;
}

assay_status assay_cupti_driver_find(int device_index)
{
    assay_status st             = ASSAY_OK;
    CUresult (*start)(unsigned) = NULL;
    CUresult (*count)(int *)    = NULL;
    CUresult result             = CUDA_SUCCESS;
    int      n                  = 0;

    ASSAY_CHECK(find("cuInit", &start));
    ASSAY_CHECK(find("cuDeviceGetCount", &count));
    result = start(0);
    if (result == CUDA_SUCCESS)
        result = count(&n);
    ASSAY_REQUIRE(result == CUDA_SUCCESS, ASSAY_E_UNSUPPORTED,
                  "the NVIDIA driver does not start (CUDA error %d)", (int)result);
    ASSAY_REQUIRE(device_index >= 0 && device_index < n, ASSAY_E_USAGE,
                  "there is no GPU %d here: there are %d", device_index, n);
out:
    return st;
}

assay_status assay_cupti_driver_wait(const char *what)
{
    assay_status st        = ASSAY_OK;
    CUresult (*wait)(void) = NULL;
    CUresult result        = CUDA_SUCCESS;

    ASSAY_CHECK(find("cuCtxSynchronize", &wait));
    result = wait();
    ASSAY_REQUIRE(result == CUDA_SUCCESS, ASSAY_E_DEVICE,
                  "%s failed while it was counted (CUDA error %d)", what, (int)result);
out:
    return st;
}
