/* A build without Google Benchmark says so wherever it is requested. Here the file under test
 * replaces the library's side, whatever this build has. */
#include "gbench/gbench_absent.c"

#include "testing/testing.h"

#include <string.h>

static void there_is_no_version(void **state)
{
    (void)state;
    assert_null(assay_gbench_version());
}

static void every_flag_is_unsupported_and_none_is_fine(void **state)
{
    char  filter[] = "--benchmark_filter=axpy", wrong[] = "--benchmark_min_time=1";
    char *flags[] = { filter, wrong };

    (void)state;
    assert_failed_with(assay_gbench_check_flags(flags, 1), ASSAY_E_UNSUPPORTED,
                       "--benchmark_filter=axpy needs Google Benchmark");
    assert_failed_with(assay_gbench_check_flags(flags, 2), ASSAY_E_USAGE, "--benchmark_min_time");
    assert_int_equal(assay_gbench_check_flags(NULL, 0), ASSAY_OK);
}

static void a_report_is_unsupported(void **state)
{
    const double             time_ns = 5;
    const assay_gbench_entry entry   = { .name = "axpy", .time_ns = &time_ns, .n_repetitions = 1 };

    (void)state;
    assert_failed_with(assay_gbench_report(NULL, 0, &entry, 1), ASSAY_E_UNSUPPORTED,
                       "libbenchmark-dev");
    assert_failed_with(assay_gbench_add_context("key", "value"), ASSAY_E_UNSUPPORTED,
                       "built without Google Benchmark");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_no_version),
        cmocka_unit_test(every_flag_is_unsupported_and_none_is_fine),
        cmocka_unit_test(a_report_is_unsupported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
