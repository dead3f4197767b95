/* lanes: the words of --lane, and where the program of a lane is looked for. */
#include "testing/testing.h"

#include "command/lanes.h"

#include "status.h"

#include <string.h>

static void words_are_lanes_or_all(void **state)
{
    assay_lane_choice choice;

    (void)state;
    assert_true(assay_lanes_parse("all", &choice));
    assert_true(choice.is_all);
    assert_int_equal(choice.n, ASSAY_N_LANES);
    assert_true(assay_lanes_parse("tsan", &choice));
    assert_false(choice.is_all);
    assert_int_equal(choice.n, 1);
    assert_int_equal(choice.lanes[0], ASSAY_LANE_TSAN);
    assert_true(assay_lanes_parse("asan,host,asan,asan,host,cuda,tsan", &choice));
    assert_int_equal(choice.n, 4);
    assert_int_equal(choice.lanes[0], ASSAY_LANE_ASAN);
    assert_int_equal(choice.lanes[1], ASSAY_LANE_HOST);
}

static void other_words_are_none(void **state)
{
    static const char *const wrong[] = { "",     ",",        "host,", ",host",
                                         "msan", "host,all", "HOST",  "hos" };
    assay_lane_choice        choice;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(assay_lanes_parse(wrong[i], &choice));
}

static void a_sanitizer_has_a_program_of_its_own(void **state)
{
    char path[64], why[512];

    (void)state;
    assay_lane_program("/x/dot", ASSAY_LANE_HOST, path, sizeof path);
    assert_string_equal(path, "/x/dot");
    assay_lane_program("/x/dot", ASSAY_LANE_CUDA, path, sizeof path);
    assert_string_equal(path, "/x/dot");
    assay_lane_program("/x/dot", ASSAY_LANE_TSAN, path, sizeof path);
    assert_string_equal(path, "/x/dot_tsan");
    assert_false(assay_lane_is_here("/no/such/dot", ASSAY_LANE_ASAN, why, sizeof why));
    assert_non_null(strstr(why, "no /no/such/dot_asan"));
    assert_non_null(strstr(why, "target dot_lanes"));
    assert_string_equal(assay_status_message(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_lanes_or_all),
        cmocka_unit_test(other_words_are_none),
        cmocka_unit_test(a_sanitizer_has_a_program_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
