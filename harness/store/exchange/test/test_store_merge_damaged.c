/* Merging files of which one is damaged, or defines the same case in other words. */
#include "testing/store_raw.h"

/* A file beside the fixture's with one run: one point that passed, with a row of every kind, and
 * one that failed. */
static void write_source(fixture *f, char path[160], const char *name)
{
    const assay_point_row a = a_point("axpy", "naive", "", 64);
    const assay_point_row b = a_point("axpy", "vec4", "naive", 64);
    int64_t               run, first, second;

    (void)snprintf(path, 160, "%s/%s.db", f->directory, name);
    assert_ok(assay_store_open(path, ASSAY_STORE_WRITE, &f->store));
    run    = begin_run(f, name);
    first  = plan_point(f, run, &a);
    second = plan_point(f, run, &b);
    put_everything(f, run, first);
    fail_point(f, second, "off");
    assay_store_close(f->store);
    f->store = NULL;
}

/* If something in the source is damaged, neither that nor anything else of the source is merged. */
static void assert_damaged(fixture *f, const char *harm, const char *words)
{
    char        sound[160], harmed[160];
    assay_merge came;

    write_source(f, sound, "sound");
    write_source(f, harmed, "harmed");
    assert_int_equal(run_sql(harmed, harm), SQLITE_OK);
    open_store(f);
    assert_fails(assay_store_merge(f->store, harmed, &came), ASSAY_E_DATABASE, words);
    assert_string_equal(ask(f->path, "SELECT (SELECT count(*) FROM run) || (SELECT count(*) FROM "
                                     "build) || (SELECT count(*) FROM policy)"),
                        "000");
    /* The next merge works after that. */
    assert_ok(assay_store_merge(f->store, sound, &came));
    assert_true(came.n_runs == 1 && came.n_points == 2);
}

#define DAMAGED(name, harm, words)                                                                 \
    static void test_##name(void **state) { assert_damaged(*state, (harm), (words)); }
#define LOOSE "PRAGMA foreign_keys = OFF; "

DAMAGED(damaged_samples,
        "DROP TRIGGER sample_block_kept; UPDATE sample_block SET time_ns = zeroblob(16)",
        "samples of measurement 1, block 0: the checksum does not match")
DAMAGED(damaged_block,
        LOOSE "DROP TRIGGER sample_block_kept; UPDATE sample_block SET measurement_id = 77 WHERE "
              "block = 1",
        "sample_block, row 2: it refers to a row of measurement that is not there")
DAMAGED(damaged_measurement, LOOSE "DROP TRIGGER measurement_held; DELETE FROM measurement",
        "it refers to a row of measurement that is not there")
DAMAGED(damaged_point,
        LOOSE "DROP TRIGGER planned_point_held; DELETE FROM planned_point WHERE point_id = 2",
        "it refers to a row of planned_point that is not there")

/* One case and version, defined in two ways: the first definition is kept, and a message says
 * so. */
static void test_other_words(void **state)
{
    fixture    *f = *state;
    char        a[160], b[160];
    assay_merge came;

    write_source(f, a, "a");
    write_source(f, b, "b");
    assert_int_equal(run_sql(b, "DROP TRIGGER case_version_kept; UPDATE case_version SET what = "
                                "'y[i] = a * x[i]'"),
                     SQLITE_OK);
    open_store(f);
    assert_ok(assay_store_merge(f->store, a, &came));
    assert_string_equal(came.other_words, "");
    assert_ok(assay_store_merge(f->store, b, &came));
    assert_true(came.n_runs == 1 && came.n_conflicts == 0);
    assert_string_equal(came.other_words, "axpy, version 1");
    assert_string_equal(ask(f->path, "SELECT group_concat(what) FROM case_version"),
                        "y[i] += a * x[i]");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(damaged_samples), TEST(damaged_block), TEST(damaged_measurement),
        TEST(damaged_point),   TEST(other_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
