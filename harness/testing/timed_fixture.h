/* Files with timing runs for the tests of comparisons and of history: their times, conditions and
 * clocks. */
#ifndef ASSAY_TEST_TIMED_FIXTURE_H
#define ASSAY_TEST_TIMED_FIXTURE_H

#include "store_raw.h"

/* A run whose points differ only in size. */
typedef struct timed {
    const char *uuid, *driver, *gpu, *kind, *card, *commit, *binary, *toolkit, *tuning;
    assay_clock clock;
    double  ns, cycles_factor; /* of the smallest point; cycles are 2 per ns, times the factor */
    double  ratio;             /* worst error over bound */
    double  mesh, atlas;       /* facts that tell its inputs apart; 0: none */
    int     n_processes, version, n_points;
    int64_t max_calls; /* of the policy */
    bool    is_undecided, is_open;
    int     broken; /* number of the point that is wrong, from 1; 0: none */
} timed;

static inline timed a_timed(const char *uuid, double ns)
{
    return (timed) { .uuid          = uuid,
                     .driver        = "580.1",
                     .gpu           = "GPU-1234",
                     .kind          = "cuda",
                     .card          = "Test GPU 80GB",
                     .commit        = "abcdef012345",
                     .binary        = "00ff",
                     .toolkit       = "13.0",
                     .tuning        = "",
                     .clock         = ASSAY_CLOCK_RECORD,
                     .ns            = ns,
                     .cycles_factor = 1,
                     .ratio         = 0.5,
                     .n_processes   = 3,
                     .version       = 1,
                     .n_points      = 2,
                     .max_calls     = 32 };
}

static inline int64_t begin_timed(fixture *f, const timed *t)
{
    assay_run_row     run    = a_run(t->uuid);
    assay_device_info device = a_device();
    int64_t           id     = 0;

    (void)snprintf(run.verb, sizeof run.verb, "bench");
    (void)snprintf(run.git_commit, sizeof run.git_commit, "%s", t->commit);
    (void)snprintf(run.binary_id, sizeof run.binary_id, "%s", t->binary);
    (void)snprintf(run.cuda_toolkit, sizeof run.cuda_toolkit, "%s", t->toolkit);
    (void)snprintf(device.driver, sizeof device.driver, "%s", t->driver);
    (void)snprintf(device.kind, sizeof device.kind, "%s", t->kind);
    (void)snprintf(device.name, sizeof device.name, "%s", t->card);
    (void)snprintf(device.uuid, sizeof device.uuid, "%s", t->gpu);
    assert_ok(assay_store_begin_run(f->store, &run, &device, &id));
    return id;
}

/* Two blocks for each process; the processes are 0.1 % apart. */
static inline void put_timed(fixture *f, int64_t point, const timed *t, double ns)
{
    assay_measurement_row m           = a_measurement(ASSAY_REGIME_COLD, ns);
    double                samples[64] = { 0 };
    assay_block           blocks[32];
    const int             n = 2 * t->n_processes;

    m.clock = t->clock;
    (void)snprintf(m.tuning, sizeof m.tuning, "%s", t->tuning);
    (void)snprintf(m.decision, sizeof m.decision, "%s",
                   t->is_undecided ? "clocks disagree" : "the only one");
    m.decides            = !t->is_undecided;
    m.n_processes        = t->n_processes;
    m.policy.n_processes = t->n_processes;
    m.policy.max_calls   = (int)t->max_calls;
    m.n_blocks           = n;
    m.n_samples          = 2 * n;
    for (int b = 0; b < n; b++) {
        const double place = 1 + 0.001 * (b / 2 - t->n_processes / 2);

        blocks[b]               = a_block(2, b / 2);
        blocks[b].median_ns     = ns * place;
        blocks[b].median_cycles = 2 * ns * place * t->cycles_factor;
        samples[2 * b] = samples[2 * b + 1] = ns * place;
    }
    assert_ok(assay_store_put_measurement(f->store, point, &m, samples, NULL, blocks));
}

static inline void put_input_fact(fixture *f, int64_t point, const char *name, double value)
{
    assay_metric_row row = { .status = "ok", .value = value, .replay = "input" };

    (void)snprintf(row.name, sizeof row.name, "%s", name);
    if (value > 0)
        assert_ok(assay_store_put_metric(f->store, point, &row));
}

static inline int64_t put_run(fixture *f, const timed *t)
{
    const int64_t run = begin_timed(f, t);

    for (int i = 1; i <= t->n_points; i++) {
        const assay_point_row p     = a_point("axpy", i % 2 ? "vec4" : "naive", "", i * 1000);
        const assay_check_row check = a_check(t->ratio);
        int64_t               id    = 0;

        assert_ok(assay_store_plan(f->store, run, "y[i] += a * x[i]", t->version, &p, 1, &id));
        if (i == t->broken) {
            fail_point(f, id, "first bad 255");
            continue;
        }
        assert_ok(assay_store_begin_point(f->store, id));
        assert_ok(assay_store_put_check(f->store, id, &check));
        put_input_fact(f, id, "mesh", t->mesh);
        put_input_fact(f, id, "atlas", t->atlas);
        put_timed(f, id, t, t->ns * i);
        finish_passed(f, id);
    }
    if (!t->is_open)
        assert_ok(assay_store_end_run(f->store, run, 0));
    return run;
}

/* Sets the start, so that runs are in the order in which they were written, whatever the clock
 * says. */
static inline void set_start(const fixture *f, const char *uuid, const char *utc)
{
    char sql[512];

    (void)snprintf(
        sql, sizeof sql,
        "DROP TRIGGER IF EXISTS run_kept; UPDATE run SET started_utc = '%s' WHERE uuid = "
        "'%s'",
        utc, uuid);
    assert_int_equal(run_sql(f->path, sql), SQLITE_OK);
}

#endif
