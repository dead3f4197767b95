/* Shared memory. A declaration becomes a type of the same shape and a reference of the same name,
 * which is bound to the block's memory:
 *
 *   __shared__ float tile[32][33], sum;
 *   typedef float assay_base_tile;
 *   typedef assay_base_tile assay_type_tile[32][33];
 *   static const char assay_key_tile = 0;
 *   assay_type_tile &tile = *static_cast<...>(assay_host_shared_array(&assay_key_tile, ...));
 *   ...
 *
 * The key's address tells instantiations of a template apart. A declaration at namespace scope is
 * moved to the beginning of each function that uses the name. */
#include "translate_internal.h"

#include "base/stream.h"

#include <stdlib.h>
#include <string.h>

/* One declaration, in tokens. */
typedef struct declaration {
    int   begin, end; /* `end` is its `;` */
    bool  is_extern;
    char *align; /* what an alignas or aligned() says, or NULL; owned */
} declaration;

enum {
    MAX_NAMES = 16 /* in one declaration */
};

/* What a declaration becomes. */
typedef struct result {
    FILE *keys, *types; /* what may occur only once, and a function's beginning */
    int   name[MAX_NAMES];
    int   n_names;
} result;

/* A declaration at namespace scope. */
typedef struct outer {
    result names;
    char  *text;
} outer;

typedef struct shared {
    assay_tokens      *tokens;
    const assay_units *units;
    outer             *outer;
    int                n_outer;
} shared;

/* ---- where it begins and ends ---- */

static bool ends_before(const assay_tokens *t, int at)
{
    if (assay_token_is(t, at, ":"))
        return !assay_token_is(t, at - 1, ":") && !assay_token_is(t, at + 1, ":");
    if (assay_token_is(t, at, ")")) {
        const int open = t->match[at];

        return !assay_token_is(t, open - 1, "alignas") &&
               !assay_token_is(t, open - 1, "__attribute__");
    }
    return at < 0 || assay_token_is(t, at, ";") || assay_token_is(t, at, "{") ||
           assay_token_is(t, at, "}") || t->token[at].kind == ASSAY_TOKEN_LINE;
}

static int end_of(const assay_tokens *t, int at)
{
    while (at < t->n && !assay_token_is(t, at, ";"))
        at = t->match[at] > at ? t->match[at] + 1 : at + 1;
    return at;
}

static declaration find_declaration(const assay_tokens *t, int word)
{
    declaration d = { .begin = word, .end = end_of(t, word) };

    while (!ends_before(t, d.begin - 1))
        d.begin = t->match[d.begin - 1] >= 0 ? t->match[d.begin - 1] : d.begin - 1;
    return d;
}

/* Removes the words for storage and alignment. */
static void drop_storage(assay_tokens *t, declaration *d)
{
    for (int i = d->begin; i < d->end; i++) {
        if (i == d->begin && assay_token_is(t, i, "[") && t->match[i] > i) {
            assay_token_drop(t, i, t->match[i] + 1); /* [[maybe_unused]] */
            i = t->match[i];
            continue;
        }
        if (assay_token_is(t, i, "extern"))
            d->is_extern = true;
        if (assay_token_is(t, i, "extern") || assay_token_is(t, i, "static") ||
            assay_token_is(t, i, "__shared__"))
            assay_token_drop(t, i, i + 1);
        else if (assay_token_is(t, i, "alignas") || assay_token_is(t, i, "__attribute__")) {
            const int close = t->match[i + 1];
            int       open  = i + 1;

            for (int k = open; k < close; k++)
                if (assay_token_is(t, k, "aligned") || assay_token_is(t, k, "__aligned__"))
                    open = k + 1;
            if (assay_token_is(t, i, "alignas") || open > i + 1) {
                free(d->align);
                /* `aligned` without a number is the largest alignment that any type needs. */
                d->align = t->match[open] > open ? assay_tokens_text(t, open + 1, t->match[open])
                                                 : strdup("16");
            }
            assay_token_drop(t, i, close + 1);
            i = close;
        } else if (t->match[i] > i)
            i = t->match[i];
    }
}

/* ---- one name of it ---- */

/* The name in the declarator [from, to): the last word before the first `[`, or the last word. -1:
 * it cannot be read. */
static int name_in(const assay_tokens *t, int from, int to)
{
    int last = -1;

    for (int i = from; i < to; i++) {
        if (t->token[i].is_dropped)
            continue;
        if (assay_token_is(t, i, "["))
            break;
        if (assay_token_is(t, i, "<")) {
            const int after = assay_token_after_angle(t, i);

            if (after < 0)
                return -1;
            i    = after - 1;
            last = -1;
        } else if (assay_token_is(t, i, "{") && t->match[i] < to) {
            i    = t->match[i];
            last = -1;
        } else if (assay_token_is(t, i, "("))
            return -1;
        else
            last = assay_token_is_word(t, i) ? i : -1;
    }
    return last;
}

/* Writes the declaration of one name: a type of the same shape, and a reference to the block's
 * memory. */
static assay_status declare(const shared *s, const declaration *d, const char *base,
                            const char *marks, int name, int to, result *r)
{
    FILE               *out    = r->types;
    const assay_tokens *t      = s->tokens;
    const int           length = t->token[name].length;
    const char         *word   = t->token[name].text;
    char               *shape  = assay_tokens_text(t, name + 1, to);

    if (!shape)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a declaration of shared memory");
    (void)fprintf(out, "typedef %s %s assay_type_%.*s %s; ", base, marks, length, word, shape);
    if (d->is_extern)
        (void)fprintf(out,
                      "assay_type_%.*s &%.*s = *reinterpret_cast<assay_type_%.*s *>("
                      "assay_host_shared_dynamic(__builtin_FILE(), __builtin_LINE())); ",
                      length, word, length, word, length, word);
    else {
        (void)fprintf(r->keys, "static const char assay_key_%.*s = 0; ", length, word);
        /* alignas may have a type as its argument, which only alignas can evaluate. */
        (void)fprintf(out, "struct alignas(%s) assay_align_%.*s {}; ", d->align ? d->align : "1",
                      length, word);
        (void)fprintf(out,
                      "assay_type_%.*s &%.*s = *static_cast<assay_type_%.*s "
                      "*>(assay_host_shared_array(&assay_key_%.*s, sizeof(assay_type_%.*s), "
                      "assay_host_larger(alignof(assay_type_%.*s), alignof(assay_align_%.*s)), "
                      "\"%.*s\", __builtin_FILE(), __builtin_LINE())); ",
                      length, word, length, word, length, word, length, word, length, word, length,
                      word, length, word, length, word);
    }
    (void)fprintf(out, "(void)%.*s; ", length, word);
    free(shape);
    return ASSAY_OK;
}

/* The end of the first declarator's type: before the `*`s that precede its name. */
static int end_of_base(const assay_tokens *t, int from, int name)
{
    int at = name;

    while (at > from && (assay_token_is(t, at - 1, "*") || assay_token_is(t, at - 1, "&") ||
                         assay_token_is(t, at - 1, "__restrict__")))
        at--;
    return at;
}

static assay_status declare_all(const shared *s, const declaration *d, result *r)
{
    assay_status        st   = ASSAY_OK;
    const assay_tokens *t    = s->tokens;
    char               *base = NULL, *marks = NULL;

    for (int from = d->begin; from < d->end;) {
        const int  to       = assay_translate_comma(t, from, d->end);
        const int  name     = name_in(t, from, to);
        const bool is_first = r->n_names == 0;

        if (name < 0 || r->n_names == MAX_NAMES) {
            st = assay_translate_refuse(t, from,
                                        "this declaration of shared memory cannot be read: one "
                                        "type, then names with * before and [n] behind them");
            goto out;
        }
        const int marks_from = is_first ? end_of_base(t, from, name) : from;

        r->name[r->n_names++] = name;
        if (is_first) {
            char *type = assay_tokens_text(t, from, marks_from);

            if (asprintf(&base, "assay_base_%.*s", t->token[name].length, t->token[name].text) < 0)
                base = NULL;
            (void)fprintf(r->types, "typedef %s %s __attribute__((unused)); ", type ? type : "",
                          base ? base : "");
            free(type);
        }
        marks = assay_tokens_text(t, marks_from, name);
        ASSAY_REQUIRE(base && marks, ASSAY_E_MEMORY, "no memory for a declaration");
        ASSAY_CHECK(declare(s, d, base, marks, name, to, r));
        free(marks);
        marks = NULL;
        from  = to + 1;
    }
out:
    free(base);
    free(marks);
    return st;
}

/* Caller frees both. */
static assay_status translate_one(const shared *s, declaration *d, result *r, char **keys,
                                  char **types)
{
    assay_status st = ASSAY_OK;
    size_t       size[2];

    r->keys  = assay_stream_open(keys, &size[0]);
    r->types = assay_stream_open(types, &size[1]);
    ASSAY_REQUIRE(r->keys && r->types, ASSAY_E_MEMORY, "no memory for shared memory's text");
    drop_storage(s->tokens, d);
    ASSAY_CHECK(declare_all(s, d, r));
    assay_token_drop(s->tokens, d->begin, d->end);
out:
    free(d->align);
    d->align = NULL;
    for (int i = 0; i < 2; i++) {
        FILE *file = i == 0 ? r->keys : r->types;

        if (file && fclose(file) != 0 && st == ASSAY_OK)
            st = ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for shared memory's text");
    }
    return st;
}

/* ---- at namespace scope ---- */

static bool is_in_body(const shared *s, int at)
{
    for (int i = 0; i < s->units->n; i++) {
        const assay_unit *u = &s->units->unit[i];

        if (u->body >= 0 && u->body < at && at < u->end)
            return true;
    }
    return false;
}

/* Headers may declare a name again; the second declaration means the same. */
static bool is_known(const shared *s, int name)
{
    for (int k = 0; k < s->n_outer; k++)
        for (int i = 0; i < s->outer[k].names.n_names; i++)
            if (assay_token_is_use(s->tokens, name, s->outer[k].names.name[i]))
                return true;
    return false;
}

/* Takes ownership of the text. */
static assay_status keep_outer(shared *s, const result *r, char *text)
{
    outer *more = realloc(s->outer, ((size_t)s->n_outer + 1) * sizeof *more);

    if (!more) {
        free(text);
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a declaration of shared memory");
    }
    s->outer               = more;
    s->outer[s->n_outer++] = (outer) { .names = *r, .text = text };
    return ASSAY_OK;
}

/* Does the function use the name, and mean this variable? */
static bool uses_name(const assay_tokens *t, const assay_unit *u, int name)
{
    bool is_used = false;

    for (int i = u->begin; i < u->body; i++)
        if (assay_token_is_use(t, i, name))
            return false; /* a parameter */
    for (int i = u->body; i < u->end; i++)
        is_used |= assay_token_is_use(t, i, name) && !t->token[i].is_dropped;
    return is_used;
}

static bool uses(const assay_tokens *t, const assay_unit *u, const result *names)
{
    for (int i = 0; i < names->n_names; i++)
        if (u->begin > names->name[i] && uses_name(t, u, names->name[i]))
            return true;
    return false;
}

static assay_status capture(const shared *s, const result *names, int from, int to)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < names->n_names && st == ASSAY_OK; i++)
        st = assay_translate_captures(s->tokens, names->name[i], from, to);
    return st;
}

static assay_status give_outer(const shared *s)
{
    assay_status st = ASSAY_OK;

    for (int k = 0; k < s->n_outer; k++)
        for (int i = 0; i < s->units->n; i++) {
            const assay_unit *u     = &s->units->unit[i];
            const outer      *given = &s->outer[k];

            if (u->body < 0 || !uses(s->tokens, u, &given->names))
                continue;
            ASSAY_CHECK(assay_token_put_after(s->tokens, u->body, given->text));
            ASSAY_CHECK(capture(s, &given->names, u->body, u->end));
        }
out:
    return st;
}

/* The end of the block around a token. */
static int end_of_block(const assay_tokens *t, int at)
{
    while (at < t->n && !assay_token_is(t, at, "}"))
        at = t->match[at] > at ? t->match[at] + 1 : at + 1;
    return at;
}

static assay_status translate_word(shared *s, int word)
{
    assay_status st       = ASSAY_OK;
    declaration  d        = find_declaration(s->tokens, word);
    const bool   is_outer = !is_in_body(s, word);
    result       r        = { .n_names = 0 };
    char        *keys = NULL, *types = NULL;

    if (d.end >= s->tokens->n)
        return assay_translate_refuse(s->tokens, word, "shared memory is declared without an end");
    ASSAY_CHECK(translate_one(s, &d, &r, &keys, &types));
    if (is_outer && !is_known(s, r.name[0])) {
        char *kept = types;

        types = NULL;
        ASSAY_CHECK(assay_token_put_before(s->tokens, d.end, keys));
        ASSAY_CHECK(keep_outer(s, &r, kept));
    } else if (!is_outer) {
        ASSAY_CHECK(assay_token_put_before(s->tokens, d.end, types));
        ASSAY_CHECK(assay_token_put_before(s->tokens, d.end, keys));
        ASSAY_CHECK(capture(s, &r, d.end, end_of_block(s->tokens, d.end)));
    }
out:
    free(keys);
    free(types);
    return st;
}

assay_status assay_translate_shared(assay_tokens *tokens, const assay_units *units)
{
    assay_status st = ASSAY_OK;
    shared       s  = { .tokens = tokens, .units = units };

    for (int i = 0; i < tokens->n; i++)
        if (assay_token_is(tokens, i, "__shared__") && assay_token_is_own(tokens, i) &&
            !tokens->token[i].is_dropped)
            ASSAY_CHECK(translate_word(&s, i));
    ASSAY_CHECK(give_outer(&s));
out:
    for (int k = 0; k < s.n_outer; k++)
        free(s.outer[k].text);
    free(s.outer);
    return st;
}
