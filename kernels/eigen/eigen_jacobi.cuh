/* Eigenvalues and eigenvectors of a symmetric matrix in shared memory, by one warp's rotations. */
#ifndef ASSAY_EIGEN_JACOBI_CUH
#define ASSAY_EIGEN_JACOBI_CUH

#include "../ops/ops_any.cuh"
#include "../ops/ops_rotate.cuh"

/* a[j] and v[j] are columns; the rotations are those of a round's pairs. */
struct eigen_tile {
    float        a[OPS_ROTATE_COLUMNS][OPS_ROTATE_LD], v[OPS_ROTATE_COLUMNS][OPS_ROTATE_LD];
    ops_rotation rotation[OPS_ROTATE_PAIRS];
};

__device__ inline bool eigen_is_there(const eigen_tile &t, int k) { return t.rotation[k].s != 0; }

/* Lane k finds the rotation of pair k: its angle is 0 if there is no such pair or the element is
 * already small. */
__device__ inline bool eigen_find(eigen_tile &t, int n, int round, float small)
{
    const int      k    = ops_lane();
    const ops_pair pair = ops_rotate_pair(n, round, k);
    ops_rotation   r    = { 1, 0 };

    if (k >= ops_rotate_even(n) / 2)
        return false;
    if (pair.is_there && fabsf(t.a[pair.q][pair.p]) > small)
        r = ops_rotation_of(t.a[pair.p][pair.p], t.a[pair.q][pair.p], t.a[pair.q][pair.q]);
    t.rotation[k] = r;
    return r.s != 0;
}

/* Lane i updates its row of A and of V, then its column of A. */
__device__ inline void eigen_apply(eigen_tile &t, int n, int round)
{
    const int i = ops_lane(), pairs = ops_rotate_even(n) / 2;

    for (int k = 0; k < pairs && i < n; k++)
        if (eigen_is_there(t, k)) {
            const ops_pair pair = ops_rotate_pair(n, round, k);

            ops_rotate(t.rotation[k], &t.a[pair.p][i], &t.a[pair.q][i]);
            ops_rotate(t.rotation[k], &t.v[pair.p][i], &t.v[pair.q][i]);
        }
    __syncwarp();
    for (int k = 0; k < pairs && i < n; k++)
        if (eigen_is_there(t, k)) {
            const ops_pair pair = ops_rotate_pair(n, round, k);

            ops_rotate(t.rotation[k], &t.a[i][pair.p], &t.a[i][pair.q]);
            if (i == pair.p) /* what the rotation should give, without its roundings */
                t.a[i][pair.q] = 0;
            if (i == pair.q)
                t.a[i][pair.p] = 0;
        }
    __syncwarp();
}

/* Rotates until a sweep finds nothing above `small`, or the number of sweeps is reached. All 32
 * lanes call it; all see what each has written before. */
__device__ inline void eigen_diagonalize(eigen_tile &t, int n, float small, int sweeps)
{
    bool has_rotated = true;

    for (int j = 0; j < n; j++)
        t.v[j][ops_lane()] = ops_lane() == j ? 1 : 0;
    __syncwarp();
    for (int sweep = 0; sweep < sweeps && __any_sync(OPS_ALL_LANES, has_rotated); sweep++) {
        has_rotated = false;
        for (int round = 0; round < ops_rotate_rounds(n); round++) {
            has_rotated |= eigen_find(t, n, round, small);
            __syncwarp();
            eigen_apply(t, n, round);
        }
    }
}

#endif
