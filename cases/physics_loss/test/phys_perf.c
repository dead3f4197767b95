/* What test_phys_perf knows about the kernels. */
#include "phys_perf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const phys_perf_kernel phys_perf_kernels[PHYS_PERF_KERNELS] = {
    { "nonfused", PHYS_RUN_NONFUSED },       { "fused_pointwise", PHYS_FUSED_POINTWISE },
    { "fused_tiled_8x8x4", PHYS_FUSED_BOX }, { "fused_tiled", PHYS_FUSED_TILED },
    { "fused_stream", PHYS_FUSED_STREAM },
};

/* The box has a halo of one. */
bool phys_perf_is_supported(const phys_grid_spec *g, int fusion)
{
    return fusion != PHYS_FUSED_BOX || g->vjp == PHYS_VJP_RESIDUAL;
}

/* ---- bytes and goals ---- */

/* Floats a cell that a call moves when residuals are not outputs. Fused, the necessary ones: fields
 * in and gradients out. Non-fused, those of its own kernels: derivatives out, and in with the
 * fields again; residuals out and in; then the gradient out, or residuals and fields in again
 * before it. */
static int floats_of(const phys_grid_spec *g, int fusion)
{
    const int fields = g->time == PHYS_CENTRAL ? 12 : 8;
    const int levels = g->levels == PHYS_LEVELS_T1 ? 1 : g->time == PHYS_CENTRAL ? 3 : 2;
    const int steps  = fields + 16 + 20 + 4 + 4 + (g->vjp == PHYS_VJP_FIELD ? 8 : 0);

    return (fusion == PHYS_RUN_NONFUSED ? steps : fields) + 4 * levels;
}

int64_t phys_perf_bytes(const phys_grid_spec *g, int fusion)
{
    return 4 * floats_of(g, fusion) * g->nx * g->ny * g->nz;
}

/* For the fastest fused kernel and for the non-fused ones. Central time and further levels may be 5
 * points lower. */
double phys_perf_goal(const phys_grid_spec *g, int fusion)
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

/* ---- right ---- */

enum {
    REFERENCE_MOST = 1 << 20 /* cells: above, the reference takes longer than everything else
                              * together */
};

static const double VECTOR_BOUND = 1e-6, LOSS_BOUND = 2e-6;

static double larger(double a, double b) { return isnan(a) || isnan(b) || a > b ? a + 0 * b : b; }

static double vector_error(const phys_problem *p, const float *got, const float *expected)
{
    return phys_compare(got, expected, 4 * p->cells).relative_l2 / VECTOR_BOUND;
}

/* The gradients at t0 and t2, if they are asked for. */
static double far_error(const phys_problem *p, const phys_result *expected, const phys_result *got)
{
    const int last = p->grid.time == PHYS_CENTRAL ? 2 : 0;
    double    most = 0;

    for (int level = 0; p->grid.levels == PHYS_LEVELS_ALL && level <= last; level += 2)
        most = larger(most, vector_error(p, got->d[level], expected->d[level]));
    return most;
}

static phys_perf_error compare(const phys_problem *p, const phys_result *expected,
                               const phys_result *got)
{
    const double losses = larger(fabs(got->loss[0] / expected->loss[0] - 1),
                                 fabs(got->loss[1] / expected->loss[1] - 1));

    return (phys_perf_error) { .residuals     = vector_error(p, got->r, expected->r),
                               .gradient      = vector_error(p, got->d[1], expected->d[1]),
                               .far_gradients = far_error(p, expected, got),
                               .losses        = losses / LOSS_BOUND };
}

bool phys_perf_is_right(const phys_perf_error *e)
{
    return e->residuals <= 1 && e->gradient <= 1 && e->far_gradients <= 1 && e->losses <= 1;
}

static bool run_reference(const phys_problem *p, phys_result *result)
{
    const phys_buf buf = phys_host_buf(p, result);

    phys_poison(result, p->cells, false);
    return cpu_phys_loss_forward(&p->grid, &p->weights, &buf) == 0 &&
           cpu_phys_loss_backward(&p->grid, &p->weights, &buf) == 0;
}

/* Code that the non-fused kernels are compared with, and that is not theirs. */
static bool run_other(const phys_problem *p, phys_result *result)
{
    return p->cells <= REFERENCE_MOST ? run_reference(p, result)
                                      : phys_run(p, PHYS_FUSED_POINTWISE, PHYS_RUN_BOTH, result);
}

bool phys_perf_check(const phys_problem *p, phys_result *expected, phys_result *got,
                     phys_perf_error error[PHYS_PERF_KERNELS], bool ran[PHYS_PERF_KERNELS])
{
    bool all = true;

    memset(ran, 0, PHYS_PERF_KERNELS * sizeof *ran);
    if (!phys_run(p, PHYS_RUN_NONFUSED, PHYS_RUN_BOTH, expected))
        return false;
    for (int k = 0; k < PHYS_PERF_KERNELS; k++) {
        const int fusion = phys_perf_kernels[k].fusion;

        if (!phys_perf_is_supported(&p->grid, fusion))
            continue;
        ran[k] = k == 0 ? run_other(p, got) : phys_run(p, fusion, PHYS_RUN_BOTH, got);
        if (ran[k])
            error[k] = compare(p, expected, got);
        all = trial_expect(ran[k] && phys_perf_is_right(&error[k]),
                           "%s %s: not the answer that it must have: %g %g %g %g over the bounds",
                           phys_describe(p), phys_perf_kernels[k].name, error[k].residuals,
                           error[k].gradient, error[k].far_gradients, error[k].losses) &&
              all;
    }
    return all;
}

/* ---- times ---- */

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

/* Runs every kernel once. */
static bool time_round(const phys_on_device *on, const phys_buf *buf,
                       const bool is_wanted[PHYS_PERF_KERNELS], phys_perf_times *times, int round)
{
    for (int k = 0; k < PHYS_PERF_KERNELS; k++)
        if (is_wanted[k] && !time_batch(on, buf, phys_perf_kernels[k].fusion, times->launches,
                                        &times->ms[k][round]))
            return false;
    return true;
}

bool phys_perf_time(const phys_problem *p, const bool is_wanted[PHYS_PERF_KERNELS],
                    phys_perf_times *times)
{
    phys_on_device on    = { .cells = 0 };
    bool           works = phys_on_device_create(&on, p);
    phys_buf       buf   = on.buf;

    buf.r_sigma     = NULL;
    buf.r_u         = NULL;
    times->launches = on.cells < 1 << 22 ? 20 : 5;
    for (int round = -1; works && round < PHYS_PERF_BATCHES; round++)
        works = time_round(&on, &buf, is_wanted, times, round < 0 ? 0 : round);
    phys_on_device_release(&on);
    return trial_expect(works, "%s: not timed: %s", phys_describe(p), phys_device_message());
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

phys_perf_summary phys_perf_summarize(const double ms[PHYS_PERF_BATCHES])
{
    double sorted[PHYS_PERF_BATCHES], sum = 0;

    memcpy(sorted, ms, sizeof sorted);
    qsort(sorted, PHYS_PERF_BATCHES, sizeof *sorted, ascending);
    for (int i = 0; i < PHYS_PERF_BATCHES; i++)
        sum += sorted[i];
    return (phys_perf_summary) { .median = sorted[PHYS_PERF_BATCHES / 2],
                                 .mean   = sum / PHYS_PERF_BATCHES,
                                 .p05    = sorted[1],
                                 .p95    = sorted[PHYS_PERF_BATCHES - 2] };
}

double phys_perf_copy(double *ms)
{
    const size_t bytes = (size_t)1 << 29;
    void        *from = phys_device_alloc(bytes), *to = phys_device_alloc(bytes);
    double       one = 0;

    *ms = -1;
    for (int i = 0; from != NULL && to != NULL && i < 20; i++) {
        if (phys_device_start() && phys_device_copy(to, from, bytes))
            one = phys_device_stop_ms();
        *ms = one > 0 && (*ms < 0 || one < *ms) ? one : *ms;
    }
    phys_device_release(from);
    phys_device_release(to);
    return 2.0 * (double)bytes / *ms * 1e-6;
}
