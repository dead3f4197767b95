/* The CUDA device: which devices there are, why there is none, and the facts of one. */
#include "device_cuda.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- why there is none ---- */

/* What to do about the errors that have a known remedy. */
static const struct hint {
    cudaError_t error;
    const char *text;
} hints[] = {
    { cudaErrorSystemDriverMismatch,
      "; the kernel module and libcuda are of different versions: restart the machine" },
    { cudaErrorSystemNotReady,
      "; on machines with NVSwitch the fabric manager service must be running" },
    { cudaErrorCompatNotSupportedOnDevice,
      "; the CUDA forward compatibility package does not support this GPU" },
    { cudaErrorStubLibrary, "; the stub of libcuda was loaded: take it off LD_LIBRARY_PATH" },
    { cudaErrorOperatingSystem, "; check that /dev/nvidia* exist and may be opened" },
    { cudaErrorUnknown, "; check that the kernel modules nvidia and nvidia_uvm are loaded" },
};

static const char *hint_for(cudaError_t error)
{
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (hints[i].error == error)
            return hints[i].text;
    return "";
}

void assay_cuda_explain(cudaError_t error, int driver_version, int runtime_version,
                        const char *visible, char *why, size_t size)
{
    if (why == NULL || size == 0)
        return;
    /* CUDA has one error for a driver that is missing and for one that is too old. */
    if (error == cudaErrorInsufficientDriver && driver_version == 0)
        (void)snprintf(why, size,
                       "no NVIDIA driver on this machine (libcuda.so.1 does not load): install the "
                       "driver, or check the kernels on the CPU with --device host");
    else if (error == cudaErrorInsufficientDriver)
        (void)snprintf(why, size,
                       "the NVIDIA driver is too old: it supports CUDA %d.%d, and these kernels "
                       "were built with CUDA %d.%d: install a newer driver",
                       driver_version / 1000, driver_version % 1000 / 10, runtime_version / 1000,
                       runtime_version % 1000 / 10);
    else if ((error == cudaErrorNoDevice || error == cudaSuccess) && visible != NULL)
        (void)snprintf(why, size,
                       "CUDA_VISIBLE_DEVICES=\"%s\" leaves no GPU visible: unset it, or name a GPU "
                       "that nvidia-smi -L lists",
                       visible);
    else if (error == cudaErrorNoDevice || error == cudaSuccess)
        (void)snprintf(why, size,
                       "the NVIDIA driver is installed but finds no GPU: see what nvidia-smi says; "
                       "in a container, pass the GPU in");
    else
        (void)snprintf(why, size, "CUDA does not start: %s: %s%s", cudaGetErrorName(error),
                       cudaGetErrorString(error), hint_for(error));
}

int assay_cuda_count(char *why, size_t size)
{
    int               n = 0, driver_version = 0, runtime_version = 0;
    const cudaError_t error = cudaGetDeviceCount(&n);

    (void)cudaGetLastError();
    if (why != NULL && size > 0)
        why[0] = '\0';
    if (error == cudaSuccess && n > 0)
        return n;
    /* The versions only make the sentence more precise; 0: unknown. */
    if (cudaDriverGetVersion(&driver_version) != cudaSuccess)
        driver_version = 0;
    if (cudaRuntimeGetVersion(&runtime_version) != cudaSuccess)
        runtime_version = 0;
    (void)cudaGetLastError();
    assay_cuda_explain(error, driver_version, runtime_version, getenv("CUDA_VISIBLE_DEVICES"), why,
                       size);
    return 0;
}

/* ---- facts ---- */

void assay_cuda_parse_driver(const char *text, char *version, size_t size)
{
    /* The version is the first word of digits and dots; other words of the line ("x86_64") begin
     * with a letter, and a plain number has no dot. */
    const char *const separators = " \t\n";

    version[0] = '\0';
    for (const char *word = text + strspn(text, separators); *word != '\0';) {
        const size_t length = strcspn(word, separators);
        const size_t digits = strspn(word, "0123456789.");

        if (digits == length && isdigit((unsigned char)word[0]) &&
            memchr(word, '.', length) != NULL && length < size) {
            memcpy(version, word, length);
            version[length] = '\0';
            return;
        }
        word += length;
        word += strspn(word, separators);
    }
}

/* The driver's own version: the runtime knows only the CUDA version it supports. */
static void read_driver_version(char *version, size_t size)
{
    char  text[512] = "";
    FILE *file      = fopen("/proc/driver/nvidia/version", "re");

    version[0] = '\0';
    if (file == NULL)
        return;
    if (fgets(text, sizeof text, file) != NULL)
        assay_cuda_parse_driver(text, version, size);
    (void)fclose(file); /* it was only read */
}

static void format_uuid(const cudaUUID_t *uuid, char *text, size_t size)
{
    static const size_t dash_before[] = { 4, 6, 8, 10 };
    size_t              used          = (size_t)snprintf(text, size, "GPU-");

    for (size_t i = 0; i < sizeof uuid->bytes && used < size; i++) {
        bool has_dash = false;

        for (size_t k = 0; k < sizeof dash_before / sizeof dash_before[0]; k++)
            has_dash = has_dash || dash_before[k] == i;
        used += (size_t)snprintf(text + used, size - used, "%s%02x", has_dash ? "-" : "",
                                 (unsigned)(unsigned char)uuid->bytes[i]);
    }
}

/* Facts that are device attributes; cudaDeviceProp no longer has all of them. */
static assay_status read_attributes(int index, assay_device_info *info)
{
    int l2_bytes = 0, major = 0, minor = 0;
    const struct {
        enum cudaDeviceAttr attribute;
        int                *to;
    } wanted[] = {
        { cudaDevAttrComputeCapabilityMajor, &major },
        { cudaDevAttrComputeCapabilityMinor, &minor },
        { cudaDevAttrMultiProcessorCount, &info->sm_count },
        { cudaDevAttrClockRate, &info->sm_clock_khz },
        { cudaDevAttrMemoryClockRate, &info->memory_clock_khz },
        { cudaDevAttrGlobalMemoryBusWidth, &info->memory_bus_bits },
        { cudaDevAttrEccEnabled, &info->ecc },
        { cudaDevAttrL2CacheSize, &l2_bytes },
    };
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        ASSAY_CUDA_CHECK(cudaDeviceGetAttribute(wanted[i].to, wanted[i].attribute, index));
    info->compute_capability = 10 * major + minor;
    info->l2_bytes           = l2_bytes;
out:
    return st;
}

/* With CUDA_LAUNCH_BLOCKING every launch waits. The launch of the gate would then wait for a later
 * call to open it. */
static bool launches_are_blocking(void)
{
    const char *value = getenv("CUDA_LAUNCH_BLOCKING");

    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

assay_status assay_cuda_describe(int index, assay_device_info *info)
{
    struct cudaDeviceProp properties;
    size_t                free_bytes = 0, total_bytes = 0;
    assay_status          st = ASSAY_OK;

    memset(info, 0, sizeof *info);
    (void)snprintf(info->kind, sizeof info->kind, "cuda");
    ASSAY_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
    (void)snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1,
                   properties.name);
    format_uuid(&properties.uuid, info->uuid, sizeof info->uuid);
    ASSAY_CUDA_CHECK(cudaDeviceGetPCIBusId(info->pci_bus_id, (int)sizeof info->pci_bus_id, index));
    read_driver_version(info->driver, sizeof info->driver);
    ASSAY_CUDA_CHECK(cudaRuntimeGetVersion(&info->runtime_version));
    ASSAY_CUDA_CHECK(cudaDriverGetVersion(&info->driver_cuda_version));
    st = read_attributes(index, info);
    if (st != ASSAY_OK)
        goto out;
    ASSAY_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    info->memory_bytes      = (int64_t)total_bytes;
    info->memory_free_bytes = (int64_t)free_bytes;
    info->can_time          = info->l2_bytes > 0 && !launches_are_blocking();
out:
    return st;
}
