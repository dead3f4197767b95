/* A file of schema version 2 is brought up to date: every value of every table is still there, and
 * what that version did not record is NULL. */
#include "store_v2.h"

#include "report.h"

static const char *const tables_v2[] = {
    "build",        "device", "device_state", "run",          "run_end",          "ceiling",
    "case_version", "config", "axis_value",   "point",        "expected_verdict", "check_result",
    "verdict",      "policy", "measurement",  "sample_block", "comparison",       "launch",
    "section",      "metric", "tuning_trial",
};
enum {
    N_TABLES = sizeof tables_v2 / sizeof tables_v2[0]
};

/* All columns of a table that the old file `old` has, as a list for SQL; in a buffer that the next
 * call overwrites. */
static const char *columns_of(const char *old, const char *table)
{
    char sql[256];

    (void)snprintf(sql, sizeof sql,
                   "SELECT group_concat('\"' || name || '\"', ', ') FROM pragma_table_info('%s')",
                   table);
    return ask(old, sql);
}

/* Rows of one file that the other lacks, by these columns, both ways together. */
static int count_differences(const char *path, const char *old, const char *table)
{
    char          sql[32768], columns[4096];
    sqlite3      *db   = open_raw(path);
    sqlite3_stmt *stmt = NULL;
    int           n;

    (void)snprintf(columns, sizeof columns, "%s", columns_of(old, table));
    (void)snprintf(sql, sizeof sql, "ATTACH '%s' AS old", old);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    (void)snprintf(sql, sizeof sql,
                   "SELECT (SELECT count(*) FROM (SELECT %s FROM main.%s EXCEPT SELECT %s FROM "
                   "old.%s)) + (SELECT count(*) FROM (SELECT %s FROM old.%s EXCEPT SELECT %s FROM "
                   "main.%s)) + 1000 * ((SELECT count(*) FROM old.%s) = 0)",
                   columns, table, columns, table, columns, table, columns, table, table);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    n = sqlite3_column_int(stmt, 0);
    (void)sqlite3_finalize(stmt);
    (void)sqlite3_close(db);
    return n;
}

/* The new columns of a table: none holds anything. */
static void assert_new_are_null(const char *path, const char *old, const char *table)
{
    char sql[16384], made[8192];

    (void)snprintf(made, sizeof made, "'%s'", columns_of(old, table));
    (void)snprintf(sql, sizeof sql,
                   "SELECT coalesce(group_concat('count(' || name || ')', ' + '), '0') FROM "
                   "pragma_table_info('%s') WHERE instr(%s, '\"' || name || '\"') = 0",
                   table, made);
    (void)snprintf(made, sizeof made, "%s", ask(path, sql));
    (void)snprintf(sql, sizeof sql, "SELECT %s FROM %s", made, table);
    assert_string_equal(ask(path, sql), "0");
}

static void write_both(fixture *f, char old[160])
{
    char command[512];

    write_v2(f->path);
    (void)snprintf(old, 160, "%s/old.db", f->directory);
    (void)snprintf(command, sizeof command, "cp '%s' '%s'", f->path, old);
    assert_int_equal(system(command), 0);
}

static void test_keeps_everything(void **state)
{
    fixture *f = *state;
    char     old[160];

    write_both(f, old);
    open_store(f);
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "3");
    assert_string_equal(ask(f->path, "PRAGMA integrity_check"), "ok");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%_old'"),
                        "0");
    for (int i = 0; i < N_TABLES; i++) {
        if (count_differences(f->path, old, tables_v2[i]) != 0)
            fail_msg("%s has changed", tables_v2[i]);
        assert_new_are_null(f->path, old, tables_v2[i]);
    }
    /* No table of the old file was forgotten by this test. */
    assert_int_equal(
        strtol(ask(old, "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"), NULL, 10),
        N_TABLES);
    assert_string_equal(ask(old, "PRAGMA user_version"), "2");
}

/* To the letter the schema of a new file: triggers, views and indexes included. */
static void test_schema_is_new(void **state)
{
    static const char sql[] = "SELECT count(*) FROM (SELECT type, name, tbl_name, sql FROM "
                              "main.sqlite_schema EXCEPT SELECT type, name, tbl_name, sql FROM "
                              "fresh.sqlite_schema)";
    fixture          *f     = *state;
    char              fresh[160], text[512];
    sqlite3          *db;
    sqlite3_stmt     *stmt = NULL;

    write_v2(f->path);
    open_store(f);
    assay_store_close(f->store);
    (void)snprintf(fresh, sizeof fresh, "%s/fresh.db", f->directory);
    assert_ok(assay_store_open(fresh, ASSAY_STORE_WRITE, &f->store));
    db = open_raw(f->path);
    (void)snprintf(text, sizeof text, "ATTACH '%s' AS fresh", fresh);
    assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(stmt, 0), 0);
    (void)sqlite3_finalize(stmt);
    (void)sqlite3_close(db);
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
    assert_ok(assay_store_find_interrupted(f->store, &id, &run, &found));
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
