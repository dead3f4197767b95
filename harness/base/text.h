/* Text into fixed fields. */
#ifndef ASSAY_TEXT_H
#define ASSAY_TEXT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Formats into `to`, cutting what does not fit at a character's edge (UTF-8); returns `to`. */
char *assay_text_set(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes text of unknown origin safe for a terminal, in place: bytes that steer one (control
 * characters, but for line feeds and tabs), characters that turn the direction of what is read or
 * cannot be seen, and bytes that are no UTF-8 each become '?' for a byte. Returns text. */
char *assay_text_make_safe(char *text);

/* Does `text` start with `start`? Returns what follows, or NULL. */
const char *assay_text_after(const char *text, const char *start);

#ifdef __cplusplus
}
#endif
#endif
