/* Speed of the physics loss kernels on a GPU, as CSV: config, kernel, ms, GB/s, speed-up. Each
 * kernel is checked against the non-fused one at its size before it is timed.
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

/* GB/s counts what the call must move: 8 fields in and 4 out, 12 in with central time. Non-fused:
 * what its own kernels move, intermediates included. */
typedef struct kernel_row {
    const char *name;
    int         fusion;
    int         floats[PHYS_N_TIMES]; /* moved per cell in PHYS_RUN_BOTH without residuals */
} kernel_row;

static const kernel_row KERNELS[] = {
    { "nonfused", PHYS_RUN_NONFUSED, { 56, 60 } },
    { "fused_pointwise", PHYS_FUSED_POINTWISE, { 12, 16 } },
    { "fused_tiled_8x8x4", PHYS_FUSED_BOX, { 12, 16 } },
    { "fused_tiled", PHYS_FUSED_TILED, { 12, 16 } },
};
#define N_KERNELS (sizeof KERNELS / sizeof KERNELS[0])

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

/* Runs once with residuals and compares everything with the non-fused answer. */
static bool is_right(const phys_problem *p, int fusion, const phys_result *expected,
                     phys_result *got)
{
    phys_distance r, d;

    if (!phys_run(p, fusion, PHYS_RUN_BOTH, got))
        return false;
    r = phys_compare(got->r, expected->r, 4 * p->cells);
    d = phys_compare(got->d, expected->d, 4 * p->cells);
    return phys_expect(r.relative_l2 < 1e-6 && d.relative_l2 < 1e-6 &&
                           fabs(got->loss[0] / expected->loss[0] - 1) < 2e-6 &&
                           fabs(got->loss[1] / expected->loss[1] - 1) < 2e-6,
                       "%s fusion %d: not the non-fused answer, so not timed: %g %g",
                       phys_describe(p), fusion, r.relative_l2, d.relative_l2);
}

static void print_rows(const phys_problem *p, const phys_on_device *on, const bool right[N_KERNELS])
{
    phys_buf buf      = on->buf;
    double   nonfused = -1;

    buf.r_sigma = NULL;
    buf.r_u     = NULL;
    for (size_t k = 0; k < N_KERNELS; k++) {
        const double ms    = right[k] ? time_kernel(on, &buf, KERNELS[k].fusion) : -1;
        const double bytes = 4.0 * KERNELS[k].floats[p->grid.time] * (double)p->cells;

        if (!phys_expect(ms > 0, "%s %s: not timed: %s", phys_describe(p), KERNELS[k].name,
                         phys_device_message()))
            continue;
        nonfused = k == 0 ? ms : nonfused;
        printf("%lldx%lldx%lld %s %s,%s,%.4f,%.0f,%.2f\n", (long long)p->grid.nx,
               (long long)p->grid.ny, (long long)p->grid.nz,
               p->grid.boundary[0] == PHYS_PERIODIC ? "periodic" : "zero_gradient",
               p->grid.time == PHYS_CENTRAL ? "central" : "first_order", KERNELS[k].name, ms,
               bytes / ms * 1e-6, nonfused / ms);
    }
}

static void run_config(int64_t n, int boundary, int time)
{
    const int64_t  extents[3]    = { n, n, n };
    const int      boundaries[3] = { boundary, boundary, boundary };
    phys_problem   p             = { .cells = 0 };
    phys_result    expected = { .r = NULL }, got = { .r = NULL };
    phys_on_device on               = { .cells = 0 };
    bool           right[N_KERNELS] = { false };

    if (phys_expect(phys_problem_create(&p, PHYS_FIELDS_RANDOM, extents, boundaries, time) &&
                        phys_result_create(&expected, p.cells) && phys_result_create(&got, p.cells),
                    "out of memory") &&
        phys_run(&p, PHYS_RUN_NONFUSED, PHYS_RUN_BOTH, &expected)) {
        for (size_t k = 0; k < N_KERNELS; k++)
            right[k] = is_right(&p, KERNELS[k].fusion, &expected, &got);
        if (phys_expect(phys_on_device_create(&on, &p), "no device memory: %s",
                        phys_device_message()))
            print_rows(&p, &on, right);
    }
    phys_on_device_release(&on);
    phys_result_free(&expected);
    phys_result_free(&got);
    phys_problem_free(&p);
}

/* What the device copies in the same run: the ceiling of all rows. */
static void print_copy(void)
{
    const size_t bytes = (size_t)1 << 29;
    void        *from = phys_device_alloc(bytes), *to = phys_device_alloc(bytes);
    double       ms = 0, best = -1;

    for (int i = 0; from != NULL && to != NULL && i < 20; i++) {
        if (phys_device_start() && phys_device_copy(to, from, bytes))
            ms = phys_device_stop_ms();
        best = ms > 0 && (best < 0 || ms < best) ? ms : best;
    }
    if (phys_expect(best > 0, "the copy failed: %s", phys_device_message()))
        printf("512 MiB,copy,%.4f,%.0f,\n", best, 2.0 * (double)bytes / best * 1e-6);
    phys_device_release(from);
    phys_device_release(to);
}

int main(int argc, char **argv)
{
    int64_t sizes[MAX_SIZES] = { 64, 96, 128, 192, 256 };
    int     n_sizes          = 5;
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
    printf("config,kernel,ms,GB/s,speed-up\n");
    print_copy();
    for (int i = 0; i < n_sizes; i++)
        for (int boundary = 0; boundary < PHYS_N_BOUNDARIES; boundary++)
            for (int time = 0; time < PHYS_N_TIMES; time++)
                run_config(sizes[i], boundary, time);
    return phys_finish("test_phys_perf");
}
