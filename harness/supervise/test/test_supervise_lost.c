/* A request does not reach its worker: parent and worker must not wait for each other. */
#include "supervise_fixture.h"

#include "process/pipe.h"

/* The writes of this process that are lost, counted from 1; 0: all arrive. The nonce of a new
 * worker does not count. */
static int n_written, first_lost, last_lost;

/* The linker puts this function in front of the harness's. Half of a lost write arrives. */
assay_status __real_assay_pipe_write(int fd, const void *bytes, size_t size);
assay_status __wrap_assay_pipe_write(int fd, const void *bytes, size_t size);
assay_status __wrap_assay_pipe_write(int fd, const void *bytes, size_t size)
{
    n_written += size > sizeof(uint64_t);
    if (size == sizeof(uint64_t) || n_written < first_lost || n_written > last_lost)
        return __real_assay_pipe_write(fd, bytes, size);
    (void)__real_assay_pipe_write(fd, bytes, size / 2);
    return ASSAY_FAIL(ASSAY_E_IO, "cannot write to a pipe: no memory");
}

/* From here on the worker cannot answer. */
LAUNCHER(falls_silent, first_lost = 1; last_lost = 1000000)

CASE(case_lost, "steady");
CASE(case_silent, "falls_silent");

static const assay_case *const cases[] = { &case_lost, &case_silent, NULL };

static assay_case_table all_cases(void) { return cases; }

static void lose(int first, int last)
{
    n_written     = 0;
    first_lost    = first;
    last_lost     = last;
    options.times = false;
}

static const char *verdict(const fixture *f, const char *what)
{
    return of(f, "base", what, "JOIN verdict AS v USING (point_id)");
}

static void another_worker_gets_it(void **state)
{
    const fixture *f = *state;

    lose(1, 1);
    supervise(*state, &case_lost);
    assert_true(n_written > 1);
    assert_string_equal(verdict(f, "v.verdict"), "PASS");
    lose(0, 0);
}

/* The points of a request are lost, which follow the request. */
static void so_with_the_second_half(void **state)
{
    const fixture *f = *state;

    lose(2, 2);
    supervise(*state, &case_lost);
    assert_string_equal(verdict(f, "v.verdict"), "PASS");
    lose(0, 0);
}

/* Two workers for each point, and no verdict. */
static void none_gets_it(void **state)
{
    const fixture *f = *state;

    lose(1, 1000);
    supervise(*state, &case_lost);
    assert_string_equal(verdict(f, "count(*)"), "0");
    lose(0, 0);
}

/* The kernel is not to blame. */
static void an_answer_is_lost(void **state)
{
    const fixture *f = *state;

    options.times = false;
    supervise(*state, &case_silent);
    assert_string_equal(verdict(f, "v.verdict"), "PASS");
    assert_string_equal(of(f, "middle", "count(*)", "JOIN verdict AS v USING (point_id)"), "0");
    assert_string_equal(of(f, "last", "v.verdict", "JOIN verdict AS v USING (point_id)"), "PASS");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(another_worker_gets_it, start, tear_down),
        cmocka_unit_test_setup_teardown(so_with_the_second_half, start, tear_down),
        cmocka_unit_test_setup_teardown(none_gets_it, start, tear_down),
        cmocka_unit_test_setup_teardown(an_answer_is_lost, start, tear_down),
    };

    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return assay_main(argc, argv, cases);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
