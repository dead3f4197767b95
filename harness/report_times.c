/* The text report's tables of times: by configuration, with regime and clock beside each number;
 * and what cannot be told. */
#include "report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COLUMNS(array) .columns = (array), .n_columns = (int)(sizeof(array) / sizeof(array)[0])

/* ---- times ---- */

static const assay_column timing_columns[] = {
    { "variant", false },   { "verdict", false },   { "err/bound", true }, { "rule", false },
    { "tuning", false },    { "regime", false },    { "clock", false },    { "median", true },
    { "q1 - q3", false },   { "processes", false }, { "cycles", true },    { "SM MHz", true },
    { "samples", true },    { "stop", false },      { "GB/s", true },      { "own GB/s", true },
    { "of ceiling", true }, { "flags", false },     { "speed-up", false },
};

/* The clock, marked if it decides. */
static void add_clock(assay_table *table, assay_cursor *row)
{
    const bool decides = assay_row_count(row, "decides") == 1;

    assay_table_add(table, "%s%s", assay_row_text(row, "clock"), decides ? " *" : "");
}

static void add_quartiles(assay_table *table, assay_cursor *row)
{
    const double q1 = assay_row_number(row, "q1_ns"), q3 = assay_row_number(row, "q3_ns");
    char         lo[ASSAY_CELL_SIZE], hi[ASSAY_CELL_SIZE];

    if (isnan(q1) || isnan(q3))
        assay_table_add(table, "-");
    else
        assay_table_add(table, "%s - %s", assay_format_time(lo, q1), assay_format_time(hi, q3));
}

/* How many processes, and how far apart their medians are. */
static void add_processes(assay_table *table, assay_cursor *row)
{
    const int64_t n      = assay_row_count(row, "n_processes");
    const double  spread = assay_row_number(row, "process_spread");
    char          text[ASSAY_CELL_SIZE];

    if (n == 0)
        assay_table_add(table, "-");
    else if (isnan(spread))
        assay_table_add(table, "%" PRId64, n);
    else
        assay_table_add(table, "%" PRId64 " within %s %%", n,
                        assay_format_number(text, 100 * spread, 2));
}

/* Of that ceiling which is nearer. */
static void add_share(assay_table *table, assay_cursor *row)
{
    const double share   = assay_row_number(row, "share_of_ceiling");
    const bool   by_rate = assay_row_number(row, "share_of_flops") == share;
    char         text[ASSAY_CELL_SIZE];

    if (isnan(share))
        assay_table_add(table, "-");
    else
        assay_table_add(table, "%s %% %s", assay_format_number(text, 100 * share, 3),
                        by_rate ? "fp32" : "bytes");
}

/* n: of samples; 0 for a flag of the whole. */
static void append_flag(char *text, const char *flag, int64_t n)
{
    const size_t used = strlen(text);
    const char  *next = used > 0 ? ", " : "";

    if (n > 0)
        (void)snprintf(text + used, ASSAY_CELL_SIZE - used, "%s%s %" PRId64, next, flag, n);
    else
        (void)snprintf(text + used, ASSAY_CELL_SIZE - used, "%s%s", next, flag);
}

static void add_flags(assay_table *table, assay_cursor *row)
{
    const int64_t n_throttled           = assay_row_count(row, "n_throttled");
    const int64_t n_discarded           = assay_row_count(row, "n_discarded");
    char          text[ASSAY_CELL_SIZE] = "";

    if (assay_row_count(row, "is_below_floor"))
        append_flag(text, "below_floor", 0);
    if (assay_row_number(row, "share_of_ceiling") > 1)
        append_flag(text, "above_ceiling", 0);
    if (n_throttled > 0)
        append_flag(text, "throttled", n_throttled);
    if (n_discarded > 0)
        append_flag(text, "discarded", n_discarded);
    assay_table_add(table, "%s", *text ? text : "-");
}

/* "2.000x [1.960, 2.040]"; without an interval the ratio alone. */
static char *format_ratio(char *text, double ratio, double lo, double hi)
{
    char a[ASSAY_CELL_SIZE], b[ASSAY_CELL_SIZE], c[ASSAY_CELL_SIZE];

    if (isnan(lo) || isnan(hi))
        (void)snprintf(text, ASSAY_CELL_SIZE, "%.32sx", assay_format_number(a, ratio, 4));
    else
        (void)snprintf(text, ASSAY_CELL_SIZE, "%.32sx [%.32s, %.32s]",
                       assay_format_number(a, ratio, 4), assay_format_number(b, lo, 4),
                       assay_format_number(c, hi, 4));
    return text;
}

static void add_speedup(assay_table *table, assay_cursor *row)
{
    const double speedup = assay_row_number(row, "speedup");
    char         text[ASSAY_CELL_SIZE];

    if (isnan(speedup))
        assay_table_add(table, "-");
    else
        assay_table_add(
            table, "%s vs %s",
            format_ratio(text, speedup, assay_row_number(row, "lo"), assay_row_number(row, "hi")),
            assay_row_text(row, "baseline"));
}

static void add_timing(assay_table *table, assay_cursor *row)
{
    char text[ASSAY_CELL_SIZE];

    assay_table_add(table, "%s", assay_row_text(row, "variant"));
    assay_table_add(table, "%s", assay_row_text(row, "verdict"));
    assay_table_add(table, "%s", assay_format_ratio(text, row, false));
    assay_table_add(table, "%s", assay_format_rule(text, row));
    assay_table_add_text(table, row, "tuning");
    assay_table_add(table, "%s", assay_row_text(row, "regime"));
    add_clock(table, row);
    assay_table_add_time(table, row, "median_ns");
    add_quartiles(table, row);
    add_processes(table, row);
    assay_table_add_number(table, assay_row_number(row, "median_cycles"), 4);
    assay_table_add_number(table, assay_row_number(row, "sm_clock_mhz"), 4);
    assay_table_add_count(table, row, "n_samples");
    assay_table_add(table, "%s", assay_row_text(row, "stop_reason"));
    assay_table_add_number(table, assay_row_number(row, "gb_per_s"), 4);
    assay_table_add_number(table, assay_row_number(row, "own_gb_per_s"), 4);
    add_share(table, row);
    add_flags(table, row);
    add_speedup(table, row);
}

assay_status assay_report_timings(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = {
        .title = "times per call", COLUMNS(timing_columns), .by_axes = true, .add = add_timing
    };

    return assay_report_case_table(out, s, id, &what);
}

/* ---- what cannot be told ---- */

static const assay_column undecided_columns[] = {
    { "regime", false }, { "points", true }, { "one of them", false }, { "why", false }
};

static void add_undecided(assay_table *table, assay_cursor *row)
{
    assay_table_add_text(table, row, "regime");
    assay_table_add_count(table, row, "n_points");
    assay_table_add_text(table, row, "key");
    assay_table_add_text(table, row, "why");
}

assay_status assay_report_undecided(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = { .title = "CANNOT_TELL: no clock decides",
                                           COLUMNS(undecided_columns),
                                           .add = add_undecided };

    return assay_report_case_table(out, s, id, &what);
}

static const assay_column comparison_columns[] = {
    { "variant", false },  { "against", false }, { "regime", false },
    { "clock", false },    { "ratio", false },   { "pairs", true },
    { "processes", true }, { "finding", false }, { "reason", false },
};

static void add_comparison(assay_table *table, assay_cursor *row)
{
    const bool   is_aa = strcmp(assay_row_text(row, "kind"), "aa") == 0;
    const double ratio = assay_row_number(row, "ratio");
    char         text[ASSAY_CELL_SIZE];

    assay_table_add_text(table, row, "variant");
    assay_table_add(table, "%s", is_aa ? "itself (A/A)" : assay_row_text(row, "against"));
    assay_table_add_text(table, row, "regime");
    assay_table_add_text(table, row, "clock");
    assay_table_add(table, "%s",
                    isnan(ratio) ? "-"
                                 : format_ratio(text, ratio, assay_row_number(row, "lo"),
                                                assay_row_number(row, "hi")));
    assay_table_add_count(table, row, "n_pairs");
    assay_table_add_count(table, row, "n_processes");
    assay_table_add_text(table, row, "finding");
    assay_table_add_text(table, row, "reason");
}

assay_status assay_report_comparisons(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = { .title = "other comparisons",
                                           COLUMNS(comparison_columns),
                                           .by_axes = true,
                                           .add     = add_comparison };

    return assay_report_case_table(out, s, id, &what);
}
