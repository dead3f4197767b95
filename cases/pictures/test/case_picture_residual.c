/* The residual of drops that a vortex carries. The fields of the second time are those of a vortex
 * that is slower than the velocity says. */
#include "case_pictures.h"

#include "../../../kernels/physics_loss/phys_loss.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE  = 144,
    CELLS = SIDE * SIDE,
    DROPS = 6
};

static const double DT = 0.02, LAG = 0.9;

typedef struct place {
    double y, x; /* from the centre, in sides */
} place;

/* Velocity of the vortex: no divergence, and almost 0 at the borders. */
static place velocity(place at)
{
    const double strength = 4 * exp(-(at.y * at.y + at.x * at.x) / 0.045);

    return (place) { strength * at.x, -strength * at.y };
}

static double drops(place at)
{
    double sum = 0.2;

    for (int k = 0; k < DROPS; k++) {
        const double angle  = 2 * 3.14159265358979 * k / DROPS;
        const double radius = 0.13 + 0.11 * (k % 2);
        const double y = at.y - radius * sin(angle), x = at.x - radius * cos(angle);

        sum += exp(-(y * y + x * x) / 0.0025);
    }
    return sum;
}

static void fill(float *sigma[2], float *u)
{
    for (int i = 0; i < CELLS; i++) {
        const place at   = { (i / SIDE + 0.5) / SIDE - 0.5, (i % SIDE + 0.5) / SIDE - 0.5 };
        const place v    = velocity(at);
        const place from = { at.y - LAG * DT * v.y, at.x - LAG * DT * v.x };

        sigma[0][i]  = (float)drops(at);
        sigma[1][i]  = (float)drops(from);
        u[i]         = (float)v.x;
        u[CELLS + i] = (float)v.y;
    }
}

static bool draw(const float *residual, picture *p)
{
    picture_field f = { residual, SIDE, SIDE, 0, 0, 2 };

    for (int i = 0; i < CELLS; i++)
        f.high = fmax(f.high, fabs((double)residual[i]));
    f.low = -f.high;
    return case_picture_of_field(&f, "balance", p);
}

/* One plane of each: sigma at both times, the three components of u, and the residuals. */
bool case_picture_residual(picture *p)
{
    const phys_grid_spec grid = {
        .nx = SIDE, .ny = SIDE, .nz = 1, .hx = 1.0 / SIDE, .hy = 1.0 / SIDE, .hz = 1, .dt = DT
    };
    const phys_weights weights = { 1, 1 };
    float             *memory  = calloc(9 * (size_t)CELLS, sizeof *memory);
    double             loss[2];
    bool               is_drawn = false;

    if (memory) {
        float         *sigma[2] = { memory, memory + CELLS }, *u = memory + 2 * CELLS;
        const phys_buf buf = { .sigma_t0   = sigma[0],
                               .sigma_t1   = sigma[1],
                               .u_t0       = u,
                               .u_t1       = u,
                               .r_sigma    = memory + 5 * CELLS,
                               .r_u        = memory + 6 * CELLS,
                               .loss_sigma = &loss[0],
                               .loss_u     = &loss[1] };

        fill(sigma, u);
        is_drawn = cpu_phys_loss_forward(&grid, &weights, &buf) == PHYS_OK && draw(buf.r_sigma, p);
    }
    free(memory);
    return is_drawn;
}
