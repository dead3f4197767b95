/* fp16 for host compilation, by the documentation of CUDA's header of this name. */
#ifndef ASSAY_HOST_CUDA_FP16_H
#define ASSAY_HOST_CUDA_FP16_H
#define __CUDA_FP16_H__ /* of CUDA's own, which its libraries include from beside themselves */

#include "host/float16.h"
#include "host/float16_more.h"

ASSAY_HOST_FLOAT16(__half, __half2, assay_binary16)
ASSAY_HOST_FLOAT16_FUNCTIONS(__half, __half2)
using half  = __half;
using half2 = __half2;

inline __half         __float2half(float a) { return __half(a); }
inline __half         __float2half_rn(float a) { return __half(a); }
inline __half         __double2half(double a) { return __half(a); }
inline float          __half2float(__half a) { return assay_to_float(a); }
inline unsigned short __half_as_ushort(__half a) { return a.__x; }
inline short          __half_as_short(__half a) { return static_cast<short>(a.__x); }
inline __half         __ushort_as_half(unsigned short bits)
{
    __half a;

    a.__x = bits;
    return a;
}
inline __half __short_as_half(short bits)
{
    return __ushort_as_half(static_cast<unsigned short>(bits));
}

inline __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
inline __half2 make_half2(__half a, __half b) { return __half2(a, b); }
inline __half2 __half2half2(__half a) { return __half2(a, a); }
inline __half2 __float2half2_rn(float a) { return __half2(__half(a), __half(a)); }
inline __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
inline __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
inline float2  __half22float2(__half2 a) { return make_float2(__low2float(a), __high2float(a)); }
inline __half  __low2half(__half2 a) { return a.x; }
inline __half  __high2half(__half2 a) { return a.y; }

/* Further functions of both types: comparisons of pairs, conversions in each rounding mode, ... */
ASSAY_HOST_FLOAT16_MORE(__half, __half2, half)
ASSAY_HOST_FLOAT16_COMPARISONS(__half, __half2)
ASSAY_HOST_FLOAT16_CONVERSIONS(__half, assay_binary16, half)

#endif
