/* Results of checks are stored once and read back whole; so are the keys of points. */
#include "testing/store_raw.h"

static int64_t check_point(fixture *f, int64_t run, const char *variant,
                           const assay_check_row *rows, int n, assay_verdict verdict)
{
    const assay_point_row   p     = a_point("axpy", variant, "", 64);
    const assay_verdict_row found = a_verdict(verdict, verdict == ASSAY_PASS ? "" : "off");
    const int64_t           id    = plan_point(f, run, &p);

    assert_ok(assay_store_begin_point(f->store, id));
    for (int i = 0; i < n; i++)
        assert_ok(assay_store_put_check(f->store, id, &rows[i]));
    assert_ok(assay_store_finish_point(f->store, id, &found));
    return id;
}

/* Three checks that passed, the second one nearest to its bound, with inputs from the point's
 * seed. */
static void fill_checks(assay_check_row rows[3])
{
    static const double ratios[] = { 0.25, 0.75, 0.5 };
    const uint64_t      seed     = a_point("axpy", "naive", "", 64).seed;

    for (int i = 0; i < 3; i++) {
        rows[i]                        = a_check(ratios[i]);
        rows[i].input                  = (assay_input)(ASSAY_INPUT_RANDOM + (i == 2));
        rows[i].output[0]              = (char)('x' + i);
        rows[i].seed                   = seed;
        rows[i].n_failed               = 0;
        rows[i].n_exempt               = 0;
        rows[i].exempt_share_predicted = 0;
    }
}

/* Two variants and two runs with the same findings share one row for each finding, and one list. */
static void test_same_once(void **state)
{
    fixture        *f = *state;
    assay_check_row rows[3];
    int64_t         run;

    open_store(f);
    fill_checks(rows);
    run = begin_run(f, "run-1");
    (void)check_point(f, run, "naive", rows, 3, ASSAY_PASS);
    (void)check_point(f, run, "vec4", rows, 3, ASSAY_PASS);
    run = begin_run(f, "run-2");
    (void)check_point(f, run, "naive", rows, 3, ASSAY_PASS);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM finding"), "3");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM finding_detail"), "0");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM tolerance"), "1");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM checked_output"), "3");
    assert_string_equal(ask(f->path, "SELECT group_concat(findings) FROM finding_list"), "1,2,3");
    assert_string_equal(ask(f->path, "SELECT worst_id FROM finding_list"), "2");
    assert_string_equal(ask(f->path, "SELECT count(*) || min(n_failed) || max(n_exempt) || "
                                     "max(worst_ratio) FROM check_result"),
                        "9000.75");
    assert_string_equal(ask(f->path, "SELECT group_concat(output, '') FROM (SELECT * FROM "
                                     "check_result WHERE point_id = 3 ORDER BY check_id)"),
                        "xyz");
}

/* A difference in any value makes another finding. */
static void test_different_twice(void **state)
{
    fixture        *f = *state;
    assay_check_row rows[4];
    int64_t         run = (open_store(f), begin_run(f, "run-1"));

    fill_checks(rows);
    rows[1] = rows[2] = rows[3] = rows[0];
    rows[1].seed++;
    rows[2].n_exempt = 1;
    rows[3].count++;
    (void)check_point(f, run, "naive", rows, 4, ASSAY_PASS);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM finding"), "4");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM finding_detail"), "2");
    assert_string_equal(ask(f->path, "SELECT count(DISTINCT seed) || sum(n_exempt) || "
                                     "count(DISTINCT count) FROM check_result"),
                        "212");
    (void)check_point(f, run, "vec4", rows, 4, ASSAY_PASS);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM finding"), "4");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM finding_list"), "1");
}

/* A failure keeps all its values, and is the worst of its point. A failure without a number is
 * worse than any number. */
static void test_failure_whole(void **state)
{
    fixture        *f = *state;
    assay_check_row rows[3];
    int64_t         run = (open_store(f), begin_run(f, "run-1"));

    fill_checks(rows);
    rows[2].verdict            = ASSAY_WRONG_VALUE;
    rows[2].n_failed           = 7;
    rows[2].first_bad_index    = 3;
    rows[2].first_bad_value    = (double)NAN;
    rows[2].first_bad_expected = 1.5;
    rows[2].worst_ratio        = (double)NAN;
    (void)snprintf(rows[2].reason, sizeof rows[2].reason, "seven are wrong");
    (void)check_point(f, run, "naive", rows, 3, ASSAY_WRONG_VALUE);
    assert_string_equal(ask(f->path, "SELECT reason || n_failed || first_bad || "
                                     "(first_bad_value IS NULL) || first_bad_expected || "
                                     "(worst_ratio IS NULL) FROM check_result WHERE verdict = "
                                     "'WRONG_VALUE'"),
                        "seven are wrong7311.51");
    assert_string_equal(ask(f->path, "SELECT worst_id FROM finding_list"), "3");
}

/* Nobody can change a finding, or make a point's list longer. */
static void test_by_hand(void **state)
{
    static const char *const harms[] = {
        "INSERT INTO finding_detail (finding_id, verdict, reason) VALUES (1, 'WRONG_VALUE', '')",
        "INSERT INTO checked_point VALUES (2, 1)",
        "REPLACE INTO checked_point VALUES (1, 1)",
        "REPLACE INTO tolerance SELECT * FROM tolerance",
        "REPLACE INTO checked_output SELECT * FROM checked_output",
        "REPLACE INTO finding (finding_id, checked_output_id, worst_ratio) VALUES (1, 1, 0.125)",
        "REPLACE INTO finding_list (finding_list_id, findings, worst_id) VALUES (1, '1', 1)",
        "INSERT INTO open_point VALUES (1, '', 1)",
        "INSERT INTO point (run_id, ordinal, config_id, variant, baseline, key, seed, "
        "is_reference, is_timed, cells) VALUES (1, 5, 1, 'x', '', '', 0, 0, 0, 0)",
        "INSERT INTO verdict (point_id, verdict, reason, finished_utc) VALUES (2, 'PASS', '', '')",
        "INSERT INTO open_point VALUES (2, '', 99); INSERT INTO verdict (point_id, "
        "verdict, reason, finished_utc) VALUES (2, 'PASS', '', '')",
        "BEGIN; INSERT INTO open_point VALUES (2, '', 4); INSERT INTO verdict (point_id, verdict, "
        "reason, finished_utc) VALUES (2, 'PASS', '', '')",
        "BEGIN; INSERT INTO open_point VALUES (2, '1,', 4); INSERT INTO verdict (point_id, "
        "verdict, reason, finished_utc) VALUES (2, 'PASS', '', '')",
    };
    fixture              *f = *state;
    const assay_point_row p = a_point("axpy", "vec4", "", 64);
    assay_check_row       rows[3];
    int64_t               run = (open_store(f), begin_run(f, "run-1"));

    fill_checks(rows);
    (void)check_point(f, run, "naive", rows, 3, ASSAY_PASS);
    (void)plan_point(f, run, &p);
    rows[0].verdict  = ASSAY_WRONG_VALUE; /* finding 4, of a third point */
    rows[0].n_failed = 1;
    (void)check_point(f, run, "other", rows, 1, ASSAY_WRONG_VALUE);
    for (size_t i = 0; i < sizeof harms / sizeof harms[0]; i++)
        if (run_sql(f->path, harms[i]) != SQLITE_CONSTRAINT)
            fail_msg("not refused: %s", harms[i]);
}

/* The key is composed of case, variant and axes; it is stored only if it differs from that. */
static void test_keys(void **state)
{
    fixture        *f   = *state;
    const int64_t   run = (open_store(f), begin_run(f, "run-1"));
    assay_point_row p   = a_point("axpy", "naive", "", 64);

    (void)plan_point(f, run, &p);
    p = a_point("axpy", "vec4", "", 64);
    (void)snprintf(p.key, sizeof p.key, "another");
    (void)plan_point(f, run, &p);
    assert_string_equal(ask(f->path, "SELECT group_concat(coalesce(own_key, '-')) FROM (SELECT * "
                                     "FROM planned_point ORDER BY ordinal)"),
                        "-,another");
    assert_string_equal(ask(f->path, "SELECT group_concat(key) FROM (SELECT * FROM point ORDER BY "
                                     "ordinal)"),
                        "axpy/naive/n=64,another");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(same_once), TEST(different_twice), TEST(failure_whole), TEST(by_hand), TEST(keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
