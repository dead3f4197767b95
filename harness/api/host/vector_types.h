/* CUDA's short vectors and dim3 for host compilation: the same members, sizes and alignments. */
#ifndef ASSAY_HOST_VECTOR_TYPES_H
#define ASSAY_HOST_VECTOR_TYPES_H

/* One element type: name1 to name4, aligned as CUDA aligns them (a vector of three like its
 * element). */
#define ASSAY_HOST_VECTORS(type, name, align2, align4)                                             \
    struct name##1 { type x; };                                                                    \
    struct __attribute__((aligned(align2))) name##2 { type x, y; };                                \
    struct name##3 { type x, y, z; };                                                              \
    struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; };                          \
    inline name##1 make_##name##1(type x) { return name##1 { x }; }                                \
    inline name##2 make_##name##2(type x, type y) { return name##2 { x, y }; }                     \
    inline name##3 make_##name##3(type x, type y, type z) { return name##3 { x, y, z }; }          \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return name##4 { x, y, z, w }; }

ASSAY_HOST_VECTORS(signed char, char, 2, 4)
ASSAY_HOST_VECTORS(unsigned char, uchar, 2, 4)
ASSAY_HOST_VECTORS(short, short, 4, 8)
ASSAY_HOST_VECTORS(unsigned short, ushort, 4, 8)
ASSAY_HOST_VECTORS(int, int, 8, 16)
ASSAY_HOST_VECTORS(unsigned int, uint, 8, 16)
ASSAY_HOST_VECTORS(long long, longlong, 16, 16)
ASSAY_HOST_VECTORS(unsigned long long, ulonglong, 16, 16)
ASSAY_HOST_VECTORS(float, float, 8, 16)
ASSAY_HOST_VECTORS(double, double, 16, 16)
#undef ASSAY_HOST_VECTORS

struct dim3 {
    unsigned int x, y, z;

    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
        : x(x_), y(y_), z(z_)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3 { x, y, z }; }
};

#endif
