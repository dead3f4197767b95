/* From selections to points. */
#include "plan/plan.h"
#include "testing/testing.h"
#include "testing/toy_case.h"

#include <string.h>

static const assay_selection everything = { .tiers = { true, true }, .seed = 5 };

/* Keys of the plan joined by spaces. */
static const char *keys_of(const assay_plan *plan)
{
    static char text[65536];

    text[0] = '\0';
    for (int64_t i = 0; i < plan->n; i++) {
        char key[ASSAY_KEY_SIZE];

        strcat(text, i ? " " : "");
        strcat(text, assay_point_key(&plan->points[i], key, sizeof key));
    }
    return text;
}

static void assert_plan(const assay_selection *selection, const char *expected)
{
    assay_plan plan;

    assert_int_equal(assay_plan_build(toy_cases, selection, &plan), ASSAY_OK);
    assert_string_equal(keys_of(&plan), expected);
    assay_plan_free(&plan);
    assert_null(plan.points);
}

static void one_variant_one_size(void **state)
{
    assay_selection s = everything;

    (void)state;
    s.cases[s.n_cases++]       = "toy_double";
    s.variants[s.n_variants++] = "small";
    s.axes[s.n_axes++]         = "n=3";
    assert_plan(&s, "toy_double/small/n=3/flavour=plain toy_double/small/n=3/flavour=odd");
}

/* Numbers and ranges as they are typed; a number that a range repeats counts once. */
static void numbers_and_ranges(void **state)
{
    assay_selection s = everything;

    (void)state;
    s.cases[s.n_cases++] = "shelf";
    s.axes[s.n_axes++]   = "n=2^4,1Ki,8..64*2,1e2";
    s.axes[s.n_axes++]   = "flavour=plain";
    assert_plan(&s, "toy_shelf/plain/n=16/flavour=plain toy_shelf/plain/n=1024/flavour=plain "
                    "toy_shelf/plain/n=8/flavour=plain toy_shelf/plain/n=32/flavour=plain "
                    "toy_shelf/plain/n=64/flavour=plain toy_shelf/plain/n=100/flavour=plain");
}

/* A peer is left out unless it is named or peers are requested. */
static void peers_are_asked_for(void **state)
{
    assay_case        with_peer = toy_shelf;
    const assay_case *cases[]   = { &with_peer, NULL };
    assay_selection   s         = everything;
    static const struct {
        const char *variant;
        bool        peers;
        const char *expected;
    } rows[] = {
        { NULL, false, "toy_shelf/plain/n=3/flavour=odd" },
        { NULL, true, "toy_shelf/plain/n=3/flavour=odd toy_shelf/torch/n=3/flavour=odd" },
        { "torch", false, "toy_shelf/torch/n=3/flavour=odd" },
        { "plain", false, "toy_shelf/plain/n=3/flavour=odd" },
        { "plain", true, "toy_shelf/plain/n=3/flavour=odd toy_shelf/torch/n=3/flavour=odd" },
    };

    (void)state;
    with_peer.variants[1] = (assay_variant) { .name = "torch", .peer = { "toy.py", "eager" } };
    s.axes[s.n_axes++]    = "n=3";
    s.axes[s.n_axes++]    = "flavour=odd";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assay_plan plan;

        s.variants[0] = rows[i].variant;
        s.n_variants  = rows[i].variant != NULL;
        s.peers       = rows[i].peers;
        assert_int_equal(assay_plan_build(cases, &s, &plan), ASSAY_OK);
        assert_string_equal(keys_of(&plan), rows[i].expected);
        assay_plan_free(&plan);
    }
}

static void a_value_given_twice_counts_once(void **state)
{
    assay_selection s = everything;

    (void)state;
    s.cases[s.n_cases++] = "shelf";
    s.axes[s.n_axes++]   = "n=3,3,3";
    s.axes[s.n_axes++]   = "flavour=odd,odd";
    assert_plan(&s, "toy_shelf/plain/n=3/flavour=odd");
}

static void sizes_beyond_counting_are_refused(void **state)
{
    assay_selection s = { .points   = { "toy_shelf/plain/n=281474976710657/flavour=plain" },
                          .n_points = 1 };
    assay_plan      plan;

    (void)state;
    assert_failed_with(assay_plan_build(toy_cases, &s, &plan), ASSAY_E_USAGE, "beyond 2^48");
    s.points[0] = "toy_shelf/plain/n=281474976710656/flavour=plain";
    assert_int_equal(assay_plan_build(toy_cases, &s, &plan), ASSAY_OK);
    assay_plan_free(&plan);
}

static const char *above_2_to_50(const assay_value *axis)
{
    return axis[0].i[0] > INT64_C(1) << 50 ? "n is counted up to 2^50" : NULL;
}

/* A case that never multiplies its numbers states its own limit, which replaces the limit on
 * their product. */
static void a_case_says_by_itself_what_it_cannot_count(void **state)
{
    assay_case              own     = toy_shelf;
    const assay_case *const cases[] = { &own, NULL };
    assay_selection         s = { .points = { "toy_shelf/plain/n=1125899906842624/flavour=plain" },
                                  .n_points = 1 };
    assay_plan              plan;

    (void)state;
    own.uncountable = above_2_to_50;
    assert_int_equal(assay_plan_build(cases, &s, &plan), ASSAY_OK);
    assay_plan_free(&plan);
    s.points[0] = "toy_shelf/plain/n=1125899906842625/flavour=plain";
    assert_failed_with(assay_plan_build(cases, &s, &plan), ASSAY_E_USAGE,
                       "n is counted up to 2^50");
}

static void an_excluded_point_is_refused(void **state)
{
    const assay_selection s = { .points = { "toy_shelf/plain/n=8/flavour=odd" }, .n_points = 1 };
    assay_plan            plan;

    (void)state;
    assert_failed_with(assay_plan_build(toy_cases, &s, &plan), ASSAY_E_USAGE,
                       "odd flavour wants odd n");
}

static void excluded_combinations_are_no_points(void **state)
{
    assay_selection s = everything;

    (void)state;
    s.cases[s.n_cases++] = "shelf";
    s.axes[s.n_axes++]   = "flavour=odd";
    assert_plan(&s, "toy_shelf/plain/n=3/flavour=odd");
}

static void variants_of_one_size_lie_together(void **state)
{
    assay_selection s = everything;

    (void)state;
    s.cases[s.n_cases++] = "toy_double";
    s.axes[s.n_axes++]   = "n=8,3";
    s.axes[s.n_axes++]   = "flavour=plain";
    assert_plan(&s, "toy_double/plain/n=8/flavour=plain toy_double/small/n=8/flavour=plain "
                    "toy_double/plain/n=3/flavour=plain toy_double/small/n=3/flavour=plain");
}

static void the_selftest_group_waits_to_be_named(void **state)
{
    assay_selection s = everything;
    assay_plan      plan;

    (void)state;
    assert_int_equal(assay_plan_build(toy_cases, &s, &plan), ASSAY_OK);
    assert_null(strstr(keys_of(&plan), "toy_broken"));
    assay_plan_free(&plan);
    s.cases[s.n_cases++] = "selftest";
    s.axes[s.n_axes++]   = "n=8";
    assert_plan(&s, "toy_broken/wrong/n=8/flavour=plain");
}

static void tiers_choose_sizes(void **state)
{
    assay_selection s = everything;

    (void)state;
    s.cases[s.n_cases++] = "shelf";
    s.tiers[ASSAY_QUICK] = false;
    assert_plan(&s, "toy_shelf/plain/n=4096/flavour=plain");
    s.tiers[ASSAY_QUICK] = true;
    s.tiers[ASSAY_FULL]  = false;
    assert_plan(&s, "toy_shelf/plain/n=0/flavour=plain toy_shelf/plain/n=3/flavour=plain "
                    "toy_shelf/plain/n=3/flavour=odd toy_shelf/plain/n=8/flavour=plain");
    /* a word is not a size: tiers still decide */
    s.axes[s.n_axes++] = "flavour=odd";
    assert_plan(&s, "toy_shelf/plain/n=3/flavour=odd");
    /* a size given by hand is used whatever its tier */
    s.axes[s.n_axes++] = "n=77";
    assert_plan(&s, "toy_shelf/plain/n=77/flavour=odd");
}

static void unknown_words_are_named(void **state)
{
    static const struct {
        const char *case_name, *variant, *axis, *words;
    } wrong[] = {
        { "toy_duble", NULL, NULL, "did you mean 'toy_double'" },
        { "toy_double", "smal", NULL,
          "no selected case has a variant 'smal' (did you mean 'small'?)" },
        { "toy_double", NULL, "flavor=odd", "axis 'flavor' (did you mean 'flavour'?)" },
        { "toy_double", NULL, "flavour=plane", "no value 'plane' (did you mean 'plain'?)" },
        { "toy_double", NULL, "n=-1", "takes a whole number, not '-1'" },
        { "toy_double", NULL, "n=12x", "takes a whole number" },
        { "toy_double", NULL, "n=99999999999999999999", "takes a whole number" },
        { "toy_double", NULL, "n=", "given no value" },
        { "toy_double", NULL, "n=1,000", "not '000'" },
        { "toy_double", NULL, "n=1,000", "a comma separates values, not thousands" },
        { "toy_double", NULL, "n=1,,2", "an empty value in '1,,2'" },
        { "toy_double", NULL, "n=1k..1M", "'1k..1M' is not a range of numbers such as 1k..1M*2" },
        { "toy_double", NULL, "n=1..2000+1", "'1..2000+1' has more than 1000 values" },
        { "toy_double", NULL, "n=1..2^50*2", "beyond 2^48" },
        { "toy_double", NULL, "flavour=odd..plain", "no value 'odd..plain'" },
        { "toy_double", NULL, "n=1,", "an empty value in '1,'" },
        { "toy_double", NULL, "n=,1", "an empty value in ',1'" },
        { "toy_double", NULL, "n", "not of the form AXIS=VALUE" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assay_selection s = everything;
        assay_plan      plan;

        s.cases[s.n_cases++] = wrong[i].case_name;
        if (wrong[i].variant)
            s.variants[s.n_variants++] = wrong[i].variant;
        if (wrong[i].axis)
            s.axes[s.n_axes++] = wrong[i].axis;
        assert_failed_with(assay_plan_build(toy_cases, &s, &plan), ASSAY_E_USAGE, wrong[i].words);
        assert_null(plan.points);
    }
}

/* An axis selects the cases that have it, unless cases are named. */
static void cases_without_the_axis_are_left_out(void **state)
{
    static assay_case        other, another;
    static const assay_case *cases[] = { &toy_broken, &toy_double, &other, &another, NULL };
    const assay_axis         m       = ASSAY_AXIS("m", ASSAY_AXIS_INT, ASSAY_Q(2));
    assay_selection          s       = everything;
    assay_plan               plan;

    (void)state;
    other = another = toy_double;
    other.name      = "other";
    another.name    = "another";
    other.excluded = another.excluded = NULL;
    other.axes[0] = another.axes[0] = m;
    s.variants[s.n_variants++]      = "plain";
    s.axes[s.n_axes++]              = "n=3";
    assert_int_equal(assay_plan_build(cases, &s, &plan), ASSAY_OK);
    assert_string_equal(keys_of(&plan),
                        "toy_double/plain/n=3/flavour=plain toy_double/plain/n=3/flavour=odd");
    assert_string_equal(plan.left_out, "left out, without such an axis: other, another");
    assay_plan_free(&plan);
    /* A case that is named is never left out. */
    s.cases[s.n_cases++] = "toy_double";
    s.cases[s.n_cases++] = "other";
    assert_int_equal(assay_plan_build(cases, &s, &plan), ASSAY_OK);
    assert_int_equal(plan.n, 4);
    assert_string_equal(plan.left_out, "");
    assay_plan_free(&plan);
    s.n_cases          = 0;
    s.axes[s.n_axes++] = "m=2";
    assert_failed_with(assay_plan_build(cases, &s, &plan), ASSAY_E_USAGE, "all the axes");
}

static void nothing_left_is_an_error(void **state)
{
    assay_selection s = everything;
    assay_plan      plan;

    (void)state;
    s.cases[s.n_cases++] = "toy_double";
    s.axes[s.n_axes++]   = "n=8";
    s.axes[s.n_axes++]   = "flavour=odd";
    assert_failed_with(assay_plan_build(toy_cases, &s, &plan), ASSAY_E_NOTHING,
                       "no point (tiers, axis values and variants together leave none; "
                       "'toy_double': odd flavour wants odd n)");
}

static void points_by_their_keys(void **state)
{
    assay_selection s = { .points   = { "toy_double/plain/n=8/flavour=plain",
                                        "toy_double/plain/n=9/flavour=plain",
                                        "toy_double/plain/n=8/flavour=plain" },
                          .n_points = 3,
                          .seed     = 9 };
    assay_plan      plan;

    (void)state;
    assert_int_equal(assay_plan_build(toy_cases, &s, &plan), ASSAY_OK);
    assert_int_equal(plan.n, 2); /* given twice, counted once */
    assert_int_equal(plan.points[0].seed, 9);
    assert_int_equal(plan.points[0].axis[0].i[0], 8);
    assert_int_equal(plan.points[1].axis[0].i[0], 9);
    assay_plan_free(&plan);
}

/* In whatever order points are given, they are sorted by case and axis values, each once. */
static void named_points_lie_with_their_group(void **state)
{
    assay_selection s = {
        .points   = { "toy_double/plain/n=8/flavour=plain", "toy_shelf/plain/n=3/flavour=odd",
                      "toy_double/plain/n=9/flavour=plain", "toy_double/small/n=8/flavour=plain",
                      "toy_double/plain/n=9/flavour=plain" },
        .n_points = 5
    };
    static const char *const expected[] = { "toy_double/plain/n=8/flavour=plain",
                                            "toy_double/small/n=8/flavour=plain",
                                            "toy_double/plain/n=9/flavour=plain",
                                            "toy_shelf/plain/n=3/flavour=odd" };
    assay_plan               plan;
    char                     key[ASSAY_KEY_SIZE];

    (void)state;
    assert_int_equal(assay_plan_build(toy_cases, &s, &plan), ASSAY_OK);
    assert_int_equal(plan.n, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(assay_point_key(&plan.points[i], key, sizeof key), expected[i]);
    assay_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_variant_one_size),
        cmocka_unit_test(numbers_and_ranges),
        cmocka_unit_test(peers_are_asked_for),
        cmocka_unit_test(a_value_given_twice_counts_once),
        cmocka_unit_test(sizes_beyond_counting_are_refused),
        cmocka_unit_test(a_case_says_by_itself_what_it_cannot_count),
        cmocka_unit_test(an_excluded_point_is_refused),
        cmocka_unit_test(excluded_combinations_are_no_points),
        cmocka_unit_test(variants_of_one_size_lie_together),
        cmocka_unit_test(the_selftest_group_waits_to_be_named),
        cmocka_unit_test(tiers_choose_sizes),
        cmocka_unit_test(unknown_words_are_named),
        cmocka_unit_test(cases_without_the_axis_are_left_out),
        cmocka_unit_test(nothing_left_is_an_error),
        cmocka_unit_test(points_by_their_keys),
        cmocka_unit_test(named_points_lie_with_their_group),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
