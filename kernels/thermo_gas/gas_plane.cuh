/* Cells in shared memory as their neighbours need them: two 16-byte vectors, and the velocities in
 * arrays of their own. */
#ifndef ASSAY_GAS_PLANE_CUH
#define ASSAY_GAS_PLANE_CUH

#include "gas_device.cuh"

struct alignas(16) gas_quad {
    float at[4];
};

/* N cells with the velocities along directions FIRST to 2. */
template <int N, int FIRST> struct gas_shelf {
    gas_quad state[N], rest[N]; /* rho, mom; e, p, T, signal */
    float    velocity[3 - FIRST][N];
};

template <int N, int FIRST>
__device__ inline void gas_put(gas_shelf<N, FIRST> *s, int at, const gas_cell &c)
{
    s->state[at] = { { c.u.rho, c.u.mom[0], c.u.mom[1], c.u.mom[2] } };
    s->rest[at]  = { { c.u.e, c.p, c.temperature, c.signal } };
#pragma unroll
    for (int d = FIRST; d < 3; d++)
        s->velocity[d - FIRST][at] = c.velocity[d];
}

template <int D, int N, int FIRST>
__device__ inline gas_side gas_get(const gas_shelf<N, FIRST> *s, int at)
{
    const gas_quad state = s->state[at], rest = s->rest[at];

    static_assert(D >= FIRST, "a velocity that is not kept");
    return { { state.at[0], { state.at[1], state.at[2], state.at[3] }, rest.at[0] },
             s->velocity[D - FIRST][at],
             rest.at[1],
             rest.at[2],
             rest.at[3] };
}

#endif
