/* From what a compiler and assay-cc say to the reason why a file is not taken: pure functions. */
#ifndef ASSAY_SURVEY_CLASSIFY_H
#define ASSAY_SURVEY_CLASSIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* X(name, word, text): the word is that of CSV; the text stands before what is missing. */
#define ASSAY_SURVEY_MAP(X)                                                                        \
    X(TAKEN, "taken", "")                                                                          \
    X(CONSTRUCT, "construct", "")      /* of CUDA or a library, by its usual name */               \
    X(HEADER, "header", "no header ")  /* and none that belongs to a construct */                  \
    X(REFUSED, "refused", "refused: ") /* assay-cc's own sentence */                               \
    X(NAME, "name", "not there: ")     /* a function, a type or a member */                        \
    X(ERROR, "error", "another error of the compiler") /* in words of its own */                   \
    X(LIMIT, "limit", "not done within its CPU time")

typedef enum assay_survey_kind {
#define X(name, word, text) ASSAY_SURVEY_##name,
    ASSAY_SURVEY_MAP(X)
#undef X
    ASSAY_N_SURVEY_KINDS
} assay_survey_kind;

typedef struct assay_survey_reason {
    assay_survey_kind kind;
    char              what[120];     /* what is missing; "": the kind says all */
    char              sentence[400]; /* the first error, with its file and line */
} assay_survey_reason;

const char *assay_survey_word(assay_survey_kind kind);
const char *assay_survey_text(assay_survey_kind kind);

/* The reason by what was printed when a file was not compiled: by the first error of gcc or clang,
 * or else by the last line, which is assay-cc's. Any bytes; they are made fit for a terminal. */
void assay_survey_classify(const char *text, size_t size, assay_survey_reason *reason);

/* How many __global__ functions of the user's a translation has. */
int assay_survey_count_kernels(const char *text, size_t size);

/* Opcodes of the PTX in it that the host device has not, each once and ended by a line feed. */
void assay_survey_list_unknown(const char *text, size_t size, FILE *out);

#endif
