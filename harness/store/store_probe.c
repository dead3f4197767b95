/* Finds out what a file is, without changing a byte in it or beside it. */
#include "store_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Returns the URI of a path, with unusual bytes escaped, so that every name means a file. The
 * caller frees; NULL without memory. */
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

assay_status assay_store_open_uri(const char *path, const char *query, int flags, sqlite3 **db)
{
    char *uri = path_to_uri(path, query);
    int   rc;

    if (!uri)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory while opening %s", path);
    rc = sqlite3_open_v2(uri, db, flags | SQLITE_OPEN_URI, NULL);
    free(uri);
    return rc == SQLITE_OK ? ASSAY_OK : assay_store_fail(*db, path, rc);
}

assay_status assay_store_open_immutable(const char *path, sqlite3 **db)
{
    return assay_store_open_uri(path, "?immutable=1", SQLITE_OPEN_READONLY, db);
}

assay_status assay_store_read_integer(sqlite3 *db, const char *path, const char *sql, int *value)
{
    sqlite3_stmt *stmt = NULL;
    assay_status  st   = ASSAY_OK;
    int           rc   = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        st = assay_store_small_int_at(path, stmt, 0, 0, value);
    else
        st = assay_store_fail(db, path, rc);
    (void)sqlite3_finalize(stmt);
    return st;
}

assay_status assay_store_read_identity(sqlite3 *db, const char *path, assay_store_identity *found)
{
    assay_status st;

    ASSAY_CHECK(
        assay_store_read_integer(db, path, "PRAGMA application_id", &found->application_id));
    ASSAY_CHECK(assay_store_read_integer(db, path, "PRAGMA user_version", &found->version));
    /* One of our files may be in creation, so only the header is asked. */
    if (found->application_id != ASSAY_APPLICATION_ID)
        ASSAY_CHECK(assay_store_read_integer(db, path, "SELECT count(*) FROM sqlite_schema",
                                             &found->n_tables));
    /* It is ours after all if it was created between the two questions. */
    if (found->n_tables > 0 && found->application_id == 0) {
        ASSAY_CHECK(
            assay_store_read_integer(db, path, "PRAGMA application_id", &found->application_id));
        ASSAY_CHECK(assay_store_read_integer(db, path, "PRAGMA user_version", &found->version));
    }
out:
    return st;
}

bool assay_store_is_new(const assay_store_identity *found)
{
    return found->application_id == 0 && found->version == 0 && found->n_tables == 0;
}

assay_status assay_store_judge_identity(const char *path, const assay_store_identity *found)
{
    if (assay_store_is_new(found))
        return ASSAY_OK;
    if (found->application_id != ASSAY_APPLICATION_ID)
        return ASSAY_FAIL(ASSAY_E_DATABASE,
                          "%s: this is a database of another program: give another file (--db)",
                          path);
    if (found->version < ASSAY_SCHEMA_OLDEST)
        return ASSAY_FAIL(ASSAY_E_DATABASE,
                          "%s: made before release 0.2 (schema version %d, the oldest that is read "
                          "is %d): use the assay that made it, or another file (--db)",
                          path, found->version, ASSAY_SCHEMA_OLDEST);
    if (found->version > ASSAY_SCHEMA_VERSION)
        return ASSAY_FAIL(ASSAY_E_DATABASE,
                          "%s: made by a newer assay (schema version %d, this one knows %d): use "
                          "that one, or another file (--db)",
                          path, found->version, ASSAY_SCHEMA_VERSION);
    return ASSAY_OK;
}

static assay_status probe_kind(const char *path, bool *exists)
{
    struct stat about;

    *exists = false;
    if (stat(path, &about) != 0) {
        if (errno == ENOENT)
            return ASSAY_OK;
        return ASSAY_FAIL(ASSAY_E_DATABASE, "cannot open %s: %s", path, strerror(errno));
    }
    if (S_ISDIR(about.st_mode))
        return ASSAY_FAIL(ASSAY_E_DATABASE, "%s is a directory: give a file in it (--db)", path);
    if (!S_ISREG(about.st_mode))
        return ASSAY_FAIL(ASSAY_E_DATABASE, "%s is no regular file: give another one (--db)", path);
    *exists = about.st_size > 0;
    return ASSAY_OK;
}

/* ---- holding a file ---- */

/* Through SQLite's handle: if this process has another connection to the file, closing a separate
 * handle would drop its locks. */
assay_status assay_store_hold(const char *path, assay_store_held *held)
{
    assay_store_waiting waiting = { .path = path, .patience_s = ASSAY_STORE_PATIENCE_S };
    assay_status        st;
    int                 rc;

    *held = (assay_store_held) { .db = NULL };
    ASSAY_CHECK(assay_store_open_uri(path, "", SQLITE_OPEN_READONLY, &held->db));
    rc = sqlite3_file_control(held->db, "main", SQLITE_FCNTL_FILE_POINTER, &held->file);
    ASSAY_REQUIRE(rc == SQLITE_OK && held->file && held->file->pMethods, ASSAY_E_DATABASE,
                  "%s: it cannot be read", path);
    while ((rc = held->file->pMethods->xLock(held->file, SQLITE_LOCK_SHARED)) == SQLITE_BUSY)
        if (!assay_store_wait(&waiting))
            return assay_store_fail(NULL, path, rc);
    /* On a file system without locks, later reads or writes fail with a message. */
    held->is_locked = rc == SQLITE_OK;
out:
    return st;
}

void assay_store_let_go(assay_store_held *held)
{
    if (held->is_locked)
        (void)held->file->pMethods->xUnlock(held->file, SQLITE_LOCK_NONE);
    (void)sqlite3_close(held->db);
    *held = (assay_store_held) { .db = NULL };
}

/* ---- the first bytes (sqlite.org/fileformat.html) ---- */

enum {
    WAL_VERSION_AT    = 18,
    USER_VERSION_AT   = 60,
    APPLICATION_ID_AT = 68,
    SCHEMA_PAGE_AT    = 100, /* page of the schema's table: a byte that tells its kind */
    SCHEMA_ROWS_AT    = 103, /* rows on it, 2 bytes */
    HEADER_BYTES      = 105,
    LEAF              = 0x0D,
    IN_WAL            = 2,
    PAGES_BEFORE_AT   = 16, /* in a rollback journal: pages of the file before its transaction */
    JOURNAL_BYTES     = 20,
};

static int32_t integer_at(const unsigned char *at)
{
    const uint32_t value =
        (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | (uint32_t)at[3];
    int32_t answer;

    memcpy(&answer, &value, sizeof answer);
    return answer;
}

/* Returns how many of the first bytes of the file beside it (path and ending) could be read. */
static size_t read_beside(const char *path, const char *ending, unsigned char *bytes, size_t size)
{
    const size_t length = strlen(path) + strlen(ending) + 1;
    char        *name   = malloc(length);
    FILE        *file   = NULL;
    size_t       n      = 0;

    if (name) {
        (void)snprintf(name, length, "%s%s", path, ending);
        file = fopen(name, "rbe");
    }
    if (file) {
        n = fread(bytes, 1, size, file);
        (void)fclose(file);
    }
    free(name);
    return n;
}

/* Does a journal beside it say that nothing in the file is committed yet? Its writer was
 * interrupted; SQLite empties the file when it is opened next. */
static bool is_uncommitted(const char *path)
{
    static const unsigned char magic[] = { 0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7 };
    unsigned char              bytes[JOURNAL_BYTES];

    return read_beside(path, "-journal", bytes, sizeof bytes) == sizeof bytes &&
           memcmp(bytes, magic, sizeof magic) == 0 && integer_at(bytes + PAGES_BEFORE_AT) == 0;
}

/* Our files get their application id before they get a log. If the id is missing, there are tables
 * in the log. */
static bool has_tables_in_log(const char *path, const unsigned char *header)
{
    unsigned char first;

    return header[WAL_VERSION_AT] == IN_WAL && read_beside(path, "-wal", &first, 1) == 1;
}

static assay_status read_header(const assay_store_held *held, const char *path,
                                assay_store_identity *found)
{
    static const char magic[]              = "SQLite format 3";
    unsigned char     header[HEADER_BYTES] = { 0 };
    sqlite3_int64     size                 = 0;
    int               rc                   = held->file->pMethods->xFileSize(held->file, &size);

    if (rc == SQLITE_OK && size > 0)
        rc = held->file->pMethods->xRead(held->file, header, HEADER_BYTES, 0);
    if (rc != SQLITE_OK && rc != SQLITE_IOERR_SHORT_READ)
        return assay_store_fail(held->db, path, rc);
    if (size == 0 || is_uncommitted(path))
        return ASSAY_OK;
    if (memcmp(header, magic, sizeof magic) != 0)
        return assay_store_fail(NULL, path, SQLITE_NOTADB);
    found->exists         = true;
    found->application_id = integer_at(header + APPLICATION_ID_AT);
    found->version        = integer_at(header + USER_VERSION_AT);
    found->n_tables       = header[SCHEMA_ROWS_AT] * 256 + header[SCHEMA_ROWS_AT + 1];
    if (header[SCHEMA_PAGE_AT] != LEAF || has_tables_in_log(path, header))
        found->n_tables = 1;
    return ASSAY_OK;
}

assay_status assay_store_probe(const char *path, assay_store_identity *found)
{
    assay_store_held held   = { .db = NULL };
    bool             exists = false;
    assay_status     st     = ASSAY_OK;

    *found = (assay_store_identity) { .exists = false };
    ASSAY_REQUIRE(path[0] != '\0', ASSAY_E_USAGE, "the name of the database is empty (--db)");
    ASSAY_CHECK(probe_kind(path, &exists));
    if (!exists)
        goto out;
    ASSAY_CHECK(assay_store_hold(path, &held));
    ASSAY_CHECK(read_header(&held, path, found));
    ASSAY_CHECK(assay_store_judge_identity(path, found));
out:
    assay_store_let_go(&held);
    return st;
}
