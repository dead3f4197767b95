/* Writes JSON (RFC 8259): strings, and values with the commas between them. */
#ifndef ASSAY_JSON_H
#define ASSAY_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes a string with its quotes; "" for NULL. The result is always valid UTF-8: an invalid byte
 * becomes U+FFFD. ASCII characters in `escaped` ("": none) are written by their code, besides those
 * that always are. */
void assay_json_put_text(FILE *out, const char *text, const char *escaped);

/* A document that is being written. Initialise it with { .out = out }. Names are NULL inside an
 * array. */
typedef struct assay_json {
    FILE *out;
    bool  has_before; /* a value precedes the next one */
} assay_json;

void assay_json_open(assay_json *j, const char *name, char bracket); /* '{' or '[' */
void assay_json_close(assay_json *j, char bracket);                  /* '}' or ']' */
/* A member whose value is an object on its own line. */
void assay_json_open_line(assay_json *j);
void assay_json_add_text(assay_json *j, const char *name,
                         const char *text); /* NULL is written as null */
void assay_json_add_count(assay_json *j, const char *name, int64_t value);
void assay_json_add_real(assay_json *j, const char *name,
                         double value); /* a number that is not finite is written as null */
void assay_json_add_truth(assay_json *j, const char *name, bool value);

#endif
