/* What assay-cc reads from a compiler's command line. */
#ifndef ASSAY_CC_INTERNAL_H
#define ASSAY_CC_INTERNAL_H

#include "translate.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cc_command {
    char      **argument; /* the whole command */
    int         n;
    int         compiler; /* index of the compiler in it */
    const char *source;   /* NULL: it does not compile one C++ file */
    bool        is_cuda;  /* compiled by nvcc, which needs no translation */
    const char *object;
    char       *translated; /* path of the translated text: beside the object */
} cc_command;

/* ASSAY_E_MEMORY. The arguments must outlive the command. */
assay_status cc_read_command(int n, char **arguments, cc_command *command);
void         cc_free_command(cc_command *command);

/* Preprocesses both texts, which the caller frees; `device` stays empty if no file of the user uses
 * __CUDA_ARCH__. If the compiler fails, it has printed why, and ASSAY_E_CASE is returned. */
assay_status cc_preprocess(const cc_command *command, assay_translate_text *host,
                           assay_translate_text *device);
/* Runs the command unchanged. */
assay_status cc_run(const cc_command *command);
assay_status cc_compile(const cc_command *command);
/* output: descriptor for its standard output, or -1. */
assay_status cc_spawn(char *const arguments[], int output);

/* Handles equal names in two users' files. What a file instantiates of templates, and its inline
 * functions, become local to it. Other functions become local only if a second object of the module
 * has one of that name, since files of one user call each other's functions. */
assay_status cc_keep_weak(const char *object);
assay_status cc_keep_doubles(int n, char **objects);

#endif
