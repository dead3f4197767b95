/* Jacobi's rotations of up to 32 columns by one warp: which pairs of columns meet in a round, and
 * by which angle. */
#ifndef ASSAY_OPS_ROTATE_CUH
#define ASSAY_OPS_ROTATE_CUH

#include "kernel.h"

enum {
    OPS_ROTATE_COLUMNS = 32,
    OPS_ROTATE_LD      = OPS_ROTATE_COLUMNS + 1, /* no bank conflicts along rows or columns */
    OPS_ROTATE_SWEEPS  = 20                      /* 5 to 8 are usual */
};

/* The number of columns, made even: the last one may not be there. */
__host__ __device__ inline int ops_rotate_even(int n) { return n + n % 2; }
__host__ __device__ inline int ops_rotate_rounds(int n) { return ops_rotate_even(n) - 1; }

/* As in a tournament: one column stays, the others go round. In each round the pairs are disjoint;
 * after all rounds any two columns have met once. */
struct ops_pair {
    int  p, q; /* p < q */
    bool is_there;
};

__device__ inline ops_pair ops_rotate_pair(int n, int round, int k)
{
    const int others = ops_rotate_rounds(n);
    const int a      = k == 0 ? others : (round + k) % others;
    const int b      = (round + others - k) % others;
    ops_pair  pair;

    pair.p        = min(a, b);
    pair.q        = max(a, b);
    pair.is_there = pair.q < n;
    return pair;
}

struct ops_rotation {
    float c, s;
};

/* The tangent of the smaller of the two angles that make [pp pq; pq qq] diagonal. pq is not 0. */
__device__ inline float ops_tangent_of(float pp, float pq, float qq)
{
    const float cotangent = (qq - pp) / (2 * pq); /* of twice the angle */

    return copysignf(1 / (fabsf(cotangent) + sqrtf(fmaf(cotangent, cotangent, 1))), cotangent);
}

__device__ inline ops_rotation ops_rotation_by(float tangent)
{
    ops_rotation r;

    r.c = 1 / sqrtf(fmaf(tangent, tangent, 1));
    r.s = tangent * r.c;
    return r;
}

/* Makes [pp pq; pq qq] diagonal. pq is not 0. */
__device__ inline ops_rotation ops_rotation_of(float pp, float pq, float qq)
{
    return ops_rotation_by(ops_tangent_of(pp, pq, qq));
}

__device__ inline void ops_rotate(ops_rotation r, float *x, float *y)
{
    const float old = *x;

    *x = fmaf(r.c, old, -r.s * *y);
    *y = fmaf(r.s, old, r.c * *y);
}

#endif
