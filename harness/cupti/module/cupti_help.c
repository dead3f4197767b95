/* What all parts of the CUPTI module need: texts of its errors, the driver, the current context,
 * and the library that libcupti loads. */
#include "cupti_internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* ---- words ---- */

/* The errors that a user may see: what they mean, and what to do. */
static const struct {
    CUptiResult  error;
    assay_status status;
    const char  *hint;
} meanings[] = {
    { CUPTI_ERROR_OUT_OF_MEMORY, ASSAY_E_MEMORY, "CUPTI is out of memory" },
    { CUPTI_ERROR_NOT_COMPATIBLE, ASSAY_E_UNSUPPORTED,
      "this GPU or driver is too old for this CUPTI" },
    { CUPTI_ERROR_HARDWARE_BUSY, ASSAY_E_UNSUPPORTED, "another profiler holds the counters" },
    { CUPTI_ERROR_NOT_SUPPORTED, ASSAY_E_UNSUPPORTED, "this GPU or driver does not support it" },
    { CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, ASSAY_E_UNSUPPORTED,
      "this virtual GPU does not allow profiling" },
    { CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, ASSAY_E_UNSUPPORTED,
      "counters are reserved for the administrator: run as root, or load the driver with "
      "NVreg_RestrictProfilingToAdminUsers=0" },
    { CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, ASSAY_E_UNSUPPORTED,
      "another profiler or debugger is attached to this process: run without it" },
    { CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, ASSAY_E_UNSUPPORTED,
      "profiling is not enabled for this virtual GPU" },
    { CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, ASSAY_E_UNSUPPORTED,
      "confidential computing allows no profiling" },
    { CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, ASSAY_E_UNSUPPORTED,
      "this GPU does not support profiling" },
    { CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, ASSAY_E_UNSUPPORTED,
      "not possible on an instance of a divided GPU (MIG)" },
    { CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, ASSAY_E_UNSUPPORTED,
      "GPUs joined by SLI allow no profiling" },
    { CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, ASSAY_E_UNSUPPORTED,
      "profiling needs a newer driver under WSL" },
    { CUPTI_ERROR_INVALID_CHIP_NAME, ASSAY_E_USAGE, "this CUPTI does not know that chip" },
    { CUPTI_ERROR_UNKNOWN, ASSAY_E_DEVICE,
      "an error of the driver; nvidia-smi says whether the GPU works" },
};

static const char *hint_of(CUptiResult error, assay_status *status)
{
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        if (meanings[i].error == error) {
            *status = meanings[i].status;
            return meanings[i].hint;
        }
    }
    *status = ASSAY_E_DEVICE;
    return NULL;
}

const char *assay_cupti_explain(CUptiResult error, const char *what, char *text, size_t size)
{
    assay_status status = ASSAY_OK;
    const char  *hint   = hint_of(error, &status);
    const char  *name   = NULL;
    const int    length = (int)strcspn(what, "(");

    if (cuptiGetResultString(error, &name) != CUPTI_SUCCESS || !name)
        name = "an unknown CUPTI error";
    (void)snprintf(text, size, "%.*s: %s (%d)%s%s", length, what, name, (int)error,
                   hint ? ": " : "", hint ? hint : "");
    return text;
}

assay_status assay_cupti_fail(CUptiResult error, const char *what)
{
    assay_status status = ASSAY_OK;
    char         text[512];

    (void)hint_of(error, &status);
    return ASSAY_FAIL(status, "%s", assay_cupti_explain(error, what, text, sizeof text));
}

/* ---- the driver ---- */

static void *driver(void) { return dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); }

assay_status assay_cupti_require_driver(void)
{
    if (driver())
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_UNSUPPORTED, "no NVIDIA driver here (libcuda.so.1 is missing)");
}

/* ISO C has no cast from an object pointer to a function pointer; POSIX guarantees that the bits
 * are the same. */
static bool find_function(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);

    memcpy(function, &address, sizeof address);
    return address;
}

assay_status assay_cupti_context(CUcontext *context, CUdevice *device)
{
    assay_status st                    = ASSAY_OK;
    CUresult (*get)(CUcontext *)       = NULL;
    CUresult (*get_device)(CUdevice *) = NULL;
    CUcontext current                  = NULL;
    CUdevice  ordinal                  = 0;

    ASSAY_CHECK(assay_cupti_require_driver());
    ASSAY_REQUIRE(find_function(driver(), "cuCtxGetCurrent", &get) &&
                      find_function(driver(), "cuCtxGetDevice", &get_device),
                  ASSAY_E_UNSUPPORTED, "the NVIDIA driver here has no cuCtxGetCurrent");
    ASSAY_REQUIRE(get(&current) == CUDA_SUCCESS && current, ASSAY_E_DEVICE,
                  "no CUDA context is current in this thread: open the device first");
    ASSAY_REQUIRE(get_device(&ordinal) == CUDA_SUCCESS, ASSAY_E_DEVICE,
                  "the driver does not say which device the current context is on");
    if (context)
        *context = current;
    if (device)
        *device = ordinal;
out:
    return st;
}

/* ---- libnvperf_host.so ---- */

assay_status assay_cupti_load_perf(void)
{
    static const char name[] = "libnvperf_host.so";
    char              path[1024];
    Dl_info           info              = { 0 };
    CUptiResult (*function)(uint64_t *) = cuptiGetTimestamp;
    void *address                       = NULL;

    if (dlopen(name, RTLD_NOW | RTLD_NOLOAD))
        return ASSAY_OK;
    memcpy(&address, &function, sizeof address);
    if (!dladdr(address, &info) || !info.dli_fname)
        return ASSAY_FAIL(ASSAY_E_UNSUPPORTED, "cannot find out the path of libcupti");
    const char *slash  = strrchr(info.dli_fname, '/');
    const int   folder = slash ? (int)(slash - info.dli_fname) + 1 : 0;
    const int   length = snprintf(path, sizeof path, "%.*s%s", folder, info.dli_fname, name);

    /* It stays loaded, so that libcupti finds it by its name. */
    if (length > 0 && (size_t)length < sizeof path && dlopen(path, RTLD_NOW | RTLD_LOCAL))
        return ASSAY_OK;
    if (dlopen(name, RTLD_NOW | RTLD_LOCAL))
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_UNSUPPORTED,
                      "%s is missing beside %s: install it (it belongs to CUPTI)", name,
                      info.dli_fname);
}
