/* The sum of all elements, wrong on purpose: each variant in one way. */
#include "reduction_device.cuh"

/* Constants, not tuning axes: these variants have none. */
static const unsigned THREADS     = 128;
static const unsigned MOST_BLOCKS = 64;

enum fault {
    OWN_TYPE,
    ROUNDED_SHUFFLE,
    SHUFFLE_MASK,
    NO_FENCE,
    BLOCK_FENCE
};

/* One block where rounding is the fault: then each thread adds many elements, and errors do not
 * average out. */
static unsigned blocks_for(fault wrong, int64_t n)
{
    const bool    rounds = wrong == OWN_TYPE || wrong == ROUNDED_SHUFFLE;
    const int64_t blocks = rounds ? 1 : assay_ceil_div(n, THREADS);

    return blocks < 1 ? 1 : blocks < MOST_BLOCKS ? static_cast<unsigned>(blocks) : MOST_BLOCKS;
}

/* Every step of the sum is rounded to T. */
template <typename T> __device__ inline float of_thread_in_own_type(const reduction_input<T> &in)
{
    T sum = ops_round<T>(0);

    for (int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x; i < in.n;
         i += static_cast<int64_t>(gridDim.x) * THREADS)
        sum = ops_round<T>(ops_float(sum) + ops_float(in.x[i]));
    return ops_float(sum);
}

/* Values are rounded to T before they are shuffled. */
template <typename T> __device__ inline float reduce_warp_in_own_type(float x)
{
    for (int offset = 16; offset > 0; offset /= 2)
        x = ops_float(ops_round<T>(x)) +
            ops_float(ops_round<T>(__shfl_xor_sync(0xffffffffu, x, offset)));
    return x;
}

/* The few lanes that hold a warp's sum add these up, but their mask names all lanes. */
__device__ inline float reduce_block_by_few(float x, float *slot)
{
    x = ops_reduce_warp<ops_add>(x);
    if (threadIdx.x % 32 == 0)
        slot[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x < THREADS / 32) {
        x = slot[threadIdx.x];
        for (int offset = THREADS / 64; offset > 0; offset /= 2)
            x += __shfl_xor_sync(0xffffffffu, x, offset);
    }
    return x;
}

template <typename T>
__device__ inline float of_block(fault wrong, const reduction_input<T> &in, float *slot)
{
    if (wrong == OWN_TYPE)
        return ops_reduce_block<ops_add>(of_thread_in_own_type(in), slot);
    if (wrong == ROUNDED_SHUFFLE) {
        const float of_warp = reduce_warp_in_own_type<T>(reduction_of_thread(in));

        return ops_reduce_block<ops_add>(threadIdx.x % 32 == 0 ? of_warp : 0, slot);
    }
    if (wrong == SHUFFLE_MASK)
        return reduce_block_by_few(reduction_of_thread(in), slot);
    return ops_reduce_block<ops_add>(reduction_of_thread(in), slot);
}

/* The last block adds up all sums. The fence stands between storing a block's sum and counting the
 * block. */
template <typename T>
static __global__ void reduction_wrong_kernel(fault wrong, reduction_input<T> in, float *partial,
                                              unsigned *ended, float *sum)
{
    __shared__ float slot[32];
    __shared__ bool  is_last[1];
    const float      mine = of_block(wrong, in, slot);

    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;
        if (wrong == BLOCK_FENCE)
            __threadfence_block();
        else if (wrong != NO_FENCE)
            __threadfence();
        is_last[0] = atomicAdd(ended, 1u) + 1 == gridDim.x;
    }
    __syncthreads();
    if (!is_last[0])
        return;

    float of_all = 0;

    for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS)
        of_all += partial[i];
    of_all = ops_reduce_block<ops_add>(of_all, slot);
    if (threadIdx.x == 0)
        *sum = of_all;
}

/* One sum for each block, then the count. */
ASSAY_WORKSPACE(reduction_wrong_workspace)
{
    (void)args;
    return (MOST_BLOCKS + 1) * sizeof(float);
}

template <typename T>
static int launch_wrong(fault wrong, const assay_args *args, assay_stream stream)
{
    float *const    partial = static_cast<float *>(args->workspace);
    unsigned *const ended   = static_cast<unsigned *>(args->workspace) + MOST_BLOCKS;
    const int       error   = assay_memset_zero(ended, sizeof *ended, stream);

    if (error)
        return error;
    reduction_wrong_kernel<<<blocks_for(wrong, args->count[REDUCTION_X]), THREADS, 0, stream>>>(
        wrong, reduction_input_of<T>(args), partial, ended, reduction_sum_of(args));
    return assay_launch_status();
}

#define WRONG(name, fault)                                                                         \
    ASSAY_LAUNCHER(name)                                                                           \
    {                                                                                              \
        OPS_LAUNCH_BY_TYPE(args->param[REDUCTION_TYPE],                                            \
                           return launch_wrong<T>(fault, args, stream));                           \
    }

WRONG(reduction_own_type, OWN_TYPE)
WRONG(reduction_rounded_shuffle, ROUNDED_SHUFFLE)
WRONG(reduction_shuffle_mask, SHUFFLE_MASK)
WRONG(reduction_no_fence, NO_FENCE)
WRONG(reduction_block_fence, BLOCK_FENCE)
