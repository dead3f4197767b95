/* Lists in one field of the CSV: dividing them at separators, and escapes. */
#include "store_import_internal.h"

#include <stdlib.h>
#include <string.h>

void assay_pieces_free(assay_pieces *p)
{
    free(p->text);
    free(p->piece);
}

char *assay_find_separator(char *text, char separator)
{
    for (; *text && *text != separator; text++)
        if (*text == '\\' && text[1])
            text++;
    return *text ? text : NULL;
}

assay_status assay_split(const char *text, char separator, assay_pieces *p)
{
    assay_status st = ASSAY_OK;
    int          n  = 1;

    memset(p, 0, sizeof *p);
    for (const char *c = text; *c; c++)
        n += *c == separator;
    p->text  = strdup(text);
    p->piece = calloc((size_t)n, sizeof *p->piece);
    ASSAY_REQUIRE(p->text && p->piece, ASSAY_E_MEMORY, "no memory for a list");
    for (char *at = p->text; at;) {
        char *end = assay_find_separator(at, separator);

        p->piece[p->n++] = at;
        if (end)
            *end++ = '\0';
        at = end;
    }
out:
    return st;
}

char *assay_unescape(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    *to = '\0';
    return text;
}

int assay_read_extents(const char *text, int64_t extent[3])
{
    int n = 0;

    while (n < 3) {
        char  *end = NULL;
        size_t digits;

        digits = strspn(text, "-0123456789");
        if (digits == 0)
            return 0;
        extent[n++] = strtoll(text, &end, 10);
        if (*end == '\0')
            return n == 2 ? 0 : n;
        if (*end != 'x')
            return 0;
        text = end + 1;
    }
    return 0;
}
