/* Recording: the kernels of a call; long calls, and calls that differ. */
#include "recorder_fixture.h"

/* ---- launches ---- */

static char why[160];

/* Returns the number of launches of a call, and the first four of them. */
static int launches(assay_launch_row *first)
{
    assay_launch_row *rows;
    int               n;

    assert_int_equal(assay_record_launches(records, n_records, &rows, &n, why, sizeof why),
                     ASSAY_OK);
    for (int i = 0; i < n && i < 4; i++)
        first[i] = rows[i];
    if (n == 0)
        assert_null(rows);
    assert_true((n == 0) == (why[0] != '\0')); /* `why` has a reason only if there are none */
    free(rows);
    return n;
}

static void launches_of_one_call(void **state)
{
    assay_launch_row rows[4];

    (void)state;
    for (int i = 0; i < 5; i++) {
        flush();
        gate();
        (void)put(ASSAY_ACTIVITY_MEMSET, "memset", 500);
        kernel(axpy(), 3000 + 10 * ((i * 2) % 5)); /* 3000, 3020, 3040, 3010, 3030 */
        clock_end();
    }
    assert_int_equal(launches(rows), 2);
    assert_string_equal(rows[0].kernel, "memset");
    assert_int_equal(rows[0].ordinal, 0);
    assert_true(rows[0].time_ns == 500);
    assert_string_equal(rows[1].kernel, axpy());
    assert_int_equal(rows[1].ordinal, 1);
    assert_true(rows[1].time_ns == 3020); /* the median */
    assert_int_equal(rows[1].grid[0], 128);
    assert_int_equal(rows[1].grid[1], 2);
    assert_int_equal(rows[1].block[0], 256);
    assert_int_equal(rows[1].registers, 40);
    assert_int_equal(rows[1].local_bytes, 8);
    assert_int_equal(rows[1].static_shared_bytes, 1024);
    assert_int_equal(rows[1].dynamic_shared_bytes, 2048);
    assert_string_equal(rows[1].code_hash, "9f86d081884c7d65");
}

/* A trace begins like this: opening the device closes a gate that no work follows. */
static void a_gate_with_nothing_behind_it_is_no_call(void **state)
{
    assay_launch_row rows[4];

    (void)state;
    gate();
    flush();
    clock_end();
    for (int i = 0; i < 2; i++)
        sample(3000);
    assert_int_equal(launches(rows), 1);
    assert_true(rows[0].time_ns == 3000);
}

static void calls_that_differ_have_no_launches(void **state)
{
    assay_launch_row rows[4];

    (void)state;
    assert_int_equal(launches(rows), 0);
    assert_non_null(strstr(why, "no call"));
    for (int what = 1; what < 5; what++) {
        (void)start_over(state);
        sample(3000);
        gate();
        kernel(what == 1 ? "_Z3sumPf" : axpy(), 3000);
        if (what == 2)
            kernel(axpy(), 3000); /* once more */
        if (what == 3)
            records[n_records - 1].grid[0] = 64;
        if (what == 4)
            records[n_records - 1].block[2] = 2;
        clock_end();
        assert_int_equal(launches(rows), 0);
    }
}

static void names_are_cut(void **state)
{
    static char      long_name[600];
    assay_launch_row rows[4];

    (void)state;
    memset(long_name, 'x', sizeof long_name - 1);
    for (int i = 0; i < 2; i++) {
        gate();
        kernel(long_name, 100);
        (void)put(ASSAY_ACTIVITY_MEMCPY, NULL, 50);
        kernel(axpy(), 100);
        clock_end();
    }
    assert_int_equal(launches(rows), 3);
    assert_int_equal(strlen(rows[0].kernel), sizeof rows[0].kernel - 1);
    assert_string_equal(rows[1].kernel, "");
}

static void call_of(int n)
{
    gate();
    for (int i = 0; i < n; i++)
        kernel(axpy(), 100 + i);
    clock_end();
}

/* A long call is kept whole. A call beyond the limit is not kept at all, and the reason says so. */
static void long_calls(void **state)
{
    assay_launch_row  first[4];
    assay_launch_row *rows;
    int               n;

    for (int i = 0; i < 3; i++)
        call_of(1000);
    assert_int_equal(assay_record_launches(records, n_records, &rows, &n, why, sizeof why),
                     ASSAY_OK);
    assert_int_equal(n, 1000);
    assert_int_equal(rows[999].ordinal, 999);
    assert_true(rows[0].time_ns == 100 && rows[999].time_ns == 1099);
    free(rows);
    (void)start_over(state);
    call_of(ASSAY_MAX_LAUNCHES);
    assert_int_equal(launches(first), ASSAY_MAX_LAUNCHES);
    (void)start_over(state);
    call_of(ASSAY_MAX_LAUNCHES + 1);
    assert_int_equal(launches(first), 0);
    assert_non_null(strstr(why, "4097 kernels"));
}

/* The work of all calls, whether they are equal or not. */
static void the_work_of_all_calls(void **state)
{
    assay_activity *work;
    int64_t         n, n_calls;

    (void)state;
    gate(); /* of opening the device */
    flush();
    clock_end();
    kernel("outside", 50);
    call_of(2);
    call_of(3);
    assert_int_equal(assay_record_work(records, n_records, &work, &n, &n_calls), ASSAY_OK);
    assert_int_equal(n_calls, 2);
    assert_int_equal(n, 5);
    for (int64_t i = 0; i < n; i++)
        assert_string_equal(work[i].name, axpy());
    free(work);
    assert_int_equal(assay_record_work(records, 0, &work, &n, &n_calls), ASSAY_OK);
    assert_int_equal(n, 0);
    assert_int_equal(n_calls, 0);
    free(work);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_over)
    const struct CMUnitTest tests[] = {
        TEST(launches_of_one_call),
        TEST(a_gate_with_nothing_behind_it_is_no_call),
        TEST(calls_that_differ_have_no_launches),
        TEST(names_are_cut),
        TEST(long_calls),
        TEST(the_work_of_all_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
