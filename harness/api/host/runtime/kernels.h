/* The runtime API's functions that take a kernel. Kernels are passed with their type, since the
 * translator removes casts to `void *`. */
#ifndef ASSAY_HOST_RUNTIME_KERNELS_H
#define ASSAY_HOST_RUNTIME_KERNELS_H

#include "host/plain_launch.h"
#include "host/runtime/device.h"

/* Each of these takes any kernel, also by its address. They cannot call each other, since the
 * translator removes casts to `void *` from their arguments. */
inline cudaError_t assay_host_set_attribute(const void *kernel, cudaFuncAttribute attribute,
                                            int value)
{
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaSuccess;
    return static_cast<cudaError_t>(assay_host_allow_shared(
        assay_host_key_of(kernel), value < 0 ? SIZE_MAX : static_cast<size_t>(value)));
}
inline cudaError_t assay_host_attributes(cudaFuncAttributes *about)
{
    *about                           = cudaFuncAttributes {};
    about->maxThreadsPerBlock        = 1024;
    about->numRegs                   = 32;
    about->ptxVersion                = 90;
    about->binaryVersion             = 90;
    about->maxDynamicSharedSizeBytes = 48 * 1024;
    return cudaSuccess;
}
template <typename... P> inline cudaError_t
cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value)
{
    return assay_host_set_attribute(reinterpret_cast<const void *>(kernel), attribute, value);
}
inline cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value)
{
    return assay_host_set_attribute(kernel, attribute, value);
}
template <typename K> inline cudaError_t cudaFuncSetCacheConfig(K *, cudaFuncCache)
{
    return cudaSuccess;
}
template <typename K> inline cudaError_t cudaFuncSetSharedMemConfig(K *, cudaSharedMemConfig)
{
    return cudaSuccess;
}
template <typename K> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *about, K *)
{
    return assay_host_attributes(about);
}

/* A small number, but enough that blocks interact. For a kernel or its address. */
template <typename K>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, K *, int, size_t)
{
    return *blocks = 2, cudaSuccess;
}
template <typename K> inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, K *, int, size_t, unsigned)
{
    return *blocks = 2, cudaSuccess;
}
template <typename K> inline cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, K *, size_t = 0, int limit = 0)
{
    *grid  = 4;
    *block = limit > 0 && limit < 256 ? limit : 256;
    return cudaSuccess;
}

/* ---- launches by a function */

template <typename... P>
inline cudaError_t assay_host_launch_by(void (*kernel)(P...), const assay_launch_request &request,
                                        void *const *arguments)
{
    assay_host_set_configuration(&request);
    assay_host_call_with(kernel, arguments, std::index_sequence_for<P...>());
    return static_cast<cudaError_t>(assay_host_last_error(false));
}
template <typename... P>
inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                                    size_t bytes = 0, cudaStream_t stream = nullptr,
                                    ASSAY_HOST_SITE)
{
    return assay_host_launch_by(
        kernel, assay_host_request(nullptr, file, line, grid, block, bytes, stream), arguments);
}
template <typename... P>
inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                               void **arguments, size_t bytes = 0,
                                               cudaStream_t stream = nullptr, ASSAY_HOST_SITE)
{
    assay_launch_request request =
        assay_host_request(nullptr, file, line, grid, block, bytes, stream);

    request.is_co_resident = true;
    return assay_host_launch_by(kernel, request, arguments);
}

/* On the host device one launch ends before the next begins, so a dependent launch has nothing to
 * wait for. Clusters of more than one block are refused, as on a GPU without clusters. */
template <typename... P, typename... A> inline cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t *c, void (*kernel)(P...), A &&...arguments)
{
    assay_launch_request request = assay_host_request(nullptr, "cudaLaunchKernelEx", 0, c->gridDim,
                                                      c->blockDim, c->dynamicSmemBytes, c->stream);

    for (unsigned i = 0; i < c->numAttrs; i++) {
        const cudaLaunchAttribute &a = c->attrs[i];

        request.is_co_resident |= a.id == cudaLaunchAttributeCooperative && a.val.cooperative != 0;
        if (a.id == cudaLaunchAttributeClusterDimension &&
            a.val.clusterDim.x * a.val.clusterDim.y * a.val.clusterDim.z > 1)
            return cudaErrorNotSupported;
    }
    assay_host_set_configuration(&request);
    kernel(static_cast<P>(arguments)...);
    return static_cast<cudaError_t>(assay_host_last_error(false));
}
inline void cudaGridDependencySynchronize(void) {}
inline void cudaTriggerProgrammaticLaunchCompletion(void) {}

#endif
