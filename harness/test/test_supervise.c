/* The parent with real workers (this program again, on the device of plain memory): what breaks in
 * them while they time, and what is stored of it. */
#include "assay.h"
#include "run_fixture.h"
#include "store_raw.h"
#include "supervise.h"

#include <signal.h>

enum {
    KERNEL_NS = 100000
};

/* ---- the module: this program itself ---- */

static assay_status open_device(int index, assay_device **d, assay_device_info *info)
{
    (void)index;
    memset(info, 0, sizeof *info);
    (void)strcpy(info->kind, "host");
    (void)strcpy(info->name, "plain memory");
    info->can_time = true;
    *d             = (assay_device *)(void *)&toy_gpu;
    return ASSAY_OK;
}

static void close_device(assay_device *d) { (void)d; }

const assay_device_api *assay_module_api(void)
{
    static assay_device_api api;

    api       = memory_api;
    api.open  = open_device;
    api.close = close_device;
    return &api;
}

/* ---- launchers; `own` counts the calls of one in its process ---- */

/* A check makes about a dozen calls, the timing in one process hundreds. */
static bool is_timed_now(int *own) { return ++*own > 60; }

#define TIMED_LAUNCHER(name, ns, trouble)                                                          \
    LAUNCHER(name, {                                                                               \
        static int own;                                                                            \
        toy_gpu.clock_ns += (ns)-TOY_LAUNCH_NS;                                                    \
        if (is_timed_now(&own)) {                                                                  \
            trouble;                                                                               \
        }                                                                                          \
    })
TIMED_LAUNCHER(steady, KERNEL_NS, (void)0)
TIMED_LAUNCHER(twice_as_fast, KERNEL_NS / 2, (void)0)
TIMED_LAUNCHER(dies, KERNEL_NS, (void)raise(SIGKILL))
TIMED_LAUNCHER(goes_wrong, KERNEL_NS, y[3] += 1)
TIMED_LAUNCHER(faults, KERNEL_NS, toy_gpu.next_fault.kind = ASSAY_FAULT_ADDRESS)

/* Wrong, once, in the second of two places that are timed side by side. */
ASSAY_LAUNCHER(wrong_in_its_twin)
{
    static int   own;
    static bool  is_done;
    static void *first;

    (void)stream;
    compute(args);
    toy_gpu.clock_ns += KERNEL_NS;
    if (++own == 20)
        first = args->buf[1];
    if (own > 20 && !is_done && args->buf[1] != first) {
        ((float *)args->buf[1])[3] += 1;
        is_done = true;
    }
    return 0;
}

ASSAY_LAUNCHER(faster_by_64)
{
    (void)stream;
    compute(args);
    toy_gpu.clock_ns += args->tune[0] == 64 ? KERNEL_NS / 4 : KERNEL_NS;
    return 0;
}

/* ---- the cases: one for each kind of trouble, between two neighbours ---- */

#define CASE(name_, launcher)                                                                      \
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
        .variants    = { { .name = "base", .launch = "steady" },                                   \
                         { .name = "middle", .launch = launcher, .baseline = "base" },             \
                         { .name = "last", .launch = "twice_as_fast", .baseline = "base" } },      \
    }
CASE(case_death, "dies");
CASE(case_fault, "faults");
CASE(case_steady, "steady");
CASE(case_twin, "wrong_in_its_twin");
CASE(case_wrong, "goes_wrong");

static const assay_case case_tuned = {
    .name        = "case_tuned",
    .what        = "y = 2x, z += 1",
    .version     = 1,
    .axes        = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(N)) },
    .inputs      = ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = shape,
    .reference   = reference,
    .tol         = { .rule = ASSAY_RULE_ULP, .max_ulp = 1, .why = "test" },
    .variants    = { { .name   = "base",
                       .launch = "faster_by_64",
                       .tuning = { ASSAY_TUNING("block", 256, 64, 32) } } },
};

static const assay_case *const cases[] = { &case_death, &case_fault, &case_steady, &case_tuned,
                                           &case_twin,  &case_wrong, NULL };

/* ---- running ---- */

static assay_supervise_options options;

static int start(void **state)
{
    options                    = (assay_supervise_options) { .module_path = "",
                                                             .can_time    = true,
                                                             .lane        = ASSAY_LANE_HOST,
                                                             .cases       = cases,
                                                             .policy      = assay_policy_default(),
                                                             .times       = true,
                                                             .is_quiet    = true };
    options.policy.budget_s    = 10; /* samples decide, not this machine's speed */
    options.policy.min_samples = options.policy.max_samples = 6;
    return set_up(state);
}

/* All variants of a case, checked and timed. */
static void supervise(fixture *f, const assay_case *c)
{
    assay_run_row           run  = a_run("11111111-2222-4333-8444-555555555555");
    const assay_device_info info = a_device();
    assay_point             points[3];
    assay_point_row         rows[3];
    int64_t                 ids[3], run_id;
    int                     n = 0;

    (void)strcpy(run.lane, "host");
    for (; n < 3 && c->variants[n].name; n++) {
        char key[64];

        (void)snprintf(key, sizeof key, "%s/%s/n=%d", c->name, c->variants[n].name, N);
        assert_ok(assay_point_parse(cases, key, &points[n]));
        points[n].seed     = 7;
        points[n].is_timed = true;
        assay_point_row_fill(&points[n], ASSAY_LANE_HOST, &rows[n]);
    }
    assert_ok(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store));
    assert_ok(assay_store_begin_run(f->store, &run, &info, &run_id));
    assert_ok(assay_store_plan(f->store, run_id, c->what, c->version, rows, n, ids));
    assert_ok(assay_supervise(f->store, run_id, points, ids, n, &options));
    assay_store_close(f->store);
    f->store = NULL;
}

/* What the file says of a variant: `what` of table or join `from`, with point as p. */
static const char *of(const fixture *f, const char *variant, const char *what, const char *from)
{
    char sql[512];

    (void)snprintf(sql, sizeof sql, "SELECT %s FROM point AS p %s WHERE p.variant = '%s'", what,
                   from, variant);
    return ask(f->path, sql);
}

static void assert_verdict(const fixture *f, const char *variant, const char *verdict,
                           const char *words)
{
    const bool  passes = strcmp(verdict, "PASS") == 0;
    const char *reason;

    assert_string_equal(of(f, variant, "v.verdict", "JOIN verdict AS v USING (point_id)"), verdict);
    reason = of(f, variant, "v.reason", "JOIN verdict AS v USING (point_id)");
    if (!strstr(reason, words))
        fail_msg("\"%s\" does not say \"%s\"", reason, words);
    /* No verdict, no number: of a PASS three metrics, each by all processes. */
    assert_string_equal(of(f, variant, "count(*)", "JOIN measurement AS m USING (point_id)"),
                        passes ? "3" : "0");
    if (!passes)
        return;
    assert_string_equal(
        of(f, variant, "min(m.n_processes)", "JOIN measurement AS m USING (point_id)"),
        options.in_process ? "1" : "3");
    assert_string_equal(of(f, variant, "count(*)",
                           "JOIN measurement AS m USING (point_id) JOIN sample_block AS b USING "
                           "(measurement_id)"),
                        options.in_process ? "6" : "18");
}

static const char *comparison(const fixture *f, const char *variant, const char *what)
{
    return of(f, variant, what,
              "JOIN comparison AS c ON c.point_id = p.point_id AND c.regime = 'cold'");
}

/* ---- tests ---- */

static void what_is_steady_is_timed_and_compared(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_steady);
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "middle", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
    assert_string_equal(comparison(f, "last", "c.clock"), "event");
    assert_string_equal(comparison(f, "last", "round(c.ratio, 9)"), "2.0");
    /* Every process says the same, to half a tick. */
    assert_string_equal(comparison(f, "last", "round(c.lo, 4)"), "1.9993");
    assert_string_equal(comparison(f, "last", "round(c.hi, 4)"), "2.0007");
    assert_string_equal(comparison(f, "last", "c.n_processes"), "3");
    assert_string_equal(comparison(f, "middle", "round(c.ratio, 9)"), "1.0");
    assert_string_equal(of(f, "base", "count(*)", "JOIN comparison AS c USING (point_id)"), "0");
}

/* The worker dies in the middle of its group: only the one that it was at is to blame, and the
 * others are timed again without it. */
static void a_worker_that_dies_while_timing(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_death);
    assert_verdict(f, "middle", "CRASHED", "killed by signal 9");
    assert_non_null(
        strstr(of(f, "middle", "v.reason", "JOIN verdict AS v USING (point_id)"), "during '"));
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
    assert_string_equal(comparison(f, "last", "round(c.ratio, 9)"), "2.0");
}

static void a_fault_while_timing(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_fault);
    assert_verdict(f, "middle", "OUT_OF_BOUNDS", "");
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
}

static void an_answer_that_goes_wrong_while_timing(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_wrong);
    assert_verdict(f, "middle", "WRONG_VALUE", "element 3");
    /* Beside the check that passed stands the one that did not. */
    assert_string_not_equal(of(f, "middle", "sum(k.verdict = 'WRONG_VALUE')",
                               "JOIN check_result AS k USING (point_id)"),
                            "0");
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
}

static void the_same_within_this_process(void **state)
{
    const fixture *f = *state;

    options.in_process = true;
    supervise(*state, &case_wrong);
    assert_verdict(f, "middle", "WRONG_VALUE", "element 3");
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
    assert_string_equal(comparison(f, "last", "coalesce(c.lo, 'none')"), "none");
}

static void against_itself(void **state)
{
    const fixture *f = *state;

    options.against_itself = true;
    supervise(*state, &case_steady);
    assert_verdict(f, "base", "PASS", "");
    assert_string_equal(comparison(f, "base", "c.kind"), "aa");
    assert_string_equal(comparison(f, "base", "c.against"), "base");
    assert_string_equal(comparison(f, "base", "round(c.ratio, 9)"), "1.0");
}

/* A wrong answer is one wherever it was found. */
static void a_twin_is_the_point_itself(void **state)
{
    const fixture *f = *state;

    options.against_itself = true;
    supervise(*state, &case_twin);
    assert_verdict(f, "middle", "WRONG_VALUE", "element 3");
    assert_verdict(f, "base", "PASS", "");
}

static void the_tuned_values_are_timed(void **state)
{
    const fixture *f = *state;

    options.tunes = true;
    supervise(*state, &case_tuned);
    assert_verdict(f, "base", "PASS", "");
    assert_string_equal(of(f, "base", "count(*)", "JOIN tuning_trial AS t USING (point_id)"), "3");
    assert_string_equal(of(f, "base", "t.tuning",
                           "JOIN tuning_trial AS t ON t.point_id = p.point_id AND t.is_chosen"),
                        "block=64");
    assert_string_equal(of(f, "base", "min(m.tuning)", "JOIN measurement AS m USING (point_id)"),
                        "block=64");
    assert_string_equal(of(f, "base", "max(m.tuning)", "JOIN measurement AS m USING (point_id)"),
                        "block=64");
    /* The point keeps the key that was asked for. */
    assert_string_equal(of(f, "base", "p.key", ""), "case_tuned/base/n=40");
}

static void a_budget_that_is_spent(void **state)
{
    const fixture *f = *state;

    options.budget_s = 1e-9;
    supervise(*state, &case_steady);
    assert_verdict(f, "base", "SKIPPED", "budget of 1e-09 s was spent");
    assert_verdict(f, "last", "SKIPPED", "budget");
}

static void without_timing_it_is_only_checked(void **state)
{
    const fixture *f = *state;

    options.times = false;
    supervise(*state, &case_steady);
    assert_string_equal(of(f, "base", "v.verdict", "JOIN verdict AS v USING (point_id)"), "PASS");
    assert_string_equal(of(f, "base", "count(*)", "JOIN measurement AS m USING (point_id)"), "0");
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_is_steady_is_timed_and_compared),
        TEST(a_worker_that_dies_while_timing),
        TEST(a_fault_while_timing),
        TEST(an_answer_that_goes_wrong_while_timing),
        TEST(the_same_within_this_process),
        TEST(against_itself),
        TEST(a_twin_is_the_point_itself),
        TEST(the_tuned_values_are_timed),
        TEST(a_budget_that_is_spent),
        TEST(without_timing_it_is_only_checked),
    };

    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return assay_main(argc, argv, cases);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
