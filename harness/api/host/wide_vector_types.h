/* CUDA's vectors of long, and those of four numbers of 64 bits that name their alignment. */
#ifndef ASSAY_HOST_WIDE_VECTOR_TYPES_H
#define ASSAY_HOST_WIDE_VECTOR_TYPES_H

#include <sys/types.h> /* uint, ushort, ulong: CUDA programs use them */

#define ASSAY_HOST_FOUR(type, name, alignment)                                                     \
    struct __attribute__((aligned(alignment))) name {                                              \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    inline name make_##name(type x, type y, type z, type w) { return name { x, y, z, w }; }
#define ASSAY_HOST_FOURS(type, name)                                                               \
    ASSAY_HOST_FOUR(type, name##_16a, 16)                                                          \
    ASSAY_HOST_FOUR(type, name##_32a, 32)
#define ASSAY_HOST_LONGS(type, name)                                                               \
    struct name##1 { type x; };                                                                    \
    struct __attribute__((aligned(16))) name##2 { type x, y; };                                    \
    struct name##3 { type x, y, z; };                                                              \
    inline name##1 make_##name##1(type x) { return name##1 { x }; }                                \
    inline name##2 make_##name##2(type x, type y) { return name##2 { x, y }; }                     \
    inline name##3 make_##name##3(type x, type y, type z) { return name##3 { x, y, z }; }          \
    ASSAY_HOST_FOUR(type, name##4, 16)                                                             \
    ASSAY_HOST_FOURS(type, name##4)

ASSAY_HOST_LONGS(long, long)
ASSAY_HOST_LONGS(unsigned long, ulong)
ASSAY_HOST_FOURS(long long, longlong4)
ASSAY_HOST_FOURS(unsigned long long, ulonglong4)
ASSAY_HOST_FOURS(double, double4)
#undef ASSAY_HOST_LONGS
#undef ASSAY_HOST_FOURS
#undef ASSAY_HOST_FOUR

#endif
