/* A process that must not end as if all were well while a run is under way. */
#ifndef ASSAY_GUARD_H
#define ASSAY_GUARD_H

#include "status.h"

/* From here on exit() (of a kernel's host code in this process) ends with a sentence and with
 * `exit_status`, whatever it was called with. Fails without memory. */
assay_status assay_guard_begin(int exit_status);
void         assay_guard_end(void);

#endif
