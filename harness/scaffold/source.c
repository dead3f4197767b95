/* Comments and directives out of a source: what stays keeps its line. */
#include "source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- comments ---- */

/* The end of what begins with a quote at `at`, raw strings included. */
static char *end_of_quote(const char *begin, char *at)
{
    const char quote = *at;

    if (quote == '"' && at > begin && at[-1] == 'R') {
        const size_t n       = strcspn(at + 1, "(");
        char         end[20] = ")";

        if (n < sizeof end - 3 && at[1 + n] == '(') {
            (void)strncat(end, at + 1, n);
            (void)strcat(end, "\"");
            char *found = strstr(at, end);

            return found ? found + strlen(end) : at + strlen(at);
        }
    }
    for (at++; *at && *at != quote && *at != '\n'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at == quote ? at + 1 : at;
}

static char *blank(char *at, const char *end)
{
    for (; at < end; at++)
        if (*at != '\n')
            *at = ' ';
    return at;
}

static void blank_comments(char *text)
{
    for (char *at = text; *at;) {
        char *end;

        if (at[0] == '/' && at[1] == '/') {
            at = blank(at, at + strcspn(at, "\n"));
        } else if (at[0] == '/' && at[1] == '*') {
            end = strstr(at + 2, "*/");
            at  = blank(at, end ? end + 2 : at + strlen(at));
        } else if (*at == '"' || (*at == '\'' && !(at > text && isalnum((unsigned char)at[-1])))) {
            at = end_of_quote(text, at);
        } else
            at++;
    }
}

/* ---- directives ---- */

enum {
    MAX_BRANCHES = 64
};

typedef struct branches {
    struct {
        bool is_read, was_read;
    } level[MAX_BRANCHES];
    int depth;
} branches;

static bool is_skipped(const branches *b)
{
    for (int i = 0; i < b->depth && i < MAX_BRANCHES; i++)
        if (!b->level[i].is_read)
            return true;
    return false;
}

/* What a condition says is not known: the first branch is read, but for `#if 0`. */
static void begin_branch(branches *b, const char *condition)
{
    const bool is_zero = condition[strspn(condition, " \t")] == '0';

    if (b->depth < MAX_BRANCHES) {
        b->level[b->depth].is_read  = !is_zero;
        b->level[b->depth].was_read = !is_zero;
    }
    b->depth++;
}

static void next_branch(branches *b)
{
    if (b->depth < 1 || b->depth > MAX_BRANCHES)
        return;
    b->level[b->depth - 1].is_read  = !b->level[b->depth - 1].was_read;
    b->level[b->depth - 1].was_read = true;
}

static assay_status add_macro(assay_source *source, const char *name, size_t n, const char *value)
{
    assay_status st = ASSAY_OK;

    if (source->n_macros == source->room) {
        const int           room  = source->room ? 2 * source->room : 32;
        assay_source_macro *macro = realloc(source->macro, (size_t)room * sizeof *macro);

        ASSAY_REQUIRE(macro, ASSAY_E_MEMORY, "no memory for %d macros", room);
        source->macro = macro;
        source->room  = room;
    }
    assay_source_macro *m = &source->macro[source->n_macros];

    m->name  = strndup(name, n);
    m->value = strdup(value);
    source->n_macros++;
    ASSAY_REQUIRE(m->name && m->value, ASSAY_E_MEMORY, "no memory for a macro");
out:
    return st;
}

static assay_status define(assay_source *source, const char *rest)
{
    const char  *name = rest + strspn(rest, " \t");
    const size_t n    = strcspn(name, " \t(");

    if (strstr(name, "__global__"))
        source->has_kernel_macro = true;
    return name[n] == '(' ? ASSAY_OK : add_macro(source, name, n, name + n);
}

/* One directive, without its # and with its lines joined. */
static assay_status take_directive(assay_source *source, branches *b, const char *line)
{
    const char  *word = line + strspn(line, " \t");
    const size_t n    = strspn(word, "abcdefghijklmnopqrstuvwxyz");

    if (n >= 2 && strncmp(word, "if", 2) == 0)
        begin_branch(b, word + n);
    else if (n >= 4 && (strncmp(word, "elif", 4) == 0 || strncmp(word, "else", 4) == 0)) {
        source->has_branches = true;
        next_branch(b);
    } else if (n == 5 && strncmp(word, "endif", n) == 0)
        b->depth -= b->depth > 0;
    else if (n == 6 && strncmp(word, "define", n) == 0 && !is_skipped(b))
        return define(source, word + n);
    return ASSAY_OK;
}

/* The end of a line and of those that continue it. */
static char *end_of_line(char *at)
{
    char *end = at + strcspn(at, "\n");

    while (*end && end > at && end[-1] == '\\')
        end += 1 + strcspn(end + 1, "\n");
    return end;
}

static assay_status take_directives(assay_source *source)
{
    assay_status st = ASSAY_OK;
    branches     b  = { .depth = 0 };

    for (char *at = source->text; *at && st == ASSAY_OK; at += *at == '\n') {
        char *end   = end_of_line(at);
        char *first = at + strspn(at, " \t\r");

        if (*first == '#') {
            char *line = strndup(first + 1, (size_t)(end - first - 1));

            ASSAY_REQUIRE(line, ASSAY_E_MEMORY, "no memory for a line");
            for (char *p = line; *p; p++)
                if (*p == '\n' || *p == '\r' || (*p == '\\' && (p[1] == '\n' || p[1] == '\r')))
                    *p = ' ';
            st = take_directive(source, &b, line);
            free(line);
            (void)blank(at, end);
        } else if (is_skipped(&b))
            (void)blank(at, end);
        at = end;
    }
out:
    return st;
}

/* ---- all of it ---- */

assay_status assay_source_read(const char *text, assay_source *source)
{
    assay_status st = ASSAY_OK;

    *source = (assay_source) { .text = strdup(text) };
    ASSAY_REQUIRE(source->text, ASSAY_E_MEMORY, "no memory for %zu characters", strlen(text));
    blank_comments(source->text);
    ASSAY_CHECK(take_directives(source));
out:
    return st;
}

void assay_source_free(assay_source *source)
{
    for (int i = 0; i < source->n_macros; i++) {
        free(source->macro[i].name);
        free(source->macro[i].value);
    }
    free(source->macro);
    free(source->text);
    *source = (assay_source) { .text = NULL };
}

const char *assay_source_macro_value(const assay_source *source, const char *name)
{
    for (int i = source->n_macros - 1; i >= 0; i--)
        if (strcmp(source->macro[i].name, name) == 0)
            return source->macro[i].value;
    return NULL;
}
