/* atomicAdd of two or four floats: each float is added atomically, but not all of them together. */
#ifndef ASSAY_HOST_VECTOR_ATOMICS_H
#define ASSAY_HOST_VECTOR_ATOMICS_H

#include "atomics.h"
#include "vector_types.h"

inline float2 atomicAdd(float2 *p, float2 value, ASSAY_HOST_SITE)
{
    return { atomicAdd(&p->x, value.x, file, line), atomicAdd(&p->y, value.y, file, line) };
}
inline float4 atomicAdd(float4 *p, float4 value, ASSAY_HOST_SITE)
{
    return { atomicAdd(&p->x, value.x, file, line), atomicAdd(&p->y, value.y, file, line),
             atomicAdd(&p->z, value.z, file, line), atomicAdd(&p->w, value.w, file, line) };
}

#endif
