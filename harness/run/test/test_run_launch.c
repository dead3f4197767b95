/* What the worker announces around a launch, in each lane: each word starts another time limit. */
#include "testing/run_fixture.h"

#include <stdio.h>

static char said[1024]; /* all words, one after the other */

static assay_status take_word(void *context, int place, const char *what, double limit_s)
{
    const size_t length = strlen(said);

    assert_in_range(snprintf(said + length, sizeof said - length, "%s ", what), 1,
                    sizeof said - length - 1);
    return see_note(context, place, what, limit_s);
}

static void check_on(assay_lane lane)
{
    const assay_sink  to_words = { .note = take_word, .row = see_row };
    const assay_point point    = point_of(0, N, false);

    memset(&seen, 0, sizeof seen);
    said[0] = '\0';
    open_runner();
    runner.lane = lane;
    assert_int_equal(assay_run_point(&runner, &point, &to_words), ASSAY_OK);
    close_runner();
    assert_int_equal(seen.verdict.verdict, ASSAY_PASS);
}

static void on_a_gpu_a_kernel_has_its_time_once_it_is_enqueued(void **state)
{
    (void)state;
    check_on(ASSAY_LANE_CUDA);
    assert_non_null(
        strstr(said, "inputs reference probe launch kernel check launch kernel check "));
    assert_null(strstr(said, "launch check"));
}

static void on_the_host_it_has_run_by_then(void **state)
{
    (void)state;
    check_on(ASSAY_LANE_HOST);
    assert_non_null(strstr(said, "inputs reference probe launch check launch check "));
    assert_null(strstr(said, "kernel"));
}

/* At edge sizes the third launch is unfair for the first input class and fair for the second. If a
 * variant has more launches, fair and unfair ones alternate. Each launch has a seed of its own. */
static void orders_of_threads_take_turns(void **state)
{
    static const assay_order usual[] = { ASSAY_ASCENDING, ASSAY_DESCENDING, ASSAY_UNFAIR,
                                         ASSAY_ASCENDING, ASSAY_DESCENDING, ASSAY_SHUFFLED };
    static const assay_order more[]  = { ASSAY_ASCENDING, ASSAY_DESCENDING, ASSAY_UNFAIR,
                                         ASSAY_SHUFFLED,  ASSAY_UNFAIR,     ASSAY_SHUFFLED,
                                         ASSAY_ASCENDING, ASSAY_DESCENDING, ASSAY_SHUFFLED,
                                         ASSAY_UNFAIR,    ASSAY_SHUFFLED,   ASSAY_UNFAIR };

    (void)state;
    toy_gpu.n_schedules = 0;
    check_on(ASSAY_LANE_HOST);
    assert_int_equal(toy_gpu.n_schedules, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(toy_gpu.schedules[i].order, usual[i]);
    toy_gpu.n_schedules                     = 0;
    toy.variants[0].expect[ASSAY_LANE_HOST] = ASSAY_BIT(PASS);
    check_on(ASSAY_LANE_HOST);
    assert_int_equal(toy_gpu.n_schedules, 12);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(toy_gpu.schedules[i].order, more[i]);
        for (int k = 0; k < i; k++)
            assert_true(toy_gpu.schedules[i].order != ASSAY_UNFAIR ||
                        toy_gpu.schedules[k].order != ASSAY_UNFAIR ||
                        toy_gpu.schedules[i].seed != toy_gpu.schedules[k].seed);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_over)
    const struct CMUnitTest tests[] = {
        TEST(on_a_gpu_a_kernel_has_its_time_once_it_is_enqueued),
        TEST(on_the_host_it_has_run_by_then),
        TEST(orders_of_threads_take_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
