/* The result of a run, counted from the store, so that a process that resumes a run sees the whole
 * of it. */
#ifndef ASSAY_TALLY_H
#define ASSAY_TALLY_H

#include "store/store.h"

typedef struct assay_tally {
    int64_t n_passed;    /* checks, without those of the reference itself */
    int64_t n_reference; /* PASS of the reference as a variant */
    int64_t n_caught;    /* broken on purpose and found out */
    int64_t n_failed, n_skipped, n_ready;
} assay_tally;

assay_status assay_tally_read(assay_store *store, int64_t run_id, assay_tally *tally);

/* Returns ASSAY_EXIT_WRONG if a point failed; _USAGE if one could not be judged, or nothing was
 * checked; _SKIPPED if all were skipped; else _PASS. */
int assay_tally_exit_status(const assay_tally *tally);

#endif
