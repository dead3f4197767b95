/* A preprocessed C++ file as tokens, and the changes to it. Tokens keep their position, so that
 * what is written names the user's file and line. */
#ifndef ASSAY_TOKENS_H
#define ASSAY_TOKENS_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum assay_token_kind {
    ASSAY_TOKEN_WORD,
    ASSAY_TOKEN_NUMBER,
    ASSAY_TOKEN_TEXT, /* a string or a character, with prefix and suffix */
    ASSAY_TOKEN_MARK, /* one character: `<<` is two tokens */
    ASSAY_TOKEN_LINE, /* a line that begins with #, except line markers */
} assay_token_kind;

typedef struct assay_token {
    assay_token_kind kind;
    const char      *text; /* points into the file; not terminated */
    int              length;
    int              file, line;     /* file: as in assay_tokens.file */
    bool             has_space;      /* white space precedes it */
    bool             is_dropped;     /* not written again */
    char            *before, *after; /* written around it; NULL: nothing */
} assay_token;

typedef struct assay_token_file {
    char *name;
    bool  is_system; /* its line markers say so; warnings about it are off */
    /* In other files, only keywords that C++ lacks are changed. A macro of a system header makes a
     * part of the user's file look like the system's, so a name that is the user's anywhere counts
     * as own. */
    bool is_own;
} assay_token_file;

typedef struct assay_tokens {
    assay_token      *token;
    int               n, room;
    assay_token_file *file;
    int               n_files, files_room;
    int              *match; /* of a bracket: the index of the matching one, else -1 */
} assay_tokens;

/* Appends the tokens of a preprocessed text, which must outlive them. ASSAY_E_MEMORY. */
assay_status assay_tokens_read(assay_tokens *tokens, const char *text, size_t size);

/* Appends one token. ASSAY_E_MEMORY. */
assay_status assay_tokens_add(assay_tokens *tokens, assay_token token);

/* Finds the matching bracket of each one. ASSAY_E_CASE names one that has none. */
assay_status assay_tokens_pair(assay_tokens *tokens);

void assay_tokens_free(assay_tokens *tokens); /* accepts a zeroed one */

/* ---- questions: any index is allowed; outside, nothing is there ---- */

bool assay_token_is(const assay_tokens *tokens, int at, const char *text);
/* Is it one of these texts? NULL ends the list. */
bool assay_token_is_one_of(const assay_tokens *tokens, int at, const char *const *texts);
bool assay_token_is_word(const assay_tokens *tokens, int at);
/* Is it the same word as the one at `word`, and not a member of something? */
bool assay_token_is_use(const assay_tokens *tokens, int at, int word);
/* Is it in a file of the user? */
bool assay_token_is_own(const assay_tokens *tokens, int at);
/* Are there three of the same mark in a row, without white space: `<<<`, `>>>`? */
bool assay_token_is_triple(const assay_tokens *tokens, int at, char mark);
/* Returns the index after a template argument list that begins at `at` (a `<`), or -1 if none does.
 */
int assay_token_after_angle(const assay_tokens *tokens, int at);

/* ---- changes ---- */

/* A text that is added later is further away from the token. */
assay_status assay_token_put_before(assay_tokens *tokens, int at, const char *text);
assay_status assay_token_put_after(assay_tokens *tokens, int at, const char *text);
void         assay_token_drop(assay_tokens *tokens, int from, int to);

/* Returns tokens [from, to) as one line of text, with their changes. The caller frees; NULL: no
 * memory. */
char *assay_tokens_text(const assay_tokens *tokens, int from, int to);

/* Writes everything, with line markers. ASSAY_E_IO. */
assay_status assay_tokens_write(const assay_tokens *tokens, FILE *file);

#endif
