/* Opening the store for writing and for reading, and closing it. */
#include "store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static assay_status prepare_connection(assay_store *store)
{
    /* The file may be of any origin: its views and triggers must not call functions with side
     * effects. */
    static const char pragmas[] = "PRAGMA foreign_keys = ON;"
                                  "PRAGMA trusted_schema = OFF;"
                                  "PRAGMA synchronous = FULL;";
    int               has_keys  = 0;
    assay_status      st;

    (void)sqlite3_extended_result_codes(store->db, 1);
    ASSAY_CHECK(assay_store_add_functions(store->db, store->path));
    assay_store_wait_when_busy(store->db, &store->waiting);
    ASSAY_CHECK(assay_store_exec(store->db, store->path, pragmas));
    ASSAY_CHECK(assay_store_read_integer(store->db, store->path, "PRAGMA foreign_keys", &has_keys));
    ASSAY_REQUIRE(has_keys, ASSAY_E_DATABASE, "this SQLite library has no foreign keys");
out:
    return st;
}

static assay_status connect_file(assay_store *store, int flags)
{
    const assay_status st = assay_store_open_uri(store->path, "", flags, &store->db);

    return st == ASSAY_OK ? prepare_connection(store) : st;
}

/* Runs a pragma that returns the journal's mode. A change of mode is written after the answer, when
 * the statement ends. */
static int ask_mode(assay_store *store, const char *pragma, bool *is_wal)
{
    sqlite3_stmt *stmt = NULL;
    int           rc   = sqlite3_prepare_v2(store->db, pragma, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW) {
        const char *mode = assay_store_text_at(stmt, 0);

        *is_wal = mode && strcmp(mode, "wal") == 0;
        rc = sqlite3_step(stmt) == SQLITE_DONE ? SQLITE_ROW : sqlite3_extended_errcode(store->db);
    }
    if (rc != SQLITE_ROW)
        *is_wal = false;
    (void)sqlite3_finalize(stmt);
    return rc;
}

/* The change to WAL needs the file alone for a moment, and SQLite does not wait for that. If
 * several programs create one file at once, all but one get SQLITE_BUSY. */
static assay_status use_wal(assay_store *store)
{
    bool is_wal = false;
    int  rc     = ask_mode(store, "PRAGMA journal_mode", &is_wal);

    assay_store_waited(&store->waiting);
    while (rc == SQLITE_ROW && !is_wal) {
        rc = ask_mode(store, "PRAGMA journal_mode = WAL", &is_wal);
        if ((rc & 0xFF) != SQLITE_BUSY || !assay_store_wait(&store->waiting))
            break;
        rc = SQLITE_ROW;
    }
    if (rc != SQLITE_ROW)
        return assay_store_fail(store->db, store->path, rc);
    if (!is_wal)
        return ASSAY_FAIL(ASSAY_E_DATABASE,
                          "%s: this file system cannot hold a write-ahead log: use a local disk "
                          "(--db)",
                          store->path);
    return ASSAY_OK;
}

static bool is_forbidden(const char *path)
{
    return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 && errno != ENOENT && errno != ENOTDIR;
}

/* Is the file, or its folder, read-only? Also false without memory: opening then says what is
 * wrong. */
static bool is_read_only(const char *path)
{
    char *copy   = strdup(path);
    bool  answer = is_forbidden(path);

    if (copy)
        answer = answer || is_forbidden(dirname(copy));
    free(copy);
    return answer;
}

static assay_status open_for_writing(assay_store *store, const assay_store_identity *found)
{
    const int            flags = SQLITE_OPEN_READWRITE | (found->exists ? 0 : SQLITE_OPEN_CREATE);
    assay_store_identity now   = { 0 };
    assay_status         st;

    /* SQLite would open the file for reading, and fail only later. */
    if (is_read_only(store->path))
        return assay_store_fail(NULL, store->path, SQLITE_READONLY);
    ASSAY_CHECK(connect_file(store, flags));
    ASSAY_CHECK(assay_store_read_identity(store->db, store->path, &now));
    ASSAY_CHECK(assay_store_judge_identity(store->path, &now));
    if (now.version < ASSAY_SCHEMA_VERSION)
        ASSAY_CHECK(assay_store_migrate(store));
    ASSAY_CHECK(use_wal(store));
out:
    return st;
}

static bool exists_beside(const char *path, const char *ending)
{
    const size_t size = strlen(path) + strlen(ending) + 1;
    char        *name = malloc(size);
    struct stat  about;
    bool         exists = true; /* if memory runs out, the careful way */

    if (name) {
        (void)snprintf(name, size, "%s%s", path, ending);
        exists = stat(name, &about) == 0;
    }
    free(name);
    return exists;
}

/* Did its last writer close the file? Then there is no log to read, and none should be left behind.
 */
static bool is_at_rest(const char *path)
{
    return !exists_beside(path, "-wal") && !exists_beside(path, "-journal");
}

/* Did an interrupted writer leave files that only a writer may remove? */
static bool needs_recovery(int rc)
{
    return rc == SQLITE_READONLY_ROLLBACK || rc == SQLITE_READONLY_RECOVERY ||
           rc == SQLITE_READONLY_CANTINIT || (rc & 0xFF) == SQLITE_CANTOPEN;
}

/* SQLite makes a log and its index for readers too. Only a connection that may write removes them
 * when it is the last one. If there are none (is_closed), such a connection is used. If there are
 * some, it would complete what an interrupted writer began. */
static assay_status connect_as_it_is(assay_store *store, bool is_closed)
{
    int          id = 0;
    assay_status st;

    ASSAY_CHECK(connect_file(store, is_closed ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY));
    ASSAY_CHECK(assay_store_exec(store->db, store->path, "PRAGMA query_only = ON"));
    ASSAY_CHECK(assay_store_read_integer(store->db, store->path, "PRAGMA application_id", &id));
out:
    return st;
}

static assay_status connect_for_reading(assay_store *store)
{
    const bool   is_closed = is_at_rest(store->path);
    assay_status st        = ASSAY_OK;

    if (is_closed && is_read_only(store->path)) {
        ASSAY_CHECK(assay_store_open_immutable(store->path, &store->db));
        return prepare_connection(store);
    }
    st = connect_as_it_is(store, is_closed);
    if (st != ASSAY_OK && needs_recovery(sqlite3_extended_errcode(store->db))) {
        assay_status_reset();
        (void)sqlite3_close(store->db);
        store->db = NULL;
        st        = assay_store_recover_copy(store);
    }
out:
    return st;
}

assay_status assay_store_copy_aside(assay_store *store)
{
    sqlite3        *copy   = NULL;
    sqlite3_backup *backup = NULL;
    int             rc     = sqlite3_open(/* a temporary file, gone when closed */ "", &copy);
    assay_status    st     = ASSAY_OK;

    if (rc == SQLITE_OK) {
        backup = sqlite3_backup_init(copy, "main", store->db, "main");
        rc     = backup ? sqlite3_backup_step(backup, -1) : sqlite3_errcode(copy);
        (void)sqlite3_backup_finish(backup);
    }
    if (rc != SQLITE_OK && rc != SQLITE_DONE) {
        st = assay_store_fail(NULL, store->path, rc);
        (void)sqlite3_close(copy);
        return st;
    }
    (void)sqlite3_close(store->db);
    store->db = copy;
    return prepare_connection(store);
}

/* An older file may be an archive, or belong to another user. So a copy of it is migrated and read.
 */
static assay_status read_older(assay_store *store)
{
    assay_status st;

    ASSAY_CHECK(assay_store_copy_aside(store));
    ASSAY_CHECK(assay_store_migrate(store));
    ASSAY_CHECK(assay_store_exec(store->db, store->path, "PRAGMA query_only = ON"));
out:
    return st;
}

static assay_status open_for_reading(assay_store *store, const assay_store_identity *found)
{
    assay_store_identity now  = { 0 };
    const char          *path = store->path;
    assay_status         st   = ASSAY_OK;

    if (found->exists) {
        ASSAY_CHECK(connect_for_reading(store));
        ASSAY_CHECK(assay_store_read_identity(store->db, path, &now));
        ASSAY_CHECK(assay_store_judge_identity(path, &now));
    }
    ASSAY_REQUIRE(!assay_store_is_new(&now), ASSAY_E_DATABASE,
                  "%s: no results yet: run `assay check` first, or give another file (--db)", path);
    if (now.version < ASSAY_SCHEMA_VERSION)
        ASSAY_CHECK(read_older(store));
out:
    return st;
}

assay_status assay_store_open(const char *path, assay_store_mode mode, assay_store **store)
{
    assay_store         *s = NULL;
    assay_store_identity found;
    assay_status         st;

    *store = NULL;
    ASSAY_CHECK(assay_store_probe(path, &found));
    s = calloc(1, sizeof *s);
    ASSAY_REQUIRE(s, ASSAY_E_MEMORY, "out of memory while opening %s", path);
    s->path = strdup(path);
    ASSAY_REQUIRE(s->path, ASSAY_E_MEMORY, "out of memory while opening %s", path);
    s->waiting = (assay_store_waiting) { .path = s->path, .patience_s = ASSAY_STORE_PATIENCE_S };
    ASSAY_CHECK(mode == ASSAY_STORE_WRITE ? open_for_writing(s, &found)
                                          : open_for_reading(s, &found));
    *store = s;
    s      = NULL;
out:
    assay_store_close(s);
    return st;
}

void assay_store_close(assay_store *store)
{
    if (!store)
        return;
    if (store->db)
        assay_store_rollback(store);
    for (int i = 0; i < ASSAY_N_STATEMENTS; i++)
        (void)sqlite3_finalize(store->statement[i]);
    (void)sqlite3_close_v2(store->db);
    free(store->path);
    free(store);
}
