/* Migrates a file of an older schema. Every table is set aside, the whole schema is made anew, and
 * every row is copied. So a migrated file and a new one have exactly the same schema. */
#include "store_internal.h"

/* Runs the statements that the query `sql` makes. */
static assay_status exec_made(assay_store *store, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    assay_status  st   = ASSAY_OK;
    int           rc   = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc != SQLITE_ROW) {
        st = assay_store_fail(store->db, store->path, rc);
    } else if (!assay_store_is_at(stmt, 0, SQLITE_NULL)) {
        const char *text = assay_store_text_at(stmt, 0);
        char       *made = text ? sqlite3_mprintf("%s", text) : NULL;

        (void)sqlite3_reset(stmt); /* the schema must not change while a statement is active */
        st = made ? assay_store_exec(store->db, store->path, made)
                  : assay_store_fail(store->db, store->path, SQLITE_NOMEM);
        sqlite3_free(made);
    }
    (void)sqlite3_finalize(stmt);
    return st;
}

/* Fails with `why` if the query `sql` returns a row. */
static assay_status require_none(assay_store *store, const char *sql, const char *why)
{
    sqlite3_stmt *stmt  = NULL;
    const char   *found = NULL;
    assay_status  st    = ASSAY_OK;
    int           rc    = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW && assay_store_take_text_at(stmt, 0, &found) != SQLITE_OK)
        rc = SQLITE_NOMEM;
    if (rc != SQLITE_ROW)
        st = assay_store_fail(store->db, store->path, rc);
    else if (found)
        st = ASSAY_FAIL(ASSAY_E_DATABASE,
                        "%s is of an older schema, and cannot be brought up to date: %s: %s; take "
                        "that out of the file, which is left as it is",
                        store->path, why, found);
    (void)sqlite3_finalize(stmt);
    return st;
}

/* References in a user's own views stay as they are (legacy_alter_table). */
static assay_status set_aside(assay_store *store)
{
    assay_status st;

    ASSAY_CHECK(require_none(store, assay_sql_migrate_own_tables,
                             "a table that is not of this schema refers to one that is"));
    ASSAY_CHECK(assay_store_exec(store->db, store->path, "PRAGMA legacy_alter_table = ON"));
    ASSAY_CHECK(exec_made(store, assay_sql_migrate_drop));
    ASSAY_CHECK(exec_made(store, assay_sql_migrate_aside));
out:
    return st;
}

/* The triggers of the schema are active, so rows that break a rule are refused. */
static assay_status take_over(assay_store *store)
{
    int          n_loose = 0;
    assay_status st;

    ASSAY_CHECK(assay_store_exec(store->db, store->path, "PRAGMA legacy_alter_table = OFF"));
    ASSAY_CHECK(require_none(store, assay_sql_migrate_own_columns,
                             "columns that are not of this schema would be lost"));
    ASSAY_CHECK(exec_made(store, assay_sql_migrate_copy));
    ASSAY_CHECK(exec_made(store, assay_sql_migrate_remove));
    /* Dropping the old tables clears what SQLite recorded of dangling references. */
    ASSAY_CHECK(
        assay_store_read_integer(store->db, store->path, assay_sql_migrate_loose, &n_loose));
    ASSAY_REQUIRE(n_loose == 0, ASSAY_E_DATABASE,
                  "%s: %d rows refer to rows that are not there, numbers without a PASS among "
                  "them: the file was changed by another program, and is left as it is",
                  store->path, n_loose);
out:
    return st;
}

/* A new file has version 0. */
static assay_status run_migration(assay_store *store, int version)
{
    const bool   is_older = version > 0;
    assay_status st       = ASSAY_OK;

    if (is_older)
        ASSAY_CHECK(set_aside(store));
    ASSAY_CHECK(assay_store_exec(store->db, store->path, assay_sql_schema));
    if (is_older)
        ASSAY_CHECK(take_over(store));
out:
    return st;
}

/* The file is examined again under the lock, since another process may have created or migrated it.
 */
assay_status assay_store_migrate(assay_store *store)
{
    assay_store_identity found = { 0 };
    assay_status         st;

    ASSAY_CHECK(assay_store_begin(store));
    ASSAY_CHECK(assay_store_read_identity(store->db, store->path, &found));
    ASSAY_CHECK(assay_store_judge_identity(store->path, &found));
    if (found.version != ASSAY_SCHEMA_VERSION)
        ASSAY_CHECK(run_migration(store, found.version));
    ASSAY_CHECK(assay_store_commit(store));
out:
    assay_store_rollback(store);
    return st;
}
