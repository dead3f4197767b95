/* From made-up activity records to times and launches: what is a sample's, what is missing, what
 * differs from call to call. */
#include "recorder.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- records, written down one after the other ---- */

static assay_activity records[8192];
static int64_t        n_records, now_ns;

static assay_activity *put(assay_activity_kind kind, const char *name, int64_t ns)
{
    assay_activity *r = &records[n_records++];

    assert_true(n_records < (int64_t)(sizeof records / sizeof records[0]));
    *r = (assay_activity) { .kind = kind, .name = name, .start_ns = now_ns, .end_ns = now_ns + ns };
    now_ns += ns + 100; /* a gap behind it */
    return r;
}

static void gate(void) { (void)put(ASSAY_ACTIVITY_KERNEL, "_Z14assay_own_gatePVj", 5000); }
static void clock_end(void) { (void)put(ASSAY_ACTIVITY_KERNEL, "assay_own_clock(Clock*)", 900); }
static void flush(void) { (void)put(ASSAY_ACTIVITY_KERNEL, "assay_own_flush_write", 35000); }
static const char *axpy(void) { return "_Z4axpyPKfPfi"; }

static void kernel(const char *name, int64_t ns)
{
    assay_activity *r = put(ASSAY_ACTIVITY_KERNEL, name, ns);

    r->grid[0] = 128, r->grid[1] = 2, r->grid[2] = 1;
    r->block[0] = 256, r->block[1] = r->block[2] = 1;
    r->registers            = 40;
    r->local_bytes          = 8;
    r->static_shared_bytes  = 1024;
    r->dynamic_shared_bytes = 2048;
    (void)strcpy(r->code_hash, "9f86d081884c7d65");
}

static void sample(int64_t ns)
{
    flush();
    gate();
    kernel(axpy(), ns);
    clock_end();
}

static int start_over(void **state)
{
    (void)state;
    n_records = 0;
    now_ns    = 1000000;
    return 0;
}

static void assert_times(const double *expected, int64_t n)
{
    double found[8] = { -1, -1, -1, -1, -1, -1, -1, -1 };

    assay_record_times(records, n_records, 0, found, n);
    for (int64_t i = 0; i < n; i++)
        if (isnan(expected[i]) ? !isnan(found[i]) : found[i] != expected[i])
            fail_msg("sample %d: %g, expected %g", (int)i, found[i], expected[i]);
    assert_true(found[n] == -1); /* no more than asked for */
}

static void assert_none(int64_t n)
{
    static const double none[7] = { NAN, NAN, NAN, NAN, NAN, NAN, NAN };

    assert_times(none, n);
}

/* ---- times ---- */

static void own_kernels_are_told_by_their_names(void **state)
{
    (void)state;
    flush();
    gate();
    clock_end();
    kernel("assay_timed_copy", 10);
    (void)put(ASSAY_ACTIVITY_MEMCPY, "assay_own_gate", 10); /* no kernel */
    (void)put(ASSAY_ACTIVITY_KERNEL, NULL, 10);
    for (int i = 0; i < 6; i++)
        assert_int_equal(assay_record_is_own(&records[i]), i < 3);
}

static void a_sample_lies_between_gate_and_clock(void **state)
{
    (void)state;
    kernel(axpy(), 77777); /* of a warm-up without a gate */
    (void)put(ASSAY_ACTIVITY_MEMCPY, "memcpy DtoD", 400);
    sample(3000);
    (void)put(ASSAY_ACTIVITY_MEMCPY, "memcpy DtoD", 400); /* restores the inputs */
    sample(3100);
    sample(2900);
    kernel(axpy(), 55555);
    assert_times((const double[]) { 3000, 3100, 2900 }, 3);
    n_records = 0;
    assay_record_times(records, 0, 0, NULL, 0);
}

static void a_call_of_several_runs_from_first_to_last(void **state)
{
    (void)state;
    gate();
    (void)put(ASSAY_ACTIVITY_MEMSET, "memset", 500);
    kernel(axpy(), 3000);
    (void)put(ASSAY_ACTIVITY_SYNC, "synchronize", 100000); /* the host's: no work */
    now_ns -= 100100;
    (void)put(ASSAY_ACTIVITY_API, "cudaLaunchKernel_v7000", 90000);
    now_ns -= 90100;
    (void)put(ASSAY_ACTIVITY_OVERHEAD, "buffer flush", 80000);
    now_ns -= 80100;
    kernel("_Z3sumPf", 2000);
    (void)put(ASSAY_ACTIVITY_MEMCPY, "memcpy DtoD", 700);
    clock_end();
    assert_times((const double[]) { 500 + 100 + 3000 + 100 + 2000 + 100 + 700 }, 1);
}

/* The one that starts last need not end last. */
static void kernels_that_overlap(void **state)
{
    (void)state;
    gate();
    kernel(axpy(), 9000);
    now_ns -= 8000;
    kernel("_Z3sumPf", 2000);
    now_ns += 10000;
    clock_end();
    assert_times((const double[]) { 9000 }, 1);
}

static void a_sample_without_work_is_unknown(void **state)
{
    (void)state;
    sample(3000);
    gate();
    clock_end();
    sample(2900);
    assert_times((const double[]) { 3000, NAN, 2900 }, 3);
}

static void gates_and_samples_must_be_as_many(void **state)
{
    (void)state;
    assert_none(3); /* no record at all */
    sample(3000);
    sample(3000);
    assert_none(1); /* which of the two? */
    assert_none(3);
    assert_times((const double[]) { 3000, 3000 }, 2);
    gate(); /* of a third one, that ended there */
    assert_none(2);
    kernel(axpy(), 3000);
    assert_none(2);
    assert_none(3);
}

/* Sample 2 of 3 without its gate, and without its clock reading. */
static void a_lost_gate_or_clock_spoils_the_round(void **state)
{
    (void)state;
    sample(3000);
    kernel(axpy(), 3000);
    clock_end();
    sample(3000);
    assert_none(3);
    assert_none(2);
    (void)start_over(state);
    sample(3000);
    gate();
    kernel(axpy(), 3000);
    sample(3000);
    assert_none(3);
    assert_none(2);
}

static void lost_records_spoil_the_round(void **state)
{
    double time_ns[2] = { 1, 2 };

    (void)state;
    sample(3000);
    sample(3100);
    assay_record_times(records, n_records, 1, time_ns, 2);
    assert_true(isnan(time_ns[0]) && isnan(time_ns[1]));
}

/* ---- launches ---- */

static char why[160];

/* How many there are of a call; the first four of them. */
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
    assert_true((n == 0) == (why[0] != '\0')); /* a reason, or none is needed */
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

/* As a trace begins: opening the device closes a gate with nothing behind it. */
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

/* A long call is kept whole; one beyond all measure not at all, and that is said. */
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

/* What the calls consist of, whether they are alike or not. */
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

/* ---- the recorder ---- */

static assay_status collect_status;
static int64_t      dropped;

static assay_status collect(const assay_activity **r, int64_t *n, int64_t *n_dropped)
{
    *r         = records;
    *n         = n_records;
    *n_dropped = dropped;
    return collect_status;
}

static const char *message(void) { return "the tracer is out of buffers"; }

static void the_recorder_collects_a_round(void **state)
{
    const assay_cupti_api cupti  = { .activity_collect = collect, .message = message };
    assay_record_source  *source = calloc(1, sizeof *source);
    double                time_ns[2];

    (void)state;
    assert_non_null(source);
    source->cupti  = &cupti;
    collect_status = ASSAY_OK;
    dropped        = 0;
    sample(3000);
    sample(3100);
    for (int i = 0; i < 2; i++) /* each round replaces what the one before kept */
        assert_int_equal(assay_record_collect(source, time_ns, 2), ASSAY_OK);
    assert_true(time_ns[0] == 3000 && time_ns[1] == 3100);
    assert_int_equal(source->n_launches, 1);
    assert_string_equal(source->launches[0].kernel, axpy());
    dropped = 1;
    assert_int_equal(assay_record_collect(source, time_ns, 2), ASSAY_OK);
    assert_true(isnan(time_ns[0]));
    collect_status = ASSAY_E_DEVICE;
    assert_failed_with(assay_record_collect(source, time_ns, 2), ASSAY_E_DEVICE, "out of buffers");
    assay_record_source_free(source);
    assay_record_source_free(NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_over)
    const struct CMUnitTest tests[] = {
        TEST(own_kernels_are_told_by_their_names),
        TEST(a_sample_lies_between_gate_and_clock),
        TEST(a_call_of_several_runs_from_first_to_last),
        TEST(kernels_that_overlap),
        TEST(a_sample_without_work_is_unknown),
        TEST(gates_and_samples_must_be_as_many),
        TEST(a_lost_gate_or_clock_spoils_the_round),
        TEST(lost_records_spoil_the_round),
        TEST(launches_of_one_call),
        TEST(a_gate_with_nothing_behind_it_is_no_call),
        TEST(calls_that_differ_have_no_launches),
        TEST(names_are_cut),
        TEST(long_calls),
        TEST(the_work_of_all_calls),
        TEST(the_recorder_collects_a_round),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
