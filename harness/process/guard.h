/* Keeps this process from ending as if all were well while a run is in progress. */
#ifndef ASSAY_GUARD_H
#define ASSAY_GUARD_H

#include "status.h"

/* From now on, exit() by a kernel's host code in this process prints a sentence and ends with
 * `exit_status`, whatever it was called with. Fails if memory runs out. */
assay_status assay_guard_begin(int exit_status);
void         assay_guard_end(void);

#endif
