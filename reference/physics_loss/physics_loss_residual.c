/* Residuals of the physics loss in double, from the definition: D_d f = (f(+1) - f(-1)) / 2h with
 * the boundary's neighbours, R_s = dt s + sum_d u_d D_d s + s sum_d D_d u_d, R_c = dt u_c + sum_d
 * u_d D_d u_c. */
#include "physics_loss_internal.h"

int64_t physics_neighbour(int64_t i, int64_t step, int64_t n, int boundary)
{
    const int64_t to = i + step;

    if (to >= 0 && to < n)
        return to;
    if (boundary == PHYS_PERIODIC)
        return to < 0 ? n - 1 : 0;
    return i;
}

physics_stencil physics_stencil_at(const phys_grid_spec *g, const int64_t xyz[3])
{
    const int64_t   stride[3] = { 1, g->nx, g->nx * g->ny };
    physics_stencil s         = { .here = (xyz[2] * g->ny + xyz[1]) * g->nx + xyz[0] };

    for (int d = 0; d < 3; d++) {
        const int64_t n     = physics_extent(g, d);
        const int64_t plus  = physics_neighbour(xyz[d], 1, n, g->boundary[d]);
        const int64_t minus = physics_neighbour(xyz[d], -1, n, g->boundary[d]);

        s.plus[d]  = s.here + (plus - xyz[d]) * stride[d];
        s.minus[d] = s.here + (minus - xyz[d]) * stride[d];
    }
    return s;
}

static double time_difference(const phys_grid_spec *g, const physics_state *fields, int c,
                              int64_t cell)
{
    const int later = g->time == PHYS_CENTRAL ? 2 : 1;

    return (physics_at(fields->t[later][c], cell) - physics_at(fields->t[0][c], cell)) /
           physics_step(g);
}

void physics_residuals_at(const phys_grid_spec *g, const physics_state *fields,
                          const physics_stencil *s, physics_sum r[4])
{
    const physics_field *now = fields->t[1];

    for (int c = 0; c < 4; c++) {
        r[c] = (physics_sum) { 0, 0 };
        physics_add(&r[c], time_difference(g, fields, c, s->here));
        for (int d = 0; d < 3; d++)
            physics_add(&r[c],
                        physics_at(now[1 + d], s->here) * physics_difference(g, now[c], s, d));
    }
    for (int d = 0; d < 3; d++)
        physics_add(&r[0], physics_at(now[0], s->here) * physics_difference(g, now[1 + d], s, d));
}

void physics_for_each_cell(const phys_grid_spec *g, int64_t z_begin, int64_t z_end,
                           physics_visit_fn *visit, void *to)
{
    for (int64_t z = z_begin; z < z_end; z++)
        for (int64_t y = 0; y < g->ny; y++)
            for (int64_t x = 0; x < g->nx; x++)
                visit(to, (const int64_t[3]) { x, y, z });
}

/* ---- double fields */

typedef struct residual_outputs {
    const phys_grid_spec *grid;
    physics_state         fields;
    double *const        *r;
} residual_outputs;

static void store_residuals(void *to, const int64_t xyz[3])
{
    const residual_outputs *out = to;
    const physics_stencil   s   = physics_stencil_at(out->grid, xyz);
    physics_sum             r[4];

    physics_residuals_at(out->grid, &out->fields, &s, r);
    for (int c = 0; c < 4; c++)
        out->r[c][s.here] = r[c].value;
}

void physics_loss_residuals(const phys_grid_spec *grid, const physics_loss_fields *fields,
                            double *const r[4])
{
    residual_outputs out = { .grid = grid, .r = r };

    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            out.fields.t[level][c] = (physics_field) { .full = fields->t[level][c] };
    physics_for_each_cell(grid, 0, grid->nz, store_residuals, &out);
}
