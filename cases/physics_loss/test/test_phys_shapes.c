/* Is any size narrowed to 32 bits? Takes grids of more than 2^31 cells, elements and bytes: what
 * the case plans for them, whether the calls accept them, and how the launch code cuts them. Runs
 * nothing on a device and allocates nothing. */
#include "case.h"

#include "../../../kernels/physics_loss/phys_case.h"
#include "../../../kernels/physics_loss/phys_check.h"
#include "phys_test.h"
#include "phys_tiles.h"

extern const assay_case assay_case_physics_loss;

/* Some extents are prime: no power of two hides a lost high half. */
static const int64_t LARGE[][3] = {
    { 1291, 1291, 1291 },       /* cells just above 2^31 */
    { 811, 1021, 1031 },        /* cells below, elements of u above */
    { 2048, 2048, 2048 },       /* 2^33 cells: the low half is 0 */
    { 10007, 10009, 10037 },    /* about 2^40 */
    { (int64_t)1 << 30, 2, 3 }, /* one long axis each */
    { 3, (int64_t)1 << 30, 2 }, { 2, 3, (int64_t)1 << 30 },
};
enum {
    N_LARGE = sizeof LARGE / sizeof LARGE[0]
};

/* The places of the axes in a point of the case; words, by place, for those not listed. */
enum {
    AXIS_GRID,
    AXIS_BOUNDARY,
    AXIS_TIME,
    AXIS_VJP,
    AXIS_LEVELS,
    AXIS_PASS
};

static void shape_of(const int64_t n[3], int time, int vjp, int levels, int pass, assay_shape *s)
{
    assay_value axis[ASSAY_MAX_AXES] = { { .i = { n[0], n[1], n[2] }, .tier = ASSAY_FULL } };

    axis[AXIS_TIME].i[0]   = time;
    axis[AXIS_VJP].i[0]    = vjp;
    axis[AXIS_LEVELS].i[0] = levels;
    axis[AXIS_PASS].i[0]   = pass;
    *s                     = (assay_shape) { .cells = 0 };
    assay_case_physics_loss.shape(axis, ASSAY_INPUT_RANDOM, s);
}

/* k times the cells must give k times everything; only the losses' 16 bytes stay. */
static void check_scaled(const char *what, int64_t large, int64_t small, const assay_shape *l,
                         const assay_shape *s)
{
    const int64_t fixed    = small % s->cells;
    const int64_t expected = small / s->cells * l->cells + fixed;

    trial_expect(large == expected, "%s at %lld cells: %lld, not %lld", what, (long long)l->cells,
                 (long long)large, (long long)expected);
}

/* Everything that a shape counts, compared with a grid of 1009 cells. */
static void check_shape(const int64_t n[3], int time, int vjp, int levels, int pass)
{
    static const int64_t few[3] = { 1009, 1, 1 };
    assay_shape          l, s;

    shape_of(n, time, vjp, levels, pass, &l);
    shape_of(few, time, vjp, levels, pass, &s);
    trial_expect((double)l.cells == (double)n[0] * (double)n[1] * (double)n[2],
                 "%lldx%lldx%lld: %lld cells", (long long)n[0], (long long)n[1], (long long)n[2],
                 (long long)l.cells);
    for (int b = 0; b < PHYS_N_BUFS; b++)
        if (s.buf[b].count != 1) /* the losses */
            check_scaled(l.buf[b].name, l.buf[b].count, s.buf[b].count, &l, &s);
    check_scaled("bytes read", l.bytes_read, s.bytes_read, &l, &s);
    check_scaled("bytes written", l.bytes_written, s.bytes_written, &l, &s);
    trial_expect(l.flops == s.flops / (double)s.cells * (double)l.cells, "flops: %g", l.flops);
    for (const assay_variant *v = assay_case_physics_loss.variants; v->name != NULL; v++)
        if (v->bytes_moved != NULL)
            check_scaled(v->name, v->bytes_moved(&l), v->bytes_moved(&s), &l, &s);
    for (int d = 0; d < 3; d++)
        trial_expect(l.param[PHYS_PARAM_NX + d] == n[d], "extent %d is %lld", d,
                     (long long)l.param[PHYS_PARAM_NX + d]);
}

static void check_shapes(void)
{
    for (int i = 0; i < N_LARGE; i++)
        for (int mix = 0; mix < 2 * 3 * 3; mix++) {
            const int time = mix % 2, gradient = mix / 2 % 3, pass = mix / 6;

            check_shape(LARGE[i], time, gradient > 0, gradient > 1, pass);
        }
}

/* ---- the API and its launches ---- */

static phys_grid_spec grid_of(const int64_t n[3])
{
    return (phys_grid_spec) {
        .nx = n[0], .ny = n[1], .nz = n[2], .hx = 0.1, .hy = 0.2, .hz = 0.3, .dt = 0.05
    };
}

static void check_calls(void)
{
    const phys_weights weights = { 1, 1 };

    for (int i = 0; i < N_LARGE; i++) {
        const int64_t       *n     = LARGE[i];
        const phys_grid_spec grid  = grid_of(n);
        const double         cells = (double)n[0] * (double)n[1] * (double)n[2];

        trial_expect(phys_check_grid(&grid, &weights) == PHYS_OK, "grid %d is refused", i);
        trial_expect((double)phys_count_cells(&grid) == cells, "grid %d has %lld cells", i,
                     (long long)phys_count_cells(&grid));
        trial_expect((double)cuda_phys_loss_workspace(&grid) == 80 * cells,
                     "grid %d: workspace of %zu bytes", i, cuda_phys_loss_workspace(&grid));
    }
}

/* A launch has fewer than 2^31 blocks: it gets all that it needs, or it is refused. */
static void check_tiles(void)
{
    static const int64_t tiles[][3] = { { 64, 8, 4 }, { 32, 8, 1 }, { 8, 8, 4 }, { 128, 8, 64 } };

    for (int i = 0; i < N_LARGE; i++)
        for (size_t t = 0; t < sizeof tiles / sizeof tiles[0]; t++) {
            const int64_t       *n = LARGE[i], *size = tiles[t];
            const phys_grid_spec grid   = grid_of(n);
            const phys_tiles     got    = phys_tiles_of(&grid, size[0], size[1], size[2]);
            double               blocks = 1;

            for (int d = 0; d < 3; d++)
                blocks *= (double)((n[d] + size[d] - 1) / size[d]);
            trial_expect(got.blocks == (blocks > INT32_MAX ? 0 : blocks),
                         "grid %d, tile %zu: %u blocks, not %g", i, t, got.blocks, blocks);
            trial_expect(got.cells == phys_count_cells(&grid) &&
                             got.component_bytes == 4 * got.cells,
                         "grid %d: components %lld bytes apart", i, (long long)got.component_bytes);
        }
}

int main(void)
{
    check_shapes();
    check_calls();
    check_tiles();
    return trial_finish("test_phys_shapes");
}
