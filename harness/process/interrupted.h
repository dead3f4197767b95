/* When a person ends a run (Ctrl-C, SIGTERM), the process says how to continue the run before it
 * ends. */
#ifndef ASSAY_PROCESS_INTERRUPTED_H
#define ASSAY_PROCESS_INTERRUPTED_H

#include "status.h"

/* From now on SIGINT and SIGTERM write `text` (at most 1000 bytes) to standard error, then end this
 * process as they would have. A signal that is ignored stays ignored. */
assay_status assay_interrupted_begin(const char *text) __attribute__((nonnull));

/* Undoes assay_interrupted_begin; does nothing if that was not called. */
void assay_interrupted_end(void);

#endif
