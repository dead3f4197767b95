/* Kernels behind test_executor_half.c: the less used functions of fp16 and bf16, by one
 * template. */
#include "kernel.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "executor_half_list.h"

static __device__ uint16_t bits_of(__half a) { return __half_as_ushort(a); }
static __device__ uint16_t bits_of(__nv_bfloat16 a) { return __bfloat16_as_ushort(a); }
template <typename P> static __device__ uint32_t pair_bits(P a)
{
    return static_cast<uint32_t>(bits_of(a.x)) | static_cast<uint32_t>(bits_of(a.y)) << 16;
}

/* The functions whose names differ between the two types. */
struct fp16 {
    using one  = __half;
    using pair = __half2;
    static __device__ one  of(uint16_t bits) { return __ushort_as_half(bits); }
    static __device__ pair make(one a, one b) { return __halves2half2(a, b); }
    static __device__ void shuffle(pair a, pair b, uint32_t *out)
    {
        out[0] = pair_bits(__low2half2(a));
        out[1] = pair_bits(__high2half2(a));
        out[2] = pair_bits(__lows2half2(a, b));
        out[3] = pair_bits(__highs2half2(a, b));
    }
};
struct bf16 {
    using one  = __nv_bfloat16;
    using pair = __nv_bfloat162;
    static __device__ one  of(uint16_t bits) { return __ushort_as_bfloat16(bits); }
    static __device__ pair make(one a, one b) { return __halves2bfloat162(a, b); }
    static __device__ void shuffle(pair a, pair b, uint32_t *out)
    {
        out[0] = pair_bits(__low2bfloat162(a));
        out[1] = pair_bits(__high2bfloat162(a));
        out[2] = pair_bits(__lows2bfloat162(a, b));
        out[3] = pair_bits(__highs2bfloat162(a, b));
    }
};

/* Numbers given by their bits are constant expressions. */
static constexpr __nv_bfloat16  tiny_bf16 = __nv_bfloat16_raw { 0x2EDC };
static constexpr __half         one_fp16  = __half_raw { 0x3C00 };
static constexpr __nv_bfloat162 tiny_pair = { tiny_bf16, tiny_bf16 };
static_assert(tiny_bf16.__x == 0x2EDC && one_fp16.__x == 0x3C00 && tiny_pair.y.__x == 0x2EDC,
              "bits");

template <typename F> static __device__ void compare(typename F::one a, typename F::one b,
                                                     typename F::pair p, typename F::pair q,
                                                     half_results *r)
{
    unsigned i = 0;

#define COMPARE(name)                                                                              \
    r->compared = static_cast<uint16_t>(r->compared | (__h##name(a, b) ? 1u : 0u) << i);           \
    r->compared_both =                                                                             \
        static_cast<uint16_t>(r->compared_both | (__hb##name##2(p, q) ? 1u : 0u) << i);            \
    r->numbers[i] = pair_bits(__h##name##2(p, q));                                                 \
    r->masks[i]   = __h##name##2_mask(p, q);                                                       \
    i++;
    HALF_COMPARISONS(COMPARE)
#undef COMPARE
}

template <typename F>
static __global__ void half_more_kernel(const uint16_t *in, half_results *out, int64_t n)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    const typename F::one  a = F::of(in[3 * i]), b = F::of(in[3 * i + 1]), c = F::of(in[3 * i + 2]);
    const typename F::pair p = F::make(a, b), q = F::make(b, c), s = F::make(c, a);
    typename F::one        down = a;
    half_results           r {};

#define RUN(function, both_function, index)                                                        \
    r.two[index]  = bits_of(function(a, b));                                                       \
    r.both[index] = pair_bits(both_function(p, q));
    HALF_TWO(RUN)
#undef RUN
    r.fma_sat       = bits_of(__hfma_sat(a, b, c));
    r.fma_relu      = bits_of(__hfma_relu(a, b, c));
    r.fma_relu_both = pair_bits(__hfma2_relu(p, q, s));
    r.complex_fma   = pair_bits(__hcmadd(p, q, s));
    down--;
    r.minus_one = bits_of(down);
    F::shuffle(p, s, r.shuffled);
    r.shuffled[4] = pair_bits(__lowhigh2highlow(p));
    compare<F>(a, b, p, q, &r);
    out[i] = r;
}

#define LAUNCHER(name, F)                                                                          \
    ASSAY_LAUNCHER(name)                                                                           \
    {                                                                                              \
        const int64_t n = args->param[0];                                                          \
                                                                                                   \
        half_more_kernel<F><<<static_cast<unsigned>((n + 127) / 128), 128, 0, stream>>>(           \
            static_cast<const uint16_t *>(args->buf[0]),                                           \
            static_cast<half_results *>(args->buf[1]), n);                                         \
        return assay_launch_status();                                                              \
    }
LAUNCHER(executor_half_more, fp16)
LAUNCHER(executor_bfloat_more, bf16)

/* Converts every pattern to each integer type, by rn, rd, ru, rz. */
static __global__ void to_integers_kernel(long long *half_out, long long *bfloat_out)
{
    const unsigned      i = blockIdx.x * blockDim.x + threadIdx.x;
    const __half        a = __ushort_as_half(static_cast<unsigned short>(i));
    const __nv_bfloat16 b = __ushort_as_bfloat16(static_cast<unsigned short>(i));

    half_out += i * 4 * N_HALF_INTEGERS;
    bfloat_out += i * 4 * N_HALF_INTEGERS;
#define TO_INTEGER(type, name)                                                                     \
    *half_out++   = static_cast<long long>(__half2##name##_rn(a));                                 \
    *half_out++   = static_cast<long long>(__half2##name##_rd(a));                                 \
    *half_out++   = static_cast<long long>(__half2##name##_ru(a));                                 \
    *half_out++   = static_cast<long long>(__half2##name##_rz(a));                                 \
    *bfloat_out++ = static_cast<long long>(__bfloat162##name##_rn(b));                             \
    *bfloat_out++ = static_cast<long long>(__bfloat162##name##_rd(b));                             \
    *bfloat_out++ = static_cast<long long>(__bfloat162##name##_ru(b));                             \
    *bfloat_out++ = static_cast<long long>(__bfloat162##name##_rz(b));
    HALF_INTEGERS(TO_INTEGER)
}

ASSAY_LAUNCHER(executor_half_to_integers)
{
    to_integers_kernel<<<256, 256, 0, stream>>>(static_cast<long long *>(args->buf[0]),
                                                static_cast<long long *>(args->buf[1]));
    return assay_launch_status();
}

/* Converts integers to both types, then a float to both by rn, rd, ru, rz. */
static __global__ void of_integers_kernel(const long long *in, const float *floats,
                                          uint16_t *half_out, uint16_t *bfloat_out, int64_t n)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    half_out += i * 4 * (N_HALF_INTEGERS + 1);
    bfloat_out += i * 4 * (N_HALF_INTEGERS + 1);
#define OF(value, name)                                                                            \
    *half_out++   = bits_of(__##name##2half_rn(value));                                            \
    *half_out++   = bits_of(__##name##2half_rd(value));                                            \
    *half_out++   = bits_of(__##name##2half_ru(value));                                            \
    *half_out++   = bits_of(__##name##2half_rz(value));                                            \
    *bfloat_out++ = bits_of(__##name##2bfloat16_rn(value));                                        \
    *bfloat_out++ = bits_of(__##name##2bfloat16_rd(value));                                        \
    *bfloat_out++ = bits_of(__##name##2bfloat16_ru(value));                                        \
    *bfloat_out++ = bits_of(__##name##2bfloat16_rz(value));
#define OF_INTEGER(type, name) OF(static_cast<type>(in[i]), name)
    HALF_INTEGERS(OF_INTEGER)
    OF(floats[i], float)
}

ASSAY_LAUNCHER(executor_half_of_integers)
{
    const int64_t n = args->param[0];

    of_integers_kernel<<<static_cast<unsigned>((n + 127) / 128), 128, 0, stream>>>(
        static_cast<const long long *>(args->buf[0]), static_cast<const float *>(args->buf[1]),
        static_cast<uint16_t *>(args->buf[2]), static_cast<uint16_t *>(args->buf[3]), n);
    return assay_launch_status();
}
