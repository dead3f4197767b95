/* One side of a comparison: the run or runs that a person's word means, with their findings and
 * measurements. Reads files, writes none. */
#ifndef ASSAY_STORE_SIDE_H
#define ASSAY_STORE_SIDE_H

#include "stats/compare.h"
#include "store_cells.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One run of a file. */
typedef struct assay_side_run {
    int64_t     run_id, build_id, device_state_id;
    const char *uuid, *started_utc, *git_commit, *binary_id, *kernels_id;
    const char *program; /* the user's program that wrote it (program.h); "": assay */
    bool        git_dirty, is_finished, is_timed;
} assay_side_run;

/* What is looked at. A member that is NULL, NONE or a count of 0 selects everything. */
typedef struct assay_side_filter {
    const char *const *cases, *const *variants, *const *axes; /* axes: "n=64,128" */
    int          n_cases, n_variants, n_axes;
    const char  *point;
    assay_regime regime; /* NONE: all */
} assay_side_filter;

typedef struct assay_side_point {
    const char *key, *case_name, *variant, *axes, *outcome, *verdict, *reason;
    int64_t     case_version;
    int64_t     point_id; /* local to the file */
} assay_side_point;

/* A point in one regime, by the clock that decides there. */
typedef struct assay_side_time {
    const char      *key;
    assay_regime     regime;
    assay_clock      clock; /* NONE: none decides */
    const char      *device_kind, *device_name;
    const char      *undecided; /* why none does; "" */
    const char      *doubt;     /* why it cannot be trusted as it is; "" (assay_cell_doubt) */
    const char      *mixed;     /* in what pooled runs differ, so that they are not one side; "" */
    assay_conditions conditions;
    double           time_ns, step_ns;
    int64_t          point_id, measurement_id;
    /* owned */
    assay_compare_block *blocks;
    int64_t              n_blocks, capacity;
} assay_side_time;

/* What the file knows of a point, or of all points of a case, on a device, from comparisons of
 * builds with themselves. */
typedef struct assay_side_known {
    const char  *case_name, *device_kind, *device_name;
    assay_regime regime;
    assay_clock  clock;
    const char  *key, *tuning; /* key "": of all points together */
    int64_t      case_version;
    double       band, process_sd; /* NaN: not known; the spread is that of a point alone */
    int64_t      process_df;
} assay_side_known;

typedef struct assay_side {
    const char       *path, *name; /* name: for a heading */
    assay_side_run   *runs;        /* the runs of the side, oldest first */
    int64_t           n_runs;
    assay_side_point *points; /* by key, each once */
    int64_t           n_points, point_capacity;
    assay_side_time  *times; /* by key and regime, each once */
    int64_t           n_times, time_capacity;
    assay_side_known *known; /* the newest of each; none if read by assay_side_read_runs */
    int64_t           n_known, known_capacity;
    assay_texts       texts; /* all of the above point into */
} assay_side;

/* Lists all runs of a file, oldest first. The caller frees *runs; texts are kept in `texts`. */
assay_status assay_side_list_runs(assay_store *store, assay_texts *texts, assay_side_run **runs,
                                  int64_t *n);

/* The side that `word` means: the number or a prefix of the uuid of a run of `database`; `latest`,
 * `previous`: its newest finished run with times, and the one before that the same program wrote;
 * `baseline:NAME`: the run accepted under that name; `build:PREFIX`: all finished runs with times
 * of the build whose commit, program or kernels have an id that begins so; FILE: `latest` of
 * another file; FILE:WORD: any of these words in it. ASSAY_E_USAGE, with the words that would do,
 * for one that means no run or several. Caller frees, whatever comes back. */
assay_status assay_side_read(const char *word, const char *database,
                             const assay_side_filter *filter, assay_side *side);
/* Finds the run of an open store that `word` means: its number, a prefix of its uuid, `latest`,
 * `previous` or `baseline:NAME`. ASSAY_E_USAGE as above. `path` is the store's file. */
assay_status assay_side_find_run(assay_store *store, const char *path, const char *word,
                                 int64_t *run_id);
/* Reads n chosen runs (oldest first; copied), without what the file knows. */
assay_status assay_side_read_runs(assay_store *store, const assay_side_run *runs, int64_t n,
                                  const assay_side_filter *filter, assay_side *side);
/* Sorts a side whose runs were read one after the other, and pools the times of each point and
 * regime. */
assay_status assay_side_pool(assay_side *side);
void         assay_side_free(assay_side *side); /* accepts NULL; zeroes */

/* Reads what the file knows from calibrations. */
assay_status assay_side_read_known(assay_store *store, assay_side *side);
/* Returns what two files know of a point in a regime whose times are to be compared. The file of
 * `b` comes first, since it is the newer one. Knowledge of one device or tuning holds for that
 * alone; if the two differ in it, nothing is known. */
assay_compare_known assay_side_find_known(const assay_side *a, const assay_side *b,
                                          const assay_side_point *point,
                                          const assay_side_time  *time_a,
                                          const assay_side_time  *time_b);

/* Is a row with this case_name, variant, axes and key selected? The regime is ignored. */
bool assay_side_is_wanted(const assay_side_filter *filter, assay_cursor *row);
/* Does a person's --axis NAME=V[,V...] match a point's axes, "name=value;name=value"? */
bool assay_side_has_axis(const char *axes, const char *wanted);

#ifdef __cplusplus
}
#endif
#endif
