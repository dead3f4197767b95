/* Questions about tokens, and changes to them. */
#include "tokens.h"

#include "base/stream.h"

#include <stdlib.h>
#include <string.h>

static bool is_inside(const assay_tokens *tokens, int at) { return at >= 0 && at < tokens->n; }

bool assay_token_is(const assay_tokens *tokens, int at, const char *text)
{
    return is_inside(tokens, at) && (size_t)tokens->token[at].length == strlen(text) &&
           memcmp(tokens->token[at].text, text, strlen(text)) == 0;
}

bool assay_token_is_one_of(const assay_tokens *tokens, int at, const char *const *texts)
{
    for (; *texts; texts++)
        if (assay_token_is(tokens, at, *texts))
            return true;
    return false;
}

bool assay_token_is_word(const assay_tokens *tokens, int at)
{
    return is_inside(tokens, at) && tokens->token[at].kind == ASSAY_TOKEN_WORD;
}

bool assay_token_is_use(const assay_tokens *t, int at, int word)
{
    return assay_token_is_word(t, at) && t->token[at].length == t->token[word].length &&
           memcmp(t->token[at].text, t->token[word].text, (size_t)t->token[at].length) == 0 &&
           !assay_token_is(t, at - 1, ".") &&
           !(assay_token_is(t, at - 1, ">") && assay_token_is(t, at - 2, "-"));
}

bool assay_token_is_own(const assay_tokens *tokens, int at)
{
    return is_inside(tokens, at) && tokens->file[tokens->token[at].file].is_own;
}

bool assay_token_is_triple(const assay_tokens *tokens, int at, char mark)
{
    for (int i = 0; i < 3; i++)
        if (!is_inside(tokens, at + i) || tokens->token[at + i].kind != ASSAY_TOKEN_MARK ||
            tokens->token[at + i].text[0] != mark || (i > 0 && tokens->token[at + i].has_space))
            return false;
    return true;
}

int assay_token_after_angle(const assay_tokens *tokens, int at)
{
    int depth = 0;

    for (int i = at; is_inside(tokens, i); i++) {
        if (assay_token_is(tokens, i, "(") || assay_token_is(tokens, i, "["))
            i = tokens->match[i];
        else if (assay_token_is(tokens, i, "<"))
            depth++;
        else if (assay_token_is(tokens, i, ">") && !assay_token_is(tokens, i - 1, "-")) {
            if (--depth == 0)
                return i + 1;
        } else if (assay_token_is(tokens, i, ";") || assay_token_is(tokens, i, "{") ||
                   assay_token_is(tokens, i, "}"))
            return -1;
        if (i < 0)
            return -1;
    }
    return -1;
}

/* ---- changes ---- */

assay_status assay_tokens_add(assay_tokens *tokens, assay_token token)
{
    if (tokens->n == tokens->room) {
        const int    room = tokens->room ? 2 * tokens->room : 65536;
        assay_token *more = realloc(tokens->token, (size_t)room * sizeof *more);

        if (!more)
            return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for %d tokens", room);
        tokens->token = more;
        tokens->room  = room;
    }
    tokens->token[tokens->n++] = token;
    return ASSAY_OK;
}

static assay_status join(char **to, const char *first, const char *second)
{
    const size_t n = strlen(first), m = strlen(second);
    char        *joined = malloc(n + m + 1);

    if (!joined)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for %zu characters of a translation", n + m);
    memcpy(joined, first, n);
    memcpy(joined + n, second, m + 1);
    free(*to);
    *to = joined;
    return ASSAY_OK;
}

assay_status assay_token_put_before(assay_tokens *tokens, int at, const char *text)
{
    char **to = &tokens->token[at].before;

    return join(to, text, *to ? *to : "");
}

assay_status assay_token_put_after(assay_tokens *tokens, int at, const char *text)
{
    char **to = &tokens->token[at].after;

    return join(to, *to ? *to : "", text);
}

void assay_token_drop(assay_tokens *tokens, int from, int to)
{
    for (int i = from; i < to; i++)
        tokens->token[i].is_dropped = true;
}

/* ---- writing ---- */

static void write_token(const assay_token *t, FILE *file)
{
    if (t->before)
        (void)fprintf(file, "%s ", t->before);
    if (!t->is_dropped)
        (void)fwrite(t->text, 1, (size_t)t->length, file);
    if (t->after)
        (void)fprintf(file, " %s", t->after);
}

static bool is_written(const assay_token *t) { return !t->is_dropped || t->before || t->after; }

char *assay_tokens_text(const assay_tokens *tokens, int from, int to)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *file = assay_stream_open(&text, &size);

    if (!file)
        return NULL;
    for (int i = from; i < to; i++) {
        const assay_token *t = &tokens->token[i];

        if (!is_written(t) || t->kind == ASSAY_TOKEN_LINE)
            continue;
        if (t->has_space && i > from)
            (void)fputc(' ', file);
        write_token(t, file);
    }
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The position of the text that is being written. */
typedef struct place {
    int file, line, main; /* main: the file that is compiled; it includes all others */
} place;

static int main_of(const assay_tokens *tokens)
{
    int i = 0;

    while (i < tokens->n_files && tokens->file[i].name[0] == '<')
        i++;
    return i;
}

static void write_mark(const assay_tokens *tokens, int file, int line, const char *way, FILE *out)
{
    (void)fprintf(out, "\n# %d \"%s\"%s%s\n", line, tokens->file[file].name, way,
                  tokens->file[file].is_system ? " 3" : "");
}

static void go_to(const assay_tokens *tokens, const assay_token *t, place *p, FILE *file)
{
    enum {
        FEW = 8 /* lines that cost less than a mark */
    };

    if (t->file == p->file && t->line >= p->line && t->line - p->line <= FEW) {
        for (; p->line < t->line; p->line++)
            (void)fputc('\n', file);
        return;
    }
    /* 1: an included file begins; 2: return from it. Compilers give other warnings for the main
     * file than for files that it includes. */
    if (p->file != t->file && p->file != p->main && t->file != p->main)
        write_mark(tokens, p->main, 1, " 2", file);
    write_mark(tokens, t->file, t->line,
               p->file == t->file   ? ""
               : t->file == p->main ? " 2"
                                    : " 1",
               file);
    p->file = t->file;
    p->line = t->line;
}

assay_status assay_tokens_write(const assay_tokens *tokens, FILE *file)
{
    place p = { .line = 0, .main = main_of(tokens) };

    p.file = p.main;
    write_mark(tokens, p.main < tokens->n_files ? p.main : 0, 1, "", file);

    for (int i = 0; i < tokens->n; i++) {
        const assay_token *t = &tokens->token[i];

        if (!is_written(t))
            continue;
        if (t->file != p.file || t->line != p.line)
            go_to(tokens, t, &p, file);
        else if (t->has_space &&
                 t->kind != ASSAY_TOKEN_LINE) /* a # after a blank is no directive */
            (void)fputc(' ', file);
        write_token(t, file);
        if (t->kind == ASSAY_TOKEN_LINE)
            p.line++, (void)fputc('\n', file);
    }
    (void)fputc('\n', file);
    return ferror(file) ? ASSAY_FAIL(ASSAY_E_IO, "cannot write the translation") : ASSAY_OK;
}

void assay_tokens_free(assay_tokens *tokens)
{
    for (int i = 0; i < tokens->n; i++) {
        free(tokens->token[i].before);
        free(tokens->token[i].after);
    }
    for (int i = 0; i < tokens->n_files; i++)
        free(tokens->file[i].name);
    free(tokens->token);
    free(tokens->file);
    free(tokens->match);
    *tokens = (assay_tokens) { .n = 0 };
}
