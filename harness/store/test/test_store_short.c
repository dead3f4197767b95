/* SQLite has no memory for the text of a value: this is reported, and not taken for a missing
 * value. */
#include "testing/store_raw.h"

#include "store/store.h"
#include "store/store_value.h"

#include <stdarg.h>

static bool is_short;
static int  n_words = -1; /* texts that there is memory for before one fails; -1: all */

/* The linker puts this function in front of SQLite's. */
const unsigned char *__real_sqlite3_column_text(sqlite3_stmt *stmt, int column);
const unsigned char *__wrap_sqlite3_column_text(sqlite3_stmt *stmt, int column);
const unsigned char *__wrap_sqlite3_column_text(sqlite3_stmt *stmt, int column)
{
    return is_short ? NULL : __real_sqlite3_column_text(stmt, column);
}

/* A connection reports the failure of its last call; that of an earlier call is reported by its
 * own code. */
int __real_sqlite3_bind_int64(sqlite3_stmt *stmt, int column, sqlite3_int64 value);
int __wrap_sqlite3_bind_int64(sqlite3_stmt *stmt, int column, sqlite3_int64 value);
int __wrap_sqlite3_bind_int64(sqlite3_stmt *stmt, int column, sqlite3_int64 value)
{
    return is_short ? SQLITE_RANGE : __real_sqlite3_bind_int64(stmt, column, value);
}

char *__wrap_sqlite3_mprintf(const char *format, ...);
char *__wrap_sqlite3_mprintf(const char *format, ...)
{
    char   *text;
    va_list values;

    va_start(values, format);
    text = n_words-- == 0 ? NULL : sqlite3_vmprintf(format, values);
    va_end(values);
    return text;
}

static void test_cursor(void **state)
{
    fixture      *f   = *state;
    const int64_t run = (open_store(f), begin_run(f, "run-1"));
    assay_cursor *row = NULL;
    assay_status  st;

    assert_ok(assay_store_query(f->store, "run", run, &row));
    assert_true(assay_cursor_next(row, &st));
    is_short = true;
    assert_string_equal(assay_row_text(row, "n_cpus"), "16");
    assert_string_equal(assay_row_text(row, "exit_status"), "");
    assert_null(assay_cursor_text(row, assay_cursor_find(row, "exit_status")));
    assert_string_equal(assay_row_text(row, "host"), "");
    is_short = false;
    assert_false(assay_cursor_next(row, &st));
    assert_fails(st, ASSAY_E_MEMORY, "out of memory in the database");
    assay_cursor_close(row);
}

/* A null value is still null if the text of a number cannot be allocated. */
static void test_text_or_null(void **state)
{
    fixture      *f    = *state;
    sqlite3_stmt *stmt = NULL;
    sqlite3      *db   = NULL;
    const char   *text = "";

    (void)f;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT NULL, 'x'", -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    is_short = true;
    assert_int_equal(assay_store_take_text_at(stmt, 0, &text), SQLITE_OK);
    assert_null(text);
    assert_int_equal(assay_store_take_text_at(stmt, 1, &text), SQLITE_NOMEM);
    is_short = false;
    assert_int_equal(assay_store_take_text_at(stmt, 1, &text), SQLITE_OK);
    assert_string_equal(text, "x");
    (void)sqlite3_finalize(stmt);
    (void)sqlite3_close(db);
}

/* Without the failure, the merge would copy fewer columns. */
static void test_merge(void **state)
{
    fixture    *f = *state;
    char        other[160];
    assay_merge merge;

    open_store(f);
    (void)begin_run(f, "run-1");
    assay_store_close(f->store);
    (void)snprintf(other, sizeof other, "%s/other.db", f->directory);
    assert_ok(assay_store_open(other, ASSAY_STORE_WRITE, &f->store));
    is_short = true;
    assert_int_not_equal(assay_store_merge(f->store, f->path, &merge), ASSAY_OK);
    is_short = false;
    assay_status_reset();
    assert_ok(assay_store_merge(f->store, f->path, &merge));
}

/* ---- a merge without memory for one text ---- */

static void write_version(fixture *f, const char *path, int version)
{
    const assay_point_row point = a_point("axpy", "naive", "", 64);
    int64_t               id    = 0;

    assert_ok(assay_store_open(path, ASSAY_STORE_WRITE, &f->store));
    assert_ok(assay_store_plan(f->store, begin_run(f, version == 1 ? "run-1" : "run-2"), "what",
                               version, &point, 1, &id));
    assay_store_close(f->store);
    f->store = NULL;
}

/* The nth text fails; true if that many were read. */
static bool merge_without(fixture *f, int n, const char *to)
{
    assay_merge merge;

    write_version(f, to, 1);
    assert_ok(assay_store_open(to, ASSAY_STORE_WRITE, &f->store));
    n_words = n;
    if (assay_store_merge(f->store, f->path, &merge) == ASSAY_OK)
        assert_string_equal(
            ask(to, "SELECT group_concat(uuid || ' ' || version, ', ') FROM (SELECT r.uuid, "
                    "c.version FROM run AS r JOIN point AS p USING (run_id) JOIN config AS g USING "
                    "(config_id) JOIN case_version AS c USING (case_version_id) ORDER BY 1)"),
            "run-1 1, run-2 2");
    assay_status_reset();
    assay_store_close(f->store);
    f->store = NULL;
    return n_words < 0;
}

/* Without one column, keys of different rows would be equal: version 2 of a case would be
 * version 1. */
static void test_merge_by_key(void **state)
{
    fixture *f = *state;
    char     to[160];
    int      n = 0;

    write_version(f, f->path, 2);
    do
        (void)snprintf(to, sizeof to, "%s/to-%d.db", f->directory, n);
    while (merge_without(f, n++, to));
    n_words = -1;
}

static void test_sentence(void **state)
{
    fixture      *f   = *state;
    const int64_t run = (open_store(f), begin_run(f, "run-1"));

    is_short              = true;
    const assay_status st = assay_store_end_run(f->store, run, 0);

    is_short = false;
    assert_fails(st, ASSAY_E_DATABASE, "column index out of range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_cursor, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_text_or_null, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merge, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merge_by_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sentence, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
