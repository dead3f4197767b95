/* What the gas does to the particles: gather, gravity, motion, and the exchange of heat with their
 * oscillators. */
#ifndef ASSAY_STEP_PARTICLES_CUH
#define ASSAY_STEP_PARTICLES_CUH

#include "step_device.cuh"

/* Conserved values at a particle: weighted means of its cell's corners. */
__device__ inline thermo_state step_gather(const step_problem &q, const thermo_cell &cell)
{
    thermo_state sum = {};

    for (int c = 0; c < THERMO_N_CORNERS; c++) {
        const thermo_state u = thermo_load(step_read(q.u2), thermo_corner_node(q.grid, cell, c));
        const float        w = thermo_corner_weight(cell.f, c);

        sum.rho += w * u.rho;
        for (int d = 0; d < 3; d++)
            sum.mom[d] += w * u.mom[d];
        sum.e += w * u.e;
    }
    return sum;
}

/* d phi / dx_d: the bilinear mean of the upper face less that of the lower one. Corner bits 2, 1, 0
 * are x, y, z. */
__device__ inline float step_slope(const step_problem &q, const thermo_cell &cell, int d)
{
    const int bit = 4 >> d;
    float     sum = 0;

    for (int c = 0; c < THERMO_N_CORNERS; c++) {
        float f[3] = { cell.f[0], cell.f[1], cell.f[2] };

        f[d]          = c & bit ? 1.0f : 0.0f; /* weight 1 along d */
        const float w = thermo_corner_weight(f, c) * q.phi[thermo_corner_node(q.grid, cell, c)];

        sum += c & bit ? w : -w;
    }
    return sum * q.per_dx;
}

/* pos in 0..length; what rounds to length is 0. */
__device__ inline float step_wrap(float pos, float length)
{
    const float r = pos - length * floorf(pos / length);

    return r >= 0 && r < length ? r : 0.0f;
}

/* Energy of an oscillator in equilibrium at T (hbar = k_B = 1). Below x = 1e-4, where negative
 * frequencies are too, it is T. */
__device__ inline float step_equilibrium(float omega, float temperature)
{
    const float x = omega / fmaxf(temperature, 1e-20f);

    if (x < 1e-4f)
        return temperature;
    return x > 50 ? omega * expf(-x) : omega / expm1f(x);
}

/* Heat and oscillator relax towards each other; what one gets the other gives. */
__device__ inline void step_exchange(const step_problem &q, float mass, float omega, float *heat,
                                     float *energy)
{
    constexpr float per_tau =
        static_cast<float>(4 * 3.14159265358979323846 * THERMO_CONDUCTIVITY / 2);
    const float capacity    = mass * static_cast<float>(THERMO_C_V);
    const float temperature = capacity > 0 ? *heat / capacity : 0.0f;
    const float share       = -expm1f(-q.control->dt * per_tau * q.grid.dx / capacity);
    const float wanted      = share * (step_equilibrium(omega, temperature) - *energy);
    const float gain        = fminf(fmaxf(wanted, -*energy), *heat);

    *energy += gain;
    *heat -= gain;
}

__device__ inline void step_store(const step_problem &q, int t, const float pos[3],
                                  const float vel[3], float heat, float energy)
{
    for (int d = 0; d < 3; d++) {
        q.to.pos[3 * t + d] = pos[d];
        q.to.vel[3 * t + d] = vel[d];
    }
    q.to.heat[t]   = heat;
    q.to.energy[t] = energy;
}

/* Whatever is not finite, and heat below 0, is NaN in all that the particle gets. */
static __global__ void pic_gather_update_particles(step_problem q)
{
    const int   t   = step_thread();
    const float nan = thermo_quiet_nan(), none[3] = { nan, nan, nan };
    const float length[3] = { static_cast<float>(q.grid.gx) * q.grid.dx,
                              static_cast<float>(q.grid.gy) * q.grid.dx,
                              static_cast<float>(q.grid.gz) * q.grid.dx };

    if (t >= q.n)
        return;
    const thermo_cell  cell   = thermo_cell_of(thermo_place_of(q.grid, q.from.pos + 3 * t));
    const thermo_state u      = step_gather(q, cell);
    const float        mass   = q.from.mass[t];
    float              energy = q.from.energy[t];
    float heat = u.rho > 0 ? mass * static_cast<float>(THERMO_C_V) * (u.e / u.rho) : 0.0f;
    float pos[3], vel[3], sum = heat + mass + energy + u.rho + u.e;

    for (int d = 0; d < 3; d++) {
        vel[d] = u.rho > 0 ? u.mom[d] / u.rho : 0.0f;
        if (q.gravity > 0)
            vel[d] -= step_slope(q, cell, d) * q.control->dt;
        pos[d] = q.from.pos[3 * t + d] + vel[d] * q.control->dt;
        sum += pos[d];
        pos[d] = step_wrap(pos[d], length[d]);
    }
    if (!thermo_is_finite(sum) || !(heat >= 0)) {
        step_store(q, t, none, none, nan, nan);
        return;
    }
    step_exchange(q, mass, q.from.omega[t], &heat, &energy);
    step_store(q, t, pos, vel, heat, energy);
}

/* One thread. */
static __global__ void step_finish(step_problem q)
{
    *q.used_dt  = q.control->dt;
    *q.halvings = q.control->halvings;
}

#endif
