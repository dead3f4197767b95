/* Measured points through Google Benchmark: JSON, list, errors. With arguments this program
 * reports a few points under those flags, for test_gbench_json.sh and other readers. */
#define GBENCH_TEST "test_gbench"
#include "gbench_fixture.h"

#include <stdlib.h>

/* The number after "field", at or after the first occurrence of `at`. */
static double number_after(const char *text, const char *at, const char *field)
{
    const char *place = strstr(text, at);

    place = place ? strstr(place, field) : NULL;
    if (!place)
        fail_msg("no %s after %s in:\n%s", field, at, text);
    return strtod(place + strlen(field), NULL);
}

static void assert_close(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fabs(b)))
        fail_msg("%.17g is not %.17g", a, b);
}

/* ---- JSON ---- */

static void repetition_k_is_number_k(void **state)
{
    char at[64];

    (void)state;
    flag("--benchmark_out=" FILE_NAME);
    assert_int_equal(report(&naive, 1), ASSAY_OK);
    assert_int_equal(count(run.file, "\"run_type\": \"iteration\""), 12);
    assert_int_equal(count(run.file, "\"run_type\": \"aggregate\""), 4);
    assert_int_equal(count(run.file, "\"name\": \"" NAIVE "\""), 12);
    assert_int_equal(count(run.file, "\"label\": \"block=256\""), 16);
    for (int i = 0; i < 12; i++) {
        (void)snprintf(at, sizeof at, "\"repetition_index\": %d,", i);
        assert_close(number_after(run.file, at, "\"real_time\": "), times_ns[i]);
        assert_close(number_after(run.file, at, "\"bytes\": "), 12582912 / (times_ns[i] * 1e-9));
        assert_close(number_after(run.file, at, "\"occupancy\": "), 0.75);
    }
    assert_close(number_after(run.file, "\"" NAIVE "_median\"", "\"real_time\": "), 5000);
    assert_close(number_after(run.file, "\"" NAIVE "_mean\"", "\"real_time\": "), 5000);
    assert_holds(run.file, "\"time_unit\": \"ns\"");
    assert_holds(run.file, "\"repetitions\": 12,");
}

/* Reported names are those that the filter saw. The time that reporting takes is in no result. */
static void nothing_of_the_library_is_in_names_and_times(void **state)
{
    (void)state;
    flag("--benchmark_format=json");
    assert_int_equal(report(&naive, 1), ASSAY_OK);
    assert_lacks(run.out, "manual_time");
    assert_lacks(run.out, "iterations:");
    assert_lacks(run.out, "repeats:");
    assert_int_equal(count(run.out, "\"cpu_time\": "), 16);
    assert_int_equal(count(run.out, "\"cpu_time\": 0.0000000000000000e+00"), 16);
}

static void what_is_not_finite_is_left_out(void **state)
{
    static const double extreme[][3] = { { 1e-320, 1e-320, 1e-320 }, { 1e308, 1e308, 1.5e308 } };

    (void)state;
    for (int i = 0; i < 3; i++) {
        assay_gbench_entry e = naive;

        if (i > 0) {
            e.time_ns       = extreme[i - 1];
            e.n_repetitions = 3;
        }
        flag("--benchmark_format=json");
        assert_int_equal(report(&e, 1), ASSAY_OK);
        assert_lacks(run.out, "NaN");
        assert_lacks(run.out, "Infinity");
        assert_lacks(run.out, "missing");
        assert_lacks(run.out, "endless");
        assert_true(count(run.out, "\"run_type\": \"iteration\"") == (int)e.n_repetitions);
    }
}

static void one_repetition_has_no_aggregates(void **state)
{
    assay_gbench_entry one = naive;

    (void)state;
    one.n_repetitions = 1;
    flag("--benchmark_out=" FILE_NAME);
    assert_int_equal(report(&one, 1), ASSAY_OK);
    assert_int_equal(count(run.file, "\"run_name\""), 1);
    assert_lacks(run.file, "aggregate");
    assert_close(number_after(run.file, NAIVE, "\"real_time\": "), 5000);
    assert_holds(run.out, NAIVE "     5.000 us                 1");
}

static void a_point_without_a_number_is_skipped_with_its_reason(void **state)
{
    const assay_gbench_entry entries[] = {
        { .name = "a/cold/record", .error = "clocks disagree: \"12\"\n\x01\xff %s" },
        naive,
        { .name = "b/cold/record", .error = "" },
    };

    (void)state;
    flag("--benchmark_out=" FILE_NAME);
    assert_int_equal(report(entries, 3), ASSAY_OK);
    assert_int_equal(count(run.file, "\"error_occurred\": true"), 2);
    assert_holds(run.file, "\"error_message\": \"clocks disagree: \\\"12\\\"  ? %s\"");
    assert_int_equal(count(run.file, "\"run_name\""), 1 + 16 + 1);
    assert_holds(run.out,
                 "a/cold/record                   no number: clocks disagree: \"12\"  ? %s\n");
    assert_holds(run.out, "b/cold/record                   no number: no reason given\n");
    assert_holds(run.out, NAIVE "     5.000 us");
}

/* A repetition without a number keeps its place, and so do later ones. */
static void a_repetition_without_a_number_keeps_its_place(void **state)
{
    static const double      times[]  = { 5000, NAN, 7000 };
    static const char *const errors[] = { NULL, "no valid sample: 77 throttled", NULL };
    assay_gbench_entry       e        = naive;

    (void)state;
    e.time_ns       = times;
    e.missing       = errors;
    e.n_repetitions = 3;
    flag("--benchmark_out=" FILE_NAME);
    assert_int_equal(report(&e, 1), ASSAY_OK);
    assert_int_equal(count(run.file, "\"run_type\": \"iteration\""), 3);
    assert_close(number_after(run.file, "\"repetition_index\": 0,", "\"real_time\": "), 5000);
    assert_close(number_after(run.file, "\"repetition_index\": 2,", "\"real_time\": "), 7000);
    assert_int_equal(count(run.file, "no valid sample: 77 throttled"), 1);
    assert_close(number_after(run.file, "\"" NAIVE "_median\"", "\"real_time\": "), 6000);
    assert_lacks(run.file, "NaN");
    /* A single number gives no aggregates: it is shown itself, with what is missing. */
    e.n_repetitions = 2;
    run.n_flags     = 0;
    flag("--benchmark_out=" FILE_NAME);
    assert_int_equal(report(&e, 1), ASSAY_OK);
    assert_lacks(run.file, "aggregate");
    assert_holds(run.out, NAIVE "     5.000 us");
    assert_holds(run.out, "no number: no valid sample: 77 throttled");
}

/* An invalid time without a reason. */
static void a_repetition_without_a_reason_is_refused(void **state)
{
    static const double      times[]  = { 5000, NAN };
    static const char *const errors[] = { "the first is fine", NULL };
    assay_gbench_entry       e        = naive;

    (void)state;
    e.time_ns       = times;
    e.missing       = errors;
    e.n_repetitions = 2;
    assert_failed_with(report(&e, 1), ASSAY_E_INTERNAL, "repetition 1 of benchmark");
}

static void texts_are_made_strict(void **state)
{
    const double             time_ns = 7;
    const assay_gbench_entry entry   = {
          .name          = "t\tb/\xc3\xa9/\xe2\x82\xac/\xf0\x9f\x98\x80",
          .time_ns       = &time_ns,
          .n_repetitions = 1,
          .label         = "\xc0\x80|\xed\xa0\x80|\xf5\x80\x80\x80|\xe2\x82|\x80|\x1b[2J|%n",
          .counters      = { { "per\ncell", 2, false } },
          .n_counters    = 1,
    };

    (void)state;
    flag("--benchmark_format=json");
    assert_int_equal(report(&entry, 1), ASSAY_OK);
    assert_holds(run.out, "\"name\": \"t b/\xc3\xa9/\xe2\x82\xac/\xf0\x9f\x98\x80\"");
    assert_holds(run.out, "\"label\": \"\?\?|\?\?\?|\?\?\?\?|\?\?|?| [2J|%n\"");
    assert_holds(run.out, "\"per cell\": 2.0000000000000000e+00");
}

static void context_lines_are_in_the_json_and_the_head(void **state)
{
    (void)state;
    assert_int_equal(assay_gbench_add_context("assay_version", "0.1.0"), ASSAY_OK);
    assert_int_equal(assay_gbench_add_context("assay_version", "0.1.0"), ASSAY_OK);
    assert_failed_with(assay_gbench_add_context("assay_version", "0.2"), ASSAY_E_USAGE, "is taken");
    assert_failed_with(assay_gbench_add_context("date", "today"), ASSAY_E_USAGE, "is taken");
    assert_failed_with(assay_gbench_add_context("", "x"), ASSAY_E_USAGE, "has no key");
    for (int i = 0; i < 2; i++) {
        flag("--benchmark_context=card=H100 PCIe,note=");
        flag("--benchmark_out=" FILE_NAME);
        assert_int_equal(report(&naive, 1), ASSAY_OK);
        assert_int_equal(count(run.file, "\"assay_version\": \"0.1.0\""), 1);
        assert_int_equal(count(run.file, "\"card\": \"H100 PCIe\""), 1);
        assert_int_equal(count(run.file, "\"note\": \"\""), 1);
        assert_string_equal(run.err, "assay_version: 0.1.0\ncard: H100 PCIe\nnote: \n");
    }
    flag("--benchmark_context=card=A100");
    assert_failed_with(report(&naive, 1), ASSAY_E_USAGE, "card: A100");
}

static void only_aggregates_if_asked(void **state)
{
    (void)state;
    flag("--benchmark_out=" FILE_NAME);
    flag("--benchmark_report_aggregates_only=true");
    assert_int_equal(report(&naive, 1), ASSAY_OK);
    assert_int_equal(count(run.file, "\"run_name\""), 4);
    flag("--benchmark_out=" FILE_NAME);
    flag("--benchmark_format=json");
    flag("--benchmark_display_aggregates_only=true");
    assert_int_equal(report(&naive, 1), ASSAY_OK);
    assert_int_equal(count(run.file, "\"run_name\""), 16);
    assert_int_equal(count(run.out, "\"run_name\""), 4);
}

/* ---- which points run ---- */

static void the_filter_and_the_list_have_our_names(void **state)
{
    const assay_gbench_entry entries[] = { { .name = "axpy/naive/hot/event" },
                                           { .name = "axpy/vec4/hot/event" },
                                           { .name = "axpy/vec4/hot/graph" } };

    (void)state;
    flag("--benchmark_list_tests");
    flag("--benchmark_filter=vec4.*event$");
    assert_int_equal(report(entries, 3), ASSAY_OK);
    assert_string_equal(run.out, "axpy/vec4/hot/event\n");
    flag("--benchmark_list_tests");
    assert_int_equal(report(entries, 3), ASSAY_OK);
    assert_string_equal(run.out,
                        "axpy/naive/hot/event\naxpy/vec4/hot/event\naxpy/vec4/hot/graph\n");
    flag("--benchmark_filter=-naive");
    flag("--benchmark_out=" FILE_NAME);
    assert_failed_with(report(&naive, 1), ASSAY_E_NOTHING,
                       "no benchmark out of 1 matches '-naive'");
    assert_int_equal(access(FILE_NAME, F_OK), -1);
    assert_failed_with(report(&naive, 0), ASSAY_E_NOTHING, "no benchmark out of 0");
}

static void every_report_starts_from_the_defaults(void **state)
{
    const assay_gbench_entry two[] = { naive, naive };

    (void)state;
    flag("--benchmark_format=json");
    flag("--benchmark_out=" FILE_NAME);
    flag("--benchmark_time_unit=ms");
    flag("--benchmark_report_aggregates_only");
    assert_int_equal(report(two, 2), ASSAY_OK);
    assert_int_equal(count(run.out, "\"time_unit\": \"ms\""), 8);
    assert_int_equal(report(&naive, 1), ASSAY_OK);
    assert_holds(run.out, NAIVE "     5.000 us");
    assert_string_equal(run.file, "");
    flag("--benchmark_format=json");
    assert_int_equal(report(&naive, 1), ASSAY_OK);
    assert_int_equal(count(run.out, "\"time_unit\": \"ns\""), 16);
    assert_int_equal(count(run.out, "\"repetition_index\": 11,"), 1);
}

static void wrong_flags_and_files_stop_before_anything_is_written(void **state)
{
    (void)state;
    flag("--benchmark_min_time=1");
    assert_failed_with(report(&naive, 1), ASSAY_E_USAGE, "would do nothing here");
    assert_string_equal(run.out, "");
    flag("--benchmark_out=no/such/folder/x.json");
    assert_failed_with(report(&naive, 1), ASSAY_E_IO, "cannot write no/such/folder/x.json");
    assert_string_equal(run.out, "");
    flag("--benchmark_filter=(");
    assert_failed_with(report(&naive, 1), ASSAY_E_USAGE, "is not a regular expression");
    assert_string_equal(run.out, "");
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    flag("--benchmark_out=/dev/full");
    assert_failed_with(report(&naive, 1), ASSAY_E_IO, "cannot write all benchmarks to /dev/full");
    assert_failed_with(report_to("/dev/full", &naive, 1), ASSAY_E_IO, "to the standard output");
    assert_int_equal(report(&naive, 1), ASSAY_OK);
    assert_holds(run.out, NAIVE);
}

static void entries_that_break_their_contract_are_refused(void **state)
{
    static const double wrong[] = { 0, -1, NAN, INFINITY, -INFINITY };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const double       times[] = { 5000, wrong[i] };
        assay_gbench_entry e       = naive;

        e.time_ns       = times;
        e.n_repetitions = 2;
        assert_failed_with(report(&e, 1), ASSAY_E_INTERNAL, "repetition 1 of benchmark " NAIVE);
        assert_string_equal(run.out, "");
    }
}

static void entries_of_a_wrong_shape_are_refused(void **state)
{
    assay_gbench_entry e[9];

    (void)state;
    for (int i = 0; i < 9; i++)
        e[i] = naive;
    e[0].n_repetitions    = 0;
    e[1].n_repetitions    = -1;
    e[2].n_repetitions    = INT64_MAX;
    e[3].n_counters       = ASSAY_GBENCH_MAX_COUNTERS + 1;
    e[4].n_counters       = -1;
    e[5].counters[0].name = "real_time";
    e[6].counters[0].name = NULL;
    e[7].name             = NULL;
    e[8].name             = "";
    for (int i = 0; i < 9; i++) {
        assert_int_equal(report(&e[i], 1), ASSAY_E_INTERNAL);
        assert_holds(assay_status_message(), i < 3   ? " repetitions"
                                             : i < 5 ? " counters"
                                             : i < 7 ? " has a counter of the name '"
                                                     : "benchmark 0 has no name");
        assay_status_reset();
        assert_string_equal(run.out, "");
    }
}

/* ---- as a separate program ---- */

/* SAMPLE_SCALE: how much slower the first point is; SAMPLE_REPETITIONS: how many it has. */
static int report_sample(char **flags, int n_flags)
{
    static const double      one = 250e6, same[] = { 40, 40, 40, 40 };
    static double            scaled[12];
    const char              *scale = getenv("SAMPLE_SCALE"), *n = getenv("SAMPLE_REPETITIONS");
    const assay_gbench_entry entries[] = {
        { .name          = NAIVE,
          .time_ns       = scaled,
          .n_repetitions = n ? strtol(n, NULL, 10) : 12,
          .counters = { { "bytes", 12582912, true }, { "misses", 0, false }, { "nan", NAN, true } },
          .n_counters = 3 },
        { .name = "axpy/vec4/n=1048576/hot/event", .time_ns = times_ns, .n_repetitions = 12 },
        { .name = "lbm/step/grid=8x8x4/cold/record", .time_ns = &one, .n_repetitions = 1 },
        { .name = "floor/null/hot/graph", .time_ns = same, .n_repetitions = 4 },
        { .name = "axpy/vec4/n=64/cold/record", .error = "too short \"here\"\n" },
    };

    for (int i = 0; i < 12; i++)
        scaled[i] = times_ns[i] * (scale ? strtod(scale, NULL) : 1);
    if (assay_gbench_report(flags, n_flags, entries, 5) == ASSAY_OK)
        return 0;
    (void)fprintf(stderr, "%s\n", assay_status_message());
    return 1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(repetition_k_is_number_k, set_up),
        cmocka_unit_test_setup(nothing_of_the_library_is_in_names_and_times, set_up),
        cmocka_unit_test_setup(what_is_not_finite_is_left_out, set_up),
        cmocka_unit_test_setup(one_repetition_has_no_aggregates, set_up),
        cmocka_unit_test_setup(a_point_without_a_number_is_skipped_with_its_reason, set_up),
        cmocka_unit_test_setup(a_repetition_without_a_number_keeps_its_place, set_up),
        cmocka_unit_test_setup(a_repetition_without_a_reason_is_refused, set_up),
        cmocka_unit_test_setup(texts_are_made_strict, set_up),
        cmocka_unit_test_setup(only_aggregates_if_asked, set_up),
        cmocka_unit_test_setup(the_filter_and_the_list_have_our_names, set_up),
        cmocka_unit_test_setup(every_report_starts_from_the_defaults, set_up),
        cmocka_unit_test_setup(wrong_flags_and_files_stop_before_anything_is_written, set_up),
        cmocka_unit_test_setup(a_full_disk_is_an_error, set_up),
        cmocka_unit_test_setup(entries_that_break_their_contract_are_refused, set_up),
        cmocka_unit_test_setup(entries_of_a_wrong_shape_are_refused, set_up),
        cmocka_unit_test_setup(context_lines_are_in_the_json_and_the_head, set_up),
    };

    if (argc > 1)
        return report_sample(argv + 1, argc - 1);
    if (!assay_gbench_version())
        return skip_all();
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
