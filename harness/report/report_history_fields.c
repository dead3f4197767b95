/* A history for programs: CSV and JSON. */
#include "report_history_internal.h"

#include "report_fields.h"

#include <math.h>

/* A value with its segment and, if it is the first one after a step, that step. */
typedef struct place {
    const assay_history_series  *s;
    const assay_history_value   *v;
    const assay_history_segment *segment;
    const assay_step            *step;
    int64_t                      segment_place;
} place;

#define FIELD_MAP(X)                                                                               \
    X(key, ASSAY_TEXT(p->s->key))                                                                  \
    X(case_name, ASSAY_TEXT(p->s->case_name))                                                      \
    X(variant, ASSAY_TEXT(p->s->variant))                                                          \
    X(axes, ASSAY_TEXT(p->s->axes))                                                                \
    X(regime, ASSAY_TEXT(assay_regime_text(p->s->regime)))                                         \
    X(clock, ASSAY_TEXT(assay_clock_text(p->s->clock)))                                            \
    X(device, ASSAY_TEXT(p->s->device))                                                            \
    X(run_id, ASSAY_NUMBER(p->v->run_id))                                                          \
    X(run_uuid, ASSAY_TEXT(p->v->run_uuid))                                                        \
    X(started_utc, ASSAY_TEXT(p->v->started_utc))                                                  \
    X(git_commit, ASSAY_TEXT(p->v->git_commit))                                                    \
    X(git_dirty, ASSAY_TRUTH(p->v->git_dirty))                                                     \
    X(median_ns, ASSAY_NUMBER(p->v->median_ns))                                                    \
    X(q1_ns, ASSAY_NUMBER(p->v->q1_ns))                                                            \
    X(q3_ns, ASSAY_NUMBER(p->v->q3_ns))                                                            \
    X(median_cycles, ASSAY_NUMBER(p->v->cycles))                                                   \
    X(segment, ASSAY_NUMBER(p->segment_place))                                                     \
    X(changed, ASSAY_TEXT(p->v == &p->s->values[p->segment->first] ? p->segment->changed : ""))    \
    X(is_step, ASSAY_TRUTH(p->step != NULL))                                                       \
    X(step, ASSAY_NUMBER(p->step ? p->step->relative : unknown))                                   \
    X(step_lo, ASSAY_NUMBER(p->step ? p->step->lo : unknown))                                      \
    X(step_hi, ASSAY_NUMBER(p->step ? p->step->hi : unknown))                                      \
    X(step_evidence, ASSAY_NUMBER(p->step ? p->step->evidence : unknown))

static const char *const names[] = {
#define X(name, value) #name,
    FIELD_MAP(X)
#undef X
};
enum {
    N_FIELDS = sizeof names / sizeof names[0]
};

static void fill(const place *p, assay_field *fields)
{
    const double unknown = NAN;
    int          i       = 0;

#define X(name, value) fields[i++] = (value);
    FIELD_MAP(X)
#undef X
}

static place place_of(const assay_history_series *s, int64_t segment, int64_t i)
{
    const assay_history_segment *seg = &s->segments[segment];
    place p = { .s = s, .v = &s->values[seg->first + i], .segment = seg, .segment_place = segment };

    for (int64_t k = 0; k < seg->steps.n; k++)
        if (seg->steps.steps[k].index == i)
            p.step = &seg->steps.steps[k];
    return p;
}

void assay_report_history_csv(const assay_history *history, FILE *out)
{
    assay_field fields[N_FIELDS];

    assay_write_csv_names(out, names, N_FIELDS);
    for (int64_t n = 0; n < history->n_series; n++) {
        const assay_history_series *s = &history->series[n];

        for (int64_t k = 0; k < s->n_segments; k++) {
            for (int64_t i = 0; i < s->segments[k].n; i++) {
                const place p = place_of(s, k, i);

                fill(&p, fields);
                assay_write_csv_fields(out, fields, N_FIELDS);
            }
        }
    }
}

/* ---- JSON ---- */

static void begin_item(FILE *out, int64_t *n) { (void)fputs((*n)++ > 0 ? ",\n" : "\n", out); }

static void write_step(FILE *out, const assay_history_series *s, const assay_history_segment *seg,
                       const assay_step *step)
{
    static const char *const step_names[] = {
        "run_id", "earliest_run_id", "latest_run_id", "before_ns", "after_ns", "relative", "lo",
        "hi",     "n_before",        "n_after",       "evidence"
    };
    const assay_history_value *v        = &s->values[seg->first];
    const assay_field          fields[] = {
                 ASSAY_NUMBER(v[step->index].run_id),
                 ASSAY_NUMBER(v[step->earliest].run_id),
                 ASSAY_NUMBER(v[step->latest].run_id),
                 ASSAY_NUMBER(step->before),
                 ASSAY_NUMBER(step->after),
                 ASSAY_NUMBER(step->relative),
                 ASSAY_NUMBER(step->lo),
                 ASSAY_NUMBER(step->hi),
                 ASSAY_NUMBER(step->n_before),
                 ASSAY_NUMBER(step->n_after),
                 ASSAY_NUMBER(step->evidence),
    };

    assay_write_json_fields(out, step_names, fields, sizeof fields / sizeof fields[0]);
    (void)fputc('}', out);
}

/* The number of values up to that of run `last_run`, or of all values if that is 0. */
static int64_t end_of(const assay_history_series *s, int64_t last_run)
{
    int64_t i = 0;

    if (last_run == 0)
        return s->n_values;
    while (i < s->n_values && s->values[i].run_id != last_run)
        i++;
    return i < s->n_values ? i + 1 : i;
}

void assay_report_history_marks(const assay_history_series *s, int64_t last_run, FILE *out)
{
    static const char *const segment_names[] = { "run_id",   "n_runs",   "changed",
                                                 "level_ns", "is_drift", "drift_relative",
                                                 "noise" };
    const int64_t            end             = end_of(s, last_run);
    int64_t                  n               = 0;

    (void)fputs(",\"segments\":[", out);
    for (int64_t k = 0; k < s->n_segments && s->segments[k].first < end; k++) {
        const assay_history_segment *seg      = &s->segments[k];
        const assay_field            fields[] = {
                       ASSAY_NUMBER(s->values[seg->first].run_id),
                       ASSAY_NUMBER(seg->n),
                       ASSAY_TEXT(seg->changed),
                       ASSAY_NUMBER(seg->level_ns),
                       ASSAY_TRUTH(seg->steps.is_drift),
                       ASSAY_NUMBER(seg->steps.drift_relative),
                       ASSAY_NUMBER(seg->steps.noise),
        };

        (void)fputs(k > 0 ? "," : "", out);
        assay_write_json_fields(out, segment_names, fields, sizeof fields / sizeof fields[0]);
        (void)fputc('}', out);
    }
    (void)fputs("],\"steps\":[", out);
    for (int64_t k = 0; k < s->n_segments; k++) {
        const assay_history_segment *seg = &s->segments[k];

        for (int64_t i = 0; i < seg->steps.n; i++) {
            if (seg->first + seg->steps.steps[i].index >= end)
                continue;
            (void)fputs(n++ > 0 ? "," : "", out);
            write_step(out, s, seg, &seg->steps.steps[i]);
        }
    }
    (void)fputc(']', out);
}

static void write_series(FILE *out, const assay_history_series *s)
{
    static const char *const head[]        = { "key",  "series", "case_name", "variant",
                                               "axes", "regime", "clock",     "device" };
    const assay_field        fields[]      = { ASSAY_TEXT(s->key),
                                               ASSAY_TEXT(s->series),
                                               ASSAY_TEXT(s->case_name),
                                               ASSAY_TEXT(s->variant),
                                               ASSAY_TEXT(s->axes),
                                               ASSAY_TEXT(assay_regime_text(s->regime)),
                                               ASSAY_TEXT(assay_clock_text(s->clock)),
                                               ASSAY_TEXT(s->device) };
    static const char *const value_names[] = { "run_id",     "run_uuid",  "started_utc",
                                               "git_commit", "git_dirty", "median_ns",
                                               "q1_ns",      "q3_ns",     "median_cycles" };

    assay_write_json_fields(out, head, fields, sizeof fields / sizeof fields[0]);
    (void)fprintf(out, ",\"is_explained\":%s", s->is_explained ? "true" : "false");
    assay_report_history_marks(s, 0, out);
    (void)fputs(",\"values\":[", out);
    for (int64_t i = 0; i < s->n_values; i++) {
        const assay_history_value *v       = &s->values[i];
        const assay_field          value[] = { ASSAY_NUMBER(v->run_id),    ASSAY_TEXT(v->run_uuid),
                                               ASSAY_TEXT(v->started_utc), ASSAY_TEXT(v->git_commit),
                                               ASSAY_TRUTH(v->git_dirty),  ASSAY_NUMBER(v->median_ns),
                                               ASSAY_NUMBER(v->q1_ns),     ASSAY_NUMBER(v->q3_ns),
                                               ASSAY_NUMBER(v->cycles) };

        (void)fputs(i > 0 ? "," : "", out);
        assay_write_json_fields(out, value_names, value, sizeof value / sizeof value[0]);
        (void)fputc('}', out);
    }
    (void)fputs("]}", out);
}

static void write_error(FILE *out, const assay_history_error *e)
{
    static const char *const error_names[] = { "case_name", "case_version", "variant", "device",
                                               "lane",      "input",        "output",  "n_runs",
                                               "slope",     "level",        "p",       "runs_left",
                                               "is_told",   "reason" };
    const assay_trend       *t             = &e->trend;
    const assay_field        fields[] = { ASSAY_TEXT(e->case_name), ASSAY_NUMBER(e->case_version),
                                          ASSAY_TEXT(e->variant),   ASSAY_TEXT(e->device),
                                          ASSAY_TEXT(e->lane),      ASSAY_TEXT(e->input),
                                          ASSAY_TEXT(e->output),    ASSAY_NUMBER(t->n),
                                          ASSAY_NUMBER(t->slope),   ASSAY_NUMBER(t->level),
                                          ASSAY_NUMBER(t->p),       ASSAY_NUMBER(t->runs_left),
                                          ASSAY_TRUTH(t->is_told),  ASSAY_TEXT(t->reason) };

    assay_write_json_fields(out, error_names, fields, sizeof fields / sizeof fields[0]);
    (void)fputc('}', out);
}

static void write_note(FILE *out, const assay_history_note *note)
{
    static const char *const note_names[] = { "series", "run_uuid", "text", "who", "written_utc" };
    const assay_field        fields[]     = { ASSAY_TEXT(note->series), ASSAY_TEXT(note->run_uuid),
                                              ASSAY_TEXT(note->text), ASSAY_TEXT(note->who),
                                              ASSAY_TEXT(note->written_utc) };

    assay_write_json_fields(out, note_names, fields, sizeof fields / sizeof fields[0]);
    (void)fputc('}', out);
}

void assay_report_history_json(const assay_history *history, FILE *out)
{
    int64_t n = 0;

    (void)fputs("{\"format\":\"assay history\",\n\"format_version\":1,\n\"series\":[", out);
    for (int64_t i = 0; i < history->n_series; i++) {
        begin_item(out, &n);
        write_series(out, &history->series[i]);
    }
    (void)fputs("],\n\"errors\":[", out);
    n = 0;
    for (int64_t i = 0; i < history->n_errors; i++) {
        begin_item(out, &n);
        write_error(out, &history->errors[i]);
    }
    (void)fputs("],\n\"annotations\":[", out);
    n = 0;
    for (int64_t i = 0; i < history->n_notes; i++) {
        begin_item(out, &n);
        write_note(out, &history->notes[i]);
    }
    (void)fputs("]}\n", out);
}
