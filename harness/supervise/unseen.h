/* Compares the suppressions (.unseen) of cases with what a run under their tool has seen. */
#ifndef ASSAY_UNSEEN_H
#define ASSAY_UNSEEN_H

#include "case.h"
#include "store/store.h"

#include "plan/registry.h"

#include <stdio.h>

/* How the store names a suppression that applied: "TOOL.PLACE", of the place what stands before its
 * first comma. */
void assay_unseen_name(const assay_unseen *row, char *name, size_t size);

/* Prints a line for each suppression that applied to no report, although the tool watched a point
 * of its variant that passed: the suppression is out of date. */
assay_status assay_unseen_tell(assay_store *store, int64_t run_id, assay_case_table cases,
                               assay_gpu_tool tool, FILE *out, int64_t *n_not_needed);

#endif
