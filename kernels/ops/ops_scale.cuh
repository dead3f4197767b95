/* Powers of two that scale numbers so that their squares stay within single precision. */
#ifndef ASSAY_OPS_SCALE_CUH
#define ASSAY_OPS_SCALE_CUH

#include "kernel.h"

/* Scaling by them rounds nothing. Times `up`, the largest number is near 1, and its square is
 * neither 0 nor infinite; times `down`, the numbers are what they were. */
struct ops_scale {
    float up, down;
};

/* `largest` is the largest magnitude, as ops_magnitude gives it. */
__device__ inline ops_scale ops_scale_of(unsigned largest)
{
    const unsigned exponent = min(max(largest >> 23, 1u), 253u);
    ops_scale      s;

    s.up   = __uint_as_float((254 - exponent) << 23);
    s.down = __uint_as_float(exponent << 23);
    return s;
}

#endif
