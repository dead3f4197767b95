/* Attributes and limits that launchers set through the runtime. They are noted, so that they can be
 * undone before the next variant. The linker redirects every such call of a module's kernels here
 * (--wrap, CMakeLists.txt). */
#include "device_cuda.h"

#include <stddef.h>

enum {
    MAX_SETTINGS = 128
};

typedef enum setting_kind {
    OF_FUNCTION,
    OF_DEVICE,
    OF_STREAM
} setting_kind;

/* The value before the first change. */
typedef struct setting {
    setting_kind        kind;
    const void         *function;
    cudaStream_t        stream;
    int                 which; /* attribute or limit */
    int                 value;
    size_t              limit;
    cudaStreamAttrValue window;
} setting;

/* Only one thread launches. */
static setting settings[MAX_SETTINGS];
static int     n_kept;
static int64_t n_set;
static bool    is_beyond_undoing;

/* Where cudaFuncGetAttributes returns what cudaFuncSetAttribute has set. */
static const struct {
    enum cudaFuncAttribute attribute;
    size_t                 offset;
} readable[] = {
    { cudaFuncAttributeMaxDynamicSharedMemorySize,
      offsetof(struct cudaFuncAttributes, maxDynamicSharedSizeBytes) },
    { cudaFuncAttributePreferredSharedMemoryCarveout,
      offsetof(struct cudaFuncAttributes, preferredShmemCarveout) },
    { cudaFuncAttributeNonPortableClusterSizeAllowed,
      offsetof(struct cudaFuncAttributes, nonPortableClusterSizeAllowed) },
    { cudaFuncAttributeClusterSchedulingPolicyPreference,
      offsetof(struct cudaFuncAttributes, clusterSchedulingPolicyPreference) },
};

static bool read_function(const void *function, int which, int *value)
{
    struct cudaFuncAttributes now;

    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++)
        if ((int)readable[i].attribute == which &&
            cudaFuncGetAttributes(&now, function) == cudaSuccess) {
            *value = *(const int *)((const char *)&now + readable[i].offset);
            return true;
        }
    return false;
}

static bool is_kept(const setting *s)
{
    for (int i = 0; i < n_kept; i++)
        if (settings[i].kind == s->kind && settings[i].function == s->function &&
            settings[i].stream == s->stream && settings[i].which == s->which)
            return true;
    return false;
}

/* Keeps the value that a change replaces, unless it is known already. */
static void keep(const setting *s, bool is_known)
{
    n_set++;
    if (is_kept(s))
        return;
    if (!is_known || n_kept == MAX_SETTINGS)
        is_beyond_undoing = true;
    else
        settings[n_kept++] = *s;
}

/* ---- what the linker puts in place of the runtime's functions ---- */

cudaError_t __real_cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                        int value);
cudaError_t __wrap_cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                        int value);
cudaError_t __real_cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
cudaError_t __wrap_cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
cudaError_t __real_cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t __wrap_cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t __real_cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                          const cudaStreamAttrValue *value);
cudaError_t __wrap_cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                          const cudaStreamAttrValue *value);

cudaError_t __wrap_cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                        int value)
{
    setting    before = { .kind = OF_FUNCTION, .function = function, .which = (int)attribute };
    const bool is_known =
        is_kept(&before) || read_function(function, (int)attribute, &before.value);

    keep(&before, is_known);
    return __real_cudaFuncSetAttribute(function, attribute, value);
}

/* CUDA has no call that returns the value before. */
cudaError_t __wrap_cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    n_set++;
    is_beyond_undoing = true;
    return __real_cudaFuncSetCacheConfig(function, config);
}

cudaError_t __wrap_cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    setting    before   = { .kind = OF_DEVICE, .which = (int)limit };
    const bool is_known = cudaDeviceGetLimit(&before.limit, limit) == cudaSuccess;

    keep(&before, is_known);
    return __real_cudaDeviceSetLimit(limit, value);
}

cudaError_t __wrap_cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                          const cudaStreamAttrValue *value)
{
    setting    before   = { .kind = OF_STREAM, .stream = stream, .which = (int)attribute };
    const bool is_known = cudaStreamGetAttribute(stream, attribute, &before.window) == cudaSuccess;

    keep(&before, is_known);
    return __real_cudaStreamSetAttribute(stream, attribute, value);
}

/* ---- undoing ---- */

static cudaError_t undo(const setting *s)
{
    switch (s->kind) {
    case OF_FUNCTION:
        return __real_cudaFuncSetAttribute(s->function, (enum cudaFuncAttribute)s->which, s->value);
    case OF_DEVICE:
        return __real_cudaDeviceSetLimit((enum cudaLimit)s->which, s->limit);
    case OF_STREAM:
        return __real_cudaStreamSetAttribute(s->stream, (cudaStreamAttrID)s->which, &s->window);
    }
    return cudaErrorInvalidValue;
}

int64_t assay_cuda_n_settings(void) { return n_set; }

bool assay_cuda_undo_settings(assay_device *device)
{
    bool is_undone = !is_beyond_undoing;

    (void)device;
    for (int i = 0; i < n_kept; i++)
        if (undo(&settings[i]) != cudaSuccess)
            is_undone = false;
    if (!is_undone)
        (void)cudaGetLastError(); /* the process ends, and nobody must find this error */
    n_kept = 0;
    return is_undone;
}
