/* Writes text into buffers of fixed size. */
#ifndef ASSAY_TEXT_H
#define ASSAY_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Formats into `to`. Text that does not fit is cut between two UTF-8 characters. Returns `to`. */
char *assay_text_set(char *to, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the bytes of the character at `text`, at least 1. *is_shown: does a terminal show it as
 * it is? It does not show control characters, marks of direction, characters without width, and
 * bytes that are not UTF-8. */
size_t assay_text_character(const char *text, bool *is_shown);

/* Writes a finite number with as few digits (15 to 17) as strtod needs to read it back, and with a
 * point in every locale. `to` has at least 32 bytes. Returns `to`. */
char *assay_text_exact(char *to, size_t size, double value) __attribute__((nonnull));

/* Makes text of unknown origin safe for a terminal, in place: each byte that is not shown becomes
 * '?', except line feeds and tabs. Returns text. */
char *assay_text_make_safe(char *text);

/* If `text` begins with `start`, returns what follows, else NULL. */
const char *assay_text_after(const char *text, const char *start);

/* Writes into `to` the rest of the line of `lines` that begins with `start`; "" if there is none.
 * Of several such lines the last one counts. */
void assay_text_option(const char *lines, const char *start, char *to, size_t size);

#ifdef __cplusplus
}
#endif
#endif
