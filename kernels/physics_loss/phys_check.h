/* Checks of the arguments of the physics loss calls, the same for every device. */
#ifndef ASSAY_PHYS_CHECK_H
#define ASSAY_PHYS_CHECK_H

#include "phys_loss.h"

#include <math.h>
#include <stdbool.h>

/* True for a length or step whose reciprocal and half reciprocal are fp32 numbers: kernels multiply
 * by those. */
static inline bool phys_is_step(double value)
{
    return value > 0 && isfinite(value) && isfinite((float)(1 / value)) &&
           (float)(1 / (2 * value)) > 0;
}

/* Cells of the grid, or 0 where the extents are not valid. */
static inline int64_t phys_count_cells(const phys_grid_spec *grid)
{
    const int64_t max_extent = (int64_t)1 << 30, max_cells = (int64_t)1 << 40;

    if (grid->nx < 1 || grid->ny < 1 || grid->nz < 1 || grid->nx > max_extent ||
        grid->ny > max_extent || grid->nz > max_extent)
        return 0;
    /* No product overflows: the first is at most 2^60, and the second is formed only when it is
     * small. */
    if (grid->nx * grid->ny > max_cells || grid->nx * grid->ny > max_cells / grid->nz)
        return 0;
    return grid->nx * grid->ny * grid->nz;
}

static inline int phys_check_grid(const phys_grid_spec *grid, const phys_weights *weights)
{
    if (grid == NULL || weights == NULL || phys_count_cells(grid) == 0)
        return PHYS_INVALID_VALUE;
    if (!phys_is_step(grid->hx) || !phys_is_step(grid->hy) || !phys_is_step(grid->hz) ||
        !phys_is_step(grid->dt))
        return PHYS_INVALID_VALUE;
    for (int axis = 0; axis < 3; axis++)
        if (grid->boundary[axis] < 0 || grid->boundary[axis] >= PHYS_N_BOUNDARIES)
            return PHYS_INVALID_VALUE;
    if (grid->time < 0 || grid->time >= PHYS_N_TIMES || grid->vjp < 0 || grid->vjp >= PHYS_N_VJPS ||
        grid->levels < 0 || grid->levels >= PHYS_N_LEVELS ||
        (grid->levels == PHYS_LEVELS_ALL && grid->vjp != PHYS_VJP_FIELD))
        return PHYS_INVALID_VALUE;
    /* The factor also fits in fp32, whatever the number of cells. */
    return isfinite((float)(2 * weights->w_sigma)) && isfinite((float)(2 * weights->w_u))
               ? PHYS_OK
               : PHYS_INVALID_VALUE;
}

static inline bool phys_has_fields(const phys_grid_spec *grid, const phys_buf *buf)
{
    return buf->sigma_t0 != NULL && buf->sigma_t1 != NULL && buf->u_t0 != NULL &&
           buf->u_t1 != NULL &&
           (grid->time == PHYS_FIRST_ORDER || (buf->sigma_t2 != NULL && buf->u_t2 != NULL));
}
static inline bool phys_has_losses(const phys_buf *buf)
{
    return buf->loss_sigma != NULL && buf->loss_u != NULL;
}
/* Does the gradient at this level belong to the outputs? */
static inline bool phys_wants_level(const phys_grid_spec *grid, int level)
{
    return level == 1 || (grid->levels == PHYS_LEVELS_ALL &&
                          (level == 0 || (level == 2 && grid->time == PHYS_CENTRAL)));
}
static inline bool phys_has_gradients(const phys_grid_spec *grid, const phys_buf *buf)
{
    for (int level = 0; level < 3; level++)
        if (phys_wants_level(grid, level) &&
            (buf->d_sigma[level] == NULL || buf->d_u[level] == NULL))
            return false;
    return true;
}

/* What a call needs of its buffers. */
enum {
    PHYS_NEEDS_FIELDS    = 1,
    PHYS_NEEDS_LOSSES    = 2,
    PHYS_NEEDS_GRADIENTS = 4,
    PHYS_NEEDS_RESIDUALS = 8,
    PHYS_NEEDS_T1        = 16 /* no other level of the fields */
};

static inline int phys_check(const phys_grid_spec *grid, const phys_weights *weights,
                             const phys_buf *buf, unsigned needs)
{
    const int error = phys_check_grid(grid, weights);

    if (error != PHYS_OK)
        return error;
    if (buf == NULL || ((needs & PHYS_NEEDS_FIELDS) && !phys_has_fields(grid, buf)) ||
        ((needs & PHYS_NEEDS_LOSSES) && !phys_has_losses(buf)) ||
        ((needs & PHYS_NEEDS_GRADIENTS) && !phys_has_gradients(grid, buf)) ||
        ((needs & PHYS_NEEDS_T1) && (buf->sigma_t1 == NULL || buf->u_t1 == NULL)) ||
        ((needs & PHYS_NEEDS_RESIDUALS) && (buf->r_sigma == NULL || buf->r_u == NULL)))
        return PHYS_INVALID_VALUE;
    return PHYS_OK;
}

#endif
