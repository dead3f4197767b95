/* From made-up activity records to times and launches: which records belong to a sample, what is
 * missing, what differs from call to call. */
#include "recorder_fixture.h"

/* ---- times ---- */

static void own_kernels_are_told_by_their_names(void **state)
{
    (void)state;
    flush();
    gate();
    clock_end();
    kernel("assay_timed_copy", 10);
    (void)put(ASSAY_ACTIVITY_MEMCPY, "assay_own_gate", 10); /* it is no kernel */
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
    (void)put(ASSAY_ACTIVITY_SYNC, "synchronize", 100000); /* the host waits: no work */
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

/* The kernel that starts last may not be the one that ends last. */
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
    assert_none(1); /* it could be either sample */
    assert_none(3);
    assert_times((const double[]) { 3000, 3000 }, 2);
    gate(); /* of a third sample, whose records end here */
    assert_none(2);
    kernel(axpy(), 3000);
    assert_none(2);
    assert_none(3);
}

/* Sample 2 of 3 lacks its gate, then its clock reading. */
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
    for (int i = 0; i < 2; i++) /* each round replaces the launches of the round before */
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
        TEST(the_recorder_collects_a_round),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
