/* Tuning axes of a variant in points, keys and plans. */
#include "plan/plan.h"
#include "testing/testing.h"
#include "testing/toy_case.h"

#include <stdio.h>
#include <string.h>

/* toy_double with kernels: "plain" with two tuning axes, "small" with none. */
static assay_case              tuned;
static const assay_case *const tuned_cases[] = { &tuned, NULL };
static const assay_tuning      block_axis    = ASSAY_TUNING("block", 256, 64, 128);
static const assay_tuning      tile_axis     = ASSAY_TUNING("tile", 8, 16);

static int make_tuned(void **state)
{
    (void)state;
    tuned                       = toy_double;
    tuned.variants[0].cpu       = NULL;
    tuned.variants[0].launch    = "plain";
    tuned.variants[0].tuning[0] = block_axis;
    tuned.variants[0].tuning[1] = tile_axis;
    return 0;
}

#define TUNED "toy_double/plain/n=8/flavour=plain"

static void combinations_count_with_the_last_axis_fastest(void **state)
{
    static const char *const texts[] = { "block=256,tile=8", "block=256,tile=16",
                                         "block=64,tile=8",  "block=64,tile=16",
                                         "block=128,tile=8", "block=128,tile=16" };
    assay_point              point;
    char                     text[ASSAY_TUNING_SIZE];

    (void)state;
    assert_int_equal(assay_point_parse(tuned_cases, TUNED, &point), ASSAY_OK);
    assert_int_equal(assay_point_tuning_count(&tuned.variants[0]), 6);
    for (int64_t i = 0; i < 6; i++) {
        memset(point.tune, 0x55, sizeof point.tune);
        assay_point_tune(&point, i);
        assert_string_equal(assay_point_tuning_text(&point, text, sizeof text), texts[i]);
        assert_int_equal(point.tune[2], 0);
        assert_int_equal(point.tune[3], 0);
    }
}

/* The combinations of each choice. EXTREMES has those of least and greatest values only, and the
 * default, whose values are neither here. */
static void a_choice_takes_combinations(void **state)
{
    static const struct {
        assay_tuning_choice choice;
        const char         *combinations;
    } rows[] = {
        { ASSAY_TUNING_DEFAULT, "0" },
        { ASSAY_TUNING_EXTREMES, "0 7 8 10 11" },
        { ASSAY_TUNING_ALL, "0 1 2 3 4 5 6 7 8 9 10 11" },
    };
    assay_variant variant = { .name   = "any",
                              .launch = "any",
                              .tuning = { ASSAY_TUNING("block", 128, 64, 32, 256),
                                          ASSAY_TUNING("tile", 16, 12, 24) } };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        char   text[128] = "";
        size_t used      = 0;

        for (int64_t i = 0; i < assay_point_tuning_count(&variant); i++)
            if (assay_point_tuning_is_chosen(&variant, i, rows[r].choice))
                used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", used ? " " : "",
                                         (int)i);
        assert_string_equal(text, rows[r].combinations);
    }
}

static void a_plan_has_a_point_for_each_chosen_combination(void **state)
{
    const assay_selection    s      = { .cases   = { "toy_double" },
                                        .n_cases = 1,
                                        .axes    = { "n=8", "flavour=plain" },
                                        .n_axes  = 2,
                                        .tiers   = { true, true },
                                        .tuning  = ASSAY_TUNING_EXTREMES };
    static const char *const keys[] = { TUNED, TUNED "/tile=16", TUNED "/block=64",
                                        TUNED "/block=64/tile=16",
                                        "toy_double/small/n=8/flavour=plain" };
    assay_plan               plan;

    (void)state;
    assert_int_equal(assay_plan_build(tuned_cases, &s, &plan), ASSAY_OK);
    assert_int_equal(plan.n, sizeof keys / sizeof keys[0]);
    for (int64_t i = 0; i < plan.n; i++) {
        char key[ASSAY_KEY_SIZE];

        assert_string_equal(assay_point_key(&plan.points[i], key, sizeof key), keys[i]);
        assert_true(plan.points[i].names_tuning);
    }
    assay_plan_free(&plan);
}

static void a_variant_without_tuning_has_one_combination(void **state)
{
    assay_point point;
    char        text[ASSAY_TUNING_SIZE] = "?";

    (void)state;
    assert_int_equal(assay_point_parse(tuned_cases, "toy_double/small/n=8/flavour=plain", &point),
                     ASSAY_OK);
    assert_int_equal(assay_point_tuning_count(&tuned.variants[1]), 1);
    assay_point_tune(&point, 0);
    assert_string_equal(assay_point_tuning_text(&point, text, sizeof text), "");
    assert_int_equal(point.tune[0], 0);
}

static void keys_name_what_is_not_the_default(void **state)
{
    static const struct {
        const char *key, *printed, *tuning;
    } keys[] = {
        { TUNED, TUNED, "block=256,tile=8" },
        { TUNED "/block=64", TUNED "/block=64", "block=64,tile=8" },
        { TUNED "/tile=16", TUNED "/tile=16", "block=256,tile=16" },
        { TUNED "/block=128/tile=16", TUNED "/block=128/tile=16", "block=128,tile=16" },
        { TUNED "/tile=16/block=128", TUNED "/block=128/tile=16", "block=128,tile=16" },
        { TUNED "/block=256/tile=8", TUNED, "block=256,tile=8" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assay_point point;
        char        key[ASSAY_KEY_SIZE], text[ASSAY_TUNING_SIZE];

        assert_int_equal(assay_point_parse(tuned_cases, keys[i].key, &point), ASSAY_OK);
        assert_string_equal(assay_point_key(&point, key, sizeof key), keys[i].printed);
        assert_string_equal(assay_point_tuning_text(&point, text, sizeof text), keys[i].tuning);
    }
}

/* Every combination, converted there and back. */
static void combinations_come_back_from_their_keys(void **state)
{
    assay_point point, back;
    char        key[ASSAY_KEY_SIZE];

    (void)state;
    assert_int_equal(assay_point_parse(tuned_cases, TUNED, &point), ASSAY_OK);
    for (int64_t i = 0; i < assay_point_tuning_count(&tuned.variants[0]); i++) {
        assay_point_tune(&point, i);
        assert_int_equal(
            assay_point_parse(tuned_cases, assay_point_key(&point, key, sizeof key), &back),
            ASSAY_OK);
        assert_memory_equal(back.tune, point.tune, sizeof point.tune);
    }
}

static void broken_tuning_in_a_key_is_named(void **state)
{
    static const struct {
        const char *key, *words;
    } wrong[] = {
        { TUNED "/blok=64", "no tuning axis 'blok' (did you mean 'block'?)" },
        { TUNED "/", "no tuning axis ''" },
        { TUNED "/=64", "no tuning axis ''" },
        { TUNED "/n=8", "no tuning axis 'n'" },
        { TUNED "/block", "tuning axis 'block' has no value '': it has 256, 64, 128" },
        { TUNED "/block=", "no value ''" },
        { TUNED "/block=65", "no value '65'" },
        { TUNED "/block=64x", "no value '64x'" },
        { TUNED "/block= 64", "no value ' 64'" },
        { TUNED "/block=+64", "no value '+64'" },
        { TUNED "/block=18446744073709551680", "no value '18446744073709551680'" },
        { TUNED "/block=64=64", "no value '64=64'" },
        { TUNED "/block=64/block=64", "'block' is given twice" },
        { "toy_double/small/n=8/flavour=plain/block=64", "2 axes, not more" },
        { "toy_double/plain/n=8/block=64/flavour=plain", "needs 'flavour=...' as part 4" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assay_point point;

        assert_failed_with(assay_point_parse(tuned_cases, wrong[i].key, &point), ASSAY_E_USAGE,
                           wrong[i].words);
    }
}

static void plans_take_the_defaults(void **state)
{
    const assay_selection s = { .axes = { "n=8" }, .n_axes = 1, .tiers = { true, true } };
    assay_plan            plan;
    char                  key[ASSAY_KEY_SIZE];

    (void)state;
    assert_int_equal(assay_plan_build(tuned_cases, &s, &plan), ASSAY_OK);
    assert_int_equal(plan.n, 2);
    assert_int_equal(plan.points[0].tune[0], 256);
    assert_int_equal(plan.points[0].tune[1], 8);
    assert_int_equal(plan.points[1].tune[0], 0);
    assert_string_equal(assay_point_key(&plan.points[0], key, sizeof key), TUNED);
    assay_plan_free(&plan);
}

static void tuning_is_no_axis_of_a_selection(void **state)
{
    const assay_selection s = { .axes = { "block=64" }, .n_axes = 1, .tiers = { true, true } };
    assay_plan            plan;

    (void)state;
    assert_failed_with(assay_plan_build(tuned_cases, &s, &plan), ASSAY_E_USAGE,
                       "'block' is a tuning axis: --point takes it");
}

/* The key is that of the defaults, whatever values the point is run with. */
static void a_choice_is_taken_beside_the_key(void **state)
{
    assay_point point, run;
    char        key[ASSAY_KEY_SIZE], text[ASSAY_TUNING_SIZE];

    (void)state;
    assert_int_equal(assay_point_parse(tuned_cases, TUNED, &point), ASSAY_OK);
    run = assay_point_as_run(&point);
    assert_string_equal(assay_point_tuning_text(&run, text, sizeof text), "block=256,tile=8");
    assert_true(assay_point_tuning_take(&point, "tile=16,block=64"));
    assert_true(point.is_tuned);
    assert_string_equal(assay_point_key(&point, key, sizeof key), TUNED);
    run = assay_point_as_run(&point);
    assert_string_equal(assay_point_tuning_text(&run, text, sizeof text), "block=64,tile=16");
    assert_string_equal(assay_point_key(&run, key, sizeof key), TUNED "/block=64/tile=16");
}

/* A choice is used only if the program still has all its axes and values. */
static void a_choice_that_is_no_more_is_not_taken(void **state)
{
    static const char *const gone[] = {
        "",          "block=64",         "tile=8",          "block=65,tile=8",
        "block=64,", "block=64,tile=8,", "block=64,warp=1", "block=64,tile=8,warp=1",
        ",",         "block=64,block=64"
    };
    assay_point point;
    char        key[ASSAY_KEY_SIZE];

    (void)state;
    assert_int_equal(assay_point_parse(tuned_cases, TUNED, &point), ASSAY_OK);
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
        assert_false(assay_point_tuning_take(&point, gone[i]));
    assert_false(point.is_tuned);
    assert_string_equal(assay_point_key(&point, key, sizeof key), TUNED);
    assert_string_equal(assay_status_message(), "");
    assert_int_equal(assay_point_parse(tuned_cases, "toy_double/small/n=8/flavour=plain", &point),
                     ASSAY_OK);
    assert_false(assay_point_tuning_take(&point, ""));
    assert_false(assay_point_tuning_take(&point, "block=64"));
}

/* This holds for default values too, which its key does not show. */
static void a_point_knows_whether_it_was_given_values(void **state)
{
    assay_point point;

    (void)state;
    assert_int_equal(assay_point_parse(tuned_cases, TUNED, &point), ASSAY_OK);
    assert_false(point.names_tuning);
    assert_int_equal(assay_point_parse(tuned_cases, TUNED "/tile=8", &point), ASSAY_OK);
    assert_true(point.names_tuning);
}

static void points_are_found_by_their_keys(void **state)
{
    static const char *const keys[] = { TUNED "/tile=16", TUNED,
                                        "toy_double/small/n=8/flavour=plain" };
    assay_point              points[3];
    assay_plan_index         index;

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(assay_point_parse(tuned_cases, keys[i], &points[i]), ASSAY_OK);
    assert_int_equal(assay_plan_index_make(points, 3, &index), ASSAY_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(assay_plan_index_find(&index, keys[i]), i);
    assert_int_equal(assay_plan_index_find(&index, TUNED "/block=64"), -1);
    assert_int_equal(assay_plan_index_find(&index, ""), -1);
    assay_plan_index_free(&index);
    assay_plan_index_free(&index);
    assay_plan_index_free(NULL);
    assert_int_equal(assay_plan_index_make(points, 0, &index), ASSAY_OK);
    assert_int_equal(assay_plan_index_find(&index, TUNED), -1);
    assay_plan_index_free(&index);
}

/* The longest key that a sound definition can have fits. */
static void the_longest_key_fits(void **state)
{
    static const char longest[] = "x23456789012345678901234567890123456789012345678901234567890123";
    static const assay_value word[] = { ASSAY_WORD(0, longest) };
    char                     names[ASSAY_MAX_AXES][sizeof longest];
    assay_point              point = { .definition = &tuned };
    char                     key[ASSAY_KEY_SIZE];

    (void)state;
    for (int a = 0; a < ASSAY_MAX_AXES; a++) {
        memcpy(names[a], longest, sizeof longest);
        names[a][0]   = (char)('a' + a);
        tuned.axes[a] = (assay_axis) {
            .name = names[a], .kind = ASSAY_AXIS_TEXT, .values = word, .n_values = 1
        };
        point.axis[a] = word[0];
    }
    tuned.name                  = longest;
    tuned.variants[0].name      = longest;
    tuned.variants[0].tuning[0] = (assay_tuning)ASSAY_TUNING(longest, 1, 9);
    tuned.variants[0].tuning[1] = (assay_tuning)ASSAY_TUNING(longest + 4, 1, 9);
    assay_point_tune(&point, 3);
    assert_int_equal(strlen(assay_point_key(&point, key, sizeof key)), 1279);
    assert_string_equal(key + strlen(key) - 4, "23=9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(combinations_count_with_the_last_axis_fastest, make_tuned),
        cmocka_unit_test(a_choice_takes_combinations),
        cmocka_unit_test_setup(a_plan_has_a_point_for_each_chosen_combination, make_tuned),
        cmocka_unit_test_setup(a_variant_without_tuning_has_one_combination, make_tuned),
        cmocka_unit_test_setup(keys_name_what_is_not_the_default, make_tuned),
        cmocka_unit_test_setup(combinations_come_back_from_their_keys, make_tuned),
        cmocka_unit_test_setup(broken_tuning_in_a_key_is_named, make_tuned),
        cmocka_unit_test_setup(plans_take_the_defaults, make_tuned),
        cmocka_unit_test_setup(tuning_is_no_axis_of_a_selection, make_tuned),
        cmocka_unit_test_setup(a_choice_is_taken_beside_the_key, make_tuned),
        cmocka_unit_test_setup(a_choice_that_is_no_more_is_not_taken, make_tuned),
        cmocka_unit_test_setup(a_point_knows_whether_it_was_given_values, make_tuned),
        cmocka_unit_test_setup(points_are_found_by_their_keys, make_tuned),
        cmocka_unit_test_setup(the_longest_key_fits, make_tuned),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
