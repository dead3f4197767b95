/* Physics loss, fused: one thread a cell; neighbours come through the caches. For the gradient with
 * respect to the fields, a thread also computes the residuals of its six neighbours: simple, but
 * seven times the work. */
#include "phys_gradient.cuh"
#include "phys_launch.h"

static const int LANES = 32; /* cells of a block along x; ROWS along y */

/* Where a thread's cell lies. */
struct pointwise_place {
    int x, y, z;
};

template <int ROWS>
__device__ static inline pointwise_place pointwise_place_of(const phys_kernel_args &a)
{
    const phys_tile       tile = phys_tile_of_block(a);
    const pointwise_place at   = { tile.x * LANES + static_cast<int>(threadIdx.x),
                                   tile.y * ROWS + static_cast<int>(threadIdx.y), tile.z };

    return at;
}

__device__ static inline int64_t cell_number(const phys_kernel_args &a, const pointwise_place &at)
{
    return (static_cast<int64_t>(at.z) * a.ny + at.y) * a.nx + at.x;
}

/* What the residual of a cell is made of. */
template <bool CENTRAL>
__device__ static inline phys_cell load_cell(const phys_kernel_args &a, const pointwise_place &at)
{
    const int64_t here  = cell_number(a, at);
    const int64_t plane = static_cast<int64_t>(a.nx) * a.ny;
    const int64_t x_m   = here - at.x + phys_below(at.x, a.nx, a.periodic[0]);
    const int64_t x_p   = here - at.x + phys_above(at.x, a.nx, a.periodic[0]);
    const int64_t y_m =
        here + static_cast<int64_t>(phys_below(at.y, a.ny, a.periodic[1]) - at.y) * a.nx;
    const int64_t y_p =
        here + static_cast<int64_t>(phys_above(at.y, a.ny, a.periodic[1]) - at.y) * a.nx;
    const int64_t z_m = here + (phys_below(at.z, a.nz, a.periodic[2]) - at.z) * plane;
    const int64_t z_p = here + (phys_above(at.z, a.nz, a.periodic[2]) - at.z) * plane;
    phys_cell     cell;

#pragma unroll
    for (int c = 0; c < 4; c++) {
        const float *f = a.now[c];

        cell.now[c]  = f[here];
        cell.step[c] = (CENTRAL ? a.after[c][here] : cell.now[c]) - a.before[c][here];
        cell.dx[c]   = f[x_p] - f[x_m];
        cell.dy[c]   = f[y_p] - f[y_m];
        cell.dz[c]   = f[z_p] - f[z_m];
    }
    return cell;
}

/* ---- residuals and the gradient with respect to them */

template <int ROWS, bool CENTRAL> static __global__ void __launch_bounds__(LANES *ROWS)
    pointwise_kernel(phys_kernel_args a)
{
    const pointwise_place at  = pointwise_place_of<ROWS>(a);
    phys_squares          sum = { 0, 0 };

    if (at.x < a.nx && at.y < a.ny)
        phys_finish_cell(a, cell_number(a, at), load_cell<CENTRAL>(a, at), &sum);
    if (a.loss[0] != NULL)
        phys_add_losses<LANES * ROWS>(a, sum, threadIdx.y * LANES + threadIdx.x);
}

/* ---- the gradient with respect to the fields */

/* Adds the fluxes of the two cells beside this one along an axis. */
template <int AXIS, bool CENTRAL> __device__ static inline void
add_neighbours(const phys_kernel_args &a, const pointwise_place &at, float d[4])
{
    const int i        = AXIS == 0 ? at.x : AXIS == 1 ? at.y : at.z;
    const int n        = AXIS == 0 ? a.nx : AXIS == 1 ? a.ny : a.nz;
    const int periodic = a.periodic[AXIS];

#pragma unroll 1
    for (int side = 0; side < 2; side++) {
        const int   beside = side == 0 ? phys_below(i, n, periodic) : phys_above(i, n, periodic);
        const float sign =
            side == 0 ? phys_sign_below(i, periodic) : -phys_sign_above(i, n, periodic);
        const pointwise_place from = { AXIS == 0 ? beside : at.x, AXIS == 1 ? beside : at.y,
                                       AXIS == 2 ? beside : at.z };
        const phys_cell cell = load_cell<CENTRAL>(a, from);
        float           cotangent[4];

        phys_residual(a, cell, cotangent);
#pragma unroll
        for (int c = 0; c < 4; c++)
            cotangent[c] *= a.gradient_factor[c > 0];
        phys_add_flux(a, AXIS, sign, cotangent, cell.now, d);
    }
}

/* Everything of one cell. */
template <bool CENTRAL> __device__ static inline void
field_cell(const phys_kernel_args &a, const pointwise_place &at, phys_squares *sum)
{
    const int64_t   here = cell_number(a, at);
    const phys_cell cell = load_cell<CENTRAL>(a, at);
    float           r[4], cotangent[4], d[4];
    phys_vector<1>  r_out[4], cotangent_out[4], d_out[4];

    phys_residual(a, cell, r);
    phys_add_squares(sum, r);
#pragma unroll
    for (int c = 0; c < 4; c++) {
        cotangent[c]           = a.gradient_factor[c > 0] * r[c];
        r_out[c].at[0]         = r[c];
        cotangent_out[c].at[0] = cotangent[c];
    }
    phys_direct(a, cell, cotangent, CENTRAL, d);
    add_neighbours<0, CENTRAL>(a, at, d);
    add_neighbours<1, CENTRAL>(a, at, d);
    add_neighbours<2, CENTRAL>(a, at, d);
#pragma unroll
    for (int c = 0; c < 4; c++)
        d_out[c].at[0] = d[c];
    phys_store_components<1>(a.d, here, a.cells, d_out);
    phys_store_far<1>(a, here, cotangent_out);
    if (a.r[0] != NULL)
        phys_store(a.r[0], here, r_out[0]);
#pragma unroll
    for (int c = 0; c < 3; c++)
        if (a.r[1] != NULL)
            phys_store(a.r[1], here + c * a.cells, r_out[1 + c]);
}

template <int ROWS, bool CENTRAL> static __global__ void __launch_bounds__(LANES *ROWS)
    pointwise_field_kernel(phys_kernel_args a)
{
    const pointwise_place at  = pointwise_place_of<ROWS>(a);
    phys_squares          sum = { 0, 0 };

    if (at.x < a.nx && at.y < a.ny)
        field_cell<CENTRAL>(a, at, &sum);
    if (a.loss[0] != NULL)
        phys_add_losses<LANES * ROWS>(a, sum, threadIdx.y * LANES + threadIdx.x);
}

/* ---- launches */

template <int ROWS>
static int launch_pointwise(phys_kernel_args a, bool is_central, assay_stream stream)
{
    const unsigned blocks = phys_set_tiles(&a, LANES, ROWS, 1);

    if (blocks == 0)
        return PHYS_INVALID_GRID;
    if (is_central)
        pointwise_kernel<ROWS, true><<<blocks, dim3(LANES, ROWS), 0, stream>>>(a);
    else
        pointwise_kernel<ROWS, false><<<blocks, dim3(LANES, ROWS), 0, stream>>>(a);
    return assay_launch_status();
}

template <int ROWS>
static int launch_pointwise_field(phys_kernel_args a, bool is_central, assay_stream stream)
{
    const unsigned blocks = phys_set_tiles(&a, LANES, ROWS, 1);

    if (blocks == 0)
        return PHYS_INVALID_GRID;
    if (is_central)
        pointwise_field_kernel<ROWS, true><<<blocks, dim3(LANES, ROWS), 0, stream>>>(a);
    else
        pointwise_field_kernel<ROWS, false><<<blocks, dim3(LANES, ROWS), 0, stream>>>(a);
    return assay_launch_status();
}

/* By threads of a block. */
static const struct pointwise_launches {
    int64_t block;
    int (*residual)(phys_kernel_args a, bool is_central, assay_stream stream);
    int (*field)(phys_kernel_args a, bool is_central, assay_stream stream);
} LAUNCHES[] = {
    { 256, launch_pointwise<8>, launch_pointwise_field<8> },
    { 64, launch_pointwise<2>, launch_pointwise_field<2> },
    { 128, launch_pointwise<4>, launch_pointwise_field<4> },
    { 512, launch_pointwise<16>, launch_pointwise_field<16> },
};

static const pointwise_launches *launches_of(int64_t block)
{
    for (const pointwise_launches &launches : LAUNCHES)
        if (launches.block == block)
            return &launches;
    return NULL;
}

int phys_launch_pointwise(const phys_kernel_args *a, bool is_central, const phys_tuning &tuning,
                          assay_stream stream)
{
    const pointwise_launches *launches = launches_of(tuning.block);

    return launches != NULL ? launches->residual(*a, is_central, stream) : PHYS_INVALID_VALUE;
}

int phys_launch_pointwise_field(const phys_kernel_args *a, bool is_central,
                                const phys_tuning &tuning, assay_stream stream)
{
    const pointwise_launches *launches = launches_of(tuning.block);

    return launches != NULL ? launches->field(*a, is_central, stream) : PHYS_INVALID_VALUE;
}
