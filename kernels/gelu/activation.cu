/* gelu and silu, forward and backward: one element a thread, or packs of 16 bytes. */
#include "activation.cuh"

#include <type_traits>

/* Tuning axes: threads of a block. */
enum {
    BLOCK
};

static unsigned block_of(const assay_args *args)
{
    return static_cast<unsigned>(args->tune[BLOCK]);
}

/* ---- one element a thread ---- */

/* The function is chosen by its number, so that one kernel serves all three. That is no slower
 * while memory is the limit. */
struct by_number {
    int              function;
    __device__ float value(float x) const
    {
        return function == ACT_SILU        ? silu().value(x)
               : function == ACT_GELU_TANH ? gelu_tanh().value(x)
                                           : gelu_erf().value(x);
    }
    __device__ float slope(float x) const
    {
        return function == ACT_SILU        ? silu().slope(x)
               : function == ACT_GELU_TANH ? gelu_tanh().slope(x)
                                           : gelu_erf().slope(x);
    }
};

template <typename T> static int launch_scalar(const assay_args *args, assay_stream stream)
{
    const by_number f = { static_cast<int>(args->param[ACT_FUNCTION]) };

    ACT_BY_OUTPUT(args->param[ACT_OUTPUT],
                  act_launch_scalar<by_number, T, OUTPUT>(f, args, block_of(args), stream));
}

ASSAY_LAUNCHER(gelu_scalar)
{
    OPS_LAUNCH_BY_TYPE(args->param[ACT_TYPE], return launch_scalar<T>(args, stream));
}

/* ---- packs ---- */

/* Packs of a thread. They lie a block's width apart: two loads are in flight before the first is
 * needed. */
static const int PACKS = 2;

template <typename R, int N> struct alignas(N * sizeof(R)) result_pack {
    R v[N];
};

template <typename F, typename T, int OUTPUT> __device__ inline void
apply_pack(const act_call<T, OUTPUT> &c, const ops_pack<T> &x, const ops_pack<T> &d_y, int64_t at)
{
    using result       = typename act_call<T, OUTPUT>::result;
    constexpr int SIZE = ops_pack<T>::SIZE;

    result_pack<result, SIZE> out;

#pragma unroll
    for (int k = 0; k < SIZE; k++)
        out.v[k] = ops_round<result>(
            act_apply<OUTPUT>(F(), ops_float(x.v[k]), ops_float(d_y.v[k]), c.scale));
    reinterpret_cast<result_pack<result, SIZE> *>(c.out)[at] = out;
}

/* The last elements, fewer than a pack, go one by one to the first threads. */
template <typename F, typename T, int OUTPUT>
static __global__ void act_vector_kernel(act_call<T, OUTPUT> c)
{
    constexpr int SIZE    = ops_pack<T>::SIZE;
    const int64_t n_packs = c.n / SIZE, block = blockIdx.x;
    const int64_t first = block * blockDim.x * PACKS + threadIdx.x;
    const int64_t tail  = n_packs * SIZE + block * blockDim.x + threadIdx.x;
    ops_pack<T>   x[PACKS], d_y[PACKS] = {};

#pragma unroll
    for (int p = 0; p < PACKS; p++) {
        const int64_t at = first + static_cast<int64_t>(p) * blockDim.x;

        if (at < n_packs)
            x[p] = reinterpret_cast<const ops_pack<T> *>(c.x)[at];
        if (at < n_packs && OUTPUT == ACT_D_X)
            d_y[p] = reinterpret_cast<const ops_pack<T> *>(c.d_y)[at];
    }
#pragma unroll
    for (int p = 0; p < PACKS; p++) {
        const int64_t at = first + static_cast<int64_t>(p) * blockDim.x;

        if (at < n_packs)
            apply_pack<F>(c, x[p], d_y[p], at);
    }
    if (tail < c.n)
        act_one(F(), c, tail);
}

template <typename F, typename T, int OUTPUT>
static int launch_vector(const assay_args *args, bool has_tail, assay_stream stream)
{
    act_call<T, OUTPUT> c     = act_call_of<T, OUTPUT>(args);
    const unsigned      block = block_of(args);
    const int64_t       packs = c.n / ops_pack<T>::SIZE;

    if (!has_tail)
        c.n = packs * ops_pack<T>::SIZE;
    if (c.n == 0)
        return 0;
    act_vector_kernel<F, T, OUTPUT>
        <<<assay_blocks_for(packs, block * PACKS), block, 0, stream>>>(c);
    return assay_launch_status();
}

template <typename F, typename T>
static int launch_vector_of(const assay_args *args, bool has_tail, assay_stream stream)
{
    ACT_BY_OUTPUT(args->param[ACT_OUTPUT], launch_vector<F, T, OUTPUT>(args, has_tail, stream));
}

template <typename T>
static int launch_vector_by_function(const assay_args *args, bool has_tail, assay_stream stream)
{
    using erf_form = std::conditional_t<sizeof(T) == sizeof(float), gelu_erf, gelu_erf_short>;

    switch (args->param[ACT_FUNCTION]) {
    case ACT_GELU_ERF:
        return launch_vector_of<erf_form, T>(args, has_tail, stream);
    case ACT_GELU_TANH:
        return launch_vector_of<gelu_tanh, T>(args, has_tail, stream);
    default:
        return launch_vector_of<silu, T>(args, has_tail, stream);
    }
}

static int launch_vector_any(const assay_args *args, bool has_tail, assay_stream stream)
{
    OPS_LAUNCH_BY_TYPE(args->param[ACT_TYPE],
                       return launch_vector_by_function<T>(args, has_tail, stream));
}

ASSAY_LAUNCHER(gelu_vector) { return launch_vector_any(args, true, stream); }

/* Wrong on purpose: the elements after the last whole pack are left out. */
ASSAY_LAUNCHER(gelu_vector_no_tail) { return launch_vector_any(args, false, stream); }
