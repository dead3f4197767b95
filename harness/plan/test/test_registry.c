/* Finding cases by the words that a user types. */
#include "plan/registry.h"
#include "testing/testing.h"
#include "testing/toy_case.h"

#include <string.h>

static void finds_by_name(void **state)
{
    (void)state;
    assert_int_equal(assay_registry_count(toy_cases), 3);
    assert_ptr_equal(assay_registry_find(toy_cases, "toy_shelf"), &toy_shelf);
    assert_null(assay_registry_find(toy_cases, "shelf"));
}

static void matches_by_group(void **state)
{
    (void)state;
    assert_true(assay_registry_matches(&toy_shelf, "shelf"));
    assert_false(assay_registry_matches(&toy_double, "shelf"));
    assert_int_equal(assay_registry_require(toy_cases, "shelf"), ASSAY_OK);
    assert_true(assay_registry_is_selftest(&toy_broken));
    assert_false(assay_registry_is_selftest(&toy_double));
}

static void names_the_nearest(void **state)
{
    (void)state;
    assert_failed_with(assay_registry_require(toy_cases, "toy_duoble"), ASSAY_E_USAGE,
                       "no case 'toy_duoble' (did you mean 'toy_double'?)");
    assert_int_equal(assay_registry_require(toy_cases, "zzzzzzzzzzzzzzz"), ASSAY_E_USAGE);
    assert_null(strstr(assay_status_message(), "did you mean"));
    assay_status_reset();
}

static void survives_long_words(void **state)
{
    char word[500];

    (void)state;
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_failed_with(assay_registry_require(toy_cases, word), ASSAY_E_USAGE, "there is no case");
    assert_failed_with(assay_registry_require(toy_cases, ""), ASSAY_E_USAGE, "there is no case ''");
}

static void counts_and_places(void **state)
{
    (void)state;
    assert_int_equal(assay_case_variant_count(&toy_double), 2);
    assert_int_equal(assay_case_axis_count(&toy_double), 2);
    assert_int_equal(assay_case_find_variant(&toy_double, "small"), 1);
    assert_int_equal(assay_case_find_variant(&toy_double, "large"), -1);
    assert_int_equal(assay_case_find_axis(&toy_double, "flavour"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_by_name),     cmocka_unit_test(matches_by_group),
        cmocka_unit_test(names_the_nearest), cmocka_unit_test(survives_long_words),
        cmocka_unit_test(counts_and_places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
