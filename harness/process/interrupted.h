/* A run that a person ends (Ctrl-C, SIGTERM): before the process goes, it says how to go on. */
#ifndef ASSAY_PROCESS_INTERRUPTED_H
#define ASSAY_PROCESS_INTERRUPTED_H

#include "status.h"

/* From now on SIGINT and SIGTERM write `text` to standard error, cut off after 1000 bytes, and end
 * this process as they would have. A signal that is ignored stays so. */
assay_status assay_interrupted_begin(const char *text) __attribute__((nonnull));

/* As before assay_interrupted_begin; nothing where it was not called. */
void assay_interrupted_end(void);

#endif
