/* Flags of Google Benchmark: which are accepted, which are refused and why, and what the filter
 * selects. */
#include "gbench/gbench.h"
#include "gbench/gbench_internal.h"
#include "testing/testing.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char written[] = "test_gbench_flags.json";

static void *word(const char *text)
{
    void *copy;

    memcpy(&copy, &text, sizeof text);
    return copy;
}

static assay_status check(const char *flag)
{
    char *flags[] = { word(flag) };

    return assay_gbench_check_flags(flags, 1);
}

/* Without the library even a valid flag is refused, since nothing can use it. */
static void assert_passes(assay_status st)
{
    if (assay_gbench_version())
        assert_int_equal(st, ASSAY_OK);
    else
        assert_failed_with(st, ASSAY_E_UNSUPPORTED, "libbenchmark-dev");
}

static void flags_that_would_do_nothing_are_refused_by_name(void **state)
{
    static const char *const refused[][3] = {
        { "--benchmark_min_time=2", "--benchmark_min_time would do nothing", "--budget" },
        { "--benchmark_min_time=10x", "--benchmark_min_time would do nothing", "--budget" },
        { "--benchmark_min_time", "--benchmark_min_time would do nothing", "--budget" },
        { "--benchmark_min_warmup_time=1", "--benchmark_min_warmup_time would", "steady" },
        { "--benchmark_repetitions=5", "--benchmark_repetitions would", "--processes" },
        { "--benchmark_enable_random_interleaving=true", "random_interleaving would", "ABBA" },
        { "--benchmark_enable_random_interleaving", "random_interleaving would", "ABBA" },
        { "--benchmark_perf_counters=CYCLES", "--benchmark_perf_counters would", "assay profile" },
        { "--benchmark_dry_run", "--benchmark_dry_run would", "assay plan" },
        { "--benchmark_format=csv", "--benchmark_format=csv is refused", "report --format csv" },
        { "--benchmark_out_format=csv", "out_format=csv is refused", "report --format csv" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_int_equal(check(refused[i][0]), ASSAY_E_USAGE);
        assert_non_null(strstr(assay_status_message(), refused[i][1]));
        assert_failed_with(check(refused[i][0]), ASSAY_E_USAGE, refused[i][2]);
    }
}

static void flags_that_act_pass(void **state)
{
    static const char *const passing[] = {
        "--benchmark_filter=axpy/.*/(hot|cold)",
        "--benchmark_filter=-vec4$",
        "--benchmark_filter=",
        "--benchmark_filter=all",
        "--benchmark_filter=a=b",
        "--benchmark_list_tests",
        "--benchmark_list_tests=false",
        "--benchmark_format=json",
        "--benchmark_format=console",
        "--benchmark_out=test_gbench_flags.json",
        "--benchmark_color=auto",
        "--benchmark_color=No",
        "--benchmark_counters_tabular=TRUE",
        "--benchmark_context=host=a,card=H100",
        "--benchmark_context=note=",
        "--benchmark_time_unit=us",
        "--benchmark_display_aggregates_only=1",
        "--benchmark_report_aggregates_only",
        "--v=3",
    };

    (void)state;
    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++)
        assert_passes(check(passing[i]));
    assert_int_equal(assay_gbench_check_flags(NULL, 0), ASSAY_OK);
}

static void values_that_a_flag_does_not_take_are_refused(void **state)
{
    static const char *const refused[][2] = {
        { "--benchmark_list_tests=flase", "true or false, not 'flase'" },
        { "--benchmark_list_tests=", "true or false, not ''" },
        { "--benchmark_counters_tabular=2", "true or false, not '2'" },
        { "--benchmark_format=jsn", "console or json, not 'jsn'" },
        { "--benchmark_format=JSON", "console or json, not 'JSON'" },
        { "--benchmark_format", "takes a value" },
        { "--benchmark_filter", "takes a value" },
        { "--benchmark_out", "takes a value" },
        { "--benchmark_out=", "the name of a file" },
        { "--benchmark_out_format=xml", "console or json, not 'xml'" },
        { "--benchmark_color=blue", "auto, true or false, not 'blue'" },
        { "--benchmark_color=", "auto, true or false, not ''" },
        { "--benchmark_time_unit=m", "ns, us, ms or s, not 'm'" },
        { "--benchmark_time_unit=NS", "ns, us, ms or s, not 'NS'" },
        { "--benchmark_context=card", "key=value,..., not 'card'" },
        { "--benchmark_context=", "key=value,..., not ''" },
        { "--benchmark_context==x", "key=value,..., not '=x'" },
        { "--benchmark_context=a=1,", "key=value,..., not ''" },
        { "--benchmark_context=a=1,b", "key=value,..., not 'b'" },
        { "--benchmark_context=a=1=2", "key=value,..., not 'a=1=2'" },
        { "--benchmark_context=a=1,date=now", "the key 'date'" },
        { "--benchmark_context=assay_version=9", "the key 'assay_version'" },
        { "--v=verbose", "0 to 9, not 'verbose'" },
        { "--v=", "0 to 9, not ''" },
        { "--v=10", "0 to 9, not '10'" },
        { "--v", "takes a value" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_failed_with(check(refused[i][0]), ASSAY_E_USAGE, refused[i][1]);
}

static void unknown_flags_are_refused_with_the_nearest(void **state)
{
    char long_flag[4096] = "--benchmark_";

    (void)state;
    assert_failed_with(check("--benchmark_fliter=x"), ASSAY_E_USAGE,
                       "no flag --benchmark_fliter (did you mean 'benchmark_filter'?)");
    assert_failed_with(check("--benchmark_outt=x"), ASSAY_E_USAGE, "'benchmark_out'");
    assert_failed_with(check("--benchmark_"), ASSAY_E_USAGE, "no flag --benchmark_");
    assert_failed_with(check("--filter=x"), ASSAY_E_USAGE, "no flag --filter");
    assert_failed_with(check("--"), ASSAY_E_USAGE, "no flag --");
    assert_failed_with(check("benchmark_filter=x"), ASSAY_E_USAGE, "no flag of Google Benchmark");
    assert_failed_with(check(""), ASSAY_E_USAGE, "no flag of Google Benchmark");
    memset(long_flag + strlen(long_flag), 'x', sizeof long_flag - strlen(long_flag) - 1);
    assert_failed_with(check(long_flag), ASSAY_E_USAGE, "no flag --benchmark_xxx");
}

static void the_first_wrong_flag_is_the_one_named(void **state)
{
    char *flags[] = { word("--benchmark_filter=axpy"), word("--benchmark_repetitions=3"),
                      word("--benchmark_dry_run") };

    (void)state;
    assert_failed_with(assay_gbench_check_flags(flags, 3), ASSAY_E_USAGE,
                       "--benchmark_repetitions");
}

static void a_format_without_a_file_would_do_nothing(void **state)
{
    char *flags[] = { word("--benchmark_out_format=json"),
                      word("--benchmark_out=test_gbench_flags.json") };

    (void)state;
    assert_failed_with(assay_gbench_check_flags(flags, 1), ASSAY_E_USAGE,
                       "no --benchmark_out=FILE");
    assert_passes(assay_gbench_check_flags(flags, 2));
}

static void a_file_that_cannot_be_written_is_named_before_anything_runs(void **state)
{
    struct stat info;

    (void)state;
    assert_failed_with(check("--benchmark_out=no/such/folder/x.json"), ASSAY_E_IO,
                       "cannot write no/such/folder/x.json: No such file or directory");
    assert_failed_with(check("--benchmark_out=."), ASSAY_E_IO, "cannot write .: Is a directory");
    assert_failed_with(check("--benchmark_out=/dev/null/x"), ASSAY_E_IO, "Not a directory");
    /* Checking a flag leaves no new file behind, and does not change an existing one. */
    assert_passes(check("--benchmark_out=test_gbench_flags.json"));
    assert_int_equal(access(written, F_OK), -1);
    FILE *file = fopen(written, "w");

    assert_non_null(file);
    assert_true(fputs("kept", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_passes(check("--benchmark_out=test_gbench_flags.json"));
    assert_int_equal(stat(written, &info), 0);
    assert_int_equal(info.st_size, 4);
    assert_int_equal(unlink(written), 0);
}

/* If the check opened the pipe, a reader would see the end of its input. */
static void asking_does_not_open_a_pipe(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("test_gbench_flags.pipe", 0600), 0);
    assert_passes(check("--benchmark_out=test_gbench_flags.pipe"));
    assert_int_equal(unlink("test_gbench_flags.pipe"), 0);
}

static void the_filter_has_the_rule_of_the_library(void **state)
{
    static const struct {
        const char *filter, *name;
        bool        wanted;
    } rows[] = {
        { "--benchmark_filter=naive", "axpy/naive/n=1024/hot/event", true },
        { "--benchmark_filter=vec4", "axpy/naive/n=1024/hot/event", false },
        { "--benchmark_filter=^naive", "axpy/naive/n=1024/hot/event", false },
        { "--benchmark_filter=event$", "axpy/naive/n=1024/hot/event", true },
        { "--benchmark_filter=n=1024/", "axpy/naive/n=1024/hot/event", true },
        { "--benchmark_filter=n=(8|1024)/", "axpy/naive/n=1024/hot/event", true },
        { "--benchmark_filter=n=[0-9]+/cold", "axpy/naive/n=1024/hot/event", false },
        { "--benchmark_filter=NAIVE", "axpy/naive/n=1024/hot/event", false },
        { "--benchmark_filter=-naive", "axpy/naive/n=1024/hot/event", false },
        { "--benchmark_filter=-vec4", "axpy/naive/n=1024/hot/event", true },
        { "--benchmark_filter=-^axpy", "axpy/naive", false },
        { "--benchmark_filter=--x", "axpy/naive", true },
        { "--benchmark_filter=-", "axpy/naive", false },
        { "--benchmark_filter=-all", "axpy/naive", true },
        { "--benchmark_filter=-all", "small/naive", false },
        { "--benchmark_filter=all", "axpy/naive", true },
        { "--benchmark_filter=", "axpy/naive", true },
        { "--benchmark_filter=.", "axpy/naive", true },
        { "--benchmark_filters=vec4", "axpy/naive", true },
        { "--benchmark_color=vec4", "axpy/naive", true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *flags[] = { word(rows[i].filter) };
        bool  wanted  = !rows[i].wanted;

        assert_int_equal(assay_gbench_wants(flags, 1, rows[i].name, &wanted), ASSAY_OK);
        if (wanted != rows[i].wanted)
            fail_msg("%s on %s", rows[i].filter, rows[i].name);
    }
}

static void without_a_filter_everything_is_wanted(void **state)
{
    bool wanted = false;

    (void)state;
    assert_int_equal(assay_gbench_wants(NULL, 0, "axpy/naive", &wanted), ASSAY_OK);
    assert_true(wanted);
}

static void a_malformed_filter_is_refused(void **state)
{
    static const char *const malformed[] = { "--benchmark_filter=(", "--benchmark_filter=-(",
                                             "--benchmark_filter=[a", "--benchmark_filter=a{2",
                                             "--benchmark_filter=\\" };
    bool                     wanted;

    (void)state;
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        char *flags[] = { word(malformed[i]) };

        assert_failed_with(check(malformed[i]), ASSAY_E_USAGE, "is not a regular expression");
        assert_failed_with(assay_gbench_wants(flags, 1, "axpy", &wanted), ASSAY_E_USAGE,
                           "is not a regular expression");
    }
}

static void of_a_flag_given_twice_the_last_counts(void **state)
{
    char *flags[] = { word("--benchmark_filter=a"), word("--benchmark_list_tests"),
                      word("--benchmark_filter=b"), word("--benchmark_list_tests=no"),
                      word("--benchmark_out_format=json") };

    (void)state;
    assert_string_equal(assay_gbench_flag(flags, 5, "filter"), "b");
    assert_string_equal(assay_gbench_flag(flags, 2, "list_tests"), "true");
    assert_true(assay_gbench_flag_is_on(flags, 2, "list_tests"));
    assert_false(assay_gbench_flag_is_on(flags, 5, "list_tests"));
    assert_false(assay_gbench_flag_is_on(flags, 5, "counters_tabular"));
    assert_null(assay_gbench_flag(flags, 5, "out"));
    assert_null(assay_gbench_flag(flags, 0, "filter"));
}

static void what_the_library_writes_itself_is_known(void **state)
{
    (void)state;
    assert_true(assay_gbench_is_context("date", 4));
    assert_true(assay_gbench_is_context("library_version=x", 15));
    assert_false(assay_gbench_is_context("dat", 3));
    assert_false(assay_gbench_is_context("dates", 5));
    assert_true(assay_gbench_is_field("real_time"));
    assert_true(assay_gbench_is_field("label"));
    assert_false(assay_gbench_is_field("bytes"));
    assert_false(assay_gbench_is_field(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_that_would_do_nothing_are_refused_by_name),
        cmocka_unit_test(flags_that_act_pass),
        cmocka_unit_test(values_that_a_flag_does_not_take_are_refused),
        cmocka_unit_test(unknown_flags_are_refused_with_the_nearest),
        cmocka_unit_test(the_first_wrong_flag_is_the_one_named),
        cmocka_unit_test(a_format_without_a_file_would_do_nothing),
        cmocka_unit_test(a_file_that_cannot_be_written_is_named_before_anything_runs),
        cmocka_unit_test(asking_does_not_open_a_pipe),
        cmocka_unit_test(the_filter_has_the_rule_of_the_library),
        cmocka_unit_test(without_a_filter_everything_is_wanted),
        cmocka_unit_test(a_malformed_filter_is_refused),
        cmocka_unit_test(of_a_flag_given_twice_the_last_counts),
        cmocka_unit_test(what_the_library_writes_itself_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
