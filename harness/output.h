/* A text to a file or to standard output. */
#ifndef ASSAY_OUTPUT_H
#define ASSAY_OUTPUT_H

#include "status.h"

#include <stddef.h>

/* Writes to `path` (NULL: standard output), whole or not at all: a file that is there stays as it
 * was until the new one is complete. `keep` (n of them, NULLs allowed): databases that must not be
 * overwritten. */
assay_status assay_output_write(const char *path, const char *text, size_t size,
                                const char *const *keep, int n);

#endif
