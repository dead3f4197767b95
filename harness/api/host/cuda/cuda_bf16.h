/* bf16 for host compilation, by the documentation of CUDA's header of this name. */
#ifndef ASSAY_HOST_CUDA_BF16_H
#define ASSAY_HOST_CUDA_BF16_H
#define __CUDA_BF16_H__ /* of CUDA's own, which its libraries include from beside themselves */

#include "host/float16.h"
#include "host/float16_more.h"

ASSAY_HOST_FLOAT16(__nv_bfloat16, __nv_bfloat162, assay_bfloat16)
ASSAY_HOST_FLOAT16_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
using nv_bfloat16  = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

inline __nv_bfloat16  __float2bfloat16(float a) { return __nv_bfloat16(a); }
inline __nv_bfloat16  __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
inline __nv_bfloat16  __double2bfloat16(double a) { return __nv_bfloat16(a); }
inline float          __bfloat162float(__nv_bfloat16 a) { return assay_to_float(a); }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
inline short          __bfloat16_as_short(__nv_bfloat16 a) { return static_cast<short>(a.__x); }
inline __nv_bfloat16  __ushort_as_bfloat16(unsigned short bits)
{
    __nv_bfloat16 a;

    a.__x = bits;
    return a;
}
inline __nv_bfloat16 __short_as_bfloat16(short bits)
{
    return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
}

inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
inline __nv_bfloat162 __float2bfloat162_rn(float a)
{
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(a));
}
inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
inline float2         __bfloat1622float2(__nv_bfloat162 a)
{
    return make_float2(__low2float(a), __high2float(a));
}
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }

/* Further functions of both types: comparisons of pairs, conversions in each rounding mode, ... */
ASSAY_HOST_FLOAT16_MORE(__nv_bfloat16, __nv_bfloat162, bfloat16)
ASSAY_HOST_FLOAT16_COMPARISONS(__nv_bfloat16, __nv_bfloat162)
ASSAY_HOST_FLOAT16_CONVERSIONS(__nv_bfloat16, assay_bfloat16, bfloat16)

#endif
