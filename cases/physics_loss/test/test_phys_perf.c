/* Speed of the physics loss kernels on a GPU, as CSV, both passes in one call. Each kernel is
 * checked against the non-fused one at its size before it is timed.
 *
 * Two kinds of goals stand in columns of their own; neither is asserted, for times are no truth
 * about a kernel. "1.3x" is the least speed-up over the non-fused kernels that fusing was asked
 * for. "goal" is the share of the copy's bandwidth that we want, by each kernel's own bytes.
 *
 * usage: test_phys_perf [n ...]   cubes of these sizes; default 64 96 128 192 256 */
#include "phys_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    N_BATCHES = 9, /* the median of these is the time */
    MAX_SIZES = 16
};

typedef struct kernel_row {
    const char *name;
    int         fusion;
} kernel_row;

static const kernel_row KERNELS[] = {
    { "nonfused", PHYS_RUN_NONFUSED },       { "fused_pointwise", PHYS_FUSED_POINTWISE },
    { "fused_tiled_8x8x4", PHYS_FUSED_BOX }, { "fused_tiled", PHYS_FUSED_TILED },
    { "fused_stream", PHYS_FUSED_STREAM },
};
#define N_KERNELS (sizeof KERNELS / sizeof KERNELS[0])

/* The box has a halo of one. */
static bool is_supported(const phys_grid_spec *g, int fusion)
{
    return fusion != PHYS_FUSED_BOX || g->vjp == PHYS_VJP_RESIDUAL;
}

/* Floats a cell that a call moves without residuals as outputs: fused, what it must, fields in and
 * gradients out. Non-fused, what its own kernels do: derivatives out and in with the fields again,
 * residuals out and in; then the gradient out, or residuals and fields in again before it. */
static int floats_of(const phys_grid_spec *g, int fusion)
{
    const int fields = g->time == PHYS_CENTRAL ? 12 : 8;
    const int levels = g->levels == PHYS_LEVELS_T1 ? 1 : g->time == PHYS_CENTRAL ? 3 : 2;
    const int steps  = fields + 16 + 20 + 4 + 4 + (g->vjp == PHYS_VJP_FIELD ? 8 : 0);

    return (fusion == PHYS_RUN_NONFUSED ? steps : fields) + 4 * levels;
}

/* The share of the copy's bandwidth we want of the fastest fused kernel and of the non-fused ones;
 * 0: none. Central time and further levels may be 5 points below. */
static double goal_of(const phys_grid_spec *g, int fusion)
{
    static const struct {
        int64_t n;
        double  share[PHYS_N_VJPS];
    } rows[] = { { 256, { 0.95, 0.88 } }, { 192, { 0.90, 0.82 } }, { 128, { 0.85, 0.75 } } };
    const int    fastest = g->vjp == PHYS_VJP_FIELD ? PHYS_FUSED_STREAM : PHYS_FUSED_TILED;
    const double allowed = g->time == PHYS_CENTRAL || g->levels == PHYS_LEVELS_ALL ? 0.05 : 0;

    if (fusion == PHYS_RUN_NONFUSED)
        return g->nx >= 256 ? 0.75 : 0;
    for (size_t i = 0; fusion == fastest && i < sizeof rows / sizeof rows[0]; i++)
        if (g->nx >= rows[i].n)
            return rows[i].share[g->vjp] - allowed;
    return 0;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool time_batch(const phys_on_device *on, const phys_buf *buf, int fusion, int launches,
                       double *ms)
{
    if (!phys_device_start())
        return false;
    for (int i = 0; i < launches; i++)
        if (phys_call(on, buf, fusion, PHYS_RUN_BOTH) != 0)
            return false;
    *ms = phys_device_stop_ms() / launches;
    return *ms > 0;
}

/* Milliseconds a call, or a negative number. The first batch warms up. */
static double time_kernel(const phys_on_device *on, const phys_buf *buf, int fusion)
{
    const int launches = on->cells < 1 << 22 ? 50 : 10;
    double    ms[N_BATCHES + 1];

    for (int i = 0; i <= N_BATCHES; i++)
        if (!time_batch(on, buf, fusion, launches, &ms[i]))
            return -1;
    qsort(ms + 1, N_BATCHES, sizeof ms[0], ascending);
    return ms[1 + N_BATCHES / 2];
}

/* The gradients at t0 and t2, as far as they are asked for. */
static bool are_far_levels_right(const phys_problem *p, const phys_result *expected,
                                 const phys_result *got)
{
    const int last = p->grid.time == PHYS_CENTRAL ? 2 : 0;

    for (int level = 0; p->grid.levels == PHYS_LEVELS_ALL && level <= last; level += 2)
        if (!(phys_compare(got->d[level], expected->d[level], 4 * p->cells).relative_l2 < 1e-6))
            return false;
    return true;
}

/* Runs once with residuals and compares everything with the non-fused answer. */
static bool is_right(const phys_problem *p, int fusion, const phys_result *expected,
                     phys_result *got)
{
    phys_distance r, d;

    if (!phys_run(p, fusion, PHYS_RUN_BOTH, got))
        return false;
    r = phys_compare(got->r, expected->r, 4 * p->cells);
    d = phys_compare(got->d[1], expected->d[1], 4 * p->cells);
    return trial_expect(r.relative_l2 < 1e-6 && d.relative_l2 < 1e-6 &&
                            are_far_levels_right(p, expected, got) &&
                            fabs(got->loss[0] / expected->loss[0] - 1) < 2e-6 &&
                            fabs(got->loss[1] / expected->loss[1] - 1) < 2e-6,
                        "%s fusion %d: not the non-fused answer, so not timed: %g %g",
                        phys_describe(p), fusion, r.relative_l2, d.relative_l2);
}

static const char *verdict_of(double value, double wanted)
{
    return !(wanted > 0) ? "-" : value >= wanted ? "met" : "missed";
}

/* One line. copy: GB/s of the copy; nonfused: ms. */
static void print_row(const phys_grid_spec *g, const kernel_row *kernel, double ms, double copy,
                      double nonfused)
{
    const double cells = (double)g->nx * (double)g->ny * (double)g->nz;
    const double rate  = 4.0 * floats_of(g, kernel->fusion) * cells / ms * 1e-6;
    const bool   fused = kernel->fusion != PHYS_RUN_NONFUSED;

    printf("%lldx%lldx%lld %s %s %s %s,%s,%.4f,%.0f,%.2f,%s,%.3f,%s\n", (long long)g->nx,
           (long long)g->ny, (long long)g->nz,
           g->boundary[0] == PHYS_PERIODIC ? "periodic" : "zero_gradient",
           g->time == PHYS_CENTRAL ? "central" : "first_order",
           g->vjp == PHYS_VJP_FIELD ? "field" : "residual",
           g->levels == PHYS_LEVELS_ALL ? "all" : "t1", kernel->name, ms, rate, nonfused / ms,
           verdict_of(nonfused / ms, fused ? 1.3 : 0), rate / copy,
           verdict_of(rate / copy, goal_of(g, kernel->fusion)));
}

static void print_rows(const phys_problem *p, const phys_on_device *on, double copy,
                       const bool right[N_KERNELS])
{
    phys_buf buf      = on->buf;
    double   nonfused = -1;

    buf.r_sigma = NULL;
    buf.r_u     = NULL;
    for (size_t k = 0; k < N_KERNELS; k++) {
        const double ms = right[k] ? time_kernel(on, &buf, KERNELS[k].fusion) : -1;

        if (!is_supported(&p->grid, KERNELS[k].fusion))
            continue;
        nonfused = k == 0 ? ms : nonfused;
        if (trial_expect(ms > 0 && nonfused > 0, "%s %s: not timed: %s", phys_describe(p),
                         KERNELS[k].name, phys_device_message()))
            print_row(&p->grid, &KERNELS[k], ms, copy, nonfused);
    }
}

/* What is the same for all gradients of a problem. */
typedef struct perf_run {
    phys_result expected, got;
    double      copy; /* GB/s */
} perf_run;

static void run_gradient(const phys_problem *p, perf_run *run)
{
    phys_on_device on               = { .cells = 0 };
    bool           right[N_KERNELS] = { false };

    if (phys_run(p, PHYS_RUN_NONFUSED, PHYS_RUN_BOTH, &run->expected)) {
        for (size_t k = 0; k < N_KERNELS; k++)
            right[k] = is_supported(&p->grid, KERNELS[k].fusion) &&
                       is_right(p, KERNELS[k].fusion, &run->expected, &run->got);
        if (trial_expect(phys_on_device_create(&on, p), "no device memory: %s",
                         phys_device_message()))
            print_rows(p, &on, run->copy, right);
    }
    phys_on_device_release(&on);
}

static void run_config(int64_t n, int boundary, int time, double copy)
{
    const int64_t extents[3]    = { n, n, n };
    const int     boundaries[3] = { boundary, boundary, boundary };
    phys_problem  p             = { .cells = 0 };
    perf_run      run           = { .copy = copy };

    if (trial_expect(phys_problem_create(&p, PHYS_FIELDS_RANDOM, extents, boundaries, time) &&
                         phys_result_create(&run.expected, p.cells) &&
                         phys_result_create(&run.got, p.cells),
                     "out of memory"))
        for (int gradient = 0; gradient < 3; gradient++) {
            p.grid.vjp    = gradient == 0 ? PHYS_VJP_RESIDUAL : PHYS_VJP_FIELD;
            p.grid.levels = gradient == 2 ? PHYS_LEVELS_ALL : PHYS_LEVELS_T1;
            run_gradient(&p, &run);
        }
    phys_result_free(&run.expected);
    phys_result_free(&run.got);
    phys_problem_free(&p);
}

/* GB/s that the device copies in the same run: the ceiling of all rows. */
static double print_copy(void)
{
    const size_t bytes = (size_t)1 << 29;
    void        *from = phys_device_alloc(bytes), *to = phys_device_alloc(bytes);
    double       ms = 0, best = -1;

    for (int i = 0; from != NULL && to != NULL && i < 20; i++) {
        if (phys_device_start() && phys_device_copy(to, from, bytes))
            ms = phys_device_stop_ms();
        best = ms > 0 && (best < 0 || ms < best) ? ms : best;
    }
    if (trial_expect(best > 0, "the copy failed: %s", phys_device_message()))
        printf("512 MiB,copy,%.4f,%.0f,,,,\n", best, 2.0 * (double)bytes / best * 1e-6);
    phys_device_release(from);
    phys_device_release(to);
    return 2.0 * (double)bytes / best * 1e-6;
}

int main(int argc, char **argv)
{
    int64_t sizes[MAX_SIZES] = { 64, 96, 128, 192, 256 };
    int     n_sizes          = 5;
    double  copy;
    char    why[256];

    if (!phys_device_open(why, sizeof why)) {
        printf("skipped: %s\n", why);
        return 77;
    }
    if (!phys_device_can_time()) {
        printf("skipped: times on the %s mean nothing\n", phys_device_name());
        return 77;
    }
    for (int i = 1; i < argc && i <= MAX_SIZES; i++, n_sizes = i - 1) {
        char *end;

        sizes[i - 1] = strtol(argv[i], &end, 10);
        if (end == argv[i] || *end != '\0' || sizes[i - 1] < 1 || sizes[i - 1] > 2048) {
            fprintf(stderr, "usage: %s [n ...]   cubes of n cells a side, 1 to 2048\n", argv[0]);
            return 1;
        }
    }
    printf("config,kernel,ms,GB/s,speed-up,1.3x,share of copy,goal\n");
    copy = print_copy();
    for (int i = 0; i < n_sizes; i++)
        for (int boundary = 0; boundary < PHYS_N_BOUNDARIES; boundary++)
            for (int time = 0; time < PHYS_N_TIMES; time++)
                run_config(sizes[i], boundary, time, copy);
    return trial_finish("test_phys_perf");
}
