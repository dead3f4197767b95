/* Facts about this host, this build and this command, for the run's row. */
#ifndef ASSAY_ENVIRONMENT_H
#define ASSAY_ENVIRONMENT_H

#include "rows.h"
#include "status.h"

/* Fills everything but verb, options, seed and lane. Unknown facts are left "". */
assay_status assay_environment_fill(int argc, char **argv, assay_run_row *row);

/* "0.1.0 (commit ...)", of the build. */
const char *assay_environment_version(void);

/* Quotes one word for a POSIX shell, appending to `line`. */
void assay_environment_quote(const char *word, char *line, size_t size);

/* Host memory that a process can still get: the kernel's own estimate, or what the memory limit of
 * its control group leaves if that is less; 0 if unknown. */
int64_t assay_environment_free_bytes(void);

/* What the limits of the control groups named in the file `groups` (/proc/self/cgroup), and of
 * those above them, leave below the folder `root` (/sys/fs/cgroup); versions 1 and 2. At least 1
 * if there is a limit; 0 if there is none. */
int64_t assay_environment_group_bytes(const char *groups, const char *root);

/* A random version 4 UUID. */
assay_status assay_environment_uuid(char *uuid, size_t size);

#endif
