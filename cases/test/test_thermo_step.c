/* Whole steps on the host executor, where device memory is host memory: many of them stay finite,
 * a hot start halves dt more than once, both ways to retry agree, and gas that no dt can save ends
 * with the number that says so. */
#include "../../harness/case.h"
#include "gas_test.h"

#include "../../kernels/thermo_step/step_case.h"

#include <string.h>

assay_launch_fn    thermo_step_host_retry, thermo_step_device_retry;
assay_workspace_fn thermo_step_workspace;

extern const assay_case assay_case_thermo_step;

/* Arguments of a launch with their memory. */
typedef struct problem {
    assay_shape shape;
    void       *buf[STEP_N_BUFS], *workspace;
    int64_t     count[STEP_N_BUFS];
    assay_args  args;
} problem;

static const char *const STARTS[] = { "calm", "clustered", "hot" };

static void problem_create(problem *p, int64_t g, int64_t per_cell, int start, int64_t gravity)
{
    const assay_value axis[5] = {
        { .i = { g, g, g } }, { .i = { per_cell } }, { .i = { start } }, { .i = { gravity } }
    };

    memset(p, 0, sizeof *p);
    assay_case_thermo_step.shape(axis, ASSAY_INPUT_RANDOM, &p->shape);
    for (int b = 0; b < STEP_N_BUFS; b++) {
        const assay_fill fill = p->shape.buf[b].fill;

        p->count[b] = p->shape.buf[b].count;
        p->buf[b]   = get_memory((size_t)p->count[b], sizeof(float));
        for (int64_t i = 0; fill.fn != NULL && i < p->count[b]; i++)
            ((float *)p->buf[b])[i] = (float)fill.fn(
                (uint64_t)((noise((uint64_t)b, (uint64_t)i) + 1) * 0x1p62), i, &p->shape);
    }
    p->args =
        (assay_args) { .count = p->count, .param = p->shape.param, .scalar = p->shape.scalar };
    p->args.workspace_bytes = thermo_step_workspace(&p->args);
    p->workspace            = get_memory(p->args.workspace_bytes, 1);
    p->args.workspace       = p->workspace;
    p->args.buf             = p->buf;
}

static void problem_free(problem *p)
{
    for (int b = 0; b < STEP_N_BUFS; b++)
        free(p->buf[b]);
    free(p->workspace);
}

static void run(const problem *p, assay_launch_fn *launch)
{
    const int error = launch(&p->args, NULL);

    trial_expect(error == 0, "the launch failed with %d", error);
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

static bool is_finite_buffer(const problem *p, int b)
{
    for (int64_t i = 0; i < p->count[b]; i++)
        if (!isfinite(((const float *)p->buf[b])[i]))
            return false;
    return true;
}

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

static void test_many_steps(int64_t gravity)
{
    problem p;
    int     most = 0, s = 0;
    bool    is_finite = true;

    problem_create(&p, 4, 8, 1, gravity);
    if (gravity != 0)
        make_light(&p);
    for (; s < 1000 && is_finite; s++) {
        run(&p, thermo_step_device_retry);
        most = halvings(&p) > most ? halvings(&p) : most;
        for (int b = STEP_BUF_RHO; b <= STEP_BUF_NEW_ENERGY; b++)
            is_finite = is_finite && is_finite_buffer(&p, b);
        adopt(&p);
    }
    (void)printf("gravity %d: %d steps, at most %d halvings, the last dt %.3g\n", (int)gravity, s,
                 most, (double)dt_of(&p));
    trial_expect(is_finite && s == 1000, "gravity %d: not finite after step %d", (int)gravity, s);
    trial_expect(most <= 10, "gravity %d: no dt was short enough", (int)gravity);
    problem_free(&p);
}

/* The two ways enqueue the same kernels; only the order of the deposit's additions may differ. */
static void test_both_ways_agree(int64_t per_cell, int start, int least_halvings)
{
    problem a, b;

    problem_create(&a, 8, per_cell, start, 1);
    problem_create(&b, 8, per_cell, start, 1);
    run(&a, thermo_step_host_retry);
    run(&b, thermo_step_device_retry);
    (void)printf("%s: %d halvings\n", STARTS[start], halvings(&a));
    trial_expect(halvings(&a) == halvings(&b), "%s: %d and %d halvings", STARTS[start],
                 halvings(&a), halvings(&b));
    trial_expect(halvings(&a) >= least_halvings && halvings(&a) <= 10, "%s: %d halvings",
                 STARTS[start], halvings(&a));
    trial_expect(fabsf(dt_of(&a) - dt_of(&b)) <= 1e-6f * dt_of(&a), "%s: dt differs",
                 STARTS[start]);
    for (int64_t i = 0; i < a.count[STEP_BUF_NEW_POS]; i++) {
        const float x = ((const float *)a.buf[STEP_BUF_NEW_POS])[i];
        const float y = ((const float *)b.buf[STEP_BUF_NEW_POS])[i];

        trial_expect(fabsf(x - y) < 1e-5f || fabsf(x - y) > 1 - 1e-5f, "%s: position %d",
                     STARTS[start], (int)i);
    }
    problem_free(&a);
    problem_free(&b);
}

/* One particle alone and hot: its thin nodes are inadmissible however short the step. */
static void test_no_dt_is_short_enough(assay_launch_fn *launch)
{
    problem p;

    problem_create(&p, 4, 1, 2, 0);
    for (int64_t t = 0; t < p.count[STEP_BUF_MASS]; t++) {
        ((float *)p.buf[STEP_BUF_MASS])[t] = t == 0 ? 1e-5f : 0;
        ((float *)p.buf[STEP_BUF_HEAT])[t] = t == 0 ? 1 : 0;
    }
    run(&p, launch);
    trial_expect(halvings(&p) == STEP_NO_DT, "%d halvings", halvings(&p));
    trial_expect(isnan(((const float *)p.buf[STEP_BUF_NEW_POS])[0]), "its particle has a place");
    problem_free(&p);
}

int main(void)
{
    test_both_ways_agree(8, 0, 0);
    test_both_ways_agree(8, 1, 0);
    test_both_ways_agree(1, 2, 2);
    test_no_dt_is_short_enough(thermo_step_host_retry);
    test_no_dt_is_short_enough(thermo_step_device_retry);
    test_many_steps(0);
    test_many_steps(1);
    return trial_finish("test_thermo_step");
}
