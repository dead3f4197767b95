/* The gradient with respect to the fields in double: the residuals' Jacobian, transposed entry by
 * entry. A field's value at one cell is in the residuals of that cell and of the cells whose
 * differences read it; each of those cells says which cells it reads. So there is no formula here
 * for an end of an axis: it follows from the definition of the differences. */
#include "physics_loss_internal.h"

void physics_cotangents_at(const physics_problem *p, const int64_t xyz[3], physics_sum cotangent[4])
{
    const physics_stencil s = physics_stencil_at(p->grid, xyz);
    physics_sum           r[4];

    if (p->given != NULL) {
        for (int c = 0; c < 4; c++) {
            cotangent[c].value = p->given[c][s.here];
            cotangent[c].magnitude =
                p->magnitudes != NULL ? p->magnitudes[c][s.here] : fabs(cotangent[c].value);
        }
        return;
    }
    physics_residuals_at(p->grid, p->fields, &s, r);
    for (int c = 0; c < 4; c++) {
        cotangent[c] = (physics_sum) { 0, 0 };
        physics_add_scaled(&cotangent[c], r[c], p->factor[c > 0]);
    }
}

/* The contribution to the levels through the difference in time of this cell. */
static void add_time(const physics_problem *p, const physics_sum cotangent[4], physics_sum d[3][4])
{
    const double step  = physics_step(p->grid);
    const int    later = p->grid->time == PHYS_CENTRAL ? 2 : 1;

    for (int c = 0; c < 4; c++) {
        physics_add_scaled(&d[later][c], cotangent[c], 1 / step);
        physics_add_scaled(&d[0][c], cotangent[c], -1 / step);
    }
}

/* The contribution to the values of this cell where they are factors of differences: R_s = ... u_d
 * D_d s + s D_d u_d, R_c = ... u_d D_d u_c. */
static void add_factors(const physics_problem *p, const physics_stencil *s,
                        const physics_sum cotangent[4], physics_sum now[4])
{
    const physics_field *f = p->fields->t[1];

    for (int d = 0; d < 3; d++) {
        physics_add_scaled(&now[0], cotangent[0], physics_difference(p->grid, f[1 + d], s, d));
        for (int c = 0; c < 4; c++)
            physics_add_scaled(&now[1 + d], cotangent[c], physics_difference(p->grid, f[c], s, d));
    }
}

/* How often a cell's difference reads another cell as its neighbour above and below. */
typedef struct physics_reads {
    int above, below;
} physics_reads;

/* A term of the transpose: once, with its sign, for each time that it is read. A cell that reads
 * another both above and below gives two terms; they cancel exactly, but count. */
static void add_reads(physics_sum *sum, physics_sum cotangent, double by, physics_reads reads)
{
    sum->value += cotangent.value * by * (reads.above - reads.below);
    sum->magnitude += cotangent.magnitude * fabs(by) * (reads.above + reads.below);
}

/* The contribution to this cell through the differences along `axis` of the cell at `source`. */
static void add_differences(const physics_problem *p, const int64_t source[3], int axis,
                            physics_reads reads, physics_sum now[4])
{
    const physics_field *f     = p->fields->t[1];
    const int64_t        cell  = physics_stencil_at(p->grid, source).here;
    const double         two_h = 2 * physics_spacing(p->grid, axis);
    physics_sum          cotangent[4];

    physics_cotangents_at(p, source, cotangent);
    for (int c = 0; c < 4; c++)
        add_reads(&now[c], cotangent[c], physics_at(f[1 + axis], cell) / two_h, reads);
    add_reads(&now[1 + axis], cotangent[0], physics_at(f[0], cell) / two_h, reads);
}

/* The cells along one axis whose differences read this one are its neighbours, or itself. */
static void add_axis(const physics_problem *p, const int64_t xyz[3], int axis, physics_sum now[4])
{
    const int64_t n        = physics_extent(p->grid, axis);
    const int     boundary = p->grid->boundary[axis];

    for (int64_t step = -1; step <= 1; step++) {
        int64_t       source[3] = { xyz[0], xyz[1], xyz[2] };
        physics_reads reads;

        source[axis] += step;
        if (boundary == PHYS_PERIODIC) {
            source[axis] = (source[axis] + n) % n;
            if (step > n - 2) /* a ring of one or two cells: this cell was visited before */
                continue;
        }
        if (source[axis] < 0 || source[axis] >= n)
            continue;
        reads.above = physics_neighbour(source[axis], 1, n, boundary) == xyz[axis];
        reads.below = physics_neighbour(source[axis], -1, n, boundary) == xyz[axis];
        if (reads.above || reads.below)
            add_differences(p, source, axis, reads, now);
    }
}

void physics_gradient_at(const physics_problem *p, const int64_t xyz[3], physics_sum d[3][4])
{
    const physics_stencil s = physics_stencil_at(p->grid, xyz);
    physics_sum           cotangent[4];

    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            d[level][c] = (physics_sum) { 0, 0 };
    physics_cotangents_at(p, xyz, cotangent);
    add_time(p, cotangent, d);
    add_factors(p, &s, cotangent, d[1]);
    for (int axis = 0; axis < 3; axis++)
        add_axis(p, xyz, axis, d[1]);
}

/* ---- double fields */

typedef struct gradient_outputs {
    physics_problem problem;
    double *(*d)[4];
} gradient_outputs;

static void store_gradient(void *to, const int64_t xyz[3])
{
    const gradient_outputs *out  = to;
    const int64_t           cell = physics_stencil_at(out->problem.grid, xyz).here;
    physics_sum             d[3][4];

    physics_gradient_at(&out->problem, xyz, d);
    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            out->d[level][c][cell] = d[level][c].value;
}

void physics_loss_transpose(const phys_grid_spec *grid, const physics_loss_fields *fields,
                            const double *const cotangents[4], double *d[3][4])
{
    physics_state    state;
    gradient_outputs out = {
        .problem = { .grid = grid, .fields = &state, .given = cotangents },
        .d       = d,
    };

    for (int level = 0; level < 3; level++)
        for (int c = 0; c < 4; c++)
            state.t[level][c] = (physics_field) { .full = fields->t[level][c] };
    physics_for_each_cell(grid, 0, grid->nz, store_gradient, &out);
}
