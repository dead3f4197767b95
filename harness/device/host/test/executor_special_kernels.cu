/* Kernels behind test_executor_special.c: functions in fp64 and fp32, vectors, addresses. */
#include "kernel.h"

#include <math_constants.h>

#ifdef ASSAY_HOST_KERNELS
#include "host/intrinsics.h"
#endif

/* Evaluates the function of this number, in both types. */
static __global__ void special_kernel(const double *in, double *out, int function)
{
    const unsigned i = threadIdx.x;
    const double   x = in[i];
    const float    f = static_cast<float>(x);

#define FUNCTION(number, name)                                                                     \
    if (function == number) {                                                                      \
        out[2 * i]     = name(x);                                                                  \
        out[2 * i + 1] = static_cast<double>(name##f(f));                                          \
    }
    FUNCTION(0, erfinv)
    FUNCTION(1, erfcinv)
    FUNCTION(2, erfcx)
    FUNCTION(3, normcdf)
    FUNCTION(4, normcdfinv)
    FUNCTION(5, cyl_bessel_i0)
    FUNCTION(6, cyl_bessel_i1)
#undef FUNCTION
}

ASSAY_LAUNCHER(executor_special)
{
    special_kernel<<<1, static_cast<unsigned>(args->param[0]), 0, stream>>>(
        static_cast<const double *>(args->buf[0]), static_cast<double *>(args->buf[1]),
        static_cast<int>(args->param[1]));
    return assay_launch_status();
}

static __global__ void norms_kernel(const double *in, double *out)
{
    const float f[4] = { static_cast<float>(in[0]), static_cast<float>(in[1]),
                         static_cast<float>(in[2]), static_cast<float>(in[3]) };

    out[0]  = norm(4, in);
    out[1]  = rnorm(4, in);
    out[2]  = norm3d(in[0], in[1], in[2]);
    out[3]  = rnorm3d(in[0], in[1], in[2]);
    out[4]  = norm4d(in[0], in[1], in[2], in[3]);
    out[5]  = rnorm4d(in[0], in[1], in[2], in[3]);
    out[6]  = hypot(in[0], in[1]);
    out[7]  = rhypot(in[0], in[1]);
    out[8]  = static_cast<double>(normf(4, f));
    out[9]  = static_cast<double>(rnormf(4, f));
    out[10] = static_cast<double>(norm3df(f[0], f[1], f[2]));
    out[11] = static_cast<double>(rnorm3df(f[0], f[1], f[2]));
    out[12] = static_cast<double>(norm4df(f[0], f[1], f[2], f[3]));
    out[13] = static_cast<double>(rnorm4df(f[0], f[1], f[2], f[3]));
    out[14] = static_cast<double>(hypotf(f[0], f[1]));
    out[15] = static_cast<double>(rhypotf(f[0], f[1]));
}

ASSAY_LAUNCHER(executor_norms)
{
    norms_kernel<<<1, 1, 0, stream>>>(static_cast<const double *>(args->buf[0]),
                                      static_cast<double *>(args->buf[1]));
    return assay_launch_status();
}

/* Sizes and alignments of CUDA's vectors. */
#define VECTOR(name, size, alignment)                                                              \
    static_assert(sizeof(name) == (size) && alignof(name) == (alignment), #name)
VECTOR(long1, 8, 8);
VECTOR(long2, 16, 16);
VECTOR(long3, 24, 8);
VECTOR(ulong2, 16, 16);
VECTOR(long4_16a, 32, 16);
VECTOR(ulong4_32a, 32, 32);
VECTOR(longlong4_16a, 32, 16);
VECTOR(ulonglong4_32a, 32, 32);
VECTOR(double4_16a, 32, 16);
VECTOR(double4_32a, 32, 32);
static_assert(sizeof(uint) == 4 && sizeof(ushort) == 2 && sizeof(ulong) == 8, "names of C's types");

static __global__ void constants_kernel(double *out)
{
    const double4_32a four  = make_double4_32a(CUDART_PI, CUDART_L2E, CUDART_LNPI, CUDART_TWOTHIRD);
    const long3       three = make_long3(1, 2, 3);

    out[0] = four.x;
    out[1] = four.y;
    out[2] = four.z;
    out[3] = four.w;
    out[4] = CUDART_INF;
    out[5] = CUDART_NAN;
    out[6] = static_cast<double>(CUDART_NAN_F);
    out[7] = static_cast<double>(CUDART_PI_F);
    out[8] = static_cast<double>(three.x + 10 * three.y + 100 * three.z);
    out[9] = CUDART_LN2_HI + 0 * CUDART_LN2_LO;
}

ASSAY_LAUNCHER(executor_constants)
{
    constants_kernel<<<1, 1, 0, stream>>>(static_cast<double *>(args->buf[1]));
    return assay_launch_status();
}

/* ---- addresses: each thread finds its element of three arrays again, and says what is where */

static __device__ int in_global;

static __global__ void address_kernel(unsigned *out)
{
    __shared__ int    first[64];
    __shared__ double second[64];
    extern __shared__ __align__(16) float third[];
    const unsigned                        i     = threadIdx.x;
    int                                   local = 0;

    first[i]  = static_cast<int>(i);
    second[i] = i + 0.5;
    third[i]  = static_cast<float>(i) + 0.25f;
    __syncthreads();
    const unsigned one   = static_cast<unsigned>(__cvta_generic_to_shared(first));
    const unsigned two   = static_cast<unsigned>(__cvta_generic_to_shared(&second[63 - i]));
    const unsigned three = static_cast<unsigned>(__cvta_generic_to_shared(third + 64));
    const unsigned other = (i + 1) % 64;
    const bool     is_right =
        *static_cast<int *>(__cvta_shared_to_generic(one + 4 * other)) == static_cast<int>(other) &&
        *static_cast<double *>(__cvta_shared_to_generic(two)) == 63.5 - i &&
        *static_cast<float *>(__cvta_shared_to_generic(three - 4 * (64 - other))) ==
            static_cast<float>(other) + 0.25f &&
        one % alignof(int) == 0 && two % alignof(double) == 0 && three % 16 == 0;

    out[64 * blockIdx.x + i] =
        is_right | __isShared(&first[i]) << 1 | __isShared(&third[i]) << 2 | __isGlobal(out) << 3 |
        __isLocal(&local) << 4 | __isGlobal(&in_global) << 5 | __isShared(out) << 6 |
        __isShared(&local) << 7 | __isGlobal(&local) << 8 | __isGlobal(&first[i]) << 9 |
        __isLocal(out) << 10 | __isLocal(&first[i]) << 11;
}

ASSAY_LAUNCHER(executor_address)
{
    address_kernel<<<3, 64, 64 * sizeof(float), stream>>>(static_cast<unsigned *>(args->buf[1]));
    return assay_launch_status();
}

/* Addresses of no array: after the end of one, and of other memory. */
static __global__ void lost_kernel(int64_t what, unsigned *out)
{
    __shared__ int only[8];
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(only));

    if (what == 0)
        *out = static_cast<unsigned>(__cvta_generic_to_shared(out));
    else if (what == 1)
        *out = *static_cast<unsigned *>(__cvta_shared_to_generic(address + 36));
    else
        *out = *static_cast<unsigned *>(__cvta_shared_to_generic(40));
}

ASSAY_LAUNCHER(executor_lost)
{
    lost_kernel<<<1, 1, 0, stream>>>(args->param[0], static_cast<unsigned *>(args->buf[1]));
    return assay_launch_status();
}
