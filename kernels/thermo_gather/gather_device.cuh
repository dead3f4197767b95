/* What the gather kernels share: the sums at a particle's place, and what follows from them. */
#ifndef ASSAY_GATHER_DEVICE_CUH
#define ASSAY_GATHER_DEVICE_CUH

#include "../thermo/thermo_cic.cuh"

/* What a particle finds at a node. */
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

/* Nodes in the arrays of the case, and nodes packed. */
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

/* Conserved values at the particle, and the differences of phi across its cell, which are dx times
 * its gradient: constant along their own axis, bilinear along the others. */
struct gather_sums {
    thermo_state u;
    float        slope[3];
};

/* All corners count, also those of weight 0: a node that is no number reaches the particles on the
 * faces of its cells. */
template <typename Load>
__device__ inline gather_sums gather_at(const thermo_grid &g, const thermo_cell &cell, Load load)
{
    gather_sums s = {};
    float       phi[THERMO_N_CORNERS];

#pragma unroll
    for (int c = 0; c < THERMO_N_CORNERS; c++) {
        const gather_node at = load(thermo_corner_node(g, cell, c));
        const float       w  = thermo_corner_weight(cell.f, c);

        s.u.rho = fmaf(w, at.rho, s.u.rho);
        for (int d = 0; d < 3; d++)
            s.u.mom[d] = fmaf(w, at.mom[d], s.u.mom[d]);
        s.u.e  = fmaf(w, at.e, s.u.e);
        phi[c] = at.phi;
    }
#pragma unroll
    for (int c = 0; c < 4; c++) { /* the four edges along each axis, by two bits */
        const float x_by_high = c & 2 ? cell.f[0] : 1 - cell.f[0];
        const float y_by_high = c & 2 ? cell.f[1] : 1 - cell.f[1];
        const float y_by_low  = c & 1 ? cell.f[1] : 1 - cell.f[1];
        const float z_by_low  = c & 1 ? cell.f[2] : 1 - cell.f[2];
        const int   yz = c, xz = (c & 2) * 2 + (c & 1), xy = c * 2; /* lower ends of the edges */

        s.slope[0] = fmaf(y_by_high * z_by_low, phi[yz + 4] - phi[yz], s.slope[0]);
        s.slope[1] = fmaf(x_by_high * z_by_low, phi[xz + 2] - phi[xz], s.slope[1]);
        s.slope[2] = fmaf(x_by_high * y_by_low, phi[xy + 1] - phi[xy], s.slope[2]);
    }
    return s;
}

struct gather_result {
    float pos[3], vel[3], heat;
};

__device__ inline bool gather_is_finite(const float v[3])
{
    return thermo_is_finite(v[0]) && thermo_is_finite(v[1]) && thermo_is_finite(v[2]);
}

/* Is there an answer for these inputs? Without one everything the particle gets is NaN. */
__device__ inline bool gather_has_answer(const gather_problem &q, float mass, const thermo_state &u)
{
    if (!thermo_is_finite(mass) || !(mass > 0) || !thermo_is_finite(u.rho) ||
        !thermo_is_finite(u.e))
        return false;
    if (q.poisons && u.rho < 0)
        return false;
    return !(u.e < 0 && (u.rho > 0 || q.poisons));
}

/* The particle takes the velocity of the gas, not its own; gravity changes it; then it moves. */
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
    const bool is_good = gather_has_answer(q, mass, s.u) && gather_is_finite(r.pos) &&
                         gather_is_finite(r.vel) && thermo_is_finite(r.heat);

    for (int d = 0; d < 3; d++) {
        r.pos[d] = is_good ? thermo_wrap(r.pos[d], q.length[d]) : thermo_quiet_nan();
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
