/* A preprocessed C++ file as tokens, and what is to be changed of it. Tokens keep the place they
 * came from, so that what is written again names the user's file and line. */
#ifndef ASSAY_TOKENS_H
#define ASSAY_TOKENS_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum assay_token_kind {
    ASSAY_TOKEN_WORD,
    ASSAY_TOKEN_NUMBER,
    ASSAY_TOKEN_TEXT, /* a string or a character, prefix and suffix included */
    ASSAY_TOKEN_MARK, /* one character: `<<` is two of them */
    ASSAY_TOKEN_LINE, /* a line that begins with #, but for those that say where one is */
} assay_token_kind;

typedef struct assay_token {
    assay_token_kind kind;
    const char      *text; /* of the file; not terminated */
    int              length;
    int              file, line;     /* file: as in assay_tokens.file */
    bool             has_space;      /* something blank stands before it */
    bool             is_dropped;     /* not written again */
    char            *before, *after; /* written around it; NULL: nothing */
} assay_token;

typedef struct assay_token_file {
    char *name;
    bool  is_system; /* its marks say so, and no warning is given about it */
    /* Nothing but words that C++ has not is changed in others. A macro of a system's header makes a
     * part of the user's file look like the system's: a name that is the user's anywhere is. */
    bool is_own;
} assay_token_file;

typedef struct assay_tokens {
    assay_token      *token;
    int               n, room;
    assay_token_file *file;
    int               n_files, files_room;
    int              *match; /* of a bracket: the one that belongs to it, else -1 */
} assay_tokens;

/* Appends the tokens of a preprocessed text, which has to live as long as they do. ASSAY_E_MEMORY.
 */
assay_status assay_tokens_read(assay_tokens *tokens, const char *text, size_t size);

/* Appends one token. ASSAY_E_MEMORY. */
assay_status assay_tokens_add(assay_tokens *tokens, assay_token token);

/* Finds the bracket that belongs to each one. ASSAY_E_CASE names one that stands alone. */
assay_status assay_tokens_pair(assay_tokens *tokens);

void assay_tokens_free(assay_tokens *tokens); /* accepts a zeroed one */

/* ---- questions; any index may be asked for, and a place outside holds nothing ---- */

bool assay_token_is(const assay_tokens *tokens, int at, const char *text);
/* One of several; NULL ends the list. */
bool assay_token_is_one_of(const assay_tokens *tokens, int at, const char *const *texts);
bool assay_token_is_word(const assay_tokens *tokens, int at);
/* The same word as the one at `word`, and no member of something. */
bool assay_token_is_use(const assay_tokens *tokens, int at, int word);
/* Is it of the user's own files? */
bool assay_token_is_own(const assay_tokens *tokens, int at);
/* Three of the same mark in a row, without a blank: `<<<`, `>>>`. */
bool assay_token_is_triple(const assay_tokens *tokens, int at, char mark);
/* The place behind a template's argument list that begins at `at` (a `<`), or -1 if none does. */
int assay_token_after_angle(const assay_tokens *tokens, int at);

/* ---- changes ---- */

/* What is added later stands further away from the token. */
assay_status assay_token_put_before(assay_tokens *tokens, int at, const char *text);
assay_status assay_token_put_after(assay_tokens *tokens, int at, const char *text);
void         assay_token_drop(assay_tokens *tokens, int from, int to);

/* Tokens [from, to) as one line of text, with what was changed of them. Caller frees; NULL: no
 * memory. */
char *assay_tokens_text(const assay_tokens *tokens, int from, int to);

/* Writes all, with marks of file and line. ASSAY_E_IO. */
assay_status assay_tokens_write(const assay_tokens *tokens, FILE *file);

#endif
