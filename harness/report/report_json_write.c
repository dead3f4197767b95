/* JSON as RFC 8259 has it: strings, numbers, values of a query. */
#include "report_json.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

void assay_json_text(FILE *out, const char *text) { assay_json_put_text(out, text, "<"); }

/* ---- numbers ---- */

void assay_json_number(FILE *out, double value)
{
    char text[ASSAY_CELL_SIZE];

    if (isnan(value))
        (void)fputs("null", out);
    else if (isinf(value))
        (void)fputs(value > 0 ? "9e999" : "-9e999", out);
    else
        (void)fputs(assay_format_exact(text, value), out);
}

/* ---- values of a query ---- */

static bool is_truth(const char *name)
{
    return strncmp(name, "is_", 3) == 0 || strncmp(name, "can_", 4) == 0 ||
           strcmp(name, "decides") == 0 || strcmp(name, "git_dirty") == 0;
}

void assay_json_value(FILE *out, assay_cursor *row, int column)
{
    double value;

    if (assay_cursor_is_text(row, column))
        assay_json_text(out, assay_cursor_text(row, column));
    else if (!assay_cursor_number(row, column, &value))
        (void)fputs("null", out);
    else if (is_truth(assay_cursor_name(row, column)))
        (void)fputs(value != 0 ? "true" : "false", out);
    else if (assay_cursor_is_real(row, column))
        assay_json_number(out, value);
    else
        (void)fputs(assay_cursor_text(row, column), out); /* an integer of up to 64 bits */
}
