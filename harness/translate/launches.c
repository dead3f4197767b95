/* K<<<grid, block, bytes, stream>>>(arguments): the configuration is set first, then the kernel is
 * called like any function (kernels.c says what that does). Deduced templates, macros, function
 * pointers and default arguments mean what they mean in a call. */
#include "translate_internal.h"

#include "base/stream.h"

#include <stdlib.h>
#include <string.h>

/* Words that may precede an expression and are no part of it. */
static bool is_keyword(const assay_tokens *t, int at)
{
    static const char *const words[] = { "else",      "return", "do", "case",
                                         "co_return", "and",    "or", NULL };

    return assay_token_is_one_of(t, at, words);
}

/* `if (...)` and the like: what follows is a statement of its own. */
static bool is_condition(const assay_tokens *t, int close)
{
    static const char *const words[] = { "if", "while", "for", "switch", "constexpr", NULL };

    return assay_token_is(t, close, ")") && assay_token_is_one_of(t, t->match[close] - 1, words);
}

static bool is_name_end(const assay_tokens *t, int at)
{
    if (is_keyword(t, at) || is_condition(t, at))
        return false;
    return assay_token_is_word(t, at) || assay_token_is(t, at, ">") || assay_token_is(t, at, ")") ||
           assay_token_is(t, at, "]");
}

/* Index before the `<` that belongs to the `>` at `at`; -1: none. */
static int before_angle(const assay_tokens *t, int at)
{
    for (int depth = 0; at >= 0; at--) {
        if (assay_token_is(t, at, ")") || assay_token_is(t, at, "]"))
            at = t->match[at];
        else if (assay_token_is(t, at, ">") && !assay_token_is(t, at - 1, "-"))
            depth++;
        else if (assay_token_is(t, at, "<") && --depth == 0)
            return at - 1;
        else if (assay_token_is(t, at, ";") || assay_token_is(t, at, "{") ||
                 assay_token_is(t, at, "}"))
            return -1;
    }
    return -1;
}

/* Steps over what joins two parts of a name: `::`, `.`, `->`. -1: it is none of these. */
static int before_joint(const assay_tokens *t, int at)
{
    if (assay_token_is(t, at, ":") && assay_token_is(t, at - 1, ":"))
        return at - 2;
    if (assay_token_is(t, at, ".") && t->token[at].kind == ASSAY_TOKEN_MARK)
        return at - 1;
    if (assay_token_is(t, at, ">") && assay_token_is(t, at - 1, "-"))
        return at - 2;
    return -1;
}

/* The first token of the expression that ends before `end`: names, template arguments, parentheses.
 * -1: none. */
static int begin_of_kernel(const assay_tokens *t, int end)
{
    int at = end - 1, begin = -1;

    while (at >= 0) {
        /* Arguments of a template, an index or a call belong to the name before them. */
        if (assay_token_is(t, at, ">"))
            at = before_angle(t, at);
        else if (assay_token_is(t, at, ")") || assay_token_is(t, at, "]")) {
            begin = t->match[at];
            at    = begin - 1;
            if (!is_name_end(t, at))
                return begin;
            continue;
        }
        if (!assay_token_is_word(t, at))
            return begin;
        begin = at;
        if (assay_token_is(t, at - 1, ":") && assay_token_is(t, at - 2, ":") &&
            !assay_token_is_word(t, at - 3) && !assay_token_is(t, at - 3, ">"))
            return at - 2; /* ::name */
        const int joint = before_joint(t, at - 1);

        if (joint < 0 || !is_name_end(t, joint))
            return begin;
        at = joint;
    }
    return begin;
}

/* The `>>>` that ends the configuration: a `(` follows it. */
static int end_of_configuration(const assay_tokens *t, int from)
{
    for (int i = from; i < t->n && !assay_token_is(t, i, ";"); i++) {
        if (t->match[i] > i)
            i = t->match[i];
        else if (assay_token_is_triple(t, i, '>') && assay_token_is(t, i + 3, "("))
            return i;
    }
    return -1;
}

/* Writes a name as part of a string: characters that would end the string are escaped. */
static void put_name(const char *name, FILE *out)
{
    for (; *name; name++) {
        if (*name == '"' || *name == '\\')
            (void)fputc('\\', out);
        (void)fputc(*name, out);
    }
}

static assay_status translate_launch(assay_tokens *t, int at)
{
    assay_status st    = ASSAY_OK;
    const int    begin = begin_of_kernel(t, at), end = end_of_configuration(t, at + 3);
    char        *kernel = NULL, *configuration = NULL, *text = NULL;
    size_t       size = 0;
    FILE        *out  = NULL;

    if (begin < 0 || end < 0)
        return assay_translate_refuse(t, at, "this launch cannot be read: kernel<<<...>>>(...)");
    kernel        = assay_tokens_text(t, begin, at);
    configuration = assay_tokens_text(t, at + 3, end);
    out           = assay_stream_open(&text, &size);
    ASSAY_REQUIRE(kernel && configuration && out, ASSAY_E_MEMORY, "no memory for a launch");
    (void)fprintf(out, "(assay_host_configure(\"");
    put_name(kernel, out);
    (void)fprintf(out, "\", __builtin_FILE(), __builtin_LINE(), %s), ", configuration);
    ASSAY_REQUIRE(fclose(out) == 0, ASSAY_E_MEMORY, "no memory for a launch");
    out = NULL;
    ASSAY_CHECK(assay_token_put_before(t, begin, text));
    ASSAY_CHECK(assay_token_put_after(t, t->match[end + 3], ")"));
    assay_token_drop(t, at, end + 3);
out:
    if (out)
        (void)fclose(out);
    free(kernel);
    free(configuration);
    free(text);
    return st;
}

/* ---- the runtime's functions that take a kernel ---- */

static const char *const takes_kernel[] = {
    "cudaLaunchKernel",
    "cudaLaunchCooperativeKernel",
    "cudaFuncSetAttribute",
    "cudaFuncGetAttributes",
    "cudaFuncSetCacheConfig",
    "cudaFuncSetSharedMemConfig",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cudaOccupancyMaxPotentialBlockSize",
    NULL,
};

/* Removes `(void *)` of `(void *)K` and a cast such as `reinterpret_cast<const void *>(K)`: the
 * kernel's type is needed here. */
static void drop_cast(assay_tokens *t, int from, int to)
{
    bool is_void = false;
    int  end     = -1;

    if (assay_token_is(t, from, "("))
        end = t->match[from] + 1;
    else if (assay_token_is(t, from, "reinterpret_cast") || assay_token_is(t, from, "static_cast"))
        end = assay_token_after_angle(t, from + 1);
    if (end < 0 || end > to)
        return;
    for (int i = from; i < end; i++)
        is_void |= assay_token_is(t, i, "void");
    if (is_void && assay_token_is(t, end - 2, "*"))
        assay_token_drop(t, from, end);
}

static void drop_casts(assay_tokens *t, int at)
{
    if (!assay_token_is_one_of(t, at, takes_kernel) || !assay_token_is(t, at + 1, "("))
        return;
    for (int from = at + 2, to; from < t->match[at + 1]; from = to + 1) {
        to = assay_translate_comma(t, from, t->match[at + 1]);
        drop_cast(t, from, to);
        /* In a launch the kernel comes first, and the arguments are `void **`. */
        if (assay_token_is(t, at, "cudaLaunchKernel") ||
            assay_token_is(t, at, "cudaLaunchCooperativeKernel"))
            return;
    }
}

assay_status assay_translate_launches(assay_tokens *tokens)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < tokens->n; i++) {
        if (!assay_token_is_own(tokens, i))
            continue;
        if (assay_token_is_triple(tokens, i, '<') && !tokens->token[i].is_dropped)
            ASSAY_CHECK(translate_launch(tokens, i));
        else if (assay_token_is_word(tokens, i) && tokens->token[i].text[0] == 'c')
            drop_casts(tokens, i);
    }
out:
    return st;
}
