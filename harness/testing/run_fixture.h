/* Points of a made-up case on the device of plain memory. Its reference and launchers are functions
 * of the test program, and the rows of a run are kept for the test. */
#ifndef ASSAY_TEST_RUN_FIXTURE_H
#define ASSAY_TEST_RUN_FIXTURE_H

#include "run/run.h"
#include "testing.h"
#include "toy_device.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the case: y = 2x, z += 1 (z is INOUT), with scratch and a prepared input ---- */

enum {
    N = 40
};
static bool wants_nan_mask, exempts_first, leaves_last_open, leaves_all_open;

static void shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const assay_fill fill = ASSAY_INTEGERS(-9, 9, 1);
    const int64_t    n    = axis[0].i[0];

    (void)input;
    s->buf[0]   = (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, n, fill };
    s->buf[1]   = (assay_buffer) { .name = "y", .role = ASSAY_OUT, .type = ASSAY_F32, .count = n };
    s->buf[2]   = (assay_buffer) { "z", ASSAY_INOUT, ASSAY_I32, n, fill };
    s->buf[3]   = (assay_buffer) { .name = "w", .role = ASSAY_WORK, .type = ASSAY_F32, .count = n };
    s->param[0] = n;
    s->bytes_read = s->bytes_written = 8 * n;
    s->cells                         = n;
}

static void prepare(const assay_prepare_args *args)
{
    if (args->count[0] > 0) {
        ((float *)args->in[0])[0]   = 100; /* no fill makes this value */
        ((int32_t *)args->in[2])[0] = 100;
    }
}

static void reference(const assay_reference_args *args)
{
    const float   *x = args->in[0];
    const int32_t *z = args->in[2];

    for (int64_t i = 0; i < args->count[1]; i++) {
        args->expect[1].value[i]     = 2.0 * (double)x[i];
        args->expect[1].magnitude[i] = 2.0 * fabs((double)x[i]);
        args->expect[2].integer[i]   = z[i] + 1;
    }
    if (wants_nan_mask && args->count[1] > 0)
        args->expect[1].law[0] = ASSAY_MUST_BE_NAN;
    if (leaves_all_open) {
        memset(args->expect[1].law, ASSAY_ANYTHING, (size_t)args->count[1]);
        memset(args->expect[2].law, ASSAY_ANYTHING, (size_t)args->count[2]);
    }
    if (leaves_last_open && args->count[1] > 0)
        args->expect[1].law[args->count[1] - 1] = ASSAY_ANYTHING;
    if (exempts_first && args->count[1] > 0) {
        args->expect[1].law[0]       = ASSAY_EXEMPT;
        args->expect[1].exempt_share = 1.0 / N;
    }
}

/* ---- launchers, found by name ---- */

static int n_calls, n_set_up, n_torn_down;

static void compute(const assay_args *args)
{
    const float *x = args->buf[0];
    float       *y = args->buf[1], *w = args->buf[3];
    int32_t     *z = args->buf[2];

    n_calls++;
    for (int64_t i = 0; i < args->param[0]; i++) {
        w[i] = x[i];
        y[i] = w[i] + x[i];
        z[i] += 1;
    }
}

#define LAUNCHER(name, fault)                                                                      \
    ASSAY_LAUNCHER(name)                                                                           \
    {                                                                                              \
        float   *y = args->buf[1];                                                                 \
        int32_t *z = args->buf[2];                                                                 \
        (void)stream, (void)y, (void)z;                                                            \
        compute(args);                                                                             \
        fault;                                                                                     \
        return 0;                                                                                  \
    }
LAUNCHER(right, (void)0)
ASSAY_EXPORT int set_up_state(const assay_args *args, void **state)
{
    static int counter;

    (void)args;
    n_set_up++;
    counter = 0;
    *state  = &counter;
    return 0;
}

ASSAY_EXPORT int set_up_fails(const assay_args *args, void **state)
{
    (void)args, (void)state;
    return 2;
}

ASSAY_EXPORT int set_up_misses_a_library(const assay_args *args, void **state)
{
    static char reason[] = "libtoy is not here";

    (void)args;
    *state = reason;
    return ASSAY_NOT_HERE;
}

ASSAY_EXPORT void tear_down_state(void *state) { n_torn_down += state != NULL; }

static assay_case toy;

static const assay_case toy_start = {
    .name        = "toy",
    .what        = "y = 2x, z += 1",
    .version     = 1,
    .axes        = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(N)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = shape,
    .reference   = reference,
    .prepare     = prepare,
    .tol         = { .rule = ASSAY_RULE_ULP, .max_ulp = 1, .why = "test" },
};

/* Another case of the same computation, with other variants. */
#define CASE_OF(name_, ...)                                                                        \
    static const assay_case name_ = {                                                              \
        .name        = #name_,                                                                     \
        .what        = "y = 2x, z += 1",                                                           \
        .version     = 1,                                                                          \
        .axes        = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(N)) },                            \
        .inputs      = ASSAY_INPUT_BIT(RANDOM),                                                    \
        .timed_input = ASSAY_INPUT_RANDOM,                                                         \
        .shape       = shape,                                                                      \
        .reference   = reference,                                                                  \
        .tol         = { .rule = ASSAY_RULE_ULP, .max_ulp = 1, .why = "test" },                    \
        .variants    = { __VA_ARGS__ },                                                            \
    }

/* ---- what comes out of it ---- */

enum {
    MOST_POINTS   = 8,
    MOST_ROWS     = 64,
    MOST_CEILINGS = 256
};

typedef struct seen_measurement {
    int                   place;
    assay_measurement_row row;
    assay_block           blocks[8];
} seen_measurement;

static struct {
    int    n_checks, n_verdicts, n_measurements, n_launches, n_trials, n_ceilings, n_spins;
    int    n_metrics;
    double longest_limit_s;    /* of any step of a timer */
    assay_verdict_row verdict; /* of the last verdict */
    assay_verdict_row verdicts[MOST_POINTS];
    bool              has_verdict[MOST_POINTS];
    seen_measurement  measurements[MOST_ROWS];
    assay_launch_row  launches[MOST_ROWS];
    assay_trial_row   trials[MOST_ROWS];
    assay_metric_row  metrics[MOST_ROWS];
    assay_ceiling_row ceilings[MOST_CEILINGS];
    assay_spin_row    spins[MOST_ROWS];
} seen;

static assay_status see_note(void *context, int place, const char *what, double limit_s)
{
    (void)context;
    assert_in_range(place, 0, MOST_POINTS - 1);
    assert_true(limit_s > 0);
    if (strcmp(what, "warm-up") == 0 || strcmp(what, "timing") == 0)
        seen.longest_limit_s = fmax(seen.longest_limit_s, limit_s);
    return ASSAY_OK;
}

static assay_status see_row(void *context, int place, assay_row_kind kind, const void *row)
{
    (void)context;
    assert_in_range(place, 0, MOST_POINTS - 1);
    if (kind == ASSAY_ROW_CHECK) {
        seen.n_checks++;
    } else if (kind == ASSAY_ROW_VERDICT) {
        assert_false(seen.has_verdict[place]); /* there is only one */
        seen.has_verdict[place] = true;
        seen.n_verdicts++;
        seen.verdict = seen.verdicts[place] = *(const assay_verdict_row *)row;
    } else if (kind == ASSAY_ROW_LAUNCH && seen.n_launches < MOST_ROWS) {
        seen.launches[seen.n_launches++] = *(const assay_launch_row *)row;
    } else if (kind == ASSAY_ROW_TRIAL && seen.n_trials < MOST_ROWS) {
        seen.trials[seen.n_trials++] = *(const assay_trial_row *)row;
    } else if (kind == ASSAY_ROW_METRIC && seen.n_metrics < MOST_ROWS) {
        seen.metrics[seen.n_metrics++] = *(const assay_metric_row *)row;
    } else if (kind == ASSAY_ROW_CEILING && seen.n_ceilings < MOST_CEILINGS) {
        seen.ceilings[seen.n_ceilings++] = *(const assay_ceiling_row *)row;
    } else if (kind == ASSAY_ROW_SPIN && seen.n_spins < MOST_ROWS) {
        seen.spins[seen.n_spins++] = *(const assay_spin_row *)row;
    } else {
        fail_msg("a row of kind %d", (int)kind);
    }
    return ASSAY_OK;
}

static assay_status see_measurement(void *context, int place, const assay_measurement_row *row,
                                    const assay_samples *samples)
{
    seen_measurement *m = &seen.measurements[seen.n_measurements++];

    (void)context;
    assert_true(seen.n_measurements <= MOST_ROWS && samples->n_blocks <= 8);
    assert_int_equal(row->n_samples, samples->n);
    assert_int_equal(row->n_blocks, samples->n_blocks);
    assert_false(seen.has_verdict[place]); /* the verdict comes last */
    m->place = place;
    m->row   = *row;
    if (samples->n_blocks > 0)
        memcpy(m->blocks, samples->blocks, (size_t)samples->n_blocks * sizeof *samples->blocks);
    return ASSAY_OK;
}

static const assay_sink sink = { .note = see_note, .row = see_row, .measurement = see_measurement };

/* ---- running ---- */

static assay_runner runner;

/* A worker's runner on the toy device. */
static inline void open_runner(void)
{
    memset(&runner, 0, sizeof runner);
    runner.lane          = ASSAY_LANE_HOST;
    runner.module.api    = &memory_api;
    runner.module.handle = dlopen(NULL, RTLD_NOW);
    runner.info.can_time = true;
    (void)strcpy(runner.nvml_why, "no GPU");
}

static inline void close_runner(void)
{
    for (int input = 0; input < ASSAY_N_INPUTS; input++)
        assay_inputs_free(&runner.inputs[input]);
    assay_inputs_free(&runner.redrawn);
    (void)dlclose(runner.module.handle);
}

static inline assay_point point_of(int variant, int64_t n, bool is_timed)
{
    assay_point point = { .definition = &toy, .variant = variant, .seed = 3, .is_timed = is_timed };

    point.axis[0].i[0] = n;
    if (toy.variants[variant].tuning[0].name)
        assay_point_tune(&point, 0);
    return point;
}

static inline int start_over(void **state)
{
    (void)state;
    memset(&toy_gpu, 0, sizeof toy_gpu);
    memset(&seen, 0, sizeof seen);
    n_calls = n_set_up = n_torn_down = 0;
    wants_nan_mask = exempts_first = leaves_last_open = leaves_all_open = false;
    toy                                                                 = toy_start;
    toy.variants[0] = (assay_variant) { .name = "v", .launch = "right" };
    assay_status_reset();
    return 0;
}

#endif
