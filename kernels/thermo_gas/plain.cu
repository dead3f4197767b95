/* thermo_gas, one thread a cell in 1D blocks: every thread reads its seven cells and derives their
 * primitives itself. plain stores k1 as the Metal original does (140 bytes a cell); ssp needs no k1
 * (100). */
#include "gas_launch.cuh"
#include "gas_point.cuh"

/* k1 in the workspace, field by field. */
struct gas_slopes {
    thermo_fields k1;
};

/* The slope k of a state. */
__device__ static inline thermo_state slope_of(const gas_args &a, const gas_rates &r, float p)
{
    thermo_state k;

    k.rho = __fmul_rn(-a.per_2dx, r.rho);
    for (int i = 0; i < 3; i++)
        k.mom[i] = __fmul_rn(-a.per_2dx, r.mom[i]);
    k.e = __fmaf_rn(a.heat, r.temperature, __fmul_rn(-a.per_2dx, __fmaf_rn(p, r.velocity, r.e)));
    return k;
}

__device__ static inline thermo_state along(const thermo_state &u, float dt, const thermo_state &k)
{
    return { __fmaf_rn(dt, k.rho, u.rho),
             { __fmaf_rn(dt, k.mom[0], u.mom[0]), __fmaf_rn(dt, k.mom[1], u.mom[1]),
               __fmaf_rn(dt, k.mom[2], u.mom[2]) },
             __fmaf_rn(dt, k.e, u.e) };
}

__device__ static inline thermo_state sum_of(const thermo_state &a, const thermo_state &b)
{
    return { __fadd_rn(a.rho, b.rho),
             { __fadd_rn(a.mom[0], b.mom[0]), __fadd_rn(a.mom[1], b.mom[1]),
               __fadd_rn(a.mom[2], b.mom[2]) },
             __fadd_rn(a.e, b.e) };
}

__device__ static inline int cell_of_thread()
{
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

/* Computes U1 = U0 + dt k1, and k1. A poisoned cell has a poisoned k1. */
static __global__ void gas_rk2_stage1(gas_args a, gas_slopes slopes)
{
    const int    cell = cell_of_thread();
    gas_cell     here;
    gas_rates    r;
    thermo_state k, v;
    bool         are;

    if (cell >= a.cells)
        return;
    are = gas_rates_at(a, cell, &here, &r);
    k   = slope_of(a, r, here.p);
    v   = gas_judge<1>(a, cell, here, are, along(here.u, a.dt, k));
    thermo_store(a.to, cell, v);
    thermo_store(slopes.k1, cell, v.rho == v.rho ? k : gas_poison());
}

/* U2 = U0 + dt/2 (k1 + k2). */
static __global__ void gas_rk2_stage2(gas_args a, gas_slopes slopes)
{
    const int    cell = cell_of_thread();
    gas_cell     here;
    gas_rates    r;
    thermo_state k, v;
    bool         are;

    if (cell >= a.cells)
        return;
    are = gas_rates_at(a, cell, &here, &r);
    k   = sum_of(thermo_load(gas_read(slopes.k1), cell), slope_of(a, r, here.p));
    v   = along(thermo_load(a.start, cell), a.half_dt, k);
    thermo_store(a.to, cell, gas_judge<2>(a, cell, here, are, v));
}

template <int STAGE> static __global__ void gas_ssp_kernel(gas_args a)
{
    const int    cell = cell_of_thread();
    gas_cell     here;
    gas_rates    r;
    thermo_state v;
    bool         are;

    if (cell >= a.cells)
        return;
    are = gas_rates_at(a, cell, &here, &r);
    v   = gas_advance(here.u, r, here.p, a.dt_per_2dx, a.dt_heat);
    if (STAGE == 2)
        v = gas_average(thermo_load(a.start, cell), v);
    thermo_store(a.to, cell, gas_judge<STAGE>(a, cell, here, are, v));
}

ASSAY_WORKSPACE(thermo_gas_plain_workspace)
{
    return static_cast<size_t>(args->count[GAS_BUF_RHO]) * 5 * sizeof(float);
}

static gas_slopes slopes_in(void *workspace, int64_t cells)
{
    float *const k1 = static_cast<float *>(workspace);
    gas_slopes   slopes;

    slopes.k1 = { k1, k1 + cells, k1 + 4 * cells };
    return slopes;
}

ASSAY_LAUNCHER(thermo_gas_plain)
{
    const gas_slopes slopes = slopes_in(args->workspace, args->count[GAS_BUF_RHO]);
    const unsigned   block  = static_cast<unsigned>(args->tune[0]);

    return gas_run_two_stages(args, [=](const gas_args &a, int stage) {
        if (stage == 1)
            gas_rk2_stage1<<<assay_blocks_for(a.cells, block), block, 0, stream>>>(a, slopes);
        else
            gas_rk2_stage2<<<assay_blocks_for(a.cells, block), block, 0, stream>>>(a, slopes);
        return assay_launch_status();
    });
}

ASSAY_LAUNCHER(thermo_gas_ssp)
{
    const unsigned block = static_cast<unsigned>(args->tune[0]);

    return gas_run_two_stages(args, [=](const gas_args &a, int stage) {
        if (stage == 1)
            gas_ssp_kernel<1><<<assay_blocks_for(a.cells, block), block, 0, stream>>>(a);
        else
            gas_ssp_kernel<2><<<assay_blocks_for(a.cells, block), block, 0, stream>>>(a);
        return assay_launch_status();
    });
}
