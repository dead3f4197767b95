/* kept_memory: which requests get an old block again, and which do not. */
#include "testing/testing.h"

#include "base/kept_memory.h"

#include <string.h>

enum {
    MIB = 1 << 20
};

static void a_block_given_back_is_taken_again(void **state)
{
    char *first = assay_kept_take(4 * MIB), *second;

    (void)state;
    assert_non_null(first);
    memset(first, 1, 4 * MIB);
    second = assay_kept_take(4 * MIB);
    assert_ptr_not_equal(first, second); /* the first is in use */
    assay_kept_give(first);
    assert_ptr_equal(assay_kept_take(4 * MIB - 1), first);
    assay_kept_give(first);
    assay_kept_give(second);
    assay_kept_release();
}

static void the_smallest_that_fits_is_taken(void **state)
{
    void *large = assay_kept_take(6 * MIB), *middle = assay_kept_take(5 * MIB), *other;

    (void)state;
    assay_kept_give(large);
    assay_kept_give(middle);
    assert_ptr_equal(assay_kept_take(4 * MIB), middle);
    assert_ptr_equal(assay_kept_take(4 * MIB), large);
    assay_kept_give(middle);
    assay_kept_give(large);
    other = assay_kept_take(2 * MIB); /* more than half of either block would be wasted */
    assert_ptr_not_equal(other, middle);
    assert_ptr_not_equal(other, large);
    assay_kept_give(other);
    other = assay_kept_take(7 * MIB); /* neither block is large enough */
    memset(other, 1, 7 * MIB);
    assay_kept_give(other);
    assay_kept_release();
}

static void nothing_is_lost_at_the_ends(void **state)
{
    void *many[400];

    (void)state;
    assay_kept_give(NULL);
    assay_kept_release();
    for (size_t i = 0; i < 400; i++) { /* more than are kept */
        many[i] = assay_kept_take(i % 2 ? MIB : 0);
        assert_non_null(many[i]);
    }
    for (size_t i = 0; i < 400; i++)
        memset(many[i], 1, i % 2 ? MIB : 0);
    assay_kept_release(); /* all blocks are in use */
    for (size_t i = 0; i < 400; i++)
        assay_kept_give(many[i]);
    assay_kept_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_given_back_is_taken_again),
        cmocka_unit_test(the_smallest_that_fits_is_taken),
        cmocka_unit_test(nothing_is_lost_at_the_ends),
    };

    return cmocka_run_group_tests_name("kept_memory", tests, NULL, NULL);
}
