/* Facts about this host, this build and this command, for the run's row. */
#ifndef ASSAY_ENVIRONMENT_H
#define ASSAY_ENVIRONMENT_H

#include "rows.h"
#include "status.h"

/* Fills everything but verb, options, seed and lane. Unknown facts are left "". */
assay_status assay_environment_fill(int argc, char **argv, assay_run_row *row);

/* Quotes one word for a POSIX shell, appending to `line`. */
void assay_environment_quote(const char *word, char *line, size_t size);

/* Host memory that a process can still get, by the kernel's own estimate; 0 if it gives none. */
int64_t assay_environment_free_bytes(void);

/* A random version 4 UUID. */
assay_status assay_environment_uuid(char *uuid, size_t size);

#endif
