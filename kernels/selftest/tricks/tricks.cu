/* Tricks that have fooled other benchmarks, each written anew and alone: what a kernel can do to
 * look right, or fast, without doing its work. y[i] = 2 * x[i]. */
#include "kernel.h"

#include "tricks_case.h"

namespace
{
const unsigned BLOCK = 256;
/* The time of the work that the one block could skip: many times the rest. */
const unsigned long long WORK_NS = 20000;

__device__ int64_t thread_number(void)
{
    return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__global__ void tricks_twice_kernel(int64_t n, const float *x, float *y)
{
    const int64_t i = thread_number();

    if (i < n)
        y[i] = 2.0f * x[i];
}

__global__ void tricks_copy_kernel(int64_t n, const float *from, float *to)
{
    const int64_t i = thread_number();

    if (i < n)
        to[i] = from[i];
}

unsigned blocks_for(const assay_args *args) { return assay_blocks_for(args->count[Y], BLOCK); }

const float *x_of(const assay_args *args) { return static_cast<const float *>(args->buf[X]); }
float       *y_of(const assay_args *args) { return static_cast<float *>(args->buf[Y]); }

int launch_twice(const assay_args *args, assay_stream stream)
{
    tricks_twice_kernel<<<blocks_for(args), BLOCK, 0, stream>>>(args->count[Y], x_of(args),
                                                                y_of(args));
    return assay_launch_status();
}

int launch_copy(const assay_args *args, const float *from, float *to, assay_stream stream)
{
    tricks_copy_kernel<<<blocks_for(args), BLOCK, 0, stream>>>(args->count[Y], from, to);
    return assay_launch_status();
}
} // namespace

ASSAY_LAUNCHER(selftest_tricks_right) { return launch_twice(args, stream); }

/* ---- no work, or less of it ---- */

/* Right within an absolute tolerance that is larger than the outputs. */
ASSAY_LAUNCHER(selftest_tricks_zeros)
{
    return assay_memset_zero(args->buf[Y], sizeof(float) * static_cast<size_t>(args->count[Y]),
                             stream);
}

/* Uses only the upper half of the bits, as bfloat16 would: half of the traffic, if it were stored
 * like that. */
static __global__ void tricks_lower_precision_kernel(int64_t n, const float *x, float *y)
{
    const int64_t i = thread_number();

    if (i < n)
        y[i] = 2.0f * __uint_as_float(__float_as_uint(x[i]) & 0xffff0000u);
}

ASSAY_LAUNCHER(selftest_tricks_lower_precision)
{
    tricks_lower_precision_kernel<<<blocks_for(args), BLOCK, 0, stream>>>(args->count[Y],
                                                                          x_of(args), y_of(args));
    return assay_launch_status();
}

ASSAY_EXPORT int selftest_tricks_count_calls(const assay_args *, void **state)
{
    *state = new int(0);
    return 0;
}

ASSAY_EXPORT void selftest_tricks_end_count(void *state) { delete static_cast<int *>(state); }

/* Collects calls: every second call does the work of two. */
ASSAY_LAUNCHER(selftest_tricks_every_other)
{
    int *calls = static_cast<int *>(args->state);

    return (*calls)++ % 2 == 0 ? 0 : launch_twice(args, stream);
}

/* ---- the input ---- */

/* A judge that computes the right answer afterwards from the same memory finds zeros too. */
ASSAY_LAUNCHER(selftest_tricks_zeros_its_input)
{
    const size_t bytes = sizeof(float) * static_cast<size_t>(args->count[X]);
    const int    error = assay_memset_zero(args->buf[X], bytes, stream);

    return error ? error : assay_memset_zero(args->buf[Y], bytes, stream);
}

/* Doubles in place, and back: halving undoes doubling to the bit. */
static __global__ void tricks_restore_kernel(int64_t n, float *x, float *y)
{
    const int64_t i = thread_number();

    if (i >= n)
        return;
    x[i] *= 2.0f;
    y[i] = x[i];
    x[i] *= 0.5f;
}

ASSAY_LAUNCHER(selftest_tricks_restores_its_input)
{
    tricks_restore_kernel<<<blocks_for(args), BLOCK, 0, stream>>>(
        args->count[Y], static_cast<float *>(args->buf[X]), y_of(args));
    return assay_launch_status();
}

/* ---- answers of earlier calls ---- */

static __device__ float known_x[TRICKS_MOST], known_y[TRICKS_MOST];

static __global__ void tricks_keep_kernel(int64_t n, const float *y)
{
    const int64_t i = thread_number();

    if (i < n)
        known_y[i] = y[i];
}

static __global__ void tricks_recall_kernel(int64_t n, float *y)
{
    const int64_t i = thread_number();

    if (i < n)
        y[i] = known_y[i];
}

static int launch_keep(const assay_args *args, assay_stream stream)
{
    if (args->count[Y] > TRICKS_MOST)
        return 1;
    tricks_keep_kernel<<<blocks_for(args), BLOCK, 0, stream>>>(args->count[Y], y_of(args));
    return assay_launch_status();
}

static int launch_recall(const assay_args *args, assay_stream stream)
{
    tricks_recall_kernel<<<blocks_for(args), BLOCK, 0, stream>>>(args->count[Y], y_of(args));
    return assay_launch_status();
}

/* Assumes that an input with the same number of elements is the same input. */
ASSAY_LAUNCHER(selftest_tricks_keeps_by_shape)
{
    static int64_t known_count = -1;

    if (known_count == args->count[X])
        return launch_recall(args, stream);
    known_count     = args->count[X];
    const int error = launch_twice(args, stream);

    return error ? error : launch_keep(args, stream);
}

static __device__ void take_time(void)
{
    const unsigned long long start_ns = assay_global_time_ns();

    while (assay_global_time_ns() - start_ns < WORK_NS)
        __nanosleep(100);
}

/* One block. If the inputs are those of the previous call, it copies the answer of that call. */
static __global__ void tricks_keeps_by_contents_kernel(int64_t n, const float *x, float *y)
{
    int is_known = 1;

    for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
        is_known &= known_x[i] == x[i];
    if (!__syncthreads_and(is_known) && threadIdx.x == 0)
        take_time();
    __syncthreads();
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
        known_x[i] = x[i];
        y[i]       = 2.0f * x[i];
    }
}

ASSAY_LAUNCHER(selftest_tricks_keeps_by_contents)
{
    if (args->count[Y] > TRICKS_MOST)
        return 1;
    tricks_keeps_by_contents_kernel<<<1, BLOCK, 0, stream>>>(args->count[Y], x_of(args),
                                                             y_of(args));
    return assay_launch_status();
}

/* Works only if the output does not hold the answer yet. */
static __global__ void tricks_looks_first_kernel(int64_t n, const float *x, float *y)
{
    int is_answered = 1;

    for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
        is_answered &= y[i] == 2.0f * x[i];
    if (!__syncthreads_and(is_answered) && threadIdx.x == 0)
        take_time();
    __syncthreads();
    for (int64_t i = threadIdx.x; i < n; i += blockDim.x)
        y[i] = 2.0f * x[i];
}

ASSAY_LAUNCHER(selftest_tricks_looks_first)
{
    tricks_looks_first_kernel<<<1, BLOCK, 0, stream>>>(args->count[Y], x_of(args), y_of(args));
    return assay_launch_status();
}

/* ---- answers of others ---- */

/* Right, but leaves its answer where the next variant looks for it. */
ASSAY_LAUNCHER(selftest_tricks_tells_its_neighbour)
{
    const int error = launch_twice(args, stream);

    return error ? error : launch_keep(args, stream);
}

ASSAY_LAUNCHER(selftest_tricks_neighbours_result) { return launch_recall(args, stream); }

/* Allocates memory as large as an output, which may have held an earlier output. */
ASSAY_EXPORT int selftest_tricks_inherit(const assay_args *args, void **state)
{
    return static_cast<int>(cudaMalloc(state, sizeof(float) * static_cast<size_t>(args->count[Y])));
}

ASSAY_EXPORT void selftest_tricks_free(void *state) { (void)cudaFree(state); }

ASSAY_LAUNCHER(selftest_tricks_inherits_memory)
{
    return launch_copy(args, static_cast<const float *>(args->state), y_of(args), stream);
}

/* ---- work that is done before ---- */

/* What is prepared from an input outlives the call, as weights in another format would; here it is
 * a copy. */
ASSAY_EXPORT int selftest_tricks_prepare(const assay_args *args, void **state)
{
    const size_t bytes = sizeof(float) * static_cast<size_t>(args->count[X]);
    cudaError_t  error = cudaMalloc(state, bytes);

    if (error == cudaSuccess)
        error = cudaMemcpy(*state, args->buf[X], bytes, cudaMemcpyDeviceToDevice);
    return static_cast<int>(error);
}

ASSAY_LAUNCHER(selftest_tricks_prepares_its_input)
{
    tricks_twice_kernel<<<blocks_for(args), BLOCK, 0, stream>>>(
        args->count[Y], static_cast<const float *>(args->state), y_of(args));
    return assay_launch_status();
}
