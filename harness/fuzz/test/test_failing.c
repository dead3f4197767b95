/* The list of points that fuzz has found. */
#include "fuzz/failing.h"
#include "testing/testing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(path, sizeof path, "/tmp/found-%d.txt", (int)getpid());
    (void)unlink(path);
    return 0;
}

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void what_is_added_is_read(void **state)
{
    assay_failing found;

    (void)state;
    assert_int_equal(assay_failing_read(path, &found), ASSAY_OK); /* there is no file */
    assert_int_equal(found.n, 0);
    assert_int_equal(assay_failing_add(path, "axpy/vec4/n=701", UINT64_MAX), ASSAY_OK);
    assert_int_equal(assay_failing_add(path, "axpy/naive/n=3", 0), ASSAY_OK);
    assert_int_equal(assay_failing_read(path, &found), ASSAY_OK);
    assert_int_equal(found.n, 2);
    assert_string_equal(found.points[0].key, "axpy/vec4/n=701");
    assert_true(found.points[0].seed == UINT64_MAX);
    assert_true(found.points[1].seed == 0);
    assay_failing_free(&found);
    assay_failing_free(&found);
    assay_failing_free(NULL);
}

static void comments_and_empty_lines(void **state)
{
    assay_failing found;

    (void)state;
    write_file("# by hand\n\n  axpy/naive/n=3   7  \r\n#axpy/naive/n=4 1");
    assert_int_equal(assay_failing_read(path, &found), ASSAY_OK);
    assert_int_equal(found.n, 1);
    assert_true(found.points[0].seed == 7);
    assay_failing_free(&found);
}

static void what_is_no_point(void **state)
{
    static const char *const lines[] = { "axpy/naive/n=3\n", "axpy/naive/n=3 x\n",
                                         "axpy/naive/n=3 1 2\n", "axpy/naive/n=3 -1\n",
                                         "axpy/naive/n=3 18446744073709551616\n" };
    assay_failing            found;

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        write_file(lines[i]);
        assert_int_equal(assay_failing_read(path, &found), ASSAY_E_USAGE);
        assert_non_null(strstr(assay_status_message(), ":1: a line is a point and its seed"));
        assay_status_reset();
        assert_int_equal(found.n, 0);
    }
    assert_int_equal(assay_failing_add("/nowhere/x.txt", "k", 1), ASSAY_E_IO);
    assay_status_reset();
}

static int tear_down(void **state)
{
    (void)state;
    (void)unlink(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_added_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(comments_and_empty_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_point, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
