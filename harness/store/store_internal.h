/* What the files of the store share. No other module includes this. */
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
    /* These find or add rows that others share; they are made of assay_inserts. */
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

/* A statement that adds a row, or finds the one with the same values. Its columns are those of one
 * or two kinds of rows (columns.h), between those that only the caller knows. They are bound in
 * this order. */
typedef struct assay_insert {
    const char    *table;               /* NULL: the statement has a text of its own */
    bool           is_sought;           /* it finds a row, and does not add one */
    const char    *first[10], *last[6]; /* up to the first NULL */
    assay_table_id rows[2];
    int            n_rows;
    const char    *now; /* column that gets the time of writing; NULL: none */
} assay_insert;
extern const assay_insert assay_inserts[ASSAY_N_STATEMENTS];
/* The text that SQLite prepares. The caller frees *sql with sqlite3_free. */
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
    double      since_s;   /* when it began; 0: nothing waits */
    double      said_at_s; /* when the last message was printed */
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

/* A statement that is being bound: binds from the left, and remembers the first failure. */
typedef struct assay_binder {
    assay_store  *store;
    sqlite3_stmt *stmt;
    int           column, rc;
} assay_binder;

/* Records the sentence for a result of SQLite, with the file and what to do. Returns the status. */
assay_status assay_store_fail(sqlite3 *db, const char *path, int rc);

/* ---- opening ---- */

/* What a file is, found out before it is changed. */
typedef struct assay_store_identity {
    bool exists; /* and is not empty */
    int  application_id, version, n_tables;
} assay_store_identity;

/* Adds our SQL functions (store_functions.c) to this connection. */
assay_status assay_store_add_functions(sqlite3 *db, const char *path);

/* Opens a file with these flags. The caller closes *db, also after a failure. */
assay_status assay_store_open_uri(const char *path, const char *query, int flags, sqlite3 **db);
/* The same for a file that must not be changed: no lock, no log, no write. */
assay_status assay_store_open_immutable(const char *path, sqlite3 **db);
assay_status assay_store_read_integer(sqlite3 *db, const char *path, const char *sql, int *value);
assay_status assay_store_read_identity(sqlite3 *db, const char *path, assay_store_identity *found);
bool         assay_store_is_new(const assay_store_identity *found);
/* Refuses a database of another program, or of a newer schema. */
assay_status assay_store_judge_identity(const char *path, const assay_store_identity *found);
/* Finds out what the file is, and refuses what is not ours, without changing a byte in it or beside
 * it. It reads the first bytes of the file, under SQLite's lock, and the journal or log beside it.
 * Opening finds out whether the rest is sound. */
assay_status assay_store_probe(const char *path, assay_store_identity *found);

/* A file that no process changes while it is held. */
typedef struct assay_store_held {
    sqlite3      *db;
    sqlite3_file *file;
    bool          is_locked;
} assay_store_held;
/* Waits for a process that is changing it. The caller lets go, also after a failure. */
assay_status assay_store_hold(const char *path, assay_store_held *held);
void         assay_store_let_go(assay_store_held *held);

/* Replaces the connected file by a private copy; the file is not changed. */
assay_status assay_store_copy_aside(assay_store *store);
/* Connects the store to a copy, in which SQLite has undone or completed what an interrupted writer
 * left beside the file. The file is not changed. The store's own connection must be closed. */
assay_status assay_store_recover_copy(assay_store *store);

/* Pauses once for a locked file; if that takes long, a message on stderr names the process that
 * holds it. False: it has taken as long as it may. After assay_store_waited, waiting begins anew.
 */
bool assay_store_wait(assay_store_waiting *waiting);
void assay_store_waited(assay_store_waiting *waiting);
/* Makes a connection wait in this way, while the store exists. */
void assay_store_wait_when_busy(sqlite3 *db, assay_store_waiting *waiting);

/* Migrates the connected file to this schema, in one transaction. */
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
/* Binds a row by the table of its kind. */
void assay_bind_row(assay_binder *b, assay_table_id table, const void *row);
/* Reads the columns of a row, those of a group or all (""), in the order of its table from column
 * *at on. *at is then the column after them. ASSAY_E_DATABASE for a value that does not fit, and
 * for a word that this release does not know. */
assay_status assay_store_read_row(const assay_store *store, sqlite3_stmt *stmt, int *at,
                                  assay_table_id table, const char *group, void *row);
/* Reads a regime or a clock, as the kind says, in the same way. */
assay_status assay_store_read_word(const assay_store *store, sqlite3_stmt *stmt, int at,
                                   assay_column_kind kind, void *member);
#define ASSAY_BIND_ARRAY(b, array) assay_bind_text((b), (array), sizeof(array))
#define ASSAY_BIND_TEXT(b, string) assay_bind_text((b), (string), SIZE_MAX)

/* One step: there is a row (*row), or the statement has ended. Resets it at the end or after a
 * failure. */
assay_status assay_store_step(assay_binder *b, bool *row);
/* Runs a statement that returns no rows. *id (may be NULL) gets the id of the inserted row. */
assay_status assay_store_run(assay_binder *b, int64_t *id);
/* Reads the first column of the first row as an integer; found = false if there is no row. */
assay_status assay_store_find(assay_binder *b, int64_t *value, bool *found);
void         assay_store_reset(assay_binder *b); /* ends a statement before its last row */

assay_status assay_store_begin(assay_store *store);
assay_status assay_store_commit(assay_store *store);   /* rolls back if it fails */
void         assay_store_rollback(assay_store *store); /* keeps the sentence of the first failure */

/* The text of that name in the .sql files; NULL if there is none. In a report's query ?1 is the
 * run. */
const char *assay_store_query_text(const char *name);

/* The bits of a seed as a signed number. */
int64_t assay_seed_to_sql(uint64_t seed);

/* Blobs of samples: binary64, little-endian. */
void     assay_samples_encode(const double *samples, int64_t n, unsigned char *bytes);
void     assay_samples_decode(const unsigned char *bytes, int64_t n, double *samples);
uint32_t assay_crc32(const void *bytes, size_t size);
/* Returns what is wrong with the n packed values of one column, by their checksum in another; NULL:
 * nothing, also if they were pruned (the column is NULL). *bytes: the values. */
const char *assay_samples_fault(sqlite3_stmt *stmt, int column, int crc_column, int64_t n,
                                const void **bytes);

/* ---- rows ---- */

typedef void assay_bind_fn(assay_binder *b, const void *row);

/* Finds or adds a row that others share, and returns its id. It runs inside a write transaction, so
 * that no other process writes between. */
assay_status assay_store_share_row(assay_store *store, assay_statement find, assay_statement add,
                                   assay_bind_fn *bind, const void *row, int64_t *id);
/* Returns the id of a point that was added to the view `point`, which SQLite does not tell. */
assay_status assay_store_point_at(assay_store *store, int64_t run_id, int64_t ordinal, int64_t *id);
/* Adds one row of the open point: binds its id, then the row. A number needs a PASS. A failure
 * rolls the point back. */
assay_status assay_store_put_row(assay_store *store, int64_t point_id, assay_statement add,
                                 const void *row, bool is_number);
/* ASSAY_E_INTERNAL unless this point is open. */
assay_status assay_store_require_open(const assay_store *store, int64_t point_id);
/* Rolls the point back after a failed put or finish. Returns st. */
assay_status assay_store_undo_point(assay_store *store, assay_status st);

#endif
