/* Reads a file that an interrupted writer left, without changing it: SQLite recovers a copy. */
#include "store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_BYTES = 4096,
    PART_BYTES = 65536
};

/* The files of a database: the main file, and those beside it with changes that are not yet in it.
 */
static const char *const endings[] = { "", "-journal", "-wal" };

static assay_status write_part(FILE *to, const void *bytes, size_t n, const char *name)
{
    if (n > 0 && fwrite(bytes, 1, n, to) != n)
        return ASSAY_FAIL(ASSAY_E_IO, "cannot copy to %s: %s", name, strerror(errno));
    return ASSAY_OK;
}

static assay_status copy_main(const assay_store_held *held, const char *from, FILE *to,
                              const char *name)
{
    static unsigned char part[PART_BYTES];
    sqlite3_int64        size = 0;
    int                  rc   = held->file->pMethods->xFileSize(held->file, &size);
    assay_status         st   = ASSAY_OK;

    for (sqlite3_int64 at = 0; rc == SQLITE_OK && at < size; at += PART_BYTES) {
        const int n = size - at < PART_BYTES ? (int)(size - at) : PART_BYTES;

        rc = held->file->pMethods->xRead(held->file, part, n, at);
        if (rc == SQLITE_OK)
            ASSAY_CHECK(write_part(to, part, (size_t)n, name));
    }
    if (rc != SQLITE_OK)
        st = assay_store_fail(NULL, from, rc);
out:
    return st;
}

/* Does nothing if there is no such file. */
static assay_status copy_beside(const char *from, FILE *to, const char *name)
{
    static unsigned char part[PART_BYTES];
    FILE                *file = fopen(from, "rbe");
    size_t               n;
    assay_status         st = ASSAY_OK;

    if (!file && errno == ENOENT)
        return ASSAY_OK;
    ASSAY_REQUIRE(file, ASSAY_E_DATABASE, "cannot open %s: %s", from, strerror(errno));
    while ((n = fread(part, 1, sizeof part, file)) > 0)
        ASSAY_CHECK(write_part(to, part, n, name));
    ASSAY_REQUIRE(!ferror(file), ASSAY_E_IO, "cannot read %s: %s", from, strerror(errno));
out:
    if (file)
        (void)fclose(file);
    return st;
}

static assay_status copy_part(const assay_store_held *held, const char *path, const char *copy,
                              const char *ending)
{
    char         from[PATH_BYTES], name[PATH_BYTES];
    const int    n  = snprintf(from, sizeof from, "%s%s", path, ending);
    FILE        *to = NULL;
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(n > 0 && n < PATH_BYTES, ASSAY_E_DATABASE, "%s: the path is too long", path);
    (void)snprintf(name, sizeof name, "%s%s", copy, ending);
    to = fopen(name, "wbex");
    ASSAY_REQUIRE(to, ASSAY_E_IO, "cannot make %s: %s", name, strerror(errno));
    if (ending[0])
        ASSAY_CHECK(copy_beside(from, to, name));
    else
        ASSAY_CHECK(copy_main(held, path, to, name));
out:
    if (to && fclose(to) != 0 && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_IO, "cannot copy to %s: %s", name, strerror(errno));
    return st;
}

/* The first query makes SQLite recover the file. */
static assay_status connect_copy(assay_store *store, const char *copy)
{
    assay_store_identity found;
    assay_status         st;

    ASSAY_CHECK(assay_store_open_uri(copy, "", SQLITE_OPEN_READWRITE, &store->db));
    ASSAY_CHECK(assay_store_read_identity(store->db, store->path, &found));
out:
    return st;
}

static void remove_copy(const char *folder, const char *copy)
{
    static const char *const more[] = { "", "-journal", "-wal", "-shm" };
    char                     name[PATH_BYTES];

    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        (void)snprintf(name, sizeof name, "%s%s", copy, more[i]);
        (void)unlink(name);
    }
    (void)rmdir(folder);
}

assay_status assay_store_recover_copy(assay_store *store)
{
    const char      *place = getenv("TMPDIR");
    char             folder[1024], copy[1100];
    assay_store_held held    = { .db = NULL };
    bool             is_made = false;
    assay_status     st      = ASSAY_OK;

    (void)snprintf(folder, sizeof folder, "%s/assay-copy-XXXXXX", place && *place ? place : "/tmp");
    is_made = mkdtemp(folder) != NULL;
    ASSAY_REQUIRE(is_made, ASSAY_E_IO, "%s: no folder for a copy (%s): %s", store->path, folder,
                  strerror(errno));
    (void)snprintf(copy, sizeof copy, "%s/copy.db", folder);
    ASSAY_CHECK(assay_store_hold(store->path, &held));
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        ASSAY_CHECK(copy_part(&held, store->path, copy, endings[i]));
    ASSAY_CHECK(connect_copy(store, copy));
    ASSAY_CHECK(assay_store_copy_aside(store));
out:
    assay_store_let_go(&held);
    if (is_made)
        remove_copy(folder, copy);
    return st;
}
