/* What a stored run stands on, and whether it may be believed: for baseline and gate. */
#ifndef ASSAY_RUN_STANDING_H
#define ASSAY_RUN_STANDING_H

#include "known_failures.h"

typedef struct assay_run_standing {
    int64_t     run_id;
    char        uuid[40], verb[ASSAY_NAME_SIZE], lane[16];
    bool        is_of_program; /* of one's own: `verb` is its name */
    char        binary_id[80], kernels_id[80], device_kind[8], device_uuid[64];
    bool        has_ended, is_dirty;
    int64_t     n_measurements;
    assay_tally tally; /* known failures counted as skips */
} assay_run_standing;

/* Reads it; what becomes of known failures is said on `out` (NULL: nowhere). ASSAY_E_USAGE if the
 * file has no such run. */
assay_status assay_run_standing_read(assay_store *store, int64_t run_id,
                                     const assay_known_failures *known, FILE *out,
                                     assay_run_standing *standing);

/* The newest run with times, or that would have them had its kernels not failed, of that program of
 * one's own ("": of assay; NULL: of any); no run that was made to confirm another one. */
assay_status assay_run_standing_newest(assay_store *store, const char *program, int64_t *run_id,
                                       bool *found);

#endif
