/* Two sides from files: which points are paired, which cannot be and why, and the results of the
 * pairs. */
#include "sides_fixture.h"

static void test_same_and_changed(void **state)
{
    fixture *f = *state;
    both     x;
    timed    slower = a_timed("slower", 1100), faster = a_timed("faster", 900),
          clocked = a_timed("clocked", 1100);

    clocked.cycles_factor = 1 / 1.1;
    put(f, a_timed("first", 1000));
    put(f, slower);
    put(f, faster);
    put(f, clocked);
    hold(f, &x, "first", "first", NULL);
    assert_int_equal(x.table.n_same, 2);
    assert_true(x.table.is_same_run);
    assert_int_equal((int)x.table.rows[0].result.cause, ASSAY_COMPARE_IDENTICAL);
    let_go(&x);
    hold(f, &x, "first", "slower", NULL);
    assert_int_equal(x.table.n_slower, 2);
    assert_true(fabs(x.table.rows[0].result.time.relative - 0.1) < 1e-9);
    assert_true(x.table.rows[0].result.has_cycles);
    assert_false(x.table.is_same_run);
    let_go(&x);
    hold(f, &x, "first", "faster", NULL);
    assert_int_equal(x.table.n_faster, 2);
    let_go(&x);
    hold(f, &x, "first", "clocked", NULL);
    assert_int_equal(x.table.n_cannot_tell, 2);
    assert_int_equal((int)x.table.rows[0].result.cause, ASSAY_COMPARE_CLOCK);
    let_go(&x);
}

/* The same times under other conditions: not compared, and the difference is named. */
static void expect_different(fixture *f, const char *to, const char *why, const char *across)
{
    both x;

    hold(f, &x, "base", to, NULL);
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_DIFFERENT], 2);
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_COMPARED], 0);
    if (!strstr(x.table.rows[0].why, why))
        fail_msg("'%s' is not in '%s'", why, x.table.rows[0].why);
    let_go(&x);
    if (!across)
        return;
    hold(f, &x, "base", to, across);
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_COMPARED], 2);
    assert_non_null(strstr(x.table.rows[0].why, "across "));
    assert_non_null(strstr(x.table.rows[0].why, why));
    let_go(&x);
    hold(f, &x, "base", to, strcmp(across, "driver") == 0 ? "device" : "driver");
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_DIFFERENT], 2);
    let_go(&x);
}

static void test_conditions_that_differ(void **state)
{
    fixture *f = *state;
    timed    t;

    put(f, a_timed("base", 1000));
    t        = a_timed("driver", 1000);
    t.driver = "581.0";
    put(f, t);
    t     = a_timed("card", 1000);
    t.gpu = "GPU-9";
    put(f, t);
    t         = a_timed("toolkit", 1000);
    t.toolkit = "13.1";
    put(f, t);
    t           = a_timed("policy", 1000);
    t.max_calls = 16;
    put(f, t);
    t        = a_timed("tuned", 1000);
    t.tuning = "block=64";
    put(f, t);
    t         = a_timed("version", 1000);
    t.version = 2;
    put(f, t);
    t       = a_timed("event", 1000);
    t.clock = ASSAY_CLOCK_EVENT;
    put(f, t);
    expect_different(f, "driver", "driver 580.1 / 581.0", "driver");
    expect_different(f, "card", "GPU-1234 / cuda Test GPU 80GB GPU-9", "device");
    expect_different(f, "toolkit", "toolkit 13.0, runtime 13000 / 13.1", "toolkit");
    expect_different(f, "policy", "policy max_calls=32 / max_calls=16", "policy");
    expect_different(f, "tuned", "tuning none / block=64", "tuning");
    expect_different(f, "version", "case version 1 / 2", NULL);
    expect_different(f, "event", "clock record / event", NULL);
    for (int i = 0; assay_condition_across[i]; i++)
        assert_string_not_equal(assay_condition_across[i], "case version");
}

/* Points with the same key that ran on different inputs. */
static void test_inputs_that_differ(void **state)
{
    fixture *f = *state;
    timed    t = a_timed("base", 1000);
    both     x;

    t.mesh = 7;
    put(f, t);
    t.uuid = "again";
    put(f, t);
    t.uuid = "other";
    t.mesh = 123456;
    put(f, t);
    t.atlas = 5;
    t.uuid  = "atlas";
    put(f, t);
    put(f, a_timed("unknown", 1000));
    expect_different(f, "atlas", "input mesh=7 / atlas=5;mesh=123456", NULL);
    expect_different(f, "other", "input mesh=7 / mesh=123456", NULL);
    expect_different(f, "unknown", "input mesh=7 / none", NULL);
    hold(f, &x, "base", "again", NULL);
    assert_int_equal(x.table.n_same, 2);
    let_go(&x);
    hold(f, &x, "build:00ff", "again", NULL); /* they are not pooled either */
    assert_non_null(strstr(x.table.rows[0].why, "the runs of A differ: input mesh=7 / "));
    let_go(&x);
    for (int i = 0; assay_condition_across[i]; i++)
        assert_string_not_equal(assay_condition_across[i], "input");
}

/* With more processes a side is more certain, but is the same side. */
static void test_numbers_of_processes_may_differ(void **state)
{
    fixture *f = *state;
    both     x;
    timed    t = a_timed("more", 1000);

    t.n_processes = 5;
    put(f, a_timed("base", 1000));
    put(f, t);
    hold(f, &x, "base", "more", NULL);
    assert_int_equal(x.table.n_same, 2);
    assert_int_equal(x.table.rows[0].result.time.n_a, 3);
    assert_int_equal(x.table.rows[0].result.time.n_b, 5);
    let_go(&x);
}

static void test_points_without_a_number(void **state)
{
    fixture *f = *state;
    both     x;
    timed    t;

    put(f, a_timed("base", 1000));
    t        = a_timed("wrong", 1000);
    t.broken = 2;
    put(f, t);
    t              = a_timed("undecided", 1000);
    t.is_undecided = true;
    put(f, t);
    t          = a_timed("fewer", 1000);
    t.n_points = 1;
    put(f, t);
    hold(f, &x, "base", "wrong", NULL); /* a new failure comes first */
    assert_int_equal(x.table.n_new_failures, 1);
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_COMPARED], 1);
    assert_true(x.table.rows[0].is_new_failure);
    assert_int_equal((int)x.table.rows[0].kind, ASSAY_CHANGE_NO_NUMBER);
    assert_string_equal(x.table.rows[0].why, "A: PASS; B: WRONG_VALUE (first bad 255)");
    let_go(&x);
    hold(f, &x, "wrong", "base", NULL); /* a failure that was fixed is not a new one */
    assert_int_equal(x.table.n_new_failures, 0);
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_NO_NUMBER], 1);
    let_go(&x);
    hold(f, &x, "wrong", "wrong", NULL);
    assert_int_equal(x.table.n_new_failures, 0);
    let_go(&x);
    hold(f, &x, "base", "undecided", NULL);
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_UNDECIDED], 2);
    assert_non_null(strstr(x.table.rows[0].why, "A: record; B: clocks disagree"));
    let_go(&x);
    hold(f, &x, "base", "fewer", NULL);
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_ONLY_A], 1);
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_COMPARED], 1);
    let_go(&x);
    hold(f, &x, "fewer", "base", NULL);
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_ONLY_B], 1);
    let_go(&x);
}

/* Runs of a build are one side with the processes of all runs, unless their conditions differ. */
static void test_a_build_is_pooled(void **state)
{
    fixture *f = *state;
    both     x;
    timed    later = a_timed("later", 1000), moved = a_timed("moved", 1000);

    later.binary = moved.binary = "77aa";
    later.commit = moved.commit = "fedcba";
    moved.driver                = "581.0";
    put(f, a_timed("one", 1000));
    put(f, a_timed("two", 1000));
    put(f, later);
    hold(f, &x, "build:00ff", "build:fed", NULL);
    assert_int_equal(x.table.rows[0].result.time.n_a, 6);
    assert_int_equal(x.table.rows[0].result.time.n_b, 3);
    assert_int_equal(x.table.n_same, 2);
    let_go(&x);
    put(f, moved);
    hold(f, &x, "build:00ff", "build:fed", NULL);
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_DIFFERENT], 2);
    assert_non_null(strstr(x.table.rows[0].why, "the runs of B differ: driver 580.1 / 581.0"));
    let_go(&x);
}

static void test_worst_comes_first(void **state)
{
    fixture *f = *state;
    both     x;

    put(f, a_timed("base", 1000));
    put(f, a_timed("more", 1000));
    assert_int_equal(run_sql(f->path, "DROP TRIGGER sample_block_kept; UPDATE sample_block SET "
                                      "median_ns = median_ns * 1.05, median_cycles = median_cycles "
                                      "* 1.05 WHERE measurement_id = 4"),
                     SQLITE_OK);
    hold(f, &x, "base", "more", NULL);
    assert_int_equal((int)x.table.rows[0].result.verdict, ASSAY_COMPARE_SLOWER);
    assert_string_equal(x.table.rows[0].point_b->key, "axpy/naive/n=2000");
    assert_int_equal((int)x.table.rows[1].result.verdict, ASSAY_COMPARE_SAME);
    let_go(&x);
}

static void test_changes_are_kept(void **state)
{
    fixture          *f    = *state;
    assay_change_row *rows = NULL;
    int64_t           n    = 0;
    both              x;

    put(f, a_timed("base", 1000));
    put(f, a_timed("more", 1100));
    hold(f, &x, "base", "more", NULL);
    assert_ok(assay_change_rows(&x.table, &x.a, &x.b, &rows, &n));
    assert_int_equal(n, 2);
    open_store(f);
    assert_ok(assay_store_write_changes(f->store, rows, n));
    assert_string_equal(ask(f->path,
                            "SELECT count(*) || verdict || from_run || to_run || regime || "
                            "clock || (abs(effect - 0.1) < 1e-9) || (band IS NULL) FROM "
                            "change"),
                        "2SLOWERbasemorecoldrecord11");
    free(rows);
    let_go(&x);
}

/* A GPU tells time in ticks, which even out over samples that lie far apart; those of the host's
 * clock do not. */
static void test_what_a_tick_hides(void **state)
{
    fixture   *f = *state;
    timed      t = a_timed("base", 200);
    assay_side side;

    t.n_points = 6;
    put(f, t);
    assert_ok(assay_side_read("base", f->path, &everything, &side));
    assert_int_equal(side.n_times, 6);
    for (int64_t i = 0; i < side.n_times; i++)
        assert_true(side.times[i].step_ns == (side.times[i].time_ns < 500 ? 32 : 4));
    assay_side_free(&side);
    t.uuid  = "more";
    t.clock = ASSAY_CLOCK_HOST;
    put(f, t);
    assert_ok(assay_side_read("more", f->path, &everything, &side));
    for (int64_t i = 0; i < side.n_times; i++)
        assert_true(side.times[i].step_ns == 0);
    assay_side_free(&side);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_same_and_changed),        TEST(test_conditions_that_differ),
        TEST(test_inputs_that_differ),      TEST(test_numbers_of_processes_may_differ),
        TEST(test_points_without_a_number), TEST(test_a_build_is_pooled),
        TEST(test_worst_comes_first),       TEST(test_changes_are_kept),
        TEST(test_what_a_tick_hides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
