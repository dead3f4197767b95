/* The store: one SQLite file of evidence, append-only. The only module that sees sqlite3.h; every
 * other one speaks to it through rows.h and the named queries below. The parent process is its only
 * writer. A store belongs to one thread and must not be carried over a fork. */
#ifndef ASSAY_STORE_H
#define ASSAY_STORE_H

#include "device.h"
#include "rows.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_SCHEMA_VERSION    = 1,
    ASSAY_APPLICATION_ID    = 0x41535359, /* 'ASSY', in the header of every file of ours */
    ASSAY_STORE_PATIENCE_MS = 5000,       /* how long a locked file is waited for */
};

typedef struct assay_store assay_store;

typedef enum assay_store_mode {
    ASSAY_STORE_READ,
    ASSAY_STORE_WRITE
} assay_store_mode;

/* Opens (WRITE: creates if absent, in WAL mode) the database. Fails with ASSAY_E_DATABASE and a
 * plain sentence, leaving the file as it was, if it is no database, another program's database, of
 * a newer schema, locked for longer than a few seconds, read-only or on a full disk. Caller closes.
 */
assay_status assay_store_open(const char *path, assay_store_mode mode, assay_store **store);
void         assay_store_close(assay_store *store); /* accepts NULL; rolls back an open point */

/* Starts a run with its device; the row of the device is shared by runs on the same one. */
assay_status assay_store_begin_run(assay_store *store, const assay_run_row *run,
                                   const assay_device_info *device, int64_t *run_id);
/* Closes it with its exit status. A run without one was interrupted. */
assay_status assay_store_end_run(assay_store *store, int64_t run_id, int exit_status);

/* Plans n points of one case in one transaction, each in state 'ready'. What a case is (what,
 * version) is stored once per case and version. Ids come back in the order given. */
assay_status assay_store_plan(assay_store *store, int64_t run_id, const char *case_what,
                              int case_version, const assay_point_row *points, int64_t n,
                              int64_t *point_ids);

/* A run and all its points are there or not at all: begin_plan, begin_run, plan..., end_plan. Not
 * kept: nothing of it stays. */
assay_status assay_store_begin_plan(assay_store *store);
assay_status assay_store_end_plan(assay_store *store, bool is_kept);

/* One point from its first row to its verdict is one transaction: begin, put..., finish (state
 * 'done'). Abandon rolls back what was put (the point stays 'ready'). The file is locked for other
 * writers from begin to finish: begin when the rows are there. A put or finish that fails has
 * rolled the point back; abandon is then allowed and does nothing. */
assay_status assay_store_begin_point(assay_store *store, int64_t point_id);
assay_status assay_store_put_check(assay_store *store, int64_t point_id,
                                   const assay_check_row *row);
/* samples: row->n_samples values in time order; block_end: row->n_blocks ends. */
assay_status assay_store_put_measurement(assay_store *store, int64_t point_id,
                                         const assay_measurement_row *row, const double *samples,
                                         const int64_t *block_end);
/* No verdict, no number: refuses (ASSAY_E_INTERNAL) any verdict but PASS after a measurement was
 * put, and a PASS without a check that passed or beside one that failed. */
assay_status assay_store_finish_point(assay_store *store, int64_t point_id,
                                      const assay_verdict_row *verdict);
assay_status assay_store_abandon_point(assay_store *store);

/* The newest run without an exit status, as it was begun; found = false if there is none. */
assay_status assay_store_find_interrupted(assay_store *store, int64_t *run_id, assay_run_row *run,
                                          bool *found);
/* Calls `visit` for each point of a run in state 'ready', in planned order. The visitor may begin
 * and finish points. */
assay_status assay_store_each_ready(assay_store *store, int64_t run_id,
                                    assay_status (*visit)(void *context, int64_t point_id,
                                                          const char *key, uint64_t seed),
                                    void *context);

/* Raw samples of a measurement in time order, and the end of each block; caller frees both with
 * free(). Fails with ASSAY_E_DATABASE if a block is not what was written (count, checksum) or was
 * pruned. */
assay_status assay_store_read_samples(assay_store *store, int64_t measurement_id, double **samples,
                                      int64_t *n_samples, int64_t **block_end, int64_t *n_blocks);

/* A read-only query of the reports, by name (see store_queries.c). Column values are
 * text as SQLite prints them, NULL for null; numbers through `number`. Texts live until the next
 * call on the cursor. Close it before the store. */
typedef struct assay_cursor assay_cursor;
assay_status assay_store_query(assay_store *store, const char *query_name, int64_t run_id,
                               assay_cursor **cursor);
/* false at the end; *st tells an end from a failure. */
bool        assay_cursor_next(assay_cursor *cursor, assay_status *st);
int         assay_cursor_columns(const assay_cursor *cursor);
const char *assay_cursor_name(const assay_cursor *cursor, int column);
int assay_cursor_find(const assay_cursor *cursor, const char *name); /* -1: no such column */
const char *assay_cursor_text(assay_cursor *cursor, int column);
bool        assay_cursor_number(assay_cursor *cursor, int column, double *number); /* false: null */
bool        assay_cursor_is_real(assay_cursor *cursor, int column); /* not an integer, not text */
void        assay_cursor_close(assay_cursor *cursor);               /* accepts NULL */

/* Id of the newest run with at least one finished point; found = false if there is none. */
assay_status assay_store_latest_run(assay_store *store, int64_t *run_id, bool *found);

#ifdef __cplusplus
}
#endif
#endif
