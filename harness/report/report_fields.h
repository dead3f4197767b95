/* Rows with named fields, as CSV and as JSON. Only reports include it. */
#ifndef ASSAY_REPORT_FIELDS_H
#define ASSAY_REPORT_FIELDS_H

#include "report_json.h"

typedef struct assay_field {
    enum {
        ASSAY_FIELD_TEXT,
        ASSAY_FIELD_NUMBER, /* NaN: unknown */
        ASSAY_FIELD_TRUTH
    } kind;
    const char *text;
    double      number;
    bool        truth;
} assay_field;

#define ASSAY_TEXT(x)   ((assay_field) { .kind = ASSAY_FIELD_TEXT, .text = (x) })
#define ASSAY_NUMBER(x) ((assay_field) { .kind = ASSAY_FIELD_NUMBER, .number = (double)(x) })
#define ASSAY_TRUTH(x)  ((assay_field) { .kind = ASSAY_FIELD_TRUTH, .truth = (x) })

/* RFC 4180: a line ends with CR LF; NaN is empty, a bool is 0 or 1. */
void assay_write_csv_names(FILE *out, const char *const *names, size_t n);
void assay_write_csv_fields(FILE *out, const assay_field *fields, size_t n);
/* Writes {"name":value,... without the closing brace, since more may follow. */
void assay_write_json_fields(FILE *out, const char *const *names, const assay_field *fields,
                             size_t n);

#endif
