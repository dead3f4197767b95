/* Reads preprocessed text into tokens. */
#include "tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    assay_tokens *tokens;
    const char   *at, *end;
    int           file, line;
    bool          has_space, is_line_start;
} reader;

/* ---- files ---- */

static assay_status find_file(assay_tokens *tokens, const char *name, size_t length, bool is_system,
                              int *file)
{
    for (int i = tokens->n_files - 1; i >= 0; i--)
        if (strlen(tokens->file[i].name) == length &&
            memcmp(tokens->file[i].name, name, length) == 0 &&
            tokens->file[i].is_system == is_system) {
            *file = i;
            return ASSAY_OK;
        }
    if (tokens->n_files == tokens->files_room) {
        const int         room  = tokens->files_room ? 2 * tokens->files_room : 64;
        assay_token_file *files = realloc(tokens->file, (size_t)room * sizeof *files);

        if (!files)
            return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for the names of %d files", room);
        tokens->file       = files;
        tokens->files_room = room;
    }
    char *copy = strndup(name, length);

    if (!copy)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for the name of a file");
    *file = tokens->n_files++;
    tokens->file[*file] =
        (assay_token_file) { .name = copy, .is_system = is_system, .is_own = !is_system };
    for (int i = 0; i < *file; i++)
        if (strcmp(tokens->file[i].name, copy) == 0)
            tokens->file[i].is_own = tokens->file[*file].is_own = true;
    return ASSAY_OK;
}

/* `# 12 "name" 1 3`: the next line is line 12 of that file; 3 means a file of the system. */
static assay_status read_place(reader *r, const char *eol, bool *is_place)
{
    char       *rest;
    const char *at = r->at + 1, *name, *end;
    long        line;

    while (at < eol && *at == ' ')
        at++;
    *is_place = at < eol && isdigit((unsigned char)*at);
    if (!*is_place)
        return ASSAY_OK;
    line = strtol(at, &rest, 10);
    name = memchr(rest, '"', (size_t)(eol - rest));
    if (!name)
        return ASSAY_OK;
    for (end = ++name; end < eol && *end != '"'; end++)
        if (*end == '\\' && end + 1 < eol)
            end++;
    r->line = (int)line - 1; /* the end of this line adds one */
    return find_file(r->tokens, name, (size_t)(end - name),
                     memchr(end, '3', (size_t)(eol - end)) != NULL, &r->file);
}

/* ---- tokens ---- */

static assay_status add(reader *r, assay_token_kind kind, const char *end)
{
    const assay_token token = { .kind      = kind,
                                .text      = r->at,
                                .length    = (int)(end - r->at),
                                .file      = r->file,
                                .line      = r->line,
                                .has_space = r->has_space };

    for (; r->at < end; r->at++)
        r->line += *r->at == '\n';
    r->has_space = r->is_line_start = false;
    return assay_tokens_add(r->tokens, token);
}

static bool is_word_part(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static const char *end_of_word(const char *at, const char *end)
{
    while (at < end && is_word_part(*at))
        at++;
    return at;
}

/* The sign of an exponent belongs to the number: 1.5e-3f, 0x1p+4; so do the quotes in 1'000. */
static const char *end_of_number(const char *at, const char *end)
{
    for (at++; at < end; at++)
        if ((*at == '+' || *at == '-') ? !strchr("eEpP", at[-1])
                                       : !is_word_part(*at) && *at != '.' && *at != '\'')
            break;
    return at;
}

static const char *end_of_quote(const char *at, const char *end)
{
    const char quote = *at;

    for (at++; at < end && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at < end ? at + 1 : end;
}

/* R"name( ... )name" */
static const char *end_of_raw(const char *at, const char *end)
{
    const char *open = memchr(at, '(', (size_t)(end - at));
    const int   n    = open ? (int)(open - at - 1) : 0;

    for (const char *p = open; p && p + n + 1 < end; p++)
        if (*p == ')' && memcmp(p + 1, at + 1, (size_t)n) == 0 && p[n + 1] == '"')
            return p + n + 2;
    return end;
}

/* A word, or a string or character with a word as its prefix: L"...", u8R"(...)". */
static assay_status read_word(reader *r)
{
    const char *end    = end_of_word(r->at, r->end);
    const int   length = (int)(end - r->at);

    if (end < r->end && *end == '"' && length <= 3 && strchr("LuUR8", r->at[0]))
        return add(r, ASSAY_TOKEN_TEXT,
                   end[-1] == 'R' ? end_of_raw(end, r->end) : end_of_quote(end, r->end));
    if (end < r->end && *end == '\'' && length <= 2 && strchr("LuU", r->at[0]))
        return add(r, ASSAY_TOKEN_TEXT, end_of_quote(end, r->end));
    return add(r, ASSAY_TOKEN_WORD, end);
}

static assay_status read_one(reader *r)
{
    const char c = *r->at;

    if (isdigit((unsigned char)c) ||
        (c == '.' && r->at + 1 < r->end && isdigit((unsigned char)r->at[1])))
        return add(r, ASSAY_TOKEN_NUMBER, end_of_number(r->at, r->end));
    if (is_word_part(c))
        return read_word(r);
    if (c == '"' || c == '\'')
        return add(r, ASSAY_TOKEN_TEXT, end_of_quote(r->at, r->end));
    return add(r, ASSAY_TOKEN_MARK, r->at + 1);
}

static assay_status read_hash(reader *r)
{
    const char  *eol      = memchr(r->at, '\n', (size_t)(r->end - r->at));
    bool         is_place = false;
    assay_status st;

    if (!eol)
        eol = r->end;
    st = read_place(r, eol, &is_place);
    if (st == ASSAY_OK && !is_place)
        return add(r, ASSAY_TOKEN_LINE, eol);
    r->at = eol;
    return st;
}

assay_status assay_tokens_read(assay_tokens *tokens, const char *text, size_t size)
{
    reader r = {
        .tokens = tokens, .at = text, .end = text + size, .line = 1, .is_line_start = true
    };
    assay_status st = find_file(tokens, "<text>", 6, true, &r.file);

    while (st == ASSAY_OK && r.at < r.end) {
        if (isspace((unsigned char)*r.at)) {
            r.has_space = true;
            if (*r.at++ == '\n')
                r.line++, r.is_line_start = true;
        } else if (*r.at == '#' && r.is_line_start)
            st = read_hash(&r);
        else
            st = read_one(&r);
    }
    return st;
}

/* ---- brackets ---- */

static const char opening[] = "([{", closing[] = ")]}";

static assay_status alone(const assay_tokens *tokens, int at)
{
    const assay_token *t = &tokens->token[at];

    return ASSAY_FAIL(ASSAY_E_CASE, "%s:%d: a bracket '%c' without the other",
                      tokens->file[t->file].name, t->line, t->text[0]);
}

assay_status assay_tokens_pair(assay_tokens *tokens)
{
    assay_status st    = ASSAY_OK;
    int         *stack = malloc(((size_t)tokens->n + 1) * sizeof *stack), depth = 0;

    free(tokens->match);
    tokens->match = malloc(((size_t)tokens->n + 1) * sizeof *tokens->match);
    ASSAY_REQUIRE(stack && tokens->match, ASSAY_E_MEMORY, "no memory for %d brackets", tokens->n);
    for (int i = 0; i < tokens->n; i++) {
        const assay_token *t = &tokens->token[i];
        const char        *p;

        tokens->match[i] = -1;
        if (t->kind != ASSAY_TOKEN_MARK)
            continue;
        if (strchr(opening, t->text[0]))
            stack[depth++] = i;
        else if ((p = strchr(closing, t->text[0])) != NULL) {
            if (depth == 0 || tokens->token[stack[depth - 1]].text[0] != opening[p - closing]) {
                st = alone(tokens, i);
                goto out;
            }
            tokens->match[i]                = stack[--depth];
            tokens->match[tokens->match[i]] = i;
        }
    }
    if (depth > 0)
        st = alone(tokens, stack[depth - 1]);
out:
    free(stack);
    return st;
}
