/* Which points of a plan fit into a budget, for made-up costs. */
#include "supervise/supervise_budget.h"
#include "testing/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static assay_budget b;

static int start_over(void **state)
{
    (void)state;
    memset(&b, 0, sizeof b);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assay_budget_free(&b);
    assert_null(b.batches);
    return 0;
}

#define GB 1073741824.0 /* so many bytes that the cost is mostly the rate, not the constant */

/* Adds a batch that costs this many seconds if the rate of its case is 1 s per GB. */
static void add(int case_place, double seconds)
{
    const assay_batch batch = { .first      = b.n,
                                .end        = b.n + 1,
                                .case_place = case_place,
                                .bytes      = seconds * GB,
                                .n_loops    = 1,
                                .known_s    = (double)NAN };

    assert_int_equal(assay_budget_add(&b, &batch), ASSAY_OK);
    b.cases[case_place].s_per_byte = 1 / GB;
}

static void plan(double total_s, int n_cases, int n, const double *seconds)
{
    b.total_s = total_s;
    for (int c = 0; c < n_cases; c++)
        for (int i = 0; i < n; i++)
            add(c, seconds[c * n + i]);
    assert_int_equal(assay_budget_rank(&b), ASSAY_OK);
}

/* Which batches are chosen: "101" is the first and the third. */
static const char *chosen(double left_s, int current)
{
    static char text[256];

    (void)assay_budget_choose(&b, left_s, current);
    text[0] = '\0';
    for (int64_t i = 0; i < b.n; i++)
        strcat(text, b.batches[i].is_chosen ? "1" : "0");
    return text;
}

static void ends_first_then_middles(void **state)
{
    static const double  seconds[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    static const int64_t ranks[]   = { 0, 5, 3, 6, 2, 7, 4, 8, 1 };

    (void)state;
    plan(100, 1, 9, seconds);
    for (int i = 0; i < 9; i++)
        assert_int_equal(b.batches[i].rank, ranks[i]);
}

/* After both ends come the batches that are known least; among equals, the middle ones. */
static void then_what_is_known_least(void **state)
{
    static const double  seconds[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    static const double  doubts[]  = { 0.5, 0.1, 0.1, INFINITY, 0.1, 0.3, INFINITY, 0.1, 0 };
    static const int64_t ranks[]   = { 0, 7, 6, 3, 5, 4, 2, 8, 1 };

    (void)state;
    b.total_s = 100;
    for (int i = 0; i < 9; i++) {
        add(0, seconds[i]);
        b.batches[i].doubt = doubts[i];
    }
    assert_int_equal(assay_budget_rank(&b), ASSAY_OK);
    for (int i = 0; i < 9; i++)
        assert_int_equal(b.batches[i].rank, ranks[i]);
}

/* A known cost replaces the estimate, and does not change the order of sizes. */
static void what_is_known_is_its_cost(void **state)
{
    static const double seconds[] = { 9, 5, 1 };

    (void)state;
    b.total_s = 100;
    for (int i = 0; i < 3; i++) {
        add(0, seconds[i]);
        b.batches[i].known_s = 20;
    }
    assert_int_equal(assay_budget_rank(&b), ASSAY_OK);
    assert_int_equal(b.batches[2].rank, 0);
    assert_int_equal(b.batches[0].rank, 1);
    assert_string_equal(chosen(59, -1), "101");
    assert_string_equal(chosen(60, -1), "111");
    b.batches[2].is_done = true;
    assay_budget_learn(&b, &b.batches[2], 50, 50); /* the estimate was not wrong */
    assert_true(b.cases[0].s_per_byte == 1 / GB && b.cases[0].fixed_s == 0);
}

static void without_a_budget_all_is_chosen(void **state)
{
    static const double seconds[] = { 5, 1000, 3, 7 };

    (void)state;
    plan(0, 2, 2, seconds);
    assert_string_equal(chosen(-1, -1), "1111");
    assert_ptr_equal(assay_budget_choose(&b, -1, -1), &b.batches[0]);
    b.batches[0].is_done = true;
    assert_ptr_equal(assay_budget_choose(&b, -1, 0), &b.batches[1]);
    for (int i = 0; i < 4; i++)
        b.batches[i].is_done = true;
    assert_null(assay_budget_choose(&b, -1, 0));
}

/* Small batches do not use up what the largest one needs. */
static void the_largest_is_reached(void **state)
{
    static const double seconds[] = { 1, 2, 3, 4, 10 };

    (void)state;
    plan(12, 1, 5, seconds);
    assert_string_equal(chosen(12, -1), "10001");
    assert_string_equal(chosen(15, -1), "10101"); /* then the middle one */
    assert_string_equal(chosen(9, -1),
                        "11100"); /* the largest does not fit, so the middle ones are taken */
    assert_string_equal(chosen(0.5, -1), "00000");
}

/* A case with many or large points leaves the other cases their shares. */
static void each_case_has_its_share(void **state)
{
    static const double seconds[] = { 1, 4, 9, 1, 2, 3 };

    (void)state;
    plan(12, 2, 3, seconds);
    assert_string_equal(chosen(12, -1), "110111"); /* 1 + 4 of 6, and 1 + 2 + 3 */
    /* If one case does not need all of its share, the other gets the rest. */
    assay_budget_free(&b);
    (void)start_over(state);
    plan(24, 2, 3, (const double[]) { 1, 4, 14, 1, 1, 1 });
    assert_string_equal(chosen(20, -1), "110111");
    assert_string_equal(chosen(24, -1), "111111");
}

static void each_case_gets_its_smallest_first(void **state)
{
    static const double seconds[] = { 4, 5, 5, 6, 7, 7 };

    (void)state;
    plan(10, 2, 3, seconds); /* 6 is more than its share of 5 */
    assert_string_equal(chosen(10, -1), "100100");
}

static void beginning_a_case_costs(void **state)
{
    static const double seconds[] = { 1, 1, 1, 1 };

    (void)state;
    plan(5, 2, 2, seconds);
    b.begin_s = 2;
    assert_string_equal(chosen(5, -1), "1100"); /* 3 and 1; beginning another case would cost 3 */
    assert_string_equal(chosen(5, 0), "1110");
    assert_ptr_equal(assay_budget_choose(&b, 100, 1),
                     &b.batches[2]); /* its workers are started already */
}

static void what_was_learned_corrects_the_choice(void **state)
{
    static const double seconds[] = { 1, 2, 3, 1, 2, 3 };

    (void)state;
    plan(20, 2, 3, seconds);
    assert_string_equal(chosen(20, -1), "111111");
    b.batches[0].is_done = true;
    assay_budget_learn(&b, &b.batches[0], 5, 5); /* five times the estimate */
    assert_string_equal(chosen(15, 0), "000111");
    assert_string_equal(chosen(17, 0), "010111");
    assay_budget_learn(&b, &b.batches[1], 1, 0);
    assert_true(fabs(b.cases[0].s_per_byte * GB - 2.5) < 0.02);
    assert_true(b.cases[0].spent_s == 6);
    assert_true(b.cases[1].s_per_byte == 1 / GB);
}

/* ---- whole runs with made-up true costs ---- */

typedef struct truth {
    double begin_s, fixed_s, s_per_byte;
} truth;

/* Runs all batches that are chosen; returns the seconds taken. */
static double run_all(const truth *t, int *n_run)
{
    double       took_s  = 0;
    int          current = -1;
    assay_batch *batch;

    for (*n_run = 0; (batch = assay_budget_choose(&b, b.total_s - took_s, current)); ++*n_run) {
        const double grew_s  = t->fixed_s + batch->bytes * t->s_per_byte;
        const double loop_s  = fmax(assay_budget_loop_s(&b, b.total_s - took_s), 0.02);
        const double begin_s = batch->case_place == current ? 0 : t->begin_s;
        const double all_s   = begin_s + grew_s + batch->searches_s +
                             batch->n_loops * fmin(loop_s, 1.5); /* the policy's limit */

        batch->is_done = true;
        current        = batch->case_place;
        took_s += all_s;
        assay_budget_learn(&b, batch, all_s, grew_s);
    }
    return took_s;
}

static void add_timed(int case_place, double bytes, double searches_s)
{
    const assay_batch batch = { .first      = b.n,
                                .end        = b.n + 1,
                                .case_place = case_place,
                                .bytes      = bytes,
                                .least_s    = 6 * 0.02,
                                .searches_s = searches_s,
                                .known_s    = (double)NAN,
                                .n_loops    = 6 };

    assert_int_equal(assay_budget_add(&b, &batch), ASSAY_OK);
}

/* The smallest batch runs first; its constant cost is not taken for a rate per byte. */
static void a_constant_is_no_rate(void **state)
{
    static const struct {
        double total_s, bytes[5];
    } runs[]      = { { 480, { 16e3, 256e3, 4e6, 64e6, 1e9 } },
                      { 30, { 16e3, 1e6, 4e6, 16e6, 16e6 } },
                      { 60, { 1e3, 2e3, 4e3, 8e3, 1e9 } } };
    const truth t = { .fixed_s = 0.5, .s_per_byte = 1e-8 };

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        int n_run;

        b.total_s = runs[i].total_s;
        for (int k = 0; k < 5; k++)
            add_timed(0, runs[i].bytes[k], 0);
        assert_int_equal(assay_budget_rank(&b), ASSAY_OK);
        assert_true(run_all(&t, &n_run) <= runs[i].total_s);
        assert_int_equal(n_run, 5);
        assay_budget_free(&b);
        (void)start_over(state);
    }
}

/* If bytes cost more than was estimated, a group with many bytes shows it. */
static void a_rate_is_learned_from_many_bytes(void **state)
{
    const truth t = { .fixed_s = 0.5, .s_per_byte = 1e-7 };
    int         n_run;

    (void)state;
    b.total_s = 300;
    for (int k = 1; k <= 5; k++)
        add_timed(0, k * 1e9, 0); /* 100 s for each 1e9 bytes */
    assert_int_equal(assay_budget_rank(&b), ASSAY_OK);
    assert_true(run_all(&t, &n_run) <= 300);
    assert_int_equal(n_run, 1);
    assert_true(b.cases[0].s_per_byte > 0.9e-7 && b.cases[0].s_per_byte < 1.1e-7);
}

/* The timing of the first cases does not use up what later cases need to begin and to search. */
static void no_case_takes_what_others_begin_with(void **state)
{
    const truth t = { .begin_s = 6, .fixed_s = 0.1, .s_per_byte = 1e-8 };
    int         n_run;

    (void)state;
    b.total_s = 60;
    b.begin_s = 6;
    for (int i = 0; i < 40; i++)
        add_timed(i / 8, 1e5, i / 8 == 4 ? 0.3 : 0.1);
    assert_int_equal(assay_budget_rank(&b), ASSAY_OK);
    assert_true(run_all(&t, &n_run) <= 60);
    assert_int_equal(n_run, 40);
}

static void loops_share_what_is_left(void **state)
{
    static const double seconds[] = { 1, 2, 1, 2 };

    (void)state;
    plan(10, 2, 2, seconds);
    (void)chosen(10, -1);
    assert_true(assay_budget_loop_s(&b, 10) == 0.8 * 4 / 4);
    b.begin_s = 1; /* for two cases without workers, then for one */
    assert_true(assay_budget_loop_s(&b, 10) == 0.8 * 2 / 4);
    (void)chosen(10, 1);
    b.batches[3].searches_s = 1;
    assert_true(assay_budget_loop_s(&b, 10) == 0.8 * 2 / 4);
    assert_true(assay_budget_loop_s(&b, 1) == 0); /* never negative */
    for (int i = 0; i < 4; i++)
        b.batches[i].is_chosen = false;
    assert_true(assay_budget_loop_s(&b, 10) == 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start_over, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(ends_first_then_middles),
        TEST(then_what_is_known_least),
        TEST(what_is_known_is_its_cost),
        TEST(without_a_budget_all_is_chosen),
        TEST(the_largest_is_reached),
        TEST(each_case_has_its_share),
        TEST(each_case_gets_its_smallest_first),
        TEST(beginning_a_case_costs),
        TEST(what_was_learned_corrects_the_choice),
        TEST(a_constant_is_no_rate),
        TEST(a_rate_is_learned_from_many_bytes),
        TEST(no_case_takes_what_others_begin_with),
        TEST(loops_share_what_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
