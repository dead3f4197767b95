/* What the store's own files share. No other module includes this. */
#ifndef ASSAY_STORE_INTERNAL_H
#define ASSAY_STORE_INTERNAL_H

#include "store.h"
#include "store_value.h"

#include "rows/columns.h"
#include "sql_texts.h" /* every text of the .sql files; written by the build */

#include <sqlite3.h>

/* Prepared once per store, on first use. */
typedef enum assay_statement {
#define ENTRY(NAME, name) ASSAY_SQL_##NAME,
    ASSAY_SQL_STATEMENTS(ENTRY) /* one for each text of sql/statements.sql */
#undef ENTRY
    /* What finds a row that others share, and what adds rows: made of assay_inserts. */
    ASSAY_SQL_FIND_BUILD,
    ASSAY_SQL_FIND_DEVICE,
    ASSAY_SQL_FIND_DEVICE_STATE,
    ASSAY_SQL_FIND_CONFIG,
    ASSAY_SQL_FIND_POLICY,
    ASSAY_SQL_ADD_BUILD,
    ASSAY_SQL_ADD_DEVICE,
    ASSAY_SQL_ADD_DEVICE_STATE,
    ASSAY_SQL_ADD_RUN,
    ASSAY_SQL_ADD_RUN_END,
    ASSAY_SQL_ADD_CASE,
    ASSAY_SQL_ADD_CONFIG,
    ASSAY_SQL_ADD_AXIS,
    ASSAY_SQL_ADD_POINT,
    ASSAY_SQL_ADD_EXPECTED,
    ASSAY_SQL_ADD_CHECK,
    ASSAY_SQL_ADD_POLICY,
    ASSAY_SQL_ADD_MEASUREMENT,
    ASSAY_SQL_ADD_BLOCK,
    ASSAY_SQL_ADD_COMPARISON,
    ASSAY_SQL_ADD_LAUNCH,
    ASSAY_SQL_ADD_SECTION,
    ASSAY_SQL_ADD_METRIC,
    ASSAY_SQL_ADD_TRIAL,
    ASSAY_SQL_ADD_CEILING,
    ASSAY_SQL_ADD_VERDICT,
    ASSAY_SQL_ADD_ANNOTATION,
    ASSAY_SQL_ADD_ACCEPTED,
    ASSAY_SQL_ADD_CALIBRATION,
    ASSAY_SQL_ADD_CHANGE,
    ASSAY_N_STATEMENTS
} assay_statement;
extern const char *const assay_statement_sql[ASSAY_N_STATEMENTS];

/* What adds a row, or finds the one with the same values: the columns of one or two kinds of rows
 * (columns.h) between those that only the caller knows. They are bound in this order. */
typedef struct assay_insert {
    const char    *table;               /* NULL: the statement has a text of its own */
    bool           is_sought;           /* found, not added */
    const char    *first[10], *last[6]; /* up to the first NULL */
    assay_table_id rows[2];
    int            n_rows;
    const char    *now; /* gets the time of writing; NULL: none does */
} assay_insert;
extern const assay_insert assay_inserts[ASSAY_N_STATEMENTS];
/* As SQLite prepares it. Caller frees *sql with sqlite3_free. */
assay_status assay_statement_text(assay_statement which, char **sql);
/* A text with the columns of tables where it says {TABLE} (all names), {:TABLE} or {:TABLE.GROUP}
 * (as parameters), {ALIAS.TABLE} or {ALIAS.TABLE.GROUP} (all or those of a group, to be selected);
 * {, ...}: with a comma before the first as well; {... AS PREFIX}: under names that begin so.
 * Caller frees *expanded with sqlite3_free. */
assay_status assay_sql_expand(const char *sql, char **expanded);

/* For a file that another process keeps locked. */
typedef struct assay_store_waiting {
    const char *path;
    double      patience_s;
    double      since_s;   /* the clock when it began; 0: nobody waits */
    double      said_at_s; /* and when it was last said for whom */
} assay_store_waiting;

struct assay_store {
    sqlite3            *db;
    char               *path;
    sqlite3_stmt       *statement[ASSAY_N_STATEMENTS];
    int64_t             open_point;  /* 0: none */
    bool                is_planning; /* a plan is one transaction: see assay_store_begin_plan */
    int64_t             n_numbers;   /* put since the point was opened: they need a PASS */
    assay_store_waiting waiting;
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

/* ---- opening ---- */

/* What a file holds before it is touched. */
typedef struct assay_store_identity {
    bool exists; /* and is not empty */
    int  application_id, version, n_tables;
} assay_store_identity;

/* Our functions of SQL (store_functions.c), for this connection. */
assay_status assay_store_add_functions(sqlite3 *db, const char *path);

/* Opens a file, with no more than the flags allow. Caller closes *db, even after a failure. */
assay_status assay_store_open_uri(const char *path, const char *query, int flags, sqlite3 **db);
/* The same for a file that must not be touched at all: no lock, no log, no write. */
assay_status assay_store_open_immutable(const char *path, sqlite3 **db);
assay_status assay_store_read_integer(sqlite3 *db, const char *path, const char *sql, int *value);
assay_status assay_store_read_identity(sqlite3 *db, const char *path, assay_store_identity *found);
bool         assay_store_is_new(const assay_store_identity *found);
/* Refuses another program's database and a newer schema. */
assay_status assay_store_judge_identity(const char *path, const assay_store_identity *found);
/* Says what the file is and refuses what is not ours, without a byte changed in or beside it: by
 * the first bytes of the file, read under SQLite's lock, and by what a journal or a log beside it
 * says of them. Whether the rest is whole is found by who opens it. */
assay_status assay_store_probe(const char *path, assay_store_identity *found);

/* A file that nobody changes while it is held. */
typedef struct assay_store_held {
    sqlite3      *db;
    sqlite3_file *file;
    bool          is_locked;
} assay_store_held;
/* Waits for whoever is changing it. Let go, also after a failure. */
assay_status assay_store_hold(const char *path, assay_store_held *held);
void         assay_store_let_go(assay_store_held *held);

/* Puts a private copy in the place of the connected file, which stays as it is. */
assay_status assay_store_copy_aside(assay_store *store);
/* Connects the store to a copy in which SQLite has undone or taken over what an interrupted writer
 * left beside the file; the file stays as it is. The store's own connection must be closed. */
assay_status assay_store_recover_copy(assay_store *store);

/* Pauses once for a locked file, and says on stderr for whom if that takes long; false: it has
 * taken as long as it may. Begins anew after assay_store_waited. */
bool assay_store_wait(assay_store_waiting *waiting);
void assay_store_waited(assay_store_waiting *waiting);
/* Lets a connection wait so, while the store lives. */
void assay_store_wait_when_busy(sqlite3 *db, assay_store_waiting *waiting);

/* Brings the connected file to this schema, in one transaction. */
assay_status assay_store_migrate(assay_store *store);

/* ---- statements ---- */

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
/* A row by the table of its kind. */
void assay_bind_row(assay_binder *b, assay_table_id table, const void *row);
/* Reads a row whose columns, those of a group or all (""), stand in the order of its table from
 * column *at on, which is then the one behind them. ASSAY_E_DATABASE for what does not fit and for
 * a word that this release does not know. */
assay_status assay_store_read_row(const assay_store *store, sqlite3_stmt *stmt, int *at,
                                  assay_table_id table, const char *group, void *row);
/* A regime or a clock, as the kind says; likewise. */
assay_status assay_store_read_word(const assay_store *store, sqlite3_stmt *stmt, int at,
                                   assay_column_kind kind, void *member);
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

/* The text of that name in the .sql files; NULL if there is none. ?1 of a report's query is the
 * run.
 */
const char *assay_store_query_text(const char *name);

/* Signed 64-bit pattern of a seed. */
int64_t assay_seed_to_sql(uint64_t seed);

/* Blobs of samples: binary64, little-endian. */
void     assay_samples_encode(const double *samples, int64_t n, unsigned char *bytes);
void     assay_samples_decode(const unsigned char *bytes, int64_t n, double *samples);
uint32_t assay_crc32(const void *bytes, size_t size);
/* What is wrong with the n packed values of one column, by their checksum in another; NULL:
 * nothing, also of pruned ones (the column is NULL). *bytes: the values. */
const char *assay_samples_fault(sqlite3_stmt *stmt, int column, int crc_column, int64_t n,
                                const void **bytes);

/* ---- rows ---- */

typedef void assay_bind_fn(assay_binder *b, const void *row);

/* The id of a row that others share: found, or added. Inside a write transaction, so that nobody
 * comes between. */
assay_status assay_store_share_row(assay_store *store, assay_statement find, assay_statement add,
                                   assay_bind_fn *bind, const void *row, int64_t *id);
/* The id of a point that was added to the view `point`, which SQLite does not tell. */
assay_status assay_store_point_at(assay_store *store, int64_t run_id, int64_t ordinal, int64_t *id);
/* One row of the open point: its id is bound first, then the row. A number needs a PASS. A failure
 * rolls the point back. */
assay_status assay_store_put_row(assay_store *store, int64_t point_id, assay_statement add,
                                 const void *row, bool is_number);
/* ASSAY_E_INTERNAL unless this point is open. */
assay_status assay_store_require_open(const assay_store *store, int64_t point_id);
/* What a failed put or finish leaves: nothing of the point. Returns st. */
assay_status assay_store_undo_point(assay_store *store, assay_status st);

#endif
