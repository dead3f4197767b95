/* What a file is, found out without a byte changed in or beside it. */
#include "store_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
        *value = sqlite3_column_int(stmt, 0);
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
    /* A file of ours may be in the middle of its creation: the header alone is asked. */
    if (found->application_id != ASSAY_APPLICATION_ID)
        ASSAY_CHECK(assay_store_read_integer(db, path, "SELECT count(*) FROM sqlite_schema",
                                             &found->n_tables));
    /* Ours after all, if it was created between the two questions. */
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
    if (found->version > ASSAY_SCHEMA_VERSION)
        return ASSAY_FAIL(ASSAY_E_DATABASE,
                          "%s: made by a newer assay (schema version %d, this one knows %d): use "
                          "that one, or another file (--db)",
                          path, found->version, ASSAY_SCHEMA_VERSION);
    return ASSAY_OK;
}

static assay_status probe_kind(const char *path, assay_store_identity *found)
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

static assay_status probe_once(const char *path, assay_store_identity *found)
{
    sqlite3     *db = NULL;
    assay_status st;

    *found = (assay_store_identity) { 0 };
    ASSAY_CHECK(probe_kind(path, found));
    if (!found->exists)
        goto out;
    ASSAY_CHECK(assay_store_open_immutable(path, &db));
    ASSAY_CHECK(assay_store_read_identity(db, path, found));
    ASSAY_CHECK(assay_store_judge_identity(path, found));
out:
    (void)sqlite3_close(db);
    return st;
}

assay_status assay_store_probe(const char *path, assay_store_identity *found)
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
