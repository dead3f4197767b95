/* The CSV report: RFC 4180, fixed columns in fixed order, one line a measurement block. Null and
 * NaN are empty, infinity is inf; a line ends with CR LF. What a spreadsheet would run as a
 * formula has an apostrophe before it. */
#include "report_internal.h"

#include "base/csv_read.h"

#include <string.h>

void assay_write_csv(FILE *out, const char *text)
{
    const size_t n     = strlen(text);
    const char  *guard = assay_csv_is_formula(text) ? "'" : "";
    const bool   special =
        strpbrk(text, ",\"\r\n") != NULL || (n > 0 && (text[0] == ' ' || text[n - 1] == ' '));

    if (!special) {
        (void)fprintf(out, "%s%s", guard, text);
        return;
    }
    (void)fprintf(out, "\"%s", guard);
    for (; *text; text++) {
        if (*text == '"')
            (void)fputc('"', out);
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

static void write_value(FILE *out, assay_cursor *row, int column)
{
    char   text[ASSAY_CELL_SIZE];
    double value;

    if (assay_cursor_is_real(row, column) && assay_cursor_number(row, column, &value)) {
        assay_write_csv(out, assay_format_exact(text, value));
    } else {
        const char *given = assay_cursor_text(row, column);

        assay_write_csv(out, given ? given : "");
    }
}

static void end_field(FILE *out, int column, int n)
{
    (void)fputs(column + 1 < n ? "," : "\r\n", out);
}

assay_status assay_report_csv(const assay_report *report)
{
    assay_cursor *row = NULL;
    assay_status  st;
    int           n;

    ASSAY_CHECK(assay_store_query(report->store, "csv", report->run_id, &row));
    n = assay_cursor_columns(row);
    for (int c = 0; c < n; c++) {
        assay_write_csv(report->out, assay_cursor_name(row, c));
        end_field(report->out, c, n);
    }
    while (assay_cursor_next(row, &st)) {
        for (int c = 0; c < n; c++) {
            write_value(report->out, row, c);
            end_field(report->out, c, n);
        }
    }
out:
    assay_cursor_close(row);
    return st;
}
