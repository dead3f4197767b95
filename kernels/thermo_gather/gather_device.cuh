/* What the gather kernels share: the sums at a particle's place, and what follows from them. */
#ifndef ASSAY_GATHER_DEVICE_CUH
#define ASSAY_GATHER_DEVICE_CUH

#include "../thermo/thermo_cic.cuh"

/* Warps that an SM shall hold, set by how many of its 65536 registers a kernel may take: fewer
 * warps leave a thread more registers, and so more loads in flight. The block size is chosen at the
 * launch. */
#define GATHER_BOUNDS(warps)                                                                       \
    __launch_bounds__((warps) > 32 ? (warps)*16 : (warps)*32, (warps) > 32 ? 2 : 1)

/* What a particle reads at a node. */
struct alignas(16) gather_node {
    float rho, mom[3], e, phi, unused[2]; /* 32 bytes, one memory sector */
};

/* Everything a kernel needs, passed by value. */
struct gather_problem {
    thermo_grid         grid;
    float               length[3]; /* of the domain */
    float               dt, dt_per_dx;
    bool                poisons; /* a negative density is an error, not a vacuum */
    int                 n, cells;
    thermo_const_fields fields;
    const float        *pos, *mass, *phi;
    float              *new_pos, *new_vel, *new_heat;
};

/* Nodes in the arrays of the case, or packed nodes. */
struct gather_from_fields {
    thermo_const_fields fields;
    const float        *phi;

    __device__ gather_node operator()(int node) const
    {
        const thermo_state u = thermo_load(fields, node);

        return { u.rho, { u.mom[0], u.mom[1], u.mom[2] }, u.e, phi[node], {} };
    }
};
__device__ inline void gather_pack(gather_node *to, const gather_node &at)
{
    reinterpret_cast<float4 *>(to)[0] = make_float4(at.rho, at.mom[0], at.mom[1], at.mom[2]);
    reinterpret_cast<float4 *>(to)[1] = make_float4(at.e, at.phi, 0, 0);
}
struct gather_from_nodes {
    const gather_node *nodes;

    __device__ gather_node operator()(int node) const
    {
        const float4 a = *reinterpret_cast<const float4 *>(&nodes[node].rho);
        const float2 b = *reinterpret_cast<const float2 *>(&nodes[node].e);

        return { a.x, { a.y, a.z, a.w }, b.x, b.y, {} };
    }
};

/* Conserved values at the particle, and the differences of phi across its cell. These are dx times
 * its gradient: constant along their own axis, bilinear along the others. */
struct gather_sums {
    thermo_state u;
    float        slope[3];
};

/* All corners count, also those of weight 0: a node that is NaN or infinite reaches the particles
 * on the faces of its cells. */
template <typename Load>
__device__ inline gather_sums gather_at(const thermo_grid &g, const thermo_cell &cell, Load load)
{
    gather_sums s = {};
    gather_node at[THERMO_N_CORNERS];

#pragma unroll
    for (int c = 0; c < THERMO_N_CORNERS; c++)
        at[c] = load(thermo_corner_node(g, cell, c));
#pragma unroll
    for (int c = 0; c < THERMO_N_CORNERS; c++) {
        const float w = thermo_corner_weight(cell.f, c);

        s.u.rho = fmaf(w, at[c].rho, s.u.rho);
        for (int d = 0; d < 3; d++)
            s.u.mom[d] = fmaf(w, at[c].mom[d], s.u.mom[d]);
        s.u.e = fmaf(w, at[c].e, s.u.e);
    }
#pragma unroll
    for (int c = 0; c < 4; c++) { /* the four edges along each axis, by two bits */
        const float x_by_high = c & 2 ? cell.f[0] : 1 - cell.f[0];
        const float y_by_high = c & 2 ? cell.f[1] : 1 - cell.f[1];
        const float y_by_low  = c & 1 ? cell.f[1] : 1 - cell.f[1];
        const float z_by_low  = c & 1 ? cell.f[2] : 1 - cell.f[2];
        const int   yz = c, xz = (c & 2) * 2 + (c & 1), xy = c * 2; /* lower ends of the edges */

        s.slope[0] = fmaf(y_by_high * z_by_low, at[yz + 4].phi - at[yz].phi, s.slope[0]);
        s.slope[1] = fmaf(x_by_high * z_by_low, at[xz + 2].phi - at[xz].phi, s.slope[1]);
        s.slope[2] = fmaf(x_by_high * y_by_low, at[xy + 1].phi - at[xy].phi, s.slope[2]);
    }
    return s;
}

struct gather_result {
    float pos[3], vel[3], heat;
};

/* Is there an answer for these inputs? If not, everything that the particle gets is NaN. */
__device__ inline bool gather_has_answer(const gather_problem &q, float mass, const thermo_state &u)
{
    if (!(mass > 0) || (q.poisons && u.rho < 0))
        return false;
    return !(u.e < 0 && (u.rho > 0 || q.poisons));
}

/* 0 times a finite number is 0, times any other value it is NaN. A mass or velocity that is not
 * finite makes a heat or a position that is not. */
__device__ inline bool gather_is_finite(const gather_result &r, const thermo_state &u)
{
    float zero = fmaf(u.e, 0.0f, u.rho * 0.0f);

    zero = fmaf(r.heat, 0.0f, zero);
    for (int d = 0; d < 3; d++)
        zero = fmaf(r.pos[d], 0.0f, zero);
    return zero == 0;
}

/* The particle takes the velocity of the gas in place of its own. Then gravity changes it, and the
 * particle moves. */
__device__ inline gather_result gather_update(const gather_problem &q, const float pos[3],
                                              float mass, const gather_sums &s)
{
    const bool    is_gas      = s.u.rho > 0;
    const float   temperature = is_gas ? __fdiv_rn(s.u.e, s.u.rho) : 0.0f; /* c_v = 1 */
    gather_result r;

    for (int d = 0; d < 3; d++) {
        const float u = is_gas ? __fdiv_rn(s.u.mom[d], s.u.rho) : 0.0f;

        r.vel[d] = fmaf(-q.dt_per_dx, s.slope[d], u);
        r.pos[d] = fmaf(r.vel[d], q.dt, pos[d]);
    }
    r.heat             = mass * temperature;
    const bool is_good = gather_is_finite(r, s.u) && gather_has_answer(q, mass, s.u);

    thermo_wrap_vector(r.pos, q.length);
    for (int d = 0; d < 3; d++) {
        r.pos[d] = is_good ? r.pos[d] : thermo_quiet_nan();
        r.vel[d] = is_good ? r.vel[d] : thermo_quiet_nan();
    }
    r.heat = is_good ? r.heat : thermo_quiet_nan();
    return r;
}

template <typename Load> __device__ inline gather_result
gather_particle(const gather_problem &q, const float pos[3], float mass, Load load)
{
    const thermo_cell cell = thermo_cell_of(thermo_place_of(q.grid, pos));

    return gather_update(q, pos, mass, gather_at(q.grid, cell, load));
}

#endif
