/* Wrong on purpose, each variant in one way: numbers of 8 and 16 bits. One element a thread, or
 * two. */
#include "kernel.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace
{
const unsigned BLOCK = 128;

template <typename T> struct sum {
    int64_t  n;
    const T *x, *y;
    T       *z;
};

template <typename T> sum<T> sum_of(const assay_args *args)
{
    return sum<T> { args->count[2], static_cast<const T *>(args->buf[0]),
                    static_cast<const T *>(args->buf[1]), static_cast<T *>(args->buf[2]) };
}

template <typename T> __device__ float wide_sum(const sum<T> &s, int64_t i)
{
    return static_cast<float>(s.x[i]) + static_cast<float>(s.y[i]);
}

__device__ int64_t thread_number(void)
{
    return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/* The type that a careless cast would use instead. */
template <typename T> struct another {
    using type = T;
};
template <> struct another<__half> {
    using type = __nv_bfloat16;
};
template <> struct another<__nv_bfloat16> {
    using type = __half;
};
template <> struct another<__nv_fp8_e4m3> {
    using type = __nv_fp8_e5m2;
};
template <> struct another<__nv_fp8_e5m2> {
    using type = __nv_fp8_e4m3;
};

/* The bit pattern one step nearer to zero. */
template <typename T> __device__ T step_down(T value)
{
    unsigned bits = 0;

    memcpy(&bits, &value, sizeof value);
    bits--;
    memcpy(&value, &bits, sizeof value);
    return value;
}
} // namespace

template <typename T> static __global__ void right_kernel(sum<T> s)
{
    const int64_t i = thread_number();

    if (i < s.n)
        s.z[i] = static_cast<T>(wide_sum(s, i));
}

/* The last bits are cut off, not rounded. */
template <typename T> static __global__ void cuts_off_kernel(sum<T> s)
{
    const int64_t i = thread_number();

    if (i < s.n) {
        const float exact   = wide_sum(s, i);
        const T     nearest = static_cast<T>(exact);

        s.z[i] = fabsf(static_cast<float>(nearest)) > fabsf(exact) ? step_down(nearest) : nearest;
    }
}

/* The bits of another type of the same size. */
template <typename T> static __global__ void another_type_kernel(sum<T> s)
{
    using other = typename another<T>::type;

    const int64_t i = thread_number();

    if (i < s.n) {
        other x, y, z;

        memcpy(&x, &s.x[i], sizeof x);
        memcpy(&y, &s.y[i], sizeof y);
        z = static_cast<other>(static_cast<float>(x) + static_cast<float>(y));
        memcpy(&s.z[i], &z, sizeof z);
    }
}

/* Two elements a thread; no thread takes the last of an odd number. */
template <typename T> static __global__ void pairs_alone_kernel(sum<T> s)
{
    const int64_t i = 2 * thread_number();

    if (i + 1 < s.n) {
        s.z[i]     = static_cast<T>(wide_sum(s, i));
        s.z[i + 1] = static_cast<T>(wide_sum(s, i + 1));
    }
}

/* Two elements a thread, and one too many. */
template <typename T> static __global__ void one_past_kernel(sum<T> s)
{
    const int64_t i = 2 * thread_number();

    if (i < s.n) {
        s.z[i]     = static_cast<T>(wide_sum(s, i));
        s.z[i + 1] = static_cast<T>(i + 1 < s.n ? wide_sum(s, i + 1) : 0.0f);
    }
}

/* Small values become zero, as where subnormal numbers are flushed. */
template <typename T> static __global__ void small_is_zero_kernel(sum<T> s)
{
    const int64_t i = thread_number();

    if (i < s.n) {
        const float exact = wide_sum(s, i);

        s.z[i] = static_cast<T>(fabsf(exact) < 0.25f ? 0.0f : exact);
    }
}

/* The launcher of the kernel `fault`, for the type of the point. */
#define LAUNCH(fault, T)                                                                           \
    fault##_kernel<T>                                                                              \
        <<<assay_blocks_for(args->count[2], BLOCK), BLOCK, 0, stream>>>(sum_of<T>(args))
#define LAUNCHER(fault)                                                                            \
    ASSAY_LAUNCHER(selftest_narrow_##fault)                                                        \
    {                                                                                              \
        switch (args->param[0]) {                                                                  \
        case ASSAY_F16:                                                                            \
            LAUNCH(fault, __half);                                                                 \
            break;                                                                                 \
        case ASSAY_BF16:                                                                           \
            LAUNCH(fault, __nv_bfloat16);                                                          \
            break;                                                                                 \
        case ASSAY_F8E4M3:                                                                         \
            LAUNCH(fault, __nv_fp8_e4m3);                                                          \
            break;                                                                                 \
        case ASSAY_F8E5M2:                                                                         \
            LAUNCH(fault, __nv_fp8_e5m2);                                                          \
            break;                                                                                 \
        case ASSAY_I8:                                                                             \
            LAUNCH(fault, int8_t);                                                                 \
            break;                                                                                 \
        case ASSAY_I16:                                                                            \
            LAUNCH(fault, int16_t);                                                                \
            break;                                                                                 \
        default:                                                                                   \
            LAUNCH(fault, uint16_t);                                                               \
        }                                                                                          \
        return assay_launch_status();                                                              \
    }

LAUNCHER(right)
LAUNCHER(cuts_off)
LAUNCHER(another_type)
LAUNCHER(pairs_alone)
LAUNCHER(one_past)
LAUNCHER(small_is_zero)
