/* Settings of host and device that may change results from one start of the program to the next.
 * Only environment.c includes it. */
#ifndef ASSAY_ENVIRONMENT_HOST_H
#define ASSAY_ENVIRONMENT_HOST_H

#include "rows/rows_stored.h"

/* reason, monotonic_s, boot_id, user, container, ci_url, environment, governor, affinity, turbo,
 * smt, load_average. */
void assay_environment_fill_host(assay_run_row *row);

#endif
