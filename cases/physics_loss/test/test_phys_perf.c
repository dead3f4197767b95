/* Speed of the physics loss kernels on a GPU, as CSV, both passes in one call. Each kernel is
 * checked at its size before it is timed: the fused ones are compared with the non-fused one, and
 * that one with the double reference or, where that takes too long, with a fused one. Kernels
 * alternate, batch by batch.
 *
 * Two kinds of goals have columns of their own. Neither is asserted, since times prove nothing
 * about a kernel. "1.3x" is the smallest speed-up over the non-fused kernels that fusing was to
 * give. "goal" is the share of the copy's bandwidth that we want, by each kernel's own bytes.
 *
 * usage: test_phys_perf [--db FILE [--resume] [--processes N]] [n ...]
 *
 * Cubes of n cells a side; default 64 96 128 192 256. With --db everything is stored as a run of
 * that database, also on the host device, without times there. */
#include "phys_perf.h"

#include "exit_status.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SIZES   = 16,
    N_GRADIENTS = 3 /* by the residuals; by the fields at t1; by them at all levels */
};

/* The sizes that were asked for, and where results go. */
typedef struct perf_run {
    int64_t              size[MAX_SIZES];
    int                  n_sizes;
    double               copy;   /* GB/s; 0: nothing is timed here */
    assay_program_point *points; /* owned */
    assay_program       *program;
} perf_run;

/* One of the plan's groups: its kernels have points one after the other. */
typedef struct perf_config {
    int64_t n;
    int     boundary, time, gradient;
} perf_config;

static int64_t count_configs(const perf_run *perf)
{
    return (int64_t)perf->n_sizes * PHYS_N_BOUNDARIES * PHYS_N_TIMES * N_GRADIENTS;
}

static perf_config config_at(const perf_run *perf, int64_t i)
{
    perf_config c = { .gradient = (int)(i % N_GRADIENTS) };

    i /= N_GRADIENTS;
    c.time = (int)(i % PHYS_N_TIMES);
    i /= PHYS_N_TIMES;
    c.boundary = (int)(i % PHYS_N_BOUNDARIES);
    c.n        = perf->size[i / PHYS_N_BOUNDARIES];
    return c;
}

static phys_grid_spec grid_of(const perf_config *c)
{
    return (phys_grid_spec) { .nx       = c->n,
                              .ny       = c->n,
                              .nz       = c->n,
                              .boundary = { c->boundary, c->boundary, c->boundary },
                              .time     = c->time,
                              .vjp      = c->gradient == 0 ? PHYS_VJP_RESIDUAL : PHYS_VJP_FIELD,
                              .levels   = c->gradient == 2 ? PHYS_LEVELS_ALL : PHYS_LEVELS_T1 };
}

/* ---- what a configuration is called ---- */

static const char *boundary_word(const phys_grid_spec *g)
{
    return g->boundary[0] == PHYS_PERIODIC ? "periodic" : "zero_gradient";
}
static const char *time_word(const phys_grid_spec *g)
{
    return g->time == PHYS_CENTRAL ? "central" : "first_order";
}
static const char *vjp_word(const phys_grid_spec *g)
{
    return g->vjp == PHYS_VJP_FIELD ? "field" : "residual";
}
static const char *levels_word(const phys_grid_spec *g)
{
    return g->levels == PHYS_LEVELS_ALL ? "all" : "t1";
}

/* ---- the table ---- */

static const char *verdict_of(double value, double wanted)
{
    return !(wanted > 0) ? "-" : value >= wanted ? "met" : "missed";
}

/* One line. nonfused: ms. */
static void print_row(const phys_grid_spec *g, int k, const phys_perf_summary *t, double copy,
                      double nonfused)
{
    const phys_perf_kernel *kernel = &phys_perf_kernels[k];
    const double            rate   = (double)phys_perf_bytes(g, kernel->fusion) / t->median * 1e-6;

    printf("%lldx%lldx%lld %s %s %s %s,%s,%.4f,%.4f,%.4f,%.4f,%.0f,%.2f,%s,%.3f,%s\n",
           (long long)g->nx, (long long)g->ny, (long long)g->nz, boundary_word(g), time_word(g),
           vjp_word(g), levels_word(g), kernel->name, t->median, t->mean, t->p05, t->p95, rate,
           nonfused / t->median, verdict_of(nonfused / t->median, k > 0 ? 1.3 : 0), rate / copy,
           verdict_of(rate / copy, phys_perf_goal(g, kernel->fusion)));
}

static void print_rows(const phys_grid_spec *g, const bool is_timed[PHYS_PERF_KERNELS],
                       const phys_perf_times *times, double copy)
{
    double nonfused = (double)NAN;

    for (int k = 0; k < PHYS_PERF_KERNELS; k++) {
        const phys_perf_summary t = phys_perf_summarize(times->ms[k]);

        if (!is_timed[k])
            continue;
        nonfused = k == 0 ? t.median : nonfused;
        print_row(g, k, &t, copy, nonfused);
    }
}

/* ---- the plan, and what is stored ---- */

static void plan_kernel(assay_program_point *p, const perf_config *c, int k)
{
    const phys_grid_spec g      = grid_of(c);
    const int            fusion = phys_perf_kernels[k].fusion;

    *p = (assay_program_point) {
        .case_name    = "physics_loss_api",
        .case_what    = "transport residuals, losses and gradients by one call of the C API",
        .case_version = 1,
        .variant      = phys_perf_kernels[k].name,
        .baseline     = k > 0 ? phys_perf_kernels[0].name : NULL,
        .axis         = { { .name = "grid", .value = { c->n, c->n, c->n } },
                          { .name = "boundary", .word = boundary_word(&g) },
                          { .name = "time", .word = time_word(&g) },
                          { .name = "vjp", .word = vjp_word(&g) },
                          { .name = "levels", .word = levels_word(&g) },
                          { .name = "pass", .word = "both" } },
        .n_axes       = 6,
        .cells        = c->n * c->n * c->n,
        .bytes        = phys_perf_bytes(&g, PHYS_FUSED_POINTWISE),
        .bytes_moved  = phys_perf_bytes(&g, fusion),
        .is_timed     = true,
    };
}

static bool plan(perf_run *perf)
{
    const int64_t n = count_configs(perf);

    perf->points = calloc((size_t)(n * PHYS_PERF_KERNELS), sizeof *perf->points);
    for (int64_t i = 0; perf->points && i < n * PHYS_PERF_KERNELS; i++) {
        const perf_config c = config_at(perf, i / PHYS_PERF_KERNELS);

        plan_kernel(&perf->points[i], &c, (int)(i % PHYS_PERF_KERNELS));
    }
    return perf->points != NULL;
}

static assay_status put_checks(assay_program *program, int64_t point, const phys_grid_spec *g,
                               const phys_perf_error *e, bool ran)
{
    static const char why[] = "relative L2 norm of the difference, over 1e-6";
    const struct {
        const char *output, *why;
        double      error;
        bool        is_there;
    } checks[] = {
        { "residuals", why, e->residuals, true },
        { "gradient", why, e->gradient, true },
        { "far_gradients", why, e->far_gradients, g->levels == PHYS_LEVELS_ALL },
        { "losses", "largest relative difference, over 2e-6", e->losses, true },
    };
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        const assay_program_check check = { .output = checks[i].output,
                                            .why    = checks[i].why,
                                            .error  = ran ? checks[i].error : (double)NAN,
                                            .bound  = 1 };

        if (checks[i].is_there)
            ASSAY_CHECK(assay_program_put_check(program, point, &check));
    }
out:
    return st;
}

static assay_status put_times(assay_program *program, int64_t point,
                              const double ms[PHYS_PERF_BATCHES], int launches)
{
    double                    time_ns[PHYS_PERF_BATCHES];
    const assay_program_times times = { .clock    = ASSAY_PROGRAM_EVENT,
                                        .time_ns  = time_ns,
                                        .n        = PHYS_PERF_BATCHES,
                                        .n_blocks = PHYS_PERF_BATCHES,
                                        .calls    = launches };

    for (int i = 0; i < PHYS_PERF_BATCHES; i++)
        time_ns[i] = 1e6 * ms[i];
    return assay_program_put_times(program, point, &times);
}

/* ---- one configuration ---- */

/* What all gradients of a problem share. */
typedef struct perf_room {
    phys_problem problem;
    phys_result  expected, got;
} perf_room;

static assay_status store_config(assay_program *program, int64_t first, const phys_grid_spec *g,
                                 const phys_perf_error error[PHYS_PERF_KERNELS],
                                 const bool ran[PHYS_PERF_KERNELS], const phys_perf_times *times,
                                 const bool is_timed[PHYS_PERF_KERNELS])
{
    assay_status st = ASSAY_OK;

    for (int k = 0; k < PHYS_PERF_KERNELS; k++) {
        if (!phys_perf_is_supported(g, phys_perf_kernels[k].fusion)) {
            ASSAY_CHECK(assay_program_skip(program, first + k, "the box has a halo of one"));
            continue;
        }
        ASSAY_CHECK(put_checks(program, first + k, g, &error[k], ran[k]));
        if (is_timed[k])
            ASSAY_CHECK(put_times(program, first + k, times->ms[k], times->launches));
    }
    ASSAY_CHECK(assay_program_finish(program));
out:
    return st;
}

static assay_status run_config(const perf_run *perf, int64_t i, perf_room *room)
{
    phys_perf_error error[PHYS_PERF_KERNELS] = { { .residuals = 0 } };
    bool            ran[PHYS_PERF_KERNELS], is_timed[PHYS_PERF_KERNELS];
    phys_perf_times times = { .launches = 0 };
    bool            has_times;

    (void)phys_perf_check(&room->problem, &room->expected, &room->got, error, ran);
    for (int k = 0; k < PHYS_PERF_KERNELS; k++)
        is_timed[k] = perf->copy > 0 && ran[k] && phys_perf_is_right(&error[k]);
    has_times = perf->copy > 0 && phys_perf_time(&room->problem, is_timed, &times);
    for (int k = 0; k < PHYS_PERF_KERNELS; k++)
        is_timed[k] = is_timed[k] && has_times;
    print_rows(&room->problem.grid, is_timed, &times, perf->copy);
    return store_config(perf->program, i * PHYS_PERF_KERNELS, &room->problem.grid, error, ran,
                        &times, is_timed);
}

static bool make_room(perf_room *room, const perf_config *c)
{
    const int64_t extents[3]    = { c->n, c->n, c->n };
    const int     boundaries[3] = { c->boundary, c->boundary, c->boundary };

    return phys_problem_create(&room->problem, PHYS_FIELDS_RANDOM, extents, boundaries, c->time) &&
           phys_result_create(&room->expected, room->problem.cells) &&
           phys_result_create(&room->got, room->problem.cells);
}

static assay_status visit_config(const perf_run *perf, int64_t i)
{
    const perf_config    c         = config_at(perf, i);
    const phys_grid_spec g         = grid_of(&c);
    perf_room            room      = { .problem = { .cells = 0 } };
    bool                 is_wanted = false;
    assay_status         st        = ASSAY_OK;

    ASSAY_CHECK(
        assay_program_take(perf->program, i * PHYS_PERF_KERNELS, PHYS_PERF_KERNELS, &is_wanted));
    if (!is_wanted)
        goto out;
    ASSAY_REQUIRE(make_room(&room, &c), ASSAY_E_MEMORY, "no memory for %lld cubed", (long long)c.n);
    room.problem.grid.vjp    = g.vjp;
    room.problem.grid.levels = g.levels;
    ASSAY_CHECK(run_config(perf, i, &room));
out:
    phys_result_free(&room.expected);
    phys_result_free(&room.got);
    phys_problem_free(&room.problem);
    return st;
}

/* ---- all of it ---- */

static void print_copy(perf_run *perf)
{
    double ms = 0;

    perf->copy = phys_perf_copy(&ms);
    if (trial_expect(ms > 0, "the copy failed: %s", phys_device_message()))
        printf("512 MiB,copy,%.4f,,,,%.0f,,,,\n", ms, perf->copy);
}

static assay_status run_all(perf_run *perf, const assay_program_words *words)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(plan(perf), ASSAY_E_MEMORY, "no memory for a plan");
    const assay_program_start start = { "test_phys_perf", words, assay_module_api(), perf->points,
                                        count_configs(perf) * PHYS_PERF_KERNELS };

    ASSAY_CHECK(assay_program_open(&start, &perf->program));
    if (phys_device_can_time()) {
        printf("config,kernel,ms,mean,p05,p95,GB/s,speed-up,1.3x,share of copy,goal\n");
        print_copy(perf);
    }
    for (int64_t i = 0; i < count_configs(perf); i++)
        ASSAY_CHECK(visit_config(perf, i));
out:
    return st;
}

static bool read_sizes(int argc, char **argv, perf_run *perf)
{
    for (int i = 1; i < argc; i++) {
        char         *end;
        const int64_t n = strtol(argv[i], &end, 10);

        if (i > MAX_SIZES || end == argv[i] || *end != '\0' || n < 1 || n > 2048)
            return false;
        perf->size[i - 1] = n;
        perf->n_sizes     = i;
    }
    return true;
}

/* The outcome as an exit status. */
static int finish(perf_run *perf, assay_status st)
{
    int status = trial_finish("test_phys_perf") == 0 ? ASSAY_EXIT_PASS : ASSAY_EXIT_WRONG;

    if (st != ASSAY_OK) {
        fprintf(stderr, "test_phys_perf: %s\n", assay_status_message());
        status = ASSAY_EXIT_USAGE;
    }
    (void)assay_program_close(perf->program, &status);
    free(perf->points);
    return status;
}

int main(int argc, char **argv)
{
    perf_run            perf = { .size = { 64, 96, 128, 192, 256 }, .n_sizes = 5 };
    char                why[256];
    assay_program_words words;

    (void)setvbuf(stdout, NULL, _IOLBF, 0); /* a finished row stays, even if this is cut off */
    if (assay_program_take_words(&argc, argv, &words) != ASSAY_OK ||
        !read_sizes(argc, argv, &perf)) {
        fprintf(stderr,
                "%s\nusage: test_phys_perf " ASSAY_PROGRAM_USAGE " [n ...]   cubes of n cells a "
                "side, 1 to 2048, at most %d\n",
                assay_status_message(), MAX_SIZES);
        return ASSAY_EXIT_USAGE;
    }
    if (!words.has_processes) /* dozens of groups, each shorter than the start of a process */
        words.n_processes = 1;
    if (!phys_device_open(why, sizeof why)) {
        printf("skipped: %s\n", why);
        return ASSAY_EXIT_SKIPPED;
    }
    if (!phys_device_can_time() && !words.database) {
        printf("skipped: times on the %s mean nothing; --db FILE stores what is checked\n",
               phys_device_name());
        return ASSAY_EXIT_SKIPPED;
    }
    return finish(&perf, run_all(&perf, &words));
}
