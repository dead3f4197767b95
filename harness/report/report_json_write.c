/* JSON as RFC 8259 has it: strings, numbers, values of a query. */
#include "report_json.h"

#include <math.h>
#include <string.h>

/* ---- strings ---- */

/* The bytes of the UTF-8 sequence at `text`; 0 if there is none (overlong, surrogate, cut off). */
static int sequence_length(const unsigned char *text)
{
    static const struct {
        unsigned char first, last, least, most; /* of the first byte; of the second */
        int           length;
    } rows[] = {
        { 0x00, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
        { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (text[0] < rows[i].first || text[0] > rows[i].last)
            continue;
        if (rows[i].length > 1 && (text[1] < rows[i].least || text[1] > rows[i].most))
            return 0;
        for (int k = 2; k < rows[i].length; k++)
            if ((text[k] & 0xc0) != 0x80)
                return 0;
        return rows[i].length;
    }
    return 0;
}

static void write_ascii(FILE *out, unsigned char c)
{
    if (c == '"' || c == '\\')
        (void)fprintf(out, "\\%c", c);
    else if (c < 0x20 || c == 0x7f || c == '<')
        (void)fprintf(out, "\\u%04x", (unsigned)c);
    else
        (void)fputc(c, out);
}

void assay_json_text(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    (void)fputc('"', out);
    while (*at) {
        const int n = sequence_length(at);

        if (n == 0)
            (void)fputs("\\ufffd", out);
        else if (n == 1)
            write_ascii(out, *at);
        else
            (void)fwrite(at, 1, (size_t)n, out);
        at += n > 0 ? n : 1;
    }
    (void)fputc('"', out);
}

/* ---- numbers ---- */

void assay_json_number(FILE *out, double value)
{
    char text[ASSAY_CELL_SIZE];

    if (isnan(value))
        (void)fputs("null", out);
    else if (isinf(value))
        (void)fputs(value > 0 ? "9e999" : "-9e999", out);
    else
        (void)fputs(assay_format_exact(text, value), out);
}

/* ---- values of a query ---- */

static bool is_truth(const char *name)
{
    return strncmp(name, "is_", 3) == 0 || strncmp(name, "can_", 4) == 0 ||
           strcmp(name, "decides") == 0 || strcmp(name, "git_dirty") == 0;
}

void assay_json_value(FILE *out, assay_cursor *row, int column)
{
    double value;

    if (assay_cursor_is_text(row, column))
        assay_json_text(out, assay_cursor_text(row, column));
    else if (!assay_cursor_number(row, column, &value))
        (void)fputs("null", out);
    else if (is_truth(assay_cursor_name(row, column)))
        (void)fputs(value != 0 ? "true" : "false", out);
    else if (assay_cursor_is_real(row, column))
        assay_json_number(out, value);
    else
        (void)fputs(assay_cursor_text(row, column), out); /* an integer of up to 64 bits */
}
