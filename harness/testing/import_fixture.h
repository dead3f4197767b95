/* A second database, and CSV between the two. Include <sqlite3.h> first. */
#ifndef ASSAY_TEST_IMPORT_FIXTURE_H
#define ASSAY_TEST_IMPORT_FIXTURE_H

#include "report_timed.h"

#include "store/exchange/store_import.h"

/* A second database beside the first. */
static inline const char *other_path(const fixture *f, char path[160])
{
    (void)snprintf(path, 160, "%s/other.db", f->directory);
    return path;
}

static inline assay_csv parse(const char *text)
{
    assay_csv csv;

    assert_ok(assay_csv_parse("t.csv", text, strlen(text), &csv));
    return csv;
}

static inline assay_status import_into(const char *path, const assay_csv *csv, int n,
                                       assay_import *made)
{
    assay_store *store = NULL;
    assay_status st;

    assert_ok(assay_store_open(path, ASSAY_STORE_WRITE, &store));
    st = assay_store_import(store, csv, n, made);
    assay_store_close(store);
    return st;
}

/* Caller frees. */
static inline char *csv_of(const char *path, int64_t run_id)
{
    static char  *text; /* static: the stream keeps their addresses until it is closed */
    static size_t size;
    FILE         *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_ok(assay_report_write(path, run_id, "csv", out));
    assert_int_equal(fclose(out), 0);
    return text;
}

/* The number that a query returns. */
static inline int64_t ask(const char *path, const char *sql)
{
    sqlite3      *db   = NULL;
    sqlite3_stmt *stmt = NULL;
    int64_t       value;

    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    value = sqlite3_column_int64(stmt, 0);
    assert_int_equal(sqlite3_finalize(stmt), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return value;
}

static inline void assert_whole(const char *path)
{
    assay_store *store      = NULL;
    int64_t      n_problems = -1;

    assert_ok(assay_store_open(path, ASSAY_STORE_READ, &store));
    assert_ok(assay_store_examine(store, NULL, NULL, &n_problems));
    assert_int_equal(n_problems, 0);
    assay_store_close(store);
}

#endif
