/* Writes a text to a file or to standard output, completely or not at all. */
#ifndef ASSAY_OUTPUT_H
#define ASSAY_OUTPUT_H

#include "status.h"

#include <stddef.h>
#include <stdio.h>

/* A text that is held in memory until it is complete: print it to `file`. */
typedef struct assay_output {
    FILE  *file;
    char  *text;
    size_t size;
} assay_output;

assay_status
assay_output_open(assay_output *output); /* the caller frees `output`, also after a failure */
/* Writes the text to `path` (NULL: standard output). An existing file is replaced only when the new
 * one is complete. `keep`: n paths of databases that must not be overwritten; entries may be NULL.
 */
assay_status assay_output_write(assay_output *output, const char *path, const char *const *keep,
                                int n);
void         assay_output_free(assay_output *output); /* zeroes *output */

#endif
