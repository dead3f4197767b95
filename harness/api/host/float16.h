/* What __half and __nv_bfloat16 have in common for host compilation, written from the documentation
 * of cuda_fp16.h and cuda_bf16.h. What is not here does not compile. Arithmetic is done in fp32 and
 * rounded to the type. For one operation that equals the exact result rounded once, since fp32 has
 * at least two bits more than twice those of the type. */
#ifndef ASSAY_HOST_FLOAT16_H
#define ASSAY_HOST_FLOAT16_H

#include "host/atomics.h"
#include "host/narrow_float.h"
#include "host/vector_types.h"

#include <type_traits>

/* Returns the larger (SIGN 1) or the smaller (-1) of two. Of a number and a NaN it returns the
 * number; 0 is larger than -0.
 */
template <int SIGN, typename T> inline T assay_narrow_extreme(T a, T b)
{
    const float x = static_cast<float>(SIGN) * assay_to_float(a);
    const float y = static_cast<float>(SIGN) * assay_to_float(b);

    if (isnan(x))
        return isnan(y) ? T(NAN) : b;
    return isnan(y) || x > y || (x == y && !signbit(x)) ? a : b;
}

/* NAME: the type; FORMAT: its fields; PAIR: the type of two of them. */
#define ASSAY_HOST_FLOAT16(NAME, PAIR, FORMAT)                                                     \
    struct __attribute__((aligned(2))) NAME##_raw {                                                \
        unsigned short x;                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(4))) PAIR##_raw {                                                \
        unsigned short x, y;                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(2))) NAME {                                                      \
        unsigned short __x;                                                                        \
                                                                                                   \
        NAME() = default;                                                                          \
        NAME(float value) : __x(static_cast<unsigned short>(FORMAT::from_float(value))) {}         \
        NAME(double value) : __x(static_cast<unsigned short>(FORMAT::from_double(value))) {}       \
        template <typename I, typename = std::enable_if_t<std::is_integral<I>::value>>             \
        NAME(I value) : NAME(assay_narrow_of_integer(value))                                       \
        {                                                                                          \
        }                                                                                          \
        constexpr NAME(NAME##_raw raw) : __x(raw.x) {}                                             \
        operator NAME##_raw() const { return NAME##_raw { __x }; }                                 \
        operator float() const { return FORMAT::to_float(__x); }                                   \
    };                                                                                             \
    struct __attribute__((aligned(4))) PAIR {                                                      \
        NAME x, y;                                                                                 \
                                                                                                   \
        PAIR() = default;                                                                          \
        constexpr PAIR(NAME first, NAME second) : x(first), y(second) {}                           \
        PAIR(PAIR##_raw raw) : x(NAME##_raw { raw.x }), y(NAME##_raw { raw.y }) {}                 \
        operator PAIR##_raw() const { return PAIR##_raw { x.__x, y.__x }; }                        \
    };                                                                                             \
                                                                                                   \
    inline float assay_to_float(NAME a) { return static_cast<float>(a); }                          \
    inline NAME  operator+(NAME a, NAME b) { return NAME(assay_to_float(a) + assay_to_float(b)); } \
    inline NAME  operator-(NAME a, NAME b) { return NAME(assay_to_float(a) - assay_to_float(b)); } \
    inline NAME  operator*(NAME a, NAME b) { return NAME(assay_to_float(a) * assay_to_float(b)); } \
    inline NAME  operator/(NAME a, NAME b) { return NAME(assay_to_float(a) / assay_to_float(b)); } \
    inline NAME  operator-(NAME a) { return a.__x ^= 0x8000u, a; }                                 \
    inline NAME  operator+(NAME a) { return a; }                                                   \
    inline NAME &operator+=(NAME &a, NAME b) { return a = a + b; }                                 \
    inline NAME &operator-=(NAME &a, NAME b) { return a = a - b; }                                 \
    inline NAME &operator*=(NAME &a, NAME b) { return a = a * b; }                                 \
    inline NAME &operator/=(NAME &a, NAME b) { return a = a / b; }                                 \
    inline bool  operator==(NAME a, NAME b) { return assay_to_float(a) == assay_to_float(b); }     \
    inline bool  operator!=(NAME a, NAME b) { return assay_to_float(a) != assay_to_float(b); }     \
    inline bool  operator<(NAME a, NAME b) { return assay_to_float(a) < assay_to_float(b); }       \
    inline bool  operator>(NAME a, NAME b) { return assay_to_float(a) > assay_to_float(b); }       \
    inline bool  operator<=(NAME a, NAME b) { return assay_to_float(a) <= assay_to_float(b); }     \
    inline bool  operator>=(NAME a, NAME b) { return assay_to_float(a) >= assay_to_float(b); }     \
                                                                                                   \
    inline NAME __hadd(NAME a, NAME b) { return a + b; }                                           \
    inline NAME __hsub(NAME a, NAME b) { return a - b; }                                           \
    inline NAME __hmul(NAME a, NAME b) { return a * b; }                                           \
    inline NAME __hdiv(NAME a, NAME b) { return a / b; }                                           \
    inline NAME __hadd_rn(NAME a, NAME b) { return a + b; }                                        \
    inline NAME __hsub_rn(NAME a, NAME b) { return a - b; }                                        \
    inline NAME __hmul_rn(NAME a, NAME b) { return a * b; }                                        \
    inline NAME __hneg(NAME a) { return -a; }                                                      \
    inline NAME __habs(NAME a) { return a.__x &= 0x7FFFu, a; }                                     \
    inline NAME __hfma(NAME a, NAME b, NAME c)                                                     \
    {                                                                                              \
        return NAME(assay_narrow_fma(static_cast<double>(assay_to_float(a)),                       \
                                     static_cast<double>(assay_to_float(b)),                       \
                                     static_cast<double>(assay_to_float(c))));                     \
    }                                                                                              \
    inline bool __heq(NAME a, NAME b) { return a == b; }                                           \
    inline bool __hne(NAME a, NAME b) { return a < b || a > b; }                                   \
    inline bool __hlt(NAME a, NAME b) { return a < b; }                                            \
    inline bool __hgt(NAME a, NAME b) { return a > b; }                                            \
    inline bool __hle(NAME a, NAME b) { return a <= b; }                                           \
    inline bool __hge(NAME a, NAME b) { return a >= b; }                                           \
    inline bool __hisnan(NAME a) { return a != a; }                                                \
    inline int  __hisinf(NAME a)                                                                   \
    {                                                                                              \
        return (a.__x & 0x7FFFu) == FORMAT::INFINITE ? (a.__x == FORMAT::INFINITE ? 1 : -1) : 0;   \
    }                                                                                              \
    inline NAME __hmax(NAME a, NAME b) { return assay_narrow_extreme<1>(a, b); }                   \
    inline NAME __hmin(NAME a, NAME b) { return assay_narrow_extreme<-1>(a, b); }                  \
                                                                                                   \
    inline PAIR __hadd2(PAIR a, PAIR b) { return PAIR(a.x + b.x, a.y + b.y); }                     \
    inline PAIR __hsub2(PAIR a, PAIR b) { return PAIR(a.x - b.x, a.y - b.y); }                     \
    inline PAIR __hmul2(PAIR a, PAIR b) { return PAIR(a.x * b.x, a.y * b.y); }                     \
    inline PAIR __h2div(PAIR a, PAIR b) { return PAIR(a.x / b.x, a.y / b.y); }                     \
    inline PAIR __hneg2(PAIR a) { return PAIR(-a.x, -a.y); }                                       \
    inline PAIR __habs2(PAIR a) { return PAIR(__habs(a.x), __habs(a.y)); }                         \
    inline PAIR __hmax2(PAIR a, PAIR b) { return PAIR(__hmax(a.x, b.x), __hmax(a.y, b.y)); }       \
    inline PAIR __hmin2(PAIR a, PAIR b) { return PAIR(__hmin(a.x, b.x), __hmin(a.y, b.y)); }       \
    inline PAIR __hfma2(PAIR a, PAIR b, PAIR c)                                                    \
    {                                                                                              \
        return PAIR(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                 \
    }                                                                                              \
    inline PAIR  operator+(PAIR a, PAIR b) { return __hadd2(a, b); }                               \
    inline PAIR  operator-(PAIR a, PAIR b) { return __hsub2(a, b); }                               \
    inline PAIR  operator*(PAIR a, PAIR b) { return __hmul2(a, b); }                               \
    inline PAIR  operator/(PAIR a, PAIR b) { return __h2div(a, b); }                               \
    inline PAIR  operator-(PAIR a) { return __hneg2(a); }                                          \
    inline PAIR &operator+=(PAIR &a, PAIR b) { return a = a + b; }                                 \
    inline PAIR &operator-=(PAIR &a, PAIR b) { return a = a - b; }                                 \
    inline PAIR &operator*=(PAIR &a, PAIR b) { return a = a * b; }                                 \
    inline PAIR &operator/=(PAIR &a, PAIR b) { return a = a / b; }                                 \
    inline bool  operator==(PAIR a, PAIR b) { return a.x == b.x && a.y == b.y; }                   \
    inline bool  operator!=(PAIR a, PAIR b) { return a.x != b.x && a.y != b.y; }                   \
                                                                                                   \
    inline NAME  __ldg(const NAME *at) { return *at; }                                             \
    inline PAIR  __ldg(const PAIR *at) { return *at; }                                             \
    inline float __low2float(PAIR a) { return assay_to_float(a.x); }                               \
    inline float __high2float(PAIR a) { return assay_to_float(a.y); }

/* Functions of one number and of a pair, computed in fp32. Those that are approximate on a GPU are
 * accurate here. */
#define ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, function, of_fp32)                                 \
    inline NAME h##function(NAME a) { return NAME(of_fp32(assay_to_float(a))); }                   \
    inline PAIR h2##function(PAIR a) { return PAIR(h##function(a.x), h##function(a.y)); }
/* Here a pair is one access; on a GPU it is two. */
#define ASSAY_HOST_FLOAT16_ADD(T)                                                                  \
    inline T atomicAdd(T *p, T value, ASSAY_HOST_SITE)                                             \
    {                                                                                              \
        return assay_host_update(                                                                  \
            p, [value](T old) -> T { return old + value; }, 0, ASSAY_SCOPE_DEVICE, file, line);    \
    }
#define ASSAY_HOST_FLOAT16_FUNCTIONS(NAME, PAIR)                                                   \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, sqrt, sqrtf)                                           \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, rsqrt, 1.0f / sqrtf)                                   \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, rcp, 1.0f /)                                           \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, exp, expf)                                             \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, exp2, exp2f)                                           \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, log, logf)                                             \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, log2, log2f)                                           \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, sin, sinf)                                             \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, cos, cosf)                                             \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, floor, floorf)                                         \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, ceil, ceilf)                                           \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, trunc, truncf)                                         \
    ASSAY_HOST_FLOAT16_FUNCTION(NAME, PAIR, rint, rintf)                                           \
    ASSAY_HOST_FLOAT16_ADD(NAME)                                                                   \
    ASSAY_HOST_FLOAT16_ADD(PAIR)

#endif
