/* Writes text into buffers of fixed size. */
#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *assay_text_set(char *to, size_t size, const char *format, ...)
{
    va_list list;
    int     length = 0;

    va_start(list, format);
    length = vsnprintf(to, size, format, list);
    va_end(list);
    if (length >= 0 && (size_t)length < size)
        return to;
    /* Cuts before the last character if its bytes may be incomplete. */
    size_t end = strlen(to);

    while (end > 0 && ((unsigned char)to[end - 1] & 0xC0) == 0x80)
        end--;
    if (end > 0 && ((unsigned char)to[end - 1] & 0x80))
        to[end - 1] = '\0';
    return to;
}

const char *assay_text_after(const char *text, const char *start)
{
    const size_t length = strlen(start);

    return strncmp(text, start, length) == 0 ? text + length : NULL;
}

void assay_text_option(const char *lines, const char *start, char *to, size_t size)
{
    to[0] = '\0';
    while (*lines) {
        const size_t length = strcspn(lines, "\n");
        const char  *value  = assay_text_after(lines, start);

        if (value)
            (void)assay_text_set(to, size, "%.*s", (int)(length - strlen(start)), value);
        lines += length + (lines[length] == '\n');
    }
}

/* Ranges of characters that a terminal does not show, or that change how text is read. */
static const uint32_t hidden[][2] = {
    { 0x00, 0x1F },       /* control characters: an escape sequence controls the terminal */
    { 0x7F, 0x9F },       /* control characters of two bytes */
    { 0x061C, 0x061C },   /* marks of direction */
    { 0x180E, 0x180E },   /* without width */
    { 0x200B, 0x200F },   /* without width, and marks of direction */
    { 0x2028, 0x202E },   /* ends of line, and turns of direction */
    { 0x2060, 0x206F },   /* without width, and turns of direction */
    { 0xD800, 0xDFFF },   /* no characters */
    { 0xFEFF, 0xFEFF },   /* without width */
    { 0xFFF9, 0xFFFB },   /* notes between lines */
    { 0xE0000, 0xE0FFF }, /* tags */
};

static bool is_hidden(uint32_t character)
{
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (character >= hidden[i][0] && character <= hidden[i][1])
            return true;
    return false;
}

/* Returns the bytes of the UTF-8 character at `text`; 0: no character begins there. */
static size_t decode(const unsigned char *text, uint32_t *character)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const size_t          n       = text[0] < 0x80             ? 1
                                    : (text[0] & 0xE0) == 0xC0 ? 2
                                    : (text[0] & 0xF0) == 0xE0 ? 3
                                    : (text[0] & 0xF8) == 0xF0 ? 4
                                                               : 0;

    *character = n > 1 ? text[0] & (0x7Fu >> n) : text[0];
    for (size_t i = 1; i < n; i++) {
        if ((text[i] & 0xC0) != 0x80) /* includes the end of the text */
            return 0;
        *character = *character << 6 | (text[i] & 0x3Fu);
    }
    return n > 0 && *character >= least[n] && *character <= 0x10FFFF ? n : 0;
}

size_t assay_text_character(const char *text, bool *is_shown)
{
    uint32_t     character = 0;
    const size_t n         = decode((const unsigned char *)text, &character);

    *is_shown = n > 0 && !is_hidden(character);
    return n > 0 ? n : 1;
}

char *assay_text_exact(char *to, size_t size, double value)
{
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(to, size, "%.*g", digits, value);
        if (strtod(to, NULL) == value)
            break;
    }
    for (char *p = to; *p; p++)
        if (*p == ',')
            *p = '.';
    return to;
}

char *assay_text_make_safe(char *text)
{
    bool is_shown = false;

    for (char *at = text; *at;) {
        const size_t n = assay_text_character(at, &is_shown);

        if (!is_shown && *at != '\n' && *at != '\t')
            memset(at, '?', n);
        at += n;
    }
    return text;
}
