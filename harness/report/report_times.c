/* The text report's tables of times: by configuration, with regime and clock beside each number;
 * and what cannot be told. */
#include "report_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS(array) .columns = (array), .n_columns = (int)(sizeof(array) / sizeof(array)[0])

/* ---- times ---- */

/* What a line of 100 characters holds; all else is in the CSV. */
static const assay_column timing_columns[] = {
    { "variant", false }, { "regime, clock", false }, { "time", true },
    { "+-", true },       { "GB/s", true },           { "ceiling", true },
    { "1e9/s", true },    { "speed-up", false },      { "note", false },
};

/* Marked if it decides. */
static void add_clock(assay_table *table, assay_cursor *row)
{
    const bool decides = assay_row_count(row, "decides") == 1;

    assay_table_add(table, "%s %s%s", assay_row_text(row, "regime"), assay_row_text(row, "clock"),
                    decides ? " *" : "");
}

static const double LEAST_SHOWN = 0.0001; /* of an uncertainty */

/* Half of the median's 95 % interval by the quartiles, for a normal distribution: 1.82 times their
 * distance over the square root of the samples. */
static double half_interval(assay_cursor *row)
{
    const double distance = assay_row_number(row, "q3_ns") - assay_row_number(row, "q1_ns");

    return 1.82 * distance / sqrt(assay_row_number(row, "n_samples")) /
           assay_row_number(row, "median_ns");
}

/* Processes differ by more than samples of one do: the wider of the two. */
static void add_uncertainty(assay_table *table, assay_cursor *row)
{
    const double half = fmax(assay_row_number(row, "process_spread") / 2, half_interval(row));
    char         text[ASSAY_CELL_SIZE];

    if (!isfinite(half))
        assay_table_add(table, "-");
    else if (half < LEAST_SHOWN)
        assay_table_add(table, "<%g %%", 100 * LEAST_SHOWN);
    else
        assay_table_add(table, "%s %%", assay_format_number(text, 100 * half, 2));
}

/* Of that ceiling which is nearer. */
static void add_share(assay_table *table, assay_cursor *row)
{
    const double share = assay_row_number(row, "share_of_ceiling");
    char         text[ASSAY_CELL_SIZE];

    if (isnan(share))
        assay_table_add(table, "-");
    else
        assay_table_add(table, "%s %%", assay_format_number(text, 100 * share, 3));
}

static void add_flags(assay_table *table, assay_cursor *row)
{
    const struct {
        char letter;
        bool holds;
    } flags[] = {
        { 'f', assay_row_count(row, "is_below_floor") != 0 },
        { 'c', assay_row_number(row, "share_of_ceiling") > 1 },
        { 't', assay_row_count(row, "n_throttled") > 0 },
        { 'd', assay_row_count(row, "n_discarded") > 0 },
    };
    char   text[sizeof flags / sizeof flags[0] + 1];
    size_t n = 0;

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (flags[i].holds)
            text[n++] = flags[i].letter;
    text[n] = '\0';
    assay_table_add(table, "%s", n > 0 ? text : "-");
}

/* ---- ratios ---- */

enum {
    FEWEST_DIGITS = 4,
    MOST_DIGITS   = 9
};

/* Does the text stand on the same side of 1 as the value? */
static bool shows_side(double value, int digits)
{
    char text[ASSAY_CELL_SIZE];

    return value == 1 || strtod(assay_format_number(text, value, digits), NULL) != 1;
}

static bool are_told_apart(double a, double b, int digits)
{
    char left[ASSAY_CELL_SIZE], right[ASSAY_CELL_SIZE];

    return a == b ||
           strcmp(assay_format_number(left, a, digits), assay_format_number(right, b, digits)) != 0;
}

/* So many that the ends of an interval can be told from each other and from 1: where a clock ticks
 * coarsely these are close together, and no less true. */
static int digits_of(double lo, double hi)
{
    int digits = FEWEST_DIGITS;

    while (digits < MOST_DIGITS &&
           !(are_told_apart(lo, hi, digits) && shows_side(lo, digits) && shows_side(hi, digits)))
        digits++;
    return digits;
}

char *assay_format_interval(char *text, double ratio, double lo, double hi)
{
    char      a[ASSAY_CELL_SIZE], b[ASSAY_CELL_SIZE], c[ASSAY_CELL_SIZE];
    const int digits = isnan(lo) || isnan(hi) ? FEWEST_DIGITS : digits_of(lo, hi);

    if (isnan(lo) || isnan(hi))
        (void)snprintf(text, ASSAY_CELL_SIZE, "%.32sx", assay_format_number(a, ratio, digits));
    else
        (void)snprintf(text, ASSAY_CELL_SIZE, "%.32sx [%.32s, %.32s]",
                       assay_format_number(a, ratio, digits), assay_format_number(b, lo, digits),
                       assay_format_number(c, hi, digits));
    return text;
}

static void add_speedup(assay_table *table, assay_cursor *row)
{
    const double speedup = assay_row_number(row, "speedup");
    char         text[ASSAY_CELL_SIZE];

    if (isnan(speedup))
        assay_table_add(table, "-");
    else
        assay_table_add(table, "%s",
                        assay_format_interval(text, speedup, assay_row_number(row, "lo"),
                                              assay_row_number(row, "hi")));
}

static void add_timing(assay_table *table, assay_cursor *row)
{
    assay_table_add_text(table, row, "variant");
    add_clock(table, row);
    assay_table_add_time(table, row, "median_ns");
    add_uncertainty(table, row);
    assay_table_add_number(table, assay_row_number(row, "gb_per_s"), 4);
    add_share(table, row);
    assay_table_add_number(table, assay_row_number(row, "giga_per_s"), 4);
    add_speedup(table, row);
    add_flags(table, row);
}

assay_status assay_report_timings(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = {
        .title = "times per call", COLUMNS(timing_columns), .by_axes = true, .add = add_timing
    };

    return assay_report_case_table(out, s, id, &what);
}

/* ---- first calls ---- */

static const assay_column first_columns[] = {
    { "variant", false },    { "first call", true },     { "processes", true },
    { "a later one", true }, { "regime, clock", false }, { "first/later", true },
};

static void add_first_call(assay_table *table, assay_cursor *row)
{
    const char *regime = assay_row_text(row, "regime");

    assay_table_add_text(table, row, "variant");
    assay_table_add_time(table, row, "first_ns");
    assay_table_add_count(table, row, "n_processes");
    assay_table_add_time(table, row, "median_ns");
    if (*regime)
        assay_table_add(table, "%s %s", regime, assay_row_text(row, "clock"));
    else
        assay_table_add(table, "-");
    assay_table_add_number(table, assay_row_number(row, "ratio"), 4);
}

assay_status assay_report_first_calls(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = {
        .title = "first call of a process (host clock: loading and compiling are in it)",
        COLUMNS(first_columns),
        .by_axes = true,
        .add     = add_first_call
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
                                 : assay_format_interval(text, ratio, assay_row_number(row, "lo"),
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
