/* check_definition: tuning axes of a variant, one by one and all together. */
#include "definition_fixture.h"

static void test_tuning(void **state)
{
    static const char name[] = "a23456789012345678901234567890123456789012345678901234567890";

    (void)state;
    ACCEPTED(variants[0].tuning[0],
             (assay_tuning)ASSAY_TUNING("block", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, INT64_MAX));
    REFUSED("variant 'naive': tuning 'block' has too many", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("block", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
    REFUSED("tuning '' has no proper name", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("", 1));
    REFUSED("tuning 'a/b' has no proper name", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("a/b", 1));
    REFUSED("tuning 'kind' has the name of an axis", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("kind", 1));
    REFUSED("tuning 'block' has no values", variants[0].tuning[0],
            (assay_tuning) { "block", NULL, 1 });
    REFUSED("tuning 'block' has no values", variants[0].tuning[0],
            (assay_tuning) { "block", &(const int64_t) { 1 }, 0 });
    REFUSED("tuning 'block' has a value that is not above 0", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("block", 256, 0));
    REFUSED("tuning 'block' has a value that is not above 0", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("block", -1));
    REFUSED("tuning 'block' has the same value twice", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("block", 64, 128, 64));
    REFUSED("variant 'cpu': tuning: only a variant that is launched", variants[1].tuning[0],
            (assay_tuning)ASSAY_TUNING("block", 256));
    ACCEPTED(variants[0].tuning[0], (assay_tuning)ASSAY_TUNING(name, 1));
}

/* Rules for all axes of a variant together. */
static void test_tunings_together(void **state)
{
    const assay_tuning block = ASSAY_TUNING("block", 1, 2, 3, 4, 5, 6, 7, 8);
    const assay_tuning tile  = ASSAY_TUNING("tile", 1, 2, 3, 4, 5, 6, 7, 8);
    assay_case         c     = sound;

    (void)state;
    c.variants[0].tuning[0] = block;
    c.variants[0].tuning[1] = block;
    expect_refused(&c, "tuning 'block' is listed twice");
    c.variants[0].tuning[1] = tile;
    c.variants[0].tuning[2] = (assay_tuning)ASSAY_TUNING("warps", 1, 2, 3, 4);
    assert_int_equal(assay_check_definition(&c), ASSAY_OK);
    c.variants[0].tuning[2] = (assay_tuning)ASSAY_TUNING("warps", 1, 2, 3, 4, 5);
    expect_refused(&c, "320 combinations are more than 256");
    for (int t = 0; t <= ASSAY_MAX_TUNING; t++)
        c.variants[0].tuning[t] = tile;
    expect_refused(&c, "tuning: more than 4 axes");
}

/* The text of a combination has 127 characters at most: "name=value,name=value". */
static void test_tuning_text(void **state)
{
    static const char first[]  = "a2345678901234567890123456789012345678901234567890123456789012";
    static const char second[] = "b234567890123456789012345678901234567890123456789012345678901";
    assay_case        c        = sound;

    (void)state;
    c.variants[0].tuning[0] = (assay_tuning)ASSAY_TUNING(first, 7);  /* 64 characters */
    c.variants[0].tuning[1] = (assay_tuning)ASSAY_TUNING(second, 1); /* the comma and 63 */
    expect_refused(&c, "names and values together are too long");
    c.variants[0].tuning[1].name = second + 1;
    assert_int_equal(assay_check_definition(&c), ASSAY_OK);
    c.variants[0].tuning[1] = (assay_tuning)ASSAY_TUNING(second + 1, 1, 10);
    expect_refused(&c, "names and values together are too long");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tuning),
        cmocka_unit_test(test_tunings_together),
        cmocka_unit_test(test_tuning_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
