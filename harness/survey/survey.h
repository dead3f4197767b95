/* Which of a folder's .cu files the front end for the host device takes as they are, and why the
 * others are not taken. Each is compiled by assay-cc as a build would; nothing of it is run. */
#ifndef ASSAY_SURVEY_H
#define ASSAY_SURVEY_H

#include "status.h"
#include "survey_classify.h"

typedef struct assay_survey_options {
    const char *const *roots; /* folders and files */
    const char *const *includes;
    const char *const *defines; /* NAME or NAME=VALUE */
    int                n_roots, n_includes, n_defines;
    const char        *cxx;     /* the compiler behind assay-cc */
    int                n_jobs;  /* files at a time; 0: one a processor */
    double             limit_s; /* CPU time that a file may take */
} assay_survey_options;

typedef struct assay_survey_file {
    char               *path; /* owned */
    assay_survey_reason reason;
    int                 n_kernels; /* of one that is taken */
    char               *unknown;   /* owned; opcodes of PTX that the host device has not, each once
                                    * and ended by a line feed; NULL: of one that is not taken */
} assay_survey_file;

typedef struct assay_survey {
    assay_survey_file *files; /* by path */
    size_t             n_files, capacity;
    size_t             n_unread; /* folders and links whose contents are unknown */
} assay_survey;

/* All files below the roots that end in .cu, sorted, each once. Links to folders are not followed,
 * links to files are. What cannot be read is named on stderr and counted. ASSAY_E_USAGE: a root is
 * not there, or is neither folder nor .cu file. The caller frees, whatever comes back. */
assay_status assay_survey_find(const char *const *roots, int n, assay_survey *survey);

/* Finds and judges them. ASSAY_E_NOTHING: there is no file. ASSAY_E_IO: assay-cc, its headers or
 * the compiler cannot be used, told by a file of our own before any other; or a signal asked for
 * the end. Nothing is written beside the files; what is written elsewhere is removed. Sets the
 * locale and the folder of temporary files for the processes that it starts. */
assay_status assay_survey_run(const assay_survey_options *options, assay_survey *survey);
void         assay_survey_free(assay_survey *survey); /* zeroes */

#endif
