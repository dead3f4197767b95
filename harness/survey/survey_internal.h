/* What the files of this room share. */
#ifndef ASSAY_SURVEY_INTERNAL_H
#define ASSAY_SURVEY_INTERNAL_H

#include "survey.h"

#include <limits.h>

/* What each file is compiled with, and where. */
typedef struct assay_survey_tools {
    char cc[PATH_MAX];      /* assay-cc */
    char headers[PATH_MAX]; /* kernel.h, and host/cuda below */
    char folder[PATH_MAX];  /* a new one, for what a compiler writes; "": there is none */
} assay_survey_tools;

/* Compiles file->path with its number in the names of what is written, and fills in what came of
 * it. Fails only where no verdict on the file is possible. */
assay_status assay_survey_compile(const assay_survey_options *options,
                                  const assay_survey_tools *tools, size_t number,
                                  assay_survey_file *file);

/* A signal has asked for the end: compilers are ended, and no more are started. */
bool assay_survey_is_over(void);

#endif
