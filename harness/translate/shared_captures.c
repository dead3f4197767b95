/* Lambdas that use shared memory. On a GPU it is static, and no lambda captures it. Here it is a
 * reference, and `[=]` would hold a copy of the memory. So a lambda that uses the name captures it
 * by reference:
 *
 *   [=](int i) { tile[i] = 0; }   ->   [=, &tile](int i) { tile[i] = 0; } */
#include "translate_internal.h"

/* The `{` of the body of a lambda whose introducer ends at `close`; -1: it is no lambda. */
static int body_of(const assay_tokens *t, int close)
{
    int at = close + 1;

    if (!assay_token_is(t, at, "(") && !assay_token_is(t, at, "{") &&
        !assay_token_is(t, at, "mutable"))
        return -1;
    while (at < t->n && !assay_token_is(t, at, "{") && !assay_token_is(t, at, ";"))
        at = t->match[at] > at ? t->match[at] + 1 : at + 1;
    return assay_token_is(t, at, "{") ? at : -1;
}

/* A `[` after a value is a subscript. */
static bool is_introducer(const assay_tokens *t, int at)
{
    static const char *const words[] = { "return", "case", "co_return", NULL };

    if (!assay_token_is(t, at, "[") || t->match[at] < 0 || assay_token_is(t, at + 1, "[") ||
        assay_token_is(t, at - 1, "[") || assay_token_is(t, at - 1, ")") ||
        assay_token_is(t, at - 1, "]"))
        return false;
    return !assay_token_is_word(t, at - 1) || assay_token_is_one_of(t, at - 1, words);
}

static bool is_among(const assay_tokens *t, int from, int to, int name)
{
    for (int i = from; i < to; i++)
        if (assay_token_is_use(t, i, name))
            return true;
    return false;
}

/* Such a lambda captures everything by reference anyway. */
static bool captures_by_reference(const assay_tokens *t, int open)
{
    return assay_token_is(t, open + 1, "&") &&
           (assay_token_is(t, open + 2, ",") || assay_token_is(t, open + 2, "]"));
}

assay_status assay_translate_captures(assay_tokens *t, int name, int from, int to)
{
    assay_status st = ASSAY_OK;

    for (int i = from; i < to; i++) {
        const int close = is_introducer(t, i) ? t->match[i] : -1;
        const int body  = close >= 0 ? body_of(t, close) : -1;

        if (body < 0 || captures_by_reference(t, i) || is_among(t, i, close, name) ||
            !is_among(t, body, t->match[body], name))
            continue;
        /* Text that is added later comes before the text that is there. */
        ASSAY_CHECK(assay_translate_before(t, close,
                                           close > i + 1            ? ", &%.*s"
                                           : t->token[close].before ? "&%.*s, "
                                                                    : "&%.*s",
                                           t->token[name].length, t->token[name].text));
    }
out:
    return st;
}
