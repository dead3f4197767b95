/* The text report's tables of times by configuration, with regime and clock beside each number; and
 * what cannot be told. */
#include "report_internal.h"

#include "base/text.h"
#include "store/series/store_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS(array) .columns = (array), .n_columns = (int)(sizeof(array) / sizeof(array)[0])

/* ---- times ---- */

static const assay_column timing_columns[] = {
    { "variant", false }, { "regime, clock", false }, { "time", true },
    { "+-", true },       { "GB/s", true },           { "ceiling", true },
    { "1e9/s", true },    { "speed-up", false },      { "note", false },
};

/* Marks the clock with a star if it decides and its time can be trusted. */
static void add_clock(assay_table *table, assay_cursor *row)
{
    char       text[ASSAY_CELL_SIZE];
    const bool is_believed = strcmp(assay_format_doubt(text, row), "-") == 0;

    assay_table_add(table, "%s %s%s", assay_row_text(row, "regime"), assay_row_text(row, "clock"),
                    is_believed ? " *" : "");
}

static const double LEAST_SHOWN = 0.0001; /* of an uncertainty */

char *assay_format_uncertainty(char *text, assay_cursor *row)
{
    const double half = assay_cell_uncertainty(row);
    char         number[ASSAY_CELL_SIZE];

    if (!isfinite(half))
        return assay_text_set(text, ASSAY_CELL_SIZE, "-");
    if (half < LEAST_SHOWN)
        return assay_text_set(text, ASSAY_CELL_SIZE, "<%g %%", 100 * LEAST_SHOWN);
    return assay_text_set(text, ASSAY_CELL_SIZE, "%.32s %%",
                          assay_format_number(number, 100 * half, 2));
}

char *assay_format_share(char *text, assay_cursor *row)
{
    const double share = assay_row_number(row, "share_of_ceiling");
    char         number[ASSAY_CELL_SIZE];

    if (isnan(share))
        return assay_text_set(text, ASSAY_CELL_SIZE, "-");
    return assay_text_set(text, ASSAY_CELL_SIZE, "%.32s %%",
                          assay_format_number(number, 100 * share, 3));
}

/* Appends a word, with a number before it unless that is 0. */
static void append(char *text, const char *word, double n)
{
    const size_t used   = strlen(text);
    const char  *before = used > 0 ? ", " : "";

    if (n > 0)
        (void)assay_text_set(text + used, ASSAY_CELL_SIZE - used, "%s%.0f %s", before, n, word);
    else
        (void)assay_text_set(text + used, ASSAY_CELL_SIZE - used, "%s%s", before, word);
}

char *assay_format_doubt(char *text, assay_cursor *row)
{
    (void)assay_cell_doubt(row, text, ASSAY_CELL_SIZE);
    return text[0] ? text : assay_text_set(text, ASSAY_CELL_SIZE, "-");
}

/* Adds the doubts, without the one that another clock decides, and how many samples were left
 * out. */
static void add_note(assay_table *table, assay_cursor *row)
{
    const double n_throttled = assay_row_number(row, "n_throttled"),
                 n_discarded = assay_row_number(row, "n_discarded");
    char doubt[ASSAY_CELL_SIZE], text[ASSAY_CELL_SIZE] = "";

    (void)assay_format_doubt(doubt, row);
    if (strcmp(doubt, "-") != 0 && strcmp(doubt, ASSAY_DOUBT_UNDECIDED) != 0)
        append(text,
               assay_text_after(doubt, ASSAY_DOUBT_UNDECIDED)
                   ? doubt + strlen(ASSAY_DOUBT_UNDECIDED) + 2
                   : doubt,
               0);
    if (n_throttled > 0)
        append(text, "throttled", n_throttled);
    if (n_discarded > 0)
        append(text, "discarded", n_discarded);
    assay_table_add(table, "%s", text[0] ? text : "-");
}

/* ---- ratios ---- */

enum {
    FEWEST_DIGITS = 4,
    MOST_DIGITS   = 9
};

/* Does the text show that the value is not 1? */
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

/* As many digits as tell the ends of an interval from each other and from 1. With a coarse clock
 * these are close together, yet correct. */
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
    char text[ASSAY_CELL_SIZE];

    assay_table_add_text(table, row, "variant");
    add_clock(table, row);
    assay_table_add_time(table, row, "median_ns");
    assay_table_add(table, "%s", assay_format_uncertainty(text, row));
    assay_table_add_number(table, assay_row_number(row, "gb_per_s"), 4);
    assay_table_add(table, "%s", assay_format_share(text, row));
    assay_table_add_number(table, assay_row_number(row, "giga_per_s"), 4);
    add_speedup(table, row);
    add_note(table, row);
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
