/* What the gas kernels share: the primitives of a cell, the right-hand side, the stages and the
 * debug log.
 *
 * Every rounding is written out, so that no compiler contracts anything. Variants that compute a
 * stage from the same bits get the same bits. Differences of equal values are exactly 0, which
 * makes a uniform state a fixed point.
 *
 * With U = (rho, mom, e) and F_d = (mom_d, mom u_d + p e_d, e u_d), a cell C between L and H gains
 * per direction -dt/2dx [F_H - F_L - s_CH (U_H - U_C) + s_LC (U_C - U_L)], where s is the larger
 * signal speed of the two. That is the difference of its two Rusanov fluxes, in which F_C cancels.
 * e also gains -p dt/2dx (u_H - u_L) and k dt/dx^2 (T_H + T_L - 2 T_C). */
#ifndef ASSAY_GAS_DEVICE_CUH
#define ASSAY_GAS_DEVICE_CUH

#include "../thermo/thermo_device.cuh"
#include "gas_case.h"

/* Everything a kernel needs, passed by value. */
struct gas_args {
    int                 gx, gy, gz;
    int                 cells;
    thermo_const_fields from;  /* the state whose right-hand side is taken */
    thermo_const_fields start; /* U0, in stage 2 */
    thermo_fields       to;
    float               per_2dx, dt_per_2dx; /* 1/2dx, dt/2dx */
    float               heat, dt_heat;       /* k/(c_v dx^2), times dt */
    float               dt, half_dt;
    unsigned           *log_count; /* NULL: no log */
    unsigned           *log;
};

/* A cell as its neighbours along one direction see it. signal < 0: inadmissible. */
struct gas_side {
    thermo_state u;
    float        velocity; /* along the direction */
    float        p, temperature, signal;
};

/* A cell with everything that follows from its state. */
struct gas_cell {
    thermo_state u;
    float        velocity[3];
    float        p, temperature, signal;
};

__device__ inline float gas_square(float x, float y, float z)
{
    return __fmaf_rn(z, z, __fmaf_rn(y, y, __fmul_rn(x, x)));
}

/* 0 times a finite number is 0; 0 times any other value is NaN. */
__device__ inline bool gas_is_finite(const thermo_state &u)
{
    const float zero = __fmaf_rn(
        u.e, 0.0f,
        __fmaf_rn(u.mom[2], 0.0f,
                  __fmaf_rn(u.mom[1], 0.0f, __fmaf_rn(u.mom[0], 0.0f, __fmul_rn(u.rho, 0.0f)))));

    return zero == 0.0f;
}

/* The reason, or 0 for an admissible state. */
__device__ inline int gas_why_inadmissible(const thermo_state &u)
{
    constexpr float rho_min = static_cast<float>(THERMO_RHO_MIN);

    if (!gas_is_finite(u))
        return GAS_NOT_FINITE;
    if (u.rho < -rho_min)
        return GAS_NEGATIVE_DENSITY;
    if (u.rho > rho_min)
        return u.e >= 0 ? 0 : GAS_NEGATIVE_ENERGY;
    if (!(__fsqrt_rn(gas_square(u.mom[0], u.mom[1], u.mom[2])) <= rho_min))
        return GAS_ENVELOPE_MOMENTUM;
    return u.e >= -static_cast<float>(THERMO_E_BELOW) && u.e <= static_cast<float>(THERMO_E_ABOVE)
               ? 0
               : GAS_ENVELOPE_ENERGY;
}

/* Tests the common case first: few instructions, and no branch for a warp of normal cells. */
__device__ inline bool gas_is_admissible(const thermo_state &u)
{
    const bool is_normal = u.rho > static_cast<float>(THERMO_RHO_MIN) && u.e >= 0;

    return is_normal ? gas_is_finite(u) : gas_why_inadmissible(u) == 0;
}

/* One reciprocal serves velocity and temperature; c^2 = gamma p / rho = gamma (gamma - 1) T with
 * c_v = 1. */
__device__ inline gas_cell gas_cell_of(const thermo_state &u)
{
    constexpr float rho_min = static_cast<float>(THERMO_RHO_MIN);
    constexpr float c2      = static_cast<float>(THERMO_GAMMA * (THERMO_GAMMA - 1));
    const bool      is_low  = !(u.rho > rho_min);
    const float     inverse = __frcp_rn(is_low ? rho_min : u.rho);
    const float     e       = is_low ? fmaxf(u.e, 0.0f) : u.e;
    gas_cell        c;

    c.u           = u;
    c.velocity[0] = __fmul_rn(u.mom[0], inverse);
    c.velocity[1] = __fmul_rn(u.mom[1], inverse);
    c.velocity[2] = __fmul_rn(u.mom[2], inverse);
    c.p           = __fmul_rn(static_cast<float>(THERMO_GAMMA - 1), e);
    c.temperature = __fmul_rn(e, inverse);
    c.signal      = __fadd_rn(__fsqrt_rn(gas_square(c.velocity[0], c.velocity[1], c.velocity[2])),
                              __fsqrt_rn(__fmul_rn(c2, c.temperature)));
    c.signal      = gas_is_admissible(u) ? c.signal : -1.0f;
    return c;
}

__device__ inline gas_side gas_side_of(const gas_cell &c, int d)
{
    return { c.u, c.velocity[d], c.p, c.temperature, c.signal };
}

/* Sums over the directions: net flux of each value, velocity difference, second difference of T. */
struct gas_rates {
    float rho, mom[3], e, velocity, temperature;
};

/* a - b, or sum + (a - b): for the first direction there is no sum yet. */
template <bool FIRST> __device__ inline float gas_difference(float sum, float a, float b)
{
    return FIRST ? __fsub_rn(a, b) : __fadd_rn(sum, __fsub_rn(a, b));
}

/* sum - s_high (high - here) + s_low (here - low) */
__device__ inline float gas_dissipate(float sum, float s_low, float s_high, float low, float here,
                                      float high)
{
    return __fmaf_rn(s_low, __fsub_rn(here, low), __fmaf_rn(-s_high, __fsub_rn(high, here), sum));
}

template <int D> __device__ inline float gas_momentum_flux(const gas_side &s, int component)
{
    return component == D ? __fmaf_rn(s.u.mom[component], s.velocity, s.p)
                          : __fmul_rn(s.u.mom[component], s.velocity);
}

/* Adds direction D; call it for D = 0, 1, 2 in this order. False if a neighbour is inadmissible. */
template <int D> __device__ inline bool
gas_add_direction(gas_rates *r, const gas_side &low, const gas_cell &here, const gas_side &high)
{
    constexpr bool FIRST  = D == 0;
    const float    s_low  = fmaxf(low.signal, here.signal);
    const float    s_high = fmaxf(here.signal, high.signal);
    float          sum;

    sum    = gas_difference<FIRST>(r->rho, high.u.mom[D], low.u.mom[D]);
    r->rho = gas_dissipate(sum, s_low, s_high, low.u.rho, here.u.rho, high.u.rho);
#pragma unroll
    for (int i = 0; i < 3; i++) {
        sum       = gas_difference<FIRST>(r->mom[i], gas_momentum_flux<D>(high, i),
                                    gas_momentum_flux<D>(low, i));
        r->mom[i] = gas_dissipate(sum, s_low, s_high, low.u.mom[i], here.u.mom[i], high.u.mom[i]);
    }
    sum         = gas_difference<FIRST>(r->e, __fmul_rn(high.u.e, high.velocity),
                                __fmul_rn(low.u.e, low.velocity));
    r->e        = gas_dissipate(sum, s_low, s_high, low.u.e, here.u.e, high.u.e);
    r->velocity = gas_difference<FIRST>(r->velocity, high.velocity, low.velocity);
    sum         = __fmaf_rn(-2.0f, here.temperature, __fadd_rn(high.temperature, low.temperature));
    r->temperature = FIRST ? sum : __fadd_rn(r->temperature, sum);
    return low.signal >= 0 && high.signal >= 0;
}

/* u + dt k, with the factors of k already times dt. */
__device__ inline thermo_state gas_advance(const thermo_state &u, const gas_rates &r, float p,
                                           float dt_per_2dx, float dt_heat)
{
    thermo_state v;

    v.rho = __fmaf_rn(-dt_per_2dx, r.rho, u.rho);
    for (int i = 0; i < 3; i++)
        v.mom[i] = __fmaf_rn(-dt_per_2dx, r.mom[i], u.mom[i]);
    v.e = __fmaf_rn(-dt_per_2dx, __fmaf_rn(p, r.velocity, r.e), u.e);
    v.e = __fmaf_rn(dt_heat, r.temperature, v.e);
    return v;
}

__device__ inline float gas_middle(float a, float b) { return __fmul_rn(0.5f, __fadd_rn(a, b)); }

/* U2 = (U0 + (U1 + dt k2)) / 2, the form of Heun's method that does not need k1. */
__device__ inline thermo_state gas_average(const thermo_state &a, const thermo_state &b)
{
    return { gas_middle(a.rho, b.rho),
             { gas_middle(a.mom[0], b.mom[0]), gas_middle(a.mom[1], b.mom[1]),
               gas_middle(a.mom[2], b.mom[2]) },
             gas_middle(a.e, b.e) };
}

__device__ inline thermo_state gas_poison()
{
    const float nan = thermo_quiet_nan();

    return { nan, { nan, nan, nan }, nan };
}

/* The count gives each source a number. A writer that overwrites an entry waits for the turn before
 * its own. The writer of that turn got its number earlier, and never waits for a later one. */
__device__ inline void gas_write_log(const gas_args &a, int cell, int stage, const thermo_state &u)
{
    const unsigned number = atomicAdd(a.log_count, 1u), turn = number / GAS_LOG_CAPACITY;
    unsigned      *to = a.log + number % GAS_LOG_CAPACITY * GAS_LOG_WORDS;

    while (assay_load_acquire(&to[GAS_LOG_TURN]) != turn)
        __nanosleep(100);
    to[GAS_LOG_CELL]      = static_cast<unsigned>(cell);
    to[GAS_LOG_STAGE]     = static_cast<unsigned>(stage);
    to[GAS_LOG_REASON]    = static_cast<unsigned>(gas_why_inadmissible(u));
    to[GAS_LOG_STATE]     = __float_as_uint(u.rho);
    to[GAS_LOG_STATE + 1] = __float_as_uint(u.mom[0]);
    to[GAS_LOG_STATE + 2] = __float_as_uint(u.mom[1]);
    to[GAS_LOG_STATE + 3] = __float_as_uint(u.mom[2]);
    to[GAS_LOG_STATE + 4] = __float_as_uint(u.e);
    to[GAS_LOG_DT]        = __float_as_uint(a.dt);
    assay_store_release(&to[GAS_LOG_TURN], turn + 1);
}

/* The new state of a cell: v, or NaN if its stencil or v is inadmissible. Only a source of NaN is
 * logged, and not its neighbours: an inadmissible input state, or one that arose from an admissible
 * stencil. */
template <int STAGE> __device__ inline thermo_state
gas_judge(const gas_args &a, int cell, const gas_cell &here, bool neighbours_are, thermo_state v)
{
    const bool here_is = here.signal >= 0;

    if (here_is && neighbours_are && gas_is_admissible(v))
        return v;
    if (a.log_count != NULL && STAGE == 1 && !here_is)
        gas_write_log(a, cell, 0, here.u);
    if (a.log_count != NULL && here_is && neighbours_are)
        gas_write_log(a, cell, STAGE, v);
    return gas_poison();
}

#endif
