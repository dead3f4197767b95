/* Inputs from a file: their digest is a fact of the point, and a file that does not fit gives no
 * verdict. */
#include "testing/run_fixture.h"

#include <stdio.h>
#include <unistd.h>

static const char *const path = "test_run_files.bin";

static void from_file(const assay_value *axis, assay_input input, assay_shape *s)
{
    shape(axis, input, s);
    s->buf[0].fill = (assay_fill)ASSAY_FROM_FILE(path);
}

static void write_file(float first)
{
    float x[N];
    FILE *file = fopen(path, "wb");

    for (int i = 0; i < N; i++)
        x[i] = first + (float)i;
    assert_non_null(file);
    assert_int_equal(fwrite(x, sizeof *x, N, file), N);
    assert_int_equal(fclose(file), 0);
}

LAUNCHER(breaks, y[3] += 1)

static int start(void **state)
{
    (void)start_over(state);
    toy             = toy_start;
    toy.prepare     = NULL;
    toy.shape       = from_file;
    toy.variants[0] = (assay_variant) { .name = "v", .launch = "right" };
    return 0;
}

static int stop(void **state)
{
    (void)state;
    (void)unlink(path);
    return 0;
}

static assay_status check(void)
{
    const assay_sink  to_seen = { .note = see_note, .row = see_row };
    const assay_point point   = point_of(0, N, false);
    assay_status      st;

    memset(&seen, 0, sizeof seen);
    open_runner();
    st = assay_run_point(&runner, &point, &to_seen);
    close_runner();
    return st;
}

static double check_value(void)
{
    assert_int_equal(check(), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_PASS);
    assert_int_equal(seen.n_metrics, 1); /* from one class, and only for x */
    assert_string_equal(seen.metrics[0].name, "file.x");
    assert_string_equal(seen.metrics[0].replay, "input");
    assert_string_equal(seen.metrics[0].status, "ok");
    return seen.metrics[0].value;
}

static void contents_are_a_fact(void **state)
{
    double value;

    (void)state;
    write_file(1);
    value = check_value();
    assert_true(value > 0 && value < 0x1p48 && value == floor(value));
    assert_true(check_value() == value);
    write_file(2);
    assert_true(check_value() != value);
}

static void a_wrong_kernel_leaves_none(void **state)
{
    (void)state;
    write_file(1);
    toy.variants[0].launch = "breaks";
    assert_int_equal(check(), ASSAY_OK);
    assert_int_equal(seen.verdict.verdict, ASSAY_WRONG_VALUE);
    assert_int_equal(seen.n_metrics, 0);
}

/* A reference that gives no expectation is refused as well. */
static void without_a_word_of_the_reference_there_is_no_verdict(void **state)
{
    (void)state;
    write_file(1);
    leaves_all_open = true;
    assert_int_equal(check(), ASSAY_E_CASE);
    assert_non_null(strstr(assay_status_message(), "judges no element of any output"));
    assert_int_equal(seen.n_verdicts, 0);
    assay_status_reset();
}

static void without_its_file_there_is_no_verdict(void **state)
{
    (void)state;
    assert_int_equal(check(), ASSAY_E_CASE);
    assert_non_null(strstr(assay_status_message(), "cannot open test_run_files.bin"));
    assert_int_equal(seen.n_verdicts, 0);
    assay_status_reset();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(contents_are_a_fact),
        TEST(a_wrong_kernel_leaves_none),
        TEST(without_a_word_of_the_reference_there_is_no_verdict),
        TEST(without_its_file_there_is_no_verdict),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
