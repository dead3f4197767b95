/* Finds declarations: brackets and a few words are enough to tell a function from a class, a
 * namespace and a variable. */
#include "units.h"

#include <stdlib.h>

typedef struct scan {
    const assay_tokens *tokens;
    assay_units        *units;
} scan;

static assay_status list_scope(scan *s, int from, int to, int depth);

static assay_status add(scan *s, assay_unit unit)
{
    assay_units *u = s->units;

    if (u->n == u->room) {
        const int   room  = u->room ? 2 * u->room : 1024;
        assay_unit *units = realloc(u->unit, (size_t)room * sizeof *units);

        if (!units)
            return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for %d declarations", room);
        u->unit = units;
        u->room = room;
    }
    for (int i = unit.begin; i < (unit.body >= 0 ? unit.body : unit.end); i++)
        unit.is_device |= assay_token_is(s->tokens, i, "__device__") ||
                          assay_token_is(s->tokens, i, "__global__");
    u->unit[u->n++] = unit;
    return ASSAY_OK;
}

bool assay_units_has_word(const assay_tokens *tokens, int from, int to, const char *word)
{
    for (int i = from; i < to; i++) {
        if (assay_token_is(tokens, i, word))
            return true;
        if (tokens->match[i] > i)
            i = tokens->match[i];
    }
    return false;
}

/* Index after all `template <...>` at this place. */
static int skip_template(const assay_tokens *t, int at)
{
    while (assay_token_is(t, at, "template") && assay_token_is(t, at + 1, "<")) {
        const int after = assay_token_after_angle(t, at + 1);

        if (after < 0)
            break;
        at = after;
    }
    return at;
}

/* ---- what the `{` at `brace` of a declaration from `begin` on is ---- */

typedef enum brace_kind {
    BRACE_SCOPE,
    BRACE_CLASS,
    BRACE_BODY,
    BRACE_VALUE,
} brace_kind;

static const char *const class_words[] = { "class", "struct", "union", "enum", NULL };
/* A `(` after one of these begins no list of parameters. */
static const char *const no_function[] = { "alignas",  "__attribute__", "__declspec",
                                           "decltype", "sizeof",        "alignof",
                                           "noexcept", "__align__",     NULL };

static bool begins_parameters(const assay_tokens *t, int paren)
{
    return assay_token_is(t, paren, "(") && !assay_token_is_one_of(t, paren - 1, no_function) &&
           (assay_token_is_word(t, paren - 1) || assay_token_is(t, paren - 1, ">"));
}

/* The last token of the bracket that begins here, also of template arguments; `at` if none does. */
static int skip_group(const assay_tokens *t, int at)
{
    const int after = assay_token_is(t, at, "<") && assay_token_is_word(t, at - 1)
                          ? assay_token_after_angle(t, at)
                          : -1;

    if (after > 0)
        return after - 1;
    return t->match[at] > at ? t->match[at] : at;
}

static bool is_class(const assay_tokens *t, int begin, int brace)
{
    bool has_word = false;

    for (int i = skip_template(t, begin); i < brace; i++) {
        if (assay_token_is_one_of(t, i, class_words))
            has_word = true;
        else if (begins_parameters(t, i))
            return false;
        i = skip_group(t, i);
    }
    return has_word;
}

/* `: a(1), b { 2 } {` of a constructor: a brace after a name is a member's value. */
static bool is_member_value(const assay_tokens *t, int begin, int brace)
{
    bool has_parameters = false;

    if (!assay_token_is_word(t, brace - 1) && !assay_token_is(t, brace - 1, ">"))
        return false;
    for (int i = begin; i < brace; i++) {
        if (has_parameters && assay_token_is(t, i, ":") && !assay_token_is(t, i - 1, ":") &&
            !assay_token_is(t, i + 1, ":"))
            return true;
        has_parameters |= assay_token_is(t, i, "(");
        if (t->match[i] > i)
            i = t->match[i];
    }
    return false;
}

static bool has_parameters(const assay_tokens *t, int begin, int brace)
{
    for (int i = begin; i < brace; i++) {
        if (assay_token_is(t, i, "(") && !assay_token_is_one_of(t, i - 1, no_function))
            return true;
        if (t->match[i] > i)
            i = t->match[i];
    }
    return false;
}

static bool is_value(const assay_tokens *t, int begin, int brace)
{
    for (int i = begin; i < brace; i++) {
        /* Up to two marks precede the = in the name of an operator. */
        if (assay_token_is(t, i, "=") &&
            !assay_units_has_word(t, i > begin + 4 ? i - 4 : begin, i, "operator"))
            return true;
        if (t->match[i] > i)
            i = t->match[i];
    }
    return false;
}

static brace_kind kind_of(const assay_tokens *t, int begin, int brace)
{
    const int head = skip_template(t, begin);

    if (assay_units_has_word(t, begin, brace, "namespace") ||
        (assay_token_is(t, begin, "extern") && brace == begin + 2))
        return BRACE_SCOPE;
    if (is_class(t, begin, brace))
        return BRACE_CLASS;
    if (is_value(t, head, brace) || is_member_value(t, head, brace))
        return BRACE_VALUE;
    return has_parameters(t, head, brace) ? BRACE_BODY : BRACE_VALUE;
}

/* ---- one declaration ---- */

static assay_status list_namespace(scan *s, int begin, int brace, int depth, int *next)
{
    assay_status st;
    const int    close = s->tokens->match[brace];

    *next = close + 1;
    ASSAY_CHECK(add(s, (assay_unit) { .kind  = ASSAY_UNIT_OPEN,
                                      .begin = begin,
                                      .end   = brace + 1,
                                      .body  = -1,
                                      .brace = -1,
                                      .depth = depth }));
    ASSAY_CHECK(list_scope(s, brace + 1, close, depth));
    ASSAY_CHECK(add(s, (assay_unit) { .kind  = ASSAY_UNIT_CLOSE,
                                      .begin = close,
                                      .end   = close + 1,
                                      .body  = -1,
                                      .brace = -1,
                                      .depth = depth }));
out:
    return st;
}

/* Index after its `;` or its body. *body: the brace of a function or class, otherwise -1. */
static int end_of_declaration(const assay_tokens *t, int begin, int to, int *body, brace_kind *kind)
{
    *body = -1;
    for (int i = begin; i < to; i++) {
        if (assay_token_is(t, i, ";"))
            return i + 1;
        if (assay_token_is(t, i, "{")) {
            const brace_kind found = kind_of(t, begin, i);

            if (*body < 0 && found != BRACE_VALUE) {
                *body = i;
                *kind = found;
            }
            if (found == BRACE_SCOPE)
                return i + 1;
            if (found == BRACE_BODY) /* a `;` after it has no meaning */
                return t->match[i] + 1 + assay_token_is(t, t->match[i] + 1, ";");
        }
        if (t->match[i] > i)
            i = t->match[i];
    }
    return to;
}

static assay_status list_one(scan *s, int begin, int to, int depth, int *next)
{
    assay_status st   = ASSAY_OK;
    int          body = -1;
    brace_kind   kind = BRACE_VALUE;
    const int    end  = end_of_declaration(s->tokens, begin, to, &body, &kind);

    *next = end;
    if (body >= 0 && kind == BRACE_SCOPE)
        return list_namespace(s, begin, body, depth, next);
    ASSAY_CHECK(add(
        s, (assay_unit) { .kind = kind == BRACE_BODY ? ASSAY_UNIT_FUNCTION : ASSAY_UNIT_DECLARATION,
                          .begin = begin,
                          .end   = end,
                          .body  = kind == BRACE_BODY ? body : -1,
                          .brace = kind == BRACE_CLASS ? body : -1,
                          .depth = depth }));
    if (body >= 0 && kind == BRACE_CLASS)
        ASSAY_CHECK(list_scope(s, body + 1, s->tokens->match[body], depth + 1));
out:
    return st;
}

static assay_status list_scope(scan *s, int from, int to, int depth)
{
    static const char *const access[] = { "public", "private", "protected", NULL };
    assay_status             st       = ASSAY_OK;

    for (int i = from; st == ASSAY_OK && i < to;) {
        if (assay_token_is(s->tokens, i, ";"))
            i++;
        else if (assay_token_is_one_of(s->tokens, i, access) &&
                 assay_token_is(s->tokens, i + 1, ":"))
            i += 2;
        else if (s->tokens->token[i].kind == ASSAY_TOKEN_LINE) {
            st = add(s, (assay_unit) {
                            .begin = i, .end = i + 1, .body = -1, .brace = -1, .depth = depth });
            i++;
        } else
            st = list_one(s, i, to, depth, &i);
    }
    return st;
}

assay_status assay_units_list(const assay_tokens *tokens, assay_units *units)
{
    scan s = { .tokens = tokens, .units = units };

    *units = (assay_units) { .n = 0 };
    return list_scope(&s, 0, tokens->n, 0);
}

void assay_units_free(assay_units *units)
{
    free(units->unit);
    *units = (assay_units) { .n = 0 };
}
