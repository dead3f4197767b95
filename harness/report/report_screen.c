/* The text report that people see first: one screen for each case. It says what happened and what
 * failed, and has a line for each variant and each time; report_text.c and report_cases.c have the
 * details. */
#include "report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COLUMNS(array) .columns = (array), .n_columns = (int)(sizeof(array) / sizeof(array)[0])

typedef assay_status part_fn(const assay_report *report);

/* A part whose lines may be long. */
static assay_status write_part(const assay_report *report, part_fn *part)
{
    assay_report inner = *report;
    assay_lines  lines;
    assay_status st = assay_lines_open(&lines);

    inner.has_marks = true;
    inner.out       = lines.file;
    if (st == ASSAY_OK)
        st = part(&inner);
    return assay_lines_close(&lines, st, report->out);
}

/* ---- head ---- */

static void write_run(FILE *out, assay_cursor *row)
{
    const double exit_status = assay_row_number(row, "exit_status");

    if (*assay_row_text(row, "command")) {
        (void)fputc(ASSAY_MARK_COMMAND, out);
        assay_write_clean(out, assay_row_text(row, "command"));
        (void)fputc('\n', out);
    }
    (void)fprintf(out, "run %" PRId64 " (%.8s), %.16sZ", assay_row_count(row, "run_id"),
                  assay_row_text(row, "uuid"), assay_row_text(row, "started_utc"));
    if (assay_row_count(row, "is_open"))
        (void)fputs(", no end: interrupted, or still running", out);
    else if (!isnan(exit_status))
        (void)fprintf(out, ", %.1f s, exit status %.0f", assay_row_number(row, "elapsed_s"),
                      exit_status);
    if (strcmp(assay_row_text(row, "seed"), "1") != 0)
        (void)fprintf(out, ", seed %s", assay_row_text(row, "seed"));
}

static void write_machine(FILE *out, assay_cursor *row)
{
    (void)fputc('\n', out);
    assay_write_clean(out, assay_row_text(row, "device"));
    if (*assay_row_text(row, "driver")) {
        (void)fputs(", driver ", out);
        assay_write_clean(out, assay_row_text(row, "driver"));
    }
    (void)fputs(", lane ", out);
    assay_write_clean(out, assay_row_text(row, "lane"));
    (void)fprintf(out, "; assay %s", assay_row_text(row, "assay_version"));
    if (*assay_row_text(row, "git_commit"))
        (void)fprintf(out, ", commit %.8s%s", assay_row_text(row, "git_commit"),
                      assay_row_count(row, "git_dirty") ? " with changes" : "");
    (void)fprintf(out, ", %s\n\n", assay_row_text(row, "build_type"));
}

static assay_status write_head(const assay_report *report)
{
    assay_cursor *row = NULL;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, "run", report->run_id, &row));
    if (!assay_cursor_next(row, &st))
        goto out;
    write_run(report->out, row);
    write_machine(report->out, row);
    ASSAY_CHECK(assay_report_counts(report));
    if (!assay_row_count(row, "can_time"))
        (void)fputs(
            "This device checks kernels and never times them: only CPU variants have times.\n",
            report->out);
out:
    assay_cursor_close(row);
    return st;
}

/* ---- variants ---- */

static const assay_column variant_columns[] = {
    { "variant", false },  { "passed", true },  { "failed", ASSAY_COLUMN_RIGHT | ASSAY_COLUMN_BAD },
    { "caught", true },    { "skipped", true }, { "left", ASSAY_COLUMN_RIGHT | ASSAY_COLUMN_DOUBT },
    { "err/bound", true }, { "rule", false },
};

static void add_variant(assay_table *table, assay_cursor *row)
{
    static const char *const counts[] = { "n_passed", "n_failed", "n_caught", "n_skipped",
                                          "n_ready" };
    char                     text[ASSAY_CELL_SIZE];

    assay_table_add(table, "%s%s", assay_row_text(row, "variant"),
                    assay_row_count(row, "is_reference") ? " (reference)" : "");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        assay_table_add_positive(table, row, counts[i]);
    assay_table_add(table, "%s",
                    assay_format_ratio(text, row, assay_row_count(row, "n_failed") > 0));
    assay_table_add(table, "%s",
                    *assay_row_text(row, "output") ? assay_format_rule(text, row) : "-");
}

static assay_status write_variants(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = { COLUMNS(variant_columns), .add = add_variant };

    return assay_report_case_table(out, s, id, &what);
}

/* ---- times ---- */

static const assay_column time_columns[] = {
    { "variant", false },
    { "time", true },
    { "+-", true },
    { "regime", false },
    { "speed-up", false },
    { "ceiling", true },
    { "note", ASSAY_COLUMN_DOUBT },
};

static void add_time(assay_table *table, assay_cursor *row)
{
    const double speedup = assay_row_number(row, "speedup");
    char         text[ASSAY_CELL_SIZE];

    assay_table_add_text(table, row, "variant");
    assay_table_add_time(table, row, "median_ns");
    assay_table_add(table, "%s", assay_format_uncertainty(text, row));
    assay_table_add_text(table, row, "regime");
    if (isnan(speedup))
        assay_table_add(table, "-");
    else
        assay_table_add(table, "%sx", assay_format_number(text, speedup, 3));
    assay_table_add(table, "%s", assay_format_share(text, row));
    assay_table_add(table, "%s", assay_format_doubt(text, row));
}

static assay_status write_times(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table along = { COLUMNS(time_columns), .by_axes = true,
                                            .add = add_time };
    static const assay_case_table alone = { COLUMNS(time_columns), .add = add_time };

    if (!assay_report_is_of_case(s, id))
        return ASSAY_OK;
    (void)fputc('\n', out);
    if (*assay_row_text(s->row, "shared")) {
        const char *shared = assay_row_text(s->row, "shared");

        (void)fputs("  ", out);
        assay_write_clean(out, shared);
        (void)fputc('\n', out);
    }
    return assay_report_case_table(out, s, id, *assay_row_text(s->row, "axes") ? &along : &alone);
}

/* ---- tuning values that are no defaults ---- */

static const assay_column tuned_columns[] = {
    { "variant", false },
    { "chosen", false },
    { "tried", true },
    { "from", false },
};

static void add_tuned(assay_table *table, assay_cursor *row)
{
    assay_table_add_text(table, row, "variant");
    assay_table_add_text(table, row, "tuning");
    assay_table_add_positive(table, row, "n_trials");
    assay_table_add_text(table, row, "reason");
}

static assay_status write_tuned(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = {
        .title = "tuning values", COLUMNS(tuned_columns), .by_axes = true, .add = add_tuned
    };

    return assay_report_case_table(out, s, id, &what);
}

/* ---- cases ---- */

static void write_legend(FILE *out, bool is_measured)
{
    static const char legend[] =
        "\nTimes are those of the clock that decides, if one does. +-: half the spread of\nthe "
        "processes' medians or, if wider, half of the median's 95 % interval.\nspeed-up: over the "
        "variant's baseline. ceiling: the least time that the measured\nbandwidth or rate allows, "
        "divided by the time taken. A time with a note cannot\nbe trusted as it is.\n";

    (void)fputs(is_measured ? legend : "\nNothing was timed in this run.\n", out);
    (void)fputs("More (regimes, clocks, tolerances, kernels, facts, counters): --details\n", out);
}

static assay_status write_cases(const assay_report *report)
{
    enum {
        TIMES = 1
    };
    static const assay_case_part of_case[] = {
        { "variants", write_variants },
        [TIMES] = { "screen_times", write_times },
        { "trials", write_tuned },
    };
    bool         is_measured = false;
    assay_status st;

    ASSAY_CHECK(assay_report_by_case(report, of_case, sizeof of_case / sizeof of_case[0], false,
                                     TIMES, &is_measured));
    write_legend(report->out, is_measured);
out:
    return st;
}

assay_status assay_report_screen(const assay_report *report)
{
    static part_fn *const parts[] = { write_head, assay_report_failed, assay_report_skipped,
                                      assay_report_notes, write_cases };
    assay_status          st      = ASSAY_OK;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        ASSAY_CHECK(write_part(report, parts[i]));
out:
    return st;
}
