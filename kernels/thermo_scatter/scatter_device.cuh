/* What the scatter kernels share: particles, what each adds to the grid, and which are rejected. */
#ifndef ASSAY_SCATTER_DEVICE_CUH
#define ASSAY_SCATTER_DEVICE_CUH

#include "../thermo/thermo_cic.cuh"

struct scatter_particles {
    const float *pos, *vel, *mass, *heat, *energy;
};

struct scatter_sorted_particles {
    float *pos, *vel, *mass, *heat, *energy;
};

/* Everything that the kernels of a variant need, passed by value. There are fewer than 2^31
 * particles and nodes; products with an index are 64 bits wide. */
struct scatter_problem {
    thermo_grid       grid;
    float             per_volume; /* 1 / dx^3 */
    int               n, cells;
    scatter_particles in;
    thermo_fields     out;
    unsigned         *errors;
};

__device__ inline void scatter_load3(const float *from, int t, float to[3])
{
    const float *at = from + 3 * static_cast<int64_t>(t);

    to[0] = at[0];
    to[1] = at[1];
    to[2] = at[2];
}

/* One particle as read. */
struct scatter_particle {
    float pos[3], vel[3], mass, heat;
};

__device__ inline scatter_particle scatter_load(const scatter_particles &from, int t)
{
    scatter_particle p;

    scatter_load3(from.pos, t, p.pos);
    scatter_load3(from.vel, t, p.vel);
    p.mass = from.mass[t];
    p.heat = from.heat[t];
    return p;
}

/* Copies particle t to place d of the sorted arrays. */
__device__ inline void scatter_copy_particle(const scatter_particles &from, int t,
                                             const scatter_sorted_particles &to, int d)
{
    const int64_t t3 = 3 * static_cast<int64_t>(t), d3 = 3 * static_cast<int64_t>(d);

    for (int x = 0; x < 3; x++) {
        to.pos[d3 + x] = from.pos[t3 + x];
        to.vel[d3 + x] = from.vel[t3 + x];
    }
    to.mass[d]   = from.mass[t];
    to.heat[d]   = from.heat[t];
    to.energy[d] = from.energy[t];
}

__device__ inline bool scatter_is_finite(const float v[3])
{
    return thermo_is_finite(v[0]) && thermo_is_finite(v[1]) && thermo_is_finite(v[2]);
}

/* A particle that is not accepted deposits nothing and counts as an error. */
__device__ inline bool scatter_is_accepted(const scatter_particle &p)
{
    return scatter_is_finite(p.pos) && scatter_is_finite(p.vel) && thermo_is_finite(p.mass) &&
           thermo_is_finite(p.heat);
}

/* What a particle adds, ready for the sums: 32 bytes, one memory sector. `r` is its place, perhaps
 * less the coordinate of its cell. */
struct alignas(16) scatter_record {
    float r[3], mass, vel[3], heat; /* mass and heat times 1/dx^3 */
};

__device__ inline scatter_record scatter_record_of(const scatter_problem  &q,
                                                   const scatter_particle &p)
{
    const thermo_place at = thermo_place_of(q.grid, p.pos);

    return { { at.r[0], at.r[1], at.r[2] },
             p.mass * q.per_volume,
             { p.vel[0], p.vel[1], p.vel[2] },
             p.heat * q.per_volume };
}

/* Two accesses of 16 bytes. */
__device__ inline scatter_record scatter_load_record(const scatter_record *from)
{
    const float4 a = reinterpret_cast<const float4 *>(from)[0];
    const float4 b = reinterpret_cast<const float4 *>(from)[1];

    return { { a.x, a.y, a.z }, a.w, { b.x, b.y, b.z }, b.w };
}
__device__ inline void scatter_store_record(scatter_record *to, const scatter_record &r)
{
    reinterpret_cast<float4 *>(to)[0] = make_float4(r.r[0], r.r[1], r.r[2], r.mass);
    reinterpret_cast<float4 *>(to)[1] = make_float4(r.vel[0], r.vel[1], r.vel[2], r.heat);
}

/* Sums at one node. */
struct scatter_sums {
    float v[THERMO_N_FIELDS];
};

/* Adds a particle's share of weight w. */
__device__ inline void scatter_accumulate(scatter_sums &s, const scatter_record &p, float w)
{
    const float m = p.mass * w;

    s.v[THERMO_RHO] += m;
    s.v[THERMO_MOM_X] = fmaf(m, p.vel[0], s.v[THERMO_MOM_X]);
    s.v[THERMO_MOM_Y] = fmaf(m, p.vel[1], s.v[THERMO_MOM_Y]);
    s.v[THERMO_MOM_Z] = fmaf(m, p.vel[2], s.v[THERMO_MOM_Z]);
    s.v[THERMO_E_INT] = fmaf(p.heat, w, s.v[THERMO_E_INT]);
}

/* Where field c of a node is kept. */
__device__ inline float *scatter_field(const thermo_fields &f, int c, int node)
{
    if (c == THERMO_RHO)
        return f.rho + node;
    if (c == THERMO_E_INT)
        return f.e + node;
    return f.mom + 3 * static_cast<int64_t>(node) + (c - THERMO_MOM_X);
}

struct scatter_add_native {
    __device__ void operator()(float *to, float value) const { atomicAdd(to, value); }
};

/* By compare and swap, as a device without floating-point atomics must. */
struct scatter_add_cas {
    __device__ void operator()(float *to, float value) const
    {
        unsigned *bits = reinterpret_cast<unsigned *>(to);
        unsigned  seen = assay_load_relaxed(bits);

        for (;;) {
            const unsigned sum    = __float_as_uint(__uint_as_float(seen) + value);
            const unsigned before = atomicCAS(bits, seen, sum);

            if (before == seen)
                return;
            seen = before;
        }
    }
};

/* Adds a particle's shares to the eight nodes of its cell, value by value. */
template <typename Add> __device__ inline void
scatter_add_to_corners(const scatter_problem &q, const scatter_record &p, Add add)
{
    const thermo_cell cell = thermo_cell_of({ { p.r[0], p.r[1], p.r[2] } });

#pragma unroll
    for (int c = 0; c < THERMO_N_CORNERS; c++) {
        const int    node = thermo_corner_node(q.grid, cell, c);
        scatter_sums s    = {};

        scatter_accumulate(s, p, thermo_corner_weight(cell.f, c));
#pragma unroll
        for (int v = 0; v < THERMO_N_FIELDS; v++)
            add(scatter_field(q.out, v, node), s.v[v]);
    }
}

/* Index of a thread in a one-dimensional launch. */
__device__ inline int scatter_thread()
{
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

#endif
