/* Compares two sides: pairs their points, says which cannot be compared and why, and judges each
 * pair by the rules of compare.h. */
#ifndef ASSAY_STORE_COMPARE_H
#define ASSAY_STORE_COMPARE_H

#include "store_side.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, word, words): the state of a point and regime. Word: in CSV and JSON; words: a heading.
 */
#define ASSAY_CHANGE_MAP(X)                                                                        \
    X(COMPARED, "compared", "compared")                                                            \
    X(NO_NUMBER, "no_number", "no number on one side, which has no PASS")                          \
    X(DIFFERENT, "different", "not compared: the conditions of the two sides differ")              \
    X(UNDECIDED, "undecided", "not compared: no clock decides on one side")                        \
    X(ONLY_A, "only_a", "only in A")                                                               \
    X(ONLY_B, "only_b", "only in B")

typedef enum assay_change_kind {
#define X(name, word, words) ASSAY_CHANGE_##name,
    ASSAY_CHANGE_MAP(X)
#undef X
    ASSAY_N_CHANGE_KINDS
} assay_change_kind;

const char *assay_change_kind_name(assay_change_kind kind);
const char *assay_change_kind_words(assay_change_kind kind);

typedef struct assay_change {
    assay_change_kind       kind;
    const assay_side_point *point_a, *point_b; /* NULL: not on that side */
    const assay_side_time  *time_a, *time_b;   /* NULL: no time there */
    bool                    is_new_failure;    /* B fails, A does not */
    char why[ASSAY_REASON_SIZE]; /* why it is not compared; COMPARED: a difference that the person
                                    asked to ignore; "" */
    assay_compare_known known;   /* bands: NaN not calibrated */
    assay_compared      result;  /* of COMPARED */
} assay_change;

typedef struct assay_change_table {
    assay_change      *rows; /* worst first: new failures, then by verdict and size of the effect */
    int64_t            n;
    int64_t            n_of_kind[ASSAY_N_CHANGE_KINDS];
    int64_t            n_slower, n_faster, n_same, n_cannot_tell; /* of those compared */
    int64_t            n_new_failures;                            /* points */
    bool               is_same_run;                               /* A and B are the same runs */
    double             sidedness; /* of SLOWER and FASTER: see assay_compare_sidedness */
    assay_compare_rule rule;
} assay_change_table;

/* across: the condition in which the sides may differ (assay_condition_across), or NULL. The sides
 * must outlive the table. The caller frees. ASSAY_E_NOTHING if neither side has a time or a
 * failure. */
assay_status assay_change_find(const assay_side *a, const assay_side *b,
                               const assay_compare_rule *rule, const char *across,
                               assay_change_table *table);
void         assay_change_free(assay_change_table *table); /* accepts NULL; zeroes */

/* The point of a row, of B where it has one. */
const assay_side_point *assay_change_point(const assay_change *change);
/* Its regime ("" if only verdicts are compared) and clock ("" if none decides). */
assay_regime assay_change_regime(const assay_change *change);
assay_clock  assay_change_clock(const assay_change *change);

/* The compared rows of the table, as they are stored. Runs are named by the newest of each side.
 * The caller frees *rows. */
assay_status assay_change_rows(const assay_change_table *table, const assay_side *a,
                               const assay_side *b, assay_change_row **rows, int64_t *n);

#ifdef __cplusplus
}
#endif
#endif
