/* Reports: which run, which format, and whether it was written. */
#include "report_internal.h"
#include "report_json.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const struct {
    const char *name;
    assay_status (*write)(const assay_report *report);
} format_table[] = {
    { "text", assay_report_screen },
    { "csv", assay_report_csv },
    { "json", assay_report_json },
    { "benchmark", assay_report_benchmark },
    { "md", assay_report_markdown },
    { "html", assay_report_html },
    { "csv-axes", assay_report_csv_axes },
    { "github-action-benchmark", assay_report_github },
    { "bencher", assay_report_bencher },
    { "junit", assay_report_junit },
    { "details", assay_report_text }, /* the format "text" with details */
    { "benchmark_details", assay_report_benchmark_details },
    { "sections", assay_report_traced }, /* of one traced point: for the end of a trace */
    { "failed", assay_report_failed },   /* beside a report in another program's form */
    { "brief", assay_report_brief },     /* instead of a report, where one line is enough */
};

const char *const assay_report_formats[] = { "text",    "csv",       "csv-axes",
                                             "json",    "benchmark", "github-action-benchmark",
                                             "bencher", "junit",     "md",
                                             "html",    NULL };

const char *assay_report_format(const char *format, bool has_details)
{
    if (!has_details)
        return format;
    return strcmp(format, "benchmark") == 0 ? "benchmark_details" : "details";
}

static assay_status require_run(assay_report *report, const char *database)
{
    assay_cursor *row   = NULL;
    bool          found = true;
    assay_status  st    = ASSAY_OK;

    if (report->run_id == 0)
        ASSAY_CHECK(assay_store_latest_run(report->store, &report->run_id, &found));
    ASSAY_REQUIRE(found, ASSAY_E_NOTHING,
                  "%s: no run has finished a point yet: run `assay check` first", database);
    ASSAY_CHECK(assay_store_query(report->store, "run", report->run_id, &row));
    found = assay_cursor_next(row, &st);
    if (st == ASSAY_OK && !found)
        st = ASSAY_FAIL(ASSAY_E_NOTHING, "%s: there is no run %" PRId64, database, report->run_id);
out:
    assay_cursor_close(row);
    return st;
}

static assay_status write_format(const assay_report *report, const char *format)
{
    for (size_t i = 0; i < sizeof format_table / sizeof format_table[0]; i++)
        if (strcmp(format_table[i].name, format) == 0)
            return format_table[i].write(report);
    return ASSAY_FAIL(ASSAY_E_USAGE, "there is no report format '%s'", format);
}

assay_status assay_report_write(const char *database, int64_t run_id, const char *format, FILE *out)
{
    assay_report report = { .run_id = run_id, .out = out };
    assay_status st;

    ASSAY_CHECK(assay_store_open(database, ASSAY_STORE_READ, &report.store));
    ASSAY_CHECK(require_run(&report, database));
    ASSAY_CHECK(write_format(&report, format));
    ASSAY_REQUIRE(fflush(out) == 0 && !ferror(out), ASSAY_E_IO, "the report cannot be written: %s",
                  strerror(errno));
out:
    assay_store_close(report.store);
    return st;
}
