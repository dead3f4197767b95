/* From a log to a verdict, with the rows of a case that excuse what a tool cannot see. */
#include "testing/testing.h"

#include "sanitize/sanitize.h"

#include <stdio.h>
#include <string.h>

static const assay_unseen unseen[] = {
    { "idiom", ASSAY_GPU_TOOL_RACECHECK, "queue.cuh", "handed over by release and acquire" },
    { "idiom", ASSAY_GPU_TOOL_RACECHECK, "other.cuh", "another one" },
    { "places", ASSAY_GPU_TOOL_RACECHECK, "put(, take(", "handed over" },
    { NULL, ASSAY_GPU_TOOL_NONE, NULL, NULL },
};
static const assay_case  one = { .name = "one", .unseen = unseen };
static assay_gpu_finding finding;

#define HEAD "========= COMPUTE-SANITIZER\n"
#define RACE_IN(file)                                                                              \
    "========= Error: Race reported between Write access at k()+0x90 in " file ":41\n"             \
    "=========     and Read access at k()+0x100 in " file ":51 [192 hazards]\n=========\n"
#define RACES(n) "========= RACECHECK SUMMARY: " #n " hazards displayed (1 errors, 0 warnings)\n"

static void judge(assay_gpu_tool tool, const char *variant, const char *log)
{
    assay_sanitize_judge(tool, log, &one, variant, &finding);
}

static void a_clean_log_passes(void **state)
{
    (void)state;
    judge(ASSAY_GPU_TOOL_MEMCHECK, "idiom", HEAD "========= ERROR SUMMARY: 0 errors\n");
    assert_int_equal(finding.verdict, ASSAY_PASS);
    assert_string_equal(finding.reason, "");
    assert_true(finding.is_whole);
}

static void without_a_summary_the_tool_was_not_there(void **state)
{
    (void)state;
    judge(ASSAY_GPU_TOOL_MEMCHECK, "idiom", HEAD);
    assert_int_equal(finding.verdict, ASSAY_PASS);
    assert_false(finding.is_whole);
    judge(ASSAY_GPU_TOOL_MEMCHECK, "idiom", "");
    assert_false(finding.is_whole);
    judge(ASSAY_GPU_TOOL_MEMCHECK, "idiom",
          HEAD "========= Internal Sanitizer Error: didn't track the launch\n"
               "========= ERROR SUMMARY: 0 errors\n");
    assert_false(finding.is_whole);
    assert_string_equal(finding.trouble, "Internal Sanitizer Error: didn't track the launch");
}

static void the_gravest_report_decides(void **state)
{
    (void)state;
    judge(ASSAY_GPU_TOOL_MEMCHECK, "idiom",
          HEAD
          "========= Invalid __global__ read of size 4 bytes\n=========     at k()+0x1 in a.cu:1\n"
          "========= Deadlock detected in a barrier\n========= ERROR SUMMARY: 2 errors\n");
    assert_int_equal(finding.verdict, ASSAY_DEADLOCK);
    assert_string_equal(finding.reason, "memcheck: Deadlock detected in a barrier");
}

static void a_row_excuses_its_place_of_its_variant_and_tool(void **state)
{
    (void)state;
    judge(ASSAY_GPU_TOOL_RACECHECK, "idiom", HEAD RACE_IN("queue.cuh") RACES(1));
    assert_int_equal(finding.verdict, ASSAY_PASS);
    assert_string_equal(finding.reason,
                        "racecheck reports 192 in queue.cuh: handed over by release and acquire");
    assert_int_equal(finding.n_excused[0], 192);
    assert_int_equal(finding.n_excused[1], 0);
    judge(ASSAY_GPU_TOOL_RACECHECK, "other", HEAD RACE_IN("queue.cuh") RACES(1));
    assert_int_equal(finding.verdict, ASSAY_RACE);
    judge(ASSAY_GPU_TOOL_RACECHECK, "idiom", HEAD RACE_IN("sum.cuh") RACES(1));
    assert_int_equal(finding.verdict, ASSAY_RACE);
    judge(ASSAY_GPU_TOOL_SYNCCHECK, "idiom", HEAD RACE_IN("queue.cuh") RACES(1));
    assert_int_equal(finding.verdict, ASSAY_RACE);
}

/* One access of a report is at one place of a row; the other is at another place, or at none. */
static void a_row_may_name_several_places(void **state)
{
#define BETWEEN(other)                                                                             \
    "========= Error: Race reported between Write access at put()+0x90 in queue.cuh:41\n"          \
    "=========     and Read access at " other "()+0x100 in queue.cu:51 [7 hazards]\n=========\n"
    (void)state;
    judge(ASSAY_GPU_TOOL_RACECHECK, "places", HEAD BETWEEN("take") RACES(1));
    assert_int_equal(finding.verdict, ASSAY_PASS);
    assert_int_equal(finding.n_excused[2], 7);
    judge(ASSAY_GPU_TOOL_RACECHECK, "places", HEAD BETWEEN("look") RACES(1));
    assert_int_equal(finding.verdict, ASSAY_RACE);
}

static void a_row_excuses_nothing_else(void **state)
{
    (void)state;
    judge(ASSAY_GPU_TOOL_RACECHECK, "idiom", HEAD RACE_IN("queue.cuh") RACE_IN("sum.cuh") RACES(2));
    assert_int_equal(finding.verdict, ASSAY_RACE);
    assert_non_null(strstr(finding.reason, "sum.cuh:41"));
    assert_non_null(strstr(finding.reason, "sum.cuh:51"));
    assert_int_equal(finding.n_excused[0], 192);
}

/* The log counts more reports than it prints, or has unknown words. */
static void what_cannot_be_read_is_no_pass(void **state)
{
    (void)state;
    judge(ASSAY_GPU_TOOL_RACECHECK, "idiom", HEAD RACE_IN("queue.cuh") RACES(3));
    assert_int_equal(finding.verdict, ASSAY_SUSPECT);
    judge(ASSAY_GPU_TOOL_MEMCHECK, "idiom",
          HEAD "========= A fault of next year\n========= ERROR SUMMARY: 1 error\n");
    assert_int_equal(finding.verdict, ASSAY_SUSPECT);
    assert_non_null(strstr(finding.reason, "A fault of next year"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_log_passes),
        cmocka_unit_test(without_a_summary_the_tool_was_not_there),
        cmocka_unit_test(the_gravest_report_decides),
        cmocka_unit_test(a_row_excuses_its_place_of_its_variant_and_tool),
        cmocka_unit_test(a_row_may_name_several_places),
        cmocka_unit_test(a_row_excuses_nothing_else),
        cmocka_unit_test(what_cannot_be_read_is_no_pass),
    };

    return cmocka_run_group_tests_name("sanitize_judge", tests, NULL, NULL);
}
