/* The short name of a kernel. */
#include "demangle.h"

#include "text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Parentheses that belong to a name. */
static const char *const parts[] = { "(anonymous namespace)", "operator()" };

static size_t part_length(const char *at)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *after = assay_text_after(at, parts[i]);

        if (after)
            return (size_t)(after - at);
    }
    return 0;
}

/* Drops template arguments, and everything from the parameters on: "void a::f<int>(int)" becomes
 * "void a::f". A text that is not such a name is not changed. */
static void strip_arguments(char *text)
{
    char *to    = text;
    int   depth = 0;

    for (const char *at = text; *at; at++) {
        const size_t length = depth == 0 ? part_length(at) : 0;

        if (length > 0) {
            memmove(to, at, length);
            to += length;
            at += length - 1;
            continue;
        }
        if (*at == '(' && depth == 0)
            break;
        depth -= *at == '>' || *at == ')';
        if (depth == 0 && *at != '<' && *at != '>' && *at != ')')
            *to++ = *at;
        depth += *at == '<' || *at == '(';
    }
    *to = '\0';
}

/* Takes a mangled name, or one that a tool has demangled: "void f<int>(int)". */
static bool is_signature(const char *name)
{
    return assay_text_after(name, "_Z") || strpbrk(name, "<(");
}

char *assay_demangle_short(const char *name, char *to, size_t size)
{
    char *text = assay_demangle(name);

    if (!text || !is_signature(name)) {
        free(text);
        return assay_text_set(to, size, "%s", name);
    }
    strip_arguments(text);
    const char *own = text;

    for (const char *at = text; *at; at++) {
        if (*at == ' ' || (at[0] == ':' && at[1] == ':'))
            own = at + (*at == ' ' ? 1 : 2);
    }
    (void)assay_text_set(to, size, "%s", *own ? own : name);
    free(text);
    return to;
}
