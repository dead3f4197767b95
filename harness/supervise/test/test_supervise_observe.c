/* Counters or a timeline are taken after a point's check, and fail or find what the check did
 * not. Real workers: this program, started again, on the device of plain memory. */
#include "assay.h"
#include "supervise/supervise.h"
#include "testing/run_fixture.h"
#include "testing/store_raw.h"
#include "testing/toy_module.h"

static int cupti_use; /* of this worker */

/* ---- launchers that know which worker they are in ---- */

static bool is_counting(void) { return cupti_use == ASSAY_CUPTI_COUNTERS; }

LAUNCHER(wrong_when_counted, if (is_counting()) y[3] += 1)

ASSAY_EXPORT int set_up_unless_counted(const assay_args *args, void **state)
{
    (void)args, (void)state;
    return is_counting() ? 7 : 0;
}

CASE_OF(case_observed, { .name = "right", .launch = "right" },
        { .name = "wrong", .launch = "wrong_when_counted" },
        { .name = "no_set_up", .launch = "right", .setup = "set_up_unless_counted" });

static const assay_case *const cases[] = { &case_observed, NULL };

/* ---- running ---- */

static assay_supervise_options options;

static int start(void **state)
{
    options = (assay_supervise_options) { .module_path = "",
                                          .is_cuda     = true,
                                          .can_time    = true,
                                          .lane        = ASSAY_LANE_HOST,
                                          .cases       = cases,
                                          .policy      = assay_policy_default(),
                                          .is_quiet    = true };
    return set_up(state);
}

static void observe(fixture *f, const char *variant)
{
    assay_run_row           run  = a_run("11111111-2222-4333-8444-555555555555");
    const assay_device_info info = a_device();
    assay_point             point;
    assay_point_row         row;
    int64_t                 id, run_id;
    char                    key[64];

    (void)strcpy(run.lane, "host");
    (void)snprintf(key, sizeof key, "case_observed/%s/n=%d", variant, N);
    assert_ok(assay_point_parse(cases, key, &point));
    point.seed     = 7;
    point.is_timed = true;
    assay_point_row_fill(&point, ASSAY_LANE_HOST, &row);
    assert_ok(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store));
    assert_ok(assay_store_begin_run(f->store, &run, &info, &run_id));
    assert_ok(assay_store_plan(f->store, run_id, case_observed.what, 1, &row, 1, &id));
    assert_ok(assay_supervise(f->store, run_id, &point, &id, 1, &options));
    assay_store_close(f->store);
    f->store = NULL;
}

static void assert_stored(const fixture *f, const char *verdict)
{
    assert_string_equal(ask(f->path, "SELECT count(*) FROM verdict"), "1");
    assert_string_equal(ask(f->path, "SELECT verdict FROM verdict"), verdict);
}

/* A fault found in this way is the point's verdict like any other, stored with the check that
 * shows it and with what was known of the point before. */
static void what_is_found_while_counting(void **state)
{
    fixture *f = *state;

    options.metrics = "core";
    observe(f, "wrong");
    assert_stored(f, "WRONG_VALUE");
    assert_non_null(strstr(ask(f->path, "SELECT reason FROM verdict"), "element 3"));
    assert_string_equal(
        ask(f->path, "SELECT count(*) FROM check_result WHERE verdict = 'WRONG_VALUE'"), "1");
    assert_string_equal(ask(f->path, "SELECT launches FROM verdict"), "1");
    assert_string_equal(ask(f->path, "SELECT device_bytes > 0 FROM verdict"), "1");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM metric"), "0");
}

/* The harness fails at counting: the verdict of the check stays, and everything else is done. */
static void a_failure_at_counting_costs_no_verdict(void **state)
{
    fixture *f = *state;

    options.metrics = "core";
    observe(f, "no_set_up");
    assert_stored(f, "PASS");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM check_result WHERE verdict = 'PASS'"),
                        "2");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM metric"), "0");
}

/* Without a driver, without CUPTI, or with a file that cannot be written, no machine makes a
 * trace. */
static void a_failure_at_tracing_costs_no_verdict(void **state)
{
    fixture *f         = *state;
    bool     is_traced = false;

    options.trace     = "/no such folder/trace.json";
    options.is_traced = &is_traced;
    observe(f, "right");
    assert_stored(f, "PASS");
    assert_false(is_traced);
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_is_found_while_counting),
        TEST(a_failure_at_counting_costs_no_verdict),
        TEST(a_failure_at_tracing_costs_no_verdict),
    };

    if (argc > 4 && strcmp(argv[1], "worker") == 0) {
        cupti_use = atoi(argv[4]);
        return assay_main(argc, argv, cases);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
