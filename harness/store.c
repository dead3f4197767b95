/* Opening the store: what may be opened, creating, migrating, closing. */
#include "store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char assay_schema_sql[]; /* schema.sql, compiled in by the build */

/* From one version of the schema to a later one. A new file is version 0. */
static const struct {
    int         from, to;
    const char *sql;
} migration[] = {
    { 0, 1, assay_schema_sql },
};

/* What a file holds before it is touched. */
typedef struct {
    bool exists; /* and is not empty */
    int  application_id, version, n_tables;
} identity;

/* ---- probing ---- */

/* file: URI of a path, every unusual byte escaped, so that no name means anything but a file.
 * Caller frees; NULL without memory. */
static char *path_to_uri(const char *path, const char *query)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
    const size_t size = 3 * strlen(path) + strlen(query) + sizeof "file:./";
    char        *uri  = malloc(size);
    char        *to   = uri;

    if (!uri)
        return NULL;
    to += sprintf(to, "file:%s", path[0] == '/' ? "//" : "./");
    for (; *path; path++)
        to += strchr(plain, *path) ? sprintf(to, "%c", *path)
                                   : sprintf(to, "%%%02X", (unsigned)(unsigned char)*path);
    (void)sprintf(to, "%s", query);
    return uri;
}

/* Opens a file, with no more than the flags allow. Caller closes *db, even after a failure. */
static assay_status open_uri(const char *path, const char *query, int flags, sqlite3 **db)
{
    char *uri = path_to_uri(path, query);
    int   rc;

    if (!uri)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory while opening %s", path);
    rc = sqlite3_open_v2(uri, db, flags | SQLITE_OPEN_URI, NULL);
    free(uri);
    return rc == SQLITE_OK ? ASSAY_OK : assay_store_fail(*db, path, rc);
}

/* The same for a file that must not be touched at all: no lock, no log, no write. */
static assay_status open_immutable(const char *path, sqlite3 **db)
{
    return open_uri(path, "?immutable=1", SQLITE_OPEN_READONLY, db);
}

static assay_status read_integer(sqlite3 *db, const char *path, const char *sql, int *value)
{
    sqlite3_stmt *stmt = NULL;
    assay_status  st   = ASSAY_OK;
    int           rc   = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        *value = sqlite3_column_int(stmt, 0);
    else
        st = assay_store_fail(db, path, rc);
    (void)sqlite3_finalize(stmt);
    return st;
}

static assay_status read_identity(sqlite3 *db, const char *path, identity *found)
{
    assay_status st;

    ASSAY_CHECK(read_integer(db, path, "PRAGMA application_id", &found->application_id));
    ASSAY_CHECK(read_integer(db, path, "PRAGMA user_version", &found->version));
    /* A file of ours may be in the middle of its creation: the header alone is asked. */
    if (found->application_id != ASSAY_APPLICATION_ID)
        ASSAY_CHECK(read_integer(db, path, "SELECT count(*) FROM sqlite_schema", &found->n_tables));
    /* Ours after all, if it was created between the two questions. */
    if (found->n_tables > 0 && found->application_id == 0) {
        ASSAY_CHECK(read_integer(db, path, "PRAGMA application_id", &found->application_id));
        ASSAY_CHECK(read_integer(db, path, "PRAGMA user_version", &found->version));
    }
out:
    return st;
}

static bool is_new(const identity *found)
{
    return found->application_id == 0 && found->version == 0 && found->n_tables == 0;
}

static assay_status judge_identity(const char *path, const identity *found)
{
    if (is_new(found))
        return ASSAY_OK;
    if (found->application_id != ASSAY_APPLICATION_ID)
        return ASSAY_FAIL(ASSAY_E_DATABASE,
                          "%s: this is a database of another program: give another file (--db)",
                          path);
    if (found->version > ASSAY_SCHEMA_VERSION)
        return ASSAY_FAIL(ASSAY_E_DATABASE,
                          "%s: made by a newer assay (schema version %d, this one knows %d): use "
                          "that one, or another file (--db)",
                          path, found->version, ASSAY_SCHEMA_VERSION);
    return ASSAY_OK;
}

static assay_status probe_kind(const char *path, identity *found)
{
    struct stat about;

    if (stat(path, &about) != 0) {
        if (errno == ENOENT)
            return ASSAY_OK;
        return ASSAY_FAIL(ASSAY_E_DATABASE, "cannot open %s: %s", path, strerror(errno));
    }
    if (S_ISDIR(about.st_mode))
        return ASSAY_FAIL(ASSAY_E_DATABASE, "%s is a directory: give a file in it (--db)", path);
    if (!S_ISREG(about.st_mode))
        return ASSAY_FAIL(ASSAY_E_DATABASE, "%s is no regular file: give another one (--db)", path);
    found->exists = about.st_size > 0;
    return ASSAY_OK;
}

static assay_status probe_once(const char *path, identity *found)
{
    sqlite3     *db = NULL;
    assay_status st;

    *found = (identity) { 0 };
    ASSAY_CHECK(probe_kind(path, found));
    if (!found->exists)
        goto out;
    ASSAY_CHECK(open_immutable(path, &db));
    ASSAY_CHECK(read_identity(db, path, found));
    ASSAY_CHECK(judge_identity(path, found));
out:
    (void)sqlite3_close(db);
    return st;
}

/* Says what the file is and refuses what is not ours, without a byte changed in or beside it. It
 * looks without a lock, so a file that another assay is just creating may look like anything: a
 * refusal is looked at again. */
static assay_status probe(const char *path, identity *found)
{
    enum {
        TRIES    = 10,
        PAUSE_MS = 20
    };
    assay_status st;

    if (path[0] == '\0')
        return ASSAY_FAIL(ASSAY_E_USAGE, "the name of the database is empty (--db)");
    st = probe_once(path, found);
    for (int i = 1; i < TRIES && st == ASSAY_E_DATABASE; i++) {
        assay_status_reset();
        (void)sqlite3_sleep(PAUSE_MS);
        st = probe_once(path, found);
    }
    return st;
}

/* ---- opening ---- */

static assay_status prepare_connection(assay_store *store)
{
    /* The file may come from anywhere: its views and triggers may call no function with effects. */
    static const char pragmas[] = "PRAGMA foreign_keys = ON;"
                                  "PRAGMA trusted_schema = OFF;"
                                  "PRAGMA synchronous = FULL;";
    int               has_keys  = 0;
    assay_status      st;

    (void)sqlite3_extended_result_codes(store->db, 1);
    (void)sqlite3_busy_timeout(store->db, ASSAY_STORE_PATIENCE_MS);
    ASSAY_CHECK(assay_store_exec(store->db, store->path, pragmas));
    ASSAY_CHECK(read_integer(store->db, store->path, "PRAGMA foreign_keys", &has_keys));
    ASSAY_REQUIRE(has_keys, ASSAY_E_DATABASE, "this SQLite library has no foreign keys");
out:
    return st;
}

static assay_status connect_file(assay_store *store, int flags)
{
    const assay_status st = open_uri(store->path, "", flags, &store->db);

    return st == ASSAY_OK ? prepare_connection(store) : st;
}

static assay_status migrate_step(assay_store *store, int *version)
{
    for (size_t i = 0; i < sizeof migration / sizeof migration[0]; i++) {
        if (migration[i].from != *version)
            continue;
        *version = migration[i].to;
        return assay_store_exec(store->db, store->path, migration[i].sql);
    }
    return ASSAY_FAIL(ASSAY_E_DATABASE, "%s: no way from schema version %d to %d", store->path,
                      *version, ASSAY_SCHEMA_VERSION);
}

/* All steps in one transaction. The file is judged again under the lock: another process may have
 * created or migrated it since. */
static assay_status migrate(assay_store *store)
{
    identity     found = { 0 };
    assay_status st;

    ASSAY_CHECK(assay_store_begin(store));
    ASSAY_CHECK(read_identity(store->db, store->path, &found));
    ASSAY_CHECK(judge_identity(store->path, &found));
    while (found.version < ASSAY_SCHEMA_VERSION)
        ASSAY_CHECK(migrate_step(store, &found.version));
    ASSAY_CHECK(assay_store_commit(store));
out:
    assay_store_rollback(store);
    return st;
}

/* Runs a pragma that answers with the journal's mode. */
static int ask_mode(assay_store *store, const char *pragma, bool *is_wal)
{
    sqlite3_stmt *stmt = NULL;
    int           rc   = sqlite3_prepare_v2(store->db, pragma, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW) {
        const char *mode = (const char *)sqlite3_column_text(stmt, 0);

        *is_wal = mode && strcmp(mode, "wal") == 0;
    }
    (void)sqlite3_finalize(stmt);
    return rc;
}

/* The change to WAL wants the file for itself for a moment, and SQLite does not wait for that:
 * where several programs create one file at once, all but one are told that it is busy. */
static assay_status use_wal(assay_store *store)
{
    enum {
        PAUSE_MS = 10
    };
    bool is_wal = false;
    int  rc     = ask_mode(store, "PRAGMA journal_mode", &is_wal);

    for (int waited_ms = 0; rc == SQLITE_ROW && !is_wal; waited_ms += PAUSE_MS) {
        rc = ask_mode(store, "PRAGMA journal_mode = WAL", &is_wal);
        if (rc == SQLITE_ROW || (rc & 0xFF) != SQLITE_BUSY || waited_ms >= ASSAY_STORE_PATIENCE_MS)
            break;
        (void)sqlite3_sleep(PAUSE_MS);
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

/* May we not write the file, or make others beside it? False also without memory: opening then says
 * what is wrong. */
static bool is_read_only(const char *path)
{
    char *copy   = strdup(path);
    bool  answer = is_forbidden(path);

    if (copy)
        answer = answer || is_forbidden(dirname(copy));
    free(copy);
    return answer;
}

static assay_status open_for_writing(assay_store *store, const identity *found)
{
    const int    flags = SQLITE_OPEN_READWRITE | (found->exists ? 0 : SQLITE_OPEN_CREATE);
    identity     now   = { 0 };
    assay_status st;

    /* SQLite would open for reading and only fail later. */
    if (is_read_only(store->path))
        return assay_store_fail(NULL, store->path, SQLITE_READONLY);
    ASSAY_CHECK(connect_file(store, flags));
    ASSAY_CHECK(read_identity(store->db, store->path, &now));
    ASSAY_CHECK(judge_identity(store->path, &now));
    if (now.version < ASSAY_SCHEMA_VERSION)
        ASSAY_CHECK(migrate(store));
    ASSAY_CHECK(use_wal(store));
out:
    return st;
}

/* Is the file read-only for us, and closed by its writer? Then there is no log to read, and none
 * should be left behind. */
static bool is_at_rest(const char *path)
{
    const size_t size = strlen(path) + sizeof "-wal";
    char        *log  = malloc(size);
    struct stat  about;
    bool         has_log = true;

    if (log) {
        (void)snprintf(log, size, "%s-wal", path);
        has_log = stat(log, &about) == 0;
    }
    free(log);
    return !has_log && is_read_only(path);
}

static assay_status connect_for_reading(assay_store *store)
{
    assay_status st;

    if (!is_at_rest(store->path))
        return connect_file(store, SQLITE_OPEN_READONLY);
    ASSAY_CHECK(open_immutable(store->path, &store->db));
    ASSAY_CHECK(prepare_connection(store));
out:
    return st;
}

static assay_status open_for_reading(assay_store *store, const identity *found)
{
    identity     now    = { 0 };
    const char  *path   = store->path;
    bool         is_old = false;
    assay_status st     = ASSAY_OK;

    if (found->exists) {
        ASSAY_CHECK(connect_for_reading(store));
        ASSAY_CHECK(read_identity(store->db, path, &now));
        ASSAY_CHECK(judge_identity(path, &now));
        is_old = now.version < ASSAY_SCHEMA_VERSION;
    }
    ASSAY_REQUIRE(!is_new(&now), ASSAY_E_DATABASE,
                  "%s: no results yet: run `assay check` first, or give another file (--db)", path);
    ASSAY_REQUIRE(!is_old, ASSAY_E_DATABASE,
                  "%s: made by an older assay (schema version %d): any command that writes to it "
                  "brings it up to date",
                  path, now.version);
out:
    return st;
}

assay_status assay_store_open(const char *path, assay_store_mode mode, assay_store **store)
{
    assay_store *s = NULL;
    identity     found;
    assay_status st;

    *store = NULL;
    ASSAY_CHECK(probe(path, &found));
    s = calloc(1, sizeof *s);
    ASSAY_REQUIRE(s, ASSAY_E_MEMORY, "out of memory while opening %s", path);
    s->path = strdup(path);
    ASSAY_REQUIRE(s->path, ASSAY_E_MEMORY, "out of memory while opening %s", path);
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
