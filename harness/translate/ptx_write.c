/* Writes C++ from the text of inline PTX. */
#include "marks.h"
#include "ptx_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TEXT = 1024 /* of one instruction */
};

/* ---- operands ---- */

static const char *type_of(char constraint)
{
    switch (constraint) {
    case 'l':
        return "uint64_t";
    case 'h':
        return "uint16_t";
    case 'f':
        return "float";
    case 'd':
        return "double";
    default:
        return "uint32_t";
    }
}

static bool is_constant(const ptx_operand *o)
{
    return o->constraint == 'n' || o->constraint == 'i';
}

static void declare_operands(const ptx_block *b, FILE *out)
{
    for (int i = 0; i < b->n_operands; i++) {
        const ptx_operand *o = &b->operand[i];

        if (is_constant(o))
            (void)fprintf(out, "const auto assay_p%d = (%s); ", i, o->expression);
        else if (o->is_input)
            (void)fprintf(out, "%s assay_p%d = assay_ptx::in<%s>(%s); ", type_of(o->constraint), i,
                          type_of(o->constraint), o->expression);
        else
            (void)fprintf(out, "%s assay_p%d {}; ", type_of(o->constraint), i);
        (void)fprintf(out, "(void)assay_p%d; ", i);
    }
}

static void give_back(const ptx_block *b, FILE *out)
{
    for (int i = 0; i < b->n_operands; i++)
        if (b->operand[i].is_output)
            (void)fprintf(out, "assay_ptx::out(%s, assay_p%d); ", b->operand[i].expression, i);
}

/* ---- words of an instruction ---- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* Special registers by name. */
static const struct {
    const char *name, *text;
} specials[] = {
    { "laneid", "assay_host_lane()" },
    { "warpid", "assay_ptx::warp_id()" },
    { "nwarpid", "32u" },
    { "smid", "assay_ptx::sm_id()" },
    { "nsmid", "2u" },
    { "clock", "static_cast<uint32_t>(clock64())" },
    { "clock64", "static_cast<uint64_t>(clock64())" },
    { "globaltimer", "assay_global_time_ns()" },
    { "globaltimer_lo", "static_cast<uint32_t>(assay_global_time_ns())" },
    { "lanemask_eq", "assay_ptx::lanes(0, 1)" },
    { "lanemask_lt", "assay_ptx::lanes(1, 0)" },
    { "lanemask_le", "assay_ptx::lanes(1, 1)" },
    { "lanemask_gt", "assay_ptx::lanes(2, 0)" },
    { "lanemask_ge", "assay_ptx::lanes(2, 1)" },
    { "dynamic_smem_size", "assay_ptx::dynamic_bytes()" },
    { "cluster_ctarank", "0u" },
    { "cluster_nctarank", "1u" },
};

static const char *write_special(const char *at, FILE *out)
{
    const char *end = at;
    static const struct {
        const char *name, *text;
    } indexed[] = { { "tid", "threadIdx" },
                    { "ctaid", "blockIdx" },
                    { "ntid", "blockDim" },
                    { "nctaid", "gridDim" } };

    while (is_word(*end))
        end++;
    for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++)
        if (strlen(specials[i].name) == (size_t)(end - at) &&
            strncmp(specials[i].name, at, (size_t)(end - at)) == 0) {
            (void)fputs(specials[i].text, out);
            return end;
        }
    for (size_t i = 0; i < sizeof indexed / sizeof indexed[0]; i++)
        if (strlen(indexed[i].name) == (size_t)(end - at) && *end == '.' &&
            strncmp(indexed[i].name, at, (size_t)(end - at)) == 0) {
            (void)fprintf(out, "%s.%c", indexed[i].text, end[1]);
            return end + 2;
        }
    (void)fprintf(out, "assay_r_%.*s", (int)(end - at), at);
    return end;
}

/* %0, %[name], %%tid.x, %r1 */
static const char *write_register(const ptx_block *b, const char *at, FILE *out)
{
    if (at[1] == '%')
        return write_special(at + 2, out);
    if (isdigit((unsigned char)at[1])) {
        (void)fprintf(out, "assay_p%d", (int)strtol(at + 1, (char **)&at, 10));
        return at;
    }
    if (at[1] == '[') {
        const char *end = strchr(at, ']');

        for (int i = 0; end && i < b->n_operands; i++)
            if (b->operand[i].name && strlen(b->operand[i].name) == (size_t)(end - at - 2) &&
                strncmp(b->operand[i].name, at + 2, (size_t)(end - at - 2)) == 0)
                (void)fprintf(out, "assay_p%d", i);
        return end ? end + 1 : at + 2;
    }
    return write_special(at + 1, out);
}

/* 0f3F800000 is a float given by its bits, 0d... a double; any other number is as in C. */
static const char *write_number(const char *at, FILE *out)
{
    const char *end = at;

    while (is_word(*end) || *end == '.')
        end++;
    if (at[0] == '0' && (at[1] == 'f' || at[1] == 'F') && end - at == 10)
        (void)fprintf(out, "assay_ptx::float_of(0x%.8su)", at + 2);
    else if (at[0] == '0' && (at[1] == 'd' || at[1] == 'D') && end - at == 18)
        (void)fprintf(out, "assay_ptx::double_of(0x%.16sull)", at + 2);
    else if (end[-1] == 'U')
        (void)fprintf(out, "%.*su", (int)(end - at - 1), at);
    else
        (void)fprintf(out, "%.*s", (int)(end - at), at);
    return end;
}

/* {a, b} is a list of registers, [a + 4] an address, a|p two results; anything else is C++ as it
 * is. */
static void write_operands(const ptx_block *b, const char *at, FILE *out)
{
    while (*at) {
        if (*at == '%')
            at = write_register(b, at, out);
        else if (isdigit((unsigned char)*at))
            at = write_number(at, out);
        else if (*at == '_' && !is_word(at[1]))
            (void)fputs("assay_ptx::nothing()", out), at++;
        else if (is_word(*at))
            at = write_special(at, out);
        else if (*at == '{')
            (void)fputs("assay_ptx::list(", out), at++;
        else if (*at == '}')
            (void)fputc(')', out), at++;
        else if (*at == '[')
            (void)fputs("assay_ptx::at(", out), at++;
        else if (*at == ']')
            (void)fputc(')', out), at++;
        else if (*at == '|')
            (void)fputc(',', out), at++;
        else
            (void)fputc(*at++, out);
    }
}

static void write_text(const char *text, FILE *out)
{
    (void)fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            (void)fputc('\\', out);
        (void)fputc(*text == '\n' ? ' ' : *text, out);
    }
    (void)fputc('"', out);
}

/* ---- one instruction ---- */

/* `.reg .b32 a, b, r<4>;` */
static void write_declaration(const char *text, FILE *out)
{
    char        type[32] = "", name[64];
    int         used = 0, n = 0;
    const char *c = "uint32_t";

    if (sscanf(text, ".reg .%31[a-z0-9] %n", type, &used) != 1)
        return;
    if (strcmp(type, "pred") == 0)
        c = "bool";
    else if (strcmp(type, "f32") == 0)
        c = "float";
    else if (strcmp(type, "f64") == 0)
        c = "double";
    else if (strstr(type, "64"))
        c = "uint64_t";
    else if (strcmp(type, "b8") == 0 || (strstr(type, "16") && !strstr(type, "x2")))
        c = "uint16_t";
    for (text += used; sscanf(text, " %%%63[A-Za-z0-9_$] %n", name, &n) == 1 ||
                       sscanf(text, " %63[A-Za-z0-9_$] %n", name, &n) == 1;
         text += *text == ',') {
        int count = 0;

        text += n;
        if (sscanf(text, "<%d> %n", &count, &n) == 1) {
            for (int i = 0; i < count; i++)
                (void)fprintf(out, "%s assay_r_%s%d {}; (void)assay_r_%s%d; ", c, name, i, name, i);
            text += n;
        } else
            (void)fprintf(out, "%s assay_r_%s {}; (void)assay_r_%s; ", c, name, name);
    }
}

/* `@!p`: the instruction that follows is executed if the predicate says so. */
static const char *write_guard(const ptx_block *b, const char *at, FILE *out)
{
    char predicate[64];
    int  used = 0;

    if (*at != '@' || sscanf(at, "@%63[^ \t\n]%n", predicate, &used) != 1)
        return at;
    (void)fputs("if (", out);
    write_operands(b, predicate, out);
    (void)fputs(") ", out);
    for (at += used; isspace((unsigned char)*at); at++)
        ;
    return at;
}

static void write_branch(const char *label, FILE *out)
{
    (void)fprintf(out, "goto assay_l_%.*s; ", (int)strcspn(label, " \t\n;"), label);
}

static void write_instruction(const ptx_block *b, const char *at, FILE *out)
{
    char        opcode[256], call[256];
    const char *reason = NULL, *all = at;
    int         used = 0;

    at = write_guard(b, at, out);
    if (sscanf(at, "%255[^ \t\n]%n", opcode, &used) != 1)
        return;
    at += used + (int)strspn(at + used, " \t\n");
    if (strcmp(opcode, "bra") == 0 || strcmp(opcode, "bra.uni") == 0) {
        write_branch(at, out);
        return;
    }
    if (!ptx_find(opcode, call, sizeof call, &reason)) {
        (void)fputs(ASSAY_MARK_UNKNOWN, out);
        write_text(all, out);
        (void)fprintf(out, ", \"%s\", __builtin_FILE(), __builtin_LINE()); ", reason ? reason : "");
        return;
    }
    (void)fprintf(out, "assay_ptx::%s(assay_ptx::site { __builtin_FILE(), __builtin_LINE() }%s",
                  call, *at ? ", " : "");
    write_operands(b, at, out);
    (void)fputs("); ", out);
}

/* ---- the block ---- */

/* The length of a label `name:` with its colon, or 0. */
static size_t label_length(const char *at)
{
    size_t n = 0;

    while (is_word(at[n]))
        n++;
    return n > 0 && at[n] == ':' && at[n + 1] != ':' ? n + 1 : 0;
}

/* Reads the next piece of the code, up to its `;`. Braces that open or close a scope are pieces of
 * their own. */
static const char *next_piece(const char *at, char piece[MAX_TEXT])
{
    size_t n = 0;

    while (isspace((unsigned char)*at) || *at == ';')
        at++;
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n") + (piece[0] = '\0');
    if (*at == '{' || *at == '}') {
        piece[0] = *at;
        piece[1] = '\0';
        return at + 1;
    }
    if ((n = label_length(at)) > 0) {
        (void)snprintf(piece, MAX_TEXT, "%.*s", (int)n, at);
        return at + n;
    }
    for (; at[n] && at[n] != ';' && n < MAX_TEXT - 1; n++)
        piece[n] = at[n];
    /* The last piece before a closing brace needs no `;`. */
    piece[n] = '\0';
    return at + n;
}

static void write_piece(const ptx_block *b, const char *piece, FILE *out)
{
    if (piece[0] == '{' || piece[0] == '}')
        return; /* a single block of C++ encloses all of it */
    if (piece[0] == '\0' || strncmp(piece, ".pragma", 7) == 0)
        return;
    if (strncmp(piece, ".reg", 4) == 0)
        write_declaration(piece, out);
    else if (label_length(piece) > 0)
        (void)fprintf(out, "assay_l_%s ; ", piece);
    else
        write_instruction(b, piece, out);
}

/* A block may occur several times in a function, so its labels are local to it. */
static void declare_labels(const ptx_block *b, FILE *out)
{
    char piece[MAX_TEXT];

    for (const char *at = b->code; *at;) {
        at = next_piece(at, piece);
        if (label_length(piece) > 0)
            (void)fprintf(out, "__label__ assay_l_%.*s; ", (int)strlen(piece) - 1, piece);
    }
}

/* Declarations come first, so that no branch jumps over one. */
static void write_pieces(const ptx_block *b, bool declarations, FILE *out)
{
    char piece[MAX_TEXT];

    for (const char *at = b->code; *at;) {
        at = next_piece(at, piece);
        if ((strncmp(piece, ".reg", 4) == 0) == declarations)
            write_piece(b, piece, out);
    }
}

/* Writes one statement, which the user's `;` ends, so that it can also stand between `if` and
 * `else`. */
void ptx_write_block(const ptx_block *block, FILE *out)
{
    (void)fputs("do { ", out);
    declare_labels(block, out);
    declare_operands(block, out);
    write_pieces(block, true, out);
    write_pieces(block, false, out);
    give_back(block, out);
    (void)fputs("} while (false)", out);
}
