/* A/A comparisons of builds: what is found, what is kept, and which comparisons use it. */
#include "sides_fixture.h"

#include "store/series/store_calibrate.h"

/* Pairs of runs on one card that differ by up to `by`. */
static void put_pairs_on(fixture *f, const char *kind, const char *card, int n, double by)
{
    char uuid[64], utc[64];

    for (int i = 0; i < 2 * n; i++) {
        timed t = a_timed(uuid, 1000 * (1 + by * (i % 3 - 1)));

        (void)snprintf(uuid, sizeof uuid, "%s-%s-%02d", kind, card, i);
        (void)snprintf(utc, sizeof utc, "2026-01-%02dT00:00:00.000Z", i + 1);
        t.kind = kind;
        t.card = card;
        put(f, t);
        set_start(f, uuid, utc);
    }
}

/* The row of a point, found by its variant. */
static const assay_calibrated *row_of(const assay_calibrations *c, const char *variant)
{
    for (int64_t i = 0; i < c->n; i++)
        if (strstr(c->rows[i].key, variant))
            return &c->rows[i];
    fail_msg("no row of %s", variant);
    return NULL;
}

/* Calibrates on the file as it is, and keeps the result. Caller frees. */
static int64_t calibrate(fixture *f, assay_calibrations *c)
{
    const assay_compare_rule rule = assay_compare_rule_default();
    int64_t                  n    = -1;

    open_store(f);
    assert_ok(assay_calibrations_find(f->store, &everything, &rule, c));
    assert_ok(assay_calibrations_record(f->store, c, &n));
    assay_store_close(f->store);
    f->store = NULL;
    return n;
}

/* What a comparison of these two runs knows about the point of vec4. */
static assay_compare_known known_between(fixture *f, const char *a, const char *b,
                                         const char *across)
{
    assay_compare_known known = { 0 };
    both                x;

    hold(f, &x, a, b, across);
    assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_COMPARED], 2);
    for (int64_t i = 0; i < x.table.n; i++)
        if (strcmp(x.table.rows[i].point_b->variant, "vec4") == 0)
            known = x.table.rows[i].known;
    let_go(&x);
    return known;
}

static void assert_unknown(const assay_compare_known *known)
{
    assert_true(isnan(known->band) && isnan(known->case_band) && isnan(known->process_sd) &&
                known->process_df == 0);
}

static void test_calibration(void **state)
{
    fixture            *f = *state;
    assay_calibrations  c;
    assay_compare_known known;
    timed               t = a_timed("other", 2000);

    put_pairs_on(f, "cuda", "A", 3, 0.004); /* six comparisons of two points */
    t.binary = "another build is in no pair";
    put(f, t);
    assert_int_equal(calibrate(f, &c), 1);
    assert_int_equal(c.n_pairs, 3);
    assert_int_equal(c.n, 3); /* the case and its two points */
    assert_int_equal(c.n_cases, 1);
    assert_string_equal(c.rows[0].case_name, "axpy");
    assert_string_equal(c.rows[0].key, "");
    assert_string_equal(c.rows[0].device_kind, "cuda");
    assert_string_equal(c.rows[0].device_name, "A");
    assert_int_equal(c.rows[0].result.n, 6);
    assert_int_equal(c.rows[0].result.n_slower + c.rows[0].result.n_faster, 0);
    assert_true(c.rows[0].result.band > 0.007);
    assert_string_equal(c.rows[0].runs,
                        "cuda-A-00 cuda-A-01 cuda-A-02 cuda-A-03 cuda-A-04 cuda-A-05");
    assert_true(isnan(c.rows[0].result.process_sd) && c.rows[0].result.process_df == 0);
    assert_int_equal(row_of(&c, "vec4")->result.n, 3);
    assert_string_equal(row_of(&c, "vec4")->runs, c.rows[0].runs);
    known = known_between(f, "cuda-A-00", "cuda-A-02", NULL); /* from now on */
    assert_true(known.case_band == c.rows[0].result.band);    /* to the last bit */
    assert_true(isnan(known.band));                           /* from three comparisons: too few */
    assert_true(known.process_sd == row_of(&c, "vec4")->result.process_sd && known.process_sd > 0);
    assert_int_equal(known.process_df, 12);
    assert_string_equal(ask(f->path, "SELECT group_concat(device_kind || device_name || "
                                     "coalesce(key, '') || (band IS NULL) || coalesce(process_df, "
                                     "'-'), ' ') FROM (SELECT * FROM calibration ORDER BY key)"),
                        "cudaA0- cudaAaxpy/naive/n=2000112 cudaAaxpy/vec4/n=1000112");
    assay_calibrations_free(&c);
}

/* Unlike points of one case: each comparison uses what is known of its own point. */
static void test_each_point_has_its_own(void **state)
{
    fixture            *f = *state;
    assay_calibrations  c;
    assay_compare_known known;
    both                x;

    put_pairs_on(f, "cuda", "A", 5, 0.004);
    /* The processes of naive lie ten times as far apart; its runs do not. */
    assert_int_equal(run_sql(f->path, "DROP TRIGGER sample_block_kept; UPDATE sample_block SET "
                                      "median_ns = median_ns * (1 + 0.009 * (process - 1)) WHERE "
                                      "measurement_id IN (SELECT measurement_id FROM timed WHERE "
                                      "variant = 'naive')"),
                     SQLITE_OK);
    assert_int_equal(calibrate(f, &c), 1);
    assert_true(isfinite(row_of(&c, "vec4")->result.band)); /* from five comparisons: enough */
    known = known_between(f, "cuda-A-00", "cuda-A-02", NULL);
    assert_true(known.band == row_of(&c, "vec4")->result.band);
    assert_true(known.case_band == c.rows[0].result.band);
    assert_int_equal(known.process_df, 20);
    hold(f, &x, "cuda-A-00", "cuda-A-02", NULL);
    for (int64_t i = 0; i < x.table.n; i++) {
        const assay_change *row = &x.table.rows[i];
        const bool          odd = strcmp(row->point_b->variant, "naive") == 0;

        assert_true(fabs(row->known.process_sd / (odd ? 0.01 : 0.001) - 1) < 0.02);
        assert_true(row->known.process_sd == row_of(&c, row->point_b->variant)->result.process_sd);
    }
    let_go(&x);
    assay_calibrations_free(&c);
}

/* A calibration holds for its own tuning only. For a new size the calibration of its case is
 * used. */
static void test_other_tuning_and_new_point(void **state)
{
    fixture            *f = *state;
    assay_calibrations  c;
    assay_compare_known known;
    timed               t = a_timed("tuned", 1000), more = a_timed("more", 1000);

    put_pairs_on(f, "cuda", "A", 5, 0.004);
    assert_int_equal(calibrate(f, &c), 1);
    t.card   = "A";
    t.tuning = "block=64";
    put(f, t);
    known = known_between(f, "cuda-A-00", "tuned", "tuning");
    assert_true(isnan(known.band) && isnan(known.process_sd) && known.process_df == 0);
    assert_true(known.case_band == c.rows[0].result.band);
    known = known_between(f, "tuned", "cuda-A-00", "tuning");
    assert_true(isnan(known.band) && isnan(known.process_sd));
    known = known_between(f, "tuned", "tuned", NULL);
    assert_true(isnan(known.band) && isnan(known.process_sd));
    more.card     = "A";
    more.n_points = 3;
    put(f, more);
    {
        both x;

        hold(f, &x, "more", "more", NULL);
        assert_int_equal(x.table.n_of_kind[ASSAY_CHANGE_COMPARED], 3);
        for (int64_t i = 0; i < x.table.n; i++) {
            const bool is_new = strstr(x.table.rows[i].point_b->key, "3000") != NULL;

            assert_true(isnan(x.table.rows[i].known.process_sd) == is_new);
            assert_true(x.table.rows[i].known.case_band == c.rows[0].result.band);
        }
        let_go(&x);
    }
    assay_calibrations_free(&c);
}

static void test_too_few_pairs_have_no_band(void **state)
{
    fixture           *f = *state;
    assay_calibrations c;

    put_pairs_on(f, "cuda", "A", 1, 0.004);
    assert_int_equal(calibrate(f, &c), 0);
    assert_true(isnan(c.rows[0].result.band));
    assay_calibrations_free(&c);
}

/* A night times one case after the other: each run is compared with the next run of the same
 * points. */
static void test_runs_of_other_points_lie_between(void **state)
{
    fixture           *f = *state;
    assay_calibrations c;
    char               uuid[64], utc[32];

    for (int i = 0; i < 12; i++) {
        timed t = a_timed(uuid, 1000 * (1 + 0.001 * (i % 3)));

        (void)snprintf(uuid, sizeof uuid, "run-%02d", i);
        (void)snprintf(utc, sizeof utc, "2026-01-%02dT00:00:00.000Z", i + 1);
        t.version = 1 + i % 2; /* no point in common with the runs before and after */
        put(f, t);
        set_start(f, uuid, utc);
    }
    (void)calibrate(f, &c);
    assert_int_equal(c.n_pairs, 6);
    assert_int_equal(c.n_cases, 2);
    assert_int_equal(c.n, 6);
    assert_string_equal(c.rows[0].runs, "run-00 run-02 run-04 run-06 run-08 run-10");
    assert_string_equal(c.rows[3].runs, "run-01 run-03 run-05 run-07 run-09 run-11");
    assert_int_equal(c.n_different, 0);
    assay_calibrations_free(&c);
}

/* A calibration on one card holds for that card only, however new it is. */
static void test_each_card_has_its_own_band(void **state)
{
    fixture            *f = *state;
    assay_calibrations  c;
    assay_compare_known a, b, both_cards;

    put_pairs_on(f, "cuda", "A", 3, 0.001);
    put_pairs_on(f, "cuda", "B", 3, 0.004);
    put_pairs_on(f, "cuda", "C", 1, 0.004);
    put_pairs_on(f, "host", "A", 1, 0.004);
    assert_int_equal(calibrate(f, &c), 2);
    assert_int_equal(c.n_cases, 4); /* sorted by kind and name; each has two points */
    assert_int_equal(c.n, 12);
    assert_string_equal(c.rows[0].device_name, "A");
    assert_string_equal(c.rows[3].device_name, "B");
    assert_string_equal(c.rows[9].device_kind, "host");
    assert_int_equal(c.rows[0].result.n, 6);
    assert_int_equal(c.rows[3].result.n, 6);
    a = known_between(f, "cuda-A-00", "cuda-A-01", NULL);
    b = known_between(f, "cuda-B-00", "cuda-B-01", NULL);
    assert_true(a.case_band == c.rows[0].result.band && b.case_band == c.rows[3].result.band);
    assert_true(b.case_band > 2 * a.case_band);
    assert_true(a.process_df == 12 && b.process_df == 12);
    both_cards = known_between(f, "cuda-C-00", "cuda-C-01", NULL);
    assert_unknown(&both_cards);
    both_cards = known_between(f, "host-A-00", "host-A-01", NULL);
    assert_unknown(&both_cards);
    both_cards = known_between(f, "cuda-A-00", "cuda-B-00", "device");
    assert_unknown(&both_cards);
    both_cards = known_between(f, "cuda-B-00", "cuda-A-00", "device");
    assert_unknown(&both_cards);
    assay_calibrations_free(&c);
}

/* One file knows a point's spread and no band; this does not hide the band of the other file. */
static void test_a_band_on_either_side_counts(void **state)
{
    const assay_compare_rule rule = assay_compare_rule_default();
    fixture                 *f    = *state;
    char                     other[600], sql[700];
    both                     x = { .table = { .n = 0 } };
    int                      n = 0;

    put_pairs_on(f, "cuda", "A", 1, 0.004);
    (void)snprintf(other, sizeof other, "%s.other", f->path);
    (void)snprintf(sql, sizeof sql, "VACUUM INTO '%s'", other);
    assert_int_equal(run_sql(f->path, sql), SQLITE_OK);
    assert_int_equal(run_sql(f->path,
                             "INSERT INTO calibration VALUES (NULL, 'uuid', 'axpy', 1, "
                             "'cold', 'record', 'cuda', 'A', 'axpy/vec4/n=1000', '', 2, 0, "
                             "0, 0, NULL, 0.002, 5, 'm', '', '2026-02-01')"),
                     SQLITE_OK);
    assert_int_equal(run_sql(other, "INSERT INTO calibration VALUES (NULL, 'uuid', 'axpy', 1, "
                                    "'cold', 'record', 'cuda', 'A', 'axpy/vec4/n=1000', '', 9, 0, "
                                    "0, 0, 0.03, 0.001, 9, 'm', '', '2026-02-01')"),
                     SQLITE_OK);
    assert_ok(assay_side_read("cuda-A-00", other, &everything, &x.a));
    assert_ok(assay_side_read("cuda-A-01", f->path, &everything, &x.b));
    assert_ok(assay_change_find(&x.a, &x.b, &rule, NULL, &x.table));
    for (int64_t i = 0; i < x.table.n; i++)
        if (x.table.rows[i].known.process_df > 0) {
            assert_true(x.table.rows[i].known.band == 0.03 &&
                        x.table.rows[i].known.process_df == 9);
            n++;
        }
    assert_int_equal(n, 1);
    let_go(&x);
    assert_int_equal(remove(other), 0);
}

/* A band is used even if there is no spread, or if the spread is not a usable number. The spread
 * that version 3 pooled over the points of a case is not the spread of any of them. */
static void test_spreads_that_say_nothing(void **state)
{
    static const struct {
        const char *key, *spread;
    } rows[]   = { { "'axpy/vec4/n=1000', ''", "NULL, NULL" },
                   { "'axpy/vec4/n=1000', ''", "0, 5" },
                   { "'axpy/vec4/n=1000', ''", "9e999, 5" },
                   { "NULL, NULL", "0.002, 5" } };
    fixture *f = *state;
    char     sql[512];

    put_pairs_on(f, "cuda", "A", 1, 0.004);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assay_compare_known known;

        (void)snprintf(sql, sizeof sql,
                       "INSERT INTO calibration VALUES (NULL, 'uuid %zu', 'axpy', 1, 'cold', "
                       "'record', 'cuda', 'A', %s, 9, 0, 0, 0, 0.0%zu, %s, 'm', '', "
                       "'2026-02-0%zu')",
                       i, rows[i].key, i + 2, rows[i].spread, i + 1);
        assert_int_equal(run_sql(f->path, sql), SQLITE_OK);
        known = known_between(f, "cuda-A-00", "cuda-A-01", NULL);
        if (i < 3)
            assert_true(fabs(known.band - 0.02 - 0.01 * (double)i) < 1e-12);
        else
            assert_true(fabs(known.case_band - 0.05) < 1e-12);
        assert_true(isnan(known.process_sd) && known.process_df == 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_calibration),
        TEST(test_each_point_has_its_own),
        TEST(test_other_tuning_and_new_point),
        TEST(test_too_few_pairs_have_no_band),
        TEST(test_runs_of_other_points_lie_between),
        TEST(test_each_card_has_its_own_band),
        TEST(test_a_band_on_either_side_counts),
        TEST(test_spreads_that_say_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
