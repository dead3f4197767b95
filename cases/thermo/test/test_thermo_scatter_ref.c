/* Tests the reference of thermo_scatter itself: particles with answers known by hand, edges,
 * conserved sums and moments, rejected particles, stages. Needs no GPU. */
#include "../../../kernels/thermo_scatter/scatter_case.h"
#include "thermo_test.h"

#include <math.h>
#include <string.h>

assay_reference_fn thermo_scatter_reference;

/* Mass 3, velocity (1, -2, 4), heat 5. */
static void fill_one(thermo_run *run, int64_t t)
{
    const float vel[3] = { 1, -2, 4 };

    thermo_run_floats(run, SCATTER_BUF_MASS)[t] = 3;
    thermo_run_floats(run, SCATTER_BUF_HEAT)[t] = 5;
    memcpy(thermo_run_floats(run, SCATTER_BUF_VEL) + 3 * t, vel, sizeof vel);
}

/* At (i + 1/4, j + 1/2, k + 1/8) cells; the upper corner wraps along z. */
static void test_one_particle(void)
{
    thermo_run    run  = thermo_scatter_make(4, 3, 2, 4, 1);
    const double  f[3] = { 0.25, 0.5, 0.125 }, per_volume = 64;
    const double *rho = run.expect[SCATTER_BUF_RHO].value;
    const double *mom = run.expect[SCATTER_BUF_MOM].value;
    const double *e   = run.expect[SCATTER_BUF_E_INT].value;
    double        sum = 0;

    fill_one(&run, 0);
    thermo_put(&run, 0, 1.25f / 4, 0.5f / 4, 1.125f / 4);
    thermo_run_reference(&run, thermo_scatter_reference);
    for (int c = 0; c < 8; c++) {
        const int    x = c >> 2, y = c >> 1 & 1, z = c & 1;
        const int    node = ((1 + x) * 3 + y) * 2 + (1 + z) % 2;
        const double w    = (x ? f[0] : 1 - f[0]) * (y ? f[1] : 1 - f[1]) * (z ? f[2] : 1 - f[2]);

        trial_expect(rho[node] == 3 * w * per_volume, "rho of corner %d", c);
        trial_expect(mom[3 * node] == rho[node] && mom[3 * node + 1] == -2 * rho[node] &&
                         mom[3 * node + 2] == 4 * rho[node],
                     "momentum of corner %d", c);
        trial_expect(e[node] == 5 * w * per_volume, "e_int of corner %d", c);
        sum += rho[node];
    }
    for (int node = 0; node < 24; node++)
        sum -= rho[node];
    trial_expect(sum == 0, "nodes that are no corner have nothing");
    trial_expect(run.expect[SCATTER_BUF_CELL_ID].integer[0] == (1 * 3 + 0) * 2 + 1, "its cell");
    thermo_run_free(&run);
}

/* Places along x of a grid of 7 with spacing 1/8, and the cell that each is in. */
static void test_edges(void)
{
    static const struct {
        float   x;
        int64_t cell;
    } places[] = {
        { 0, 0 },           { -0.0f, 0 },       { -1e-9f, 0 },  { 0.875f, 0 },
        { 0.87499994f, 6 }, { -0.0625f, 6 },    { 1.75f, 0 },   { 1.7499999f, 6 },
        { 0.125f, 1 },      { 0.12499999f, 0 }, { -1e-45f, 0 }, { 1e-45f, 0 },
    };
    const int64_t n   = sizeof places / sizeof *places;
    thermo_run    run = thermo_scatter_make(7, 1, 1, 8, n);

    for (int64_t t = 0; t < n; t++)
        thermo_put(&run, t, places[t].x, 0, 0);
    thermo_run_reference(&run, thermo_scatter_reference);
    for (int64_t t = 0; t < n; t++)
        trial_expect(run.expect[SCATTER_BUF_CELL_ID].integer[t] == places[t].cell,
                     "x = %a is in cell %lld, not %lld", (double)places[t].x,
                     (long long)places[t].cell,
                     (long long)run.expect[SCATTER_BUF_CELL_ID].integer[t]);
    thermo_run_free(&run);
}

/* Mass and its first moment: linear weights keep the centre of mass, for particles that are not
 * near an edge. */
static void test_moments(void)
{
    enum {
        N = 500
    };
    const double  inner[3] = { 6.0 / 8, 6.0 / 8, 6.0 / 8 };
    thermo_run    run      = thermo_scatter_make(8, 8, 8, 8, N);
    const double *rho      = run.expect[SCATTER_BUF_RHO].value;
    const float  *mass, *pos;
    double        sum[2] = { 0, 0 }, moment[2][3] = { { 0 } };

    thermo_fill_random(&run, N, inner);
    thermo_run_reference(&run, thermo_scatter_reference);
    mass = thermo_run_floats(&run, SCATTER_BUF_MASS);
    pos  = thermo_run_floats(&run, SCATTER_BUF_POS);
    for (int64_t node = 0; node < 512; node++) {
        const int64_t at[3] = { node / 64, node / 8 % 8, node % 8 };

        sum[0] += rho[node] / 512;
        for (int d = 0; d < 3; d++)
            moment[0][d] += rho[node] / 512 * (double)at[d] / 8;
    }
    for (int64_t t = 0; t < N; t++) {
        sum[1] += (double)mass[t];
        for (int d = 0; d < 3; d++)
            moment[1][d] += (double)mass[t] * (double)pos[3 * t + d];
    }
    trial_expect(fabs(sum[0] - sum[1]) <= 1e-12 * sum[1], "mass %.17g, %.17g", sum[0], sum[1]);
    for (int d = 0; d < 3; d++)
        trial_expect(fabs(moment[0][d] - moment[1][d]) <= 1e-12 * sum[1], "moment %d", d);
    thermo_run_free(&run);
}

/* Each kind of invalid particle deposits nothing, and comes after the others when sorted. */
static void test_rejected(void)
{
    enum {
        N = 6
    };
    thermo_run     run   = thermo_scatter_make(2, 2, 2, 2, N);
    const int64_t *id    = run.expect[SCATTER_BUF_CELL_ID].integer;
    const int64_t *start = run.expect[SCATTER_BUF_START].integer;
    const int64_t *index = run.expect[SCATTER_BUF_SORTED_INDEX].integer;
    double         sum   = 0;

    for (int64_t t = 0; t < N; t++)
        fill_one(&run, t);
    thermo_run_floats(&run, SCATTER_BUF_POS)[3 * 0 + 2] = NAN;
    thermo_run_floats(&run, SCATTER_BUF_VEL)[3 * 2 + 1] = INFINITY;
    thermo_run_floats(&run, SCATTER_BUF_MASS)[3]        = -INFINITY;
    thermo_run_floats(&run, SCATTER_BUF_HEAT)[4]        = NAN;
    thermo_run_reference(&run, thermo_scatter_reference);
    for (int node = 0; node < 8; node++)
        sum += run.expect[SCATTER_BUF_RHO].value[node];
    trial_expect(sum == 2 * 3 * 8, "two of six particles are on the grid");
    trial_expect(run.expect[SCATTER_BUF_ERRORS].integer[0] == 4, "four are rejected");
    trial_expect(start[8] == 2 && index[0] == 1 && index[1] == 5, "the others come first");
    for (int t = 0; t < N; t++)
        trial_expect(id[t] == (t == 1 || t == 5 ? 0 : 8), "bin of particle %d", t);
    thermo_run_free(&run);
}

/* Sorted by cell, each cell where its start says, with all of its particles. */
static void test_stages(void)
{
    enum {
        N = 300
    };
    const double   all[3]   = { 1, 1, 1 };
    thermo_run     run      = thermo_scatter_make(3, 3, 3, 3, N);
    const int64_t *id       = run.expect[SCATTER_BUF_CELL_ID].integer;
    const int64_t *start    = run.expect[SCATTER_BUF_START].integer;
    const int64_t *count    = run.expect[SCATTER_BUF_COUNT].integer;
    const int64_t *index    = run.expect[SCATTER_BUF_SORTED_INDEX].integer;
    bool           is_right = true;

    thermo_fill_random(&run, N, all);
    thermo_run_reference(&run, thermo_scatter_reference);
    for (int c = 0; c < 27; c++)
        for (int64_t d = start[c]; d < start[c] + count[c]; d++)
            is_right = is_right && id[index[d]] == c &&
                       (d == start[c] || index[d - 1] < index[d]) &&
                       run.expect[SCATTER_BUF_SORTED_ENERGY].value[d] ==
                           (double)thermo_run_floats(&run, SCATTER_BUF_ENERGY)[index[d]];
    trial_expect(is_right, "particles in the order of their cells");
    trial_expect(start[0] == 0 && start[27] == N && count[27] == 0, "starts from 0 to n");
    thermo_run_free(&run);
}

int main(void)
{
    test_one_particle();
    test_edges();
    test_moments();
    test_rejected();
    test_stages();
    return trial_finish("test_thermo_scatter_ref");
}
