/* assay doctor --self-check: do the clocks that decide read what kernels of known length read
 * themselves? */
#ifndef ASSAY_SELF_CHECK_H
#define ASSAY_SELF_CHECK_H

#include "command/select.h"
#include "plan/registry.h"
#include "rows/rows.h"

#include <stdio.h>

typedef enum assay_clocks {
    ASSAY_CLOCKS_RIGHT,   /* each deciding clock is within a microsecond, in every process */
    ASSAY_CLOCKS_UNKNOWN, /* nothing is wrong, but somewhere no clock decides: CANNOT_TELL */
    ASSAY_CLOCKS_WRONG,
} assay_clocks;

/* Times spinning kernels by every clock and prints what each reads beside the kernels' own reading,
 * and what a sample costs. */
assay_status assay_self_check(const assay_target *target, assay_case_table cases, FILE *out,
                              assay_clocks *clocks);

/* The same from what `n_processes` processes have read: prints and judges. Each process is held
 * against its own kernels; the worst one stands. */
assay_clocks assay_self_check_judge(const assay_spin_row *rows, int n, int n_processes,
                                    const assay_policy *policy, FILE *out);

#endif
