/* Parameters of kernels: their names, types, and what they can be in a case. */
#include "found_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- types ---- */

static const struct {
    const char *name;
    assay_type  type;
    int         lanes;
} types[] = {
    { "float", ASSAY_F32, 1 },
    { "double", ASSAY_F64, 1 },
    { "half", ASSAY_F16, 1 },
    { "__half", ASSAY_F16, 1 },
    { "__nv_bfloat16", ASSAY_BF16, 1 },
    { "nv_bfloat16", ASSAY_BF16, 1 },
    { "__nv_fp8_e4m3", ASSAY_F8E4M3, 1 },
    { "__nv_fp8_e5m2", ASSAY_F8E5M2, 1 },
    { "bool", ASSAY_U8, 1 },
    { "char", ASSAY_I8, 1 },
    { "signed char", ASSAY_I8, 1 },
    { "int8_t", ASSAY_I8, 1 },
    { "unsigned char", ASSAY_U8, 1 },
    { "uchar", ASSAY_U8, 1 },
    { "uint8_t", ASSAY_U8, 1 },
    { "short", ASSAY_I16, 1 },
    { "int16_t", ASSAY_I16, 1 },
    { "unsigned short", ASSAY_U16, 1 },
    { "ushort", ASSAY_U16, 1 },
    { "uint16_t", ASSAY_U16, 1 },
    { "int", ASSAY_I32, 1 },
    { "signed", ASSAY_I32, 1 },
    { "int32_t", ASSAY_I32, 1 },
    { "unsigned", ASSAY_U32, 1 },
    { "unsigned int", ASSAY_U32, 1 },
    { "uint", ASSAY_U32, 1 },
    { "uint32_t", ASSAY_U32, 1 },
    { "long", ASSAY_I64, 1 },
    { "long int", ASSAY_I64, 1 },
    { "long long", ASSAY_I64, 1 },
    { "long long int", ASSAY_I64, 1 },
    { "int64_t", ASSAY_I64, 1 },
    { "ptrdiff_t", ASSAY_I64, 1 },
    { "unsigned long", ASSAY_U64, 1 },
    { "unsigned long int", ASSAY_U64, 1 },
    { "unsigned long long", ASSAY_U64, 1 },
    { "unsigned long long int", ASSAY_U64, 1 },
    { "ulong", ASSAY_U64, 1 },
    { "uint64_t", ASSAY_U64, 1 },
    { "size_t", ASSAY_U64, 1 },
    { "float2", ASSAY_F32, 2 },
    { "float4", ASSAY_F32, 4 },
    { "double2", ASSAY_F64, 2 },
    { "int2", ASSAY_I32, 2 },
    { "int4", ASSAY_I32, 4 },
    { "uint2", ASSAY_U32, 2 },
    { "uint4", ASSAY_U32, 4 },
    { "half2", ASSAY_F16, 2 },
    { "__half2", ASSAY_F16, 2 },
    { "__nv_bfloat162", ASSAY_BF16, 2 },
    { "nv_bfloat162", ASSAY_BF16, 2 },
};

bool assay_found_type(const char *name, assay_type *type, int *lanes)
{
    static const char *const scopes[] = { "::", "cuda::", "std::" };

    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
        const char *rest = assay_text_after(name, scopes[i]);

        name = rest ? rest : name;
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, name) == 0) {
            *type  = types[i].type;
            *lanes = types[i].lanes;
            return true;
        }
    return false;
}

bool assay_reading_text(const assay_tokens *t, int from, int to, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int i = from; i < to; i++) {
        const assay_token *one   = &t->token[i];
        const bool         space = i > from && one->has_space;

        if (used + (size_t)one->length + space + 1 > size)
            return false;
        if (space)
            text[used++] = ' ';
        memcpy(text + used, one->text, (size_t)one->length);
        used += (size_t)one->length;
        text[used] = '\0';
    }
    return true;
}

/* ---- other names of types: `using real = float;`, `typedef float real;`, a macro ---- */

static bool find_alias(const assay_reading *r, const char *name, char *text, size_t size)
{
    const assay_tokens *t     = &r->tokens;
    const char         *macro = assay_source_macro_value(r->source, name);

    if (macro) {
        macro += strspn(macro, " \t");
        (void)assay_text_set(text, size, "%.*s", (int)strcspn(macro, " \t\r"), macro);
        return true;
    }
    for (int i = 0; i < t->n; i++) {
        int end = i;

        if (!assay_token_is(t, i, "using") && !assay_token_is(t, i, "typedef"))
            continue;
        while (end < t->n && !assay_token_is(t, end, ";"))
            end++;
        if (assay_token_is(t, i, "using") && assay_token_is(t, i + 1, name) &&
            assay_token_is(t, i + 2, "="))
            return assay_reading_text(t, i + 3, end, text, size);
        if (assay_token_is(t, i, "typedef") && assay_token_is(t, end - 1, name))
            return assay_reading_text(t, i + 1, end - 1, text, size);
    }
    return false;
}

static bool resolve(const assay_reading *r, assay_found_parameter *p)
{
    char name[ASSAY_FOUND_TEXT], next[ASSAY_FOUND_TEXT];

    (void)assay_text_set(name, sizeof name, "%s", p->element);
    for (int depth = 0; depth < 4; depth++) {
        if (assay_found_type(name, &p->type, &p->lanes))
            return true;
        if (!find_alias(r, name, next, sizeof next))
            return false;
        (void)assay_text_set(name, sizeof name, "%s", next);
    }
    return false;
}

/* ---- one parameter ---- */

static const char *const ignored[]  = { "volatile", "__restrict__",      "__restrict", "restrict",
                                        "struct",   "__grid_constant__", NULL };
static const char *const of_types[] = { "int",    "char",     "long",   "short", "float",
                                        "double", "unsigned", "signed", "bool",  NULL };

/* The words of a parameter's type, and what stands around them. */
typedef struct pieces {
    int  part[16]; /* tokens of type and name, in order */
    int  n, n_stars;
    bool is_const, is_strange;
} pieces;

static void add_piece(pieces *p, int at)
{
    if (p->n == (int)(sizeof p->part / sizeof p->part[0]))
        p->is_strange = true;
    else
        p->part[p->n++] = at;
}

static pieces read_pieces(const assay_tokens *t, int from, int to)
{
    pieces p = { .n = 0 };

    for (int i = from; i < to && !assay_token_is(t, i, "="); i++) {
        if (assay_token_is(t, i, "const"))
            p.is_const |= p.n_stars == 0;
        else if (assay_token_is_one_of(t, i, ignored))
            continue;
        else if (assay_token_is(t, i, "*"))
            p.n_stars++;
        else if (assay_token_is(t, i, "[")) {
            p.n_stars++;
            i = t->match[i];
        } else if (assay_token_is_word(t, i) || assay_token_is(t, i, ":"))
            add_piece(&p, i);
        else /* a reference, a template's arguments, a pointer to a function */
            p.is_strange = true;
        if (t->match[i] > i)
            i = t->match[i];
    }
    return p;
}

/* Is the last word the name? Not in `unsigned int`, `std::size_t` and `float *`. */
static bool has_name(const assay_tokens *t, const pieces *p)
{
    return p->n > 1 && !assay_token_is_one_of(t, p->part[p->n - 1], of_types) &&
           !assay_token_is(t, p->part[p->n - 2], ":");
}

static void set_element(const assay_tokens *t, const pieces *p, int n, assay_found_parameter *to)
{
    size_t used = 0;

    for (int i = 0; i < n; i++) {
        const assay_token *one = &t->token[p->part[i]];
        const bool         is_next =
            i > 0 && one->kind == ASSAY_TOKEN_WORD && !assay_token_is(t, p->part[i - 1], ":");

        used += (size_t)snprintf(to->element + used, sizeof to->element - used, "%s%.*s",
                                 is_next ? " " : "", one->length, one->text);
        if (used >= sizeof to->element)
            used = sizeof to->element - 1;
    }
}

static void set_kind(const assay_reading *r, const pieces *p, assay_found_parameter *to)
{
    const bool is_known = !p->is_strange && p->n_stars < 2 && resolve(r, to);

    to->kind = ASSAY_FOUND_UNKNOWN;
    if (is_known && p->n_stars == 1)
        to->kind = ASSAY_FOUND_BUFFER;
    else if (is_known && to->lanes == 1 && (to->type == ASSAY_F32 || to->type == ASSAY_F64))
        to->kind = ASSAY_FOUND_REAL;
    else if (is_known && to->lanes == 1 && !assay_type_is_float(to->type))
        to->kind = ASSAY_FOUND_INTEGER;
}

static bool is_plain_word(const char *name)
{
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    return true;
}

static void read_one(const assay_reading *r, int from, int to, assay_found_kernel *k)
{
    const assay_tokens    *t     = &r->tokens;
    const pieces           p     = read_pieces(t, from, to);
    const bool             named = has_name(t, &p);
    assay_found_parameter *one   = &k->parameter[k->n_parameters];
    char                   whole[ASSAY_FOUND_TEXT];
    bool                   is_whole = true;

    *one = (assay_found_parameter) { .is_const = p.is_const };
    if (named)
        is_whole = assay_reading_text(t, p.part[p.n - 1], p.part[p.n - 1] + 1, one->name,
                                      sizeof one->name);
    set_element(t, &p, p.n - named, one);
    set_kind(r, &p, one);
    k->n_parameters++;
    (void)assay_reading_text(t, from, to, whole, sizeof whole);
    if (k->why[0])
        return;
    if (!is_whole || !is_plain_word(one->name))
        (void)assay_text_set(k->why, sizeof k->why, "the name in '%s' is none that a case can have",
                             whole);
    else if (one->kind == ASSAY_FOUND_UNKNOWN)
        (void)assay_text_set(k->why, sizeof k->why,
                             "its parameter '%s' is of no type that buffers and numbers of a case "
                             "have",
                             whole);
}

void assay_found_parameters(const assay_reading *r, int open, assay_found_kernel *kernel)
{
    const assay_tokens *t     = &r->tokens;
    const int           close = t->match[open];

    for (int from = open + 1; from < close;) {
        const int to = assay_translate_comma(t, from, close);

        if (kernel->n_parameters == ASSAY_FOUND_PARAMETERS) {
            (void)assay_text_set(kernel->why, sizeof kernel->why, "it has more than %d parameters",
                                 ASSAY_FOUND_PARAMETERS);
            return;
        }
        if (!(to == from + 1 && assay_token_is(t, from, "void")))
            read_one(r, from, to, kernel);
        from = to + 1;
    }
}
