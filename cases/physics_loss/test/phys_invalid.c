/* Invalid arguments for the physics loss calls, one at a time. */
#include "phys_test.h"

#include <math.h>

/* A valid set of arguments to spoil. */
typedef struct arguments {
    phys_grid_spec grid;
    phys_weights   weights;
    phys_buf       buf;
} arguments;

#define SPOIL(name, statement)                                                                     \
    static void spoil_##name(arguments *a) { statement; }
SPOIL(nx, a->grid.nx = 0)
SPOIL(ny, a->grid.ny = -3)
SPOIL(nz, a->grid.nz = ((int64_t)1 << 30) + 1)
SPOIL(cells, a->grid.nx = a->grid.ny = a->grid.nz = 1 << 20)
SPOIL(hx, a->grid.hx = 0)
SPOIL(hy, a->grid.hy = (double)NAN)
SPOIL(hz, a->grid.hz = (double)INFINITY)
SPOIL(dt, a->grid.dt = -1)
SPOIL(boundary_y, a->grid.boundary[1] = PHYS_N_BOUNDARIES)
SPOIL(boundary_z, a->grid.boundary[2] = -1)
SPOIL(time, a->grid.time = PHYS_N_TIMES)
SPOIL(vjp, a->grid.vjp = PHYS_N_VJPS)
SPOIL(levels, a->grid.levels = PHYS_N_LEVELS)
SPOIL(all_levels, a->grid.levels = PHYS_LEVELS_ALL)
SPOIL(weight, a->weights.w_u = (double)NAN)
SPOIL(tiny_h, a->grid.hy = 1e-39)
SPOIL(huge_dt, a->grid.dt = 1e60)
SPOIL(huge_weight, a->weights.w_sigma = 1e39)
SPOIL(t0, a->buf.sigma_t0 = NULL)
SPOIL(t1, a->buf.u_t1 = NULL)
SPOIL(t2, a->grid.time = PHYS_CENTRAL; a->buf.u_t2 = NULL)
SPOIL(outputs, a->buf.loss_u = NULL; a->buf.d_u[1] = NULL)
SPOIL(d_t0, a->grid.vjp = PHYS_VJP_FIELD; a->grid.levels = PHYS_LEVELS_ALL; a->buf.loss_u = NULL;
      a->buf.d_sigma[0] = NULL)
SPOIL(d_t2, a->grid.vjp = PHYS_VJP_FIELD; a->grid.levels = PHYS_LEVELS_ALL;
      a->grid.time = PHYS_CENTRAL; a->buf.loss_u = NULL; a->buf.d_u[2] = NULL)

#define ROW(name)                                                                                  \
    {                                                                                              \
#name, spoil_##name                                                                        \
    }
static const struct {
    const char *what;
    void (*spoil)(arguments *a);
} ROWS[] = {
    ROW(nx),     ROW(ny),      ROW(nz),          ROW(cells),      ROW(hx),         ROW(hy),
    ROW(hz),     ROW(dt),      ROW(weight),      ROW(time),       ROW(boundary_y), ROW(boundary_z),
    ROW(tiny_h), ROW(huge_dt), ROW(huge_weight), ROW(vjp),        ROW(t0),         ROW(t1),
    ROW(levels), ROW(t2),      ROW(outputs),     ROW(all_levels), ROW(d_t0),       ROW(d_t2),
};

void phys_for_each_invalid(const phys_problem *problem, const phys_buf *buf, phys_invalid_fn *check,
                           void *context)
{
    const phys_invalid no_grid    = { "grid NULL", NULL, &problem->weights, buf };
    const phys_invalid no_weights = { "weights NULL", &problem->grid, NULL, buf };
    const phys_invalid no_buf     = { "buf NULL", &problem->grid, &problem->weights, NULL };

    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        arguments          a       = { problem->grid, problem->weights, *buf };
        const phys_invalid invalid = { ROWS[i].what, &a.grid, &a.weights, &a.buf };

        ROWS[i].spoil(&a);
        check(&invalid, context);
    }
    check(&no_grid, context);
    check(&no_weights, context);
    check(&no_buf, context);
}
