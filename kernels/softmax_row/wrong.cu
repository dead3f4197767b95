/* Softmax of rows, wrong on purpose: each variant in one way. */
#include "softmax_device.cuh"

enum {
    BLOCK = 128
};

enum fault {
    ONLY_128,
    RACE,
    MASKED_NAN,
    TRUNCATED,
    NO_MAX
};

/* All threads read the first slot, and the next call writes it. Nothing keeps that call's first
 * warp from writing before the others have read. */
template <typename OP> __device__ inline float reduce_racing(float x, float *slot)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    x = ops_reduce_warp<OP>(x);
    if (lane == 0)
        slot[warp] = x;
    __syncthreads();
    if (warp == 0) {
        x = ops_reduce_warp<OP>(lane < BLOCK / 32 ? slot[lane] : OP::NEUTRAL);
        if (lane == 0)
            slot[0] = x;
    }
    __syncthreads();
    return slot[0];
}

template <typename OP> __device__ inline float reduce(fault wrong, float x, float *slot)
{
    return wrong == RACE ? reduce_racing<OP>(x, slot) : ops_reduce_block<OP>(x, slot);
}

/* Rounds towards 0: the bits that do not fit are cut off. */
__device__ inline void cut(float x, __half *to) { *to = __float2half_rz(x); }
__device__ inline void cut(float x, __nv_bfloat16 *to) { *to = __float2bfloat16_rz(x); }
__device__ inline void cut(float x, float *to) { *to = x; }

template <typename T>
static __global__ void softmax_wrong_kernel(fault wrong, int width, const T *x, T *y)
{
    __shared__ float slot[32];
    const int64_t    first = static_cast<int64_t>(blockIdx.x) * width;
    const int        end   = wrong == ONLY_128 ? min(width, 128) : width;
    const int        t     = static_cast<int>(threadIdx.x);
    float            max = -INFINITY, sum = 0;

    for (int i = t; i < end; i += BLOCK)
        max = ops_max()(max, ops_float(x[first + i]));
    max = wrong == NO_MAX ? 0 : reduce<ops_max>(wrong, max, slot);

    const float base = wrong == MASKED_NAN ? max : softmax_base(max);

    for (int i = t; i < end; i += BLOCK)
        sum += softmax_power(ops_float(x[first + i]) - base);

    const float scale = softmax_scale(reduce<ops_add>(wrong, sum, slot));

    for (int i = t; i < end; i += BLOCK) {
        const float result = softmax_power(ops_float(x[first + i]) - base) * scale;

        if (wrong == TRUNCATED)
            cut(result, &y[first + i]);
        else
            y[first + i] = ops_round<T>(result);
    }
}

template <typename T>
static int launch_wrong(fault wrong, const assay_args *args, assay_stream stream)
{
    if (args->param[SOFTMAX_ROWS] == 0)
        return 0;
    softmax_wrong_kernel<T><<<static_cast<unsigned>(args->param[SOFTMAX_ROWS]), BLOCK, 0, stream>>>(
        wrong, static_cast<int>(args->param[SOFTMAX_WIDTH]),
        static_cast<const T *>(args->buf[SOFTMAX_X]), static_cast<T *>(args->buf[SOFTMAX_Y]));
    return assay_launch_status();
}

#define WRONG(name, fault)                                                                         \
    ASSAY_LAUNCHER(name)                                                                           \
    {                                                                                              \
        OPS_LAUNCH_BY_TYPE(args->param[SOFTMAX_TYPE],                                              \
                           return launch_wrong<T>(fault, args, stream));                           \
    }

WRONG(softmax_row_only_128, ONLY_128)
WRONG(softmax_row_race, RACE)
WRONG(softmax_row_masked_nan, MASKED_NAN)
WRONG(softmax_row_truncated, TRUNCATED)
WRONG(softmax_row_no_max, NO_MAX)
