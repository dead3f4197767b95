/* The JSON reports (full, and in Google Benchmark's form) and Markdown: known numbers in, known
 * text out. */
#include "report_page.h"

#include "report/report_json.h"
#include "testing/strict_json.h"

/* ---- values ---- */

/* The text that a writer writes; caller frees. */
static char *written(void (*write)(FILE *out, const void *value), const void *value)
{
    static char  *text; /* static: the stream keeps their addresses until it is closed */
    static size_t size;
    FILE         *out = open_memstream(&text, &size);

    assert_non_null(out);
    write(out, value);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void write_text(FILE *out, const void *value) { assay_json_text(out, value); }
static void write_number(FILE *out, const void *value)
{
    assay_json_number(out, *(const double *)value);
}

static void test_json_text(void **state)
{
    static const char *const rows[][2] = {
        { "", "\"\"" },
        { "say \"x\"\\", "\"say \\\"x\\\"\\\\\"" },
        { "a\nb\r\t\x01\x7f", "\"a\\u000ab\\u000d\\u0009\\u0001\\u007f\"" },
        { "</script><!--", "\"\\u003c/script>\\u003c!--\"" },
        { "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"" },
        { "\xff", "\"\\ufffd\"" },                       /* never a first byte */
        { "a\xc3", "\"a\\ufffd\"" },                     /* cut off at the end */
        { "\xc3(", "\"\\ufffd(\"" },                     /* cut off by another character */
        { "\xc0\xaf", "\"\\ufffd\\ufffd\"" },            /* overlong */
        { "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" }, /* a surrogate */
        { "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" }, /* beyond Unicode */
        { "\xe2\x82", "\"\\ufffd\\ufffd\"" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = written(write_text, rows[i][0]);

        assert_string_equal(text, rows[i][1]);
        assert_true(json_is_valid(text));
        free(text);
    }
}

static void test_json_numbers(void **state)
{
    static const struct {
        double      value;
        const char *text;
    } rows[] = { { 0.1, "0.1" },
                 { 1.0 / 3, "0.3333333333333333" },
                 { 5e-324, "4.94065645841247e-324" },
                 { (double)NAN, "null" },
                 { (double)INFINITY, "9e999" },
                 { -(double)INFINITY, "-9e999" },
                 { -0.0, "-0" },
                 { 1e21, "1e+21" } };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = written(write_number, &rows[i].value);

        assert_string_equal(text, rows[i].text);
        assert_true(json_is_valid(text));
        free(text);
    }
}

/* ---- the full shape ---- */

static void test_json_points(void **state)
{
    fixture *f    = *state;
    char    *text = report_of(f, write_run(f), "json");

    assert_true(json_is_valid(text));
    assert_has(text, "\"run\":{\"run_id\":1,\"uuid\":\"run-1\"");
    assert_has(text, "\"device\":{\"kind\":\"cuda\",\"name\":\"Test GPU 80GB\"");
    assert_has(text, "\"git_commit\":\"abcdef012345\",\"git_dirty\":false");
    assert_has(text, "{\"outcome\":\"caught\",\"verdict\":\"WRONG_VALUE\",\"n_points\":1}");
    /* a seed of 64 bits is text: a reader's double does not hold it */
    assert_has(text, "\"seed\":\"18446744073709551615\"");
    assert_has(text, "\"first_bad\":255,\"first_bad_value\":null,\"first_bad_expected\":1.25,"
                     "\"worst_ratio\":9e999");
    assert_has(text, "\"verdict\":null,\"reason\":null"); /* the point that was never finished */
    assert_has(text, "\"expected\":\"NONDETERMINISTIC or RACE\"");
    assert_has(text, "\"axis_values\":[{\"name\":\"n\",\"kind\":\"int\",\"text\":\"1000000\","
                     "\"value_x\":1000000");
    free(text);
}

static void test_json_numbers_of_points(void **state)
{
    fixture *f    = *state;
    char    *text = report_of(f, write_timed_run(f), "json");

    assert_true(json_is_valid(text));
    assert_has(text, "\"regime\":\"cold\",\"clock\":\"record\",\"decides\":true,\"decision\":"
                     "\"agrees with the event\"");
    assert_has(text, "\"median_ns\":3900,");
    assert_has(
        text,
        "\"samples\":{\"n\":4,\"bucket\":1,\"time_ns\":[3900,4290,3510,3900],\"sm_"
        "clock_mhz\":[1980,1980,1965,null],\"seen\":{\"from\":3510,\"step\":19.5,\"n\":[1,0,");
    assert_has(text, ",0,1],\"below\":0,\"above\":0}}");
    assert_has(text, "{\"block\":1,\"process\":1,");
    assert_has(text, "\"ratio\":2.5,\"lo\":2.45,\"hi\":2.55,\"n_pairs\":12,\"n_processes\":3,"
                     "\"finding\":\"FASTER\"");
    assert_has(text, "\"ratio\":null,\"lo\":null,\"hi\":null,\"n_pairs\":12,\"n_processes\":3,"
                     "\"finding\":\"CANNOT_TELL\",\"reason\":\"event: shorter than 30 us\"");
    assert_has(text, "\"cannot_tell\":[{\"regime\":\"hot\",\"reason\":\"shorter than 30 us\"}]");
    assert_has(text, "{\"name\":\"tail\",\"launches\":1,\"regime\":\"hot\",\"clock\":\"record\","
                     "\"time_ns\":900,\"share\":0.205}");
    assert_has(text, "\"kernel\":\"vec4_tail\"");
    assert_has(text, "\"status\":\"unsupported\",\"reason\":\"device-level: ask for it "
                     "alone\",\"regime\":\"cold\",\"value\":null");
    assert_has(text, "\"counted\":{\"dram_bytes\":12120000,");
    assert_has(text,
               "{\"kind\":\"copy\",\"regime\":\"cold\",\"clock\":\"record\",\"working_set_"
               "bytes\":16777216,\"n_samples\":30,\"median_ns\":8000,\"rate\":2500000000000,");
    assert_lacks(text, "\"rate\":2000000000000"); /* replaced by a later measurement */
    free(text);
}

static void test_json_history(void **state)
{
    fixture      *f    = *state;
    const int64_t run  = write_page_database(f, false);
    char         *text = report_of(f, run, "json"), *first = report_of(f, 1, "json");
    const char   *series =
        strstr(text, "{\"series\":1,\"key\":\"axpy/naive/"
                     "n=1048576\",\"case_version\":1,\"regime\":\"cold\",\"clock\":\"record\",");

    assert_true(json_is_valid(text));
    assert_non_null(series);
    assert_has(series, "{\"run_id\":1,");
    assert_has(series, "{\"run_id\":5,");
    assert_has(text, "\"driver\":\"570.86\"");
    assert_lacks(first, "{\"run_id\":2,"); /* a later run is not in its history */
    free(first);
    free(text);
}

/* A long series keeps its extremes and loses nothing but what lies between. */
static void test_json_thins_samples_out(void **state)
{
    fixture              *f       = *state;
    const int64_t         run     = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p       = a_point("axpy", "naive", "", 64);
    const int64_t         id      = plan_point(f, run, &p);
    const int64_t         n       = 100000;
    assay_measurement_row m       = a_judged(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, 5000, true);
    double               *samples = calloc((size_t)n, sizeof *samples);
    const assay_block     block   = a_block(n, 0);
    char                 *text;

    assert_non_null(samples);
    for (int64_t i = 0; i < n; i++)
        samples[i] = 5000;
    samples[77777] = 91234.5;
    samples[33333] = 123.25;
    m.n_samples    = n;
    m.n_blocks     = 1;
    begin_checked(f, id);
    assert_ok(assay_store_put_measurement(f->store, id, &m, samples, NULL, &block));
    finish_passed(f, id);
    free(samples);
    text = report_of(f, run, "json");
    assert_true(json_is_valid(text));
    assert_has(text, "\"samples\":{\"n\":100000,\"bucket\":250,\"min_ns\":[5000,");
    assert_has(text, "91234.5");
    assert_has(text, "123.25");
    assert_lacks(text, "\"sm_clock_mhz\":["); /* the clock was not read */
    assert_true(strlen(text) < 20000);
    free(text);
}

/* Another program changed the file: the trigger allows samples to be pruned. */
static void test_json_without_samples(void **state)
{
    fixture      *f   = *state;
    const int64_t run = write_timed_run(f);
    char          command[512], *text;

    assay_store_close(f->store);
    f->store = NULL;
    (void)snprintf(
        command, sizeof command,
        "sqlite3 '%s' 'UPDATE sample_block SET time_ns = NULL, clock_mhz = NULL' 2>/dev/null",
        f->path);
    if (system(command) != 0)
        skip();
    text = report_of(f, run, "json");
    assert_true(json_is_valid(text));
    assert_has(text, "\"samples\":{\"missing\":\"");
    assert_has(text, "they were pruned");
    assert_has(text, "\"median_ns\":3900");
    free(text);
}

/* A row without its owner ends the report with an error; nothing crashes. */
static void test_json_damaged(void **state)
{
    fixture      *f   = *state;
    const int64_t run = write_timed_run(f);
    FILE         *out = tmpfile();
    char          command[512];

    assert_non_null(out);
    assay_store_close(f->store);
    f->store = NULL;
    (void)snprintf(command, sizeof command,
                   "sqlite3 '%s' 'PRAGMA foreign_keys = OFF; DROP TRIGGER config_held; DELETE FROM "
                   "config' 2>/dev/null",
                   f->path);
    if (system(command) != 0)
        skip();
    assert_int_equal(assay_report_write(f->path, run, "json", out), ASSAY_E_DATABASE);
    assert_non_null(strstr(assay_status_message(), "the file is damaged"));
    assay_status_reset();
    assert_int_equal(fclose(out), 0);
}

static void test_json_hostile(void **state)
{
    fixture *f    = *state;
    char    *text = report_of(f, write_hostile_run(f), "json");

    assert_true(json_is_valid(text));
    assert_has(text, "\"variant\":\"'; DROP TABLE run; --\"");
    assert_has(text, "\"variant\":\"cr\\u000dlf\\u000d\\u000a\"");
    assert_has(text, "\"variant\":\"\\u001b[31mred\"");
    free(text);
}

/* ---- Google Benchmark ---- */

static void test_benchmark(void **state)
{
    fixture    *f    = *state;
    char       *text = report_of(f, write_page_database(f, true), "benchmark");
    const char *first;

    assert_true(json_is_valid(text));
    assert_has(text, "\"host_name\":\"node \\\"7\\\", \\u003c/script>");
    first = strstr(text, "\"run_name\":\"axpy/vec4/n=16384/cold\",\"run_type\":\"iteration\","
                         "\"repetitions\":3,");
    assert_non_null(first);
    assert_has(first, "\"repetition_index\":0,\"iterations\":1,\"real_time\":");
    assert_has(text, "{\"name\":\"axpy/vec4/n=16384/cold_median\",");
    assert_has(text, "\"label\":\"record\"}");
    assert_lacks(text, "/event");
    assert_has(text, "\"aggregate_name\":\"cv\",\"aggregate_unit\":\"percentage\"");
    assert_lacks(text, "null");
    free(text);
}

/* With details, every clock has a benchmark. One process gives no aggregates. A measurement without
 * a valid sample says so. */
static void test_benchmark_aggregates(void **state)
{
    fixture              *f      = *state;
    const int64_t         run    = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p      = a_point("axpy", "naive", "", 64);
    const int64_t         id     = plan_point(f, run, &p);
    assay_measurement_row m      = a_measurement(ASSAY_REGIME_COLD, 100),
                          none   = a_measurement(ASSAY_REGIME_HOT, (double)NAN);
    assay_block       blocks[3]  = { a_block(1, 0), a_block(1, 0), a_block(1, 0) };
    const assay_block nothing    = a_block(0, 0);
    const double      samples[3] = { 100, 110, 150 };
    char             *text;

    m.n_samples = m.n_blocks = 3;
    for (int i = 0; i < 3; i++) {
        blocks[i].process   = i;
        blocks[i].median_ns = samples[i];
    }
    none.n_samples = 0;
    none.n_blocks  = 1;
    none.mean_ns = none.min_ns = none.max_ns = (double)NAN;
    begin_checked(f, id);
    assert_ok(assay_store_put_measurement(f->store, id, &m, samples, NULL, blocks));
    assert_ok(assay_store_put_measurement(f->store, id, &none, samples, NULL, &nothing));
    finish_passed(f, id);
    text = report_of(f, run, "benchmark");
    assert_true(json_is_valid(text));
    assert_lacks(text, "real_time"); /* no clock decides */
    free(text);
    text = report_of(f, run, "benchmark_details");
    assert_true(json_is_valid(text));
    assert_has(text, "\"aggregate_name\":\"mean\",\"aggregate_unit\":\"time\",\"iterations\":3,"
                     "\"real_time\":120,");
    assert_has(text, "\"aggregate_name\":\"median\",\"aggregate_unit\":\"time\",\"iterations\":3,"
                     "\"real_time\":110,");
    assert_has(text, "\"aggregate_name\":\"stddev\",\"aggregate_unit\":\"time\",\"iterations\":3,"
                     "\"real_time\":26.457513110645");
    assert_has(text, "\"real_time\":100,\"cpu_time\":0,\"time_unit\":\"ns\",\"bytes_per_second\":"
                     "120000000000000,");
    assert_has(text, "{\"name\":\"axpy/naive/n=64/hot/event\",\"family_index\":1,");
    assert_has(text, "\"error_occurred\":true,\"error_message\":\"no valid sample");
    free(text);
}

/* ---- Markdown ---- */

/* Cells of a table row: bars that are not escaped, minus one. */
static int cells_of(const char *line)
{
    int n = -1;

    for (size_t i = 0; line[i] && line[i] != '\n'; i++) {
        if (line[i] == '\\' && line[i + 1])
            i++;
        else if (line[i] == '|')
            n++;
    }
    return n;
}

static void test_markdown(void **state)
{
    fixture *f    = *state;
    char    *text = report_of(f, write_timed_run(f), "md");

    assert_has(text, "| commit | abcdef012345 |\n");
    assert_has(text, "**2 passed** (PASS)\n");
    assert_has(text, "| axpy | n=1000000 | vec4 | passed | PASS | 0.500 | random | y |  |\n");
    assert_has(text, "| axpy | n=1000000 | vec4 | cold | record | 3.900 us |");
    assert_has(text, "| axpy | n=1000000 | vec4 | hot | CANNOT\\_TELL |  |");
    assert_has(text,
               "| vec4 | naive | cold | record | 2.500 | 2.450 | 2.550 | 12 | 3 | FASTER |  |\n");
    assert_has(text, "| tail | hot | record | 1 | 900.0 ns | 20.50 |\n");
    free(text);
}

/* Every row of the table has its nine cells and no name is markup. */
static void test_markdown_hostile(void **state)
{
    fixture    *f    = *state;
    char       *text = report_of(f, write_hostile_run(f), "md");
    const char *row  = strstr(text, "| evil |");
    int         n    = 0;

    for (; row && strncmp(row, "| evil |", 8) == 0; row = strchr(row, '\n') + 1, n++)
        assert_int_equal(cells_of(row), 9);
    assert_int_equal(n, N_HOSTILE);
    assert_has(text, "&lt;script&gt;alert(1)&lt;/script&gt;");
    assert_has(text, "line\\\\nbreak");
    assert_lacks(text, "\x1b");
    /* A command line is code, which Markdown shows as it is. */
    row = strstr(text, "\n## To repeat what failed\n\n    ");
    assert_non_null(row);
    for (const char *tag = strstr(text, "<script"); tag; tag = strstr(tag + 1, "<script")) {
        while (*tag != '\n')
            tag--;
        assert_true(tag > row && strncmp(tag, "\n    ", 5) == 0);
        tag = strstr(tag, "<script");
    }
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_text),
        cmocka_unit_test(test_json_numbers),
        TEST(json_points),
        TEST(json_numbers_of_points),
        TEST(json_history),
        TEST(json_thins_samples_out),
        TEST(json_without_samples),
        TEST(json_damaged),
        TEST(json_hostile),
        TEST(benchmark),
        TEST(benchmark_aggregates),
        TEST(markdown),
        TEST(markdown_hostile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
