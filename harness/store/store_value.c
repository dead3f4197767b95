/* Reads one column of a row: its rules for NULL, and checks that the value fits. */
#include "store_value.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool assay_store_is_at(sqlite3_stmt *stmt, int column, int type)
{
    return sqlite3_column_type(stmt, column) == type;
}

int64_t assay_store_int_at(sqlite3_stmt *stmt, int column)
{
    return sqlite3_column_int64(stmt, column);
}

int64_t assay_store_count_at(sqlite3_stmt *stmt, int column)
{
    return assay_store_is_at(stmt, column, SQLITE_NULL) ? -1 : sqlite3_column_int64(stmt, column);
}

double assay_store_real_at(sqlite3_stmt *stmt, int column)
{
    return assay_store_is_at(stmt, column, SQLITE_NULL) ? (double)NAN
                                                        : sqlite3_column_double(stmt, column);
}

const char *assay_store_text_at(sqlite3_stmt *stmt, int column)
{
    return (const char *)sqlite3_column_text(stmt, column);
}

int assay_store_take_text_at(sqlite3_stmt *stmt, int column, const char **text)
{
    const bool is_null = assay_store_is_at(stmt, column, SQLITE_NULL);

    *text = is_null ? NULL : assay_store_text_at(stmt, column);
    return is_null || *text ? SQLITE_OK : SQLITE_NOMEM;
}

const void *assay_store_blob_at(sqlite3_stmt *stmt, int column, size_t *size)
{
    const void *bytes = sqlite3_column_blob(stmt, column);

    *size = (size_t)sqlite3_column_bytes(stmt, column);
    return bytes;
}

static assay_status fail_value(const char *path, sqlite3_stmt *stmt, int column)
{
    return ASSAY_FAIL(ASSAY_E_DATABASE, "%s: the stored %s cannot be read", path,
                      sqlite3_column_name(stmt, column));
}

assay_status assay_store_copy_text_at(const char *path, sqlite3_stmt *stmt, int column, char *text,
                                      size_t size)
{
    const char *stored = assay_store_text_at(stmt, column);

    if (!stored || strlen(stored) >= size)
        return fail_value(path, stmt, column);
    memcpy(text, stored, strlen(stored) + 1);
    return ASSAY_OK;
}

assay_status assay_store_small_int_at(const char *path, sqlite3_stmt *stmt, int column,
                                      int for_null, int *value)
{
    const bool    is_null = assay_store_is_at(stmt, column, SQLITE_NULL);
    const int64_t stored  = is_null ? for_null : sqlite3_column_int64(stmt, column);

    if (stored < INT_MIN || stored > INT_MAX)
        return fail_value(path, stmt, column);
    *value = (int)stored;
    return ASSAY_OK;
}

assay_status assay_store_seed_at(const char *path, sqlite3_stmt *stmt, int column, uint64_t *seed)
{
    const char *stored = assay_store_text_at(stmt, column);

    if (!stored)
        return fail_value(path, stmt, column);
    *seed = strtoull(stored, NULL, 10);
    return ASSAY_OK;
}
