/* The source files of a case: those that the build names, and what they include. */
#ifndef ASSAY_SOURCES_H
#define ASSAY_SOURCES_H

#include "status.h"

typedef struct assay_sources {
    char **paths; /* absolute, without links; owned */
    int    n, capacity;
} assay_sources;

/* Adds a file and, recursively, the files that it includes in quotation marks relative to its
 * folder. A file whose folder does not exist adds nothing: the build will say so. */
assay_status assay_sources_add(assay_sources *sources, const char *path);

/* Is folder/name one of them? */
bool assay_sources_have(const assay_sources *sources, const char *folder, const char *name);
void assay_sources_free(assay_sources *sources); /* accepts NULL; zeroes */

#endif
