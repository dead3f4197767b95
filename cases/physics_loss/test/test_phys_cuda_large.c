/* Physics loss on grids whose element numbers do not fit in 32 bits. Sampled cells are compared
 * with the reference, and the losses of two kernels with each other; everything is exact. Needs
 * about 20 GB of device memory.
 *
 * All inputs are parts of one array A of 3N elements: u is A, sigma at t0 is ux, sigma at t1 is uy.
 * Values are small integers, A[j] = table[j % TABLE], with a prime number of table entries. */
#include "phys_run.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    TABLE     = 16777213, /* prime */
    N_SAMPLES = 4000
};

typedef struct large {
    phys_grid_spec grid;
    phys_weights   weights;
    int64_t        cells;
    float         *table;
    float         *a, *d_sigma, *d_u; /* device */
    double        *losses;            /* device */
    void          *workspace;         /* device; non-fused only */
    size_t         workspace_bytes;
} large;

/* Memory for `fusion`; false: there is not enough. The caller releases in either case. */
static bool create(large *g, int64_t n, int fusion)
{
    *g = (large) {
        .grid  = { .nx       = n,
                   .ny       = n,
                   .nz       = n,
                   .hx       = 0.5,
                   .hy       = 0.25,
                   .hz       = 0.125,
                   .dt       = 0.25,
                   .boundary = { PHYS_PERIODIC, PHYS_ZERO_GRADIENT, PHYS_PERIODIC } },
        .cells = n * n * n,
        .table = malloc(TABLE * sizeof(float)),
    };
    g->weights         = (phys_weights) { (double)g->cells, 2 * (double)g->cells };
    g->workspace_bytes = fusion == PHYS_RUN_NONFUSED ? cuda_phys_loss_workspace(&g->grid) : 1;
    g->a               = phys_device_alloc(3 * (size_t)g->cells * sizeof(float));
    g->d_sigma         = phys_device_alloc((size_t)g->cells * sizeof(float));
    g->d_u             = phys_device_alloc(3 * (size_t)g->cells * sizeof(float));
    g->losses          = phys_device_alloc(2 * sizeof(double));
    g->workspace       = phys_device_alloc(g->workspace_bytes);
    return g->table != NULL && g->a != NULL && g->d_sigma != NULL && g->d_u != NULL &&
           g->losses != NULL && g->workspace != NULL;
}

static void release(large *g)
{
    free(g->table);
    phys_device_release(g->a);
    phys_device_release(g->d_sigma);
    phys_device_release(g->d_u);
    phys_device_release(g->losses);
    phys_device_release(g->workspace);
}

static bool fill(large *g)
{
    const int64_t count = 3 * g->cells;

    srand(3);
    for (int i = 0; i < TABLE; i++)
        g->table[i] = (float)(rand() % 17 - 8);
    for (int64_t at = 0; at < count; at += TABLE) {
        const int64_t part = count - at < TABLE ? count - at : TABLE;

        if (!phys_device_upload(g->a + at, g->table, (size_t)part * sizeof(float)))
            return false;
    }
    return true;
}

static int call(const large *g, int fusion)
{
    const phys_buf buf = {
        .sigma_t0   = g->a,
        .sigma_t1   = g->a + g->cells,
        .u_t0       = g->a,
        .u_t1       = g->a,
        .d_sigma    = { NULL, g->d_sigma, NULL },
        .d_u        = { NULL, g->d_u, NULL },
        .loss_sigma = g->losses,
        .loss_u     = g->losses + 1,
    };

    if (fusion == PHYS_RUN_NONFUSED)
        return cuda_phys_loss_nonfused(&g->grid, &g->weights, &buf, g->workspace,
                                       g->workspace_bytes, NULL);
    return cuda_phys_loss_fused(&g->grid, &g->weights, &buf, (phys_fusion)fusion, NULL);
}

/* A small grid that reaches two cells to each side of a cell: the gradient of the middle one
 * depends on these. Where an axis ends without wrapping around, the small one does too; elsewhere
 * its own ends are too far away to matter. */
typedef struct surroundings {
    phys_grid_spec grid;
    int64_t        first[3]; /* of the small grid in the large one; may be negative if it wraps */
    int64_t        middle;   /* number of the cell in the small grid */
} surroundings;

static surroundings surround(const large *g, const int64_t at[3])
{
    surroundings s    = { .grid = g->grid };
    int64_t      n[3] = { 5, 5, 5 };

    for (int d = 0; d < 3; d++) {
        const bool    ends = g->grid.boundary[d] == PHYS_ZERO_GRADIENT;
        const int64_t last = at[d] + 2 < g->grid.nx || !ends ? at[d] + 2 : g->grid.nx - 1;

        s.first[d] = at[d] >= 2 || !ends ? at[d] - 2 : 0;
        n[d]       = last - s.first[d] + 1;
    }
    s.grid.nx = n[0], s.grid.ny = n[1], s.grid.nz = n[2];
    s.middle = ((at[2] - s.first[2]) * n[1] + at[1] - s.first[1]) * n[0] + at[0] - s.first[0];
    return s;
}

/* The gradient of one cell, from the reference on its surroundings. */
static bool expect_cell(const large *g, const int64_t at[3], float gradient[4])
{
    const int64_t      n       = g->grid.nx;
    const surroundings s       = surround(g, at);
    const int64_t      cells   = s.grid.nx * s.grid.ny * s.grid.nz;
    const phys_weights weights = { (double)cells, 2 * (double)cells };
    float              field[2][4 * 125], d[4 * 125];
    const phys_buf     buf = { .sigma_t0 = field[0],
                               .sigma_t1 = field[1],
                               .u_t0     = field[0] + cells,
                               .u_t1     = field[1] + cells,
                               .d_sigma  = { NULL, d, NULL },
                               .d_u      = { NULL, d + cells, NULL } };

    for (int64_t i = 0; i < cells; i++) {
        const int64_t x    = (s.first[0] + i % s.grid.nx + n) % n;
        const int64_t y    = (s.first[1] + i / s.grid.nx % s.grid.ny + n) % n;
        const int64_t z    = (s.first[2] + i / s.grid.nx / s.grid.ny + n) % n;
        const int64_t cell = (z * n + y) * n + x;

        field[0][i] = g->table[cell % TABLE];
        field[1][i] = g->table[(g->cells + cell) % TABLE];
        for (int c = 0; c < 3; c++)
            field[0][(1 + c) * cells + i] = field[1][(1 + c) * cells + i] =
                g->table[(c * g->cells + cell) % TABLE];
    }
    if (cpu_phys_loss_backward(&s.grid, &weights, &buf) != 0)
        return false;
    for (int c = 0; c < 4; c++)
        gradient[c] = d[c * cells + s.middle];
    return true;
}

static bool check_cell(const large *g, int fusion, const int64_t at[3])
{
    const int64_t cell        = (at[2] * g->grid.ny + at[1]) * g->grid.nx + at[0];
    float         expected[4] = { 0 }, d[4] = { 0 };
    bool          works = expect_cell(g, at, expected);

    works = works && phys_device_download(&d[0], g->d_sigma + cell, sizeof(float));
    for (int c = 0; c < 3; c++)
        works =
            works && phys_device_download(&d[1 + c], g->d_u + c * g->cells + cell, sizeof(float));
    return trial_expect(
        works && d[0] == expected[0] && d[1] == expected[1] && d[2] == expected[2] &&
            d[3] == expected[3],
        "%lld cubed, vjp %d, fusion %d, cell %lld %lld %lld: %g %g %g %g, not %g %g %g %g",
        (long long)g->grid.nx, g->grid.vjp, fusion, (long long)at[0], (long long)at[1],
        (long long)at[2], (double)d[0], (double)d[1], (double)d[2], (double)d[3],
        (double)expected[0], (double)expected[1], (double)expected[2], (double)expected[3]);
}

static void check_cells(const large *g, int fusion)
{
    const int64_t n = g->grid.nx;

    /* The corners of the grid, then places anywhere. */
    for (int i = 0; i < N_SAMPLES; i++) {
        int64_t at[3];

        for (int d = 0; d < 3; d++)
            at[d] = i < 8 ? (i >> d & 1) * (n - 1) : (int64_t)(rand() % n);
        if (!check_cell(g, fusion, at))
            return;
    }
}

/* Runs one kernel; losses[] gets its losses, or they are compared with those of an earlier one. */
static void run(const large *g, int fusion, double losses[2], bool is_first)
{
    double got[2];
    int    error = call(g, fusion);

    if (!trial_expect(error == 0 && phys_device_wait() &&
                          phys_device_download(got, g->losses, sizeof got),
                      "fusion %d: error number %d, %s", fusion, error, phys_device_message()))
        return;
    for (int i = 0; i < 2; i++) {
        losses[i] = is_first ? got[i] : losses[i];
        trial_expect(got[i] == losses[i] && got[i] > 0, "fusion %d: loss %d is %.17g, not %.17g",
                     fusion, i, got[i], losses[i]);
    }
    check_cells(g, fusion);
}

/* Runs each kernel, with one gradient and then with the other; false: not enough memory. */
static bool run_grid(int64_t n, const int *fusions, int n_fusions)
{
    large  g;
    double losses[2] = { 0, 0 };
    bool   has_room  = create(&g, n, fusions[0]);

    if (has_room && trial_expect(fill(&g), "no copy: %s", phys_device_message()))
        for (int i = 0; i < n_fusions; i++)
            for (g.grid.vjp = 0; g.grid.vjp < PHYS_N_VJPS; g.grid.vjp++)
                if (fusions[i] != PHYS_FUSED_BOX || g.grid.vjp == PHYS_VJP_RESIDUAL)
                    run(&g, fusions[i], losses, i == 0 && g.grid.vjp == 0);
    release(&g);
    return has_room;
}

int main(void)
{
    static const int fused[] = { PHYS_FUSED_POINTWISE, PHYS_FUSED_TILED, PHYS_FUSED_BOX,
                                 PHYS_FUSED_STREAM };
    /* Non-fused: sixteen derivatives, so that 16 N alone passes 2^31. */
    static const int all[] = { PHYS_RUN_NONFUSED, PHYS_FUSED_TILED, PHYS_FUSED_STREAM };
    char             why[256];

    if (!phys_device_open(why, sizeof why)) {
        printf("skipped: %s\n", why);
        return 77;
    }
    if (!phys_device_can_time()) {
        printf("skipped: too many cells for the %s\n", phys_device_name());
        return 77;
    }
    /* 900 and 897 cubed: 3 N is above 2^31; rows of a multiple of four, and others. */
    if (!run_grid(512, all, 3) || !run_grid(900, fused, 4) || !run_grid(897, fused, 4)) {
        printf("the rest is skipped: less than 21 GB of device memory are free\n");
        return trial_finish("test_phys_cuda_large") == 0 ? 77 : 1;
    }
    return trial_finish("test_phys_cuda_large");
}
