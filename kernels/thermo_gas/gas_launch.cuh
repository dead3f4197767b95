/* From the arguments of a launcher to what the gas kernels take. */
#ifndef ASSAY_GAS_LAUNCH_CUH
#define ASSAY_GAS_LAUNCH_CUH

#include "gas_device.cuh"

#include <limits.h>

/* What a launcher returns for arguments it has no kernel for: CUDA's cudaErrorInvalidValue. */
constexpr int GAS_INVALID_VALUE = 1;

inline float *gas_buffer(const assay_args *args, int b)
{
    return static_cast<float *>(args->buf[b]);
}

inline thermo_const_fields gas_given(const assay_args *args)
{
    return { gas_buffer(args, GAS_BUF_RHO), gas_buffer(args, GAS_BUF_MOM),
             gas_buffer(args, GAS_BUF_E) };
}
inline thermo_fields gas_stage_1(const assay_args *args)
{
    return { gas_buffer(args, GAS_BUF_RHO_1), gas_buffer(args, GAS_BUF_MOM_1),
             gas_buffer(args, GAS_BUF_E_1) };
}
inline thermo_fields gas_stage_2(const assay_args *args)
{
    return { gas_buffer(args, GAS_BUF_RHO_2), gas_buffer(args, GAS_BUF_MOM_2),
             gas_buffer(args, GAS_BUF_E_2) };
}
__host__ __device__ inline thermo_const_fields gas_read(const thermo_fields &f)
{
    return { f.rho, f.mom, f.e };
}

/* The kernels index momentum, 3 values a cell, by int. */
inline bool gas_is_too_large(const assay_args *args)
{
    return 3 * args->count[GAS_BUF_RHO] > INT_MAX;
}

/* dx = 1 / max(g), so 1/dx is an integer. */
inline double gas_per_dx(const int64_t *param)
{
    int64_t most = param[GAS_PARAM_GX];

    for (int d = 1; d < 3; d++)
        if (param[GAS_PARAM_GX + d] > most)
            most = param[GAS_PARAM_GX + d];
    return static_cast<double>(most);
}

/* Everything except from, start and to, which differ by stage. */
inline gas_args gas_args_of(const assay_args *args)
{
    const double per_dx = gas_per_dx(args->param), dt = args->scalar[GAS_SCALAR_DT];
    const double heat = THERMO_CONDUCTIVITY / THERMO_C_V * per_dx * per_dx;
    gas_args     a    = {};

    a.gx         = static_cast<int>(args->param[GAS_PARAM_GX]);
    a.gy         = static_cast<int>(args->param[GAS_PARAM_GY]);
    a.gz         = static_cast<int>(args->param[GAS_PARAM_GZ]);
    a.cells      = static_cast<int>(args->count[GAS_BUF_RHO]);
    a.per_2dx    = static_cast<float>(per_dx / 2);
    a.dt_per_2dx = static_cast<float>(dt * per_dx / 2);
    a.heat       = static_cast<float>(heat);
    a.dt_heat    = static_cast<float>(dt * heat);
    a.dt         = static_cast<float>(dt);
    a.half_dt    = static_cast<float>(dt / 2);
    if (args->count[GAS_BUF_LOG_COUNT] > 0) {
        a.log_count = static_cast<unsigned *>(args->buf[GAS_BUF_LOG_COUNT]);
        a.log       = static_cast<unsigned *>(args->buf[GAS_BUF_LOG]);
    }
    return a;
}

/* The two launches of a step in the form without k1: `stage(a, number)` launches one and returns
 * its error. */
template <typename Stage> int gas_run_two_stages(const assay_args *args, Stage stage)
{
    gas_args a = gas_args_of(args);
    int      error;

    if (a.cells == 0)
        return 0;
    if (gas_is_too_large(args))
        return GAS_INVALID_VALUE;
    a.start = a.from = gas_given(args);
    a.to             = gas_stage_1(args);
    error            = stage(a, 1);
    if (error != 0)
        return error;
    a.from = gas_read(gas_stage_1(args));
    a.to   = gas_stage_2(args);
    return stage(a, 2);
}

#endif
