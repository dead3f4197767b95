/* Records what a real GPU does. Without a GPU, or without CUPTI, it exits with 77. */
#define _POSIX_C_SOURCE 200809L
#include "gpu_test.h"

#include "base/demangle.h"
#include "trace/trace_internal.h"

#include "testing/strict_json.h"

enum {
    MAX_LAUNCHES  = 1000,
    CLOCK_SLIP_NS = 1000000, /* the GPU's clock is interpolated to the host's */
};

static const assay_cupti_api *cupti;
static const assay_activity  *records;
static int64_t                n_records, n_dropped;

static void check_cupti(assay_status st, const char *what)
{
    if (st != ASSAY_OK)
        fail_msg("%s: %s: %s", what, assay_status_text(st), cupti->message());
}

/* Recording begins before the device is opened. */
static int begin(void **state, bool with_api)
{
    char why[512];

    cupti = assay_cupti_load(why, sizeof why);
    if (!cupti) {
        print_message("%s\n", why);
        return -1;
    }
    if (cupti->activity_start(with_api) != ASSAY_OK) {
        print_message("activity_start: %s\n", cupti->message());
        return -1;
    }
    return setup(state);
}

static int begin_with_api(void **state) { return begin(state, true); }

static int begin_without_api(void **state) { return begin(state, false); }

static int end(void **state)
{
    (void)teardown(state);
    cupti->activity_stop();
    return 0;
}

static void collect(void)
{
    check_cupti(cupti->activity_collect(&records, &n_records, &n_dropped), "activity_collect");
    assert_int_equal(n_dropped, 0);
    for (int64_t i = 0; i < n_records; i++) {
        assert_true(records[i].start_ns <= records[i].end_ns);
        assert_true(i == 0 || records[i - 1].start_ns <= records[i].start_ns);
    }
}

/* Number of records of this kind and, unless it is NULL, of this short name. */
static int64_t count_of(assay_activity_kind kind, const char *name, const assay_activity **first)
{
    char    text[64];
    int64_t n = 0;

    for (int64_t i = n_records - 1; i >= 0; i--) {
        const assay_activity *record = &records[i];

        if (record->kind != kind ||
            (name && strcmp(assay_demangle_short(record->name, text, sizeof text), name) != 0))
            continue;
        *first = record;
        n++;
    }
    return n;
}

static void activity_of_two_kernels_and_a_memset(void **state)
{
    const assay_activity *kernel = NULL, *fill = NULL, *call = NULL;

    (void)state;
    assert_int_equal(run(test_nothing), ASSAY_FAULT_NONE);
    collect(); /* drops the records of opening the device */
    const int64_t from_ns = cupti->now_ns();

    assert_int_equal(run(test_two_kernels), ASSAY_FAULT_NONE);
    const int64_t to_ns = cupti->now_ns();

    collect();
    assert_int_equal(count_of(ASSAY_ACTIVITY_KERNEL, "nothing", &kernel), 2);
    assert_int_equal(count_of(ASSAY_ACTIVITY_MEMSET, NULL, &fill), 1);
    print_message("kernel %s: %lld ns, %u registers, code %s\n", kernel->name,
                  (long long)(kernel->end_ns - kernel->start_ns), kernel->registers,
                  kernel->code_hash);
    assert_true(kernel->start_ns > from_ns - CLOCK_SLIP_NS &&
                kernel->end_ns < to_ns + CLOCK_SLIP_NS);
    assert_true(kernel->start_ns < kernel->end_ns);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(kernel->grid[i], 1);
        assert_int_equal(kernel->block[i], 1);
    }
    assert_int_equal(kernel->process, getpid());
    assert_int_equal(strspn(kernel->code_hash, "0123456789abcdef"), 16);
    assert_int_equal(fill->bytes, 256);
    assert_int_equal(fill->stream, kernel->stream);
    assert_true(count_of(ASSAY_ACTIVITY_API, NULL, &call) >= 3);
    assert_true(count_of(ASSAY_ACTIVITY_SYNC, NULL, &call) >= 1);
    collect();
    assert_int_equal(count_of(ASSAY_ACTIVITY_KERNEL, NULL, &kernel), 0);
}

static void activity_without_calls(void **state)
{
    const assay_activity *first = NULL;

    (void)state;
    for (int i = 0; i < MAX_LAUNCHES; i++)
        assert_ok(api->enqueue(device, test_add_one, &args, &fault));
    assert_ok(api->wait(device, &fault));
    collect();
    assert_int_equal(count_of(ASSAY_ACTIVITY_KERNEL, "add_one", &first), MAX_LAUNCHES);
    assert_int_equal(count_of(ASSAY_ACTIVITY_API, NULL, &first), 0);
    assert_int_equal(count_of(ASSAY_ACTIVITY_SYNC, NULL, &first), 0);
}

/* Copies in both directions, with their sizes. */
static void activity_of_copies(void **state)
{
    const assay_activity *first      = NULL;
    unsigned char         bytes[256] = { 0 };

    (void)state;
    collect();
    assert_ok(api->upload(device, buffer[0], bytes, sizeof bytes));
    assert_ok(api->download(device, bytes, buffer[0], 128));
    collect();
    assert_int_equal(count_of(ASSAY_ACTIVITY_MEMCPY, "memcpy HtoD", &first), 1);
    assert_int_equal(first->bytes, 256);
    assert_int_equal(count_of(ASSAY_ACTIVITY_MEMCPY, "memcpy DtoH", &first), 1);
    assert_int_equal(first->bytes, 128);
}

static void activity_starts_again(void **state)
{
    const assay_activity *first = NULL;

    (void)state;
    cupti->activity_stop();
    assert_int_equal(run(test_add_one), ASSAY_FAULT_NONE);
    check_cupti(cupti->activity_start(false), "activity_start");
    assert_int_equal(run(test_nothing), ASSAY_FAULT_NONE);
    collect();
    assert_int_equal(count_of(ASSAY_ACTIVITY_KERNEL, "nothing", &first), 1);
    assert_int_equal(count_of(ASSAY_ACTIVITY_KERNEL, "add_one", &first), 0);
}

static void activity_as_a_trace(void **state)
{
    assay_trace_span span = { "two kernels", "launch", cupti->now_ns(), 0, 0 };
    char            *text = NULL;
    size_t           size = 0;
    FILE            *out  = open_memstream(&text, &size);

    (void)state;
    assert_non_null(out);
    collect();
    for (int i = 0; i < 3; i++)
        assert_int_equal(run(test_two_kernels), ASSAY_FAULT_NONE);
    span.end_ns = cupti->now_ns();
    collect();
    assert_int_equal(assay_trace_write(out, &span, 1, records, (size_t)n_records, NULL), ASSAY_OK);
    assert_int_equal(fclose(out), 0);
    assert_true(json_is_valid(text));
    assert_non_null(strstr(text, "\"name\":\"nothing\",\"cat\":\"kernel\""));
    /* Six kernels and three fills; each is joined to its call. */
    int n_arrows = 0;

    for (const char *at = strstr(text, "\"ph\":\"f\""); at; at = strstr(at + 1, "\"ph\":\"f\""))
        n_arrows++;
    if (n_arrows < 9)
        fail_msg("%d arrows in: %s", n_arrows, text);
    free(text);
}

#define ACTIVITY_TEST(name, start) cmocka_unit_test_setup_teardown(name, start, end)

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        ACTIVITY_TEST(activity_of_two_kernels_and_a_memset, begin_with_api),
        ACTIVITY_TEST(activity_without_calls, begin_without_api),
        ACTIVITY_TEST(activity_of_copies, begin_without_api),
        ACTIVITY_TEST(activity_starts_again, begin_without_api),
        ACTIVITY_TEST(activity_as_a_trace, begin_with_api),
    };
    char why[512];

    if (!assay_cupti_load(why, sizeof why)) {
        (void)printf("skipped: %s\n", why);
        return SKIPPED;
    }
    return run_gpu_tests(tests, sizeof tests / sizeof tests[0], argc, argv);
}
