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
    ASSAY_SCHEMA_OLDEST    = 5, /* that is read, and brought up to date by whoever writes */
    ASSAY_APPLICATION_ID   = 0x41535359, /* 'ASSY', in the header of every file of ours */
    ASSAY_STORE_PATIENCE_S = 20,         /* how long a locked file is waited for */
};

typedef struct assay_store assay_store;

/* Release of the library beneath. */
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
/* How long each write and read waits from now on for another process that keeps the file locked,
 * instead of ASSAY_STORE_PATIENCE_S; who that is is said on stderr. */
void assay_store_set_patience(assay_store *store, double patience_s);

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

/* Of a point of the plan that is open: it is run with values that an earlier search has chosen;
 * tuned_by tells of it. */
assay_status assay_store_plan_tuning(assay_store *store, int64_t point_id, const char *tuning,
                                     const char *tuned_by);

/* A run and all its points are there or not at all: begin_plan, begin_run, plan..., end_plan; or
 * points and their verdicts, between these two. Not kept: nothing of it stays. */
assay_status assay_store_begin_plan(assay_store *store);
assay_status assay_store_end_plan(assay_store *store, bool is_kept);

/* One point from its first row to its verdict is one transaction: begin, put..., finish (state
 * 'done'). Abandon rolls back what was put (the point stays 'ready'). The file is locked for other
 * writers from begin to finish: begin when the rows are there. A put or finish that fails has
 * rolled the point back; abandon is then allowed and does nothing. */
assay_status assay_store_begin_point(assay_store *store, int64_t point_id);
assay_status assay_store_put_check(assay_store *store, int64_t point_id,
                                   const assay_check_row *row);
/* row->n_samples times in time order, the SM clock of each (NaN unknown; NULL: of none), and
 * row->n_blocks blocks that share them out. n_samples may be 0: then the statistics are NULL. */
assay_status assay_store_put_measurement(assay_store *store, int64_t point_id,
                                         const assay_measurement_row *row, const double *time_ns,
                                         const double *sm_clock_mhz, const assay_block *blocks);
/* After the measurements of the point: a speed-up by the event clock is refused where this kernel
 * or the other one is shorter than the policy's short_ns. */
assay_status assay_store_put_comparison(assay_store *store, int64_t point_id,
                                        const assay_comparison_row *row);
assay_status assay_store_put_launch(assay_store *store, int64_t point_id,
                                    const assay_launch_row *row);
assay_status assay_store_put_section(assay_store *store, int64_t point_id,
                                     const assay_section_row *row);
assay_status assay_store_put_metric(assay_store *store, int64_t point_id,
                                    const assay_metric_row *row);
/* A trial whose median is NaN may stand beside any verdict of the point. */
assay_status assay_store_put_trial(assay_store *store, int64_t point_id,
                                   const assay_trial_row *row);
/* No verdict, no number: refuses (ASSAY_E_INTERNAL) any verdict but PASS after a number was put
 * (measurement, comparison, launch, section, metric, timed trial), and a PASS without a check that
 * passed or beside one that failed. */
assay_status assay_store_finish_point(assay_store *store, int64_t point_id,
                                      const assay_verdict_row *verdict);
assay_status assay_store_abandon_point(assay_store *store);

/* What the device can do, at any time in a run that has not ended, but not while a point is open.
 * The same kind, regime, clock and working set may come again (a resumed run): the newest counts.
 */
assay_status assay_store_put_ceiling(assay_store *store, int64_t run_id,
                                     const assay_ceiling_row *row);
/* For this run those that an earlier one in the file has measured in the last max_age_s, where it
 * was on the same device in the same state, by the same program. They keep their time. Those
 * that a resumed run has of its own, however old, are not counted. */
assay_status assay_store_take_ceilings(assay_store *store, int64_t run_id, double max_age_s,
                                       int64_t *n_taken);
/* The ceilings of a run that count, in the order they were put. */
assay_status assay_store_read_ceilings(assay_store *store, int64_t run_id,
                                       assay_status (*visit)(void                    *context,
                                                             const assay_ceiling_row *row),
                                       void *context);

/* The newest run without an exit status, or that one unless `wanted` is 0, as it was begun: of a
 * program of one's own (program.h) by its name, or (NULL) of assay itself. found = false if there
 * is none. */
assay_status assay_store_find_interrupted(assay_store *store, const char *program, int64_t wanted,
                                          int64_t *run_id, assay_run_row *run, bool *found);
/* Calls `visit` for each point of a run in state 'ready', in planned order. The visitor may begin
 * and finish points. */
assay_status assay_store_each_ready(assay_store *store, int64_t run_id,
                                    assay_status (*visit)(void *context, int64_t point_id,
                                                          const char *key, uint64_t seed),
                                    void *context);

/* What one process read of one measurement of a run: its blocks as one number, as comparisons take
 * them. Its key lives until the visitor returns. */
typedef struct assay_process_row {
    const char  *key;
    assay_regime regime;
    assay_clock  clock;
    bool         decides;              /* this clock is the one to believe in this regime */
    int64_t      n_processes, process; /* that took the measurement; place among them, from 0 */
    double       time_ns;      /* geometric mean of its blocks' medians; NaN: no block has one */
    double       sm_clock_mhz; /* mean over its blocks; NaN unknown */
    int64_t      n_throttled, n_discarded; /* samples left out */
    int64_t      bytes_declared, cells;
    double       flops;
} assay_process_row;
/* Calls `visit` for each process of each measurement of a run by a clock that decides, or
 * (all_clocks) by any: in planned order of the points, then as they were put. The visitor asks for
 * no processes itself. */
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
/* Caller frees. Fails with ASSAY_E_DATABASE if a block is not what was written (count, checksum) or
 * was pruned. */
assay_status assay_store_read_samples(assay_store *store, int64_t measurement_id,
                                      assay_stored_samples *samples);
void         assay_stored_samples_free(assay_stored_samples *samples); /* accepts NULL; zeroes */

/* ---- what people and later runs made of it ---- */

/* Each writes one row (several: all of them or none) and gives it a uuid, which comes back in it.
 * ASSAY_E_USAGE for a row that says nothing, and for a baseline whose run is not in this file. */
assay_status assay_store_annotate(assay_store *store, assay_annotation_row *row);
assay_status assay_store_accept(assay_store *store, assay_accepted_row *row);
assay_status assay_store_write_calibrations(assay_store *store, assay_calibration_row *rows,
                                            int64_t n);
assay_status assay_store_write_changes(assay_store *store, assay_change_row *rows, int64_t n);

/* ---- several files ---- */

/* What came of a merge. */
typedef struct assay_merge {
    int64_t n_runs;           /* that this file did not have */
    int64_t n_points;         /* that were finished in the source alone */
    int64_t n_conflicts;      /* runs (and other rows) that the two files tell differently */
    char    conflicts[2048];  /* each with the tables that differ; cut where it gets too long */
    char    other_words[512]; /* cases told otherwise at one version: this file's words are kept */
} assay_merge;

/* Adds what the file at `path`, of this or an older schema, has and the store lacks; runs are the
 * same if their uuids are. The file stays as it is, and may be written to meanwhile. A run that
 * went on in the source goes on here; samples that were pruned here stay pruned. If the two tell
 * something differently, nothing of the source is taken (ASSAY_OK, and merge->n_conflicts > 0).
 * Nor is anything of a source in which assay_store_examine finds a problem (ASSAY_E_DATABASE). */
assay_status assay_store_merge(assay_store *store, const char *path, assay_merge *merge);

/* Drops the raw samples of runs that began so long ago (NaN: at any time), except the `keep` newest
 * runs with measurements and those that a baseline stands for, and gives the room back to the disk.
 * Counts, medians and verdicts stay. n_blocks: whose samples went. */
assay_status assay_store_prune(assay_store *store, double older_than_s, int64_t keep,
                               int64_t *n_blocks);

/* Is the file whole, does each number stand on a PASS and each PASS on a check, are the samples
 * those that were written? Calls `visit` (NULL: nobody) for each problem, in words. A file of an
 * older schema is examined as it was brought up to date. */
assay_status assay_store_examine(assay_store *store,
                                 void (*visit)(void *context, const char *problem), void *context,
                                 int64_t *n_problems);

/* A read-only query of the reports, by its name in the .sql files (sql/, series/sql/). Values are
 * text as SQLite prints them, NULL for null; numbers through `number`. Texts live until the next
 * row. A text for which there is no memory is "", and the next row fails. Close it before the
 * store. */
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
bool        assay_cursor_is_text(assay_cursor *cursor, int column);
void        assay_cursor_close(assay_cursor *cursor); /* accepts NULL */
/* By column name; a column that the query has not is a broken invariant. */
const char *assay_row_text(assay_cursor *row, const char *column);   /* "" for null */
double      assay_row_number(assay_cursor *row, const char *column); /* NaN for null */
int64_t     assay_row_count(assay_cursor *row, const char *column);  /* 0 for null */

/* The value of one axis in a configuration as it is stored, name=value;name=value. false: it has no
 * such axis. */
bool assay_store_axis_value(const char *axes, const char *name, char *value, size_t size);
/* Before the name of an axis: its column in the CSV with a column for each. */
#define ASSAY_CSV_AXIS "axis."

/* Id of the newest run with at least one finished point; found = false if there is none. */
assay_status assay_store_latest_run(assay_store *store, int64_t *run_id, bool *found);

#ifdef __cplusplus
}
#endif
#endif
