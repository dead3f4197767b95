/* What the kernels of a whole step on the device share. */
#ifndef ASSAY_STEP_DEVICE_CUH
#define ASSAY_STEP_DEVICE_CUH

#include "../thermo/thermo_cic.cuh"
#include "../thermo_gather/gather_device.cuh"
#include "step_case.h"
#include "step_fft.h"

/* Values that the device decides, read by the kernels that come after. The largest values are the
 * bits of numbers that are not negative: their order is that of the integers. */
struct step_control {
    unsigned signal, sum, diffusivity;
    unsigned n_blocks; /* blocks that have added their values */
    float    dt;
    int      halvings;
    int      is_bad;  /* a value of U2 is NaN */
    int      is_done; /* no value is NaN with this dt, or there is no shorter one */
};

struct step_particles {
    const float *pos, *vel, *mass, *heat, *energy, *omega;
};

struct step_moved {
    float *pos, *vel, *heat, *energy;
};

/* Everything a kernel needs, passed by value. */
struct step_problem {
    thermo_grid    grid;
    float          length[3]; /* of the domain */
    int            n, cells;
    int            rule;
    float          gravity; /* 0: no gravity, phi is not read */
    float          per_dx;
    double         dx;
    step_particles from;
    step_moved     to;
    thermo_fields  u0, u1, u2;
    float         *phi;
    float         *used_dt;
    int           *halvings;
    step_control  *control;
    step_complex  *spectrum;        /* gx * gy * (gz / 2 + 1) with gravity */
    gather_node   *nodes;           /* u2 and phi side by side, if the pipeline packs them */
    unsigned      *log_count, *log; /* log of the sources of NaN; NULL: none is kept */
};

__device__ inline int step_thread()
{
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

__host__ __device__ inline thermo_const_fields step_read(const thermo_fields &f)
{
    return { f.rho, f.mom, f.e };
}

#endif
