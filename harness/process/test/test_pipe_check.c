/* What a worker may report, and what the parent must not believe. */
#include "process/pipe.h"
#include "testing/testing.h"

#include <math.h>
#include <string.h>

static assay_message message;

static int start_over(void **state)
{
    (void)state;
    memset(&message, 0, sizeof message);
    return 0;
}

static void assert_refused(int n_points, const char *words)
{
    const char *why = assay_message_judge(&message, n_points);

    assert_non_null(why);
    if (!strstr(why, words))
        fail_msg("\"%s\" does not say \"%s\"", why, words);
}

static void assert_taken(int n_points) { assert_null(assay_message_judge(&message, n_points)); }

static void places(void **state)
{
    (void)state;
    message.kind  = ASSAY_MESSAGE_DONE;
    message.place = 2;
    assert_taken(3);
    assert_refused(2, "a point that was not asked for");
    message.place = -1;
    assert_refused(3, "a point that was not asked for");
    message.place = 0;
    assert_taken(0);
    message.place = 1;
    assert_refused(0, "a point that was not asked for");
    message.place = INT32_MAX;
    assert_refused(3, "a point that was not asked for");
}

static void kinds(void **state)
{
    (void)state;
    assert_refused(1, "a message of unknown kind");
    message.kind = ASSAY_MESSAGE_FAILURE + 1;
    assert_refused(1, "a message of unknown kind");
    message.kind = ASSAY_MESSAGE_HELLO;
    assert_taken(0);
    memset(message.info.name, 'x', sizeof message.info.name);
    assert_refused(0, "a device");
}

static void notes(void **state)
{
    static const double wrong[] = { 0, -1, 1e300, INFINITY, (double)NAN };

    (void)state;
    message.kind         = ASSAY_MESSAGE_NOTE;
    message.note.limit_s = 400;
    assert_taken(1);
    memset(message.note.what, 'x', sizeof message.note.what);
    assert_refused(1, "a note");
    message.note.what[0] = '\0';
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        message.note.limit_s = wrong[i];
        assert_refused(1, "a note");
    }
}

static void rows(void **state)
{
    (void)state;
    message.kind = ASSAY_MESSAGE_ROW;
    for (int kind = 0; kind < ASSAY_N_ROWS; kind++) {
        const bool is_of_point = kind != ASSAY_ROW_CEILING && kind != ASSAY_ROW_SPIN;

        memset(&message.row, 0, sizeof message.row);
        message.row_kind = (assay_row_kind)kind;
        if (kind == ASSAY_ROW_COMPARISON) { /* only the parent makes these */
            assert_refused(1, "of unknown kind");
            continue;
        }
        assert_taken(is_of_point ? 1 : 0);
        assert_refused(is_of_point ? 0 : 1, "not asked for");
        memset(&message.row, 'x', sizeof message.row); /* no text has an end */
        assert_refused(is_of_point ? 1 : 0, "impossible");
    }
    message.row_kind = ASSAY_N_ROWS;
    assert_refused(1, "of unknown kind");
    message.row_kind = (assay_row_kind)-1;
    assert_refused(1, "of unknown kind");
}

static void values_that_pick_something(void **state)
{
    (void)state;
    message.kind                = ASSAY_MESSAGE_ROW;
    message.row_kind            = ASSAY_ROW_VERDICT;
    message.row.verdict.verdict = ASSAY_N_VERDICTS;
    assert_refused(1, "impossible");
    message.row.verdict.verdict                   = ASSAY_PASS;
    message.row.verdict.judged.of_draw[1].n_small = ASSAY_MAX_SMALL;
    assert_taken(1);
    message.row.verdict.judged.of_draw[1].n_small = ASSAY_MAX_SMALL + 1;
    assert_refused(1, "impossible");
    message.row.verdict.judged.of_draw[1].n_small        = 1;
    message.row.verdict.judged.of_draw[1].small[0].count = ASSAY_SMALL_OUTPUT + 1;
    assert_refused(1, "impossible");
    message.row.verdict.judged.of_draw[1].small[0].count  = ASSAY_SMALL_OUTPUT;
    message.row.verdict.judged.of_draw[1].small[0].buffer = -1;
    assert_refused(1, "impossible");
    message.row_kind = ASSAY_ROW_TRIAL;
    memset(&message.row, 0, sizeof message.row);
    message.row.trial.regime = ASSAY_N_REGIMES;
    assert_refused(1, "impossible");
    message.row.trial.regime = ASSAY_REGIME_E2E;
    message.row.trial.clock  = (assay_clock)-1;
    assert_refused(1, "impossible");
    message.row.trial.clock = ASSAY_CLOCK_HOST;
    assert_taken(1);
    message.row_kind = ASSAY_ROW_CHECK;
    memset(&message.row, 0, sizeof message.row);
    message.row.check.input = ASSAY_N_INPUTS;
    assert_refused(1, "impossible");
    message.row.check.input = ASSAY_INPUT_EXACT;
    message.row.check.rule  = ASSAY_RULE_OWN + 1;
    assert_refused(1, "impossible");
    message.row.check.rule   = ASSAY_RULE_OWN;
    message.row.check.growth = ASSAY_G_LINEAR + 1;
    assert_refused(1, "impossible");
    message.row.check.growth = ASSAY_G_LINEAR;
    assert_taken(1);
}

static void measurements(void **state)
{
    (void)state;
    message.kind                            = ASSAY_MESSAGE_MEASUREMENT;
    message.measurement.launches_per_sample = 1;
    assert_taken(1);
    assert_refused(0, "measurement");
    message.measurement.n_samples = -1;
    assert_refused(1, "measurement");
    message.measurement.n_samples = INT64_MAX;
    assert_refused(1, "measurement");
    message.measurement.n_samples = 1000000;
    message.measurement.n_blocks  = 1001;
    assert_refused(1, "measurement");
    message.measurement.n_blocks = -1;
    assert_refused(1, "measurement");
    message.measurement.n_blocks = 1000;
    assert_taken(1);
    message.measurement.clock = ASSAY_N_CLOCKS;
    assert_refused(1, "measurement");
    message.measurement.clock = ASSAY_CLOCK_EVENT;
    assert_taken(1);
    memset(message.measurement.nvml, 'x', sizeof message.measurement.nvml);
    assert_refused(1, "measurement");
}

static void calls_and_times_of_measurements(void **state)
{
    static const int64_t calls[] = { 0, -1, 1001, INT64_MAX };
    static const double  times[] = { -1, 1e300, INFINITY, (double)NAN };

    (void)state;
    message.kind = ASSAY_MESSAGE_MEASUREMENT;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        message.measurement.launches_per_sample = calls[i];
        assert_refused(1, "measurement");
    }
    message.measurement.launches_per_sample = 1000;
    assert_taken(1);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        message.measurement.wall_s = times[i];
        assert_refused(1, "measurement");
    }
    message.measurement.wall_s = 0.5;
    assert_taken(1);
}

static void failures(void **state)
{
    (void)state;
    message.kind = ASSAY_MESSAGE_FAILURE;
    assert_refused(1, "a failure of unknown kind"); /* the status in it is ASSAY_OK */
    message.failure.status = ASSAY_E_INTERNAL;
    assert_taken(1);
    message.failure.status = (assay_status)(ASSAY_E_INTERNAL + 1);
    assert_refused(1, "a failure of unknown kind");
    message.failure.status = ASSAY_E_DEVICE;
    memset(message.failure.text, 'x', sizeof message.failure.text);
    assert_refused(1, "a failure of unknown kind");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_over)
    const struct CMUnitTest tests[] = {
        TEST(places),
        TEST(kinds),
        TEST(notes),
        TEST(rows),
        TEST(values_that_pick_something),
        TEST(measurements),
        TEST(calls_and_times_of_measurements),
        TEST(failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
