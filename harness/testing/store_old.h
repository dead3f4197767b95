/* A file of schema version 5, the oldest that is read, with rows in every table. It is made by the
 * schema of that version. Rows that both versions write alike are written by the store and copied
 * column by column. */
#ifndef ASSAY_TEST_STORE_OLD_H
#define ASSAY_TEST_STORE_OLD_H

#include "store_raw.h"

/* A text file of harness/testing; caller frees. */
static inline char *read_beside(const char *name)
{
    char  path[512];
    FILE *file;
    char *text = calloc(1, 1 << 18);

    (void)snprintf(path, sizeof path, ASSAY_TESTING_FOLDER "/%s", name);
    file = fopen(path, "r");
    if (!file)
        print_error("cannot open %s\n", path);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 18) - 1, file) > 0);
    assert_int_equal(fclose(file), 0);
    return text;
}

static inline char *copy_text(const char *text)
{
    char *copy = strdup(text);

    assert_non_null(copy);
    return copy;
}

/* The tables in an order in which they can be written: verdicts and ends come after the rows that
 * they close. */
static const char *const tables_old[] = {
    "build",
    "device",
    "device_state",
    "run",
    "case_version",
    "config",
    "axis_value",
    "point",
    "expected_verdict",
    "check_result",
    "policy",
    "ceiling",
    "measurement",
    "sample_block",
    "comparison",
    "launch",
    "section",
    "metric",
    "tuning_trial",
    "verdict",
    "run_end",
    "annotation",
    "accepted_baseline",
    "change",
    "calibration",
};
enum {
    N_TABLES_OLD = sizeof tables_old / sizeof tables_old[0]
};

/* Calibrations of a case, and of one of its points. */
static const char calibration_old[] =
    "INSERT INTO calibration VALUES (3, 'cal-1', 'axpy', 1, 'cold', 'record', 'cuda', 'Test GPU "
    "80GB', NULL, NULL, 18, 0.0, 0.0, 0.25, 0.0425, NULL, NULL, 'm', 'run-a run-b', "
    "'2026-01-05T00:00:00.000Z');";

static inline void exec_old(sqlite3 *db, const char *sql)
{
    char *why = NULL;

    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s", why);
}

/* Writes two runs, the second one not finished, and what people noted on the first. */
static inline void write_rows_old(fixture *f, const char *path)
{
    fixture               other = *f;
    assay_annotation_row  note  = { .run_uuid = "run-a", .text = "a word", .who = "Ada" };
    assay_accepted_row    main  = { .name = "main", .run_uuid = "run-a", .why = "first" };
    assay_change_row      row   = { .verdict = "SAME",
                                    .clock   = ASSAY_CLOCK_RECORD,
                                    .regime  = ASSAY_REGIME_COLD };
    const assay_point_row p = a_point("axpy", "naive", "", 64), q = a_point("axpy", "vec4", "", 64);
    int64_t               run, cut;

    other.store = NULL;
    assert_ok(assay_store_open(path, ASSAY_STORE_WRITE, &other.store));
    run = begin_run(&other, "run-a");
    put_everything(&other, run, plan_point(&other, run, &p));
    fail_point(&other, plan_point(&other, run, &q), "off");
    assert_ok(assay_store_end_run(other.store, run, 2));
    cut = begin_run(&other, "run-b");
    (void)plan_point(&other, cut, &p);
    assert_ok(assay_store_annotate(other.store, &note));
    assert_ok(assay_store_accept(other.store, &main));
    assert_ok(assay_store_write_changes(other.store, &row, 1));
    assay_store_close(other.store);
}

static inline void copy_table_old(sqlite3 *db, const char *table)
{
    char          sql[512], *made = NULL;
    sqlite3_stmt *stmt = NULL;

    (void)snprintf(sql, sizeof sql,
                   "SELECT 'INSERT INTO main.%s (' || names || ') SELECT ' || names || ' FROM "
                   "rows.%s' FROM (SELECT group_concat('\"' || name || '\"', ', ') AS names FROM "
                   "pragma_table_info('%s', 'main'))",
                   table, table, table);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    made = copy_text((const char *)sqlite3_column_text(stmt, 0));
    assert_int_equal(sqlite3_finalize(stmt), SQLITE_OK);
    exec_old(db, made);
    free(made);
}

/* Writes the new file `path`. */
static inline void write_old(fixture *f, const char *path)
{
    char     rows[160], sql[256], *schema = read_beside("data/schema_v5.sql");
    sqlite3 *db = open_raw(path);

    (void)snprintf(rows, sizeof rows, "%s/rows.db", f->directory);
    write_rows_old(f, rows);
    (void)snprintf(sql, sizeof sql, "ATTACH '%s' AS rows", rows);
    exec_old(db, "PRAGMA journal_mode = WAL");
    exec_old(db, sql);
    exec_old(db, "BEGIN");
    exec_old(db, schema);
    for (int i = 0; i < N_TABLES_OLD; i++)
        copy_table_old(db, tables_old[i]);
    exec_old(db, calibration_old);
    exec_old(db, "COMMIT; DETACH rows");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    free(schema);
}

#endif
