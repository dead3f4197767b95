/* Text into fixed fields. */
#ifndef ASSAY_TEXT_H
#define ASSAY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Formats into `to`, cutting what does not fit at a character's edge (UTF-8); returns `to`. */
char *assay_text_set(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Length of the character at `text` in bytes, at least 1. *is_shown: a terminal shows it as it is.
 * It does not where bytes steer it (control characters), turn the direction of what is read, take
 * no room, or are no UTF-8. */
size_t assay_text_character(const char *text, bool *is_shown);

/* A finite number with as few digits (15 to 17) as reading it back by strtod needs, and a point
 * whatever the locale has; `to` has room for 32 bytes. Returns `to`. */
char *assay_text_exact(char *to, size_t size, double value) __attribute__((nonnull));

/* Text of unknown origin for a terminal, in place: but for line feeds and tabs, each byte of what
 * is not shown becomes '?'. Returns text. */
char *assay_text_make_safe(char *text);

/* Does `text` start with `start`? Returns what follows, or NULL. */
const char *assay_text_after(const char *text, const char *start);

/* The rest of that line of `lines` which starts with `start`, into `to`; "" if there is none. The
 * last of several counts. */
void assay_text_option(const char *lines, const char *start, char *to, size_t size);

#ifdef __cplusplus
}
#endif
#endif
