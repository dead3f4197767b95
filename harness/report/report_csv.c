/* The CSV report: RFC 4180, fixed columns in fixed order, one line for each block of a measurement.
 * Null and NaN are empty, infinity is inf; a line ends with CR LF. A cell that a spreadsheet would
 * run as a formula begins with an apostrophe. On request a column for each axis of the run comes
 * last. */
#include "report_internal.h"

#include "base/csv_read.h"

#include <stdlib.h>
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

/* ---- a column for each axis ---- */

/* The axes of the run, in the order in which they occur first. */
typedef struct axis_names {
    char **name;
    int    n;
} axis_names;

static void free_names(axis_names *names)
{
    for (int i = 0; i < names->n; i++)
        free(names->name[i]);
    free(names->name);
}

static assay_status read_names(const assay_report *report, axis_names *names)
{
    assay_cursor *row = NULL;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, "export_axes", report->run_id, &row));
    while (assay_cursor_next(row, &st)) {
        char **grown = realloc(names->name, ((size_t)names->n + 1) * sizeof *grown);

        ASSAY_REQUIRE(grown, ASSAY_E_MEMORY, "out of memory for the axes");
        names->name     = grown;
        grown[names->n] = strdup(assay_row_text(row, "name"));
        ASSAY_REQUIRE(grown[names->n], ASSAY_E_MEMORY, "out of memory for the axes");
        names->n++;
    }
out:
    assay_cursor_close(row);
    return st;
}

static void write_axis_titles(FILE *out, const axis_names *names)
{
    char title[ASSAY_NAME_SIZE + sizeof ASSAY_CSV_AXIS];

    for (int i = 0; i < names->n; i++) {
        (void)snprintf(title, sizeof title, ASSAY_CSV_AXIS "%s", names->name[i]);
        (void)fputc(',', out);
        assay_write_csv(out, title);
    }
}

/* A cell is empty if the case has no such axis. */
static void write_axis_values(FILE *out, const axis_names *names, const char *config)
{
    char value[ASSAY_KEY_SIZE];

    for (int i = 0; i < names->n; i++) {
        (void)fputc(',', out);
        if (assay_store_axis_value(config, names->name[i], value, sizeof value))
            assay_write_csv(out, value);
    }
}

/* ---- the table ---- */

static assay_status write_table(const assay_report *report, const axis_names *names)
{
    FILE         *out = report->out;
    assay_cursor *row = NULL;
    assay_status  st;
    int           n, config;

    ASSAY_CHECK(assay_store_query(report->store, "csv", report->run_id, &row));
    n      = assay_cursor_columns(row);
    config = assay_cursor_find(row, "config");
    for (int c = 0; c < n; c++) {
        (void)fputs(c > 0 ? "," : "", out);
        assay_write_csv(out, assay_cursor_name(row, c));
    }
    write_axis_titles(out, names);
    (void)fputs("\r\n", out);
    while (assay_cursor_next(row, &st)) {
        for (int c = 0; c < n; c++) {
            (void)fputs(c > 0 ? "," : "", out);
            write_value(out, row, c);
        }
        write_axis_values(out, names, assay_cursor_text(row, config));
        (void)fputs("\r\n", out);
    }
out:
    assay_cursor_close(row);
    return st;
}

assay_status assay_report_csv(const assay_report *report)
{
    return write_table(report, &(axis_names) { .n = 0 });
}

assay_status assay_report_csv_axes(const assay_report *report)
{
    axis_names   names = { .n = 0 };
    assay_status st;

    ASSAY_CHECK(read_names(report, &names));
    ASSAY_CHECK(write_table(report, &names));
out:
    free_names(&names);
    return st;
}
