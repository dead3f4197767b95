/* Whole steps on the host executor, where device memory is host memory: many of them stay finite,
 * a hot start halves dt more than once, all ways to retry and to deposit agree, and gas that no dt
 * can save ends with the number that says so. Every kernel belongs to a section. */
#include "../../harness/case.h"
#include "gas_test.h"
#include "launched.h"

#include "../../kernels/thermo_step/step_case.h"

#include <string.h>

assay_launch_fn thermo_step_host_retry, thermo_step_host_retry_tiled, thermo_step_device_retry,
    thermo_step_device_retry_enqueued, thermo_step_device_retry_tiled;
assay_workspace_fn thermo_step_workspace, thermo_step_workspace_tiled;
assay_setup_fn     thermo_step_setup, thermo_step_setup_tiled, thermo_step_setup_repeat,
    thermo_step_setup_repeat_tiled;
assay_teardown_fn thermo_step_teardown;

extern const assay_case assay_case_thermo_step;

typedef struct way {
    const char         *name;
    assay_launch_fn    *launch;
    assay_workspace_fn *workspace;
    assay_setup_fn     *setup;
} way;

enum {
    HOST_RETRY,
    HOST_RETRY_TILED,
    DEVICE_RETRY,
    DEVICE_RETRY_ENQUEUED,
    DEVICE_RETRY_TILED,
    N_WAYS
};

static const way ways[N_WAYS] = {
    [HOST_RETRY]            = { "host_retry", thermo_step_host_retry, thermo_step_workspace,
                                thermo_step_setup },
    [HOST_RETRY_TILED]      = { "host_retry_tiled", thermo_step_host_retry_tiled,
                                thermo_step_workspace_tiled, thermo_step_setup_tiled },
    [DEVICE_RETRY]          = { "device_retry", thermo_step_device_retry, thermo_step_workspace,
                                thermo_step_setup_repeat },
    [DEVICE_RETRY_ENQUEUED] = { "device_retry_enqueued", thermo_step_device_retry_enqueued,
                                thermo_step_workspace, thermo_step_setup },
    [DEVICE_RETRY_TILED]    = { "device_retry_tiled", thermo_step_device_retry_tiled,
                                thermo_step_workspace_tiled, thermo_step_setup_repeat_tiled },
};

/* Block, window: the defaults of the case. */
static const int64_t TUNE[] = { 256, 1024 };

/* Arguments of a launch with their memory. */
typedef struct problem {
    const way  *way;
    assay_shape shape;
    void       *buf[STEP_N_BUFS], *workspace, *state;
    int64_t     count[STEP_N_BUFS];
    assay_args  args;
} problem;

static const char *const STARTS[] = { "calm", "clustered", "hot" };

static void fill_buffers(problem *p)
{
    for (int b = 0; b < STEP_N_BUFS; b++) {
        const assay_fill fill = p->shape.buf[b].fill;

        p->count[b] = p->shape.buf[b].count;
        p->buf[b]   = get_memory((size_t)p->count[b], sizeof(float));
        for (int64_t i = 0; fill.fn != NULL && i < p->count[b]; i++)
            ((float *)p->buf[b])[i] = (float)fill.fn(
                (uint64_t)((noise((uint64_t)b, (uint64_t)i) + 1) * 0x1p62), i, &p->shape);
    }
}

/* Returns what the set-up does. */
static int problem_create(problem *p, int way_number, int64_t g, int64_t per_cell, int start,
                          int64_t gravity)
{
    const assay_value axis[5] = {
        { .i = { g, g, g } }, { .i = { per_cell } }, { .i = { start } }, { .i = { gravity } }
    };

    memset(p, 0, sizeof *p);
    p->way = &ways[way_number];
    assay_case_thermo_step.shape(axis, ASSAY_INPUT_RANDOM, &p->shape);
    fill_buffers(p);
    p->args = (assay_args) {
        .count = p->count, .param = p->shape.param, .scalar = p->shape.scalar, .tune = TUNE
    };
    p->args.workspace_bytes = p->way->workspace(&p->args);
    p->workspace            = get_memory(p->args.workspace_bytes, 1);
    p->args.workspace       = p->workspace;
    p->args.buf             = p->buf;

    const int error = p->way->setup(&p->args, &p->state);

    p->args.state = p->state;
    return error;
}

static void problem_free(problem *p)
{
    thermo_step_teardown(p->state);
    for (int b = 0; b < STEP_N_BUFS; b++)
        free(p->buf[b]);
    free(p->workspace);
}

static bool make(problem *p, int way_number, int64_t g, int64_t per_cell, int start,
                 int64_t gravity)
{
    const int error = problem_create(p, way_number, g, per_cell, start, gravity);

    if (error == ASSAY_NOT_HERE) {
        (void)printf("%s: %s\n", p->way->name, (const char *)p->state);
        p->state = NULL;
    }
    return trial_expect(error == 0, "%s: the set-up failed with %d", p->way->name, error);
}

static void run(const problem *p)
{
    const int error = p->way->launch(&p->args, NULL);

    trial_expect(error == 0, "%s: the launch failed with %d", p->way->name, error);
}

static int   halvings(const problem *p) { return *(const int32_t *)p->buf[STEP_BUF_HALVINGS]; }
static float dt_of(const problem *p) { return *(const float *)p->buf[STEP_BUF_DT]; }

/* What came out is what the next step starts from. */
static void adopt(const problem *p)
{
    static const int from[] = { STEP_BUF_NEW_POS, STEP_BUF_NEW_VEL, STEP_BUF_NEW_HEAT,
                                STEP_BUF_NEW_ENERGY };
    static const int to[]   = { STEP_BUF_POS, STEP_BUF_VEL, STEP_BUF_HEAT, STEP_BUF_ENERGY };

    for (int i = 0; i < 4; i++)
        memcpy(p->buf[to[i]], p->buf[from[i]], (size_t)p->count[to[i]] * sizeof(float));
}

static bool is_finite_step(const problem *p)
{
    for (int b = STEP_BUF_RHO; b <= STEP_BUF_NEW_ENERGY; b++)
        for (int64_t i = 0; i < p->count[b]; i++)
            if (!isfinite(((const float *)p->buf[b])[i]))
                return false;
    return true;
}

/* Largest difference of positions, the short way around an axis of length 1. */
static double apart(const problem *a, const problem *b)
{
    double most = 0;

    for (int64_t i = 0; i < a->count[STEP_BUF_NEW_POS]; i++) {
        const float  x = ((const float *)a->buf[STEP_BUF_NEW_POS])[i];
        const float  y = ((const float *)b->buf[STEP_BUF_NEW_POS])[i];
        const double d = fabs((double)x - (double)y);

        most = isfinite(d) ? fmax(most, fmin(d, 1 - d)) : (double)INFINITY;
    }
    return most;
}

/* ---- many steps ---- */

/* As light as this the gas is held apart by its pressure for so long, if no oscillator takes its
 * heat: those of a high frequency hold next to nothing. Heavier or colder gas collapses within some
 * hundred steps and leaves thin hot gas behind, which no dt can save. */
static void make_light(const problem *p)
{
    for (int64_t t = 0; t < p->count[STEP_BUF_MASS]; t++) {
        ((float *)p->buf[STEP_BUF_MASS])[t] /= 16;
        ((float *)p->buf[STEP_BUF_HEAT])[t] /= 16;
        ((float *)p->buf[STEP_BUF_OMEGA])[t]  = 1e4f;
        ((float *)p->buf[STEP_BUF_ENERGY])[t] = 0;
    }
}

/* One step further; false where it is not finite. */
static bool advance(const problem *p, int *most)
{
    const bool is_first = *most < 0;

    run(p);
    *most = halvings(p) > *most || is_first ? halvings(p) : *most;
    if (!is_finite_step(p))
        return false;
    adopt(p);
    return true;
}

/* Two ways side by side from the same start: they drift apart as additions in another order do. */
static void test_many_steps(int64_t gravity)
{
    problem a, b;
    int     most_a = -1, most_b = -1, s = 0;

    if (!make(&a, HOST_RETRY, 4, 8, 1, gravity) || !make(&b, DEVICE_RETRY_TILED, 4, 8, 1, gravity))
        return;
    if (gravity != 0) {
        make_light(&a);
        make_light(&b);
    }
    while (s < 1000 && advance(&a, &most_a) && advance(&b, &most_b)) {
        s++;
        if (s == 1 || s == 10 || s == 100 || s == 1000)
            (void)printf("gravity %d: after step %d positions are %.2g apart, dt %.3g and %.3g\n",
                         (int)gravity, s, apart(&a, &b), (double)dt_of(&a), (double)dt_of(&b));
        if (s == 1)
            trial_expect(apart(&a, &b) < 1e-5, "gravity %d: apart after a step", (int)gravity);
    }
    trial_expect(s == 1000, "gravity %d: not finite after step %d", (int)gravity, s);
    trial_expect(most_a <= 10 && most_b <= 10, "gravity %d: no dt was short enough", (int)gravity);
    problem_free(&a);
    problem_free(&b);
}

/* ---- one step ---- */

/* What was launched since they were forgotten. */
static void expect_sections(const problem *p)
{
    for (const assay_variant *v = assay_case_thermo_step.variants; v->name; v++)
        if (strcmp(v->name, p->way->name) == 0)
            launched_expect_sections(v);
}

/* All ways enqueue the same decisions; only the order of additions differs. */
static void test_all_ways_agree(int64_t per_cell, int start, int least_halvings, int most_halvings)
{
    problem first, p;

    if (!make(&first, HOST_RETRY, 8, per_cell, start, 1))
        return;
    launched_forget();
    run(&first);
    expect_sections(&first);
    (void)printf("%s: %d halvings\n", STARTS[start], halvings(&first));
    trial_expect(halvings(&first) >= least_halvings && halvings(&first) <= most_halvings,
                 "%s: %d halvings", STARTS[start], halvings(&first));
    for (int w = 0; w < N_WAYS; w++) {
        if (w == HOST_RETRY || !make(&p, w, 8, per_cell, start, 1))
            continue;
        launched_forget();
        run(&p);
        expect_sections(&p);
        trial_expect(halvings(&p) == halvings(&first), "%s, %s: %d halvings", STARTS[start],
                     p.way->name, halvings(&p));
        trial_expect(fabsf(dt_of(&p) - dt_of(&first)) <= 1e-6f * dt_of(&first), "%s, %s: dt",
                     STARTS[start], p.way->name);
        trial_expect(apart(&p, &first) < 1e-5, "%s, %s: positions %g apart", STARTS[start],
                     p.way->name, apart(&p, &first));
        problem_free(&p);
    }
    problem_free(&first);
}

/* One particle alone and hot: its thin nodes are inadmissible however short the step. */
static void test_no_dt_is_short_enough(int way_number)
{
    problem p;

    if (!make(&p, way_number, 4, 1, 2, 0))
        return;
    for (int64_t t = 0; t < p.count[STEP_BUF_MASS]; t++) {
        ((float *)p.buf[STEP_BUF_MASS])[t] = t == 0 ? 1e-5f : 0;
        ((float *)p.buf[STEP_BUF_HEAT])[t] = t == 0 ? 1 : 0;
    }
    run(&p);
    trial_expect(halvings(&p) == STEP_NO_DT, "%s: %d halvings", p.way->name, halvings(&p));
    trial_expect(isnan(((const float *)p.buf[STEP_BUF_NEW_POS])[0]), "%s: its particle has a place",
                 p.way->name);
    problem_free(&p);
}

/* Without a library gravity is not here, and says why; all else is. */
static void test_without_library(void)
{
    problem p;

    trial_expect(setenv("ASSAY_FFT_LIBRARY", "/no/such/library", 1) == 0, "setenv");
    trial_expect(problem_create(&p, DEVICE_RETRY_TILED, 4, 8, 0, 1) == ASSAY_NOT_HERE &&
                     strstr(p.state, "/no/such/library") != NULL,
                 "gravity without a library");
    p.state = NULL;
    problem_free(&p);
    trial_expect(problem_create(&p, DEVICE_RETRY_TILED, 4, 8, 0, 0) == 0, "no gravity, no library");
    problem_free(&p);
    (void)unsetenv("ASSAY_FFT_LIBRARY");
}

int main(void)
{
    test_all_ways_agree(8, 0, 0, 0);
    test_all_ways_agree(8, 1, 0, 10);
    test_all_ways_agree(1, 2, 2, 10);
    for (int w = 0; w < N_WAYS; w++)
        test_no_dt_is_short_enough(w);
    test_without_library();
    test_many_steps(0);
    test_many_steps(1);
    return trial_finish("test_thermo_step");
}
