/* A translation, step by step. */
#include "translate_internal.h"

#include <stdarg.h>
#include <stdlib.h>

assay_status assay_translate_refuse(const assay_tokens *tokens, int at, const char *format, ...)
{
    const assay_token *t = &tokens->token[at];
    char               text[512];
    va_list            arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return ASSAY_FAIL(ASSAY_E_CASE, "%s:%d: %s", tokens->file[t->file].name, t->line, text);
}

typedef assay_status put_fn(assay_tokens *tokens, int at, const char *text);

static assay_status put(put_fn *where, assay_tokens *tokens, int at, const char *format,
                        va_list arguments)
{
    char        *text = NULL;
    assay_status st;

    if (vasprintf(&text, format, arguments) < 0)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a text of a translation");
    st = where(tokens, at, text);
    free(text);
    return st;
}

assay_status assay_translate_before(assay_tokens *tokens, int at, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const assay_status st = put(assay_token_put_before, tokens, at, format, arguments);

    va_end(arguments);
    return st;
}

assay_status assay_translate_after(assay_tokens *tokens, int at, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const assay_status st = put(assay_token_put_after, tokens, at, format, arguments);

    va_end(arguments);
    return st;
}

/* ---- words that C++ has not ---- */

/* These words are removed; those of the second list with the parentheses that follow. */
static const char *const qualifiers[] = { "__global__",   "__device__",      "__host__",
                                          "__constant__", "__managed__",     "__grid_constant__",
                                          "__nv_pure__",  "__inline_hint__", NULL };
static const char *const attributes[] = { "__launch_bounds__", "__maxnreg__", "__cluster_dims__",
                                          "__block_size__", NULL };

/* __noinline__ is a word of the compiler, too, within an attribute. */
static bool is_noinline(const assay_tokens *t, int at)
{
    return assay_token_is(t, at, "__noinline__") && !assay_token_is(t, at - 1, "(") &&
           !assay_token_is(t, at - 1, ",");
}

/* Also in headers of CUDA's libraries. */
static assay_status drop_words(assay_tokens *t)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < t->n; i++) {
        if (!assay_token_is_word(t, i) || t->token[i].text[0] != '_')
            continue;
        if (assay_token_is_one_of(t, i, qualifiers))
            assay_token_drop(t, i, i + 1);
        else if (assay_token_is_one_of(t, i, attributes) && assay_token_is(t, i + 1, "("))
            assay_token_drop(t, i, t->match[i + 1] + 1);
        else if (is_noinline(t, i)) {
            assay_token_drop(t, i, i + 1);
            ASSAY_CHECK(assay_token_put_before(t, i, "__attribute__((noinline))"));
        }
    }
out:
    return st;
}

/* ---- all of it ---- */

static assay_status read_both(assay_translate_text host, assay_translate_text device,
                              assay_tokens *merged, FILE *notes)
{
    assay_status st      = ASSAY_OK;
    assay_tokens of_host = { .n = 0 }, of_device = { .n = 0 };

    if (device.size == 0)
        return assay_tokens_read(merged, host.text, host.size);
    ASSAY_CHECK(assay_tokens_read(&of_host, host.text, host.size));
    ASSAY_CHECK(assay_tokens_read(&of_device, device.text, device.size));
    ASSAY_CHECK(assay_translate_merge(&of_host, &of_device, merged, notes));
out:
    assay_tokens_free(&of_host);
    assay_tokens_free(&of_device);
    return st;
}

assay_status assay_translate(assay_translate_text host, assay_translate_text device, FILE *out,
                             FILE *notes)
{
    assay_status st     = ASSAY_OK;
    assay_tokens tokens = { .n = 0 };
    assay_units  units  = { .n = 0 };

    ASSAY_CHECK(read_both(host, device, &tokens, notes));
    ASSAY_CHECK(assay_tokens_pair(&tokens));
    ASSAY_CHECK(assay_units_list(&tokens, &units));
    ASSAY_CHECK(assay_translate_shared(&tokens, &units));
    ASSAY_CHECK(assay_translate_ptx(&tokens, &units));
    ASSAY_CHECK(assay_translate_waits(&tokens, &units));
    ASSAY_CHECK(assay_translate_kernels(&tokens, &units));
    ASSAY_CHECK(assay_translate_launches(&tokens));
    ASSAY_CHECK(drop_words(&tokens));
    ASSAY_CHECK(assay_tokens_write(&tokens, out));
out:
    assay_units_free(&units);
    assay_tokens_free(&tokens);
    return st;
}
