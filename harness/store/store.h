/* The store: one SQLite file of evidence, append-only. The only module that sees sqlite3.h; every
 * other one speaks to it through rows.h and the named queries below. The parent process is its only
 * writer. A store belongs to one thread and must not be carried over a fork. */
#ifndef ASSAY_STORE_H
#define ASSAY_STORE_H

#include "device.h"
#include "rows/rows_stored.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_SCHEMA_VERSION   = 6,
    ASSAY_SCHEMA_OLDEST    = 5,          /* the oldest that is read; writers migrate it */
    ASSAY_APPLICATION_ID   = 0x41535359, /* 'ASSY', in the header of each of our files */
    ASSAY_STORE_PATIENCE_S = 20,         /* how long to wait for a locked file */
};

typedef struct assay_store assay_store;

/* The version of the SQLite library. */
const char *assay_store_library(void);

typedef enum assay_store_mode {
    ASSAY_STORE_READ,
    ASSAY_STORE_WRITE
} assay_store_mode;

/* Opens (WRITE: creates if absent, in WAL mode) the database. Fails with ASSAY_E_DATABASE and a
 * plain sentence, leaving the file as it was, if it is no database, another program's database, of
 * a newer schema, locked for too long, read-only or on a full disk. A file of an
 * older schema is brought up to date by WRITE; READ leaves it as it is and reads a private copy of
 * it, brought up to date. Caller closes. */
assay_status assay_store_open(const char *path, assay_store_mode mode, assay_store **store);
void         assay_store_close(assay_store *store); /* accepts NULL; rolls back an open point */
/* From now on, each write and read waits that long for another process that keeps the file locked,
 * instead of ASSAY_STORE_PATIENCE_S. A message on stderr names that process. */
void assay_store_set_patience(assay_store *store, double patience_s);

/* Starts a run. Runs on the same device share its row. */
assay_status assay_store_begin_run(assay_store *store, const assay_run_row *run,
                                   const assay_device_info *device, int64_t *run_id);
/* Ends a run with its exit status. A run without one was interrupted. */
assay_status assay_store_end_run(assay_store *store, int64_t run_id, int exit_status);

/* Plans n points of one case in one transaction, each in state 'ready'. The description of a case
 * is stored once per case and version. The ids are returned in the order given. */
assay_status assay_store_plan(assay_store *store, int64_t run_id, const char *case_what,
                              int case_version, const assay_point_row *points, int64_t n,
                              int64_t *point_ids);

/* For a point of the open plan: it is run with values that an earlier search has chosen; tuned_by
 * names the search. */
assay_status assay_store_plan_tuning(assay_store *store, int64_t point_id, const char *tuning,
                                     const char *tuned_by);

/* A run and all its points are stored as a whole or not at all: begin_plan, begin_run, plan...,
 * end_plan; or points and their verdicts, between these two. end_plan without `keep` removes all of
 * it. */
assay_status assay_store_begin_plan(assay_store *store);
assay_status assay_store_end_plan(assay_store *store, bool is_kept);

/* One point from its first row to its verdict is one transaction: begin, put..., finish (state
 * 'done'). Abandon rolls back what was put (the point stays 'ready'). The file is locked for other
 * writers from begin to finish: begin when the rows are there. A put or finish that fails has
 * rolled the point back; abandon is then allowed and does nothing. */
assay_status assay_store_begin_point(assay_store *store, int64_t point_id);
assay_status assay_store_put_check(assay_store *store, int64_t point_id,
                                   const assay_check_row *row);
/* row->n_samples times in the order of time; the SM clock of each (NaN: unknown; NULL: for none);
 * and row->n_blocks blocks that divide them. n_samples may be 0: then the statistics are NULL. */
assay_status assay_store_put_measurement(assay_store *store, int64_t point_id,
                                         const assay_measurement_row *row, const double *time_ns,
                                         const double *sm_clock_mhz, const assay_block *blocks);
/* Call it after the measurements of the point. A speed-up by the event clock is refused if this
 * kernel or the other one is shorter than the policy's short_ns. */
assay_status assay_store_put_comparison(assay_store *store, int64_t point_id,
                                        const assay_comparison_row *row);
assay_status assay_store_put_launch(assay_store *store, int64_t point_id,
                                    const assay_launch_row *row);
assay_status assay_store_put_section(assay_store *store, int64_t point_id,
                                     const assay_section_row *row);
assay_status assay_store_put_metric(assay_store *store, int64_t point_id,
                                    const assay_metric_row *row);
/* A trial whose median is NaN may be stored with any verdict of the point. */
assay_status assay_store_put_trial(assay_store *store, int64_t point_id,
                                   const assay_trial_row *row);
/* No verdict, no number: refuses (ASSAY_E_INTERNAL) any verdict but PASS after a number was put
 * (measurement, comparison, launch, section, metric, timed trial), and a PASS without a check that
 * passed or beside one that failed. */
assay_status assay_store_finish_point(assay_store *store, int64_t point_id,
                                      const assay_verdict_row *verdict);
assay_status assay_store_abandon_point(assay_store *store);

/* Stores a ceiling of the device, at any time in a run that has not ended, but not while a point is
 * open. The same kind, regime, clock and working set may be stored again (a resumed run): the
 * newest counts. */
assay_status assay_store_put_ceiling(assay_store *store, int64_t run_id,
                                     const assay_ceiling_row *row);
/* Copies the ceilings that an earlier run in the file has measured in the last max_age_s, if it was
 * on the same device in the same state, by the same program. They keep their time. A resumed run's
 * own ceilings, however old, are not counted. */
assay_status assay_store_take_ceilings(assay_store *store, int64_t run_id, double max_age_s,
                                       int64_t *n_taken);
/* Reads the ceilings of a run that count, in the order in which they were put. */
assay_status assay_store_read_ceilings(assay_store *store, int64_t run_id,
                                       assay_status (*visit)(void                    *context,
                                                             const assay_ceiling_row *row),
                                       void *context);

/* Finds the newest run without an exit status, as it was begun; or run `wanted`, unless 0.
 * `program`: of a user's program (program.h) by its name; NULL: of assay itself. found = false if
 * there is none. */
assay_status assay_store_find_interrupted(assay_store *store, const char *program, int64_t wanted,
                                          int64_t *run_id, assay_run_row *run, bool *found);
/* Calls `visit` for each point of a run in state 'ready', in planned order. The visitor may begin
 * and finish points. */
assay_status assay_store_each_ready(assay_store *store, int64_t run_id,
                                    assay_status (*visit)(void *context, int64_t point_id,
                                                          const char *key, uint64_t seed),
                                    void *context);

/* What one process measured of one measurement: its blocks as one number, as comparisons use them.
 * Its key is valid until the visitor returns. */
typedef struct assay_process_row {
    const char  *key;
    assay_regime regime;
    assay_clock  clock;
    bool         decides;         /* this clock decides in this regime */
    int64_t n_processes, process; /* processes of the measurement; number of this one, from 0 */
    double  time_ns;              /* geometric mean of its blocks' medians; NaN: no block has one */
    double  sm_clock_mhz;         /* mean over its blocks; NaN unknown */
    int64_t n_throttled, n_discarded; /* samples left out */
    int64_t bytes_declared, cells;
    double  flops;
} assay_process_row;
/* Calls `visit` for each process of each measurement of a run, by clocks that decide or
 * (all_clocks) by all: in planned order of the points, then as they were put. The visitor must not
 * ask for processes itself. */
assay_status assay_store_each_process(assay_store *store, int64_t run_id, bool all_clocks,
                                      assay_status (*visit)(void                    *context,
                                                            const assay_process_row *row),
                                      void *context);

/* What is stored of one measurement's samples. */
typedef struct assay_stored_samples {
    double      *time_ns, *sm_clock_mhz; /* in time order; NaN: the clock was not read */
    int64_t      n_samples;
    assay_block *blocks;
    int64_t      n_blocks;
} assay_stored_samples;
/* The caller frees. Fails with ASSAY_E_DATABASE if a block is not what was written (count,
 * checksum) or was pruned. */
assay_status assay_store_read_samples(assay_store *store, int64_t measurement_id,
                                      assay_stored_samples *samples);
void         assay_stored_samples_free(assay_stored_samples *samples); /* accepts NULL; zeroes */

/* ---- decisions of people, and comparisons ---- */

/* Each writes one row (those with n: all rows or none) and returns its uuid in the row.
 * ASSAY_E_USAGE for a row without contents, and for a baseline whose run is not in this file. */
assay_status assay_store_annotate(assay_store *store, assay_annotation_row *row);
assay_status assay_store_accept(assay_store *store, assay_accepted_row *row);
assay_status assay_store_write_calibrations(assay_store *store, assay_calibration_row *rows,
                                            int64_t n);
assay_status assay_store_write_changes(assay_store *store, assay_change_row *rows, int64_t n);

/* ---- several files ---- */

/* The result of a merge. */
typedef struct assay_merge {
    int64_t n_runs;          /* that this file did not have */
    int64_t n_points;        /* points that were finished only in the source */
    int64_t n_conflicts;     /* runs (and other rows) that the two files contradict each other on */
    char    conflicts[2048]; /* their tables; truncated if too long */
    char    other_words[512]; /* cases with another description at the same version; this file's is
                                 kept */
} assay_merge;

/* Adds what the file at `path`, of this or an older schema, has and the store lacks. Runs are the
 * same if their uuids are. The source is not changed, and may be written to meanwhile. A run that
 * continued in the source continues here; samples that were pruned here stay pruned. If the two
 * contradict each other, nothing of the source is taken (ASSAY_OK, and merge->n_conflicts > 0).
 * Nothing is taken either if assay_store_examine finds a problem in the source (ASSAY_E_DATABASE).
 */
assay_status assay_store_merge(assay_store *store, const char *path, assay_merge *merge);

/* Drops the raw samples of runs older than that (NaN: of any age), except the `keep` newest runs
 * with measurements and those of baselines, and returns the space to the disk. Counts, medians and
 * verdicts stay. n_blocks: the number of blocks whose samples were dropped. */
assay_status assay_store_prune(assay_store *store, double older_than_s, int64_t keep,
                               int64_t *n_blocks);

/* Is the file sound? Does each number have a PASS and each PASS a check, and are the samples those
 * that were written? Calls `visit` (NULL: nothing) with a sentence for each problem. A file of an
 * older schema is examined after it was migrated. */
assay_status assay_store_examine(assay_store *store,
                                 void (*visit)(void *context, const char *problem), void *context,
                                 int64_t *n_problems);

/* A read-only query of the reports, by its name in the .sql files (sql/, series/sql/). Values are
 * text as SQLite prints them, NULL for null; numbers are read by `number`. Texts are valid until
 * the next row. A text for which memory runs out is "", and the next row fails. Close it before the
 * store. */
typedef struct assay_cursor assay_cursor;
assay_status assay_store_query(assay_store *store, const char *query_name, int64_t run_id,
                               assay_cursor **cursor);
/* Returns false at the end; *st tells the end from a failure. */
bool        assay_cursor_next(assay_cursor *cursor, assay_status *st);
int         assay_cursor_columns(const assay_cursor *cursor);
const char *assay_cursor_name(const assay_cursor *cursor, int column);
int assay_cursor_find(const assay_cursor *cursor, const char *name); /* -1: no such column */
const char *assay_cursor_text(assay_cursor *cursor, int column);
bool        assay_cursor_number(assay_cursor *cursor, int column, double *number); /* false: null */
bool        assay_cursor_is_real(assay_cursor *cursor, int column); /* not an integer, not text */
bool        assay_cursor_is_text(assay_cursor *cursor, int column);
void        assay_cursor_close(assay_cursor *cursor); /* accepts NULL */
/* Values by column name. A column that the query lacks is a broken invariant. */
const char *assay_row_text(assay_cursor *row, const char *column);   /* "" for null */
double      assay_row_number(assay_cursor *row, const char *column); /* NaN for null */
int64_t     assay_row_count(assay_cursor *row, const char *column);  /* 0 for null */

/* Reads the value of one axis from a stored configuration, name=value;name=value. False: it has no
 * such axis. */
bool assay_store_axis_value(const char *axes, const char *name, char *value, size_t size);
/* The prefix of an axis's name in the CSV that has a column for each axis. */
#define ASSAY_CSV_AXIS "axis."

/* Id of the newest run with at least one finished point; found = false if there is none. */
assay_status assay_store_latest_run(assay_store *store, int64_t *run_id, bool *found);

#ifdef __cplusplus
}
#endif
#endif
