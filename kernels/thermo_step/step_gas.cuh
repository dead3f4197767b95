/* The gas of a step: the length of dt, and both stages of an attempt. */
#ifndef ASSAY_STEP_GAS_CUH
#define ASSAY_STEP_GAS_CUH

#include "../thermo_gas/gas_point.cuh"
#include "../thermo_gas/gas_stream.cuh"
#include "step_device.cuh"

/* ---- the length of the step ---- */

/* The largest values over some cells: |u|_2 + c, |u|_1 + 3c, and the larger of mu/rho and k/(rho
 * c_v). */
struct step_fastest {
    float signal, sum, diffusivity;
};

/* The same as bits, as step_control has them. */
struct step_fastest_bits {
    unsigned signal, sum, diffusivity;
};

/* Only gas outside the envelope counts. */
__device__ inline void step_see(step_fastest *most, const thermo_state &u)
{
    constexpr float diffusivity = static_cast<float>(THERMO_CONDUCTIVITY / THERMO_C_V > THERMO_MU
                                                         ? THERMO_CONDUCTIVITY / THERMO_C_V
                                                         : THERMO_MU);

    if (!(u.rho > static_cast<float>(THERMO_RHO_MIN) && gas_is_admissible(u)))
        return;
    const gas_cell c     = gas_cell_of(u);
    const float    speed = __fsqrt_rn(gas_square(c.velocity[0], c.velocity[1], c.velocity[2]));
    const float    sum =
        fabsf(c.velocity[0]) + fabsf(c.velocity[1]) + fabsf(c.velocity[2]) + 3 * (c.signal - speed);

    most->signal      = fmaxf(most->signal, c.signal);
    most->sum         = fmaxf(most->sum, sum);
    most->diffusivity = fmaxf(most->diffusivity, diffusivity / u.rho);
}

/* Into `most` in shared memory; whole warps call it. */
__device__ inline void step_warp_max(float value, unsigned *most)
{
    unsigned bits = __float_as_uint(value);

    for (int distance = 16; distance > 0; distance /= 2)
        bits = max(bits, __shfl_xor_sync(0xffffffffu, bits, distance));
    if (threadIdx.x % 32 == 0)
        atomicMax(most, bits);
}

__device__ inline double step_dt(const step_problem &q)
{
    const double signal =
        static_cast<double>(__uint_as_float(assay_load_relaxed(&q.control->signal)));
    const double sum = static_cast<double>(__uint_as_float(assay_load_relaxed(&q.control->sum)));
    const double fastest =
        static_cast<double>(__uint_as_float(assay_load_relaxed(&q.control->diffusivity)));
    const double diffusion = THERMO_CFL_DIFF * q.dx * q.dx / fastest;

    if (q.rule == STEP_DT_STABLE)
        return fmin(1 / (3 * signal / (0.9 * q.dx) + 1 / diffusion), THERMO_DT_MAX);
    const double advection = q.rule == STEP_DT_TRITON ? THERMO_CFL * q.dx / signal
                             : sum > 0                ? THERMO_CFL * q.dx / sum
                                                      : q.dx;

    return fmin(fmin(advection, diffusion), THERMO_DT_MAX);
}

/* Two blocks fill an SM, and 2 * 132 blocks an H200: more blocks would only update the same three
 * words more often. */
enum {
    STEP_SPEED_THREADS = 1024,
    STEP_SPEED_BLOCKS  = 2 * 132
};

/* The last block knows what all blocks have seen: it begins the first attempt. */
static __global__ void __launch_bounds__(STEP_SPEED_THREADS, 2) step_begin(step_problem q)
{
    __shared__ step_fastest_bits block[1];
    const int                    stride = static_cast<int>(gridDim.x * blockDim.x);
    step_fastest                 most   = {};

    if (threadIdx.x == 0)
        block[0] = {};
    for (int cell = step_thread(); cell < q.cells; cell += stride)
        step_see(&most, thermo_load(step_read(q.u0), cell));
    __syncthreads();
    step_warp_max(most.signal, &block[0].signal);
    step_warp_max(most.sum, &block[0].sum);
    step_warp_max(most.diffusivity, &block[0].diffusivity);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    atomicMax(&q.control->signal, block[0].signal);
    atomicMax(&q.control->sum, block[0].sum);
    atomicMax(&q.control->diffusivity, block[0].diffusivity);
    if (assay_fetch_add_acq_rel(&q.control->n_blocks, 1u) + 1 == gridDim.x)
        q.control->dt = static_cast<float>(step_dt(q));
}

/* ---- one attempt ---- */

/* Sets dt and the factors that contain it; only the device knows dt. */
__device__ inline void step_set_dt(const step_problem &q, gas_args *a)
{
    constexpr float conductivity = static_cast<float>(THERMO_CONDUCTIVITY / THERMO_C_V);
    const float     dt           = q.control->dt;

    a->dt         = dt;
    a->dt_per_2dx = __fmul_rn(dt, 0.5f * q.per_dx);
    a->dt_heat    = __fmul_rn(dt, __fmul_rn(conductivity, __fmul_rn(q.per_dx, q.per_dx)));
}

__device__ inline void step_note_bad(const step_problem &q, const thermo_state &v)
{
    if (!(v.rho == v.rho))
        atomicExch(&q.control->is_bad, 1);
}

/* A stage without dt: from U0 to U1, or from U1 to U2. */
inline gas_args step_gas_args(const step_problem &q, int stage)
{
    gas_args a = {};

    a.gx    = q.grid.gx;
    a.gy    = q.grid.gy;
    a.gz    = q.grid.gz;
    a.cells = q.cells;
    a.from  = step_read(stage == 1 ? q.u0 : q.u1);
    a.start = step_read(q.u0);
    a.to    = stage == 1 ? q.u1 : q.u2;

    a.log_count = q.log_count;
    a.log       = q.log;
    return a;
}

/* One thread a cell. */
template <int STAGE> static __global__ void step_stage(step_problem q, gas_args a)
{
    const int cell = step_thread();

    if (cell >= q.cells || q.control->is_done)
        return;
    gas_cell  here;
    gas_rates r;

    step_set_dt(q, &a);
    const bool   are = gas_rates_at(a, cell, &here, &r);
    thermo_state v   = gas_advance(here.u, r, here.p, a.dt_per_2dx, a.dt_heat);

    if (STAGE == 2)
        v = gas_average(thermo_load(a.start, cell), v);
    v = gas_judge<STAGE>(a, cell, here, are, v);
    thermo_store(a.to, cell, v);
    if (STAGE == 2)
        step_note_bad(q, v);
}

/* The same by tiles that march through the grid: what the stage asks of a step. */
struct step_march {
    step_problem q;

    __device__ void prepare(gas_args *a) const { step_set_dt(q, a); }
    __device__ void tell(const thermo_state &v) const { step_note_bad(q, v); }
};

#endif
