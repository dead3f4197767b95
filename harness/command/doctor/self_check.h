/* assay doctor --self-check: do the clocks that decide agree with kernels that measure their own
 * duration? */
#ifndef ASSAY_SELF_CHECK_H
#define ASSAY_SELF_CHECK_H

#include "command/select.h"
#include "plan/registry.h"
#include "rows/rows.h"

#include <stdio.h>

typedef enum assay_clocks {
    ASSAY_CLOCKS_RIGHT,   /* each deciding clock is within a microsecond, in every process */
    ASSAY_CLOCKS_UNKNOWN, /* nothing is wrong, but in some regime no clock decides: CANNOT_TELL */
    ASSAY_CLOCKS_WRONG,
} assay_clocks;

/* Times spinning kernels by every clock. Prints the times beside the kernels' own, and the cost of
 * a sample. */
assay_status assay_self_check(const assay_target *target, assay_case_table cases, FILE *out,
                              assay_clocks *clocks);

/* Judges and prints what `n_processes` processes have measured. Each process is compared with its
 * own kernels; the worst one counts. */
assay_clocks assay_self_check_judge(const assay_spin_row *rows, int n, int n_processes,
                                    const assay_policy *policy, FILE *out);

#endif
