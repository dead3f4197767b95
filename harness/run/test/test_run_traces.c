/* What a launcher leaves in its process: either it is undone, or the process ends. */
#include "run/run_internal.h"
#include "testing/testing.h"

#include <string.h>

/* A module whose launchers do what the test sets. */
static struct {
    uint64_t statics;
    int64_t  n_settings;
    int      n_undone;
    bool     can_undo;
} toy;

static uint64_t statics(void) { return toy.statics; }
static int64_t  n_settings(void) { return toy.n_settings; }
static bool     undo(assay_device *device)
{
    (void)device;
    toy.n_undone++;
    return toy.can_undo;
}

static const assay_device_api api     = { .statics       = statics,
                                          .n_settings    = n_settings,
                                          .undo_settings = undo };
static const assay_variant    variant = { .name = "v", .launch = "v" };
static assay_runner           runner;

static progress begin(assay_lane lane)
{
    static char device; /* it is never read */
    progress    p = { .runner = &runner, .variant = &variant };

    memset(&toy, 0, sizeof toy);
    memset(&runner, 0, sizeof runner);
    toy.can_undo      = true;
    toy.n_settings    = 5; /* made by earlier points */
    runner.module.api = &api;
    runner.device     = (assay_device *)&device;
    runner.lane       = lane;
    assay_run_note_traces(&p);
    return p;
}

/* One input class: numbers of settings made by the setup and by each of two launches. */
static void one_class(progress *p, int by_set_up, int by_first_launch, int by_second_launch)
{
    int64_t before = assay_run_settings(p);

    toy.n_settings += by_set_up;
    assay_run_note_set_up(p, before);
    before = assay_run_settings(p);
    toy.n_settings += by_first_launch;
    assay_run_note_launch(p, before);
    before = assay_run_settings(p);
    toy.n_settings += by_second_launch;
    assay_run_note_launch(p, before);
}

static void one_that_leaves_nothing_goes_on(void **state)
{
    progress p = begin(ASSAY_LANE_HOST);

    (void)state;
    one_class(&p, 0, 0, 0);
    assay_run_erase_traces(&p);
    assert_false(runner.is_spent);
    assert_int_equal(toy.n_undone, 1);
}

static void settings_made_again_each_time_are_undone(void **state)
{
    progress p = begin(ASSAY_LANE_HOST);

    (void)state;
    one_class(&p, 0, 1, 1);
    assay_run_erase_traces(&p);
    assert_false(runner.is_spent);

    p = begin(ASSAY_LANE_CUDA);
    one_class(&p, 1, 0, 0);
    one_class(&p, 1, 0, 0);
    assay_run_erase_traces(&p);
    assert_false(runner.is_spent);
}

/* If they were undone, they would be missing at the launcher's next point. */
static void settings_made_once_end_the_process(void **state)
{
    progress p = begin(ASSAY_LANE_CUDA);

    (void)state;
    one_class(&p, 0, 1, 0);
    one_class(&p, 0, 0, 0);
    assay_run_erase_traces(&p);
    assert_true(runner.is_spent);

    p = begin(ASSAY_LANE_CUDA);
    one_class(&p, 1, 0, 0);
    one_class(&p, 0, 0, 0);
    assay_run_erase_traces(&p);
    assert_true(runner.is_spent);

    /* After a single setup it is not known whether another setup would repeat them. */
    p = begin(ASSAY_LANE_CUDA);
    one_class(&p, 1, 0, 0);
    assay_run_erase_traces(&p);
    assert_true(runner.is_spent);
}

static void what_cannot_be_undone_ends_the_process(void **state)
{
    progress p = begin(ASSAY_LANE_HOST);

    (void)state;
    toy.can_undo = false;
    one_class(&p, 0, 1, 1);
    assay_run_erase_traces(&p);
    assert_true(runner.is_spent);
}

static void changed_statics_end_the_process(void **state)
{
    progress p = begin(ASSAY_LANE_HOST);

    (void)state;
    toy.statics = 1;
    one_class(&p, 0, 0, 0);
    assay_run_erase_traces(&p);
    assert_true(runner.is_spent);

    /* On CUDA the compiler's own code keeps a handle of each launched kernel. */
    p           = begin(ASSAY_LANE_CUDA);
    toy.statics = 1;
    one_class(&p, 0, 0, 0);
    assay_run_erase_traces(&p);
    assert_false(runner.is_spent);

    p = begin(ASSAY_LANE_CUDA);
    one_class(&p, 0, 0, 0);
    toy.statics = 1;
    assay_run_erase_traces(&p);
    assert_true(runner.is_spent);
}

static void a_variant_without_a_device_leaves_nothing(void **state)
{
    progress p = begin(ASSAY_LANE_HOST);

    (void)state;
    runner.device = NULL;
    toy.statics   = 1;
    one_class(&p, 0, 1, 0);
    assay_run_erase_traces(&p);
    assert_false(runner.is_spent);
    assert_int_equal(toy.n_undone, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_leaves_nothing_goes_on),
        cmocka_unit_test(settings_made_again_each_time_are_undone),
        cmocka_unit_test(settings_made_once_end_the_process),
        cmocka_unit_test(what_cannot_be_undone_ends_the_process),
        cmocka_unit_test(changed_statics_end_the_process),
        cmocka_unit_test(a_variant_without_a_device_leaves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
