/* What the gas does to the particles: gather, gravity, motion, and the exchange of heat with their
 * oscillators. */
#ifndef ASSAY_STEP_PARTICLES_CUH
#define ASSAY_STEP_PARTICLES_CUH

#include "../thermo_gather/gather_stage.cuh"
#include "step_device.cuh"

/* A node of the gas after its step; there is no phi without gravity. */
struct step_from_fields {
    thermo_const_fields fields;
    const float        *phi; /* NULL: no gravity */

    __device__ gather_node operator()(int node) const
    {
        const thermo_state u = thermo_load(fields, node);

        return { u.rho, { u.mom[0], u.mom[1], u.mom[2] }, u.e, phi ? phi[node] : 0.0f, {} };
    }
};

static __global__ void pic_pack_nodes(step_problem q, step_from_fields load)
{
    const int node = step_thread();

    if (node < q.cells)
        gather_pack(q.nodes + node, load(node));
}

/* Energy of an oscillator in equilibrium at T (hbar = k_B = 1). It is T below x = 1e-4, which
 * includes negative frequencies. */
__device__ inline float step_equilibrium(float omega, float temperature)
{
    const float x = omega / fmaxf(temperature, 1e-20f);

    if (x < 1e-4f)
        return temperature;
    return x > 50 ? omega * expf(-x) : omega / expm1f(x);
}

/* Heat and oscillator of a mass above 0 relax towards each other; one gets what the other gives. */
__device__ inline void step_exchange(const step_problem &q, float mass, float omega, float *heat,
                                     float *energy)
{
    constexpr float per_tau =
        static_cast<float>(4 * 3.14159265358979323846 * THERMO_CONDUCTIVITY / 2);
    const float capacity    = mass * static_cast<float>(THERMO_C_V);
    const float temperature = *heat / capacity;
    const float share       = -expm1f(-q.control->dt * per_tau * q.grid.dx / capacity);
    const float wanted      = share * (step_equilibrium(omega, temperature) - *energy);
    const float gain        = fminf(fmaxf(wanted, -*energy), *heat);

    *energy += gain;
    *heat -= gain;
}

/* A particle after the step. */
struct step_particle {
    float pos[3], vel[3], heat, energy;
};

/* Everything that the particle gets is NaN if anything is not finite, the mass is not above 0, or
 * the heat is below 0. */
__device__ inline step_particle step_update(const step_problem &q, int t, const float pos[3],
                                            const gather_sums &s)
{
    const float   nan = thermo_quiet_nan(), dt = q.control->dt;
    const float   mass = q.from.mass[t], omega = q.from.omega[t];
    step_particle p;
    float         sum;

    p.energy = q.from.energy[t];
    p.heat   = s.u.rho > 0 ? mass * static_cast<float>(THERMO_C_V) * (s.u.e / s.u.rho) : 0.0f;
    sum      = p.heat + mass + p.energy + omega + s.u.rho + s.u.e;
    for (int d = 0; d < 3; d++) {
        p.vel[d] = s.u.rho > 0 ? s.u.mom[d] / s.u.rho : 0.0f;
        if (q.gravity > 0)
            p.vel[d] -= s.slope[d] * q.per_dx * dt;
        p.pos[d] = pos[d] + p.vel[d] * dt;
        sum += p.pos[d];
    }
    thermo_wrap_vector(p.pos, q.length);
    if (!thermo_is_finite(sum) || !(mass > 0) || !(p.heat >= 0))
        return { { nan, nan, nan }, { nan, nan, nan }, nan, nan };
    step_exchange(q, mass, omega, &p.heat, &p.energy);
    return p;
}

__device__ inline thermo_cell step_cell_of(const step_problem &q, const float pos[3])
{
    return thermo_cell_of(thermo_place_of(q.grid, pos));
}

/* One thread a particle, all from the arrays as they are. */
static __global__ void GATHER_BOUNDS(32)
    pic_gather_update_particles(step_problem q, step_from_fields load)
{
    const int t = step_thread();

    if (t >= q.n)
        return;
    const float        *pos = q.from.pos + 3 * t;
    const step_particle p   = step_update(q, t, pos, gather_at(q.grid, step_cell_of(q, pos), load));

    for (int d = 0; d < 3; d++) {
        q.to.pos[3 * t + d] = p.pos[d];
        q.to.vel[3 * t + d] = p.vel[d];
    }
    q.to.heat[t]   = p.heat;
    q.to.energy[t] = p.energy;
}

/* The same with whole lines read and written, from packed nodes. */
static __global__ void GATHER_BOUNDS(32) pic_gather_update_staged(step_problem q)
{
    extern __shared__ __align__(16) float values[];
    const int                             t     = step_thread();
    const gather_stage                    stage = gather_stage_of(values, q.n);
    step_particle                         p     = {};
    float                                 pos[3];

    gather_load_vector(stage, q.from.pos, pos);
    if (t < q.n) {
        p              = step_update(q, t, pos,
                                     gather_at(q.grid, step_cell_of(q, pos), gather_from_nodes { q.nodes }));
        q.to.heat[t]   = p.heat;
        q.to.energy[t] = p.energy;
    }
    gather_store_vector(stage, p.pos, q.to.pos);
    gather_store_vector(stage, p.vel, q.to.vel);
}

/* One thread. */
static __global__ void step_finish(step_problem q)
{
    *q.used_dt  = q.control->dt;
    *q.halvings = q.control->halvings;
}

#endif
