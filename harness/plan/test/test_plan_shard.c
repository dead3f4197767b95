/* Shards of a plan: together they are the plan, no point is in two, and all cost about the same. */
#include "testing/testing.h"

#include "plan/plan.h"
#include "testing/toy_case.h"

#include <string.h>

static const assay_selection everything = { .tiers = { true, true }, .seed = 5 };

static assay_plan planned(const assay_selection *selection, int index, int count)
{
    const assay_shard shard = { index, count };
    assay_plan        plan;

    assert_int_equal(assay_plan_build(toy_cases, selection, &plan), ASSAY_OK);
    assert_int_equal(assay_plan_shard(&plan, &shard), ASSAY_OK);
    return plan;
}

static bool is_same(const assay_point *a, const assay_point *b)
{
    char one[ASSAY_KEY_SIZE], other[ASSAY_KEY_SIZE];

    return strcmp(assay_point_key(a, one, sizeof one), assay_point_key(b, other, sizeof other)) ==
           0;
}

static int64_t count_of(const assay_plan *plan, const assay_point *point)
{
    int64_t n = 0;

    for (int64_t i = 0; i < plan->n; i++)
        n += is_same(&plan->points[i], point);
    return n;
}

/* Enough sizes for every number of shards below. */
static assay_selection many_sizes(void)
{
    assay_selection s = everything;

    s.axes[s.n_axes++] = "n=1,2,3,4,5,6,7,8,9,100,1000,100000,1000000,3000000,10000000";
    return s;
}

static void together_they_are_the_plan(void **state)
{
    const assay_selection s     = many_sizes();
    assay_plan            whole = planned(&s, 0, 0);

    (void)state;
    assert_int_equal(whole.n, 60);
    for (int count = 1; count <= 7; count++) {
        int64_t n = 0;

        for (int index = 1; index <= count; index++) {
            assay_plan part = planned(&s, index, count);

            assert_true(part.n > 0);
            for (int64_t i = 0; i < part.n; i++) {
                assert_int_equal(count_of(&whole, &part.points[i]), 1);
                assert_int_equal(count_of(&part, &part.points[i]), 1);
            }
            n += part.n;
            assay_plan_free(&part);
        }
        assert_int_equal(n, whole.n); /* each once, none twice */
    }
    assay_plan_free(&whole);
}

/* Points that are compared with one another are in one shard, in the order of the plan. */
static void groups_stay_together(void **state)
{
    const assay_selection s = many_sizes();

    (void)state;
    for (int index = 1; index <= 5; index++) {
        assay_plan part  = planned(&s, index, 5);
        int64_t    pairs = 0;

        for (int64_t i = 0; i < part.n; i++) {
            const assay_point *p = &part.points[i];

            if (p->definition != &toy_double || p->variant != 0)
                continue;
            assert_true(i + 1 < part.n);
            assert_ptr_equal(part.points[i + 1].definition, p->definition);
            assert_int_equal(part.points[i + 1].variant, 1);
            assert_memory_equal(part.points[i + 1].axis[0].i, p->axis[0].i, sizeof p->axis[0].i);
            pairs++;
        }
        assert_true(pairs > 0);
        assay_plan_free(&part);
    }
}

static double bytes_of(const assay_plan *plan)
{
    double sum = 0;

    for (int64_t i = 0; i < plan->n; i++) {
        assay_shape shape;

        assay_point_shape(&plan->points[i], ASSAY_INPUT_EXACT, &shape);
        sum += (double)(shape.bytes_read + shape.bytes_written);
    }
    return sum;
}

/* Two groups of 1.6 GB and one of 0.8 GB among small ones: the two large ones are never in one
 * shard. */
static void the_dear_ones_are_shared_out(void **state)
{
    assay_selection s = everything;

    (void)state;
    s.cases[s.n_cases++] = "toy_double";
    s.axes[s.n_axes++]   = "n=1,2,3,100000000,4,100000001,5,50000000";
    for (int index = 1; index <= 3; index++) {
        assay_plan part = planned(&s, index, 3);

        assert_true(bytes_of(&part) > 0.7e9 && bytes_of(&part) < 3.4e9);
        assay_plan_free(&part);
    }
}

static void the_order_of_options_says_nothing(void **state)
{
    assay_selection one = everything, other = everything;

    (void)state;
    one.axes[one.n_axes++]       = "n=1,3,5,7,900,901";
    other.axes[other.n_axes++]   = "n=901,7,1,900,5,3";
    one.cases[one.n_cases++]     = "toy_double";
    one.cases[one.n_cases++]     = "shelf";
    other.cases[other.n_cases++] = "shelf";
    other.cases[other.n_cases++] = "toy_double";
    for (int index = 1; index <= 4; index++) {
        assay_plan a = planned(&one, index, 4), b = planned(&other, index, 4);

        assert_true(a.n > 0);
        assert_int_equal(a.n, b.n);
        for (int64_t i = 0; i < a.n; i++)
            assert_int_equal(count_of(&b, &a.points[i]), 1);
        assay_plan_free(&a);
        assay_plan_free(&b);
    }
}

static void more_shards_than_groups_leave_some_empty(void **state)
{
    assay_selection s       = everything;
    int64_t         n       = 0;
    int             n_empty = 0;

    (void)state;
    s.cases[s.n_cases++] = "toy_double";
    s.axes[s.n_axes++]   = "n=3"; /* two flavours with two variants each */
    for (int index = 1; index <= 7; index++) {
        assay_plan part = planned(&s, index, 7);

        n += part.n;
        n_empty += part.n == 0;
        assay_plan_free(&part);
    }
    assert_int_equal(n, 4);
    assert_int_equal(n_empty, 5);
}

static void what_is_no_shard_is_refused(void **state)
{
    static const assay_shard wrong[] = { { 0, 3 }, { 4, 3 }, { -1, 3 } };
    assay_plan               plan;

    (void)state;
    assert_int_equal(assay_plan_build(toy_cases, &everything, &plan), ASSAY_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_failed_with(assay_plan_shard(&plan, &wrong[i]), ASSAY_E_USAGE, "there is no shard");
    assay_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(together_they_are_the_plan),
        cmocka_unit_test(groups_stay_together),
        cmocka_unit_test(the_dear_ones_are_shared_out),
        cmocka_unit_test(the_order_of_options_says_nothing),
        cmocka_unit_test(more_shards_than_groups_leave_some_empty),
        cmocka_unit_test(what_is_no_shard_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
