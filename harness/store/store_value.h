/* One column of the row that a statement stands on: the store, its exchange and its series read
 * through these alone; other rooms through a cursor (store.h), which is built on them. */
#ifndef ASSAY_STORE_VALUE_H
#define ASSAY_STORE_VALUE_H

#include "status.h"

#include <sqlite3.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of which type is it: SQLITE_NULL, ...? Asked before it is taken as text, which may change it. */
bool    assay_store_is_at(sqlite3_stmt *stmt, int column, int type);
int64_t assay_store_int_at(sqlite3_stmt *stmt, int column);   /* 0 for null */
int64_t assay_store_count_at(sqlite3_stmt *stmt, int column); /* -1 for null */
double  assay_store_real_at(sqlite3_stmt *stmt, int column);  /* NaN for null */
/* There until the statement's next step; NULL for null, and without memory. */
const char *assay_store_text_at(sqlite3_stmt *stmt, int column);
/* The same; SQLITE_NOMEM tells a text without memory from null. */
int         assay_store_take_text_at(sqlite3_stmt *stmt, int column, const char **text);
const void *assay_store_blob_at(sqlite3_stmt *stmt, int column, size_t *size);
/* The following fail with ASSAY_E_DATABASE, the file (path) and the column, where nothing is stored
 * or it does not fit. */
assay_status assay_store_copy_text_at(const char *path, sqlite3_stmt *stmt, int column, char *text,
                                      size_t size);
/* NULL is the number given for it. */
assay_status assay_store_small_int_at(const char *path, sqlite3_stmt *stmt, int column,
                                      int for_null, int *value);
/* Told as the unsigned number that it is: printf('%u', seed). */
assay_status assay_store_seed_at(const char *path, sqlite3_stmt *stmt, int column, uint64_t *seed);

#endif
