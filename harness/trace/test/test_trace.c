/* The trace as JSON: valid, in order, and with all that happened. */
#include "trace/trace.h"

#include "testing/testing.h"
#include "trace/trace_internal.h"

#include "testing/strict_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BASE_S = 1795836815, /* records have times of today: a double would lose their last digits */
};
#define AT(ns) ((int64_t)BASE_S * 1000000000 + (ns))

/* Text of a trace; the caller frees. */
static char *written(const assay_trace_span *spans, size_t n_spans, const assay_activity *records,
                     size_t n_records, const assay_trace_about *about)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *out  = open_memstream(&text, &size);

    assert_non_null(out);
    assert_int_equal(assay_trace_write(out, spans, n_spans, records, n_records, about), ASSAY_OK);
    assert_int_equal(fclose(out), 0);
    if (!json_is_valid(text))
        fail_msg("this is no JSON: %s", text);
    return text;
}

static void says(const char *text, const char *expected)
{
    if (!strstr(text, expected))
        fail_msg("%s is not in: %s", expected, text);
}

static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;

    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        n++;
    return n;
}

/* ---- the checker itself ---- */

static void test_checker_is_strict(void **state)
{
    static const char *const good[] = { "{}", "[1,-2.5e+3,\"\\u00e9\\n\",true,null]",
                                        " { \"a\" : [ ] } ", "0", "\"\xc3\xa9\"" };
    static const char *const bad[]  = { "",        "{",        "[1,]",     "{\"a\":}",
                                        "{a:1}",   "01",       "1.",       "\"\t\"",
                                        "\"\\x\"", "[1] 2",    "NaN",      "{\"a\":1,}",
                                        "\"",      "\"\xff\"", "\"\xc3\"", "\"\\u12\"" };

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(json_is_valid(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (json_is_valid(bad[i]))
            fail_msg("taken for JSON: %s", bad[i]);
    }
}

/* ---- what a trace says ---- */

static const assay_trace_span one_launch[] = {
    { "axpy naive n=1024", "point", AT(0), AT(90000), 0 },
    { "launch", NULL, AT(1000), AT(9000), 1 },
};

static const assay_activity one_kernel[] = {
    { .kind           = ASSAY_ACTIVITY_API,
      .name           = "cudaLaunchKernel_v7000",
      .start_ns       = AT(2001),
      .end_ns         = AT(7002),
      .correlation_id = 17,
      .process        = 41,
      .thread         = 42 },
    { .kind                 = ASSAY_ACTIVITY_KERNEL,
      .name                 = "_Z5scaleIfEvPT_i",
      .start_ns             = AT(10003),
      .end_ns               = AT(15008),
      .correlation_id       = 17,
      .device               = 3,
      .context              = 1,
      .stream               = 7,
      .process              = 41,
      .grid                 = { 8, 2, 1 },
      .block                = { 256, 1, 1 },
      .registers            = 40,
      .local_bytes          = 16,
      .static_shared_bytes  = 1024,
      .dynamic_shared_bytes = 2048,
      .graph_id             = 5,
      .code_hash            = "0123456789abcdef" },
    { .kind           = ASSAY_ACTIVITY_MEMCPY,
      .name           = "memcpy DtoH",
      .start_ns       = AT(16000),
      .end_ns         = AT(17000),
      .correlation_id = 18,
      .device         = 3,
      .context        = 1,
      .stream         = 7,
      .bytes          = 4096 },
    { .kind           = ASSAY_ACTIVITY_SYNC,
      .name           = "stream synchronize",
      .start_ns       = AT(11000),
      .end_ns         = AT(17500),
      .correlation_id = 19,
      .context        = 1,
      .stream         = 7 },
    { .kind     = ASSAY_ACTIVITY_OVERHEAD,
      .name     = "instrumentation",
      .start_ns = AT(500),
      .end_ns   = AT(700) },
};

static void test_launch_is_told_in_full(void **state)
{
    const assay_trace_about about = { .program   = "assay",
                                      .device    = "NVIDIA \"H100\"",
                                      .point     = "axpy/naive/n=1024",
                                      .n_dropped = 2 };
    char                   *text  = written(one_launch, 2, one_kernel, 5, &about);

    (void)state;
    says(text, "{\"displayTimeUnit\":\"ns\",");
    says(text, "\"n_dropped\":2,\"n_left_out\":0,\"program\":\"assay\"");
    says(text, "\"point\":\"axpy/naive/n=1024\"");
    says(text, "\"args\":{\"name\":\"host: assay\"}");
    says(text, "\"args\":{\"name\":\"GPU 3: NVIDIA \\\"H100\\\"\"}");
    says(text, "\"name\":\"calls of thread 42\"");
    says(text, "\"name\":\"context 1, stream 7\"");
    says(text, "\"name\":\"axpy naive n=1024\",\"cat\":\"point\",\"pid\":41,\"tid\":1,\"ts\":0.000,"
               "\"dur\":90.000");
    says(text, "\"name\":\"launch\",\"cat\":\"harness\",\"pid\":41,\"tid\":1,\"ts\":1.000,"
               "\"dur\":8.000");
    says(text, "\"name\":\"cudaLaunchKernel_v7000\",\"cat\":\"cuda_api\",\"pid\":41,\"tid\":2,"
               "\"ts\":2.001,\"dur\":5.001");
    says(text, "\"name\":\"scale\",\"cat\":\"kernel\",\"pid\":10000003,\"tid\":5,\"ts\":10.003,"
               "\"dur\":5.005");
    says(text, "\"function\":\"void scale<float>(float*, int)\"");
    says(text, "\"grid\":[8,2,1],\"block\":[256,1,1],\"registers_per_thread\":40,"
               "\"local_bytes_per_thread\":16,\"static_shared_bytes\":1024,"
               "\"dynamic_shared_bytes\":2048,\"code_hash\":\"0123456789abcdef\",\"graph_id\":5");
    says(text, "\"name\":\"memcpy DtoH\"");
    says(text, "\"bytes\":4096");
    says(text, "\"name\":\"stream synchronize\",\"cat\":\"sync\",\"pid\":41,\"tid\":3");
    says(text, "\"name\":\"instrumentation\",\"cat\":\"overhead\",\"pid\":41,\"tid\":4");
    free(text);
}

static void test_launch_is_joined_to_its_kernel(void **state)
{
    char *text = written(one_launch, 2, one_kernel, 5, NULL);

    (void)state;
    says(text,
         "{\"ph\":\"s\",\"name\":\"launch\",\"cat\":\"launch\",\"id\":17,\"pid\":41,\"tid\":2,"
         "\"ts\":2.001}");
    says(text, "{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"launch\",\"cat\":\"launch\",\"id\":17,"
               "\"pid\":10000003,\"tid\":5,\"ts\":10.003}");
    assert_int_equal(count_of(text, "\"ph\":\"s\""), 1);
    assert_int_equal(count_of(text, "\"ph\":\"f\""), 1);
    free(text);
}

static assay_activity record(assay_activity_kind kind, int64_t start_ns, int64_t end_ns,
                             uint32_t correlation_id)
{
    return (assay_activity) { .kind           = kind,
                              .name           = "x",
                              .start_ns       = AT(start_ns),
                              .end_ns         = AT(end_ns),
                              .correlation_id = correlation_id,
                              .process        = 9 };
}

/* A graph launch starts many kernels, and a runtime call contains the driver's: one arrow, from the
 * outer call to the first kernel. */
static void test_one_arrow_a_launch(void **state)
{
    const assay_activity records[] = {
        record(ASSAY_ACTIVITY_KERNEL, 900, 950, 4), record(ASSAY_ACTIVITY_KERNEL, 800, 850, 4),
        record(ASSAY_ACTIVITY_API, 120, 180, 4),    record(ASSAY_ACTIVITY_API, 100, 200, 4),
        record(ASSAY_ACTIVITY_KERNEL, 10, 20, 5), /* before its call: the clocks disagree */
        record(ASSAY_ACTIVITY_API, 300, 400, 5),    record(ASSAY_ACTIVITY_API, 500, 600, 6),
        record(ASSAY_ACTIVITY_KERNEL, 700, 710, 7), record(ASSAY_ACTIVITY_API, 610, 620, 0),
        record(ASSAY_ACTIVITY_KERNEL, 720, 730, 0),
    };
    char *text = written(NULL, 0, records, sizeof records / sizeof records[0], NULL);

    (void)state;
    assert_int_equal(count_of(text, "\"ph\":\"s\""), 1);
    says(text, "\"id\":4,\"pid\":9,\"tid\":1,\"ts\":0.090}");
    assert_int_equal(count_of(text, "\"ph\":\"f\""), 1);
    says(text, "\"id\":4,\"pid\":10000000,\"tid\":2,\"ts\":0.790}");
    free(text);
}

static void test_empty_trace_is_a_trace(void **state)
{
    char *text = written(NULL, 0, NULL, 0, NULL);

    (void)state;
    says(text, "\"traceEvents\":[\n]");
    free(text);
}

/* ---- hostile input ---- */

static void test_names_are_escaped(void **state)
{
    const assay_trace_span spans[] = {
        { "quote \" slash \\ line \n bell \a", "a\tb", AT(0), AT(5), 0 },
        { "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "", AT(1), AT(4), 1 },
        { "broken \xff \xc3( \xe2\x82 \xed\xa0\x80 \xc0\x80 \xf4\x90\x80\x80 \xc3", "c", AT(2),
          AT(3), 2 },
        { NULL, NULL, AT(2), AT(3), 3 },
    };
    const assay_activity records[] = {
        { .kind = ASSAY_ACTIVITY_KERNEL, .name = NULL, .start_ns = AT(1), .end_ns = AT(2) },
        { .kind = ASSAY_ACTIVITY_KERNEL, .name = "_Z\"\n", .start_ns = AT(3), .end_ns = AT(4) },
    };
    char *text = written(spans, 4, records, 2, NULL);

    (void)state;
    says(text, "\"quote \\\" slash \\\\ line \\u000a bell \\u0007\"");
    says(text, "\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
    says(text, "\"broken \\ufffd \\ufffd( \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd \\ufffd\\ufffd "
               "\\ufffd\\ufffd\\ufffd\\ufffd \\ufffd\"");
    free(text);
}

static void test_impossible_times_are_left_out(void **state)
{
    const assay_activity records[] = {
        { .kind = ASSAY_ACTIVITY_KERNEL, .name = "backward", .start_ns = AT(9), .end_ns = AT(8) },
        { .kind     = ASSAY_ACTIVITY_KERNEL,
          .name     = "all of time",
          .start_ns = INT64_MIN,
          .end_ns   = INT64_MAX },
        { .kind = ASSAY_ACTIVITY_KERNEL, .name = "no time", .start_ns = AT(3), .end_ns = AT(3) },
    };
    char *text = written(NULL, 0, records, 3, NULL);

    (void)state;
    says(text, "\"n_left_out\":1");
    assert_null(strstr(text, "backward"));
    says(text, "\"dur\":18446744073709551.615");
    says(text, "\"name\":\"no time\"");
    free(text);
}

static void test_full_disk_is_an_error(void **state)
{
    FILE *out = fopen("/dev/full", "w");

    (void)state;
    if (!out)
        skip();
    assert_failed_with(assay_trace_write(out, one_launch, 2, one_kernel, 5, NULL), ASSAY_E_IO,
                       "cannot write the trace");
    (void)fclose(out);
}

/* Names of any bytes and times in any order still give valid JSON. */
static void test_random_traces_are_valid(void **state)
{
    enum {
        N         = 200,
        NAME_SIZE = 12,
    };
    static char           names[N][NAME_SIZE];
    static assay_activity records[N];
    unsigned short        seed[3] = { 3, 1, 4 };

    (void)state;
    for (int trial = 0; trial < 50; trial++) {
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < NAME_SIZE - 1; k++)
                names[i][k] = (char)(nrand48(seed) & 0xff);
            records[i]      = record((assay_activity_kind)(nrand48(seed) % 6), nrand48(seed) % 1000,
                                     nrand48(seed) % 2000, (uint32_t)(nrand48(seed) % 50));
            records[i].name = names[i];
            records[i].stream = (uint32_t)(nrand48(seed) % 3);
            records[i].thread = (uint32_t)(nrand48(seed) % 3);
        }
        free(written(NULL, 0, records, N, NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checker_is_strict),
        cmocka_unit_test(test_launch_is_told_in_full),
        cmocka_unit_test(test_launch_is_joined_to_its_kernel),
        cmocka_unit_test(test_one_arrow_a_launch),
        cmocka_unit_test(test_empty_trace_is_a_trace),
        cmocka_unit_test(test_names_are_escaped),
        cmocka_unit_test(test_impossible_times_are_left_out),
        cmocka_unit_test(test_full_disk_is_an_error),
        cmocka_unit_test(test_random_traces_are_valid),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
