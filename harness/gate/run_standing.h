/* The state of a stored run, and whether it can be trusted: for baseline and gate. */
#ifndef ASSAY_RUN_STANDING_H
#define ASSAY_RUN_STANDING_H

#include "known_failures.h"

typedef struct assay_run_standing {
    int64_t     run_id;
    char        uuid[40], verb[ASSAY_NAME_SIZE], lane[16];
    bool        is_of_program; /* of a user's program: `verb` is its name */
    char        binary_id[80], kernels_id[80], device_kind[8], device_uuid[64];
    bool        has_ended, is_dirty;
    int64_t     n_measurements;
    assay_tally tally; /* with known failures counted as skips */
} assay_run_standing;

/* Reads it. Prints to `out` (NULL: nothing) the state of known failures. ASSAY_E_USAGE if the file
 * has no such run. */
assay_status assay_run_standing_read(assay_store *store, int64_t run_id,
                                     const assay_known_failures *known, FILE *out,
                                     assay_run_standing *standing);

/* Finds the newest run with times, or with none because its kernels failed, of that user's program
 * ("": of assay; NULL: of any). Runs that were made to confirm another one do not count. */
assay_status assay_run_standing_newest(assay_store *store, const char *program, int64_t *run_id,
                                       bool *found);

#endif
