/* The runs of a database. */
#include "report_compare.h"

#include "api/exit_status.h"

#include "report_fields.h"
#include "report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- for people: 80 columns ---- */

static const struct {
    int         exit_status;
    const char *word;
} ends[] = {
    { ASSAY_EXIT_PASS, "passed" },       { ASSAY_EXIT_WRONG, "FAILED" },
    { ASSAY_EXIT_REGRESSION, "slower" }, { ASSAY_EXIT_CANNOT_TELL, "no verdict" },
    { ASSAY_EXIT_USAGE, "not judged" },  { ASSAY_EXIT_SKIPPED, "skipped" },
};

static const char *end_of(assay_cursor *row)
{
    const double status = assay_row_number(row, "exit_status");

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if ((int)status == ends[i].exit_status && !isnan(status))
            return ends[i].word;
    return assay_row_count(row, "is_open") ? "open" : "";
}

static void write_text_row(FILE *out, assay_cursor *row)
{
    (void)fprintf(out, "%5" PRId64 "  %-8.8s  %-10.10s %-5.5s  ", assay_row_count(row, "run_id"),
                  assay_row_text(row, "uuid"), assay_row_text(row, "started_utc"),
                  assay_row_text(row, "started_utc") + strlen("2026-11-30T"));
    (void)fprintf(out, "%-7.7s %-5.5s %7" PRId64 " %6" PRId64 " %6" PRId64 "  %s\n",
                  assay_row_text(row, "verb"), assay_row_text(row, "lane"),
                  assay_row_count(row, "n_points"), assay_row_count(row, "n_failed"),
                  assay_row_count(row, "n_ready"), end_of(row));
}

static assay_status write_text(assay_cursor *row, FILE *out)
{
    assay_status st;

    (void)fprintf(out,
                  "  run  uuid      started (UTC)     what    lane   points failed   open  end\n");
    while (assay_cursor_next(row, &st))
        write_text_row(out, row);
    return st;
}

/* ---- for programs ---- */

static const struct {
    const char *name;
    bool        is_number;
} columns[] = {
    { "run_id", true },      { "uuid", false },    { "started_utc", false }, { "ended_utc", false },
    { "exit_status", true }, { "verb", false },    { "command", false },     { "lane", false },
    { "device", false },     { "host", false },    { "git_commit", false },  { "git_dirty", true },
    { "n_points", true },    { "n_passed", true }, { "n_failed", true },     { "n_caught", true },
    { "n_skipped", true },   { "n_ready", true },
};
enum {
    N_COLUMNS = sizeof columns / sizeof columns[0]
};

static void read_fields(assay_cursor *row, assay_field *fields)
{
    for (int c = 0; c < N_COLUMNS; c++)
        fields[c] = columns[c].is_number ? ASSAY_NUMBER(assay_row_number(row, columns[c].name))
                                         : ASSAY_TEXT(assay_row_text(row, columns[c].name));
}

static assay_status write_rows(assay_cursor *row, bool is_json, FILE *out)
{
    assay_field  fields[N_COLUMNS];
    const char  *names[N_COLUMNS];
    assay_status st;
    int64_t      n = 0;

    for (int c = 0; c < N_COLUMNS; c++)
        names[c] = columns[c].name;
    if (is_json)
        (void)fputs("{\"runs\":[", out);
    else
        assay_write_csv_names(out, names, N_COLUMNS);
    while (assay_cursor_next(row, &st)) {
        read_fields(row, fields);
        if (is_json) {
            (void)fputs(n++ > 0 ? ",\n" : "\n", out);
            assay_write_json_fields(out, names, fields, N_COLUMNS);
            (void)fputc('}', out);
        } else
            assay_write_csv_fields(out, fields, N_COLUMNS);
    }
    if (is_json)
        (void)fputs("\n]}\n", out);
    return st;
}

assay_status assay_report_runs(assay_store *store, const char *format, FILE *out)
{
    assay_cursor *row = NULL;
    assay_status  st  = ASSAY_OK;

    ASSAY_CHECK(assay_store_query(store, "runs", 0, &row));
    if (strcmp(format, "text") == 0)
        ASSAY_CHECK(write_text(row, out));
    else
        ASSAY_CHECK(write_rows(row, strcmp(format, "json") == 0, out));
out:
    assay_cursor_close(row);
    return st;
}
