/* The head of a __global__ function: the positions of its name and parameters. */
#ifndef ASSAY_HEADS_H
#define ASSAY_HEADS_H

#include "tokens.h"

/* `... name ( parameters ) ...` */
typedef struct assay_head {
    int begin;  /* of the declaration */
    int name;   /* its first token, scopes included; -1: it cannot be read */
    int open;   /* of its parameters */
    int bounds; /* the `(` of __launch_bounds__, or -1 */
} assay_head;

/* Returns the position of `__global__` in [begin, end), or -1. */
int assay_head_global(const assay_tokens *tokens, int begin, int end);

/* Reads the declaration that begins at `begin`. `global`: its __global__; `end`: its body, or its
 * end. */
assay_head assay_head_read(const assay_tokens *tokens, int begin, int global, int end);

/* Returns the end of the first item in a list separated by commas that begins at `from`: the next
 * comma at this level, or `to`. Commas in template arguments do not count. */
int assay_translate_comma(const assay_tokens *tokens, int from, int to);

#endif
