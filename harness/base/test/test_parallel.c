/* parallel: every element is handled once, for any number of threads. */
#include "testing/testing.h"

#include "base/parallel.h"

#include <dirent.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

static void mark(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    uint8_t *seen = context;

    assert_true(begin == chunk * 1000 && end > begin && end - begin <= 1000);
    for (int64_t i = begin; i < end; i++)
        seen[i]++;
}

static void test_parallel_covers_everything_once(void **state)
{
    static const int64_t counts[] = { 0, 1, 999, 1000, 1001, 123457 };
    static uint8_t       seen[123458];

    (void)state;
    assay_parallel_limit(5, 0);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        memset(seen, 0, sizeof seen);
        assay_parallel_for(counts[k], 1000, mark, seen);
        for (int64_t i = 0; i < 123458; i++)
            assert_int_equal(seen[i], i < counts[k]);
        assert_int_equal(assay_parallel_chunks(counts[k], 1000), (counts[k] + 999) / 1000);
    }
    assay_parallel_limit(0, -1);
}

/* The number of threads of this process, including those of a sanitizer. */
static int count_threads(void)
{
    DIR *const tasks = opendir("/proc/self/task");
    int        n     = 0;

    assert_non_null(tasks);
    for (const struct dirent *e = readdir(tasks); e; e = readdir(tasks))
        n += e->d_name[0] != '.';
    assert_int_equal(closedir(tasks), 0);
    return n;
}

static void count(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    _Atomic int *most = context;
    const int    n    = count_threads();

    (void)chunk, (void)begin, (void)end;
    if (n > atomic_load(most))
        atomic_store(most, n);
}

/* A process that is bound to one processor uses one thread. */
static void test_parallel_keeps_to_its_processors(void **state)
{
    _Atomic int most = 0;
    cpu_set_t   before, one;
    size_t      first = 0;
    const int   alone = count_threads();

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assay_parallel_for(100, 1, count, &most);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(most, alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallel_covers_everything_once),
        cmocka_unit_test(test_parallel_keeps_to_its_processors),
    };

    return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
