/* The text report's lines on what all numbers of a run depend on: the thresholds they were taken
 * with, what the device can do, and what could not be measured. */
#include "report_internal.h"

#include <inttypes.h>
#include <math.h>

typedef void write_row_fn(FILE *out, assay_cursor *row);

/* Writes every row of a query by one function. */
static assay_status write_rows(const assay_report *report, const char *query, write_row_fn *write)
{
    assay_cursor *row = NULL;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, query, report->run_id, &row));
    while (assay_cursor_next(row, &st))
        write(report->out, row);
out:
    assay_cursor_close(row);
    return st;
}

static void write_policy(FILE *out, assay_cursor *row)
{
    char a[ASSAY_CELL_SIZE], b[ASSAY_CELL_SIZE], c[ASSAY_CELL_SIZE];

    (void)fprintf(out,
                  "timing    %" PRId64 " processes of %s s a point, %" PRId64
                  " blocks of each metric in each, until %s %% or %" PRId64
                  " samples; event clock from %s on\n",
                  assay_row_count(row, "n_processes"),
                  assay_format_number(a, assay_row_number(row, "budget_s"), 3),
                  assay_row_count(row, "n_blocks"),
                  assay_format_number(b, 100 * assay_row_number(row, "target_relative_error"), 2),
                  assay_row_count(row, "max_samples"),
                  assay_format_time(c, assay_row_number(row, "short_ns")));
}

/* The wall time of timing alone, and of everything that was done for the same points. */
static void write_cost(FILE *out, assay_cursor *row)
{
    const double n         = assay_row_number(row, "n_points");
    const double n_samples = assay_row_number(row, "n_samples");
    const double timing_ns = 1e9 * assay_row_number(row, "timing_s");
    const double whole_ns  = 1e9 * assay_row_number(row, "whole_s");
    char         a[ASSAY_CELL_SIZE], b[ASSAY_CELL_SIZE], c[ASSAY_CELL_SIZE];

    if (isnan(timing_ns))
        return;
    (void)fprintf(out, "wall time timing alone %s: %s a point, at most %s (",
                  assay_format_time(a, timing_ns), assay_format_time(b, timing_ns / n),
                  assay_format_time(c, 1e9 * assay_row_number(row, "most_s")));
    assay_write_clean(out, assay_row_text(row, "key"));
    (void)fputs(")\n", out);
    if (n_samples > 0)
        (void)fprintf(out, "          %s a sample, of which it times %s (%.0f samples)\n",
                      assay_format_time(a, timing_ns / n_samples),
                      assay_format_time(b, 1e9 * assay_row_number(row, "timed_s") / n_samples),
                      n_samples);
    /* Files of an earlier build have the time of the checks alone. */
    if (whole_ns >= timing_ns)
        (void)fprintf(out, "          with checks and set-up %s: %s a point\n",
                      assay_format_time(a, whole_ns), assay_format_time(b, whole_ns / n));
}

/* A/A comparisons: the method cannot tell apart differences of this size. */
static void write_aa(FILE *out, assay_cursor *row)
{
    const int64_t n           = assay_row_count(row, "n");
    const int64_t n_intervals = assay_row_count(row, "n_intervals");
    const int64_t n_unknown   = assay_row_count(row, "n_unknown");
    const double  largest     = assay_row_number(row, "largest");
    char          text[ASSAY_CELL_SIZE];

    (void)fprintf(out, "A/A       %" PRId64 " comparison%s of a point with itself: ", n,
                  n == 1 ? "" : "s");
    if (n_intervals > 0)
        (void)fprintf(out, "%" PRId64 " of %" PRId64 " intervals exclude 1",
                      assay_row_count(row, "n_excluding"), n_intervals);
    else
        (void)fputs("no interval (fewer than 3 processes)", out);
    if (!isnan(largest))
        (void)fprintf(out, ", largest |ratio - 1| %s %%",
                      assay_format_number(text, 100 * largest, 2));
    if (n_unknown > 0)
        (void)fprintf(out, "; %" PRId64 " cannot be told", n_unknown);
    (void)fputc('\n', out);
}

static void write_nvml(FILE *out, assay_cursor *row)
{
    const int64_t n = assay_row_count(row, "n_measurements");

    (void)fprintf(
        out,
        "NVML      clock reasons, power and temperature unknown (%" PRId64 " measurement%s): ", n,
        n == 1 ? "" : "s");
    assay_write_clean(out, assay_row_text(row, "why"));
    (void)fputc('\n', out);
}

static void write_uncounted(FILE *out, assay_cursor *row)
{
    const int64_t n = assay_row_count(row, "n_metrics");

    (void)fprintf(out, "counters  %" PRId64 " not counted (", n);
    assay_write_clean(out, assay_row_text(row, "name"));
    (void)fputs(n > 1 ? ", ...): " : "): ", out);
    assay_write_clean(out, assay_row_text(row, "status"));
    if (*assay_row_text(row, "reason")) {
        (void)fputs(": ", out);
        assay_write_clean(out, assay_row_text(row, "reason"));
    }
    (void)fputc('\n', out);
}

/* ---- floor and ceilings ---- */

static const assay_column ceiling_columns[] = {
    { "regime", false },     { "clock", false },     { "working set", true },
    { "null kernel", true }, { "copy GB/s", true },  { "read GB/s", true },
    { "write GB/s", true },  { "triad GB/s", true }, { "fp32 Gflop/s", true },
};

static void add_ceiling(assay_table *table, assay_cursor *row)
{
    static const char *const rates[] = { "copy_rate", "read_rate", "write_rate", "triad_rate",
                                         "fma_rate" };
    const double             bytes   = assay_row_number(row, "working_set_bytes");
    char                     text[ASSAY_CELL_SIZE];

    assay_table_add_text(table, row, "regime");
    assay_table_add_text(table, row, "clock");
    assay_table_add(table, "%s", bytes > 0 ? assay_format_bytes(text, bytes) : "-");
    assay_table_add_time(table, row, "null_ns");
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
        assay_table_add_number(table, assay_row_number(row, rates[i]) * 1e-9, 4);
}

static assay_status write_ceilings(const assay_report *report)
{
    assay_table   table = { .columns   = ceiling_columns,
                            .n_columns = (int)(sizeof ceiling_columns / sizeof ceiling_columns[0]) };
    assay_cursor *row   = NULL;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, "ceilings", report->run_id, &row));
    while (assay_cursor_next(row, &st))
        add_ceiling(&table, row);
    ASSAY_CHECK(st);
    if (table.n_cells > 0)
        (void)fputs("\nFloor and ceilings of the device\n\n", report->out);
    ASSAY_CHECK(assay_table_print(&table, report->out, 2));
out:
    assay_table_free(&table);
    assay_cursor_close(row);
    return st;
}

assay_status assay_report_grounds(const assay_report *report)
{
    assay_status st;

    ASSAY_CHECK(write_rows(report, "policies", write_policy));
    ASSAY_CHECK(write_rows(report, "cost", write_cost));
    ASSAY_CHECK(write_rows(report, "aa", write_aa));
    ASSAY_CHECK(write_rows(report, "nvml", write_nvml));
    ASSAY_CHECK(write_rows(report, "uncounted", write_uncounted));
    ASSAY_CHECK(write_ceilings(report));
out:
    return st;
}
