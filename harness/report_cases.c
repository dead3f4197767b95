/* The tables of the text report: by case, every variant with its worst error, the tolerances with
 * their reasons, and the times by configuration. */
#include "report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const assay_column variant_columns[] = {
    { "variant", false }, { "points", true },
    { "passed", true },   { "failed", true },
    { "caught", true },   { "skipped", true },
    { "left", true },     { "worst err/bound", true },
    { "rule", false },    { "input, output", false },
    { "at", false },
};
static const assay_column timing_columns[] = {
    { "variant", false },  { "verdict", false }, { "err/bound", true }, { "rule", false },
    { "regime", false },   { "clock", false },   { "median", true },    { "q1 - q3", false },
    { "samples", true },   { "stop", false },    { "GB/s", true },      { "own GB/s", true },
    { "speed-up", false },
};

/* The cursors of the three tables, each standing on its next row. */
typedef struct {
    assay_cursor *row;
    bool          has_row;
} stream;

static assay_status advance(stream *s)
{
    assay_status st;

    s->has_row = assay_cursor_next(s->row, &st);
    return st;
}

static assay_status open_stream(const assay_report *report, const char *query, stream *s)
{
    assay_status st;

    ASSAY_CHECK(assay_store_query(report->store, query, report->run_id, &s->row));
    ASSAY_CHECK(advance(s));
out:
    return st;
}

/* The case that a table is for. */
typedef struct {
    char    name[ASSAY_NAME_SIZE];
    int64_t version;
} case_id;

static bool is_of_case(const stream *s, const case_id *id)
{
    return s->has_row && strcmp(assay_row_text(s->row, "case_name"), id->name) == 0 &&
           assay_row_count(s->row, "case_version") == id->version;
}

/* ---- variants ---- */

static void add_count(assay_table *table, assay_cursor *row, const char *column)
{
    const int64_t n = assay_row_count(row, column);

    if (n > 0)
        assay_table_add(table, "%" PRId64, n);
    else
        assay_table_add(table, "-");
}

static bool is_failing(const char *verdict)
{
    static const char *const harmless[] = { "", "PASS", "SKIPPED", "UNSUPPORTED", "NOT_RUN" };

    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
        if (strcmp(verdict, harmless[i]) == 0)
            return false;
    return true;
}

static void add_variant(assay_table *table, assay_cursor *row)
{
    static const char *const counts[]  = { "n_points", "n_passed",  "n_failed",
                                           "n_caught", "n_skipped", "n_ready" };
    const bool               has_check = *assay_row_text(row, "output") != '\0';
    char                     text[ASSAY_CELL_SIZE];

    assay_table_add(table, "%s%s", assay_row_text(row, "variant"),
                    assay_row_count(row, "is_reference") ? " (the reference)" : "");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        add_count(table, row, counts[i]);
    assay_table_add(table, "%s",
                    assay_format_ratio(text, row, is_failing(assay_row_text(row, "verdict"))));
    assay_table_add(table, "%s", has_check ? assay_format_rule(text, row) : "-");
    if (has_check)
        assay_table_add(table, "%s, %s", assay_row_text(row, "input"),
                        assay_row_text(row, "output"));
    else
        assay_table_add(table, "-");
    assay_table_add(table, "%s", has_check ? assay_row_text(row, "axes") : "-");
}

static assay_status write_variants(FILE *out, stream *s, const case_id *id)
{
    assay_table  table = { .columns   = variant_columns,
                           .n_columns = sizeof variant_columns / sizeof variant_columns[0] };
    assay_status st    = ASSAY_OK;

    while (is_of_case(s, id)) {
        add_variant(&table, s->row);
        ASSAY_CHECK(advance(s));
    }
    ASSAY_CHECK(assay_table_print(&table, out, 2));
out:
    assay_table_free(&table);
    return st;
}

/* ---- tolerances ---- */

static void write_rule(FILE *out, assay_cursor *row)
{
    char text[ASSAY_CELL_SIZE];

    (void)fputs("    ", out);
    assay_write_clean(out, assay_row_text(row, "outputs"));
    if (assay_row_count(row, "is_invariant"))
        (void)fputs(" (invariant)", out);
    (void)fputs(" on ", out);
    assay_write_clean(out, assay_row_text(row, "inputs"));
    (void)fprintf(out, " input: %s", assay_format_rule_full(text, row));
    if (*assay_row_text(row, "why")) {
        (void)fputs("; ", out);
        assay_write_clean(out, assay_row_text(row, "why"));
    }
    (void)fputc('\n', out);
}

static assay_status write_rules(FILE *out, stream *s, const case_id *id)
{
    assay_status st = ASSAY_OK;

    if (is_of_case(s, id))
        (void)fputs("\n  tolerances\n", out);
    while (is_of_case(s, id)) {
        write_rule(out, s->row);
        ASSAY_CHECK(advance(s));
    }
out:
    return st;
}

/* ---- times ---- */

static void add_number(assay_table *table, double value)
{
    char text[ASSAY_CELL_SIZE];

    assay_table_add(table, "%s", isnan(value) ? "-" : assay_format_number(text, value, 4));
}

static void add_spread(assay_table *table, assay_cursor *row)
{
    char lo[ASSAY_CELL_SIZE], hi[ASSAY_CELL_SIZE];

    assay_table_add(table, "%s - %s", assay_format_time(lo, assay_row_number(row, "q1_ns")),
                    assay_format_time(hi, assay_row_number(row, "q3_ns")));
}

static void add_speedup(assay_table *table, assay_cursor *row)
{
    const double speedup = assay_row_number(row, "speedup");
    char         text[ASSAY_CELL_SIZE];

    if (isnan(speedup))
        assay_table_add(table, "-");
    else
        assay_table_add(table, "%sx vs %s", assay_format_number(text, speedup, 3),
                        assay_row_text(row, "baseline"));
}

static void add_timing(assay_table *table, assay_cursor *row)
{
    char text[ASSAY_CELL_SIZE];

    assay_table_add(table, "%s", assay_row_text(row, "variant"));
    assay_table_add(table, "%s", assay_row_text(row, "verdict"));
    assay_table_add(table, "%s", assay_format_ratio(text, row, false));
    assay_table_add(table, "%s", assay_format_rule(text, row));
    assay_table_add(table, "%s", assay_row_text(row, "regime"));
    assay_table_add(table, "%s", assay_row_text(row, "clock"));
    assay_table_add(table, "%s", assay_format_time(text, assay_row_number(row, "median_ns")));
    add_spread(table, row);
    assay_table_add(table, "%" PRId64, assay_row_count(row, "n_samples"));
    assay_table_add(table, "%s", assay_row_text(row, "stop_reason"));
    add_number(table, assay_row_number(row, "gb_per_s"));
    add_number(table, assay_row_number(row, "own_gb_per_s"));
    add_speedup(table, row);
}

/* Axes of the row under the cursor, unless they are those of the row before. */
static void add_heading(assay_table *table, assay_cursor *row, char *axes, size_t size)
{
    const char *now = assay_row_text(row, "axes");

    if (table->n_cells > 0 && strncmp(now, axes, size - 1) == 0)
        return;
    (void)snprintf(axes, size, "%s", now);
    assay_table_heading(table, *now ? now : "(no axes)");
}

static assay_status write_timings(FILE *out, stream *s, const case_id *id)
{
    assay_table  table                    = { .columns   = timing_columns,
                                              .n_columns = sizeof timing_columns / sizeof timing_columns[0] };
    char         axes[ASSAY_KEY_SIZE * 4] = "";
    assay_status st                       = ASSAY_OK;

    if (is_of_case(s, id))
        (void)fputs("\n  times per call\n", out);
    while (is_of_case(s, id)) {
        add_heading(&table, s->row, axes, sizeof axes);
        add_timing(&table, s->row);
        ASSAY_CHECK(advance(s));
    }
    ASSAY_CHECK(assay_table_print(&table, out, 6));
out:
    assay_table_free(&table);
    return st;
}

/* ---- cases ---- */

static void write_title(FILE *out, assay_cursor *row, case_id *id)
{
    (void)snprintf(id->name, sizeof id->name, "%s", assay_row_text(row, "case_name"));
    id->version = assay_row_count(row, "case_version");
    (void)fputc('\n', out);
    assay_write_clean(out, id->name);
    (void)fprintf(out, ", version %" PRId64 ": ", id->version);
    assay_write_clean(out, assay_row_text(row, "what"));
    (void)fputs("\n\n", out);
}

assay_status assay_report_cases(const assay_report *report)
{
    stream       cases = { NULL, false }, variants = cases, rules = cases, timings = cases;
    bool         is_measured;
    assay_status st;

    ASSAY_CHECK(open_stream(report, "cases", &cases));
    ASSAY_CHECK(open_stream(report, "variants", &variants));
    ASSAY_CHECK(open_stream(report, "rules", &rules));
    ASSAY_CHECK(open_stream(report, "timings", &timings));
    is_measured = timings.has_row;
    while (cases.has_row) {
        case_id id;

        write_title(report->out, cases.row, &id);
        ASSAY_CHECK(write_variants(report->out, &variants, &id));
        ASSAY_CHECK(write_rules(report->out, &rules, &id));
        ASSAY_CHECK(write_timings(report->out, &timings, &id));
        ASSAY_CHECK(advance(&cases));
    }
    if (is_measured)
        (void)fputs("\nGB/s: the case's compulsory bytes over the median; own GB/s: the bytes that "
                    "the variant says it moves.\n",
                    report->out);
    else
        (void)fputs("\nNothing was measured in this run.\n", report->out);
out:
    assay_cursor_close(cases.row);
    assay_cursor_close(variants.row);
    assay_cursor_close(rules.row);
    assay_cursor_close(timings.row);
    return st;
}
