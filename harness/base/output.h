/* A text to a file or to standard output, whole or not at all. */
#ifndef ASSAY_OUTPUT_H
#define ASSAY_OUTPUT_H

#include "status.h"

#include <stddef.h>
#include <stdio.h>

/* A text on its way to where it belongs: what is printed to `file` is held in memory. */
typedef struct assay_output {
    FILE  *file;
    char  *text;
    size_t size;
} assay_output;

assay_status assay_output_open(assay_output *output); /* caller frees, whatever comes back */
/* Writes it to `path` (NULL: standard output): a file that is there stays as it was until the new
 * one is complete. `keep` (n of them, NULLs allowed): databases that must not be overwritten. */
assay_status assay_output_write(assay_output *output, const char *path, const char *const *keep,
                                int n);
void         assay_output_free(assay_output *output); /* zeroes */

#endif
