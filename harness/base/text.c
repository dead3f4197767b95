/* Text into fixed fields. */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
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
    /* Cut in front of the last character if its bytes may be incomplete. */
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
