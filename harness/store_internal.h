/* What the store's own files share. No other module includes this. */
#ifndef ASSAY_STORE_INTERNAL_H
#define ASSAY_STORE_INTERNAL_H

#include "store.h"

#include <sqlite3.h>

/* Prepared once per store, on first use; the texts are in store_sql.c. */
typedef enum assay_statement {
    ASSAY_SQL_BEGIN,
    ASSAY_SQL_COMMIT,
    ASSAY_SQL_ROLLBACK,
    ASSAY_SQL_FIND_BUILD,
    ASSAY_SQL_ADD_BUILD,
    ASSAY_SQL_FIND_DEVICE,
    ASSAY_SQL_ADD_DEVICE,
    ASSAY_SQL_FIND_DEVICE_STATE,
    ASSAY_SQL_ADD_DEVICE_STATE,
    ASSAY_SQL_ADD_RUN,
    ASSAY_SQL_ADD_RUN_END,
    ASSAY_SQL_FIND_CASE,
    ASSAY_SQL_ADD_CASE,
    ASSAY_SQL_FIND_CONFIG,
    ASSAY_SQL_ADD_CONFIG,
    ASSAY_SQL_ADD_AXIS,
    ASSAY_SQL_NEXT_ORDINAL,
    ASSAY_SQL_ADD_POINT,
    ASSAY_SQL_ADD_EXPECTED,
    ASSAY_SQL_POINT_STATE,
    ASSAY_SQL_ADD_CHECK,
    ASSAY_SQL_ADD_MEASUREMENT,
    ASSAY_SQL_ADD_BLOCK,
    ASSAY_SQL_ADD_VERDICT,
    ASSAY_SQL_FIND_INTERRUPTED,
    ASSAY_SQL_LATEST_RUN,
    ASSAY_SQL_EACH_READY,
    ASSAY_SQL_READ_BLOCKS,
    ASSAY_N_STATEMENTS
} assay_statement;

struct assay_store {
    sqlite3      *db;
    char         *path;
    sqlite3_stmt *statement[ASSAY_N_STATEMENTS];
    int64_t       open_point;     /* 0: none */
    bool          is_planning;    /* a plan is one transaction: see assay_store_begin_plan */
    int64_t       n_measurements; /* put since the point was opened */
};

/* A statement on its way: binds from the left, remembers the first failure. */
typedef struct assay_binder {
    assay_store  *store;
    sqlite3_stmt *stmt;
    int           column, rc;
} assay_binder;

/* The plain sentence behind a result of SQLite, with the file and what to do; the status to return.
 */
assay_status assay_store_fail(sqlite3 *db, const char *path, int rc);

/* Runs constant SQL text of several statements (schema, pragmas). */
assay_status assay_store_exec(sqlite3 *db, const char *path, const char *sql);

assay_status assay_store_prepare(assay_store *store, assay_statement which, assay_binder *binder);
void         assay_bind_text(assay_binder *b, const char *text, size_t size); /* array of size */
void         assay_bind_int(assay_binder *b, int64_t value);
void         assay_bind_count(assay_binder *b, int64_t value); /* negative: null */
void         assay_bind_real(assay_binder *b, double value);   /* NaN: null */
void         assay_bind_seed(assay_binder *b, uint64_t seed);
void         assay_bind_blob(assay_binder *b, const void *bytes, size_t size); /* not copied */
void         assay_bind_null(assay_binder *b);
#define ASSAY_BIND_ARRAY(b, array) assay_bind_text((b), (array), sizeof(array))
#define ASSAY_BIND_TEXT(b, string) assay_bind_text((b), (string), SIZE_MAX)

/* One step: a row is there (*row), or the statement is over. Resets it when over or failed. */
assay_status assay_store_step(assay_binder *b, bool *row);
/* Runs a statement that returns no rows; id (NULL: not wanted) gets that of the row inserted. */
assay_status assay_store_run(assay_binder *b, int64_t *id);
/* First column of the first row as an integer; found = false without a row. */
assay_status assay_store_find(assay_binder *b, int64_t *value, bool *found);
void         assay_store_reset(assay_binder *b); /* ends a statement before its last row */

assay_status assay_store_begin(assay_store *store);
assay_status assay_store_commit(assay_store *store);   /* rolls back if it fails */
void         assay_store_rollback(assay_store *store); /* keeps the first failure's sentence */

/* The reports' queries; ?1 is the run. NULL if there is none of that name. */
const char *assay_store_query_text(const char *name);

/* Signed 64-bit pattern of a seed, and back. */
int64_t  assay_seed_to_sql(uint64_t seed);
uint64_t assay_seed_from_sql(int64_t value);

/* Blobs of samples: binary64, little-endian. */
void     assay_samples_encode(const double *samples, int64_t n, unsigned char *bytes);
void     assay_samples_decode(const unsigned char *bytes, int64_t n, double *samples);
uint32_t assay_crc32(const void *bytes, size_t size);
/* Writes the blocks of one measurement. */
assay_status assay_store_put_blocks(assay_store *store, int64_t measurement_id,
                                    const double *samples, const int64_t *block_end,
                                    int64_t n_blocks);

#endif
