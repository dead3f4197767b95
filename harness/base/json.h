/* Strings in JSON (RFC 8259). */
#ifndef ASSAY_JSON_H
#define ASSAY_JSON_H

#include <stdio.h>

/* A string with its quotes: "" for NULL. Whatever bytes it has, the result is valid UTF-8: a byte
 * that is none becomes U+FFFD. The ASCII characters of `escaped` ("": none) are written by their
 * code, besides those that always are. */
void assay_json_put_text(FILE *out, const char *text, const char *escaped);

#endif
