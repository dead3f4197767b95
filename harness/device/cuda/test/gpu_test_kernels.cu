/* Launchers for the test of the CUDA device. Most of them do one thing wrong each; a few are
 * right. */
#include "kernel_groups.h"

/* The failing assert is part of the test, so it stays in builds that remove other asserts. */
#undef NDEBUG
#include <assert.h>

static __global__ void nothing(void) {}

static __global__ void store_far_away(char *p, int64_t distance) { p[distance] = 1; }

static __global__ void store_misaligned(char *p) { *reinterpret_cast<int *>(p + 1) = 1; }

static __global__ void trap(void) { __trap(); }

static __global__ void fail_assert(int zero) { assert(zero != 0); }

static __global__ void wait_for_all_blocks(void) { cooperative_groups::this_grid().sync(); }

static __global__ void add_one(unsigned char *p) { *p = static_cast<unsigned char>(*p + 1); }

ASSAY_LAUNCHER(test_nothing)
{
    (void)args;
    nothing<<<1, 1, 0, stream>>>();
    return assay_launch_status();
}

ASSAY_LAUNCHER(test_add_one)
{
    add_one<<<1, 1, 0, stream>>>(static_cast<unsigned char *>(args->buf[0]));
    return assay_launch_status();
}

/* Two kernels with a memset between them. */
ASSAY_LAUNCHER(test_two_kernels)
{
    int error;

    nothing<<<1, 1, 0, stream>>>();
    error = assay_memset_zero(args->buf[0], 256, stream);
    nothing<<<1, 1, 0, stream>>>();
    return error != 0 ? error : assay_launch_status();
}

ASSAY_LAUNCHER(test_no_kernel)
{
    (void)args, (void)stream;
    return 0;
}

ASSAY_LAUNCHER(test_cooperative)
{
    (void)args;
    cudaLaunchConfig_t  config    = {};
    cudaLaunchAttribute attribute = {};

    attribute.id              = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.gridDim            = 4;
    config.blockDim           = 32;
    config.stream             = stream;
    config.attrs              = &attribute;
    config.numAttrs           = 1;
    (void)cudaLaunchKernelEx(&config, wait_for_all_blocks);
    return assay_launch_status();
}

ASSAY_LAUNCHER(test_too_many_threads)
{
    (void)args;
    nothing<<<1, 4096, 0, stream>>>();
    return assay_launch_status();
}

/* As above, but without checking the launch. */
ASSAY_LAUNCHER(test_forgotten_error)
{
    (void)args;
    nothing<<<1, 4096, 0, stream>>>();
    return 0;
}

/* Reads the error and does not return it. */
ASSAY_LAUNCHER(test_swallowed_error)
{
    (void)args;
    nothing<<<1, 4096, 0, stream>>>();
    (void)cudaGetLastError();
    return 0;
}

ASSAY_LAUNCHER(test_far_store)
{
    store_far_away<<<1, 1, 0, stream>>>(static_cast<char *>(args->buf[0]), int64_t(1) << 44);
    return assay_launch_status();
}

ASSAY_LAUNCHER(test_misaligned_store)
{
    store_misaligned<<<1, 1, 0, stream>>>(static_cast<char *>(args->buf[0]));
    return assay_launch_status();
}

ASSAY_LAUNCHER(test_trap)
{
    (void)args;
    trap<<<1, 1, 0, stream>>>();
    return assay_launch_status();
}

ASSAY_LAUNCHER(test_assert)
{
    (void)args;
    fail_assert<<<1, 1, 0, stream>>>(0);
    return assay_launch_status();
}

ASSAY_LAUNCHER(test_stream_wait)
{
    (void)args;
    nothing<<<1, 1, 0, stream>>>();
    return assay_stream_wait(stream);
}

/* Waits, and does not return the result. */
ASSAY_LAUNCHER(test_quiet_wait)
{
    (void)args;
    nothing<<<1, 1, 0, stream>>>();
    (void)cudaDeviceSynchronize();
    (void)cudaGetLastError();
    return 0;
}

ASSAY_LAUNCHER(test_malloc)
{
    void *memory = NULL;
    int   error  = static_cast<int>(cudaMalloc(&memory, 1 << 20));

    (void)args;
    if (error != 0)
        return error;
    nothing<<<1, 1, 0, stream>>>();
    error = static_cast<int>(cudaFree(memory));
    return error != 0 ? error : assay_launch_status();
}

ASSAY_LAUNCHER(test_malloc_async)
{
    void *memory = NULL;
    int   error  = static_cast<int>(cudaMallocAsync(&memory, 1 << 20, stream));

    (void)args;
    if (error != 0)
        return error;
    nothing<<<1, 1, 0, stream>>>();
    error = static_cast<int>(cudaFreeAsync(memory, stream));
    return error != 0 ? error : assay_launch_status();
}

/* ---- an input that is to stay in the L2 ---- */

static __global__ void read_all(const float *x, int64_t n, float *sum)
{
    const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    float         mine = 0;

    for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        mine += x[i];
    if (mine != 0) /* the input holds zeros, which the compiler does not know */
        *sum = mine;
}

/* param[0] bytes of buf[0]. */
ASSAY_LAUNCHER(test_read)
{
    const int64_t n = args->param[0] / static_cast<int64_t>(sizeof(float));

    read_all<<<1024, 256, 0, stream>>>(static_cast<const float *>(args->buf[0]), n,
                                       static_cast<float *>(args->buf[0]));
    return assay_launch_status();
}

/* The room for persistent lines is made elsewhere, since making it may wait for the device. */
ASSAY_LAUNCHER(test_read_persisting)
{
    cudaStreamAttrValue value = {};

    value.accessPolicyWindow.base_ptr  = args->buf[0];
    value.accessPolicyWindow.num_bytes = static_cast<size_t>(args->param[0]);
    value.accessPolicyWindow.hitRatio  = 1.0f;
    value.accessPolicyWindow.hitProp   = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp  = cudaAccessPropertyStreaming;
    const cudaError_t error =
        cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);

    return error != cudaSuccess ? static_cast<int>(error) : test_read(args, stream);
}
