/* The text report case by case: every variant with its worst error, the tolerances with their
 * reasons, and the order of the parts that follow. */
#include "report_internal.h"

#include <inttypes.h>
#include <string.h>

assay_status assay_report_advance(assay_report_stream *s)
{
    assay_status st;

    s->has_row = assay_cursor_next(s->row, &st);
    return st;
}

bool assay_report_is_of_case(const assay_report_stream *s, const assay_case_id *id)
{
    return s->has_row && strcmp(assay_row_text(s->row, "case_name"), id->name) == 0 &&
           assay_row_count(s->row, "case_version") == id->version;
}

/* ---- tables of one case ---- */

/* Shows the axes of the row under the cursor, unless they are those of the row before. */
static void add_heading(assay_table *table, assay_cursor *row, char *axes, size_t size)
{
    const char *now = assay_row_text(row, "axes");

    if (table->n_cells > 0 && strncmp(now, axes, size - 1) == 0)
        return;
    (void)snprintf(axes, size, "%s", now);
    assay_table_heading(table, *now ? now : "(no axes)");
}

assay_status assay_report_case_table(FILE *out, assay_report_stream *s, const assay_case_id *id,
                                     const assay_case_table *what)
{
    assay_table  table = { .columns = what->columns, .n_columns = what->n_columns };
    char         axes[ASSAY_KEY_SIZE * 4] = "";
    int64_t      n                        = 0;
    assay_status st                       = ASSAY_OK;

    if (what->title && assay_report_is_of_case(s, id))
        (void)fprintf(out, "\n  %s\n", what->title);
    for (; assay_report_is_of_case(s, id); n++) {
        const bool is_shown = what->most == 0 || n < what->most;

        if (is_shown && what->by_axes)
            add_heading(&table, s->row, axes, sizeof axes);
        if (is_shown)
            what->add(&table, s->row);
        ASSAY_CHECK(assay_report_advance(s));
    }
    ASSAY_CHECK(assay_table_print(&table, out, what->by_axes ? 6 : what->title ? 4 : 2));
    if (what->most > 0 && n > what->most)
        (void)fprintf(out, "      and %" PRId64 " lines more: the CSV has all\n", n - what->most);
out:
    assay_table_free(&table);
    return st;
}

/* ---- variants ---- */

static const assay_column variant_columns[] = {
    { "variant", false }, { "points", true },
    { "passed", true },   { "failed", true },
    { "caught", true },   { "skipped", true },
    { "left", true },     { "worst err/bound", true },
    { "rule", false },    { "input, output", false },
    { "at", false },
};
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
        assay_table_add_positive(table, row, counts[i]);
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

static const assay_column described_columns[] = { { "variant", false }, { "is", false } };

static void add_described(assay_table *table, assay_cursor *row)
{
    assay_table_add_text(table, row, "variant");
    assay_table_add_text(table, row, "variant_what");
}

static assay_status write_described(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = { .title     = "what the variants are",
                                           .columns   = described_columns,
                                           .n_columns = 2,
                                           .add       = add_described };

    return assay_report_case_table(out, s, id, &what);
}

static assay_status write_variants(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    static const assay_case_table what = { .columns = variant_columns,
                                           .n_columns =
                                               sizeof variant_columns / sizeof variant_columns[0],
                                           .add = add_variant };

    return assay_report_case_table(out, s, id, &what);
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

static assay_status write_rules(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    assay_status st = ASSAY_OK;

    if (assay_report_is_of_case(s, id))
        (void)fputs("\n  tolerances\n", out);
    while (assay_report_is_of_case(s, id)) {
        write_rule(out, s->row);
        ASSAY_CHECK(assay_report_advance(s));
    }
out:
    return st;
}

/* ---- cases ---- */

/* The parts of a case, in order. */
static const assay_case_part parts[] = {
    { "variants", write_variants },
    { "described", write_described },
    { "rules", write_rules },
    { "timings", assay_report_timings },
    { "undecided", assay_report_undecided },
    { "first_calls", assay_report_first_calls },
    { "compared", assay_report_comparisons },
    { "fits", assay_report_fits },
    { "memory", assay_report_memory },
    { "trials", assay_report_trials },
    { "sections", assay_report_sections },
    { "launches", assay_report_launches },
    { "counted", assay_report_counted },
    { "facts", assay_report_facts },
    { "metrics", assay_report_metrics },
};
enum {
    TIMINGS = 3,
    N_PARTS = sizeof parts / sizeof parts[0]
};

static assay_status open_stream(const assay_report *report, const char *query,
                                assay_report_stream *s)
{
    assay_status st;

    ASSAY_CHECK(assay_store_query(report->store, query, report->run_id, &s->row));
    ASSAY_CHECK(assay_report_advance(s));
out:
    return st;
}

static void write_title(FILE *out, assay_cursor *row, bool shows_version, assay_case_id *id)
{
    (void)snprintf(id->name, sizeof id->name, "%s", assay_row_text(row, "case_name"));
    id->version = assay_row_count(row, "case_version");
    (void)fputc('\n', out);
    assay_write_clean(out, id->name);
    if (shows_version)
        (void)fprintf(out, ", version %" PRId64, id->version);
    (void)fputs(": ", out);
    assay_write_clean(out, assay_row_text(row, "what"));
    (void)fputs("\n\n", out);
}

assay_status assay_report_by_case(const assay_report *report, const assay_case_part *of_case, int n,
                                  bool shows_version, int timings, bool *is_measured)
{
    assay_report_stream cases = { NULL, false }, part[ASSAY_MAX_PARTS] = { { NULL, false } };
    assay_status        st;

    ASSAY_ASSERT(n <= ASSAY_MAX_PARTS && timings < n);
    ASSAY_CHECK(open_stream(report, "cases", &cases));
    for (int i = 0; i < n; i++)
        ASSAY_CHECK(open_stream(report, of_case[i].query, &part[i]));
    *is_measured = part[timings].has_row;
    while (cases.has_row) {
        assay_case_id id;

        write_title(report->out, cases.row, shows_version, &id);
        for (int i = 0; i < n; i++)
            ASSAY_CHECK(of_case[i].write(report->out, &part[i], &id));
        ASSAY_CHECK(assay_report_advance(&cases));
    }
out:
    assay_cursor_close(cases.row);
    for (int i = 0; i < ASSAY_MAX_PARTS; i++)
        assay_cursor_close(part[i].row);
    return st;
}

static void write_legend(FILE *out, bool is_measured)
{
    static const char legend[] =
        "\n*: the clock that decides in this regime; no note applies. +-: half the spread of "
        "the\nprocesses' medians or, if it is wider, half of the median's 95 % interval. GB/s: "
        "the\ncase's compulsory bytes divided by the time. ceiling: the time that the measured "
        "bandwidth\nor fp32 rate allows, divided by the time taken. 1e9/s: the case's cells, times "
        "the fact\nthat it declares for its rate, per second. speed-up: over the variant's "
        "baseline, by this\nclock, with its 95 % interval over processes. note: why a time cannot "
        "be trusted as it is,\nand how many samples were left out. The CSV has the rest: "
        "quartiles, cycles, clocks,\nsamples, stop reasons, tuning.\n";

    (void)fputs(is_measured ? legend : "\nNothing was timed in this run.\n", out);
}

assay_status assay_report_cases(const assay_report *report)
{
    bool         is_measured = false;
    assay_status st;

    ASSAY_CHECK(assay_report_by_case(report, parts, N_PARTS, true, TIMINGS, &is_measured));
    write_legend(report->out, is_measured);
out:
    return st;
}
