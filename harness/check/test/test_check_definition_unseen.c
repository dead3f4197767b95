/* Rows .unseen that are refused. */
#include "definition_fixture.h"

#define END                                                                                        \
    {                                                                                              \
        NULL, ASSAY_GPU_TOOL_NONE, NULL, NULL                                                      \
    }
#define ROW                                                                                        \
    {                                                                                              \
        "naive", ASSAY_GPU_TOOL_RACECHECK, "kernel", "why"                                         \
    }

static void test_sound_rows_are_accepted(void **state)
{
    static const assay_unseen rows[] = { ROW,
                                         { "naive", ASSAY_GPU_TOOL_SYNCCHECK, "kernel", "why" },
                                         { "naive", ASSAY_GPU_TOOL_RACECHECK, "other", "why" },
                                         { "naive", ASSAY_GPU_TOOL_MEMCHECK, NULL, "why" },
                                         END };
    assay_case                c      = sound;

    (void)state;
    c.unseen = rows;
    assert_int_equal(assay_check_definition(&c), ASSAY_OK);
}

static void test_rows_are_defined_well(void **state)
{
    static const struct {
        const char  *words;
        assay_unseen rows[3];
    } wrong[] = {
        { "names no variant of the case that launches kernels",
          { { "nobody", ASSAY_GPU_TOOL_RACECHECK, "kernel", "why" }, END } },
        { "names no variant of the case that launches kernels",
          { { "cpu", ASSAY_GPU_TOOL_RACECHECK, "kernel", "why" }, END } },
        { "names no tool", { { "naive", ASSAY_GPU_TOOL_NONE, "kernel", "why" }, END } },
        { "names no tool", { { "naive", ASSAY_N_GPU_TOOLS, "kernel", "why" }, END } },
        { "needs a place", { { "naive", ASSAY_GPU_TOOL_RACECHECK, "", "why" }, END } },
        { "needs a place",
          { { "naive", ASSAY_GPU_TOOL_RACECHECK,
              "a_name_that_is_longer_than_the_store_can_hold_of_it, "
              "a_name_that_is_longer_than_the_store_can_hold_of_it, a_third_name_of_some_length",
              "why" },
            END } },
        { "needs a reason", { { "naive", ASSAY_GPU_TOOL_RACECHECK, "kernel", "" }, END } },
        { "is listed twice", { ROW, ROW, END } },
        { "is listed twice", { ROW, { "naive", ASSAY_GPU_TOOL_RACECHECK, NULL, "why" }, END } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assay_case c = sound;

        c.unseen = wrong[i].rows;
        expect_refused(&c, wrong[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_rows_are_accepted),
        cmocka_unit_test(test_rows_are_defined_well),
    };

    return cmocka_run_group_tests_name("check_definition_unseen", tests, NULL, NULL);
}
