/* From the arguments of thermo_gather to a problem. */
#ifndef ASSAY_GATHER_LAUNCH_H
#define ASSAY_GATHER_LAUNCH_H

#include "gather_case.h"
#include "gather_device.cuh"

template <typename T> inline T *gather_buffer(const assay_args *args, int b)
{
    return static_cast<T *>(args->buf[b]);
}

inline gather_problem gather_problem_of(const assay_args *args)
{
    const float    dx = static_cast<float>(args->scalar[GATHER_SCALAR_DX]);
    gather_problem q;

    q.grid      = thermo_grid_of(args->param + GATHER_PARAM_GX, dx);
    q.length[0] = static_cast<float>(q.grid.gx) * dx;
    q.length[1] = static_cast<float>(q.grid.gy) * dx;
    q.length[2] = static_cast<float>(q.grid.gz) * dx;
    q.dt        = static_cast<float>(args->scalar[GATHER_SCALAR_DT]);
    q.dt_per_dx = q.dt / dx;
    q.poisons   = args->param[GATHER_PARAM_NEGATIVE_RHO] == THERMO_NEGATIVE_RHO_POISON;
    q.n         = static_cast<int>(args->count[GATHER_BUF_MASS]);
    q.cells     = static_cast<int>(args->count[GATHER_BUF_RHO]);
    q.fields    = { gather_buffer<const float>(args, GATHER_BUF_RHO),
                    gather_buffer<const float>(args, GATHER_BUF_MOM),
                    gather_buffer<const float>(args, GATHER_BUF_E_INT) };
    q.pos       = gather_buffer<const float>(args, GATHER_BUF_POS);
    q.mass      = gather_buffer<const float>(args, GATHER_BUF_MASS);
    q.phi       = gather_buffer<const float>(args, GATHER_BUF_PHI);
    q.new_pos   = gather_buffer<float>(args, GATHER_BUF_NEW_POS);
    q.new_vel   = gather_buffer<float>(args, GATHER_BUF_NEW_VEL);
    q.new_heat  = gather_buffer<float>(args, GATHER_BUF_NEW_HEAT);
    return q;
}

template <int WARPS> struct gather_warps {
    static constexpr int value = WARPS;
};

/* Calls launch(gather_warps<...>()) for the tuning value. */
template <typename Launch> int gather_launch_for(int64_t warps, Launch launch)
{
    switch (warps) {
    case 24:
        return launch(gather_warps<24>());
    case 32:
        return launch(gather_warps<32>());
    case 40:
        return launch(gather_warps<40>());
    default:
        return 1; /* cudaErrorInvalidValue */
    }
}

/* Tuning axes of the variants that have both. */
enum {
    GATHER_TUNE_BLOCK,
    GATHER_TUNE_WARPS
};

#endif
