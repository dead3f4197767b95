/* Inline PTX. The text of an asm is read once, here: its instructions become calls of functions
 * that are named after them (host/ptx.h), its registers variables, its labels and branches labels
 * and gotos:
 *
 *   asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 4; @p add.u32 %0, %1, 1; }" : "=r"(y) :
 * "r"(x)); { assay_ptx_r assay_0 {}; ... setp_lt<uint32_t>(assay_r_p, assay_1, 4); if (assay_r_p)
 * add<uint32_t>(...); ... }
 *
 * An instruction that is not in the table ends the launch when it is reached; the fault has its
 * text. */
#include "ptx_internal.h"

#include "base/stream.h"

#include <stdlib.h>
#include <string.h>

typedef struct statement {
    assay_tokens *tokens;
    int           word, open; /* `asm` and its `(` */
    ptx_block     block;
} statement;

/* ---- reading the asm ---- */

/* Joins adjacent strings, without their quotes and escapes. Caller frees. */
static char *join_strings(const assay_tokens *t, int from, int to)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *out  = assay_stream_open(&text, &size);

    for (int i = from; out && i < to; i++) {
        const assay_token *k = &t->token[i];
        const char        *p = memchr(k->text, '"', (size_t)k->length);

        if (k->kind != ASSAY_TOKEN_TEXT || !p)
            continue;
        for (p++; p < k->text + k->length - 1; p++) {
            if (*p == '\\' && p + 1 < k->text + k->length - 1) {
                p++;
                (void)fputc(*p == 'n' || *p == 't' || *p == 'r' ? '\n' : *p, out);
            } else
                (void)fputc(*p, out);
        }
    }
    if (out && fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The next `:` at this level, or the end; `::` counts as two. */
static int next_colon(const assay_tokens *t, int from, int to)
{
    for (int i = from; i < to; i++) {
        if (assay_token_is(t, i, ":"))
            return i;
        if (t->match[i] > i)
            i = t->match[i];
    }
    return to;
}

/* `[name] "=r"(expression)` */
static assay_status read_operand(statement *s, int from, int to, bool is_output)
{
    const assay_tokens *t       = s->tokens;
    ptx_operand        *operand = &s->block.operand[s->block.n_operands];
    int                 at      = from;

    if (s->block.n_operands == PTX_MAX_OPERANDS)
        return assay_translate_refuse(t, s->word, "inline PTX with more than %d operands",
                                      PTX_MAX_OPERANDS);
    *operand = (ptx_operand) { .is_output = is_output };
    if (assay_token_is(t, at, "[")) {
        operand->name = assay_tokens_text(t, at + 1, t->match[at]);
        at            = t->match[at] + 1;
    }
    if (at >= to || t->token[at].kind != ASSAY_TOKEN_TEXT || !assay_token_is(t, at + 1, "("))
        return assay_translate_refuse(t, s->word, "an operand of inline PTX cannot be read");
    for (int i = 1; i < t->token[at].length - 1; i++) {
        const char c = t->token[at].text[i];

        if (c == '+')
            operand->is_input = true;
        else if (c != '=' && c != '&')
            operand->constraint = c;
    }
    operand->is_input |= !is_output;
    operand->expression = assay_tokens_text(t, at + 2, t->match[at + 1]);
    s->block.n_operands++;
    return operand->expression ? ASSAY_OK : ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for an operand");
}

static assay_status read_operands(statement *s, int from, int to, bool is_output)
{
    assay_status st = ASSAY_OK;

    while (st == ASSAY_OK && from < to) {
        const int comma = assay_translate_comma(s->tokens, from, to);

        st   = read_operand(s, from, comma, is_output);
        from = comma + 1;
    }
    return st;
}

/* `%=` is a number that is unique to a statement, for the names of labels. Here the labels of a
 * statement are local to it. */
static void drop_numbers(char *code)
{
    for (char *at = code; (at = strstr(at, "%=")) != NULL; at += 2)
        at[0] = at[1] = '_';
}

static assay_status read_statement(statement *s)
{
    assay_status        st       = ASSAY_OK;
    const assay_tokens *t        = s->tokens;
    const int           close    = t->match[s->open];
    const int           outputs  = next_colon(t, s->open + 1, close);
    const int           inputs   = next_colon(t, outputs + 1, close);
    const int           clobbers = next_colon(t, inputs + 1, close);

    s->block.code = join_strings(t, s->open + 1, outputs);
    ASSAY_REQUIRE(s->block.code, ASSAY_E_MEMORY, "no memory for inline PTX");
    drop_numbers(s->block.code);
    ASSAY_CHECK(read_operands(s, outputs + 1, inputs < close ? inputs : close, true));
    ASSAY_CHECK(read_operands(s, inputs + 1, clobbers < close ? clobbers : close, false));
out:
    return st;
}

/* ---- writing it ---- */

static assay_status translate_statement(statement *s)
{
    assay_status  st   = ASSAY_OK;
    assay_tokens *t    = s->tokens;
    char         *text = NULL;
    size_t        size = 0;
    FILE         *out  = assay_stream_open(&text, &size);

    ASSAY_REQUIRE(out, ASSAY_E_MEMORY, "no memory for inline PTX");
    ASSAY_CHECK(read_statement(s));
    ptx_write_block(&s->block, out);
    ASSAY_REQUIRE(fclose(out) == 0, ASSAY_E_MEMORY, "no memory for inline PTX");
    out = NULL;
    ASSAY_CHECK(assay_token_put_before(t, s->word, text));
    assay_token_drop(t, s->word, t->match[s->open] + 1);
out:
    if (out)
        (void)fclose(out);
    free(text);
    free(s->block.code);
    for (int i = 0; i < s->block.n_operands; i++) {
        free(s->block.operand[i].name);
        free(s->block.operand[i].expression);
    }
    return st;
}

/* An asm in a function for the host alone belongs to the host. */
static bool is_of_host(const assay_tokens *t, const assay_units *units, int at)
{
    for (int i = units->n - 1; i >= 0; i--) {
        const assay_unit *u = &units->unit[i];

        if (u->body >= 0 && u->body < at && at < u->end)
            return !u->is_device && assay_units_has_word(t, u->begin, u->body, "__host__");
    }
    return false;
}

static int open_of(const assay_tokens *t, int at)
{
    if (!assay_token_is(t, at, "asm") && !assay_token_is(t, at, "__asm__") &&
        !assay_token_is(t, at, "__asm"))
        return -1;
    for (at++; assay_token_is(t, at, "volatile") || assay_token_is(t, at, "__volatile__"); at++)
        ;
    return assay_token_is(t, at, "(") ? at : -1;
}

assay_status assay_translate_ptx(assay_tokens *tokens, const assay_units *units)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < tokens->n; i++) {
        statement s = { .tokens = tokens, .word = i, .open = open_of(tokens, i) };

        if (s.open > 0 && assay_token_is_own(tokens, i) && !tokens->token[i].is_dropped &&
            !is_of_host(tokens, units, i))
            ASSAY_CHECK(translate_statement(&s));
    }
out:
    return st;
}
