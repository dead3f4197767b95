/* CUDA's mathematical functions beyond <math.h>, in the host's IEEE arithmetic. Kernels are built
 * with -ffp-contract=off, so that __fmul_rn and a plain product are the same. The fast functions
 * (__expf, __sinf, ...) are accurate here; the tolerance of a case covers the difference. */
#ifndef ASSAY_HOST_MATH_H
#define ASSAY_HOST_MATH_H

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- min, max: the overloads of CUDA, mixed integers included */

#define ASSAY_HOST_MIN_MAX(result, a_type, b_type)                                                 \
    inline result min(a_type a, b_type b)                                                          \
    {                                                                                              \
        const result x = static_cast<result>(a), y = static_cast<result>(b);                       \
        return y < x ? y : x;                                                                      \
    }                                                                                              \
    inline result max(a_type a, b_type b)                                                          \
    {                                                                                              \
        const result x = static_cast<result>(a), y = static_cast<result>(b);                       \
        return x < y ? y : x;                                                                      \
    }
#define ASSAY_HOST_MIN_MAX_MIXED(result, a_type, b_type)                                           \
    ASSAY_HOST_MIN_MAX(result, a_type, b_type)                                                     \
    ASSAY_HOST_MIN_MAX(result, b_type, a_type)
ASSAY_HOST_MIN_MAX(int, int, int)
ASSAY_HOST_MIN_MAX(unsigned, unsigned, unsigned)
ASSAY_HOST_MIN_MAX(long, long, long)
ASSAY_HOST_MIN_MAX(unsigned long, unsigned long, unsigned long)
ASSAY_HOST_MIN_MAX(long long, long long, long long)
ASSAY_HOST_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
ASSAY_HOST_MIN_MAX_MIXED(unsigned, int, unsigned)
ASSAY_HOST_MIN_MAX_MIXED(unsigned long, long, unsigned long)
ASSAY_HOST_MIN_MAX_MIXED(unsigned long long, long long, unsigned long long)
#undef ASSAY_HOST_MIN_MAX_MIXED
#undef ASSAY_HOST_MIN_MAX
/* If one operand is NaN, the result is the other one. */
inline float  min(float a, float b) { return fminf(a, b); }
inline float  max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(static_cast<double>(a), b); }
inline double max(float a, double b) { return fmax(static_cast<double>(a), b); }
inline double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
inline double max(double a, float b) { return fmax(a, static_cast<double>(b)); }

/* ---- bits of a number */

template <typename To, typename From> inline To assay_host_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same number of bits");
    To to;

    memcpy(&to, &from, sizeof to);
    return to;
}
inline unsigned  __float_as_uint(float x) { return assay_host_bits<unsigned>(x); }
inline int       __float_as_int(float x) { return assay_host_bits<int>(x); }
inline float     __uint_as_float(unsigned x) { return assay_host_bits<float>(x); }
inline float     __int_as_float(int x) { return assay_host_bits<float>(x); }
inline long long __double_as_longlong(double x) { return assay_host_bits<long long>(x); }
inline double    __longlong_as_double(long long x) { return assay_host_bits<double>(x); }
inline int __double2hiint(double x) { return static_cast<int>(assay_host_bits<uint64_t>(x) >> 32); }
inline int __double2loint(double x)
{
    return static_cast<int>(assay_host_bits<uint64_t>(x) & 0xffffffffu);
}
inline double __hiloint2double(int high, int low)
{
    return assay_host_bits<double>(static_cast<uint64_t>(static_cast<unsigned>(high)) << 32 |
                                   static_cast<unsigned>(low));
}

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
inline int __clzll(long long x)
{
    return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
inline unsigned __brev(unsigned x)
{
    unsigned reversed = 0;

    for (int i = 0; i < 32; i++)
        reversed |= (x >> i & 1u) << (31 - i);
    return reversed;
}
inline unsigned long long __brevll(unsigned long long x)
{
    return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x & 0xffffffffu))) << 32 |
           __brev(static_cast<unsigned>(x >> 32));
}
/* Byte i of the result is that byte of the eight bytes b:a whose number is in nibble i of the
 * selector. */
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    const uint64_t bytes  = static_cast<uint64_t>(b) << 32 | a;
    unsigned       result = 0;

    for (unsigned i = 0; i < 4; i++)
        result |= static_cast<unsigned>(bytes >> (selector >> 4 * i & 7u) * 8 & 0xffu) << 8 * i;
    return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return static_cast<unsigned>(((static_cast<uint64_t>(high) << 32 | low) << (shift & 31u)) >>
                                 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) >> (shift & 31u));
}

/* ---- integer arithmetic */

inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b)
{
    return static_cast<unsigned>(static_cast<uint64_t>(a) * b >> 32);
}
__extension__ typedef unsigned __int128 assay_host_uint128;
inline unsigned long long               __umul64hi(unsigned long long a, unsigned long long b)
{
    return static_cast<unsigned long long>(static_cast<assay_host_uint128>(a) * b >> 64);
}
inline int __mul24(int a, int b)
{
    return static_cast<int>(static_cast<unsigned>((a << 8) >> 8) *
                            static_cast<unsigned>((b << 8) >> 8));
}
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }

/* ---- rounded arithmetic (to nearest even, as the host does) */

inline float __fadd_rn(float a, float b) { return a + b; }
/* Rounds down. The rounding error of a sum is a float too. The sum of opposite numbers is -0. */
inline float __fadd_rd(float a, float b)
{
    const float sum = a + b, part = sum - a, lost = (a - (sum - part)) + (b - part);

    if (sum == 0)
        return signbit(a) || signbit(b) ? -0.0f : sum;
    if (isinf(sum))
        return sum > 0 && isfinite(a) && isfinite(b) ? FLT_MAX : sum;
    return lost < 0 ? nextafterf(sum, -HUGE_VALF) : sum;
}
inline float  __fsub_rn(float a, float b) { return a - b; }
inline float  __fmul_rn(float a, float b) { return a * b; }
inline float  __fdiv_rn(float a, float b) { return a / b; }
inline float  __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float  __frcp_rn(float a) { return 1.0f / a; }
inline float  __fsqrt_rn(float a) { return sqrtf(a); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
inline double __drcp_rn(double a) { return 1.0 / a; }
inline double __dsqrt_rn(double a) { return sqrt(a); }

/* 1/sqrt in double, then rounded to float: more accurate than the GPU's 2 ULP. */
inline double rsqrt(double a) { return 1.0 / sqrt(a); }
inline float  rsqrtf(float a) { return static_cast<float>(rsqrt(static_cast<double>(a))); }
inline float  rsqrt(float a) { return rsqrtf(a); }
inline float  __frsqrt_rn(float a) { return rsqrtf(a); }
inline double rcbrt(double a) { return 1.0 / cbrt(a); }
inline float  rcbrtf(float a) { return static_cast<float>(rcbrt(static_cast<double>(a))); }
inline float  __saturatef(float a) { return fminf(fmaxf(a, 0.0f), 1.0f); }
inline float  __fdividef(float a, float b) { return a / b; }
/* Exact at multiples of pi/2, since x is reduced before it is multiplied by pi. */
inline double assay_host_half_turns(double x) { return x - 2 * nearbyint(x / 2); }
inline double sinpi(double x)
{
    const double r = assay_host_half_turns(x);

    return sin(M_PI * (fabs(r) > 0.5 ? copysign(1.0, r) - r : r));
}
inline double cospi(double x) { return sin(M_PI * (0.5 - fabs(assay_host_half_turns(x)))); }
inline float  sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
inline float  cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
inline void   sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
inline void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
inline float norm3df(float a, float b, float c)
{
    const double x = static_cast<double>(a), y = static_cast<double>(b), z = static_cast<double>(c);

    if (isinf(a) || isinf(b) || isinf(c))
        return HUGE_VALF; /* whatever the others are */
    return static_cast<float>(sqrt(x * x + y * y + z * z));
}
inline float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }

inline void assay_host_sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}

/* Macros, since <math.h> already declares some of these names. */
#define __expf(x)          expf(x)
#define __exp10f(x)        powf(10.0f, (x))
#define exp10f(x)          powf(10.0f, (x))
#define __logf(x)          logf(x)
#define __log2f(x)         log2f(x)
#define __log10f(x)        log10f(x)
#define __sinf(x)          sinf(x)
#define __cosf(x)          cosf(x)
#define __tanf(x)          tanf(x)
#define __tanhf(x)         tanhf(x)
#define __powf(x, y)       powf((x), (y))
#define __sincosf(x, s, c) assay_host_sincosf((x), (s), (c))
#define sincosf(x, s, c)   assay_host_sincosf((x), (s), (c))

/* ---- conversions: round, then saturate; NaN gives 0 from fp32 to 32 bits, else the highest bit */

template <typename To>
inline To assay_host_saturate(double x, double low, double high, bool is_of_double = true)
{
    if (isnan(x))
        return is_of_double || sizeof(To) == 8 ? static_cast<To>(1ull << (8 * sizeof(To) - 1))
                                               : To(0);
    if (x <= low)
        return static_cast<To>(low);
    /* The largest 64-bit integers cannot be stored in a double; the next value above can. */
    if (x >= high)
        return sizeof(To) == 4
                   ? static_cast<To>(high)
                   : (To(0) < To(-1) ? static_cast<To>(ULLONG_MAX) : static_cast<To>(LLONG_MAX));
    return static_cast<To>(x);
}
#define ASSAY_HOST_TO_INT(suffix, round)                                                           \
    inline int __float2int_##suffix(float x)                                                       \
    {                                                                                              \
        return assay_host_saturate<int>(round(static_cast<double>(x)), INT_MIN, INT_MAX, false);   \
    }                                                                                              \
    inline unsigned __float2uint_##suffix(float x)                                                 \
    {                                                                                              \
        return assay_host_saturate<unsigned>(round(static_cast<double>(x)), 0, UINT_MAX, false);   \
    }                                                                                              \
    inline long long __float2ll_##suffix(float x)                                                  \
    {                                                                                              \
        return assay_host_saturate<long long>(round(static_cast<double>(x)), -0x1p63, 0x1p63);     \
    }                                                                                              \
    inline unsigned long long __float2ull_##suffix(float x)                                        \
    {                                                                                              \
        return assay_host_saturate<unsigned long long>(round(static_cast<double>(x)), 0, 0x1p64);  \
    }                                                                                              \
    inline int __double2int_##suffix(double x)                                                     \
    {                                                                                              \
        return assay_host_saturate<int>(round(x), INT_MIN, INT_MAX);                               \
    }                                                                                              \
    inline unsigned __double2uint_##suffix(double x)                                               \
    {                                                                                              \
        return assay_host_saturate<unsigned>(round(x), 0, UINT_MAX);                               \
    }                                                                                              \
    inline long long __double2ll_##suffix(double x)                                                \
    {                                                                                              \
        return assay_host_saturate<long long>(round(x), -0x1p63, 0x1p63);                          \
    }
ASSAY_HOST_TO_INT(rn, nearbyint)
ASSAY_HOST_TO_INT(rd, floor)
ASSAY_HOST_TO_INT(ru, ceil)
ASSAY_HOST_TO_INT(rz, trunc)
#undef ASSAY_HOST_TO_INT
inline float  __int2float_rn(int x) { return static_cast<float>(x); }
inline float  __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float  __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float  __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline float  __double2float_rn(double x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return static_cast<double>(x); }
inline double __uint2double_rn(unsigned x) { return static_cast<double>(x); }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }

#endif
