/* The gate's findings and its exit status, from tables of comparisons. */
#include "testing/testing.h"

#include "command/gate_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

static const assay_side_point passed  = { .key = "a/b/n=1", .outcome = "passed" };
static const assay_side_point failed  = { .key = "a/b/n=1", .outcome = "failed" };
static const assay_side_point skipped = { .key = "a/b/n=1", .outcome = "skipped" };
static const assay_side_time  cold    = { .key    = "a/b/n=1",
                                          .regime = ASSAY_REGIME_COLD,
                                          .clock  = ASSAY_CLOCK_RECORD };
static const assay_side_time  hot     = { .key    = "a/b/n=1",
                                          .regime = ASSAY_REGIME_HOT,
                                          .clock  = ASSAY_CLOCK_EVENT };
static const assay_side_time  nothing = { .key    = "a/b/n=1",
                                          .regime = ASSAY_REGIME_COLD,
                                          .clock  = ASSAY_CLOCK_NONE };

static assay_change compared(const assay_side_time *time, assay_compare_verdict verdict)
{
    return (assay_change) { .kind    = ASSAY_CHANGE_COMPARED,
                            .point_a = &passed,
                            .point_b = &passed,
                            .time_a  = time,
                            .time_b  = time,
                            .result  = { .verdict = verdict } };
}

static void count(assay_change_table *t)
{
    for (int64_t i = 0; i < t->n; i++)
        t->n_of_kind[t->rows[i].kind]++;
}

/* The exit status of a gate that found `first`, and `second` when it timed again. */
static int judge(gate *g, assay_change *first, int64_t n_first, assay_change *second,
                 int64_t n_second)
{
    g->table      = (assay_change_table) { .rows = first, .n = n_first };
    g->repeated   = (assay_change_table) { .rows = second, .n = n_second };
    g->run.n_runs = 1;
    count(&g->table);
    assert_int_equal(assay_gate_judge(g), ASSAY_OK);
    free(g->rows);
    return g->exit_status;
}

static int judge_one(assay_change row)
{
    gate         g      = { .n_regressions = 0 };
    assay_change both[] = { row, compared(&hot, ASSAY_COMPARE_SAME) };

    return judge(&g, both, 2, NULL, 0);
}

/* The status after one comparison, and after a second one. */
static void test_confirmed(void **state)
{
    static const struct {
        assay_compare_verdict first, second;
        int                   status;
    } cases[] = {
        { ASSAY_COMPARE_SAME, ASSAY_COMPARE_SAME, 0 },
        { ASSAY_COMPARE_FASTER, ASSAY_COMPARE_SLOWER, 0 },
        { ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_SAME, 3 },
        { ASSAY_COMPARE_SLOWER, ASSAY_COMPARE_SLOWER, 1 },
        { ASSAY_COMPARE_SLOWER, ASSAY_COMPARE_SAME, 3 },
        { ASSAY_COMPARE_SLOWER, ASSAY_COMPARE_FASTER, 3 },
        { ASSAY_COMPARE_SLOWER, ASSAY_COMPARE_CANNOT_TELL, 3 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gate         g        = { .n_regressions = 0 };
        assay_change first[]  = { compared(&cold, cases[i].first) };
        assay_change second[] = { compared(&hot, ASSAY_COMPARE_SLOWER),
                                  compared(&cold, cases[i].second) };

        assert_int_equal(judge(&g, first, 1, second, 2), cases[i].status);
        assert_int_equal(g.n_regressions, cases[i].status == 1);
    }
}

/* Another regime, or a repetition that could not be compared, confirms nothing. */
static void test_not_confirmed(void **state)
{
    gate         g       = { .n_regressions = 0 };
    assay_change first[] = { compared(&cold, ASSAY_COMPARE_SLOWER) };
    assay_change other[] = { compared(&hot, ASSAY_COMPARE_SLOWER) };

    (void)state;
    assert_int_equal(judge(&g, first, 1, other, 1), 3);
    assert_int_equal(g.n_unconfirmed, 1);
    other[0]      = compared(&cold, ASSAY_COMPARE_SLOWER);
    other[0].kind = ASSAY_CHANGE_DIFFERENT;
    assert_int_equal(judge(&g, first, 1, other, 1), 3);
    other[0] = (assay_change) { .kind = ASSAY_CHANGE_ONLY_A, .point_a = &passed, .time_a = &cold };
    assert_int_equal(judge(&g, first, 1, other, 1), 3);
    assert_int_equal(judge(&g, first, 1, NULL, 0), 3);
}

/* Among points that were not compared, only those that have a time in the baseline give
 * CANNOT_TELL. */
static void test_not_compared(void **state)
{
    (void)state;
    assert_int_equal(judge_one((assay_change) { .kind    = ASSAY_CHANGE_DIFFERENT,
                                                .point_a = &passed,
                                                .point_b = &passed,
                                                .time_a  = &cold,
                                                .time_b  = &cold }),
                     3);
    assert_int_equal(judge_one((assay_change) { .kind    = ASSAY_CHANGE_NO_NUMBER,
                                                .point_a = &passed,
                                                .point_b = &skipped,
                                                .time_a  = &cold }),
                     3);
    assert_int_equal(judge_one((assay_change) {
                         .kind = ASSAY_CHANGE_ONLY_A, .point_a = &passed, .time_a = &cold }),
                     3);
    assert_int_equal(judge_one((assay_change) { .kind    = ASSAY_CHANGE_UNDECIDED,
                                                .point_a = &passed,
                                                .point_b = &passed,
                                                .time_a  = &cold,
                                                .time_b  = &nothing }),
                     3);
    assert_int_equal(judge_one((assay_change) { .kind    = ASSAY_CHANGE_UNDECIDED,
                                                .point_a = &passed,
                                                .point_b = &passed,
                                                .time_a  = &nothing,
                                                .time_b  = &cold }),
                     0);
    assert_int_equal(judge_one((assay_change) {
                         .kind = ASSAY_CHANGE_ONLY_B, .point_b = &passed, .time_b = &cold }),
                     0);
    assert_int_equal(judge_one((assay_change) { .kind    = ASSAY_CHANGE_NO_NUMBER,
                                                .point_a = &failed,
                                                .point_b = &passed,
                                                .time_b  = &cold }),
                     0);
    /* It is reported by its verdict or by the list of known failures. */
    assert_int_equal(judge_one((assay_change) { .kind           = ASSAY_CHANGE_NO_NUMBER,
                                                .point_a        = &passed,
                                                .point_b        = &failed,
                                                .time_a         = &cold,
                                                .is_new_failure = true }),
                     0);
}

/* A regression together with a worse status, and with a better one. */
static void test_beside(void **state)
{
    static const struct {
        int check, run, again, status;
    } cases[] = {
        { 0, 0, 0, 1 }, { 2, 0, 0, 2 }, { 0, 2, 0, 2 },  { 0, 0, 2, 2 },  { 4, 0, 0, 4 },
        { 0, 4, 0, 4 }, { 0, 0, 4, 4 }, { 77, 0, 0, 1 }, { 0, 0, 77, 1 }, { 2, 4, 4, 2 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gate         g     = { .check_status = cases[i].check,
                               .run_status   = cases[i].run,
                               .again_status = cases[i].again };
        assay_change row[] = { compared(&cold, ASSAY_COMPARE_SLOWER) };

        assert_int_equal(judge(&g, row, 1, row, 1), cases[i].status);
    }
}

/* A finished run with nothing to compare does not pass. Without a run, the status of the run itself
 * stays. */
static void test_nothing(void **state)
{
    gate         g     = { .run_status = 0 };
    assay_change row[] = { { .kind = ASSAY_CHANGE_ONLY_B, .point_b = &passed, .time_b = &cold } };

    (void)state;
    assert_int_equal(judge(&g, NULL, 0, NULL, 0), 3);
    assert_int_equal(judge(&g, row, 1, NULL, 0), 3);
    g = (gate) { .run_status = 77 };
    assert_int_equal(assay_gate_judge(&g), ASSAY_OK);
    assert_int_equal(g.exit_status, 77);
    free(g.rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_confirmed),    cmocka_unit_test(test_not_confirmed),
        cmocka_unit_test(test_not_compared), cmocka_unit_test(test_beside),
        cmocka_unit_test(test_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
