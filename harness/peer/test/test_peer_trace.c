/* The timeline of a peer: what becomes of valid and of invalid records. */
#include "peer_fixture.h"

#include <stdio.h>
#include <unistd.h>

enum {
    MOST_LAUNCHES = 8
};

static struct {
    assay_launch_row  launches[MOST_LAUNCHES];
    assay_section_row sections[MOST_LAUNCHES];
    assay_metric_row  facts[MOST_LAUNCHES];
    assay_verdict_row verdict;
    int               n_launches, n_sections, n_facts, n_verdicts;
} traced;
static char path[64];

static assay_status take_row(void *context, int place, assay_row_kind kind, const void *row)
{
    (void)context, (void)place;
    if (kind == ASSAY_ROW_LAUNCH && traced.n_launches < MOST_LAUNCHES) {
        traced.launches[traced.n_launches++] = *(const assay_launch_row *)row;
    } else if (kind == ASSAY_ROW_SECTION && traced.n_sections < MOST_LAUNCHES) {
        traced.sections[traced.n_sections++] = *(const assay_section_row *)row;
    } else if (kind == ASSAY_ROW_METRIC && traced.n_facts < MOST_LAUNCHES) {
        traced.facts[traced.n_facts++] = *(const assay_metric_row *)row;
    } else if (kind == ASSAY_ROW_VERDICT) {
        traced.verdict = *(const assay_verdict_row *)row;
        traced.n_verdicts++;
    } else if (kind != ASSAY_ROW_CHECK) {
        fail_msg("a row of kind %d", (int)kind);
    }
    return ASSAY_OK;
}

static int start(void **state)
{
    int fd;

    (void)strcpy(path, "/tmp/assay-trace-XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    return begin(state);
}

static int stop(void **state)
{
    (void)unlink(path);
    return end(state);
}

/* As the parent requests it: checked, then traced. */
static void trace_point(const char *word)
{
    const assay_sink  to_traced = { .note = see_note, .row = take_row };
    assay_timed_point timed;

    check_point(word, N, true);
    assert_found(ASSAY_PASS, "");
    timed = (assay_timed_point) { .point = point_of(0, N, true), .judged = seen.verdict.judged };
    memset(&traced, 0, sizeof traced);
    assert_int_equal(assay_run_trace_peer(&runner, &timed, path, &to_traced), ASSAY_OK);
    assert_int_equal(traced.n_verdicts, 1);
}

static void assert_traced(assay_verdict verdict, const char *words)
{
    if (traced.verdict.verdict != verdict || !strstr(traced.verdict.reason, words))
        fail_msg("%s: \"%s\", not %s with \"%s\"", assay_verdict_text(traced.verdict.verdict),
                 traced.verdict.reason, assay_verdict_text(verdict), words);
}

static void a_call_becomes_launches_and_sections(void **state)
{
    (void)state;
    trace_point("right");
    assert_traced(ASSAY_PASS, "");
    assert_int_equal(traced.verdict.launches, 2); /* a copy is no launch */
    assert_int_equal(traced.n_launches, 3);
    assert_string_equal(traced.launches[0].kernel, "void scale<float>(float*)");
    assert_int_equal(traced.launches[0].grid[0], 2);
    assert_int_equal(traced.launches[0].block[0], 64);
    assert_int_equal(traced.launches[0].registers, 16);
    assert_true(traced.launches[0].time_ns == 300);
    assert_int_equal(traced.launches[2].registers, -1);
    assert_int_equal(traced.n_sections, 2);
    assert_string_equal(traced.sections[0].name, "memcpy DtoD"); /* the longest comes first */
    assert_string_equal(traced.sections[1].name, "scale");
    assert_int_equal(traced.sections[1].launches, 2);
    assert_true(traced.sections[1].time_ns == 400);
}

static void assert_written(const char *const *parts)
{
    char   text[16384];
    FILE  *file = fopen(path, "r");
    size_t length;

    assert_non_null(file);
    length = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    text[length] = '\0';
    for (; *parts; parts++)
        if (!strstr(text, *parts))
            fail_msg("%s is not in: %s", *parts, text);
}

/* The file exists, with each record and with both calls around them. */
static void a_call_becomes_a_file(void **state)
{
    static const char *const parts[] = { "\"host: fake_peer.py\"", "\"scale\"", "\"memcpy DtoD\"",
                                         "\"first call\"",         "\"call\"",  NULL };

    (void)state;
    trace_point("right");
    assert_written(parts);
}

static void assert_fact(int i, const char *name, double value)
{
    assert_true(i < traced.n_facts);
    assert_string_equal(traced.facts[i].name, name);
    assert_string_equal(traced.facts[i].replay, ASSAY_TOLD_BY_PEER);
    assert_true(traced.facts[i].value == value);
}

/* Each launch belongs to the range in which its call was made, and the host's work is counted. */
static void what_the_host_does_is_told(void **state)
{
    static const char *const parts[] = { "\"name\":\"calls of thread 5\"",
                                         "\"name\":\"aten::mul\",\"cat\":\"operation\"",
                                         "\"name\":\"step_twice\",\"cat\":\"range\"",
                                         "\"name\":\"doubling\",\"cat\":\"part\"",
                                         "\"name\":\"parts of context 0, stream 3\"",
                                         "{\"ph\":\"f\"",
                                         NULL };

    (void)state;
    trace_point("steps");
    assert_traced(ASSAY_PASS, "");
    assert_int_equal(traced.verdict.launches, 2);
    assert_int_equal(traced.n_launches, 2);
    assert_int_equal(traced.launches[1].ordinal, 1);
    assert_int_equal(traced.n_sections, 2);
    assert_string_equal(traced.sections[0].name, "doubling");
    assert_true(traced.sections[0].time_ns == 300);
    assert_string_equal(traced.sections[1].name, "scale");
    assert_written(parts);
    assert_int_equal(traced.n_facts, 5);
    assert_fact(0, "traced_first_call_ns", 1500);
    assert_fact(1, "traced_first_call_ns in aten::mul", 400);
    assert_fact(2, "traced_first_call_ns in cudaLaunchKernel", 350);
    assert_fact(3, "traced_first_call_ns in step_twice", 200);
    assert_fact(4, "calls of cudaLaunchKernel", 3);
}

/* What is loaded once belongs to the first call, in a process that has run nothing before. */
static void the_first_call_is_another_one(void **state)
{
    (void)state;
    trace_point("loads");
    assert_traced(ASSAY_PASS, "");
    assert_int_equal(traced.verdict.launches, 2);
    assert_int_equal(traced.n_facts, 3);
    assert_fact(0, "traced_first_call_ns", 100000);
    assert_fact(1, "traced_first_call_ns in cuModuleLoadData", 90000);
    assert_fact(2, "traced_first_call_ns in aten::conv2d", 10000);
}

/* 1024 names stand alone, each with a three-thousandth of the call; the rest are added up. */
static void many_names_are_summed_up(void **state)
{
    (void)state;
    trace_point("many_names");
    assert_traced(ASSAY_PASS, "");
    assert_int_equal(traced.n_facts, 2);
    assert_fact(0, "traced_first_call_ns", 3e6);
    assert_fact(1, "traced_first_call_ns in (other names)", 1.976e6);
}

static void what_found_no_room_is_counted(void **state)
{
    static const char *const parts[] = { "\"n_dropped\":6,", NULL };

    (void)state;
    trace_point("some_left");
    assert_traced(ASSAY_PASS, "");
    assert_written(parts);
}

static void a_call_that_launches_nothing_has_no_sections(void **state)
{
    (void)state;
    trace_point("traces_none");
    assert_traced(ASSAY_PASS, "");
    assert_int_equal(traced.verdict.launches, 0);
    assert_int_equal(traced.n_launches + traced.n_sections, 0);
}

/* There are too many launches to be kept one by one; they are still counted. */
static void a_call_of_many_steps_is_counted(void **state)
{
    (void)state;
    trace_point("many_steps");
    assert_traced(ASSAY_PASS, "");
    assert_int_equal(traced.verdict.launches, 5000);
    assert_int_equal(traced.n_launches, 0);
    assert_int_equal(traced.n_sections, 1);
    assert_int_equal(traced.sections[0].launches, 5000);
}

static void records_are_looked_at(void **state)
{
    static const struct {
        const char *word, *words;
    } rows[] = {
        { "kind_of_record", "an invalid record" },
        { "no_name", "an invalid record" },
        { "endless_name", "an invalid record" },
        { "name_of_bytes", "an invalid record" },
        { "negative_time", "an invalid record" },
        { "long_record", "an invalid record" },
        { "negative_extent", "an invalid record" },
        { "before_time", "an invalid record" },
        { "out_of_order", "not sorted by their starts" },
        { "far_apart", "the records are longer than the call took" },
        { "many_records", "number of records" },
        { "odd_records", "number of records" },
        { "odd_left", "number of records" },
        { "negative_join", "an invalid record" },
        { "negative_place", "an invalid record" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        trace_point(rows[i].word);
        assert_traced(ASSAY_CRASHED, rows[i].words);
        assert_int_equal(traced.n_launches + traced.n_sections, 0);
        assert_false(assay_peer_is_alive(runner.peer));
    }
}

static void a_peer_without_such_a_tool_says_so(void **state)
{
    (void)state;
    trace_point("untraced");
    assert_traced(ASSAY_UNSUPPORTED, "operations are no launches");
    trace_point("hangs_tracing");
    assert_traced(ASSAY_TIMED_OUT, "no answer");
    trace_point("right");
    assert_traced(ASSAY_PASS, "");
}

/* The records lie after the job's memory, so the job is not affected. */
static void what_follows_a_trace_is_as_before(void **state)
{
    (void)state;
    trace_point("right");
    check_point("right", N, false);
    assert_found(ASSAY_PASS, "");
    check_point("wrong", N, false);
    assert_found(ASSAY_WRONG_VALUE, "element 3");
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, start, stop)
    const struct CMUnitTest tests[] = {
        T(a_call_becomes_launches_and_sections),
        T(a_call_becomes_a_file),
        T(what_the_host_does_is_told),
        T(the_first_call_is_another_one),
        T(many_names_are_summed_up),
        T(what_found_no_room_is_counted),
        T(a_call_that_launches_nothing_has_no_sections),
        T(a_call_of_many_steps_is_counted),
        T(records_are_looked_at),
        T(a_peer_without_such_a_tool_says_so),
        T(what_follows_a_trace_is_as_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
