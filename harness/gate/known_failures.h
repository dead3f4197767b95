/* The list of known failures: a text file that turns a failing verdict into a skip, with a reason,
 * until a date. It changes exit statuses and nothing else: the verdict stays what it is.
 *
 *     # case  variant  last day    reason
 *     axpy    vec4     2026-12-31  wrong beyond 2^31 elements, being fixed
 */
#ifndef ASSAY_KNOWN_FAILURES_H
#define ASSAY_KNOWN_FAILURES_H

#include "plan/registry.h"
#include "rows/rows.h"
#include "supervise/tally.h"

#include <stdio.h>

#define ASSAY_KNOWN_FAILURES_FILE "known_failures.txt" /* read if no other file is named */

typedef struct assay_known_failure {
    char case_name[ASSAY_NAME_SIZE], variant[ASSAY_NAME_SIZE];
    char expires[12]; /* YYYY-MM-DD, UTC: the last day on which it holds */
    char reason[ASSAY_REASON_SIZE];
    int  line; /* of the file, from 1 */
    bool is_expired;
} assay_known_failure;

typedef struct assay_known_failures {
    char                 path[1024];
    assay_known_failure *entries; /* owned */
    int                  n;
} assay_known_failures;

/* Reads a text of `size` bytes; `today` is YYYY-MM-DD. Fails with ASSAY_E_USAGE, with file and
 * line, for a line that is not an entry, a comment or empty, for a day that does not exist, and for
 * a variant that is listed twice; the list is then empty. The caller frees. */
assay_status assay_known_failures_parse(const char *path, const char *text, size_t size,
                                        const char *today, assay_known_failures *list);
/* Reads a file, with the current day. `path` NULL: ASSAY_KNOWN_FAILURES_FILE in the current folder;
 * an empty list if there is none. ASSAY_E_USAGE if a named file does not exist. */
assay_status assay_known_failures_read(const char *path, assay_known_failures *list);
void         assay_known_failures_free(assay_known_failures *list); /* accepts NULL; zeroes *list */

/* Returns the entry of a variant; NULL: it has none. */
const assay_known_failure *assay_known_failures_find(const assay_known_failures *list,
                                                     const char *case_name, const char *variant);

/* The state of an entry in one run. */
typedef enum assay_known_state {
    ASSAY_KNOWN_UNSEEN,  /* none of its points failed or passed */
    ASSAY_KNOWN_SKIPPED, /* its failures do not count */
    ASSAY_KNOWN_EXPIRED, /* its failures count again */
    ASSAY_KNOWN_FIXED    /* all points passed: the entry can be removed */
} assay_known_state;
assay_known_state assay_known_failure_judge(const assay_known_failure *entry, int64_t n_failed,
                                            int64_t n_passed);

/* Moves failures that unexpired entries name from tally->n_failed to n_skipped. Prints to `out`
 * (NULL: nothing) the state of each entry that has points in the run. */
assay_status assay_known_failures_apply(const assay_known_failures *list, assay_store *store,
                                        int64_t run_id, assay_tally *tally, FILE *out);

/* Prints to `out` the entries whose case or variant this program does not have. */
void assay_known_failures_warn(const assay_known_failures *list, assay_case_table cases, FILE *out);

#endif
