/* Times and errors over the runs of a file: series, divided into segments where conditions changed,
 * with their steps; and errors that rise towards their bound. */
#ifndef ASSAY_STORE_HISTORY_H
#define ASSAY_STORE_HISTORY_H

#include "stats/steps.h"
#include "stats/trend.h"
#include "store_side.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The time of one run, by the clock that decides. */
typedef struct assay_history_value {
    int64_t          run_id;
    const char      *run_uuid, *started_utc, *git_commit;
    bool             git_dirty;
    double           median_ns, q1_ns, q3_ns, cycles;
    assay_conditions conditions;
} assay_history_value;

/* Consecutive values with the same conditions. */
typedef struct assay_history_segment {
    int64_t     first, n; /* values */
    const char *changed;  /* what differs from the segment before; "" in the first */
    assay_steps steps;    /* indices from `first` on; owned */
    double      level_ns; /* after its last step: median */
} assay_history_segment;

typedef struct assay_history_note {
    const char *series, *run_uuid, *text, *who, *written_utc;
} assay_history_note;

typedef struct assay_history_series {
    const char            *series, *key, *case_name, *variant, *axes, *device;
    assay_regime           regime;
    assay_clock            clock;
    int64_t                case_version; /* of the newest value */
    assay_history_value   *values;       /* oldest first; owned */
    int64_t                n_values, capacity;
    assay_history_segment *segments; /* owned */
    int64_t                n_segments;
    /* The newest step of the last segment; NULL if there is none. */
    const assay_step *newest_step;
    bool              is_explained; /* an annotation explains it */
} assay_history_series;

/* The worst error / bound of one output with one input class, run by run. */
typedef struct assay_history_error {
    const char *case_name, *variant, *device, *device_uuid, *lane, *input, *output;
    int64_t     case_version;
    double     *ratios; /* owned */
    int64_t     n, capacity;
    assay_trend trend;
} assay_history_error;

typedef struct assay_history {
    assay_history_series *series; /* unexplained slower steps first, then other steps and drifts */
    int64_t               n_series, capacity;
    assay_history_error  *errors; /* those that are reported come first */
    int64_t               n_errors, error_capacity;
    assay_history_note   *notes; /* as they were written */
    int64_t               n_notes, note_capacity;
    int64_t     n_slower, n_faster, n_drifts, n_rising; /* number of series, by newest finding */
    int64_t     n_unexplained; /* of the slower ones, without an annotation */
    assay_texts texts;
} assay_history;

/* threshold: smaller relative steps are left out. The filter also holds for errors, except for
 * axes, point and regime, since errors are kept by variant. ASSAY_E_NOTHING if neither a series nor
 * an error is left. The caller frees, also after a failure. */
assay_status assay_history_find(assay_store *store, const assay_side_filter *filter,
                                double threshold, assay_history *history);
void         assay_history_free(assay_history *history); /* accepts NULL; zeroes */

bool assay_history_has_run(const assay_history_series *series, int64_t run_id);

/* Is an annotation about a series (as a whole, about one of its runs in it, or about such a run)?
 */
bool assay_history_is_about(const assay_history_note *note, const assay_history_series *series);

#ifdef __cplusplus
}
#endif
#endif
