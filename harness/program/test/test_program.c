/* A run of a user's own program: what is stored of its points, and what is refused. Processes
 * are tested by test_cli_programs.sh. */
#include "program_fixture.h"

/* ---- what is stored ---- */

static void test_stores(void **state)
{
    fixture *f = *state;

    open_program();
    expect(f, "SELECT count(*) FROM planned_point", N);
    do_group(0);
    do_group(2);
    assert_int_equal(close_program(), ASSAY_EXIT_PASS);
    expect(f, "SELECT count(*) FROM run_end WHERE exit_status = 0", 1);
    expect(f,
           "SELECT verb = 'prog' AND lane <> '' AND kernels_id = binary_id FROM run JOIN build "
           "USING (build_id)",
           1);
    expect(f, "SELECT count(*) FROM verdict WHERE verdict = 'PASS' AND launches IS NULL", N);
    expect(f, "SELECT count(*) FROM point WHERE key = 'own_sums/fast/n=20/kind=even/grid=2x3x4'",
           1);
    expect(f, "SELECT count(*) FROM axis_value WHERE kind = 'grid' AND value_z = 4", 2);
    expect(f, "SELECT worst_ratio FROM check_result LIMIT 1", 0.5);
    expect(f, "SELECT count(*) FROM metric WHERE name = 'hits' AND replay = 'check' AND value = 3",
           N);
    expect(f, "SELECT count(*) FROM metric WHERE name = 'nothing'", 0);
    expect(f,
           "SELECT count(*) FROM measurement WHERE decides = 1 AND n_samples = 12 AND n_blocks = 3 "
           "AND launches_per_sample = 10 AND mean_ns > p05_ns AND p95_ns > mean_ns",
           N);
    expect(f, "SELECT count(*) FROM speedup WHERE speedup > 1.9 AND speedup < 2 AND n_pairs = 3",
           2);
    expect_sound(f);
}

/* Without a database nothing is stored, and every group is wanted. */
static void test_without_database(void **state)
{
    const assay_program_start start     = a_start();
    bool                      is_wanted = false;
    int                       status    = 7;

    (void)state;
    words.database = NULL;
    assert_ok(assay_program_open(&start, &program));
    assert_null(program);
    assert_ok(assay_program_take(program, 0, 2, &is_wanted));
    assert_true(is_wanted && assay_program_can_time(program, 0));
    put_check(0, 9, 1);
    assert_ok(put_times(0, 1e5));
    assert_ok(assay_program_put_fact(program, 0, "hits", 1));
    assert_ok(assay_program_skip(program, 1, "no"));
    assert_ok(assay_program_finish(program));
    assert_ok(assay_program_close(program, &status));
    assert_int_equal(status, 7);
}

/* A device without meaningful times has none, except for a reference, which runs on no device. */
static void test_device_that_cannot_time(void **state)
{
    fixture *f = *state;

    device_can_time  = false;
    points[0].is_cpu = true;
    open_program();
    assert_true(assay_program_can_time(program, 0) && !assay_program_can_time(program, 1));
    do_group(0);
    do_group(2);
    assert_int_equal(close_program(), ASSAY_EXIT_PASS);
    expect(f, "SELECT count(*) FROM verdict WHERE verdict = 'PASS'", N);
    expect(f, "SELECT count(*) FROM measurement", 1);
    expect_sound(f);
}

/* ---- no verdict, no number ---- */

static void test_wrong_point(void **state)
{
    fixture *f = *state;

    open_program();
    take(0, 2);
    assert_fails(put_times(0, 1e5), ASSAY_E_USAGE, "was not checked, and has no times");
    assert_fails(assay_program_put_fact(program, 0, "hits", 1), ASSAY_E_USAGE,
                 "no verdict, no number");
    put_check(0, 2, 1);
    assert_fails(put_times(0, 1e5), ASSAY_E_USAGE, "is wrong, and has no times");
    put_check(1, 0, 0);
    assert_ok(put_times(1, 1e5));
    put_check(1, 1, 0); /* found later: the times kept so far are dropped */
    assert_ok(assay_program_finish(program));
    take(2, 2);
    put_check(2, (double)NAN, 1);
    put_check(3, 0, 0);
    assert_ok(put_times(3, 1e5));
    assert_ok(assay_program_finish(program));
    assert_int_equal(close_program(), ASSAY_EXIT_WRONG);
    expect(f, "SELECT count(*) FROM verdict WHERE verdict = 'WRONG_VALUE'", 3);
    expect(f, "SELECT count(*) FROM measurement", 1);
    expect(f, "SELECT finding = 'CANNOT_TELL' FROM compared", 1); /* its baseline is wrong */
    expect(f, "SELECT count(*) FROM check_result WHERE worst_ratio = 2 AND reason <> ''", 1);
    expect_sound(f);
}

static void test_skipped_point(void **state)
{
    fixture *f = *state;

    open_program();
    for (int g = 0; g < N; g += 2) {
        take(g, 2);
        assert_fails(assay_program_skip(program, g, ""), ASSAY_E_USAGE, "without a reason");
        for (int i = 0; i < 2; i++)
            assert_ok(assay_program_skip(program, g + i, "too large"));
        assert_fails(put_times(g, 1e5), ASSAY_E_USAGE, "was skipped, and has no times");
        assert_ok(assay_program_finish(program));
    }
    assert_int_equal(close_program(), ASSAY_EXIT_SKIPPED);
    expect(f, "SELECT count(*) FROM verdict WHERE verdict = 'SKIPPED' AND reason = 'too large'", N);
}

static void test_refuses_numbers(void **state)
{
    double                    ns    = 5;
    assay_program_times       times = { .time_ns = &ns, .n = 1, .n_blocks = 1, .calls = 1 };
    const assay_program_check mute  = { .output = "", .why = "x" };
    const assay_program_check lax   = { .output = "x", .why = "x", .bound = (double)INFINITY };

    (void)state;
    points[0].is_timed = false;
    open_program();
    take(0, 2);
    put_check(0, 0, 0);
    put_check(1, 0, 0);
    assert_fails(assay_program_put_times(program, 0, &times), ASSAY_E_USAGE,
                 "was not planned to be timed");
    times.n_blocks = 2;
    assert_fails(assay_program_put_times(program, 1, &times), ASSAY_E_USAGE,
                 "do not make 2 blocks");
    times.n_blocks = 1;
    ns             = 0;
    assert_fails(assay_program_put_times(program, 1, &times), ASSAY_E_USAGE,
                 "that is not a time above 0");
    ns          = 5;
    times.clock = (assay_program_clock)9;
    assert_fails(assay_program_put_times(program, 1, &times), ASSAY_E_USAGE, "9 is not a clock");
    assert_fails(assay_program_put_fact(program, 1, "a.b", 1), ASSAY_E_USAGE, "name of a fact");
    assert_fails(assay_program_put_check(program, 1, &mute), ASSAY_E_USAGE,
                 "a check has an output");
    assert_fails(assay_program_put_check(program, 1, &lax), ASSAY_E_USAGE, "a finite bound");
    assert_ok(assay_program_put_fact(program, 1, "hits", 1));
    assert_fails(assay_program_put_fact(program, 1, "hits", 2), ASSAY_E_USAGE,
                 "has a fact 'hits' already");
    assert_fails(put_times(2, 1e5), ASSAY_E_USAGE, "not of the group that was taken");
    assert_ok(put_times(1, 1e5));
    assert_ok(assay_program_finish(program));
}

/* ---- a group is stored whole or not at all ---- */

static void execute(const fixture *f, const char *sql)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(f->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void test_group_is_stored_whole(void **state)
{
    fixture *f = *state;

    open_program();
    take(0, 2);
    put_check(0, 0, 0);
    put_check(1, 0, 0);
    assert_ok(put_times(0, 1e5));
    execute(f, "CREATE TRIGGER planted BEFORE INSERT ON verdict WHEN NEW.point_id = 2 "
               "BEGIN SELECT RAISE(ABORT, 'planted'); END");
    assert_fails(assay_program_finish(program), ASSAY_E_INTERNAL, "planted");
    expect(f, "SELECT (SELECT count(*) FROM verdict) + (SELECT count(*) FROM measurement)", 0);
    execute(f, "DROP TRIGGER planted");
    assert_fails(assay_program_finish(program), ASSAY_E_USAGE, "no group was taken");
    do_group(0); /* once more, from the checks on */
    do_group(2);
    assert_int_equal(close_program(), ASSAY_EXIT_PASS);
    expect(f, "SELECT count(*) FROM verdict WHERE verdict = 'PASS'", N);
    expect(f, "SELECT count(*) FROM compared", N / 2);
    expect_sound(f);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = { TEST(test_stores),
                                        TEST(test_without_database),
                                        TEST(test_device_that_cannot_time),
                                        TEST(test_wrong_point),
                                        TEST(test_skipped_point),
                                        TEST(test_refuses_numbers),
                                        TEST(test_group_is_stored_whole) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
