/* Points that are drawn, and how they are made simpler. */
#include "fuzz/draw.h"
#include "testing/testing.h"
#include "testing/toy_case.h"

#include <string.h>

enum {
    N_DRAWS = 4000
};

static const assay_case grids = {
    .name = "grids",
    .axes = { ASSAY_AXIS("grid", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 2, 1), ASSAY_QGRID(33, 7, 1),
                         ASSAY_FGRID(512, 512, 1)),
              ASSAY_AXIS_BETWEEN("n", ASSAY_AXIS_INT, 2, 5000, ASSAY_Q(3), ASSAY_F(1 << 20)) },
    .timed_input = ASSAY_INPUT_RANDOM,
};

static void shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    (void)input;
    s->cells = axis[1].i[0];
    s->buf[0] =
        (assay_buffer) { .name = "y", .role = ASSAY_OUT, .type = ASSAY_F32, .count = axis[1].i[0] };
}

static assay_case a_case(void)
{
    assay_case c  = grids;
    c.shape       = shape;
    c.variants[0] = (assay_variant) { .name = "one" };
    return c;
}

static void numbers_lie_in_their_range(void **state)
{
    const assay_case c = a_case();
    int              n = 0, tier[2] = { 0 }, at_end = 0, primes = 0;

    (void)state;
    for (uint64_t i = 0; i < N_DRAWS; i++) {
        assay_point p;

        if (!assay_draw_point(&c, 7, i, 1 << 20, &p))
            continue;
        n++;
        assert_in_range(p.axis[0].i[0], 1, 33);
        assert_in_range(p.axis[0].i[1], 2, 7);
        assert_int_equal(p.axis[0].i[2], 1); /* all listed values have 1 here */
        assert_in_range(p.axis[1].i[0], 2, 5000);
        tier[p.axis[1].tier]++;
        at_end += p.axis[1].i[0] == 5000;
        primes += p.axis[1].i[0] == 3;
    }
    assert_int_equal(n, N_DRAWS);
    assert_true(at_end > 0 && primes > 0 && tier[ASSAY_FULL] > tier[ASSAY_QUICK]);
    /* Listed or not, a value has the tier that its key is parsed to. */
    assert_int_equal(tier[ASSAY_QUICK], primes);
}

static void a_draw_is_a_function_of_seed_and_number(void **state)
{
    const assay_case c        = a_case();
    int              n_differ = 0;

    (void)state;
    for (uint64_t i = 0; i < 100; i++) {
        assay_point a, b, other;

        (void)assay_draw_point(&c, 7, i, 1 << 20, &a);
        (void)assay_draw_point(&c, 7, i, 1 << 20, &b);
        (void)assay_draw_point(&c, 8, i, 1 << 20, &other);
        assert_true(assay_point_is_beside(&a, &b));
        n_differ += !assay_point_is_beside(&a, &other);
    }
    assert_true(n_differ > 90);
}

static void what_is_no_point_is_not_drawn(void **state)
{
    const assay_case c = a_case();
    int              n = 0;

    (void)state;
    for (uint64_t i = 0; i < N_DRAWS; i++) {
        assay_point p;

        if (assay_draw_point(&c, 7, i, 400, &p)) {
            assert_true(p.axis[1].i[0] <= 100);
            n++;
        }
        /* The toy excludes odd at n = 8. */
        if (assay_draw_point(&toy_double, 7, i, 400, &p) && toy_double.excluded)
            assert_null(toy_double.excluded(p.axis));
    }
    assert_true(n > 0);
}

static void every_way_is_simpler_or_the_same(void **state)
{
    const assay_case c = a_case();
    assay_point      p = { .definition = &c }, simpler;
    int              n = 0, n_less = 0;

    (void)state;
    p.axis[0] = (assay_value) { .i = { 20, 7, 1 }, .tier = ASSAY_FULL };
    p.axis[1] = (assay_value) { .i = { 1000 }, .tier = ASSAY_FULL };
    for (; assay_draw_simpler(&p, n, &simpler); n++) {
        const int64_t less = p.axis[0].i[0] + p.axis[0].i[1] + p.axis[1].i[0] -
                             simpler.axis[0].i[0] - simpler.axis[0].i[1] - simpler.axis[1].i[0];

        assert_true(less >= 0);
        n_less += less > 0;
    }
    assert_true(n_less > 10 && n < 100);
}

/* As the command does it: from 1000 down to the smallest number that fails. */
static void a_failure_is_reached_in_few_trials(void **state)
{
    const assay_case c        = a_case();
    assay_point      p        = { .definition = &c }, simpler;
    int              n_trials = 0;

    (void)state;
    p.axis[0] = (assay_value) { .i = { 20, 7, 1 }, .tier = ASSAY_FULL };
    p.axis[1] = (assay_value) { .i = { 4000 }, .tier = ASSAY_FULL };
    for (int way = 0, n_vain = 0; n_vain < 200; n_vain++) {
        if (!assay_draw_simpler(&p, way, &simpler)) {
            way = 0;
            continue;
        }
        n_trials += memcmp(&p, &simpler, sizeof p) != 0;
        if (memcmp(&p, &simpler, sizeof p) == 0 || simpler.axis[1].i[0] <= 700) {
            way++;
            continue;
        }
        p      = simpler;
        n_vain = 0;
    }
    assert_int_equal(p.axis[1].i[0], 701);
    assert_int_equal(p.axis[0].i[0], 1);
    assert_int_equal(p.axis[0].i[1], 2);
    assert_in_range(n_trials, 1, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_lie_in_their_range),
        cmocka_unit_test(a_draw_is_a_function_of_seed_and_number),
        cmocka_unit_test(what_is_no_point_is_not_drawn),
        cmocka_unit_test(every_way_is_simpler_or_the_same),
        cmocka_unit_test(a_failure_is_reached_in_few_trials),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
