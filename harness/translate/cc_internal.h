/* What assay-cc makes of a compiler's command line. */
#ifndef ASSAY_CC_INTERNAL_H
#define ASSAY_CC_INTERNAL_H

#include "translate.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cc_command {
    char      **argument; /* the whole command */
    int         n;
    int         compiler; /* place of the compiler among them */
    const char *source;   /* NULL: it does not compile one C++ file */
    bool        is_cuda;  /* by nvcc, which needs no translation */
    const char *object;
    char       *translated; /* where the text between goes: beside the object */
} cc_command;

/* ASSAY_E_MEMORY. Arguments have to outlive the command. */
assay_status cc_read_command(int n, char **arguments, cc_command *command);
void         cc_free_command(cc_command *command);

/* Both texts, which the caller frees; `device` stays empty where no file of the user asks for
 * __CUDA_ARCH__. Where the compiler fails it has said why, and ASSAY_E_CASE comes back. */
assay_status cc_preprocess(const cc_command *command, assay_translate_text *host,
                           assay_translate_text *device);
/* The command as it is. */
assay_status cc_run(const cc_command *command);
assay_status cc_compile(const cc_command *command);
/* output: where its standard output goes, or -1. */
assay_status cc_spawn(char *const arguments[], int output);

/* Two users' files may have functions and kernels of one name. What a file instantiates of
 * templates, and its inline functions, it keeps to itself; other functions only where a second
 * object of the module has one of that name, since files of one user call each other's. */
assay_status cc_keep_weak(const char *object);
assay_status cc_keep_doubles(int n, char **objects);

#endif
