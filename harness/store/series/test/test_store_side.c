/* One side of a comparison: the runs that a word selects, and what is read of them. */
#include "sides_fixture.h"

/* Asserts on the uuid of the run that a word selects; of several runs the newest. */
static void expect_run(fixture *f, const char *word, const char *uuid, int64_t n_runs)
{
    assay_side side;

    assert_ok(assay_side_read(word, f->path, &everything, &side));
    assert_int_equal(side.n_runs, n_runs);
    assert_string_equal(side.runs[n_runs - 1].uuid, uuid);
    assert_true(side.name[0]);
    assay_side_free(&side);
}

static void refuse_run(fixture *f, const char *word, const char *sentence)
{
    assay_side side;

    assert_fails(assay_side_read(word, f->path, &everything, &side), ASSAY_E_USAGE, sentence);
    assay_side_free(&side);
}

static void test_words_for_runs(void **state)
{
    fixture           *f        = *state;
    assay_accepted_row accepted = { .name = "main", .run_uuid = "aa-1", .why = "x", .who = "me" };
    char               word[256];

    put_four(f);
    open_store(f);
    assert_ok(assay_store_accept(f->store, &accepted));
    assay_store_close(f->store);
    f->store = NULL;
    expect_run(f, "1", "aa-1", 1);
    expect_run(f, "4", "dd-4", 1); /* a number may select a run that has not ended */
    expect_run(f, "ab", "ab-2", 1);
    expect_run(f, "latest", "cc-3", 1);
    expect_run(f, "previous", "ab-2", 1);
    expect_run(f, "baseline:main", "aa-1", 1);
    expect_run(f, "build:abcdef", "ab-2", 2);
    expect_run(f, "build:77", "cc-3", 1);
    expect_run(f, f->path, "cc-3", 1);
    (void)snprintf(word, sizeof word, "%s:2", f->path);
    expect_run(f, word, "ab-2", 1);
    (void)snprintf(word, sizeof word, "%s:baseline:main", f->path);
    expect_run(f, word, "aa-1", 1);
}

static void test_words_that_mean_nothing(void **state)
{
    fixture *f = *state;
    char     word[256];

    put_four(f);
    refuse_run(f, "9", "has no run '9'");
    refuse_run(f, "", "has no run ''");
    refuse_run(f, "a", "2 runs begin with 'a'");
    refuse_run(f, "%", "has no run '%'");
    refuse_run(f, "' OR 1=1 --", "has no run");
    refuse_run(f, "baseline:main", "no accepted baseline 'main'");
    refuse_run(f, "build:", "the beginning of a commit");
    refuse_run(f, "build:zz", "no finished run with times of a build 'zz'");
    refuse_run(f, "build:abc", "several builds");
    (void)snprintf(word, sizeof word, "%s:9", f->path);
    refuse_run(f, word, "has no run '9'");
    (void)snprintf(f->path, sizeof f->path, "%s/absent.db", f->directory);
    refuse_run(f, "latest", "no database");
}

static int64_t times_left(fixture *f, const assay_side_filter *filter)
{
    assay_side side;
    int64_t    n;

    assert_ok(assay_side_read("base", f->path, filter, &side));
    n = side.n_times;
    assay_side_free(&side);
    return n;
}

static void test_what_is_asked_for(void **state)
{
    fixture          *f      = *state;
    const char *const axpy[] = { "nothing", "axpy" }, *const vec4[] = { "vec4" };
    const char *const        axis[] = { "n=2000,7" };
    const assay_compare_rule rule   = assay_compare_rule_default();
    assay_side_filter        filter = { .cases = axpy, .n_cases = 2 };
    assay_change_table       table  = { .n = 0 };
    assay_side               side;

    put(f, a_timed("base", 1000));
    assert_int_equal(times_left(f, &filter), 2);
    filter = (assay_side_filter) { .variants = vec4, .n_variants = 1 };
    assert_int_equal(times_left(f, &filter), 1);
    filter = (assay_side_filter) { .axes = axis, .n_axes = 1 };
    assert_int_equal(times_left(f, &filter), 1);
    filter = (assay_side_filter) { .point = "axpy/vec4/n=1000" };
    assert_int_equal(times_left(f, &filter), 1);
    filter = (assay_side_filter) { .regime = ASSAY_REGIME_HOT };
    assert_int_equal(times_left(f, &filter), 0);
    filter = (assay_side_filter) { .cases = axpy, .n_cases = 1 };
    assert_ok(assay_side_read("base", f->path, &filter, &side));
    assert_fails(assay_change_find(&side, &side, &rule, NULL, &table), ASSAY_E_NOTHING,
                 "neither side");
    assay_change_free(&table);
    assay_side_free(&side);
}

static void test_axes_by_words(void **state)
{
    (void)state;
    assert_true(assay_side_has_axis("n=64;m=8", "n=64"));
    assert_true(assay_side_has_axis("n=64;m=8", "m=7,8,9"));
    assert_false(assay_side_has_axis("n=64;m=8", "m=7,88,9"));
    assert_false(assay_side_has_axis("n=64;m=8", "k=64"));
    assert_false(assay_side_has_axis("n=64", "n"));
    assert_false(assay_side_has_axis("n=64", ""));
    assert_false(assay_side_has_axis("", "n=64"));
    assert_false(assay_side_has_axis("nn=64", "n=64"));
    assert_true(assay_side_has_axis("t=a\\;b;m=8", "t=a;b"));
    assert_true(assay_side_has_axis("t=a\\\\;m=8", "m=8"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_words_for_runs),
        TEST(test_words_that_mean_nothing),
        TEST(test_what_is_asked_for),
        cmocka_unit_test(test_axes_by_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
