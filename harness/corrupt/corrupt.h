/* Does the check of a case reject wrong answers? Right answers are made from the reference instead
 * of a kernel. One output of them is corrupted in each way of ASSAY_CORRUPTION_MAP, and everything
 * is judged as in a check. No device, no kernel. */
#ifndef ASSAY_CORRUPT_H
#define ASSAY_CORRUPT_H

#include "plan/plan.h"

#include <stdio.h>

enum {
    ASSAY_CORRUPT_MAX_OUTPUTS =
        2 * ASSAY_MAX_BUFFERS, /* names of outputs, over all axis values of a case */
    ASSAY_CORRUPT_FEW =
        8 /* judged elements; with fewer, all may be within their bounds by chance */
};

/* At how many points one corruption of one output was rejected (with at least one input class,
 * since then a check fails) or accepted (with all). */
typedef struct assay_corrupt_cell {
    int n_rejected, n_waived, n_accepted;
    int n_small; /* accepted with fewer than ASSAY_CORRUPT_FEW elements */
    const char
        *none_why; /* why the last one that was not made could not be made; NULL: all were made */
    char where[ASSAY_KEY_SIZE]; /* the first point that did not reject it; "" */
} assay_corrupt_cell;

/* The state of one corruption of one output: the first one that applies. */
typedef enum assay_corrupt_state {
    ASSAY_CORRUPT_ACCEPTED, /* accepted at some point; with few elements: and rejected at none */
    ASSAY_CORRUPT_WAIVED,   /* accepted at some point, where a waiver gives the reason */
    ASSAY_CORRUPT_REJECTED,
    ASSAY_CORRUPT_NONE, /* it could not be made at any point */
    ASSAY_CORRUPT_N_STATES
} assay_corrupt_state;

typedef struct assay_corrupt_result {
    const assay_case  *definition;
    int                n_points, n_inputs; /* points, and input classes summed over them */
    int                n_outputs;
    const char        *output[ASSAY_CORRUPT_MAX_OUTPUTS];
    assay_corrupt_cell cell[ASSAY_CORRUPT_MAX_OUTPUTS][ASSAY_N_CORRUPTIONS];
    char               refused[ASSAY_KEY_SIZE +
                 ASSAY_REASON_SIZE]; /* where and how the right answer was rejected; "" */
} assay_corrupt_result;

/* Judges corrupted answers at some of the n points of one case: where each of its outputs is
 * largest, one for each word of an axis, and a fixed choice of others. *result is written also if
 * the right answer is rejected. Fails only if memory runs out, or inputs or reference cannot be
 * used. */
assay_status assay_corrupt_judge(const assay_point *points, int64_t n,
                                 assay_corrupt_result *result);

/* Returns the state of corruption k of output o. */
assay_corrupt_state assay_corrupt_state_of(const assay_corrupt_result *result, int o, int k);

/* Print a table, one line per case. */
void assay_corrupt_print_head(FILE *out);
void assay_corrupt_print_row(FILE *out, const assay_corrupt_result *result);

/* Prints what is wrong with a case, one line each, and returns how many there are: an answer that
 * is accepted without a waiver, or a right answer that is rejected. If is_whole (all points of the
 * case were used), also an output for which no corruption could be made, and a waiver that is not
 * needed. */
int assay_corrupt_print_faults(FILE *out, const assay_corrupt_result *result, bool is_whole);

/* Prints counts over all cases, waivers with their reasons, and why answers could not be made. */
void assay_corrupt_print_notes(FILE *out, const assay_corrupt_result *results, int n);

#endif
