/* Kernels behind test_executor_rounded.c and test_executor_converted.c: each operation with each
 * rounding. */
#include "kernel.h"

#include "executor_rounded_list.h"

#ifdef ASSAY_HOST_KERNELS
#include "host/intrinsics.h"
#endif

#define CALL_ONE(function)   function(a)
#define CALL_TWO(function)   function(a, b)
#define CALL_THREE(function) function(a, b, c)
#define RUN(name, call)                                                                            \
    at[0] = CALL_##call(name##_rn);                                                                \
    at[1] = CALL_##call(name##_rd);                                                                \
    at[2] = CALL_##call(name##_ru);                                                                \
    at[3] = CALL_##call(name##_rz);                                                                \
    at += 4;

/* Three numbers in; one result for each operation and rounding out. All are fp64, which holds
 * fp32. */
static __global__ void rounded_kernel(const double *in, double *out, int64_t n)
{
    const int64_t i  = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    double       *at = out + i * N_ROUNDED * N_ROUNDINGS;

    if (i >= n)
        return;
#define RUN_ROUNDED(name, type, call, kind)                                                        \
    {                                                                                              \
        const type a = static_cast<type>(in[3 * i]), b = static_cast<type>(in[3 * i + 1]),         \
                   c = static_cast<type>(in[3 * i + 2]);                                           \
                                                                                                   \
        (void)b, (void)c;                                                                          \
        RUN(name, call)                                                                            \
    }
    ROUNDED_LIST(RUN_ROUNDED)
}

ASSAY_LAUNCHER(executor_rounded)
{
    const int64_t n = args->param[0];

    rounded_kernel<<<static_cast<unsigned>((n + 127) / 128), 128, 0, stream>>>(
        static_cast<const double *>(args->buf[0]), static_cast<double *>(args->buf[1]), n);
    return assay_launch_status();
}

/* One integer in; its low half is the integer of 32 bits. */
static __global__ void converted_kernel(const long long *in, double *out, int64_t n)
{
    const int64_t i  = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    double       *at = out + i * N_CONVERSIONS * N_ROUNDINGS;

    if (i >= n)
        return;
#define RUN_CONVERSION(name, type, from)                                                           \
    {                                                                                              \
        const from a = static_cast<from>(in[i]);                                                   \
                                                                                                   \
        RUN(name, ONE)                                                                             \
    }
    CONVERSION_LIST(RUN_CONVERSION)
}

ASSAY_LAUNCHER(executor_converted)
{
    const int64_t n = args->param[0];

    converted_kernel<<<static_cast<unsigned>((n + 127) / 128), 128, 0, stream>>>(
        static_cast<const long long *>(args->buf[0]), static_cast<double *>(args->buf[1]), n);
    return assay_launch_status();
}

/* Converts fp64 to fp32, and to unsigned integers of 64 bits. */
static __global__ void narrowed_kernel(const double *in, double *out, unsigned long long *integers,
                                       int64_t n)
{
    const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    const double a  = in[i];
    double      *at = out + i * N_ROUNDINGS;

    RUN(__double2float, ONE)
    integers[4 * i]     = __double2ull_rn(a);
    integers[4 * i + 1] = __double2ull_rd(a);
    integers[4 * i + 2] = __double2ull_ru(a);
    integers[4 * i + 3] = __double2ull_rz(a);
}

ASSAY_LAUNCHER(executor_narrowed)
{
    const int64_t n = args->param[0];

    narrowed_kernel<<<static_cast<unsigned>((n + 127) / 128), 128, 0, stream>>>(
        static_cast<const double *>(args->buf[0]), static_cast<double *>(args->buf[1]),
        static_cast<unsigned long long *>(args->buf[2]), n);
    return assay_launch_status();
}

/* Converts a NaN to integers. */
static __global__ void nan_kernel(unsigned long long *out)
{
    const float  x = __int_as_float(0x7fc00000);
    const double y = static_cast<double>(x);

    out[0] = static_cast<unsigned>(__float2int_rn(x));
    out[1] = __float2uint_rz(x);
    out[2] = static_cast<unsigned long long>(__float2ll_rd(x));
    out[3] = __float2ull_ru(x);
    out[4] = static_cast<unsigned>(__double2int_rn(y));
    out[5] = __double2uint_rz(y);
    out[6] = static_cast<unsigned long long>(__double2ll_rd(y));
    out[7] = __double2ull_ru(y);
}

ASSAY_LAUNCHER(executor_nan)
{
    nan_kernel<<<1, 1, 0, stream>>>(static_cast<unsigned long long *>(args->buf[1]));
    return assay_launch_status();
}
