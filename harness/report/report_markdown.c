/* The Markdown report: tables as GitHub shows them. Text from the database is escaped, so that
 * names appear unchanged and are never markup. */
#include "report_json.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- text ---- */

static void write_character(FILE *out, char c, bool is_shown)
{
    static const struct {
        char        c;
        const char *text;
    } rows[] = {
        { '<', "&lt;" },   { '>', "&gt;" },   { '&', "&amp;" },
        { '\n', "\\\\n" }, { '\r', "\\\\r" }, { '\t', "\\\\t" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].c == c) {
            (void)fputs(rows[i].text, out);
            return;
        }
    }
    if (!is_shown)
        (void)fprintf(out, "\\\\x%02x", (unsigned)(unsigned char)c);
    else
        (void)fprintf(out, strchr("\\`*_[]|~$#", c) ? "\\%c" : "%c", c);
}

void assay_write_markdown(FILE *out, const char *text)
{
    bool is_shown = true;

    while (*text) {
        const size_t n = assay_text_character(text, &is_shown);

        for (size_t i = 0; i < n; i++)
            write_character(out, *text++, is_shown);
    }
}

/* ---- cells ---- */

typedef void cell_fn(FILE *out, assay_cursor *row, const char *column);

static void text_cell(FILE *out, assay_cursor *row, const char *column)
{
    assay_write_markdown(out, assay_row_text(row, column));
}

static void kernel_cell(FILE *out, assay_cursor *row, const char *column)
{
    char text[ASSAY_CELL_SIZE];

    assay_write_markdown(out, assay_format_kernel(text, assay_row_text(row, column)));
}

static void number_cell(FILE *out, assay_cursor *row, const char *column)
{
    const double value = assay_row_number(row, column);
    char         text[ASSAY_CELL_SIZE];

    if (!isnan(value))
        (void)fputs(assay_format_number(text, value, 4), out);
}

static void count_cell(FILE *out, assay_cursor *row, const char *column)
{
    if (!isnan(assay_row_number(row, column)))
        (void)fprintf(out, "%" PRId64, assay_row_count(row, column));
}

static void time_cell(FILE *out, assay_cursor *row, const char *column)
{
    const double value = assay_row_number(row, column);
    char         text[ASSAY_CELL_SIZE];

    if (!isnan(value))
        (void)fputs(assay_format_time(text, value), out);
}

static void bytes_cell(FILE *out, assay_cursor *row, const char *column)
{
    const double value = assay_row_number(row, column);
    char         text[ASSAY_CELL_SIZE];

    if (value > 0)
        (void)fputs(assay_format_bytes(text, value), out);
}

/* If a point failed and its ratio is no number, the cell is NaN. A point without a check has
 * "-". */
static void ratio_cell(FILE *out, assay_cursor *row, const char *column)
{
    const bool has_failed = strcmp(assay_row_text(row, "outcome"), "failed") == 0 &&
                            *assay_row_text(row, "output") != '\0';
    char text[ASSAY_CELL_SIZE];

    (void)column;
    (void)fputs(assay_format_ratio(text, row, has_failed), out);
}

/* ---- tables ---- */

typedef struct md_column {
    const char *title, *column;
    cell_fn    *cell;
    bool        is_right; /* aligned right */
} md_column;

typedef struct md_table {
    const char *title, *query, *empty; /* NULL: an empty table is left out with its title */
    md_column   columns[14];           /* up to the first without a title */
} md_table;

static const md_table tables[] = {
    { "Verdicts",
      "md_verdicts",
      "This run has no points.",
      { { "case", "case_name", text_cell, false },
        { "configuration", "axes", text_cell, false },
        { "variant", "variant", text_cell, false },
        { "outcome", "outcome", text_cell, false },
        { "verdict", "verdict", text_cell, false },
        { "worst error / bound", "worst_ratio", ratio_cell, true },
        { "input", "input", text_cell, false },
        { "output", "output", text_cell, false },
        { "reason", "reason", text_cell, false } } },
    { "Times by the clock that decides",
      "md_times",
      "This run has no times.",
      { { "case", "case_name", text_cell, false },
        { "configuration", "axes", text_cell, false },
        { "variant", "variant", text_cell, false },
        { "regime", "regime", text_cell, false },
        { "clock", "clock", text_cell, false },
        { "median", "median_ns", time_cell, true },
        { "q1", "q1_ns", time_cell, true },
        { "q3", "q3_ns", time_cell, true },
        { "samples", "n_samples", count_cell, true },
        { "processes", "n_processes", count_cell, true },
        { "GB/s", "gb_per_s", number_cell, true },
        { "Gflop/s", "gflop_per_s", number_cell, true },
        { "% of ceiling", "ceiling_percent", number_cell, true },
        { "why", "why", text_cell, false } } },
    { "Comparisons",
      "md_comparisons",
      "This run compares no variants.",
      { { "case", "case_name", text_cell, false },
        { "configuration", "axes", text_cell, false },
        { "kind", "kind", text_cell, false },
        { "variant", "variant", text_cell, false },
        { "against", "against", text_cell, false },
        { "regime", "regime", text_cell, false },
        { "clock", "clock", text_cell, false },
        { "ratio", "ratio", number_cell, true },
        { "95 % from", "lo", number_cell, true },
        { "to", "hi", number_cell, true },
        { "pairs", "n_pairs", count_cell, true },
        { "processes", "n_processes", count_cell, true },
        { "finding", "finding", text_cell, false },
        { "reason", "reason", text_cell, false } } },
    { "Time by section",
      "md_sections",
      NULL,
      { { "case", "case_name", text_cell, false },
        { "configuration", "axes", text_cell, false },
        { "variant", "variant", text_cell, false },
        { "section", "name", text_cell, false },
        { "regime", "regime", text_cell, false },
        { "clock", "clock", text_cell, false },
        { "launches", "launches", count_cell, true },
        { "time", "time_ns", time_cell, true },
        { "%", "percent", number_cell, true } } },
    { "Kernels",
      "launches",
      NULL,
      { { "case", "case_name", text_cell, false },
        { "variant", "variant", text_cell, false },
        { "kernel", "kernel", kernel_cell, false },
        { "points", "n_points", count_cell, true },
        { "registers", "registers", count_cell, true },
        { "local B", "local_bytes", count_cell, true },
        { "shared B", "shared_bytes", count_cell, true },
        { "time (hot, record)", "time_ns", time_cell, true } } },
    { "Floor and ceilings",
      "md_ceilings",
      NULL,
      { { "kind", "kind", text_cell, false },
        { "regime", "regime", text_cell, false },
        { "clock", "clock", text_cell, false },
        { "working set", "working_set_bytes", bytes_cell, true },
        { "time", "median_ns", time_cell, true },
        { "rate (B/s, flop/s)", "rate", number_cell, true } } },
};

enum {
    MAX_COLUMNS = sizeof tables[0].columns / sizeof tables[0].columns[0]
};

static bool has_column(const md_table *t, int i) { return i < MAX_COLUMNS && t->columns[i].title; }

static void write_titles(FILE *out, const md_table *t)
{
    for (int i = 0; has_column(t, i); i++)
        (void)fprintf(out, "| %s ", t->columns[i].title);
    (void)fputs("|\n", out);
    for (int i = 0; has_column(t, i); i++)
        (void)fputs(t->columns[i].is_right ? "| ---: " : "| --- ", out);
    (void)fputs("|\n", out);
}

static void write_row(FILE *out, const md_table *t, assay_cursor *row)
{
    for (int i = 0; has_column(t, i); i++) {
        (void)fputs("| ", out);
        t->columns[i].cell(out, row, t->columns[i].column);
        (void)fputc(' ', out);
    }
    (void)fputs("|\n", out);
}

static assay_status write_table(const assay_report *report, const md_table *t)
{
    assay_cursor *row = NULL;
    bool          has_row;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, t->query, report->run_id, &row));
    has_row = assay_cursor_next(row, &st);
    if (has_row || t->empty)
        (void)fprintf(report->out, "\n## %s\n\n", t->title);
    if (has_row)
        write_titles(report->out, t);
    else if (t->empty)
        (void)fprintf(report->out, "%s\n", t->empty);
    for (; has_row; has_row = assay_cursor_next(row, &st))
        write_row(report->out, t, row);
out:
    assay_cursor_close(row);
    return st;
}

/* ---- head ---- */

static void write_fact(FILE *out, const char *name, assay_cursor *row, const char *column)
{
    const char *text = assay_row_text(row, column);

    if (!*text)
        return;
    (void)fprintf(out, "| %s | ", name);
    assay_write_markdown(out, text);
    (void)fputs(" |\n", out);
}

static assay_status write_head(const assay_report *report)
{
    static const struct {
        const char *name, *column;
    } facts[] = {
        { "run", "uuid" },
        { "command", "command" },
        { "started", "started_utc" },
        { "ended", "ended_utc" },
        { "exit status", "exit_status" },
        { "seed", "seed" },
        { "lane", "lane" },
        { "host", "host" },
        { "device", "device" },
        { "device UUID", "device_uuid" },
        { "driver", "driver" },
        { "assay", "assay_version" },
        { "commit", "git_commit" },
        { "build", "build_type" },
        { "compiler", "compiler" },
        { "CUDA compiler", "cuda_compiler" },
    };
    assay_cursor *row = NULL;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, "run", report->run_id, &row));
    (void)fputs("# Assay report\n\n| | |\n| --- | --- |\n", report->out);
    if (assay_cursor_next(row, &st)) {
        for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
            write_fact(report->out, facts[i].name, row, facts[i].column);
        if (assay_row_count(row, "git_dirty"))
            (void)fputs("| uncommitted changes | yes |\n", report->out);
    }
out:
    assay_cursor_close(row);
    return st;
}

/* Writes one line: how many points have which outcome. */
static assay_status write_summary(const assay_report *report)
{
    assay_cursor *row   = NULL;
    const char   *comma = "\n";
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, "summary", report->run_id, &row));
    for (; assay_cursor_next(row, &st); comma = ", ") {
        (void)fprintf(report->out, "%s**%" PRId64 " ", comma, assay_row_count(row, "n_points"));
        assay_write_markdown(report->out, assay_row_text(row, "outcome"));
        (void)fputs("**", report->out);
        if (*assay_row_text(row, "verdict")) {
            (void)fputs(" (", report->out);
            assay_write_markdown(report->out, assay_row_text(row, "verdict"));
            (void)fputc(')', report->out);
        }
    }
    (void)fputc('\n', report->out);
out:
    assay_cursor_close(row);
    return st;
}

/* Indented, so that Markdown shows them as they are. */
static assay_status write_replays(const assay_report *report)
{
    assay_cursor *row   = NULL;
    bool          first = true;
    assay_replay  replay;
    assay_status  st;

    ASSAY_CHECK(assay_replay_read(report, &replay));
    ASSAY_CHECK(assay_store_query(report->store, "failures", report->run_id, &row));
    for (; assay_cursor_next(row, &st); first = false) {
        (void)fputs(first ? "\n## To repeat what failed\n\n    " : "    ", report->out);
        assay_replay_write(report->out, &replay, row);
        (void)fputc('\n', report->out);
    }
out:
    assay_cursor_close(row);
    return st;
}

assay_status assay_report_markdown(const assay_report *report)
{
    assay_status st;

    ASSAY_CHECK(write_head(report));
    ASSAY_CHECK(write_summary(report));
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        ASSAY_CHECK(write_table(report, &tables[i]));
    ASSAY_CHECK(write_replays(report));
out:
    return st;
}
