/* How long it takes to store a million samples, and to write their default report. Not a test: run
 * it by hand on an idle machine.
 *   bench_store [FOLDER]  (default /tmp) */
#include "base/clock.h"
#include "report/report.h"
#include "store/store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    N_POINTS  = 250,
    N_METRICS = 4,
    N_BLOCKS  = 10,
    N_IN_EACH = 100, /* samples of a block: a million in all */
    N_SAMPLES = N_BLOCKS * N_IN_EACH
};

static const assay_regime regimes[N_METRICS] = { ASSAY_REGIME_COLD, ASSAY_REGIME_COLD,
                                                 ASSAY_REGIME_HOT, ASSAY_REGIME_HOT };
static const assay_clock  clocks[N_METRICS]  = { ASSAY_CLOCK_EVENT, ASSAY_CLOCK_RECORD,
                                                 ASSAY_CLOCK_EVENT, ASSAY_CLOCK_RECORD };

typedef struct samples {
    double      time_ns[N_SAMPLES], clock_mhz[N_SAMPLES];
    assay_block blocks[N_BLOCKS];
} samples;

/* Like the times of a kernel: some microseconds with 1 % of noise. */
static void make_samples(samples *s)
{
    uint64_t random = 42;

    for (int i = 0; i < N_SAMPLES; i++) {
        random          = random * 6364136223846793005u + 1442695040888963407u;
        s->time_ns[i]   = 5000 + 50 * (double)(random >> 40) / (double)(1 << 24);
        s->clock_mhz[i] = 1980;
    }
    for (int k = 0; k < N_BLOCKS; k++)
        s->blocks[k] = (assay_block) { .n_samples = N_IN_EACH,
                                       .process   = k / 4,
                                       .order     = k,
                                       .median_ns = 5025,
                                       .energy_j  = (double)NAN };
}

static assay_status plan(assay_store *store, int64_t *run_id, int64_t *ids)
{
    static assay_point_row  points[N_POINTS];
    const assay_run_row     run    = { .uuid = "bench", .verb = "bench", .lane = "cuda" };
    const assay_device_info device = { .kind = "cuda", .name = "GPU", .can_time = true };
    assay_status            st;

    for (int i = 0; i < N_POINTS; i++) {
        assay_point_row  *p       = &points[i];
        const char *const variant = i % 2 ? "vec4" : "naive";

        *p = (assay_point_row) { .case_name      = "axpy",
                                 .baseline       = "naive",
                                 .expect         = ASSAY_BIT(PASS),
                                 .is_timed       = true,
                                 .cells          = 1000,
                                 .bytes_declared = 12000,
                                 .bytes_moved    = -1,
                                 .n_axes         = 1,
                                 .axis           = { { .name = "n", .i = { i / 2 } } } };
        (void)snprintf(p->variant, sizeof p->variant, "%s", variant);
        (void)snprintf(p->axis[0].text, sizeof p->axis[0].text, "%d", i / 2);
        (void)snprintf(p->key, sizeof p->key, "axpy/%s/n=%d", variant, i / 2);
    }
    ASSAY_CHECK(assay_store_begin_run(store, &run, &device, run_id));
    ASSAY_CHECK(assay_store_plan(store, *run_id, "y += a x", 1, points, N_POINTS, ids));
out:
    return st;
}

static assay_measurement_row a_measurement(int metric)
{
    assay_measurement_row m = { .n_samples           = N_SAMPLES,
                                .n_blocks            = N_BLOCKS,
                                .n_processes         = 3,
                                .launches_per_sample = 1,
                                .median_ns           = 5025,
                                .mean_ns             = 5025,
                                .min_ns              = 5000,
                                .max_ns              = 5050,
                                .q1_ns               = 5012,
                                .q3_ns               = 5037,
                                .stop_reason         = "samples",
                                .bytes_declared      = 12000,
                                .decides             = metric % 2 == 1 };

    m.regime = regimes[metric];
    m.clock  = clocks[metric];
    return m;
}

static assay_status put_point(assay_store *store, int64_t id, const samples *s)
{
    const assay_check_row   check   = { .output = "y", .verdict = ASSAY_PASS, .n_runs = 2 };
    const assay_verdict_row verdict = { .verdict = ASSAY_PASS };
    assay_status            st;

    ASSAY_CHECK(assay_store_begin_point(store, id));
    ASSAY_CHECK(assay_store_put_check(store, id, &check));
    for (int m = 0; m < N_METRICS; m++) {
        const assay_measurement_row row = a_measurement(m);

        ASSAY_CHECK(
            assay_store_put_measurement(store, id, &row, s->time_ns, s->clock_mhz, s->blocks));
    }
    ASSAY_CHECK(assay_store_finish_point(store, id, &verdict));
out:
    return st;
}

static assay_status load(const char *path, const samples *s, int64_t *run_id)
{
    assay_store *store = NULL;
    int64_t      ids[N_POINTS];
    assay_status st;

    ASSAY_CHECK(assay_store_open(path, ASSAY_STORE_WRITE, &store));
    ASSAY_CHECK(plan(store, run_id, ids));
    for (int i = 0; i < N_POINTS; i++)
        ASSAY_CHECK(put_point(store, ids[i], s));
    ASSAY_CHECK(assay_store_end_run(store, *run_id, 0));
out:
    assay_store_close(store);
    return st;
}

static assay_status report(const char *path, int64_t run_id, const char *format)
{
    FILE        *out = fopen("/dev/null", "w");
    assay_status st;

    if (!out)
        return ASSAY_FAIL(ASSAY_E_IO, "cannot open /dev/null");
    st = assay_report_write(path, run_id, format, out);
    (void)fclose(out);
    return st;
}

static assay_status examine(const char *path)
{
    assay_store *store = NULL;
    int64_t      n     = 0;
    assay_status st;

    ASSAY_CHECK(assay_store_open(path, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_store_examine(store, NULL, NULL, &n));
    ASSAY_REQUIRE(n == 0, ASSAY_E_INTERNAL, "%s is not sound", path);
out:
    assay_store_close(store);
    return st;
}

static assay_status merge(const char *path, const char *to)
{
    assay_store *store = NULL;
    assay_merge  came;
    assay_status st;

    ASSAY_CHECK(assay_store_open(to, ASSAY_STORE_WRITE, &store));
    ASSAY_CHECK(assay_store_merge(store, path, &came));
    ASSAY_CHECK(assay_store_merge(store, path, &came));
    ASSAY_REQUIRE(came.n_conflicts == 0 && came.n_points == 0, ASSAY_E_INTERNAL,
                  "a second merge found something new");
out:
    assay_store_close(store);
    return st;
}

static double lap(const char *what, double since_s)
{
    const double now_s = assay_clock_s();

    (void)printf("%-28s %6.2f s\n", what, now_s - since_s);
    return assay_clock_s();
}

int main(int argc, char **argv)
{
    static samples s;
    char           path[512], other[600];
    int64_t        run_id = 0;
    double         at;
    assay_status   st;

    (void)snprintf(path, sizeof path, "%s/assay-bench-%ld.db", argc > 1 ? argv[1] : "/tmp",
                   (long)getpid());
    (void)snprintf(other, sizeof other, "%s.merged", path);
    make_samples(&s);
    (void)printf("%d samples of %d measurements\n", N_POINTS * N_METRICS * N_SAMPLES,
                 N_POINTS * N_METRICS);
    at = assay_clock_s();
    ASSAY_CHECK(load(path, &s, &run_id));
    at = lap("load", at);
    ASSAY_CHECK(report(path, run_id, "text"));
    at = lap("report, text", at);
    ASSAY_CHECK(report(path, run_id, "csv"));
    at = lap("report, csv", at);
    ASSAY_CHECK(examine(path));
    at = lap("examination (doctor)", at);
    ASSAY_CHECK(merge(path, other));
    (void)lap("merge, twice", at);
out:
    if (st != ASSAY_OK)
        (void)fprintf(stderr, "bench_store: %s\n", assay_status_message());
    (void)unlink(path);
    (void)unlink(other);
    return st == ASSAY_OK ? 0 : 1;
}
