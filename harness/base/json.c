/* Strings in JSON, and values one after the other. */
#include "json.h"

#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Returns the number of bytes of the UTF-8 character at `at`; 0 if it is not valid. Overlong forms,
 * surrogates and values above U+10FFFF are not valid. */
static int character_length(const unsigned char *at)
{
    static const struct {
        unsigned char first, last; /* of the first byte */
        unsigned char least, most; /* of the second byte */
        int           length;
    } forms[] = {
        { 0x00, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
        { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (at[0] < forms[i].first || at[0] > forms[i].last)
            continue;
        if (forms[i].length > 1 && (at[1] < forms[i].least || at[1] > forms[i].most))
            return 0;
        for (int k = 2; k < forms[i].length; k++) {
            if ((at[k] & 0xc0) != 0x80)
                return 0;
        }
        return forms[i].length;
    }
    return 0;
}

void assay_json_put_text(FILE *out, const char *text, const char *escaped)
{
    const unsigned char *at = (const unsigned char *)(text ? text : "");

    (void)fputc('"', out);
    while (*at) {
        const int length = character_length(at);

        if (length == 0)
            (void)fputs("\\ufffd", out);
        else if (*at == '"' || *at == '\\')
            (void)fprintf(out, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f || (length == 1 && strchr(escaped, *at)))
            (void)fprintf(out, "\\u%04x", *at);
        else
            (void)fwrite(at, 1, (size_t)length, out);
        at += length ? length : 1;
    }
    (void)fputc('"', out);
}

/* ---- values one after the other ---- */

static void begin(assay_json *j, const char *name)
{
    if (j->has_before)
        (void)fputc(',', j->out);
    j->has_before = true;
    if (!name)
        return;
    assay_json_put_text(j->out, name, "");
    (void)fputc(':', j->out);
}

void assay_json_open(assay_json *j, const char *name, char bracket)
{
    begin(j, name);
    (void)fputc(bracket, j->out);
    j->has_before = false;
}

void assay_json_open_line(assay_json *j)
{
    begin(j, NULL);
    (void)fputs("\n{", j->out);
    j->has_before = false;
}

void assay_json_close(assay_json *j, char bracket)
{
    (void)fputc(bracket, j->out);
    j->has_before = true;
}

void assay_json_add_text(assay_json *j, const char *name, const char *text)
{
    begin(j, name);
    if (text)
        assay_json_put_text(j->out, text, "");
    else
        (void)fputs("null", j->out);
}

void assay_json_add_count(assay_json *j, const char *name, int64_t value)
{
    begin(j, name);
    (void)fprintf(j->out, "%" PRId64, value);
}

void assay_json_add_real(assay_json *j, const char *name, double value)
{
    char text[32];

    begin(j, name);
    (void)fputs(isfinite(value) ? assay_text_exact(text, sizeof text, value) : "null", j->out);
}

void assay_json_add_truth(assay_json *j, const char *name, bool value)
{
    begin(j, name);
    (void)fputs(value ? "true" : "false", j->out);
}
