/* A history for people. */
#include "report_compare.h"

#include "report_history_internal.h"
#include "report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void write_date(FILE *out, const char *utc) { (void)fprintf(out, "%.16s", utc); }

static void write_run(FILE *out, const assay_history_value *v)
{
    (void)fprintf(out, "run %" PRId64 " (", v->run_id);
    write_date(out, v->started_utc);
    (void)fputs(", commit ", out);
    (void)fprintf(out, "%.12s", v->git_commit[0] ? v->git_commit : "unknown");
    (void)fprintf(out, "%s)", v->git_dirty ? " with changes" : "");
}

static void write_step(FILE *out, const assay_history_series *s, const assay_history_segment *seg,
                       const assay_step *step)
{
    const assay_history_value *at = &s->values[seg->first + step->index];
    char                       a[ASSAY_CELL_SIZE], b[ASSAY_CELL_SIZE];

    (void)fputs("             step at ", out);
    write_run(out, at);
    if (step->earliest < step->latest)
        (void)fprintf(out, ", between run %" PRId64 " and run %" PRId64,
                      s->values[seg->first + step->earliest].run_id,
                      s->values[seg->first + step->latest].run_id);
    (void)fprintf(out,
                  ": %s, then %s\n             %+.2f %% (%+.2f to %+.2f %%), %" PRId64
                  " runs before and %" PRId64 " after; evidence %.1f\n",
                  assay_format_time(a, step->before), assay_format_time(b, step->after),
                  100 * step->relative, 100 * step->lo, 100 * step->hi, step->n_before,
                  step->n_after, step->evidence);
}

static void write_segment(FILE *out, const assay_history_series *s,
                          const assay_history_segment *seg)
{
    if (seg->changed[0]) {
        (void)fputs("             new segment from ", out);
        write_run(out, &s->values[seg->first]);
        (void)fputs(": ", out);
        assay_write_clean(out, seg->changed);
        (void)fputc('\n', out);
    }
    for (int64_t i = 0; i < seg->steps.n; i++)
        write_step(out, s, seg, &seg->steps.steps[i]);
    if (seg->steps.is_drift)
        (void)fprintf(out, "             drift of %+.2f %% over %" PRId64 " runs\n",
                      100 * seg->steps.drift_relative, seg->n);
}

static void write_notes(FILE *out, const assay_history *h, const assay_history_series *s)
{
    for (int64_t i = 0; i < h->n_notes; i++) {
        const assay_history_note *note = &h->notes[i];

        if (!assay_history_is_about(note, s))
            continue;
        (void)fputs("             note", out);
        for (int64_t k = 0; k < s->n_values; k++)
            if (strcmp(s->values[k].run_uuid, note->run_uuid) == 0)
                (void)fprintf(out, " on run %" PRId64, s->values[k].run_id);
        (void)fprintf(out, " (%.10s, ", note->written_utc);
        assay_write_clean(out, note->who);
        (void)fputs("): ", out);
        assay_write_clean(out, note->text);
        (void)fputc('\n', out);
    }
}

static void write_values(FILE *out, const assay_history_series *s)
{
    char time[ASSAY_CELL_SIZE];

    for (int64_t i = 0; i < s->n_values; i++) {
        (void)fprintf(out, "             %12s  ", assay_format_time(time, s->values[i].median_ns));
        write_run(out, &s->values[i]);
        (void)fputc('\n', out);
    }
}

static const char *finding_of(const assay_history_series *s)
{
    const assay_history_segment *last = &s->segments[s->n_segments - 1];

    if (s->newest_step)
        return s->newest_step->relative < 0 ? "FASTER" : s->is_explained ? "explained" : "SLOWER";
    if (last->steps.is_drift)
        return "drift";
    return last->n < 4 ? "short" : "steady";
}

static void write_series(FILE *out, const assay_history *h, const assay_history_series *s, bool all)
{
    const assay_history_segment *last = &s->segments[s->n_segments - 1];
    char                         time[ASSAY_CELL_SIZE];

    (void)fprintf(out, "%-12s ", finding_of(s));
    assay_write_clean(out, s->key);
    (void)fprintf(out, ", %s, %s clock: %" PRId64 " runs, now %s", assay_regime_text(s->regime),
                  assay_clock_text(s->clock), s->n_values, assay_format_time(time, last->level_ns));
    if (last->steps.noise > 0)
        (void)fprintf(out, ", noise %.2f %%", 100 * last->steps.noise);
    (void)fputc('\n', out);
    for (int64_t k = 0; k < s->n_segments; k++)
        write_segment(out, s, &s->segments[k]);
    write_notes(out, h, s);
    if (s->newest_step && s->newest_step->relative > 0 && !s->is_explained)
        (void)fputs("             next: find the commit in between; if it was meant, say so in an "
                    "annotation of the run\n",
                    out);
    if (all || h->n_series == 1)
        write_values(out, s);
}

static void write_error(FILE *out, const assay_history_error *e)
{
    (void)fprintf(out, "%-12s ", e->trend.is_told ? "WARNING" : "error");
    assay_write_clean(out, e->case_name);
    (void)fputc('/', out);
    assay_write_clean(out, e->variant);
    (void)fprintf(out, ", %s input, output ", e->input);
    assay_write_clean(out, e->output);
    (void)fprintf(out, " (%s): ", e->lane);
    assay_write_clean(out, e->trend.reason);
    (void)fputc('\n', out);
}

static void write_text(const assay_history *h, bool all, FILE *out)
{
    (void)fprintf(out,
                  "%" PRId64 " series: the newest step is slower in %" PRId64 " (%" PRId64
                  " not explained), faster in %" PRId64 "; drift in %" PRId64 "; %" PRId64
                  " errors rise towards their bound\n",
                  h->n_series, h->n_slower, h->n_unexplained, h->n_faster, h->n_drifts,
                  h->n_rising);
    for (int64_t i = 0; i < h->n_errors; i++)
        if (h->errors[i].trend.is_told)
            write_error(out, &h->errors[i]);
    for (int64_t i = 0; i < h->n_series; i++)
        write_series(out, h, &h->series[i], all);
    for (int64_t i = 0; i < h->n_errors && all; i++)
        if (!h->errors[i].trend.is_told)
            write_error(out, &h->errors[i]);
}

const char *const assay_report_history_formats[] = { "text", "csv", "json", NULL };

void assay_report_history(const assay_history *history, const char *format, bool all, FILE *out)
{
    if (strcmp(format, "text") == 0)
        write_text(history, all, out);
    else if (strcmp(format, "csv") == 0)
        assay_report_history_csv(history, out);
    else
        assay_report_history_json(history, out);
}
