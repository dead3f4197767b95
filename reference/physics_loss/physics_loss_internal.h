/* What the parts of the physics loss reference share. Component c: 0 sigma, 1 ux, 2 uy, 3 uz. */
#ifndef ASSAY_REFERENCE_PHYSICS_LOSS_INTERNAL_H
#define ASSAY_REFERENCE_PHYSICS_LOSS_INTERNAL_H

#include "physics_loss.h"

#include <math.h>

/* One component at one level, in either precision. */
typedef struct physics_field {
    const float  *single;
    const double *full;
} physics_field;

typedef struct physics_state {
    physics_field t[3][4]; /* by level */
} physics_state;

/* A sum with the sum of its terms' magnitudes. */
typedef struct physics_sum {
    double value, magnitude;
} physics_sum;

/* The cells a difference reads: itself and its neighbours along each axis. */
typedef struct physics_stencil {
    int64_t here, plus[3], minus[3];
} physics_stencil;

/* The inputs of a gradient. The cotangents of the residuals are given; or they are factor[0] R of
 * sigma and factor[1] R of u, computed where they are needed. */
typedef struct physics_problem {
    const phys_grid_spec *grid;
    const physics_state  *fields;
    double                factor[2];
    const double *const  *given;      /* [4], NULL: from the residuals */
    const double *const  *magnitudes; /* [4] of the given ones' terms; NULL: their own */
} physics_problem;

static inline double physics_at(physics_field f, int64_t cell)
{
    return f.full != NULL ? f.full[cell] : (double)f.single[cell];
}

static inline void physics_add(physics_sum *sum, double term)
{
    sum->value += term;
    sum->magnitude += fabs(term);
}

/* Adds a term that is `by` times something that is a sum itself. */
static inline void physics_add_scaled(physics_sum *sum, physics_sum term, double by)
{
    sum->value += term.value * by;
    sum->magnitude += term.magnitude * fabs(by);
}

static inline int64_t physics_extent(const phys_grid_spec *g, int axis)
{
    return axis == 0 ? g->nx : axis == 1 ? g->ny : g->nz;
}
static inline double physics_spacing(const phys_grid_spec *g, int axis)
{
    return axis == 0 ? g->hx : axis == 1 ? g->hy : g->hz;
}
/* The step that a difference in time divides by. */
static inline double physics_step(const phys_grid_spec *g)
{
    return g->time == PHYS_CENTRAL ? 2 * g->dt : g->dt;
}

static inline double physics_difference(const phys_grid_spec *g, physics_field f,
                                        const physics_stencil *s, int axis)
{
    return (physics_at(f, s->plus[axis]) - physics_at(f, s->minus[axis])) /
           (2 * physics_spacing(g, axis));
}

/* The place `step` (+1 or -1) cells from place i on an axis of n cells, as the boundary says. */
int64_t physics_neighbour(int64_t i, int64_t step, int64_t n, int boundary);

physics_stencil physics_stencil_at(const phys_grid_spec *g, const int64_t xyz[3]);

/* The residuals of one cell. */
void physics_residuals_at(const phys_grid_spec *g, const physics_state *fields,
                          const physics_stencil *s, physics_sum r[4]);

/* The cotangents of the residuals of one cell. Their magnitudes are those of the terms of R, which
 * bound their errors. */
void physics_cotangents_at(const physics_problem *p, const int64_t xyz[3],
                           physics_sum cotangent[4]);

/* The gradients at one cell with respect to the fields, by level; those of t2 are zero with
 * PHYS_FIRST_ORDER. */
void physics_gradient_at(const physics_problem *p, const int64_t xyz[3], physics_sum d[3][4]);

/* Calls `visit` for the cells of the planes z_begin to z_end - 1, in order. */
typedef void physics_visit_fn(void *to, const int64_t xyz[3]);
void         physics_for_each_cell(const phys_grid_spec *g, int64_t z_begin, int64_t z_end,
                                   physics_visit_fn *visit, void *to);

#endif
