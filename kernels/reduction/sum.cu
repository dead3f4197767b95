/* The sum of all elements, by shuffles in single precision. atomic: a block adds its sum to the
 * result. two_stage: blocks store their sums, and a second launch adds them up in one order.
 * last_block: the last block to end does that. words: 16-bit elements are shuffled without
 * conversion. */
#include "reduction_device.cuh"

template <typename T>
static __global__ void reduction_atomic_kernel(reduction_input<T> in, float *sum)
{
    __shared__ float slot[32];
    const float      of_block = ops_reduce_block<ops_add>(reduction_of_thread(in), slot);

    if (threadIdx.x == 0)
        atomicAdd(sum, of_block);
}

template <typename T> static int launch_atomic(const assay_args *args, assay_stream stream)
{
    const int error = assay_memset_zero(reduction_sum_of(args), sizeof(float), stream);

    if (error)
        return error;
    reduction_atomic_kernel<<<reduction_blocks<T>(args), reduction_block(args), 0, stream>>>(
        reduction_input_of<T>(args), reduction_sum_of(args));
    return assay_launch_status();
}

ASSAY_LAUNCHER(reduction_atomic)
{
    OPS_LAUNCH_BY_TYPE(args->param[REDUCTION_TYPE], return launch_atomic<T>(args, stream));
}

/* ---- two stages ---- */

/* The workspace: one sum for each block. */
ASSAY_WORKSPACE(reduction_partial_workspace)
{
    return static_cast<size_t>(args->tune[BLOCKS]) * sizeof(float);
}

template <typename T>
static __global__ void reduction_partial_kernel(reduction_input<T> in, float *partial)
{
    __shared__ float slot[32];
    const float      of_block = ops_reduce_block<ops_add>(reduction_of_thread(in), slot);

    if (threadIdx.x == 0)
        partial[blockIdx.x] = of_block;
}

/* All threads of one block get the sum. */
__device__ inline float sum_of_partials(const float *partial, unsigned n, float *slot)
{
    float sum = 0;

    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        sum += partial[i];
    return ops_reduce_block<ops_add>(sum, slot);
}

static __global__ void reduction_partials_kernel(unsigned n, const float *partial, float *sum)
{
    __shared__ float slot[32];
    const float      of_all = sum_of_partials(partial, n, slot);

    if (threadIdx.x == 0)
        *sum = of_all;
}

/* One thread for each sum, up to 512. */
static int launch_second_stage(const assay_args *args, unsigned blocks, assay_stream stream)
{
    const unsigned threads = blocks < 512 ? (blocks + 31) / 32 * 32 : 512;

    reduction_partials_kernel<<<1, threads, 0, stream>>>(
        blocks, static_cast<const float *>(args->workspace), reduction_sum_of(args));
    return assay_launch_status();
}

template <typename T> static int launch_two_stage(const assay_args *args, assay_stream stream)
{
    const unsigned blocks = reduction_blocks<T>(args);

    reduction_partial_kernel<<<blocks, reduction_block(args), 0, stream>>>(
        reduction_input_of<T>(args), static_cast<float *>(args->workspace));
    return launch_second_stage(args, blocks, stream);
}

ASSAY_LAUNCHER(reduction_two_stage)
{
    OPS_LAUNCH_BY_TYPE(args->param[REDUCTION_TYPE], return launch_two_stage<T>(args, stream));
}

/* ---- one launch ---- */

/* The number of blocks that have ended. It is 0 between launches, since the last block resets
 * it. */
ASSAY_EXPORT int reduction_last_block_setup(const assay_args *, void **state)
{
    return assay_setup_allocate(state, sizeof(unsigned));
}
ASSAY_EXPORT void reduction_last_block_teardown(void *state) { assay_setup_free(state); }

/* Device scope orders both sides: what this block stored comes before the count, what it reads of
 * others comes after. */
__device__ inline bool is_last_block(unsigned *ended)
{
    return assay_fetch_add_acq_rel(ended, 1u) + 1 == gridDim.x;
}

template <typename T> static __global__ void
reduction_last_block_kernel(reduction_input<T> in, float *partial, unsigned *ended, float *sum)
{
    __shared__ float slot[32];
    __shared__ bool  is_last[1];
    const float      of_block = ops_reduce_block<ops_add>(reduction_of_thread(in), slot);

    if (threadIdx.x == 0) {
        partial[blockIdx.x] = of_block;
        is_last[0]          = is_last_block(ended);
    }
    __syncthreads();
    if (!is_last[0])
        return;

    const float of_all = sum_of_partials(partial, gridDim.x, slot);

    if (threadIdx.x == 0) {
        *sum   = of_all;
        *ended = 0;
    }
}

template <typename T> static int launch_last_block(const assay_args *args, assay_stream stream)
{
    reduction_last_block_kernel<<<reduction_blocks<T>(args), reduction_block(args), 0, stream>>>(
        reduction_input_of<T>(args), static_cast<float *>(args->workspace),
        static_cast<unsigned *>(args->state), reduction_sum_of(args));
    return assay_launch_status();
}

ASSAY_LAUNCHER(reduction_last_block)
{
    OPS_LAUNCH_BY_TYPE(args->param[REDUCTION_TYPE], return launch_last_block<T>(args, stream));
}

/* ---- words of 16 bits ---- */

__device__ inline unsigned short bits_of(__half x) { return __half_as_ushort(x); }
__device__ inline unsigned short bits_of(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
__device__ inline float          float_of(unsigned short bits, __half)
{
    return __half2float(__ushort_as_half(bits));
}
__device__ inline float float_of(unsigned short bits, __nv_bfloat16)
{
    return __bfloat162float(__ushort_as_bfloat16(bits));
}

/* Lanes of the upper half hand their elements down without conversion; sums are single
 * precision. */
template <typename T>
static __global__ void reduction_words_kernel(reduction_input<T> in, float *partial)
{
    __shared__ float slot[32];
    const int64_t    step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    float            sum  = 0;

    for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x; i < in.n; i += step) {
        const int64_t        at   = i + threadIdx.x;
        const unsigned short mine = at < in.n ? bits_of(in.x[at]) : static_cast<unsigned short>(0);
        const auto other = static_cast<unsigned short>(__shfl_xor_sync(0xffffffffu, mine, 16));

        if (threadIdx.x % 32 < 16)
            sum += float_of(mine, T()) + float_of(other, T());
    }
    sum = ops_reduce_block<ops_add>(sum, slot);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

template <typename T> static int launch_words(const assay_args *args, assay_stream stream)
{
    const unsigned blocks = reduction_blocks<T>(args);

    reduction_words_kernel<<<blocks, reduction_block(args), 0, stream>>>(
        reduction_input_of<T>(args), static_cast<float *>(args->workspace));
    return launch_second_stage(args, blocks, stream);
}

ASSAY_LAUNCHER(reduction_words)
{
    return args->param[REDUCTION_TYPE] == ASSAY_F16    ? launch_words<__half>(args, stream)
           : args->param[REDUCTION_TYPE] == ASSAY_BF16 ? launch_words<__nv_bfloat16>(args, stream)
                                                       : 1;
}
