/* Heads of __global__ functions, and the ends of items in a list separated by commas. */
#include "heads.h"

static bool is_attribute(const assay_tokens *t, int at)
{
    static const char *const words[] = { "__launch_bounds__", "__maxnreg__", "__cluster_dims__",
                                         "__block_size__",    "alignas",     "__attribute__",
                                         "decltype",          NULL };

    return assay_token_is_one_of(t, at, words);
}

/* A name may be `a::b<c>::d`; this goes back from its last token to its first. */
static int begin_of_name(const assay_tokens *t, int last)
{
    int at = last;

    if (assay_token_is(t, at, ">")) {
        for (int depth = 0; at >= 0; at--) {
            if (assay_token_is(t, at, ")"))
                at = t->match[at];
            depth += assay_token_is(t, at, ">") - assay_token_is(t, at, "<");
            if (depth == 0)
                break;
        }
        at--;
    }
    while (assay_token_is(t, at - 1, ":") && assay_token_is(t, at - 2, ":") &&
           assay_token_is_word(t, at - 3))
        at -= 3;
    return at;
}

int assay_head_global(const assay_tokens *tokens, int begin, int end)
{
    for (int i = begin; i < end; i++)
        if (assay_token_is(tokens, i, "__global__"))
            return i;
    return -1;
}

assay_head assay_head_read(const assay_tokens *t, int begin, int global, int end)
{
    assay_head h = { .begin = begin, .name = -1, .open = -1, .bounds = -1 };

    for (int i = begin; i < global; i++)
        if (assay_token_is(t, i, "__launch_bounds__"))
            h.bounds = i + 1;
    for (int i = global; i < end; i++) {
        if (assay_token_is(t, i, "__launch_bounds__"))
            h.bounds = i + 1;
        if (assay_token_is(t, i, "(")) {
            if (!is_attribute(t, i - 1)) {
                h.open = i;
                h.name = begin_of_name(t, i - 1);
                break;
            }
        }
        if (t->match[i] > i)
            i = t->match[i];
    }
    return h;
}

int assay_translate_comma(const assay_tokens *tokens, int from, int to)
{
    for (int i = from; i < to; i++) {
        if (assay_token_is(tokens, i, ","))
            return i;
        if (tokens->match[i] > i)
            i = tokens->match[i];
        else if (assay_token_is(tokens, i, "<") && assay_token_is_word(tokens, i - 1)) {
            const int after = assay_token_after_angle(tokens, i);

            if (after > 0 && after <= to)
                i = after - 1;
        }
    }
    return to;
}
