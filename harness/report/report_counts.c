/* How many points of a run have which outcome: the line of every text report, and a run in one
 * line. */
#include "report_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *outcome; /* as the view `verdicts` names it */
    const char *text;
    int64_t     n;
    assay_mark  mark;
    bool        lists_verdicts;
    char        verdicts[256];
} outcome_count;

enum {
    PASSED,
    REFERENCE,
    FAILED,
    CAUGHT,
    SKIPPED,
    READY,
    N_OUTCOMES
};

static void count_row(outcome_count *counts, assay_cursor *row)
{
    const char   *outcome = assay_row_text(row, "outcome");
    const int64_t n       = assay_row_count(row, "n_points");

    for (int i = 0; i < N_OUTCOMES; i++) {
        const size_t used = strlen(counts[i].verdicts);

        if (strcmp(counts[i].outcome, outcome) != 0)
            continue;
        counts[i].n += n;
        if (counts[i].lists_verdicts)
            (void)snprintf(counts[i].verdicts + used, sizeof counts[i].verdicts - used,
                           "%s%" PRId64 " %s", used ? ", " : "", n, assay_row_text(row, "verdict"));
    }
}

static void write_count(const assay_report *report, const outcome_count *count)
{
    char text[320];

    (void)snprintf(text, sizeof text, "%" PRId64 " %s%s%s%s", count->n, count->text,
                   count->verdicts[0] ? " (" : "", count->verdicts, count->verdicts[0] ? ")" : "");
    if (count->mark != ASSAY_MARK_NONE && count->n > 0)
        assay_report_word(report, count->mark, text);
    else
        (void)fputs(text, report->out);
}

static void write_counts(const assay_report *report, const outcome_count *counts)
{
    int64_t all = 0;

    for (int i = 0; i < N_OUTCOMES; i++)
        all += counts[i].n;
    (void)fprintf(report->out, "%" PRId64 " point%s: ", all, all == 1 ? "" : "s");
    write_count(report, &counts[PASSED]);
    for (int i = REFERENCE; i < N_OUTCOMES; i++) {
        if (counts[i].n == 0)
            continue;
        (void)fputs(", ", report->out);
        write_count(report, &counts[i]);
    }
}

static assay_status write_summary(const assay_report *report, int64_t *n_ready)
{
    outcome_count counts[N_OUTCOMES] = {
        [PASSED]    = { .outcome = "passed", .text = "passed", .mark = ASSAY_MARK_GOOD },
        [REFERENCE] = { .outcome = "reference", .text = "of the reference itself" },
        [FAILED]    = { .outcome        = "failed",
                        .text           = "failed",
                        .mark           = ASSAY_MARK_BAD,
                        .lists_verdicts = true },
        [CAUGHT]    = { .outcome        = "caught",
                        .text           = "broken on purpose and found out",
                        .lists_verdicts = true },
        [SKIPPED]   = { .outcome = "skipped", .text = "skipped" },
        [READY]     = { .outcome = "ready", .text = "not finished", .mark = ASSAY_MARK_DOUBT },
    };
    assay_cursor *row = NULL;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, "summary", report->run_id, &row));
    while (assay_cursor_next(row, &st))
        count_row(counts, row);
    if (st == ASSAY_OK)
        write_counts(report, counts);
    *n_ready = counts[READY].n;
out:
    assay_cursor_close(row);
    return st;
}

assay_status assay_report_counts(const assay_report *report)
{
    int64_t      n_ready = 0;
    assay_replay replay;
    assay_status st = write_summary(report, &n_ready);

    (void)fputc('\n', report->out);
    if (st != ASSAY_OK || n_ready == 0)
        return st;
    ASSAY_CHECK(assay_replay_read(report, &replay));
    (void)fputs(*replay.whole
                    ? "The command line of this run with --resume completes what is left.\n"
                    : "`assay resume` completes what is left.\n",
                report->out);
out:
    return st;
}

/* ---- a run in one line ---- */

static void write_first(FILE *out, assay_cursor *row)
{
    (void)fputs("; first: ", out);
    assay_write_clean(out, assay_row_text(row, "key"));
    (void)fputc(' ', out);
    assay_write_clean(out, assay_row_text(row, "verdict"));
    if (*assay_row_text(row, "reason"))
        (void)fputs(": ", out);
    assay_write_clean(out, assay_row_text(row, "reason"));
}

assay_status assay_report_brief(const assay_report *report)
{
    assay_cursor *row     = NULL;
    int64_t       n_ready = 0;
    assay_status  st;

    (void)fprintf(report->out, "run %" PRId64 ": ", report->run_id);
    ASSAY_CHECK(write_summary(report, &n_ready));
    ASSAY_CHECK(assay_store_query(report->store, "failures", report->run_id, &row));
    if (assay_cursor_next(row, &st))
        write_first(report->out, row);
    (void)fputc('\n', report->out);
out:
    assay_cursor_close(row);
    return st;
}
