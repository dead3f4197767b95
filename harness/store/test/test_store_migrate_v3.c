/* A file of schema version 3 is brought up to date: every value of every table is still there, and
 * its calibrations are those of cases as a whole. */
#include "migrate_fixture.h"
#include "store_v3.h"

#include "store/series/store_side.h"

#include <math.h>

static void test_keeps_everything(void **state)
{
    fixture *f = *state;
    char     old[160];

    write_v3(f);
    copy_old(f, old);
    open_store(f);
    assert_keeps(f->path, old, tables_v3, N_TABLES_V3);
    assert_string_equal(ask(old, "PRAGMA user_version"), "3");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM policy WHERE terms <> ''"), "1");
}

static void test_schema_is_new(void **state)
{
    fixture *f = *state;

    write_v3(f);
    assert_schema_is_new(f);
}

/* The band of a case stays; the spread that was pooled over its points is no point's. */
static void test_calibrations(void **state)
{
    const assay_side_filter everything = { .n_cases = 0 };
    fixture                *f          = *state;
    assay_side              side;

    write_v3(f);
    assert_ok(assay_side_read("run-a", f->path, &everything, &side)); /* as it is: read-only */
    assert_int_equal(side.n_known, 2);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(side.known[i].key, "");
        assert_true(side.known[i].band > 0 && isnan(side.known[i].process_sd));
    }
    assay_side_free(&side);
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "3");
    open_store(f);
    assert_string_equal(ask(f->path, "SELECT group_concat(uuid || band || (key IS NULL)) FROM "
                                     "(SELECT * FROM calibrated ORDER BY uuid)"),
                        "cal-10.04251,cal-20.021");
}

/* What was interrupted goes on, and what is written once stays so. */
static void test_goes_on(void **state)
{
    fixture      *f = *state;
    assay_run_row run;
    int64_t       id    = 0;
    bool          found = false;

    write_v3(f);
    open_store(f);
    assert_ok(assay_store_find_interrupted(f->store, NULL, 0, &id, &run, &found));
    assert_true(found);
    assert_string_equal(run.uuid, "run-b");
    pass_point(f, 3, 0.5, 50000);
    assert_int_equal(run_sql(f->path, "UPDATE calibration SET band = 0"), SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "DELETE FROM annotation"), SQLITE_CONSTRAINT);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM measurement"), "2");
    assert_string_equal(ask(f->path, "SELECT name || run_uuid FROM baselines"), "mainrun-a");
}

/* A generated column of this schema is none of a person's own; one that is would be lost. */
static void test_refuses_own_generated(void **state)
{
    fixture *f = *state;

    write_v3(f);
    assert_int_equal(run_sql(f->path, "ALTER TABLE policy ADD COLUMN mine REAL AS (budget_s * 2)"),
                     SQLITE_OK);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store), ASSAY_E_DATABASE,
                 "would be lost: policy.mine;");
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "3");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keeps_everything), TEST(schema_is_new),         TEST(calibrations),
        TEST(goes_on),          TEST(refuses_own_generated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
