/* The text report: what ran where, the outcomes, what failed and why. The tables by case are in
 * report_cases.c. */
#include "report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- head ---- */

static void write_label(FILE *out, const char *label, const char *text)
{
    (void)fprintf(out, "%-9s ", label);
    assay_write_clean(out, text);
}

/* Writes ", label text", or nothing if there is no text. */
static void write_more(FILE *out, const char *label, const char *text)
{
    if (!*text)
        return;
    (void)fprintf(out, ", %s", label);
    assay_write_clean(out, text);
}

static void write_run_lines(FILE *out, assay_cursor *row)
{
    const double exit_status = assay_row_number(row, "exit_status");

    write_label(out, "run", assay_row_text(row, "uuid"));
    (void)fprintf(out, " (number %" PRId64 " of this file)\n", assay_row_count(row, "run_id"));
    if (*assay_row_text(row, "command")) {
        write_label(out, "command", assay_row_text(row, "command"));
        (void)fputc('\n', out);
    }
    write_label(out, "started", assay_row_text(row, "started_utc"));
    if (assay_row_count(row, "is_open"))
        (void)fputs(", no end: interrupted, or still running", out);
    else if (!isnan(exit_status))
        (void)fprintf(out, ", took %.1f s, exit status %.0f", assay_row_number(row, "elapsed_s"),
                      exit_status);
    (void)fputc('\n', out);
}

static void write_host_line(FILE *out, assay_cursor *row)
{
    write_label(out, "host", assay_row_text(row, "host"));
    write_more(out, "", assay_row_text(row, "cpu_model"));
    if (assay_row_count(row, "n_cpus") > 0)
        (void)fprintf(out, ", %" PRId64 " CPUs", assay_row_count(row, "n_cpus"));
    write_more(out, "Linux ", assay_row_text(row, "kernel_release"));
    (void)fputc('\n', out);
}

static void write_version(FILE *out, const char *label, int64_t version)
{
    if (version > 0)
        (void)fprintf(out, ", %s %" PRId64 ".%" PRId64, label, version / 1000, version % 1000 / 10);
}

static void write_device_line(FILE *out, assay_cursor *row)
{
    const int64_t capability = assay_row_count(row, "compute_capability");
    const int64_t memory     = assay_row_count(row, "memory_bytes");
    char          text[ASSAY_CELL_SIZE];

    write_label(out, "device", assay_row_text(row, "device"));
    write_more(out, "", assay_row_text(row, "device_uuid"));
    write_more(out, "lane ", assay_row_text(row, "lane"));
    if (capability > 0)
        (void)fprintf(out, ", cc %" PRId64 ".%" PRId64, capability / 10, capability % 10);
    if (memory > 0)
        (void)fprintf(out, ", %s", assay_format_bytes(text, (double)memory));
    write_more(out, "driver ", assay_row_text(row, "driver"));
    write_version(out, "CUDA", assay_row_count(row, "runtime_version"));
    (void)fputc('\n', out);
}

static void write_build_line(FILE *out, assay_cursor *row)
{
    write_label(out, "build", "assay ");
    assay_write_clean(out, assay_row_text(row, "assay_version"));
    write_more(out, "commit ", assay_row_text(row, "git_commit"));
    if (assay_row_count(row, "git_dirty"))
        (void)fputs(" with uncommitted changes", out);
    write_more(out, "", assay_row_text(row, "build_type"));
    write_more(out, "", assay_row_text(row, "compiler"));
    write_more(out, "", assay_row_text(row, "cuda_compiler"));
    (void)fputc('\n', out);
}

/* *can_time: are times on this device meaningful? */
static assay_status write_head(const assay_report *report, bool *can_time)
{
    assay_cursor *row = NULL;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, "run", report->run_id, &row));
    if (!assay_cursor_next(row, &st))
        goto out;
    *can_time = assay_row_count(row, "can_time") != 0;
    (void)fputs("Assay report\n\n", report->out);
    write_run_lines(report->out, row);
    write_label(report->out, "seed", assay_row_text(row, "seed"));
    (void)fputc('\n', report->out);
    write_host_line(report->out, row);
    write_device_line(report->out, row);
    write_build_line(report->out, row);
out:
    assay_cursor_close(row);
    return st;
}

/* ---- failures ---- */

static void write_failed_check(FILE *out, assay_cursor *row)
{
    const double first = assay_row_number(row, "first_bad");
    char         a[ASSAY_CELL_SIZE], b[ASSAY_CELL_SIZE];

    if (!*assay_row_text(row, "output") || strcmp(assay_row_text(row, "verdict"), "PASS") == 0)
        return;
    (void)fputs("      ", out);
    assay_write_clean(out, assay_row_text(row, "output"));
    write_more(out, "", assay_row_text(row, "input"));
    (void)fprintf(out, " input: %" PRId64 " of %" PRId64 " elements fail",
                  assay_row_count(row, "n_failed"), assay_row_count(row, "count"));
    if (!isnan(first))
        (void)fprintf(out, ", first at %.0f: %s, expected %s", first,
                      assay_format_exact(a, assay_row_number(row, "first_bad_value")),
                      assay_format_exact(b, assay_row_number(row, "first_bad_expected")));
    (void)fprintf(out, "; worst err/bound %s", assay_format_ratio(a, row, true));
    (void)fprintf(out, " by rule %s\n", assay_format_rule(b, row));
}

static void write_failure(const assay_report *report, const assay_replay *replay, assay_cursor *row)
{
    FILE       *out      = report->out;
    const char *expected = assay_row_text(row, "expected");

    (void)fputs("\n  ", out);
    assay_write_clean(out, assay_row_text(row, "key"));
    (void)fputs("\n      ", out);
    assay_report_word(report, ASSAY_MARK_BAD, assay_row_text(row, "verdict"));
    if (strcmp(expected, "PASS") != 0) {
        (void)fputs(", but declared broken: expected ", out);
        assay_write_clean(out, *expected ? expected : "nothing");
    }
    if (*assay_row_text(row, "reason")) {
        (void)fputs(": ", out);
        assay_write_clean(out, assay_row_text(row, "reason"));
    }
    (void)fputc('\n', out);
    write_failed_check(out, row);
    if (report->has_marks)
        (void)fputc(ASSAY_MARK_COMMAND, out);
    (void)fputs("      ", out);
    assay_replay_write(out, replay, row);
    (void)fputc('\n', out);
}

assay_status assay_report_failed(const assay_report *report)
{
    assay_cursor *row   = NULL;
    bool          first = true;
    assay_replay  replay;
    assay_status  st;

    ASSAY_CHECK(assay_replay_read(report, &replay));
    ASSAY_CHECK(assay_store_query(report->store, "failures", report->run_id, &row));
    while (assay_cursor_next(row, &st)) {
        if (first) {
            (void)fputc('\n', report->out);
            assay_report_word(report, ASSAY_MARK_BAD, "Failed");
            (void)fputc('\n', report->out);
        }
        first = false;
        write_failure(report, &replay, row);
    }
out:
    assay_cursor_close(row);
    return st;
}

/* ---- skipped ---- */

static void write_skipped_row(FILE *out, assay_cursor *row)
{
    const int64_t n_cases    = assay_row_count(row, "n_cases");
    const int64_t n_variants = assay_row_count(row, "n_variants");
    const int64_t n          = assay_row_count(row, "n_points");

    (void)fprintf(out, "  %5" PRId64 " point%s ", n, n == 1 ? " " : "s");
    assay_write_clean(out, assay_row_text(row, "verdict"));
    (void)fputs(": ", out);
    assay_write_clean(out, *assay_row_text(row, "reason") ? assay_row_text(row, "reason")
                                                          : "no reason given");
    if (n_cases > 1) {
        (void)fprintf(out, " (%" PRId64 " cases)\n", n_cases);
        return;
    }
    (void)fputs(" (", out);
    assay_write_clean(out, assay_row_text(row, "case_name"));
    if (n_variants == 1) {
        (void)fputc('/', out);
        assay_write_clean(out, assay_row_text(row, "variant"));
    }
    (void)fputs(")\n", out);
}

assay_status assay_report_skipped(const assay_report *report)
{
    assay_cursor *row   = NULL;
    bool          first = true;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, "skipped", report->run_id, &row));
    while (assay_cursor_next(row, &st)) {
        if (first)
            (void)fputs("\nSkipped\n\n", report->out);
        first = false;
        write_skipped_row(report->out, row);
    }
out:
    assay_cursor_close(row);
    return st;
}

/* ---- passed, with a note ---- */

static void write_note(FILE *out, assay_cursor *row)
{
    const int64_t n = assay_row_count(row, "n_points");

    (void)fprintf(out, "  %5" PRId64 " point%s of ", n, n == 1 ? " " : "s");
    assay_write_clean(out, assay_row_text(row, "case_name"));
    (void)fputc('/', out);
    assay_write_clean(out, assay_row_text(row, "variant"));
    (void)fputs(": ", out);
    assay_write_clean(out, assay_row_text(row, "reason"));
    (void)fputc('\n', out);
}

assay_status assay_report_notes(const assay_report *report)
{
    assay_cursor *row   = NULL;
    bool          first = true;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(report->store, "noted", report->run_id, &row));
    while (assay_cursor_next(row, &st)) {
        if (first)
            (void)fputs("\nPassed, with a note\n\n", report->out);
        first = false;
        write_note(report->out, row);
    }
out:
    assay_cursor_close(row);
    return st;
}

assay_status assay_report_text(const assay_report *report)
{
    bool         can_time = true;
    assay_status st;

    ASSAY_CHECK(write_head(report, &can_time));
    (void)fputc('\n', report->out);
    ASSAY_CHECK(assay_report_counts(report));
    if (!can_time)
        (void)fputs(
            "This device checks kernels and never times them: only CPU variants have times.\n",
            report->out);
    ASSAY_CHECK(assay_report_grounds(report));
    ASSAY_CHECK(assay_report_failed(report));
    ASSAY_CHECK(assay_report_skipped(report));
    ASSAY_CHECK(assay_report_notes(report));
    ASSAY_CHECK(assay_report_cases(report));
out:
    return st;
}
