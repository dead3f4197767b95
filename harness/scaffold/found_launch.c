/* From `k<<<grid, block, shared>>>(...)` in a file to the texts of a declared launch: names of the
 * kernel's own whole numbers, constants, and what the launching function computes of them. */
#include "found_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 8 /* of definitions that are looked up */
};

/* One text that is being made. */
typedef struct writer {
    const assay_reading      *r;
    const assay_found_kernel *kernel;
    int                       function; /* where the function around the launch begins */
    int                       launch;   /* the kernel's name */
    int                       call;     /* the `(` of the arguments */
    char                     *out;
    size_t                    used;
    int                       depth;
} writer;

static bool write_extents(writer *w, const assay_tokens *t, int from, int to);
static bool write_range(writer *w, const assay_tokens *t, int from, int to);

static bool put(writer *w, const char *text, int length)
{
    if (w->used + (size_t)length + 1 > ASSAY_FOUND_TEXT)
        return false;
    memcpy(w->out + w->used, text, (size_t)length);
    w->used += (size_t)length;
    w->out[w->used] = '\0';
    return true;
}

static bool put_number(writer *w, const assay_token *t)
{
    char               text[32], number[32];
    char              *end;
    unsigned long long value;

    if (t->length >= (int)sizeof text)
        return false;
    (void)snprintf(text, sizeof text, "%.*s", t->length, t->text);
    value = strtoull(text, &end, 0);
    if (end[strspn(end, "uUlL")] != '\0')
        return false;
    (void)snprintf(number, sizeof number, "%llu", value);
    return put(w, number, (int)strlen(number));
}

/* ---- names ---- */

/* The parameter of the kernel for which the launch gives this word. */
static const assay_found_parameter *parameter_of(const writer *w, const char *word)
{
    const assay_tokens *t     = &w->r->tokens;
    const int           close = t->match[w->call];
    int                 p     = 0;

    for (int from = w->call + 1; from < close && p < w->kernel->n_parameters; p++) {
        const int to = assay_translate_comma(t, from, close);

        if (to == from + 1 && assay_token_is(t, from, word) &&
            w->kernel->parameter[p].kind == ASSAY_FOUND_INTEGER)
            return &w->kernel->parameter[p];
        from = to + 1;
    }
    return NULL;
}

/* What `word` is defined as in [from, to), the last time: `word = ...`, `dim3 word(...)`. */
static bool find_definition(const assay_tokens *t, const char *word, int from, int to, int *begin,
                            int *end)
{
    for (int i = to - 1; i > from; i--) {
        if (!assay_token_is(t, i, word))
            continue;
        if (assay_token_is(t, i + 1, "=") && !assay_token_is(t, i + 2, "=")) {
            *begin = *end = i + 2;
            while (*end < to && !assay_token_is(t, *end, ";") && !assay_token_is(t, *end, ","))
                *end = t->match[*end] > *end ? t->match[*end] + 1 : *end + 1;
            return true;
        }
        if ((assay_token_is(t, i + 1, "(") || assay_token_is(t, i + 1, "{")) &&
            assay_token_is(t, i - 1, "dim3")) {
            *begin = i + 2;
            *end   = t->match[i + 1];
            return true;
        }
    }
    return false;
}

/* A constant of the file. */
static bool find_constant(const assay_reading *r, const char *word, int *begin, int *end)
{
    for (int i = 0; i < r->units.n; i++) {
        const assay_unit *u = &r->units.unit[i];

        if (u->kind == ASSAY_UNIT_DECLARATION && u->depth == 0 &&
            find_definition(&r->tokens, word, u->begin, u->end, begin, end))
            return true;
    }
    return false;
}

static bool write_macro(writer *w, const char *value,
                        bool (*write)(writer *, const assay_tokens *, int, int))
{
    assay_tokens t  = { .n = 0 };
    const bool   ok = assay_tokens_read(&t, value, strlen(value)) == ASSAY_OK &&
                    assay_tokens_pair(&t) == ASSAY_OK && t.n > 0 && write(w, &t, 0, t.n);

    if (!ok)
        assay_status_reset(); /* a text that is not used */
    assay_tokens_free(&t);
    return ok;
}

/* What a word stands for, by `write`. */
static bool write_meaning(writer *w, const char *word,
                          bool (*write)(writer *, const assay_tokens *, int, int))
{
    const assay_tokens          *t = &w->r->tokens;
    const assay_found_parameter *p = parameter_of(w, word);
    const char                  *macro;
    int                          begin, end;
    bool                         ok = false;

    if (p)
        return put(w, p->name, (int)strlen(p->name));
    if (++w->depth <= MAX_DEPTH) {
        macro = assay_source_macro_value(w->r->source, word);
        if (macro)
            ok = write_macro(w, macro, write);
        else if (find_definition(t, word, w->function, w->launch, &begin, &end) ||
                 find_constant(w->r, word, &begin, &end))
            ok = write(w, t, begin, end);
    }
    w->depth--;
    return ok;
}

static bool write_inner(writer *w, const assay_tokens *t, int from, int to)
{
    return to == from + 1 ? write_range(w, t, from, to)
                          : put(w, "(", 1) && write_range(w, t, from, to) && put(w, ")", 1);
}

/* ---- expressions ---- */

static const char *const quotients[] = { "ceil_div", "ceilDiv",  "CeilDiv", "ceildiv", "CEIL_DIV",
                                         "cdiv",     "div_up",   "divUp",   "DIV_UP",  "divup",
                                         "DIVUP",    "div_ceil", "divCeil", "iDivUp",  NULL };
static const char *const extremes[]  = { "min", "max", NULL };

static bool write_sizeof(writer *w, const assay_tokens *t, int open)
{
    char       name[ASSAY_FOUND_NAME], text[32];
    assay_type type;
    int        lanes;

    if (!assay_reading_text(t, open + 1, t->match[open], name, sizeof name) ||
        !assay_found_type(name, &type, &lanes))
        return false;
    (void)snprintf(text, sizeof text, "%zu", assay_type_size(type) * (size_t)lanes);
    return put(w, text, (int)strlen(text));
}

/* Is this `(int)` and the like? */
static bool is_cast(const assay_tokens *t, int open)
{
    char       name[ASSAY_FOUND_NAME];
    assay_type type;
    int        lanes;

    return assay_reading_text(t, open + 1, t->match[open], name, sizeof name) &&
           assay_found_type(name, &type, &lanes) && !assay_type_is_float(type);
}

/* A call with arguments: `name(a, b)`. */
static bool write_call(writer *w, const assay_tokens *t, const char *name, int open)
{
    const int close = t->match[open];
    const int comma = assay_translate_comma(t, open + 1, close);

    return comma < close && put(w, name, (int)strlen(name)) && put(w, "(", 1) &&
           write_range(w, t, open + 1, comma) && put(w, ", ", 2) &&
           write_range(w, t, comma + 1, close) && put(w, ")", 1);
}

/* `block.x` of a dim3 that the launching function defines. */
static bool write_component(writer *w, const char *word, char component)
{
    const assay_tokens *t = &w->r->tokens;
    int                 from, to;
    bool                ok = false;

    if (++w->depth <= MAX_DEPTH && component >= 'x' && component <= 'z' &&
        find_definition(t, word, w->function, w->launch, &from, &to)) {
        if (assay_token_is(t, from, "dim3")) {
            to   = t->match[from + 1];
            from = from + 2;
        }
        for (; component > 'x' && from < to; component--)
            from = assay_translate_comma(t, from, to) + 1;
        ok = from < to ? write_inner(w, t, from, assay_translate_comma(t, from, to))
                       : put(w, "1", 1);
    }
    w->depth--;
    return ok;
}

/* The word at *at and what belongs to it; *at: its last token. */
static bool write_word(writer *w, const assay_tokens *t, int *at)
{
    const int open = *at + 1;
    char      word[ASSAY_FOUND_NAME];

    if (!assay_reading_text(t, *at, *at + 1, word, sizeof word))
        return false;
    if (assay_token_is(t, *at, "std") && assay_token_is(t, *at + 1, ":")) {
        *at += 2;
        return true;
    }
    if (assay_token_is(t, *at, "static_cast") && assay_token_is(t, open, "<")) {
        *at = assay_token_after_angle(t, open) - 1; /* the bracket behind it follows */
        return *at > 0;
    }
    if (assay_token_is(t, open, ".") && assay_token_is_word(t, open + 1)) {
        *at = open + 1;
        return t->token[*at].length == 1 && write_component(w, word, t->token[*at].text[0]);
    }
    if (!assay_token_is(t, open, "("))
        return write_meaning(w, word, write_inner);
    *at = t->match[open];
    if (strcmp(word, "sizeof") == 0)
        return write_sizeof(w, t, open);
    if (assay_token_is_one_of(t, open - 1, extremes))
        return write_call(w, t, word, open);
    return assay_token_is_one_of(t, open - 1, quotients) && write_call(w, t, "ceil_div", open);
}

static bool write_mark(writer *w, const assay_token *one)
{
    const char mark = one->text[0];

    if (strchr("()", mark))
        return put(w, one->text, 1);
    return strchr("+-*/%", mark) && put(w, " ", 1) && put(w, one->text, 1) && put(w, " ", 1);
}

static bool write_range(writer *w, const assay_tokens *t, int from, int to)
{
    bool ok = from < to;

    for (int i = from; i < to && ok; i++) {
        if (assay_token_is(t, i, "(") && is_cast(t, i))
            i = t->match[i];
        else if (assay_token_is_word(t, i))
            ok = write_word(w, t, &i);
        else if (t->token[i].kind == ASSAY_TOKEN_NUMBER)
            ok = put_number(w, &t->token[i]);
        else
            ok = t->token[i].kind == ASSAY_TOKEN_MARK && write_mark(w, &t->token[i]);
    }
    return ok;
}

/* Up to three, of a dim3 in any spelling. */
static bool write_extents(writer *w, const assay_tokens *t, int from, int to)
{
    char word[ASSAY_FOUND_NAME];

    if (assay_token_is(t, from, "dim3") && from + 1 < to && t->match[from + 1] == to - 1)
        return write_extents(w, t, from + 2, to - 1);
    if (assay_token_is(t, from, "{") && t->match[from] == to - 1)
        return write_extents(w, t, from + 1, to - 1);
    if (to == from + 1 && assay_token_is_word(t, from) &&
        assay_reading_text(t, from, to, word, sizeof word))
        return write_meaning(w, word, write_extents);
    for (int first = from; from < to;) {
        const int end = assay_translate_comma(t, from, to);

        if ((from > first && !put(w, ", ", 2)) || !write_range(w, t, from, end))
            return false;
        from = end + 1;
    }
    return true;
}

/* ---- the launch ---- */

/* Writes one text, or nothing. */
static void set_text(writer w, char text[ASSAY_FOUND_TEXT], int from, int to)
{
    w.out   = text;
    text[0] = '\0';
    if (from >= to || !write_extents(&w, &w.r->tokens, from, to))
        text[0] = '\0';
}

static int function_around(const assay_units *units, int at)
{
    for (int i = 0; i < units->n; i++)
        if (units->unit[i].body >= 0 && units->unit[i].begin < at && at < units->unit[i].end)
            return units->unit[i].begin;
    return at;
}

static int end_of_configuration(const assay_tokens *t, int at)
{
    while (at < t->n && !assay_token_is_triple(t, at, '>') && !assay_token_is(t, at, ";"))
        at = t->match[at] > at ? t->match[at] + 1 : at + 1;
    return assay_token_is_triple(t, at, '>') && assay_token_is(t, at + 3, "(") ? at : -1;
}

static void take_launch(const assay_reading *r, assay_found_kernel *k, int name, int open)
{
    const assay_tokens *t  = &r->tokens;
    const int           to = end_of_configuration(t, open + 3);
    writer              w  = { .r        = r,
                               .kernel   = k,
                               .function = function_around(&r->units, name),
                               .launch   = name,
                               .call     = to + 3 };
    int                 at[4];

    if (to < 0)
        return;
    at[0] = open + 3;
    for (int i = 1; i < 4; i++)
        at[i] = at[i - 1] < to ? assay_translate_comma(t, at[i - 1], to) + 1 : to + 1;
    set_text(w, k->grid, at[0], at[1] - 1);
    set_text(w, k->block, at[1], at[2] - 1);
    set_text(w, k->shared, at[2], at[3] - 1);
}

void assay_found_launch(const assay_reading *r, assay_found_kernel *kernel)
{
    const assay_tokens *t = &r->tokens;

    for (int i = 0; i < t->n; i++) {
        int open = i + 1;

        if (!assay_token_is(t, i, kernel->plain))
            continue;
        if (!assay_token_is_triple(t, open, '<') && assay_token_is(t, open, "<"))
            open = assay_token_after_angle(t, open);
        if (open > 0 && assay_token_is_triple(t, open, '<')) {
            take_launch(r, kernel, i, open);
            return;
        }
    }
}
