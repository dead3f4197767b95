/* What comparisons and history read from a file: the metric of a row, texts that outlive the
 * cursor, and the conditions of numbers. */
#ifndef ASSAY_STORE_CELLS_H
#define ASSAY_STORE_CELLS_H

#include "store/store.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the columns `regime` and `clock`. ASSAY_E_DATABASE for a word that this release does not
 * know. */
assay_status assay_cell_metric(assay_cursor *row, assay_regime *regime, assay_clock *clock);

/* Of a measurement, from the columns decides, median_ns, q1_ns, q3_ns, process_spread, n_samples,
 * n_throttled, is_below_floor and share_of_ceiling: how far its median can be off, relative (NaN:
 * unknown), and why its time cannot be trusted as it is: "noise, few samples"; "" if it can. */
double assay_cell_uncertainty(assay_cursor *row);
char  *assay_cell_doubt(assay_cursor *row, char *text, size_t size);
#define ASSAY_DOUBT_UNDECIDED "not decided" /* the first reason for doubt */

/* Texts that are kept together until all are freed. */
typedef struct assay_texts {
    char       **items;
    size_t       n, capacity;
    assay_status status; /* the first failure; after it keep returns "" */
} assay_texts;

const char *assay_texts_keep(assay_texts *texts, const char *text);
void        assay_texts_free(assay_texts *texts); /* accepts NULL; zeroes */

/* Makes room for one more element of an array that doubles. False, with nothing changed, if memory
 * runs out. */
bool assay_grow(void **items, int64_t n, int64_t *capacity, size_t size);

/* Runs a query and calls `visit` for each row. */
assay_status assay_store_each_row(assay_store *store, const char *query_name, int64_t run_id,
                                  assay_status (*visit)(void *context, assay_cursor *row),
                                  void *context);

/* X(name, column, words): the conditions of a number besides the code under test. Numbers that
 * differ in one of them are not compared unless a person asks for it; a history is cut there. */
#define ASSAY_CONDITION_MAP(X)                                                                     \
    X(DEVICE, "device", "device")                                                                  \
    X(DRIVER, "driver", "driver")                                                                  \
    X(TOOLKIT, "toolkit", "toolkit")                                                               \
    X(POLICY, "policy", "policy")                                                                  \
    X(TUNING, "tuning", "tuning")                                                                  \
    X(CASE, "case_version", "case version")                                                        \
    X(INPUT, "input_fact", "input")

typedef enum assay_condition {
#define X(name, column, words) ASSAY_CONDITION_##name,
    ASSAY_CONDITION_MAP(X)
#undef X
    ASSAY_N_CONDITIONS
} assay_condition;

/* "device", ..., "case version". */
const char *assay_condition_name(assay_condition condition);
/* The conditions that a person may ask to ignore. What a case computes, its inputs and the clock
 * are not among them. Ends with NULL. */
extern const char *const assay_condition_across[];

typedef struct assay_conditions {
    const char *value[ASSAY_N_CONDITIONS]; /* never NULL once read */
} assay_conditions;

void assay_conditions_read(assay_cursor *row, assay_texts *texts, assay_conditions *conditions);
/* Writes the differences as "driver 570.1 / 580.2; policy max_calls=32 / max_calls=16"; of long
 * values only the words that differ. Leaves out the condition named `except` (NULL: none). Returns
 * their number; `to` is "" if there are none. */
int assay_conditions_differ(const assay_conditions *a, const assay_conditions *b,
                            const char *except, char *to, size_t size);

#ifdef __cplusplus
}
#endif
#endif
