/* The timeline of one point on the device of plain memory: what is behind the gate, and the rows
 * that are made from the records. */
#include "run_time_fixture.h"

#include <stdio.h>
#include <unistd.h>

/* ---- records, written by the device and by launchers as they go ---- */

static assay_activity records[65536];
static int64_t        n_records, now;
static bool           is_closed; /* the gate */

static int64_t tick(void) { return now += 100; }

static void put(const char *name, int64_t ns)
{
    assay_activity *r = &records[n_records++];

    assert_true(n_records < (int64_t)(sizeof records / sizeof records[0]));
    *r = (assay_activity) {
        .kind = ASSAY_ACTIVITY_KERNEL, .name = name, .start_ns = tick(), .end_ns = now + ns
    };
    r->grid[0] = r->block[0] = 1;
    now += ns;
}

static assay_status close_gate(assay_device *d)
{
    (void)d;
    assert_false(is_closed);
    is_closed = true;
    put("assay_own_gate", 10);
    return ASSAY_OK;
}

static assay_status open_gate(assay_device *d, bool *was_adequate)
{
    (void)d;
    assert_true(is_closed);
    is_closed     = false;
    *was_adequate = true;
    return ASSAY_OK;
}

static assay_status end_clock(assay_device *d)
{
    (void)d;
    put("assay_own_clock", 10);
    return ASSAY_OK;
}

static assay_status collect(const assay_activity **r, int64_t *n, int64_t *n_dropped)
{
    *r         = records;
    *n         = n_records;
    *n_dropped = 0;
    return ASSAY_OK;
}

static const char *no_message(void) { return ""; }

static const assay_cupti_api cupti = {
    .abi = ASSAY_CUPTI_ABI, .message = no_message, .now_ns = tick, .activity_collect = collect
};

/* ---- launchers ---- */

static int n_kernels; /* in a call */
static int n_behind;  /* calls made behind a closed gate */

/* Launches several kernels, and counts calls behind a closed gate. */
ASSAY_LAUNCHER(many_kernels)
{
    (void)stream;
    compute(args);
    n_behind += is_closed;
    for (int i = 0; i < n_kernels; i++)
        put(i % 2 ? "odd" : "even", i % 2 ? 300 : 100);
    return 0;
}

/* Launches one kernel more in each call. */
ASSAY_LAUNCHER(grows)
{
    (void)stream;
    compute(args);
    for (int i = 0; i < n_calls % 7 + 1; i++)
        put("again", 200);
    return 0;
}

/* ---- what comes out ---- */

enum {
    MOST_LAUNCHES = 8192
};

static struct {
    assay_launch_row  launches[MOST_LAUNCHES];
    assay_section_row sections[8];
    assay_verdict_row verdict;
    int               n_launches, n_sections, n_verdicts;
} traced;

static assay_status take_row(void *context, int place, assay_row_kind kind, const void *row)
{
    (void)context, (void)place;
    if (kind == ASSAY_ROW_LAUNCH && traced.n_launches < MOST_LAUNCHES) {
        traced.launches[traced.n_launches++] = *(const assay_launch_row *)row;
    } else if (kind == ASSAY_ROW_SECTION && traced.n_sections < 8) {
        traced.sections[traced.n_sections++] = *(const assay_section_row *)row;
    } else if (kind == ASSAY_ROW_VERDICT) {
        traced.verdict = *(const assay_verdict_row *)row;
        traced.n_verdicts++;
    } else if (kind != ASSAY_ROW_CHECK) {
        fail_msg("a row of kind %d", (int)kind);
    }
    return ASSAY_OK;
}

static const assay_sink to_traced = { .note = see_note, .row = take_row };

static assay_device_api api;
static char             path[64];

static int start(void **state)
{
    int fd;

    (void)begin(state);
    memset(&traced, 0, sizeof traced);
    api               = memory_api;
    api.gate_close    = close_gate;
    api.gate_open     = open_gate;
    api.clock_end     = end_clock;
    runner.module.api = &api;
    runner.records    = calloc(1, sizeof *runner.records);
    is_closed         = false;
    n_records = now = n_behind = 0;
    n_kernels                  = 2;
    assert_non_null(runner.records);
    runner.records->cupti = &cupti;
    (void)strcpy(path, "/tmp/assay-trace-XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    return 0;
}

static int stop(void **state)
{
    assert_false(is_closed);
    (void)unlink(path);
    assay_record_source_free(runner.records);
    runner.records = NULL;
    return end(state);
}

static void trace(const char *launch, unsigned flags)
{
    variant(0, "v", launch, flags);
    check(1);
    n_records = n_behind = 0;
    assert_int_equal(assay_run_trace(&runner, &points[0], path, &to_traced), ASSAY_OK);
    assert_int_equal(traced.n_verdicts, 1);
    assert_int_equal(traced.verdict.verdict, ASSAY_PASS);
}

static void the_calls_wait_behind_the_gate(void **state)
{
    (void)state;
    trace("many_kernels", 0);
    assert_int_equal(n_behind, 5);
    assert_int_equal(traced.n_launches, 2);
    assert_string_equal(traced.launches[0].kernel, "even");
    assert_true(traced.launches[1].time_ns == 300);
    assert_int_equal(traced.n_sections, 2);
    assert_string_equal(traced.sections[0].name, "odd"); /* the longest first */
    assert_true(fabs(traced.sections[0].share - 0.75) < 1e-12);
}

/* Behind a closed gate it would wait until the time-out. */
static void what_waits_itself_finds_the_gate_open(void **state)
{
    (void)state;
    trace("many_kernels", ASSAY_HOST_SYNC);
    assert_int_equal(n_behind, 0);
    assert_int_equal(traced.n_launches, 2);
    assert_int_equal(traced.n_sections, 2);
    assert_int_equal(traced.sections[1].launches, 1);
    assert_true(traced.sections[1].time_ns == 100);
}

static bool is_written(const char *words)
{
    static char text[1 << 16];
    FILE       *file = fopen(path, "r");
    size_t      length;

    assert_non_null(file);
    length = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    text[length] = '\0';
    return strstr(text, words) != NULL;
}

/* If the verified call is the first of its process, its span says so. */
static void the_first_call_has_a_span(void **state)
{
    (void)state;
    trace("many_kernels", 0);
    assert_true(is_written("\"call, verified\""));
    runner.launched   = 0;
    traced.n_launches = traced.n_sections = traced.n_verdicts = 0;
    assert_int_equal(assay_run_trace(&runner, &points[0], path, &to_traced), ASSAY_OK);
    assert_true(is_written("\"first call, verified\""));
}

static void a_call_of_many_kernels_is_kept_whole(void **state)
{
    (void)state;
    n_kernels = 500;
    trace("many_kernels", 0);
    assert_int_equal(traced.n_launches, 500);
    assert_int_equal(traced.n_sections, 2);
    assert_int_equal(traced.sections[0].launches, 250);
    assert_true(traced.sections[0].time_ns == 250 * 300);
}

/* The call is too long to keep its launches one by one, but its sections are complete. */
static void beyond_all_measure_sections_stay(void **state)
{
    (void)state;
    n_kernels = ASSAY_MAX_LAUNCHES + 2;
    trace("many_kernels", 0);
    assert_int_equal(traced.n_launches, 0);
    assert_int_equal(traced.n_sections, 2);
    assert_int_equal(traced.sections[0].launches, n_kernels / 2);
    assert_true(traced.sections[0].time_ns == n_kernels / 2 * 300);
    assert_true(fabs(traced.sections[0].share - 0.75) < 1e-12);
}

static void calls_that_differ_have_means(void **state)
{
    (void)state;
    trace("grows", 0);
    assert_int_equal(traced.n_launches, 0);
    assert_int_equal(traced.n_sections, 1);
    assert_true(traced.sections[0].launches >= 1);
    assert_true(traced.sections[0].time_ns > 200);
    assert_true(traced.sections[0].share == 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(the_calls_wait_behind_the_gate),       TEST(what_waits_itself_finds_the_gate_open),
        TEST(a_call_of_many_kernels_is_kept_whole), TEST(beyond_all_measure_sections_stay),
        TEST(calls_that_differ_have_means),         TEST(the_first_call_has_a_span),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
