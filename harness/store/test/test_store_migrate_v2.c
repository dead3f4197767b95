/* A file of schema version 2 is brought up to date: every value of every table is still there, and
 * what that version did not record is NULL. */
#include "migrate_fixture.h"
#include "testing/store_v2.h"

#include "report/report.h"

static const char *const tables_v2[] = {
    "build",        "device", "device_state", "run",          "run_end",          "ceiling",
    "case_version", "config", "axis_value",   "point",        "expected_verdict", "check_result",
    "verdict",      "policy", "measurement",  "sample_block", "comparison",       "launch",
    "section",      "metric", "tuning_trial",
};
enum {
    N_TABLES = sizeof tables_v2 / sizeof tables_v2[0]
};

static void write_both(fixture *f, char old[160])
{
    write_v2(f->path);
    copy_old(f, old);
}

static void test_keeps_everything(void **state)
{
    fixture *f = *state;
    char     old[160];

    write_both(f, old);
    open_store(f);
    assert_keeps(f->path, old, tables_v2, N_TABLES);
    assert_string_equal(ask(old, "PRAGMA user_version"), "2");
}

static void test_schema_is_new(void **state)
{
    fixture *f = *state;

    write_v2(f->path);
    assert_schema_is_new(f);
}

/* What was interrupted goes on, and old and new measurements are one series under two conditions.
 */
static void test_goes_on(void **state)
{
    fixture      *f = *state;
    assay_run_row run;
    int64_t       id    = 0;
    bool          found = false;

    write_v2(f->path);
    open_store(f);
    assert_ok(assay_store_find_interrupted(f->store, NULL, 0, &id, &run, &found));
    assert_true(found);
    assert_int_equal(id, 12);
    assert_string_equal(run.uuid, "run-cut");
    pass_point(f, 23, 0.5, 50000);
    assert_string_equal(
        ask(f->path, "SELECT series FROM measured_series WHERE measurement_id = 41"),
        "'axpy' 'n=64' 'naive' 'cold' 'record' 'cuda' 'Test GPU'");
    assert_string_equal(ask(f->path, "SELECT count(DISTINCT conditions) FROM history"), "2");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM policy WHERE method IS NULL"), "1");
    assert_int_equal(run_sql(f->path, "UPDATE run SET seed = 1"), SQLITE_CONSTRAINT);
}

/* Read-only: a private copy is brought up to date, the file stays. */
static void test_reads(void **state)
{
    fixture             *f    = *state;
    assay_stored_samples read = { 0 };
    char                *text = NULL;
    size_t               size = 0;
    FILE                *out  = open_memstream(&text, &size);

    write_v2(f->path);
    assert_non_null(out);
    assert_ok(assay_report_write(f->path, 11, "text", out));
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "2.000 us"));
    assert_ok(assay_store_open(f->path, ASSAY_STORE_READ, &f->store));
    assert_ok(assay_store_read_samples(f->store, 41, &read));
    assert_int_equal(read.blocks[0].reasons, 4);
    assert_int_equal(read.blocks[0].memory_before_mhz, -1);
    assay_stored_samples_free(&read);
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "2");
    free(text);
}

/* A number without a PASS was smuggled in: nothing of the file is changed. */
static void test_refuses_broken(void **state)
{
    fixture *f = *state;

    write_v2(f->path);
    assert_int_equal(run_sql(f->path,
                             "PRAGMA foreign_keys = OFF; DROP TRIGGER verdict_held; DELETE "
                             "FROM verdict WHERE point_id = 21"),
                     SQLITE_OK);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store), ASSAY_E_DATABASE,
                 "7 rows refer to rows that are not there");
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "2");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM measurement"), "2");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keeps_everything), TEST(schema_is_new), TEST(goes_on), TEST(reads),
        TEST(refuses_broken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
