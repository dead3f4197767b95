/* Inputs that several processes share: they are found again, and never used if they are damaged. */
#include "run/inputs_shared.h"
#include "testing/run_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    PAGE   = 4096,
    WIDTH  = 20000,
    WIDE   = 1200000, /* long enough for several threads to copy */
    RECORD = PAGE + (2 * 4 * WIDTH + PAGE - 1) / PAGE * PAGE /* x and z */
};

static assay_inputs shared, own;
static int          fd, n_prepared;

static void count(const assay_prepare_args *args)
{
    n_prepared++;
    prepare(args);
}

static int start(void **state)
{
    (void)state;
    toy         = toy_start;
    toy.prepare = count;
    n_prepared  = 0;
    fd          = memfd_create("test", MFD_CLOEXEC);
    return fd > 0 ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    assay_inputs_free(&shared);
    assay_inputs_free(&own);
    return close(fd);
}

static void make(assay_inputs *inputs, int64_t n, assay_input input, uint64_t seed, int from)
{
    assay_point point = point_of(0, n, true);

    point.seed = seed;
    assay_inputs_free(inputs);
    assert_int_equal(assay_inputs_make(inputs, &point, input, from), ASSAY_OK);
}

/* Asserts that the inputs are right, and whether they were made or found. */
static void assert_got(int64_t n, assay_input input, uint64_t seed, bool is_made)
{
    const int before = n_prepared;

    make(&shared, n, input, seed, fd);
    assert_int_equal(n_prepared - before, is_made);
    make(&own, n, input, seed, 0);
    for (int b = 0; b < own.n_buffers; b++) {
        assert_int_equal(shared.initial[b] != NULL, own.initial[b] != NULL);
        if (own.initial[b])
            assert_memory_equal(shared.initial[b], own.initial[b],
                                assay_buffer_bytes(&own.shape.buf[b]));
    }
}

static void what_was_made_is_found(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, again == 0);
        assert_got(WIDTH, ASSAY_INPUT_RANDOM, 8, again == 0);
        assert_got(WIDTH, ASSAY_INPUT_EXACT, 7, again == 0);
        assert_got(WIDTH - 1, ASSAY_INPUT_RANDOM, 7, again == 0);
        assert_got(0, ASSAY_INPUT_RANDOM, 7, again == 0);
        assert_got(1, ASSAY_INPUT_RANDOM, 7, again == 0);
    }
}

static void what_is_long_is_found_whole(void **state)
{
    (void)state;
    assert_got(WIDE, ASSAY_INPUT_RANDOM, 7, true);
    assert_got(WIDE, ASSAY_INPUT_RANDOM, 7, false);
}

static void another_case_has_its_own(void **state)
{
    (void)state;
    assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, true);
    toy.name = "toys";
    assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, true);
    assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, false);
}

static void without_a_file_they_are_made(void **state)
{
    (void)state;
    make(&shared, N, ASSAY_INPUT_RANDOM, 7, 0);
    make(&shared, N, ASSAY_INPUT_RANDOM, 7, 0);
    assert_int_equal(n_prepared, 2);
}

static void an_emptied_file_is_empty(void **state)
{
    (void)state;
    assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, true);
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, true);
    assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, false);
}

/* One bit changed anywhere: in the head, in the contents, at their ends. */
static void what_is_damaged_is_made_again(void **state)
{
    static const off_t places[] = {
        0, 8, 71, 200, 300, PAGE, PAGE + 4 * WIDTH, PAGE + 8 * WIDTH - 1
    };

    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        unsigned char byte;

        assert_int_equal(ftruncate(fd, 0), 0);
        assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, true);
        assert_got(WIDTH, ASSAY_INPUT_RANDOM, 8, true);
        assert_int_equal(pread(fd, &byte, 1, places[i]), 1);
        byte ^= 1;
        assert_int_equal(pwrite(fd, &byte, 1, places[i]), 1);
        assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, true);
        assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, false);
        assert_got(WIDTH, ASSAY_INPUT_RANDOM, 8, false);
    }
}

static void a_torn_file_is_made_again(void **state)
{
    static const off_t sizes[] = {
        1, 200, PAGE, PAGE + 1, RECORD - PAGE, RECORD + 100, RECORD + PAGE
    };

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, true);
        assert_got(WIDTH, ASSAY_INPUT_RANDOM, 8, true);
        assert_int_equal(ftruncate(fd, sizes[i]), 0);
        assert_got(WIDTH, ASSAY_INPUT_RANDOM, 8, true);
        assert_got(WIDTH, ASSAY_INPUT_RANDOM, 8, false);
    }
}

/* Nothing is reported: the next process makes them, too. */
static void a_file_that_takes_nothing(void **state)
{
    char      path[64];
    const int writable = fd;

    (void)state;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", writable);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd > 0);
    assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, true);
    assert_got(WIDTH, ASSAY_INPUT_RANDOM, 7, true);
    assert_int_equal(close(writable), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(what_was_made_is_found),    TEST(what_is_long_is_found_whole),
        TEST(another_case_has_its_own),  TEST(without_a_file_they_are_made),
        TEST(an_emptied_file_is_empty),  TEST(what_is_damaged_is_made_again),
        TEST(a_torn_file_is_made_again), TEST(a_file_that_takes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
