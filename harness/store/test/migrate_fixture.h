/* Files of older schemas compared with their migrated copies: nothing is lost, and the schema is
 * that of a new file. */
#ifndef ASSAY_TEST_MIGRATE_FIXTURE_H
#define ASSAY_TEST_MIGRATE_FIXTURE_H

#include "report/report.h"
#include "testing/store_raw.h"

/* All columns that a table has in the old file `old`, except the id of a check, which changes.
 * The result is a list for SQL in a buffer that the next call overwrites. */
static inline const char *columns_of(const char *old, const char *table)
{
    char sql[256];

    (void)snprintf(
        sql, sizeof sql,
        "SELECT group_concat('\"' || name || '\"', ', ') FROM pragma_table_info('%s') WHERE "
        "name <> 'check_id'",
        table);
    return ask(old, sql);
}

/* The number of rows that only one of two files has, compared by these columns. */
static inline int count_differences(const char *path, const char *old, const char *table)
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

/* Asserts that all new columns of a table are NULL. */
static inline void assert_new_are_null(const char *path, const char *old, const char *table)
{
    char sql[16384], made[8192];

    (void)snprintf(made, sizeof made, "'%s'", columns_of(old, table));
    (void)snprintf(sql, sizeof sql,
                   "SELECT coalesce(group_concat('count(' || name || ')', ' + '), '0') FROM "
                   "pragma_table_info('%s') WHERE instr(%s, '\"' || name || '\"') = 0 AND name <> "
                   "'check_id'",
                   table, made);
    (void)snprintf(made, sizeof made, "%s", ask(path, sql));
    (void)snprintf(sql, sizeof sql, "SELECT %s FROM %s", made, table);
    assert_string_equal(ask(path, sql), "0");
}

/* A copy of the fixture's file, made before the migration. */
static inline void copy_old(const fixture *f, char old[160])
{
    char command[512];

    (void)snprintf(old, 160, "%s/old.db", f->directory);
    (void)snprintf(command, sizeof command, "cp '%s' '%s'", f->path, old);
    assert_int_equal(system(command), 0);
}

/* Every report reads the fixture's file, and does not change its version. */
static inline void assert_reads_without_writing(const fixture *f, const char *version)
{
    FILE *out = fopen("/dev/null", "w");

    assert_non_null(out);
    for (int i = 0; assay_report_formats[i]; i++)
        assert_ok(assay_report_write(f->path, 1, assay_report_formats[i], out));
    assert_int_equal(fclose(out), 0);
    assert_string_equal(ask(f->path, "PRAGMA user_version"), version);
}

/* Asserts that every value of these tables is kept. They are all tables of the old file, and
 * each has rows. */
static inline void assert_keeps(const char *path, const char *old, const char *const *tables, int n)
{
    assert_string_equal(ask(path, "PRAGMA user_version"), "6");
    assert_string_equal(ask(path, "PRAGMA integrity_check"), "ok");
    assert_string_equal(ask(path, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
    assert_string_equal(ask(path, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%_old'"),
                        "0");
    for (int i = 0; i < n; i++) {
        if (count_differences(path, old, tables[i]) != 0)
            fail_msg("%s has changed", tables[i]);
        assert_new_are_null(path, old, tables[i]);
    }
    assert_int_equal(
        strtol(ask(old, "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"), NULL, 10), n);
}

/* Asserts that the schema is the new one to the letter, with triggers, views and indexes. Opens
 * and migrates the fixture's file. */
static inline void assert_schema_is_new(fixture *f)
{
    static const char sql[] = "SELECT count(*) FROM (SELECT type, name, tbl_name, sql FROM "
                              "main.sqlite_schema EXCEPT SELECT type, name, tbl_name, sql FROM "
                              "fresh.sqlite_schema)";
    char              fresh[160], text[512];
    sqlite3          *db;
    sqlite3_stmt     *stmt = NULL;

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

#endif
