/* Eigenvalues and eigenvectors of symmetric matrices in registers, by rotations of neighbours.
 *
 * A group of N lanes has a matrix of up to N rows, a lane a row of A and of V. A round rotates
 * columns 0 and 1, 2 and 3, ..., the next one 1 and 2, 3 and 4, ...; and each pair then changes
 * places. After N rounds any two columns have met once, and their order is reversed (F. T. Luk and
 * H. Park, A proof of convergence for two parallel Jacobi SVD algorithms, 1989). So the compiler
 * knows which registers a round rotates, and rows meet by one shuffle. */
#ifndef ASSAY_EIGEN_JACOBI_CUH
#define ASSAY_EIGEN_JACOBI_CUH

#include "../ops/ops_any.cuh"
#include "../ops/ops_rotate.cuh"

/* What a lane has: row `at` of A and V, and the element of A's diagonal. A[at][at] itself is not
 * kept up to date. */
template <int N> struct eigen_row {
    int   at;
    float a[N], v[N], diagonal;
};

/* A round's rotations by group, aligned so that two are one access of 16 bytes. */
template <int N> struct eigen_rotations {
    alignas(16) ops_rotation of[32 / N][N / 2];
};

template <int N> __device__ inline int eigen_group(void) { return ops_lane() / N; }

/* The pair of this lane in rounds whose first pair starts at column FIRST, 0 or 1. Lanes at the
 * ends may be without one: then their partner is themselves. */
struct eigen_pair {
    int  k, partner;
    bool is_lower;
};

template <int N, int FIRST> __device__ inline eigen_pair eigen_pair_of(int at)
{
    const bool is_alone = FIRST == 1 && (at == 0 || at == N - 1);
    eigen_pair pair;

    pair.is_lower = at % 2 == FIRST;
    pair.k        = is_alone ? N : (at - FIRST) / 2;
    pair.partner  = is_alone ? at : (pair.is_lower ? at + 1 : at - 1);
    return pair;
}

/* The tangent of this lane's rotation, equal in both lanes of a pair; 0 if it has no partner, or
 * the element between them is small. Moves the diagonal's elements to their new places. */
template <int N, int FIRST>
__device__ inline float eigen_turn(eigen_row<N> &row, eigen_pair pair, float small)
{
    const float other   = __shfl_sync(OPS_ALL_LANES, row.diagonal, pair.partner, N);
    float       between = 0;

#pragma unroll
    for (int k = 0; k < N / 2 - FIRST; k++)
        between = pair.k == k ? row.a[2 * k + FIRST + 1] : between;
    between = __shfl_sync(OPS_ALL_LANES, between, pair.is_lower ? row.at : pair.partner, N);

    const float lower = pair.is_lower ? row.diagonal : other;
    const float upper = pair.is_lower ? other : row.diagonal;
    const bool  turns = pair.k < N && fabsf(between) > small;
    const float t     = turns ? ops_tangent_of(lower, between, upper) : 0;

    row.diagonal = pair.is_lower ? fmaf(t, between, upper) : fmaf(-t, between, lower);
    if (pair.k == N)
        row.diagonal = other;
    return t;
}

/* Rotates two columns and lets them change places. */
__device__ inline void eigen_swap_columns(ops_rotation r, float *x, float *y)
{
    const float old = *x;

    *x = fmaf(r.s, old, r.c * *y);
    *y = fmaf(r.c, old, -r.s * *y);
}

template <int N, int FIRST>
__device__ inline void eigen_columns(eigen_row<N> &row, const eigen_rotations<N> &rotations)
{
#pragma unroll
    for (int k = 0; k < N / 2 - FIRST; k++) {
        const ops_rotation r = rotations.of[eigen_group<N>()][k];
        const int          p = 2 * k + FIRST;

        eigen_swap_columns(r, &row.a[p], &row.a[p + 1]);
        eigen_swap_columns(r, &row.v[p], &row.v[p + 1]);
    }
}

/* Rotates the two rows of a pair, which change places. The element between them is 0 then: without
 * the roundings that computing it would leave. */
template <int N, int FIRST>
__device__ inline void eigen_rows(eigen_row<N> &row, eigen_pair pair, ops_rotation r)
{
    const bool  is_alone = pair.k == N;
    const float mine     = is_alone ? 1 : (pair.is_lower ? r.s : -r.s);
    const float others   = is_alone ? 0 : r.c;

#pragma unroll
    for (int j = 0; j < N; j++) {
        const float other = __shfl_sync(OPS_ALL_LANES, row.a[j], pair.partner, N);

        row.a[j] = fmaf(mine, row.a[j], others * other);
    }
#pragma unroll
    for (int k = 0; k < N / 2 - FIRST; k++)
        if (pair.k == k)
            row.a[2 * k + FIRST] = row.a[2 * k + FIRST + 1] = 0;
}

/* Returns whether this lane has rotated. */
template <int N, int FIRST>
__device__ inline bool eigen_round(eigen_row<N> &row, eigen_rotations<N> &rotations, float small)
{
    const eigen_pair   pair = eigen_pair_of<N, FIRST>(row.at);
    const float        t    = eigen_turn<N, FIRST>(row, pair, small);
    const ops_rotation r    = ops_rotation_by(t);

    __syncwarp(); /* the round before has been read */
    if (pair.is_lower && pair.k < N)
        rotations.of[eigen_group<N>()][pair.k] = r;
    __syncwarp();
    eigen_columns<N, FIRST>(row, rotations);
    eigen_rows<N, FIRST>(row, pair, r);
    return t != 0;
}

/* Rotates until a sweep finds nothing above `small`, or the number of sweeps is reached. All 32
 * lanes call it. Returns whether columns are in reversed order. */
template <int N> __device__ inline bool
eigen_diagonalize(eigen_row<N> &row, eigen_rotations<N> &rotations, float small, int sweeps)
{
    bool has_rotated = true;
    int  sweep       = 0;

#pragma unroll
    for (int j = 0; j < N; j++)
        row.v[j] = j == row.at ? 1 : 0;
    for (; sweep < sweeps && __any_sync(OPS_ALL_LANES, has_rotated); sweep++) {
        has_rotated = false;
        for (int round = 0; round < N; round += 2) {
            has_rotated |= eigen_round<N, 0>(row, rotations, small);
            has_rotated |= eigen_round<N, 1>(row, rotations, small);
        }
    }
    return sweep % 2 == 1;
}

/* Which column is at a place, once the matrix is diagonal. */
template <int N> __device__ inline int eigen_column(int place, bool is_reversed)
{
    return is_reversed ? N - 1 - place : place;
}

#endif
