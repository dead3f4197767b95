/* Facts about what the host of a peer did: own times, numbers of calls. */
#include "run/run_internal.h"
#include "testing/testing.h"

#include <math.h>
#include <string.h>

static struct {
    assay_metric_row rows[64];
    int              n;
} told;

static assay_status keep_row(void *context, int place, assay_row_kind kind, const void *row)
{
    (void)context, (void)place;
    assert_int_equal(kind, ASSAY_ROW_METRIC);
    assert_true(told.n < 64);
    memcpy(&told.rows[told.n++], row, sizeof told.rows[0]);
    return ASSAY_OK;
}

static void tell(const assay_activity *first, int64_t n_first, const assay_activity *later,
                 int64_t n_later)
{
    static const assay_sink sink = { .row = keep_row };
    const progress          p    = { .sink = &sink };

    memset(&told, 0, sizeof told);
    assert_int_equal(assay_run_put_host(&p, first, n_first, later, n_later), ASSAY_OK);
}

/* NaN: it was not reported. */
static double value_of(const char *name)
{
    for (int i = 0; i < told.n; i++)
        if (strcmp(told.rows[i].name, name) == 0)
            return told.rows[i].value;
    return NAN;
}

static assay_activity record(assay_activity_kind kind, const char *name, int64_t start_ns,
                             int64_t end_ns)
{
    return (assay_activity) {
        .kind = kind, .name = name, .start_ns = start_ns, .end_ns = end_ns, .thread = 7
    };
}

static void what_lies_within_is_taken_off(void **state)
{
    const assay_activity records[] = {
        record(ASSAY_ACTIVITY_RANGE, "part", 0, 1000),
        record(ASSAY_ACTIVITY_OPERATION, "conv", 100, 700),
        record(ASSAY_ACTIVITY_API, "launch", 200, 500),
        record(ASSAY_ACTIVITY_KERNEL, "kernel", 600, 2000),
    };

    (void)state;
    tell(records, 4, NULL, 0);
    assert_true(value_of("traced_first_call_ns") == 2000);
    assert_true(value_of("traced_first_call_ns in part") == 400);
    assert_true(value_of("traced_first_call_ns in conv") == 300);
    assert_true(value_of("traced_first_call_ns in launch") == 300);
    assert_true(isnan(value_of("traced_first_call_ns in kernel")));
}

/* If clocks differ, only the common part is subtracted, and no time is below 0. */
static void what_ends_later_overlaps(void **state)
{
    const assay_activity records[] = {
        record(ASSAY_ACTIVITY_RANGE, "part", 0, 1000),
        record(ASSAY_ACTIVITY_API, "launch", 900, 5000),
    };

    (void)state;
    tell(records, 2, NULL, 0);
    assert_true(value_of("traced_first_call_ns in part") == 900);
    assert_true(value_of("traced_first_call_ns in launch") == 4100);
}

/* Levels beyond 64 count as part of the last one. */
static void the_deepest_are_one(void **state)
{
    assay_activity records[70];

    (void)state;
    for (int i = 0; i < 70; i++)
        records[i] = record(ASSAY_ACTIVITY_OPERATION,
                            i < 63    ? "outer"
                            : i == 63 ? "last"
                                      : "inner",
                            i, 1000 - i);
    tell(records, 70, NULL, 0);
    assert_true(value_of("traced_first_call_ns in outer") == 126);
    assert_true(value_of("traced_first_call_ns in last") == 1000 - 126);
    assert_true(isnan(value_of("traced_first_call_ns in inner")));
}

/* If there are more than twelve calls, the most frequent ones are reported. */
static void the_most_frequent_calls_are_told(void **state)
{
    static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g",
                                         "h", "i", "j", "k", "l", "m" };
    assay_activity           records[15];

    (void)state;
    for (int i = 0; i < 13; i++)
        records[i] = record(ASSAY_ACTIVITY_API, names[i], 10 * i, 10 * i + 1);
    records[13] = record(ASSAY_ACTIVITY_API, "m", 130, 131);
    records[14] = record(ASSAY_ACTIVITY_OPERATION, "conv", 140, 141);
    tell(NULL, 0, records, 15);
    assert_int_equal(told.n, 12);
    assert_true(value_of("calls of m") == 2);
    assert_true(isnan(value_of("calls of conv")));
}

static void nothing(void **state)
{
    (void)state;
    tell(NULL, 0, NULL, 0);
    assert_int_equal(told.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_within_is_taken_off),
        cmocka_unit_test(what_ends_later_overlaps),
        cmocka_unit_test(the_deepest_are_one),
        cmocka_unit_test(the_most_frequent_calls_are_told),
        cmocka_unit_test(nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
