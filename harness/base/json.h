/* JSON (RFC 8259): strings, and values one after the other with commas where they belong. */
#ifndef ASSAY_JSON_H
#define ASSAY_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A string with its quotes: "" for NULL. Whatever bytes it has, the result is valid UTF-8: a byte
 * that is none becomes U+FFFD. The ASCII characters of `escaped` ("": none) are written by their
 * code, besides those that always are. */
void assay_json_put_text(FILE *out, const char *text, const char *escaped);

/* A document on its way; it begins as { .out = out }. Names are NULL within an array. */
typedef struct assay_json {
    FILE *out;
    bool  has_before; /* a value stands before the next one */
} assay_json;

void assay_json_open(assay_json *j, const char *name, char bracket); /* '{' or '[' */
void assay_json_close(assay_json *j, char bracket);                  /* '}' or ']' */
/* A member that is an object of its own line. */
void assay_json_open_line(assay_json *j);
void assay_json_add_text(assay_json *j, const char *name, const char *text); /* NULL: null */
void assay_json_add_count(assay_json *j, const char *name, int64_t value);
void assay_json_add_real(assay_json *j, const char *name, double value); /* not finite: null */
void assay_json_add_truth(assay_json *j, const char *name, bool value);

#endif
