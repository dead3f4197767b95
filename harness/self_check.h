/* assay doctor --self-check: do the clocks that decide read what kernels of known length read
 * themselves? */
#ifndef ASSAY_SELF_CHECK_H
#define ASSAY_SELF_CHECK_H

#include "select.h"

#include <stdio.h>

/* Times spinning kernels by every clock and prints what each reads beside the kernels' own reading,
 * and what a sample costs. *is_passed: each deciding clock is within a microsecond. */
assay_status assay_self_check(const assay_target *target, const assay_cli *cli, FILE *out,
                              bool *is_passed);

#endif
