/* What the launchers of thermo_scatter share: from the arguments to a problem. */
#ifndef ASSAY_SCATTER_LAUNCH_H
#define ASSAY_SCATTER_LAUNCH_H

#include "scatter_case.h"
#include "scatter_device.cuh"

#include "../thermo/thermo_arena.cuh"

inline int scatter_particle_count(const assay_args *args)
{
    return static_cast<int>(args->count[SCATTER_BUF_MASS]);
}
inline int scatter_cell_count(const assay_args *args)
{
    return static_cast<int>(args->count[SCATTER_BUF_RHO]);
}

/* NULL if only the size of the workspace is asked for. */
template <typename T> inline T *scatter_buffer(const assay_args *args, int b)
{
    return args->buf ? static_cast<T *>(args->buf[b]) : nullptr;
}

inline scatter_problem scatter_problem_of(const assay_args *args)
{
    const float     dx = static_cast<float>(args->scalar[SCATTER_SCALAR_DX]);
    const double    x  = static_cast<double>(dx);
    scatter_problem q;

    q.grid       = thermo_grid_of(args->param + SCATTER_PARAM_GX, dx);
    q.per_volume = static_cast<float>(1 / (x * x * x));
    q.n          = scatter_particle_count(args);
    q.cells      = scatter_cell_count(args);
    q.in         = { scatter_buffer<const float>(args, SCATTER_BUF_POS),
                     scatter_buffer<const float>(args, SCATTER_BUF_VEL),
                     scatter_buffer<const float>(args, SCATTER_BUF_MASS),
                     scatter_buffer<const float>(args, SCATTER_BUF_HEAT),
                     scatter_buffer<const float>(args, SCATTER_BUF_ENERGY) };
    q.out        = { scatter_buffer<float>(args, SCATTER_BUF_RHO),
                     scatter_buffer<float>(args, SCATTER_BUF_MOM),
                     scatter_buffer<float>(args, SCATTER_BUF_E_INT) };
    q.errors     = scatter_buffer<unsigned>(args, SCATTER_BUF_ERRORS);
    return q;
}

/* The sorted particles among the outputs. */
inline scatter_sorted_particles scatter_sorted_outputs(const assay_args *args)
{
    return { scatter_buffer<float>(args, SCATTER_BUF_SORTED_POS),
             scatter_buffer<float>(args, SCATTER_BUF_SORTED_VEL),
             scatter_buffer<float>(args, SCATTER_BUF_SORTED_MASS),
             scatter_buffer<float>(args, SCATTER_BUF_SORTED_HEAT),
             scatter_buffer<float>(args, SCATTER_BUF_SORTED_ENERGY) };
}

/* Zeroes the fields, to which the kernels add. */
inline int scatter_clear_fields(const scatter_problem &q, assay_stream stream)
{
    const size_t bytes = static_cast<size_t>(q.cells) * sizeof(float);
    int          error = assay_memset_zero(q.out.rho, bytes, stream);

    error = error ? error : assay_memset_zero(q.out.mom, 3 * bytes, stream);
    return error ? error : assay_memset_zero(q.out.e, bytes, stream);
}
inline int scatter_clear_errors(const scatter_problem &q, assay_stream stream)
{
    return assay_memset_zero(q.errors, sizeof *q.errors, stream);
}

#endif
