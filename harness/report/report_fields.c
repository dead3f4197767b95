/* Rows whose fields have names, as CSV and as JSON. */
#include "report_fields.h"

#include <math.h>

void assay_write_csv_names(FILE *out, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assay_write_csv(out, names[i]);
        (void)fputs(i + 1 < n ? "," : "\r\n", out);
    }
}

static void write_csv_field(FILE *out, const assay_field *field)
{
    char text[ASSAY_CELL_SIZE];

    if (field->kind == ASSAY_FIELD_TEXT)
        assay_write_csv(out, field->text);
    else if (field->kind == ASSAY_FIELD_TRUTH)
        (void)fputc(field->truth ? '1' : '0', out);
    else if (!isnan(field->number))
        assay_write_csv(out, assay_format_exact(text, field->number));
}

void assay_write_csv_fields(FILE *out, const assay_field *fields, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        write_csv_field(out, &fields[i]);
        (void)fputs(i + 1 < n ? "," : "\r\n", out);
    }
}

void assay_write_json_fields(FILE *out, const char *const *names, const assay_field *fields,
                             size_t n)
{
    for (size_t i = 0; i < n; i++) {
        (void)fprintf(out, "%s\"%s\":", i > 0 ? "," : "{", names[i]);
        if (fields[i].kind == ASSAY_FIELD_TEXT)
            assay_json_text(out, fields[i].text);
        else if (fields[i].kind == ASSAY_FIELD_NUMBER)
            assay_json_number(out, fields[i].number);
        else
            (void)fputs(fields[i].truth ? "true" : "false", out);
    }
}
