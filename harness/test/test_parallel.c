/* parallel: every element once, whatever the number of threads. */
#include "testing.h"

#include "parallel.h"

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
    assay_parallel_limit(5);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        memset(seen, 0, sizeof seen);
        assay_parallel_for(counts[k], 1000, mark, seen);
        for (int64_t i = 0; i < 123458; i++)
            assert_int_equal(seen[i], i < counts[k]);
        assert_int_equal(assay_parallel_chunks(counts[k], 1000), (counts[k] + 999) / 1000);
    }
    assay_parallel_limit(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallel_covers_everything_once),
    };

    return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
