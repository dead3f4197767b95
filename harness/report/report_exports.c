/* Formats for services that follow a project over its commits: a number for each point and regime
 * whose time can be trusted, with how far it can be off. */
#include "base/text.h"
#include "report_json.h"
#include "store/series/store_cells.h"

#include <inttypes.h>
#include <math.h>

static void write_name(FILE *out, assay_cursor *row)
{
    char name[ASSAY_KEY_SIZE + ASSAY_NAME_SIZE];

    (void)snprintf(name, sizeof name, "%s/%s", assay_row_text(row, "key"),
                   assay_row_text(row, "regime"));
    assay_json_text(out, name);
}

/* ---- github-action-benchmark: tool customSmallerIsBetter ---- */

/* The text that is shown beside a point of the chart. */
static void write_extra(FILE *out, assay_cursor *row)
{
    const char   *commit      = assay_row_text(row, "git_commit");
    const int64_t n_processes = assay_row_count(row, "n_processes");
    char          doubt[ASSAY_CELL_SIZE], processes[ASSAY_CELL_SIZE] = "", text[1024];

    if (n_processes > 0)
        (void)assay_text_set(processes, sizeof processes, " in %" PRId64 " processes", n_processes);
    (void)assay_format_doubt(doubt, row);
    (void)assay_text_set(
        text, sizeof text, "clock: %s\nsamples: %" PRId64 "%s\ndevice: %s\nrun: %s%s%.12s%s%s",
        assay_row_text(row, "clock"), assay_row_count(row, "n_samples"), processes,
        assay_row_text(row, "device"), assay_row_text(row, "uuid"), *commit ? "\ncommit: " : "",
        commit, *doubt != '-' ? "\nnot to be trusted as it is: " : "", *doubt != '-' ? doubt : "");
    (void)fputs(",\"extra\":", out);
    assay_json_text(out, text);
}

static void write_github(FILE *out, assay_cursor *row)
{
    const double time_ns = assay_row_number(row, "median_ns");
    const double off_ns  = assay_cell_uncertainty(row) * time_ns;
    char         text[ASSAY_CELL_SIZE];

    (void)fputs("{\"name\":", out);
    write_name(out, row);
    (void)fputs(",\"unit\":\"ns\",\"value\":", out);
    assay_json_number(out, time_ns);
    if (isfinite(off_ns))
        (void)fprintf(out, ",\"range\":\"\xC2\xB1 %s\"", assay_format_number(text, off_ns, 3));
    write_extra(out, row);
    (void)fputc('}', out);
}

/* ---- Bencher's metric format ---- */

static void write_bencher(FILE *out, assay_cursor *row)
{
    const double time_ns = assay_row_number(row, "median_ns");
    const double off_ns  = assay_cell_uncertainty(row) * time_ns;

    write_name(out, row);
    (void)fputs(":{\"latency\":{\"value\":", out);
    assay_json_number(out, time_ns);
    if (isfinite(off_ns)) {
        (void)fputs(",\"lower_value\":", out);
        assay_json_number(out, fmax(time_ns - off_ns, 0));
        (void)fputs(",\"upper_value\":", out);
        assay_json_number(out, time_ns + off_ns);
    }
    (void)fputs("}}", out);
}

/* ---- all of them ---- */

static assay_status write_times(const assay_report *report, const char *brackets,
                                void (*write)(FILE *out, assay_cursor *row))
{
    assay_cursor *row     = NULL;
    bool          is_more = false;
    assay_status  st;

    (void)fputc(brackets[0], report->out);
    ASSAY_CHECK(assay_store_query(report->store, "export_times", report->run_id, &row));
    while (assay_cursor_next(row, &st)) {
        (void)fputs(is_more ? ",\n" : "\n", report->out);
        is_more = true;
        write(report->out, row);
    }
    ASSAY_CHECK(st);
    (void)fprintf(report->out, "\n%c\n", brackets[1]);
out:
    assay_cursor_close(row);
    return st;
}

assay_status assay_report_github(const assay_report *report)
{
    return write_times(report, "[]", write_github);
}

assay_status assay_report_bencher(const assay_report *report)
{
    return write_times(report, "{}", write_bencher);
}
