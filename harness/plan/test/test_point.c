/* Points: their keys there and back, their rows, their memory. */
#include "plan/plan.h"
#include "testing/testing.h"
#include "testing/toy_case.h"

static void keys_go_there_and_back(void **state)
{
    static const char *const keys[] = { "toy_double/small/n=8/flavour=plain",
                                        "toy_double/plain/n=123456789012/flavour=odd" };

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assay_point point;
        char        key[ASSAY_KEY_SIZE];

        assert_int_equal(assay_point_parse(toy_cases, keys[i], &point), ASSAY_OK);
        assert_string_equal(assay_point_key(&point, key, sizeof key), keys[i]);
    }
}

static void broken_keys_are_refused(void **state)
{
    static const char *const keys[] = {
        "",
        "/",
        "toy_double",
        "toy_double/plain",
        "toy_double/plain/n=3",
        "toy_double//n=3/flavour=odd",
        "toy_double/plain/m=3/flavour=odd",
        "toy_double/plain/n=3/flavour=odd/more=1",
        "shelf/plain/n=3/flavour=odd",
        "toy_double/plain/n=3x4/flavour=odd",
        "toy_double/none/n=3/flavour=odd",
    };

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assay_point point;

        assert_int_equal(assay_point_parse(toy_cases, keys[i], &point), ASSAY_E_USAGE);
        assay_status_reset();
    }
}

static void rows_carry_what_the_lane_allows(void **state)
{
    assay_point     point;
    assay_point_row row;

    (void)state;
    assert_int_equal(assay_point_parse(toy_cases, "toy_broken/wrong/n=8/flavour=plain", &point), 0);
    assay_point_row_fill(&point, ASSAY_LANE_HOST, &row);
    assert_int_equal(row.expect, ASSAY_BIT(WRONG_VALUE));
    /* nothing is declared for this lane: nothing is allowed, so the gap shows as a failure */
    assay_point_row_fill(&point, ASSAY_LANE_CUDA, &row);
    assert_int_equal(row.expect, 0);
    assert_int_equal(assay_point_parse(toy_cases, "toy_double/small/n=8/flavour=plain", &point), 0);
    assay_point_row_fill(&point, ASSAY_LANE_CUDA, &row);
    assert_int_equal(row.expect, ASSAY_BIT(PASS));
    assert_string_equal(row.baseline, "plain");
    assert_string_equal(row.axis[1].text, "plain");
    assert_int_equal(row.cells, 8);
}

/* Under a tool, the verdicts of all lanes are allowed. initcheck runs without poison, so an
 * unwritten value may also show as a wrong or non-finite one. */
static void a_tool_allows_what_any_lane_allows(void **state)
{
    assay_point point;
    assay_case  broken;

    (void)state;
    assert_int_equal(assay_point_parse(toy_cases, "toy_broken/wrong/n=8/flavour=plain", &point), 0);
    for (int tool = ASSAY_GPU_TOOL_MEMCHECK; tool < ASSAY_N_GPU_TOOLS; tool++)
        assert_int_equal(assay_point_expect_under(&point, (assay_gpu_tool)tool),
                         ASSAY_BIT(WRONG_VALUE));
    broken                                                 = *point.definition;
    broken.variants[point.variant].expect[ASSAY_LANE_HOST] = ASSAY_BIT(UNWRITTEN);
    point.definition                                       = &broken;
    assert_int_equal(assay_point_expect_under(&point, ASSAY_GPU_TOOL_MEMCHECK),
                     ASSAY_BIT(UNWRITTEN));
    assert_int_equal(assay_point_expect_under(&point, ASSAY_GPU_TOOL_INITCHECK),
                     ASSAY_BIT(UNWRITTEN) | ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE));
    assert_int_equal(assay_point_parse(toy_cases, "toy_double/small/n=8/flavour=plain", &point), 0);
    assert_int_equal(assay_point_expect_under(&point, ASSAY_GPU_TOOL_INITCHECK), ASSAY_BIT(PASS));
}

/* A text is empty if the case does not have it. */
static void rows_carry_words_of_the_case(void **state)
{
    assay_point     point;
    assay_point_row row;
    assay_case      spoken;

    (void)state;
    assert_int_equal(assay_point_parse(toy_cases, "toy_double/small/n=8/flavour=plain", &point), 0);
    assay_point_row_fill(&point, ASSAY_LANE_CUDA, &row);
    assert_string_equal(row.variant_what, "");
    assert_string_equal(row.rate_fact, "");
    assert_string_equal(row.rate_along, "");
    spoken                              = *point.definition;
    spoken.variants[point.variant].what = "waits: nobody knows for what";
    spoken.rate_fact                    = "crossed";
    spoken.rate_along                   = "warps";
    point.definition                    = &spoken;
    assay_point_row_fill(&point, ASSAY_LANE_CUDA, &row);
    assert_string_equal(row.variant_what, "waits: nobody knows for what");
    assert_string_equal(row.rate_fact, "crossed");
    assert_string_equal(row.rate_along, "warps");
}

static void needs_are_known_without_a_device(void **state)
{
    assay_point point;

    (void)state;
    assert_int_equal(assay_point_parse(toy_cases, "toy_double/small/n=4096/flavour=plain", &point),
                     0);
    assert_string_equal(assay_point_unsupported(&point), "at most 1000 elements");
    assert_int_equal(assay_point_device_bytes(&point), 2 * (4 * 4096 + 2 * 4096));
    /* inputs and staging, two runs of the output, and 17 bytes of expectation for each element */
    assert_int_equal(assay_point_host_bytes(&point, 2), 4 * 4 * 4096 + 17 * 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_go_there_and_back),
        cmocka_unit_test(broken_keys_are_refused),
        cmocka_unit_test(rows_carry_what_the_lane_allows),
        cmocka_unit_test(a_tool_allows_what_any_lane_allows),
        cmocka_unit_test(rows_carry_words_of_the_case),
        cmocka_unit_test(needs_are_known_without_a_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
