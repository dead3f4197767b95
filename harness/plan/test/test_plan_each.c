/* A few points of each variant: the largest that it can run, in the order of the plan. */
#include "testing/testing.h"

#include "plan/plan.h"
#include "testing/toy_case.h"

#include <string.h>

static assay_plan planned(int n)
{
    assay_selection everything = { .tiers = { true, true }, .seed = 5 };
    assay_plan      plan;

    everything.axes[everything.n_axes++] = "n=7,1000,3,100,1000000";
    assert_int_equal(assay_plan_build(toy_cases, &everything, &plan), ASSAY_OK);
    if (n > 0)
        assert_int_equal(assay_plan_keep_each(&plan, n), ASSAY_OK);
    return plan;
}

static bool is_same_variant(const assay_point *a, const assay_point *b)
{
    return a->definition == b->definition && a->variant == b->variant;
}

static int64_t count_of(const assay_plan *plan, const assay_point *of)
{
    int64_t n = 0;

    for (int64_t i = 0; i < plan->n; i++)
        n += is_same_variant(&plan->points[i], of);
    return n;
}

static void each_variant_keeps_as_many(void **state)
{
    assay_plan whole = planned(0);

    (void)state;
    for (int n = 1; n <= 3; n++) {
        assay_plan few = planned(n);

        for (int64_t i = 0; i < whole.n; i++)
            assert_int_equal(
                count_of(&few, &whole.points[i]),
                count_of(&whole, &whole.points[i]) < n ? count_of(&whole, &whole.points[i]) : n);
        assay_plan_free(&few);
    }
    assay_plan_free(&whole);
}

static bool is_in(const assay_plan *plan, const assay_point *point)
{
    char key[ASSAY_KEY_SIZE], other[ASSAY_KEY_SIZE];

    (void)assay_point_key(point, key, sizeof key);
    for (int64_t i = 0; i < plan->n; i++)
        if (strcmp(assay_point_key(&plan->points[i], other, sizeof other), key) == 0)
            return true;
    return false;
}

static void what_is_left_out_is_no_larger(void **state)
{
    assay_plan whole = planned(0), few = planned(2);

    (void)state;
    for (int64_t i = 0; i < whole.n; i++) {
        if (is_in(&few, &whole.points[i]) || assay_point_unsupported(&whole.points[i]))
            continue;
        for (int64_t k = 0; k < few.n; k++)
            if (is_same_variant(&few.points[k], &whole.points[i])) {
                assert_null(assay_point_unsupported(&few.points[k]));
                assert_true(assay_point_device_bytes(&few.points[k]) >=
                            assay_point_device_bytes(&whole.points[i]));
            }
    }
    assay_plan_free(&whole);
    assay_plan_free(&few);
}

static void more_than_there_are_is_all(void **state)
{
    assay_plan whole = planned(0), all = planned(1000), none = { .points = NULL };

    (void)state;
    assert_int_equal(all.n, whole.n);
    assert_int_equal(assay_plan_keep_each(&none, 1), ASSAY_OK);
    assert_int_equal(none.n, 0);
    assay_plan_free(&whole);
    assay_plan_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_variant_keeps_as_many),
        cmocka_unit_test(what_is_left_out_is_no_larger),
        cmocka_unit_test(more_than_there_are_is_all),
    };

    return cmocka_run_group_tests_name("plan_each", tests, NULL, NULL);
}
