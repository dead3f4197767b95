/* The file PROGRAM.build, which CMake writes beside the program of a suite (AssaySuite.cmake): how
 * the program and its kernel modules are built, and from what. One fact a line, fields between
 * tabs: build   KIND  WORD...   the command that brings the program and that module up to date
 *   source  CASE  FILE      what that case is built from */
#ifndef ASSAY_BUILD_FILE_H
#define ASSAY_BUILD_FILE_H

#include "status.h"

enum {
    ASSAY_BUILD_WORDS = 32 /* of a command at most */
};

typedef struct assay_build_source {
    const char *case_name, *path;
} assay_build_source;

/* All texts point into `text`. */
typedef struct assay_build_file {
    char               *text;
    char               *command[ASSAY_BUILD_WORDS + 1]; /* ends with NULL */
    assay_build_source *sources;
    int                 n_sources;
} assay_build_file;

/* Reads the file, with the command of one kind. Fails, with a sentence, if it does not exist, has
 * an invalid line, or has no command of that kind. The caller frees. */
assay_status assay_build_file_read(const char *path, const char *kind, assay_build_file *file);
void         assay_build_file_free(assay_build_file *file); /* accepts NULL; zeroes */

/* Writes the line of a failed build that tells the reason: the first error of a compiler, the
 * linker, CMake or make; else the last line. Bytes that control a terminal are removed. */
void assay_build_error(const char *output, char *line, size_t size);

#endif
