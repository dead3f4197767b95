/* The text report's tables of what stands behind the times: memory, tuning, sections, launches and
 * counters of a point; policy, floor and ceilings of a run. */
#include "report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COLUMNS(array) .columns = (array), .n_columns = (int)(sizeof(array) / sizeof(array)[0])

/* ---- memory ---- */

static void add_bytes(assay_table *table, assay_cursor *row, const char *column)
{
    const double bytes = assay_row_number(row, column);
    char         text[ASSAY_CELL_SIZE];

    assay_table_add(table, "%s", isnan(bytes) ? "-" : assay_format_bytes(text, bytes));
}

static const assay_column memory_columns[] = {
    { "variant", false }, { "workspace", true }, { "buffers", true }, { "peak", true }
};

static void add_memory(assay_table *table, assay_cursor *row)
{
    assay_table_add_text(table, row, "variant");
    add_bytes(table, row, "workspace_bytes");
    add_bytes(table, row, "device_bytes");
    add_bytes(table, row, "peak_bytes");
}

assay_status assay_report_memory(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = { .title = "memory on the device, largest of all points",
                                           COLUMNS(memory_columns),
                                           .add = add_memory };

    return assay_report_case_table(out, s, id, &what);
}

/* ---- tuning ---- */

static const assay_column trial_columns[] = {
    { "variant", false }, { "tried", true },   { "failed", true },
    { "chosen", false },  { "regime", false }, { "clock", false },
    { "median", true },   { "slowest", true }, { "from", false },
};

static void add_trial(assay_table *table, assay_cursor *row)
{
    assay_table_add_text(table, row, "variant");
    assay_table_add_count(table, row, "n_trials");
    assay_table_add_count(table, row, "n_failed");
    assay_table_add_text(table, row, "tuning");
    assay_table_add_text(table, row, "regime");
    assay_table_add_text(table, row, "clock");
    assay_table_add_time(table, row, "median_ns");
    assay_table_add_time(table, row, "slowest_ns");
    assay_table_add_text(table, row, "reason");
}

assay_status assay_report_trials(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = {
        .title = "tuning", COLUMNS(trial_columns), .by_axes = true, .add = add_trial
    };

    return assay_report_case_table(out, s, id, &what);
}

/* ---- sections ---- */

static const assay_column section_columns[] = { { "variant", false },
                                                { "section", false },
                                                { "launches", true },
                                                { "time", true },
                                                { "share", true } };

static void add_percent(assay_table *table, double share)
{
    char text[ASSAY_CELL_SIZE];

    if (isnan(share))
        assay_table_add(table, "-");
    else
        assay_table_add(table, "%s %%", assay_format_number(text, 100 * share, 3));
}

static void add_section(assay_table *table, assay_cursor *row)
{
    assay_table_add_text(table, row, "variant");
    assay_table_add_text(table, row, "name");
    assay_table_add_count(table, row, "launches");
    assay_table_add_time(table, row, "time_ns");
    add_percent(table, assay_row_number(row, "share"));
}

assay_status assay_report_sections(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = { .title = "sections of a call (hot, record)",
                                           COLUMNS(section_columns),
                                           .by_axes = true,
                                           .add     = add_section };

    return assay_report_case_table(out, s, id, &what);
}

static const assay_column traced_columns[] = {
    { "section", false }, { "launches a call", true }, { "time a call", true }, { "share", true }
};

static void add_traced(assay_table *table, assay_cursor *row)
{
    assay_table_add_text(table, row, "name");
    assay_table_add_count(table, row, "launches");
    assay_table_add_time(table, row, "time_ns");
    add_percent(table, assay_row_number(row, "share"));
}

/* What the host of a peer did, measured by the peer's own tool. */
static assay_status write_told(const assay_report *report)
{
    static const assay_column columns[] = { { "of the host", false }, { "value", true } };
    assay_table               table     = { .columns = columns, .n_columns = 2 };
    assay_cursor             *row       = NULL;
    char                      text[ASSAY_CELL_SIZE];
    assay_status              st;

    ASSAY_CHECK(assay_store_query(report->store, "facts", report->run_id, &row));
    while (assay_cursor_next(row, &st))
        if (strcmp(assay_row_text(row, "replay"), ASSAY_TOLD_BY_PEER) == 0) {
            assay_table_add_text(&table, row, "name");
            assay_table_add(&table, "%s",
                            assay_format_number(text, assay_row_number(row, "value"), 6));
        }
    ASSAY_CHECK(st);
    if (table.n_cells > 0)
        (void)fputc('\n', report->out);
    ASSAY_CHECK(assay_table_print(&table, report->out, 2));
out:
    assay_table_free(&table);
    assay_cursor_close(row);
    return st;
}

assay_status assay_report_traced(const assay_report *report)
{
    assay_table   table = { .columns   = traced_columns,
                            .n_columns = sizeof traced_columns / sizeof traced_columns[0] };
    assay_cursor *row   = NULL;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, "sections", report->run_id, &row));
    while (assay_cursor_next(row, &st)) {
        if (table.n_cells == 0) {
            assay_write_clean(report->out, assay_row_text(row, "case_name"));
            (void)fputc('/', report->out);
            assay_write_clean(report->out, assay_row_text(row, "variant"));
            (void)fputs(" at ", report->out);
            assay_write_clean(report->out, assay_row_text(row, "axes"));
            (void)fputs(" passed; sections of a call (hot, record):\n\n", report->out);
        }
        add_traced(&table, row);
    }
    ASSAY_CHECK(st);
    if (table.n_cells == 0)
        (void)fputs("The call started nothing on the device: there are no sections.\n",
                    report->out);
    ASSAY_CHECK(assay_table_print(&table, report->out, 2));
    ASSAY_CHECK(write_told(report));
out:
    assay_table_free(&table);
    assay_cursor_close(row);
    return st;
}

/* ---- launches ---- */

static const assay_column launch_columns[] = {
    { "variant", false },    { "", true },          { "kernel", false }, { "grid", false },
    { "block", false },      { "registers", true }, { "local B", true }, { "shared B", true },
    { "hot, record", true }, { "code", false },     { "at", false },
};

/* "128x64x1" without the extents of 1 at its end. */
static void add_extents(assay_table *table, assay_cursor *row, const char *x, const char *y,
                        const char *z)
{
    const int64_t n[] = { assay_row_count(row, x), assay_row_count(row, y),
                          assay_row_count(row, z) };

    if (n[0] == 0) /* a copy or a fill has no grid */
        assay_table_add(table, "-");
    else if (n[1] == 1 && n[2] == 1)
        assay_table_add(table, "%" PRId64, n[0]);
    else if (n[2] == 1)
        assay_table_add(table, "%" PRId64 "x%" PRId64, n[0], n[1]);
    else
        assay_table_add(table, "%" PRId64 "x%" PRId64 "x%" PRId64, n[0], n[1], n[2]);
}

enum {
    MOST_SHOWN = 32 /* launches of a call; the table launch has all */
};

/* One line that stands for all launches after those shown. */
static void add_rest(assay_table *table, assay_cursor *row)
{
    assay_table_add_text(table, row, "variant");
    assay_table_add(table, "%d...", MOST_SHOWN + 1);
    assay_table_add(table, "more: table launch");
    for (int c = 3; c < table->n_columns; c++)
        assay_table_add(table, "-");
}

static void add_launch(assay_table *table, assay_cursor *row)
{
    const int64_t n_points = assay_row_count(row, "n_points");
    char          text[ASSAY_CELL_SIZE];

    if (assay_row_count(row, "ordinal") > MOST_SHOWN)
        return;
    if (assay_row_count(row, "ordinal") == MOST_SHOWN) {
        add_rest(table, row);
        return;
    }
    assay_table_add_text(table, row, "variant");
    assay_table_add(table, "%" PRId64, assay_row_count(row, "ordinal") + 1);
    assay_table_add(table, "%s", assay_format_kernel(text, assay_row_text(row, "kernel")));
    add_extents(table, row, "grid_x", "grid_y", "grid_z");
    add_extents(table, row, "block_x", "block_y", "block_z");
    assay_table_add_count(table, row, "registers");
    assay_table_add_count(table, row, "local_bytes");
    assay_table_add_count(table, row, "shared_bytes");
    if (n_points == 1)
        assay_table_add_time(table, row, "time_ns");
    else
        assay_table_add(table, "-");
    assay_table_add_text(table, row, "code_hash");
    if (n_points == 1)
        assay_table_add_text(table, row, "axes");
    else
        assay_table_add(table, "%" PRId64 " points", n_points);
}

assay_status assay_report_launches(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = { .title = "kernels of a call",
                                           COLUMNS(launch_columns),
                                           .add = add_launch };

    return assay_report_case_table(out, s, id, &what);
}

/* ---- counters ---- */

static const assay_column counted_columns[] = {
    { "variant", false },   { "declared", true },       { "own", true },
    { "DRAM read", true },  { "DRAM written", true },   { "DRAM/declared", true },
    { "L2", true },         { "declared flops", true }, { "fp32 flops", true },
    { "fp64 flops", true }, { "flops/declared", true },
};

static double or_zero(double value) { return isnan(value) ? 0 : value; }

/* Counted over declared; NaN unless both are known and something was declared. */
static double share_of(double counted, double declared)
{
    return declared > 0 ? counted / declared : (double)NAN;
}

static void add_counted(assay_table *table, assay_cursor *row)
{
    const double fp32  = assay_row_number(row, "fp32_flops");
    const double fp64  = assay_row_number(row, "fp64_flops");
    const double flops = isnan(fp32) && isnan(fp64) ? (double)NAN : or_zero(fp32) + or_zero(fp64);

    assay_table_add_text(table, row, "variant");
    add_bytes(table, row, "bytes_declared");
    add_bytes(table, row, "bytes_moved");
    add_bytes(table, row, "dram_read_bytes");
    add_bytes(table, row, "dram_write_bytes");
    assay_table_add_number(
        table,
        share_of(assay_row_number(row, "dram_bytes"), assay_row_number(row, "bytes_declared")), 3);
    add_bytes(table, row, "l2_bytes");
    assay_table_add_number(table, assay_row_number(row, "flops"), 6);
    assay_table_add_number(table, fp32, 6);
    assay_table_add_number(table, fp64, 6);
    assay_table_add_number(table, share_of(flops, assay_row_number(row, "flops")), 3);
}

assay_status assay_report_counted(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = {
        .title = "counted in one call (cold), against what is declared",
        COLUMNS(counted_columns),
        .by_axes = true,
        .add     = add_counted
    };

    return assay_report_case_table(out, s, id, &what);
}

static const assay_column fact_columns[] = { { "variant", false },
                                             { "fact", false },
                                             { "value", true } };

static void add_fact(assay_table *table, assay_cursor *row)
{
    char text[ASSAY_CELL_SIZE];

    assay_table_add_text(table, row, "variant");
    assay_table_add_text(table, row, "name");
    assay_table_add(table, "%s", assay_format_number(text, assay_row_number(row, "value"), 6));
}

assay_status assay_report_facts(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = {
        .title = "facts: numbers from the outputs of the check, and from peers",
        COLUMNS(fact_columns),
        .by_axes = true,
        .most    = 1000,
        .add     = add_fact
    };

    return assay_report_case_table(out, s, id, &what);
}

static const assay_column metric_columns[] = {
    { "variant", false }, { "counter", false }, { "value", true }, { "replay", false }
};

static void add_metric(assay_table *table, assay_cursor *row)
{
    const double value = assay_row_number(row, "value");
    char         text[ASSAY_CELL_SIZE];

    assay_table_add_text(table, row, "variant");
    assay_table_add_text(table, row, "name");
    assay_table_add(table, "%s", isnan(value) ? "NaN" : assay_format_number(text, value, 6));
    assay_table_add_text(table, row, "replay");
}

assay_status assay_report_metrics(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = { .title = "counters of one call (cold)",
                                           COLUMNS(metric_columns),
                                           .by_axes = true,
                                           .add     = add_metric };

    return assay_report_case_table(out, s, id, &what);
}
