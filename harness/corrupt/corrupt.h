/* Does the judge of a case reject what is wrong? Right answers are made from the reference in place
 * of a kernel, one output of them is corrupted in each way of ASSAY_CORRUPTION_MAP, and all is
 * judged as a check judges what a kernel wrote. No device, no kernel. */
#ifndef ASSAY_CORRUPT_H
#define ASSAY_CORRUPT_H

#include "plan/plan.h"

#include <stdio.h>

enum {
    ASSAY_CORRUPT_MAX_OUTPUTS = 2 * ASSAY_MAX_BUFFERS, /* names, over all axis values of a case */
    ASSAY_CORRUPT_FEW = 8 /* judged elements: of less, chance may leave them in their bounds */
};

/* At how many points one corruption of one output was rejected (under one class of input at least:
 * then a check fails) or accepted (under all). */
typedef struct assay_corrupt_cell {
    int         n_rejected, n_waived, n_accepted;
    int         n_small;  /* accepted of less than ASSAY_CORRUPT_FEW elements */
    const char *none_why; /* why the last that could not be made could not; NULL: all could */
    char        where[ASSAY_KEY_SIZE]; /* the first that was not rejected; "" */
} assay_corrupt_cell;

/* What is true of one corruption of one output, the first that fits. */
typedef enum assay_corrupt_state {
    ASSAY_CORRUPT_ACCEPTED, /* somewhere; of few elements: and rejected nowhere */
    ASSAY_CORRUPT_WAIVED,   /* not rejected somewhere, where a waiver says why */
    ASSAY_CORRUPT_REJECTED,
    ASSAY_CORRUPT_NONE, /* it could be made nowhere */
    ASSAY_CORRUPT_N_STATES
} assay_corrupt_state;

typedef struct assay_corrupt_result {
    const assay_case  *definition;
    int                n_points, n_inputs; /* points, and classes of input over all of them */
    int                n_outputs;
    const char        *output[ASSAY_CORRUPT_MAX_OUTPUTS];
    assay_corrupt_cell cell[ASSAY_CORRUPT_MAX_OUTPUTS][ASSAY_N_CORRUPTIONS];
    char refused[ASSAY_KEY_SIZE + ASSAY_REASON_SIZE]; /* where and how the right answer is; "" */
} assay_corrupt_result;

/* Judges corrupted answers at some points out of the n of one case: where each of its outputs is
 * largest, one for each word of an axis, and a fixed choice of others. *result is written also if
 * the right answer is rejected; fails only without memory, or where inputs or reference cannot be
 * used. */
assay_status assay_corrupt_judge(const assay_point *points, int64_t n,
                                 assay_corrupt_result *result);

/* What came of corruption k of output o. */
assay_corrupt_state assay_corrupt_state_of(const assay_corrupt_result *result, int o, int k);

/* A table, one line a case. */
void assay_corrupt_print_head(FILE *out);
void assay_corrupt_print_row(FILE *out, const assay_corrupt_result *result);

/* What is wrong with a case, a line each; returns how much: an answer that is accepted without a
 * waiver, the right answer rejected; and if is_whole (no point of the case was left out) an output
 * of which no corruption could be made, and a waiver that is not needed. */
int assay_corrupt_print_faults(FILE *out, const assay_corrupt_result *result, bool is_whole);

/* Counts over all cases, waivers with their reasons, and why there was nothing to make. */
void assay_corrupt_print_notes(FILE *out, const assay_corrupt_result *results, int n);

#endif
