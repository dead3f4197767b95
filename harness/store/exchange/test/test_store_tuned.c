/* The values that points were planned with (chosen by an earlier search), copied from file to
 * file. */
#include "testing/store_raw.h"
#include "testing/testing.h"

#define TRIALS "SELECT group_concat(tuning || ' ' || reason || ' ' || is_chosen) FROM tuning_trial"

/* A run with one point that is not finished. */
static int64_t plan_tuned(fixture *f)
{
    const assay_point_row point = a_point("axpy", "naive", "", 64);
    int64_t               id;

    assert_ok(assay_store_begin_plan(f->store));
    id = plan_point(f, begin_run(f, "run-a"), &point);
    assert_ok(assay_store_plan_tuning(f->store, id, "block=64", "tuned by run 1"));
    assert_ok(assay_store_end_plan(f->store, true));
    return id;
}

/* The row is there before the point is finished, and is not added again afterwards. */
static void it_is_merged_once(void **state)
{
    fixture    *f     = *state;
    fixture     whole = *f;
    int64_t     id;
    assay_merge came;

    open_store(f);
    id = plan_tuned(f);
    (void)snprintf(whole.path, sizeof whole.path, "%s/whole.db", f->directory);
    open_store(&whole);
    assert_ok(assay_store_merge(whole.store, f->path, &came));
    assert_true(came.n_runs == 1 && came.n_conflicts == 0);
    assert_string_equal(ask(whole.path, TRIALS), "block=64 tuned by run 1 1");
    pass_point(f, id, 0.5, 1000);
    for (int i = 0; i < 2; i++) {
        assert_ok(assay_store_merge(whole.store, f->path, &came));
        assert_true(came.n_runs == 0 && came.n_points == (i == 0) && came.n_conflicts == 0);
        assert_string_equal(ask(whole.path, TRIALS), "block=64 tuned by run 1 1");
    }
    assert_string_equal(ask(whole.path, "SELECT count(*) FROM measurement"), "1");
    assay_store_close(whole.store);
}

/* A search of the point would make a second choice. */
static void it_is_the_only_choice(void **state)
{
    const assay_trial_row other = {
        .tuning = "block=128", .verdict = ASSAY_PASS, .median_ns = 1000, .is_chosen = true
    };
    fixture *f = *state;
    int64_t  id;

    open_store(f);
    id = plan_tuned(f);
    assert_failed_with(assay_store_plan_tuning(f->store, id, "block=128", "x"), ASSAY_E_INTERNAL,
                       "no plan is open");
    begin_checked(f, id);
    assert_int_equal(assay_store_put_trial(f->store, id, &other), ASSAY_E_INTERNAL);
    assert_string_equal(ask(f->path, TRIALS), "block=64 tuned by run 1 1");
    fail_point(f, id, "off"); /* it stays whatever the verdict is */
    assert_string_equal(ask(f->path, TRIALS), "block=64 tuned by run 1 1");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = { TEST(it_is_merged_once), TEST(it_is_the_only_choice) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
