/* Types and numbers of CUDA's runtime API, by its documentation; numbers are CUDA's. */
#ifndef ASSAY_HOST_RUNTIME_TYPES_H
#define ASSAY_HOST_RUNTIME_TYPES_H

#include "host/vector_types.h"

#include <stddef.h>

/* X(name, number) */
#define ASSAY_HOST_ERRORS(X)                                                                       \
    X(cudaSuccess, 0)                                                                              \
    X(cudaErrorInvalidValue, 1)                                                                    \
    X(cudaErrorMemoryAllocation, 2)                                                                \
    X(cudaErrorInitializationError, 3)                                                             \
    X(cudaErrorCudartUnloading, 4)                                                                 \
    X(cudaErrorInvalidConfiguration, 9)                                                            \
    X(cudaErrorInvalidPitchValue, 12)                                                              \
    X(cudaErrorInvalidSymbol, 13)                                                                  \
    X(cudaErrorInvalidDevicePointer, 17)                                                           \
    X(cudaErrorInvalidMemcpyDirection, 21)                                                         \
    X(cudaErrorInsufficientDriver, 35)                                                             \
    X(cudaErrorDevicesUnavailable, 46)                                                             \
    X(cudaErrorInvalidDeviceFunction, 98)                                                          \
    X(cudaErrorNoDevice, 100)                                                                      \
    X(cudaErrorInvalidDevice, 101)                                                                 \
    X(cudaErrorPeerAccessAlreadyEnabled, 704)                                                      \
    X(cudaErrorPeerAccessNotEnabled, 705)                                                          \
    X(cudaErrorInvalidResourceHandle, 400)                                                         \
    X(cudaErrorNotReady, 600)                                                                      \
    X(cudaErrorIllegalAddress, 700)                                                                \
    X(cudaErrorLaunchOutOfResources, 701)                                                          \
    X(cudaErrorLaunchTimeout, 702)                                                                 \
    X(cudaErrorAssert, 710)                                                                        \
    X(cudaErrorHostMemoryAlreadyRegistered, 712)                                                   \
    X(cudaErrorMisalignedAddress, 716)                                                             \
    X(cudaErrorLaunchFailure, 719)                                                                 \
    X(cudaErrorCooperativeLaunchTooLarge, 720)                                                     \
    X(cudaErrorNotSupported, 801)                                                                  \
    X(cudaErrorStreamCaptureUnsupported, 900)                                                      \
    X(cudaErrorUnknown, 999)

enum cudaError {
#define X(name, number) name = number,
    ASSAY_HOST_ERRORS(X)
#undef X
};
typedef enum cudaError cudaError_t;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st  *cudaEvent_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
typedef void (*cudaHostFn_t)(void *);
#define cudaStreamLegacy               (reinterpret_cast<cudaStream_t>(0x1))
#define cudaStreamPerThread            (reinterpret_cast<cudaStream_t>(0x2))
#define cudaStreamDefault              0x00u
#define cudaStreamNonBlocking          0x01u
#define cudaEventDefault               0x00u
#define cudaEventBlockingSync          0x01u
#define cudaEventDisableTiming         0x02u
#define cudaEventInterprocess          0x04u
#define cudaHostAllocDefault           0x00u
#define cudaHostAllocPortable          0x01u
#define cudaHostAllocMapped            0x02u
#define cudaHostAllocWriteCombined     0x04u
#define cudaHostRegisterDefault        0x00u
#define cudaHostRegisterPortable       0x01u
#define cudaHostRegisterMapped         0x02u
#define cudaMemAttachGlobal            0x01u
#define cudaMemAttachHost              0x02u
#define cudaMemAttachSingle            0x04u
#define cudaDeviceScheduleAuto         0x00u
#define cudaDeviceScheduleSpin         0x01u
#define cudaDeviceScheduleYield        0x02u
#define cudaDeviceScheduleBlockingSync 0x04u
#define cudaDeviceBlockingSync         0x04u
#define cudaDeviceMapHost              0x08u
#define cudaOccupancyDefault           0x00u
#define cudaCpuDeviceId                (-1)

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault,
};

enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual,
};

enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte,
};

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize    = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
};

enum cudaSharedCarveout {
    cudaSharedmemCarveoutDefault   = -1,
    cudaSharedmemCarveoutMaxL1     = 0,
    cudaSharedmemCarveoutMaxShared = 100,
};

enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount,
    cudaLimitMaxL2FetchGranularity,
    cudaLimitPersistingL2CacheSize,
};

enum cudaComputeMode {
    cudaComputeModeDefault,
    cudaComputeModeExclusive,
    cudaComputeModeProhibited,
    cudaComputeModeExclusiveProcess,
};

/* X(name, number, value): attributes of the host device. Values that only help host code to choose
 * a launch are those of a small GPU of compute capability 9.0. */
#define ASSAY_HOST_ATTRIBUTES(X)                                                                   \
    X(cudaDevAttrMaxThreadsPerBlock, 1, 1024)                                                      \
    X(cudaDevAttrMaxBlockDimX, 2, 1024)                                                            \
    X(cudaDevAttrMaxBlockDimY, 3, 1024)                                                            \
    X(cudaDevAttrMaxBlockDimZ, 4, 64)                                                              \
    X(cudaDevAttrMaxGridDimX, 5, 0x7fffffff)                                                       \
    X(cudaDevAttrMaxGridDimY, 6, 65535)                                                            \
    X(cudaDevAttrMaxGridDimZ, 7, 65535)                                                            \
    X(cudaDevAttrMaxSharedMemoryPerBlock, 8, 48 * 1024)                                            \
    X(cudaDevAttrTotalConstantMemory, 9, 65536)                                                    \
    X(cudaDevAttrWarpSize, 10, 32)                                                                 \
    X(cudaDevAttrMaxPitch, 11, 0x7fffffff)                                                         \
    X(cudaDevAttrMaxRegistersPerBlock, 12, 65536)                                                  \
    X(cudaDevAttrClockRate, 13, 1000000)                                                           \
    X(cudaDevAttrTextureAlignment, 14, 512)                                                        \
    X(cudaDevAttrGpuOverlap, 15, 1)                                                                \
    X(cudaDevAttrMultiProcessorCount, 16, 2)                                                       \
    X(cudaDevAttrKernelExecTimeout, 17, 0)                                                         \
    X(cudaDevAttrIntegrated, 18, 1)                                                                \
    X(cudaDevAttrCanMapHostMemory, 19, 1)                                                          \
    X(cudaDevAttrComputeMode, 20, cudaComputeModeDefault)                                          \
    X(cudaDevAttrConcurrentKernels, 31, 1)                                                         \
    X(cudaDevAttrEccEnabled, 32, 0)                                                                \
    X(cudaDevAttrMemoryClockRate, 36, 1000000)                                                     \
    X(cudaDevAttrGlobalMemoryBusWidth, 37, 1024)                                                   \
    X(cudaDevAttrL2CacheSize, 38, 32 << 20)                                                        \
    X(cudaDevAttrMaxThreadsPerMultiProcessor, 39, 2048)                                            \
    X(cudaDevAttrAsyncEngineCount, 40, 1)                                                          \
    X(cudaDevAttrUnifiedAddressing, 41, 1)                                                         \
    X(cudaDevAttrComputeCapabilityMajor, 75, 9)                                                    \
    X(cudaDevAttrComputeCapabilityMinor, 76, 0)                                                    \
    X(cudaDevAttrStreamPrioritiesSupported, 78, 0)                                                 \
    X(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, 228 * 1024)                                 \
    X(cudaDevAttrMaxRegistersPerMultiprocessor, 82, 65536)                                         \
    X(cudaDevAttrManagedMemory, 83, 1)                                                             \
    X(cudaDevAttrPageableMemoryAccess, 88, 0)                                                      \
    X(cudaDevAttrConcurrentManagedAccess, 89, 0)                                                   \
    X(cudaDevAttrCooperativeLaunch, 95, 1)                                                         \
    X(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, 227 * 1024)                                     \
    X(cudaDevAttrHostRegisterSupported, 99, 1)                                                     \
    X(cudaDevAttrMaxBlocksPerMultiprocessor, 106, 32)                                              \
    X(cudaDevAttrReservedSharedMemoryPerBlock, 111, 1024)                                          \
    X(cudaDevAttrMemoryPoolsSupported, 115, 0)                                                     \
    X(cudaDevAttrClusterLaunch, 120, 0)

enum cudaDeviceAttr {
#define X(name, number, value) name = number,
    ASSAY_HOST_ATTRIBUTES(X)
#undef X
};

struct cudaDeviceProp {
    char   name[256];
    size_t totalGlobalMem, totalConstMem, sharedMemPerBlock, sharedMemPerBlockOptin,
        sharedMemPerMultiprocessor, reservedSharedMemPerBlock;
    int major, minor, multiProcessorCount, warpSize, maxThreadsPerBlock,
        maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor, regsPerBlock,
        regsPerMultiprocessor, l2CacheSize, persistingL2CacheMaxSize, memoryBusWidth,
        cooperativeLaunch, concurrentKernels, managedMemory, concurrentManagedAccess,
        unifiedAddressing, canMapHostMemory, integrated, ECCEnabled, asyncEngineCount,
        streamPrioritiesSupported, pageableMemoryAccess, hostNativeAtomicSupported,
        computePreemptionSupported, isMultiGpuBoard, multiGpuBoardGroupID, tccDriver, pciBusID,
        pciDeviceID, pciDomainID, globalL1CacheSupported, localL1CacheSupported,
        accessPolicyMaxWindowSize, directManagedMemAccessFromHost, hostRegisterSupported,
        maxThreadsDim[3], maxGridSize[3];
    size_t memPitch, textureAlignment;
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int    maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, maxDynamicSharedSizeBytes;
};

enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged,
};
struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int                 device;
    void               *devicePointer, *hostPointer;
};

/* The preferred location of managed memory. There is only one. */
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid = 0,
    cudaMemLocationTypeNone    = 0,
    cudaMemLocationTypeDevice,
    cudaMemLocationTypeHost,
    cudaMemLocationTypeHostNuma,
    cudaMemLocationTypeHostNumaCurrent,
};
struct cudaMemLocation {
    enum cudaMemLocationType type;
    int                      id;
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy,
};

/* The memory that a stream asks to keep in the L2 cache: accepted, without effect. */
enum cudaAccessProperty {
    cudaAccessPropertyNormal,
    cudaAccessPropertyStreaming,
    cudaAccessPropertyPersisting,
};
struct cudaAccessPolicyWindow {
    void                   *base_ptr;
    size_t                  num_bytes;
    float                   hitRatio;
    enum cudaAccessProperty hitProp, missProp;
};

/* ---- launches with attributes */

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore                            = 0,
    cudaLaunchAttributeAccessPolicyWindow                = 1,
    cudaLaunchAttributeCooperative                       = 2,
    cudaLaunchAttributeSynchronizationPolicy             = 3,
    cudaLaunchAttributeClusterDimension                  = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization   = 6,
    cudaLaunchAttributePriority                          = 8,
};
union cudaLaunchAttributeValue {
    int                           cooperative, programmaticStreamSerializationAllowed, priority;
    struct cudaAccessPolicyWindow accessPolicyWindow;
    struct {
        unsigned x, y, z;
    } clusterDim;
};
#define cudaStreamAttrID                      cudaLaunchAttributeID
#define cudaStreamAttrValue                   cudaLaunchAttributeValue
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributePriority           cudaLaunchAttributePriority
struct cudaLaunchAttribute {
    enum cudaLaunchAttributeID     id;
    union cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3                        gridDim, blockDim;
    size_t                      dynamicSmemBytes;
    cudaStream_t                stream;
    struct cudaLaunchAttribute *attrs;
    unsigned                    numAttrs;
};

#endif
