/* The store's statements: binding, stepping, transactions and the sentences of their failures. */
#include "store_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- failures ---- */

#define DISK_TEXT                                                                                  \
    "no space is left, a quota or a limit is reached, or the disk fails: make space, then run "    \
    "`assay resume`"
#define ACCESS_TEXT                                                                                \
    "the file or its directory is read-only or not accessible: change the permissions, or use "    \
    "another file (--db)"

/* Extended result codes come before the plain code that they belong to. */
static const struct {
    int         rc;
    const char *text;
} failure_text[] = {
    { SQLITE_BUSY, "another process keeps it locked: wait until that one has finished, or use "
                   "another file (--db)" },
    { SQLITE_READONLY, ACCESS_TEXT },
    { SQLITE_PERM, ACCESS_TEXT },
    { SQLITE_AUTH, ACCESS_TEXT },
    { SQLITE_FULL, DISK_TEXT },
    { SQLITE_IOERR_WRITE, DISK_TEXT },
    { SQLITE_IOERR_FSYNC, DISK_TEXT },
    { SQLITE_IOERR_DIR_FSYNC, DISK_TEXT },
    { SQLITE_IOERR_TRUNCATE, DISK_TEXT },
    { SQLITE_IOERR_SHMSIZE, DISK_TEXT },
    { SQLITE_NOTADB, "this is not a database: give another file (--db)" },
    { SQLITE_CORRUPT, "the database is damaged: restore a copy, or save what can be read with "
                      "`sqlite3 FILE .recover`" },
};

static const char *find_failure_text(int rc)
{
    for (size_t i = 0; i < sizeof failure_text / sizeof failure_text[0]; i++)
        if (failure_text[i].rc == rc || failure_text[i].rc == (rc & 0xff))
            return failure_text[i].text;
    return NULL;
}

/* The system's error for a file that cannot be opened; SQLite does not always keep it. */
static int open_error(sqlite3 *db, int system_error)
{
    const int kept = db ? sqlite3_system_errno(db) : 0;

    return kept ? kept : system_error;
}

/* Preparing a statement returns the plain code, and keeps the extended one. */
static int extended(sqlite3 *db, int rc)
{
    const int more = db ? sqlite3_extended_errcode(db) : rc;

    return (more & 0xff) == rc ? more : rc;
}

/* A connection reports its last call, which need not be the one that failed. */
static const char *explain(sqlite3 *db, int rc)
{
    return db && (sqlite3_errcode(db) & 0xff) == (rc & 0xff) ? sqlite3_errmsg(db)
                                                             : sqlite3_errstr(rc);
}

assay_status assay_store_fail(sqlite3 *db, const char *path, int rc)
{
    const int   error = open_error(db, errno);
    const int   code  = rc & 0xff;
    const char *text  = find_failure_text(extended(db, rc));
    const char *said  = explain(db, rc);

    if (code == SQLITE_CANTOPEN && (error == EACCES || error == EPERM || error == EROFS))
        text = ACCESS_TEXT;
    if (text)
        return ASSAY_FAIL(ASSAY_E_DATABASE, "%s: %s", path, text);
    if (code == SQLITE_NOMEM)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "%s: out of memory in the database", path);
    if (code == SQLITE_CONSTRAINT)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "%s: the database refused a row: %s", path, said);
    if (code == SQLITE_CANTOPEN && error)
        return ASSAY_FAIL(ASSAY_E_DATABASE, "%s: %s (%s)", path, said, strerror(error));
    return ASSAY_FAIL(ASSAY_E_DATABASE, "%s: %s", path, said);
}

/* ---- statements ---- */

assay_status assay_store_exec(sqlite3 *db, const char *path, const char *sql)
{
    const int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);

    return rc == SQLITE_OK ? ASSAY_OK : assay_store_fail(db, path, rc);
}

assay_status assay_store_prepare(assay_store *store, assay_statement which, assay_binder *binder)
{
    sqlite3_stmt **stmt = &store->statement[which];
    int            rc   = SQLITE_OK;
    char          *text = NULL;
    assay_status   st   = ASSAY_OK;

    if (!*stmt) {
        ASSAY_CHECK(assay_statement_text(which, &text));
        rc = sqlite3_prepare_v3(store->db, text, -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL);
    }
    *binder = (assay_binder) { .store = store, .stmt = *stmt };
    if (rc != SQLITE_OK)
        st = assay_store_fail(store->db, store->path, rc);
out:
    sqlite3_free(text);
    return st;
}

static void note(assay_binder *b, int rc)
{
    if (b->rc == SQLITE_OK)
        b->rc = rc;
}

void assay_bind_text(assay_binder *b, const char *text, size_t size)
{
    const size_t n = strnlen(text, size);

    note(b, sqlite3_bind_text64(b->stmt, ++b->column, text, n, SQLITE_TRANSIENT, SQLITE_UTF8));
}

void assay_bind_int(assay_binder *b, int64_t value)
{
    note(b, sqlite3_bind_int64(b->stmt, ++b->column, value));
}

void assay_bind_count(assay_binder *b, int64_t value)
{
    if (value < 0)
        assay_bind_null(b);
    else
        assay_bind_int(b, value);
}

void assay_bind_real(assay_binder *b, double value)
{
    if (isnan(value))
        assay_bind_null(b);
    else
        note(b, sqlite3_bind_double(b->stmt, ++b->column, value));
}

void assay_bind_seed(assay_binder *b, uint64_t seed) { assay_bind_int(b, assay_seed_to_sql(seed)); }

void assay_bind_blob(assay_binder *b, const void *bytes, size_t size)
{
    /* A null pointer would bind NULL, but a block without samples has an empty blob. */
    note(b, sqlite3_bind_blob64(b->stmt, ++b->column, size ? bytes : "", size, SQLITE_STATIC));
}

void assay_bind_null(assay_binder *b) { note(b, sqlite3_bind_null(b->stmt, ++b->column)); }

void assay_store_reset(assay_binder *b)
{
    /* Reset returns the failure of the step again, which was already reported. */
    (void)sqlite3_reset(b->stmt);
    (void)sqlite3_clear_bindings(b->stmt);
}

assay_status assay_store_step(assay_binder *b, bool *row)
{
    assay_status st = ASSAY_OK;
    int          rc = b->rc;

    if (rc == SQLITE_OK)
        rc = sqlite3_step(b->stmt);
    *row = rc == SQLITE_ROW;
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        st = assay_store_fail(b->store->db, b->store->path, rc);
    if (!*row)
        assay_store_reset(b);
    return st;
}

assay_status assay_store_run(assay_binder *b, int64_t *id)
{
    bool               row = false;
    const assay_status st  = assay_store_step(b, &row);

    if (row)
        assay_store_reset(b);
    if (id)
        *id = sqlite3_last_insert_rowid(b->store->db);
    return st;
}

assay_status assay_store_find(assay_binder *b, int64_t *value, bool *found)
{
    const assay_status st = assay_store_step(b, found);

    if (*found) {
        *value = assay_store_int_at(b->stmt, 0);
        assay_store_reset(b);
    }
    return st;
}

/* ---- transactions ---- */

static assay_status run_plain(assay_store *store, assay_statement which)
{
    assay_binder       b;
    const assay_status st = assay_store_prepare(store, which, &b);

    return st == ASSAY_OK ? assay_store_run(&b, NULL) : st;
}

/* While a plan is written, all its steps belong to one transaction. */
assay_status assay_store_begin(assay_store *store)
{
    return store->is_planning ? ASSAY_OK : run_plain(store, ASSAY_SQL_BEGIN);
}

void assay_store_rollback(assay_store *store)
{
    /* After a full disk or a failed read, SQLite has already rolled back. */
    if (!store->is_planning && !sqlite3_get_autocommit(store->db))
        (void)run_plain(store, ASSAY_SQL_ROLLBACK);
}

assay_status assay_store_commit(assay_store *store)
{
    const assay_status st = store->is_planning ? ASSAY_OK : run_plain(store, ASSAY_SQL_COMMIT);

    if (st != ASSAY_OK)
        assay_store_rollback(store);
    return st;
}

const char *assay_store_library(void) { return sqlite3_libversion(); }

/* ---- seeds ---- */

int64_t assay_seed_to_sql(uint64_t seed)
{
    int64_t value;

    memcpy(&value, &seed, sizeof value);
    return value;
}
