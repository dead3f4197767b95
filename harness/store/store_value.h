/* One column of the current row of a statement. The store, its exchange and its series read columns
 * only through these functions; other modules use a cursor (store.h), which is built on them. */
#ifndef ASSAY_STORE_VALUE_H
#define ASSAY_STORE_VALUE_H

#include "status.h"

#include <sqlite3.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does the column have this type (SQLITE_NULL, ...)? Ask before reading it as text, which may
 * change the type. */
bool    assay_store_is_at(sqlite3_stmt *stmt, int column, int type);
int64_t assay_store_int_at(sqlite3_stmt *stmt, int column);   /* 0 for null */
int64_t assay_store_count_at(sqlite3_stmt *stmt, int column); /* -1 for null */
double  assay_store_real_at(sqlite3_stmt *stmt, int column);  /* NaN for null */
/* Valid until the statement's next step; NULL for null, and if memory runs out. */
const char *assay_store_text_at(sqlite3_stmt *stmt, int column);
/* The same; SQLITE_NOMEM tells missing memory from null. */
int         assay_store_take_text_at(sqlite3_stmt *stmt, int column, const char **text);
const void *assay_store_blob_at(sqlite3_stmt *stmt, int column, size_t *size);
/* The following fail with ASSAY_E_DATABASE, and name the file (path) and the column, if nothing is
 * stored or it does not fit. */
assay_status assay_store_copy_text_at(const char *path, sqlite3_stmt *stmt, int column, char *text,
                                      size_t size);
/* NULL is read as the given number. */
assay_status assay_store_small_int_at(const char *path, sqlite3_stmt *stmt, int column,
                                      int for_null, int *value);
/* Reads a seed that is stored as an unsigned number in text: printf('%u', seed). */
assay_status assay_store_seed_at(const char *path, sqlite3_stmt *stmt, int column, uint64_t *seed);

#endif
