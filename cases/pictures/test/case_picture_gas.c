/* A blast beside a dense drop, in one plane of gas. */
#include "case_pictures.h"

#include "../../../kernels/thermo/thermo.h"
#include "../../../reference/thermo_gas/thermo_gas.h"

#include <math.h>
#include <stdlib.h>

enum {
    SIDE  = 96,
    CELLS = SIDE * SIDE,
    STEPS = 130
};

typedef struct disc {
    double y, x, radius;
} disc;

/* 1 inside, 0 outside, with a transition of two cells. */
static double within(disc d, int y, int x)
{
    const double r = hypot((y + 0.5) / SIDE - d.y, (x + 0.5) / SIDE - d.x);

    return 0.5 - 0.5 * tanh((r - d.radius) * SIDE);
}

static void fill(thermo_gas_state *state)
{
    static const disc hot = { 0.46, 0.38, 0.09 }, drop = { 0.52, 0.63, 0.11 };

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            double *u = state[y * SIDE + x].u;

            u[THERMO_RHO]   = 1 + 3 * within(drop, y, x);
            u[THERMO_E_INT] = 1 + 40 * within(hot, y, x);
        }
}

static bool run(thermo_gas_state *state[2])
{
    static const int64_t n[3] = { SIDE, SIDE, 1 };

    fill(state[0]);
    for (int k = 0; k < STEPS; k++) {
        const thermo_gas_speeds speeds = thermo_gas_speeds_of(state[k % 2], CELLS);
        const double            dt     = thermo_gas_dt(THERMO_GAS_DT_STABLE, &speeds, 1.0 / SIDE);

        if (!thermo_gas_step(n, dt, state[k % 2], state[1 - k % 2], NULL))
            return false;
    }
    return true;
}

static bool draw(const thermo_gas_state *state, picture *p)
{
    static float        density[CELLS];
    const picture_field f = { density, SIDE, SIDE, 0, 5, 3 };

    for (int i = 0; i < CELLS; i++)
        density[i] = (float)state[i].u[THERMO_RHO];
    return case_picture_of_field(&f, "ember", p);
}

bool case_picture_gas(picture *p)
{
    thermo_gas_state *state[2] = { calloc(CELLS, sizeof **state), calloc(CELLS, sizeof **state) };
    const bool        is_drawn = state[0] && state[1] && run(state) && draw(state[STEPS % 2], p);

    free(state[0]);
    free(state[1]);
    return is_drawn;
}
