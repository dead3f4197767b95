/* Loops that wait. A GPU runs other threads while one reads a word until another thread writes it.
 * Here the reading thread has to give way. Loops of device code that read volatile memory, or only
 * test their condition, give way at each turn, and report when they are over:
 *
 *   while (*flag == 0) ;    becomes    while (POLL && ((*flag == 0) || OVER)) ;
 *
 * so that a wait in vain is found and reported with its line. A read belongs to the innermost loop
 * around it. Names are volatile by their declarations in the user's files, and functions that read
 * volatile memory count as such names. */
#include "translate_internal.h"

#include <stdlib.h>
#include <string.h>

#define HERE "__builtin_FILE(), __builtin_LINE()"
#define POLL "(assay_host_yield(ASSAY_YIELD_POLL, " HERE "), true)"
#define OVER "(assay_host_yield(ASSAY_YIELD_WRITE, " HERE "), false)"

/* Loads that a wait may use in its condition. */
static const char *const loads[] = { "__ldcg", "__ldcv", "__ldca", "__ldcs", "__ldlu", NULL };

/* Names, each given by a token. */
typedef struct names {
    int *token;
    int  n, room;
} names;

static assay_status add_name(names *all, int token)
{
    assay_status st = ASSAY_OK;

    if (all->n == all->room) {
        const int room  = all->room > 0 ? 2 * all->room : 16;
        int      *grown = realloc(all->token, (size_t)room * sizeof *grown);

        ASSAY_REQUIRE(grown, ASSAY_E_MEMORY, "no memory for the names of a file");
        all->token = grown;
        all->room  = room;
    }
    all->token[all->n++] = token;
out:
    return st;
}

static bool has_name(const assay_tokens *t, const names *all, int at)
{
    const assay_token *word = &t->token[at];

    for (int i = 0; i < all->n; i++) {
        const assay_token *name = &t->token[all->token[i]];

        if (name->length == word->length &&
            memcmp(name->text, word->text, (size_t)word->length) == 0)
            return true;
    }
    return false;
}

/* ---- what is volatile ---- */

static bool is_volatile(const assay_tokens *t, int at)
{
    static const char *const assemblers[] = { "asm", "__asm__", "__asm", NULL };

    return (assay_token_is(t, at, "volatile") || assay_token_is(t, at, "__volatile__")) &&
           !assay_token_is_one_of(t, at - 1, assemblers);
}

/* The name that a declaration with `volatile` at this place declares; -1: it is a cast. */
static int declared_name(const assay_tokens *t, int at)
{
    static const char *const ends[]  = { ";", ",", ")", "=", "{", "[", "(", ">", ":", NULL };
    static const char *const types[] = { "int",      "unsigned", "long",   "short", "char",
                                         "float",    "double",   "bool",   "void",  "signed",
                                         "volatile", "const",    "struct", NULL };
    int                      end     = at + 1;

    while (end < t->n && !assay_token_is_one_of(t, end, ends))
        end++;
    end--;
    return end > at && assay_token_is_word(t, end) && !assay_token_is_one_of(t, end, types) ? end
                                                                                            : -1;
}

static assay_status list_declared(const assay_tokens *t, names *all)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < t->n; i++)
        if (is_volatile(t, i) && assay_token_is_own(t, i)) {
            const int name = declared_name(t, i);

            if (name >= 0)
                ASSAY_CHECK(add_name(all, name));
        }
out:
    return st;
}

/* The last name before the body that parentheses follow; -1: there is none. */
static int function_name(const assay_tokens *t, const assay_unit *u)
{
    int name = -1;

    for (int i = u->begin; i < u->body; i++) {
        if (assay_token_is(t, i, "(") && assay_token_is_word(t, i - 1))
            name = i - 1;
        if (t->match[i] > i)
            i = t->match[i];
    }
    return name;
}

static bool is_reading(const assay_tokens *t, const names *all, int at)
{
    return is_volatile(t, at) || (assay_token_is_word(t, at) && has_name(t, all, at));
}

static bool is_device_function(const assay_tokens *t, const assay_unit *u)
{
    return u->kind == ASSAY_UNIT_FUNCTION && u->is_device && u->body >= 0 &&
           assay_token_is_own(t, u->begin) &&
           !assay_units_has_word(t, u->begin, u->body, "constexpr");
}

/* Lists device functions that read volatile memory. Kernels are left out, since no function calls
 * them. */
static assay_status list_functions(const assay_tokens *t, const assay_units *units, names *all)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < units->n; i++) {
        const assay_unit *u    = &units->unit[i];
        bool              does = false;
        int               name;

        if (!is_device_function(t, u) || assay_units_has_word(t, u->begin, u->body, "__global__"))
            continue;
        for (int at = u->body; at < t->match[u->body] && !does; at++)
            does = is_reading(t, all, at);
        name = function_name(t, u);
        if (does && name >= 0)
            ASSAY_CHECK(add_name(all, name));
    }
out:
    return st;
}

/* ---- loops ---- */

/* The first and last token of a loop, its parentheses, and its condition. */
typedef struct loop {
    int  begin, end, open;
    int  test_begin, test_end;
    int  body; /* `{`, `;` or the first token of a statement */
    bool is_understood;
} loop;

enum {
    MOST_DEPTH = 64 /* of nested statements */
};

static int end_of_statement(const assay_tokens *t, int at, int depth);

/* Index after the parentheses of `if (...)` and the like; -1: there are none. */
static int behind_head(const assay_tokens *t, int at)
{
    const int open = assay_token_is(t, at + 1, "constexpr") ? at + 2 : at + 1;

    return assay_token_is(t, open, "(") && t->match[open] > open ? t->match[open] + 1 : -1;
}

static int end_of_if(const assay_tokens *t, int at, int depth)
{
    const int then = behind_head(t, at);
    const int end  = then < 0 ? -1 : end_of_statement(t, then, depth);

    return end >= 0 && assay_token_is(t, end + 1, "else") ? end_of_statement(t, end + 2, depth)
                                                          : end;
}

static int end_of_do(const assay_tokens *t, int at, int depth)
{
    const int end  = end_of_statement(t, at + 1, depth);
    const int last = end >= 0 && assay_token_is(t, end + 1, "while") ? behind_head(t, end + 1) : -1;

    return last >= 0 && assay_token_is(t, last, ";") ? last : -1;
}

static int end_of_expression(const assay_tokens *t, int at)
{
    for (int i = at; i < t->n && !assay_token_is(t, i, "}"); i++) {
        if (assay_token_is(t, i, ";"))
            return i;
        if (t->match[i] > i)
            i = t->match[i];
    }
    return -1;
}

/* The last token of the statement that begins here; -1: it is unknown. */
static int end_of_statement(const assay_tokens *t, int at, int depth)
{
    static const char *const heads[]  = { "while", "for", "switch", NULL };
    static const char *const others[] = { "else", "try", "case", "default", NULL };

    if (depth == 0 || assay_token_is_one_of(t, at, others))
        return -1;
    if (assay_token_is(t, at, "{"))
        return t->match[at];
    if (assay_token_is(t, at, "if"))
        return end_of_if(t, at, depth - 1);
    if (assay_token_is(t, at, "do"))
        return end_of_do(t, at, depth - 1);
    if (assay_token_is_one_of(t, at, heads))
        return behind_head(t, at) < 0 ? -1 : end_of_statement(t, behind_head(t, at), depth - 1);
    return end_of_expression(t, at);
}

/* Finds the condition between the two semicolons of a `for`. */
static bool find_test(const assay_tokens *t, loop *l)
{
    int at = l->open + 1, n = 0;

    for (; at < t->match[l->open]; at++) {
        if (assay_token_is(t, at, ";")) {
            if (n++ == 0)
                l->test_begin = at + 1;
            else
                l->test_end = at;
        }
        if (t->match[at] > at)
            at = t->match[at];
    }
    return n == 2;
}

static loop read_do(const assay_tokens *t, int at)
{
    loop l = { .begin = at, .body = at + 1 };

    l.end = end_of_statement(t, at + 1, MOST_DEPTH);
    if (l.end < 0 || !assay_token_is(t, l.end + 1, "while") || !assay_token_is(t, l.end + 2, "("))
        return l;
    l.open          = l.end + 2;
    l.test_begin    = l.open + 1;
    l.test_end      = t->match[l.open];
    l.end           = l.test_end + 1;
    l.is_understood = assay_token_is(t, l.end, ";");
    return l;
}

static loop read_loop(const assay_tokens *t, int at)
{
    loop l = { .begin = at, .open = at + 1 };

    if (assay_token_is(t, at, "do"))
        return read_do(t, at);
    if (!assay_token_is(t, at + 1, "(") || t->match[at + 1] < 0)
        return l;
    l.test_begin    = l.open + 1;
    l.test_end      = t->match[l.open];
    l.body          = t->match[l.open] + 1;
    l.is_understood = assay_token_is(t, at, "while") || find_test(t, &l);
    l.end           = end_of_statement(t, l.body, MOST_DEPTH);
    return l;
}

static bool is_loop(const assay_tokens *t, int at)
{
    static const char *const words[] = { "while", "for", "do", NULL };

    return assay_token_is_one_of(t, at, words) && !assay_token_is(t, at - 1, ".");
}

/* The `while` at the end of a `do` is no loop of its own. */
static bool ends_a_do(const assay_tokens *t, int at)
{
    if (!assay_token_is(t, at, "while"))
        return false;
    if (assay_token_is(t, at - 1, "}"))
        return assay_token_is(t, t->match[at - 1] - 1, "do");
    for (int i = at - 2; assay_token_is(t, at - 1, ";") && i >= 0; i--) {
        if (assay_token_is(t, i, "do"))
            return true;
        if (assay_token_is(t, i, ";") || assay_token_is(t, i, "{") || assay_token_is(t, i, "}"))
            return false;
    }
    return false;
}

/* A condition that declares a variable has no value that && could take. */
static bool declares(const assay_tokens *t, const loop *l)
{
    for (int i = l->test_begin; i < l->test_end; i++) {
        if (t->match[i] > i)
            i = t->match[i];
        if (assay_token_is(t, i, "=") && !assay_token_is(t, i + 1, "=") &&
            assay_token_is_word(t, i - 1) &&
            (assay_token_is_word(t, i - 2) || assay_token_is(t, i - 2, "*")))
            return !assay_token_is(t, i - 1, "operator");
    }
    return false;
}

/* Does the loop only test its condition? */
static bool is_empty(const assay_tokens *t, const loop *l)
{
    return assay_token_is(t, l->body, ";") ||
           (assay_token_is(t, l->body, "{") && t->match[l->body] == l->body + 1);
}

static bool reads(const assay_tokens *t, const names *all, const loop *l, int last)
{
    for (int i = l->begin + 1; i <= last; i++) {
        if (is_loop(t, i) && !ends_a_do(t, i)) {
            const loop inner = read_loop(t, i);

            /* If the parts of an inner loop are unknown, it counts as part of this one. */
            if (inner.is_understood && inner.end > i)
                i = inner.end;
        } else if (is_reading(t, all, i) ||
                   (i >= l->test_begin && i < l->test_end && assay_token_is_one_of(t, i, loads)))
            return true;
    }
    return false;
}

/* Compilers know that no code after such a loop is reached, and must still know it. */
static bool is_endless(const assay_tokens *t, const loop *l)
{
    return l->test_begin == l->test_end ||
           (l->test_begin + 1 == l->test_end &&
            (assay_token_is(t, l->test_begin, "true") || assay_token_is(t, l->test_begin, "1")));
}

static assay_status give_way(assay_tokens *t, const loop *l)
{
    assay_status st = ASSAY_OK;

    if (is_endless(t, l) && assay_token_is(t, l->body, "{"))
        return assay_translate_after(t, l->body, " (void)" POLL ";");
    if (is_endless(t, l) && !is_empty(t, l))
        return assay_translate_before(t, l->body, "if (!" POLL ") {} else ");
    if (l->test_begin == l->test_end) /* for (;;) ; */
        return assay_translate_before(t, l->test_end, POLL);
    ASSAY_CHECK(assay_translate_before(t, l->test_begin, POLL " && (("));
    ASSAY_CHECK(assay_translate_after(t, l->test_end - 1, ") || " OVER ")"));
out:
    return st;
}

static assay_status translate_body(assay_tokens *t, const names *all, int from, int to)
{
    assay_status st = ASSAY_OK;

    for (int i = from; i < to; i++) {
        if (!is_loop(t, i) || ends_a_do(t, i) || t->token[i].is_dropped)
            continue;
        const loop l = read_loop(t, i);

        if (l.is_understood && !declares(t, &l) &&
            (is_empty(t, &l) || reads(t, all, &l, l.end >= 0 ? l.end : t->match[l.open])))
            ASSAY_CHECK(give_way(t, &l));
    }
out:
    return st;
}

assay_status assay_translate_waits(assay_tokens *tokens, const assay_units *units)
{
    assay_status st  = ASSAY_OK;
    names        all = { .n = 0 };

    ASSAY_CHECK(list_declared(tokens, &all));
    ASSAY_CHECK(list_functions(tokens, units, &all));
    for (int i = 0; i < units->n; i++) {
        const assay_unit *u = &units->unit[i];

        if (is_device_function(tokens, u))
            ASSAY_CHECK(translate_body(tokens, &all, u->body, tokens->match[u->body]));
    }
out:
    free(all.token);
    return st;
}
