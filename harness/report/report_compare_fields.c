/* A comparison for programs: CSV and JSON. */
#include "report_compare_internal.h"

#include "report_fields.h"

#include <inttypes.h>
#include <math.h>

/* X(name, value): the fields of a row `c` of a table `t`. `k` is the result of the comparison, or
 * NULL. */
#define FIELD_MAP(X)                                                                               \
    X(kind, ASSAY_TEXT(assay_change_kind_name(c->kind)))                                           \
    X(verdict, ASSAY_TEXT(k ? assay_compare_verdict_name(k->verdict) : ""))                        \
    X(case_name, ASSAY_TEXT(assay_change_point(c)->case_name))                                     \
    X(case_version, ASSAY_NUMBER(assay_change_point(c)->case_version))                             \
    X(variant, ASSAY_TEXT(assay_change_point(c)->variant))                                         \
    X(axes, ASSAY_TEXT(assay_change_point(c)->axes))                                               \
    X(key, ASSAY_TEXT(assay_change_point(c)->key))                                                 \
    X(regime, ASSAY_TEXT(assay_regime_text(assay_change_regime(c))))                               \
    X(clock, ASSAY_TEXT(assay_clock_text(assay_change_clock(c))))                                  \
    X(verdict_a, ASSAY_TEXT(c->point_a ? c->point_a->verdict : ""))                                \
    X(verdict_b, ASSAY_TEXT(c->point_b ? c->point_b->verdict : ""))                                \
    X(is_new_failure, ASSAY_TRUTH(c->is_new_failure))                                              \
    X(time_a_ns, ASSAY_NUMBER(k ? k->time.middle_a : unknown))                                     \
    X(time_b_ns, ASSAY_NUMBER(k ? k->time.middle_b : unknown))                                     \
    X(median_a_ns, ASSAY_NUMBER(c->time_a ? c->time_a->time_ns : unknown))                         \
    X(median_b_ns, ASSAY_NUMBER(c->time_b ? c->time_b->time_ns : unknown))                         \
    X(doubt_a, ASSAY_TEXT(c->time_a ? c->time_a->doubt : ""))                                      \
    X(doubt_b, ASSAY_TEXT(c->time_b ? c->time_b->doubt : ""))                                      \
    X(effect, ASSAY_NUMBER(k ? k->time.relative : unknown))                                        \
    X(lo, ASSAY_NUMBER(k ? k->time.lo : unknown))                                                  \
    X(hi, ASSAY_NUMBER(k ? k->time.hi : unknown))                                                  \
    X(p, ASSAY_NUMBER(k ? k->time.p : unknown))                                                    \
    X(p_corrected, ASSAY_NUMBER(k ? k->p_corrected : unknown))                                     \
    X(cycles_effect, ASSAY_NUMBER(k && k->has_cycles ? k->cycles.relative : unknown))              \
    X(cycles_lo, ASSAY_NUMBER(k && k->has_cycles ? k->cycles.lo : unknown))                        \
    X(cycles_hi, ASSAY_NUMBER(k && k->has_cycles ? k->cycles.hi : unknown))                        \
    X(threshold, ASSAY_NUMBER(k ? t->rule.threshold : unknown))                                    \
    X(band, ASSAY_NUMBER(k && c->known.band > 0 ? c->known.band : unknown))                        \
    X(margin, ASSAY_NUMBER(k ? k->margin : unknown))                                               \
    X(processes_a, ASSAY_NUMBER(k ? (double)k->time.n_a : unknown))                                \
    X(processes_b, ASSAY_NUMBER(k ? (double)k->time.n_b : unknown))                                \
    X(processes_needed, ASSAY_NUMBER(k && k->n_needed > 0 ? (double)k->n_needed : unknown))        \
    X(why, ASSAY_TEXT(c->why))                                                                     \
    X(reason, ASSAY_TEXT(k ? k->reason : ""))                                                      \
    X(next, ASSAY_TEXT(k ? k->next : ""))

static const char *const names[] = {
#define X(name, value) #name,
    FIELD_MAP(X)
#undef X
};
enum {
    N_FIELDS = sizeof names / sizeof names[0]
};

static void fill(const assay_change_table *t, const assay_change *c, assay_field *fields)
{
    const double          unknown = NAN;
    const assay_compared *k       = c->kind == ASSAY_CHANGE_COMPARED ? &c->result : NULL;
    int                   i       = 0;

#define X(name, value) fields[i++] = (value);
    FIELD_MAP(X)
#undef X
}

void assay_report_change_csv(const assay_change_table *table, FILE *out)
{
    assay_field fields[N_FIELDS];

    assay_write_csv_names(out, names, N_FIELDS);
    for (int64_t i = 0; i < table->n; i++) {
        fill(table, &table->rows[i], fields);
        assay_write_csv_fields(out, fields, N_FIELDS);
    }
}

static void write_side(FILE *out, const char *member, const assay_side *side)
{
    (void)fprintf(out, ",\n\"%s\":{\"path\":", member);
    assay_json_text(out, side->path);
    (void)fputs(",\"runs\":[", out);
    for (int64_t i = 0; i < side->n_runs; i++) {
        (void)fprintf(out, "%s{\"run_id\":%" PRId64 ",\"uuid\":", i > 0 ? "," : "",
                      side->runs[i].run_id);
        assay_json_text(out, side->runs[i].uuid);
        (void)fputs(",\"started_utc\":", out);
        assay_json_text(out, side->runs[i].started_utc);
        (void)fputs(",\"git_commit\":", out);
        assay_json_text(out, side->runs[i].git_commit);
        (void)fprintf(out, ",\"git_dirty\":%s}", side->runs[i].git_dirty ? "true" : "false");
    }
    (void)fputs("]}", out);
}

static void write_summary(FILE *out, const assay_change_table *t)
{
    (void)fprintf(out,
                  ",\n\"summary\":{\"slower\":%" PRId64 ",\"cannot_tell\":%" PRId64
                  ",\"faster\":%" PRId64 ",\"same\":%" PRId64 ",\"new_failures\":%" PRId64,
                  t->n_slower, t->n_cannot_tell, t->n_faster, t->n_same, t->n_new_failures);
    for (int k = 0; k < ASSAY_N_CHANGE_KINDS; k++)
        (void)fprintf(out, ",\"%s\":%" PRId64, assay_change_kind_name((assay_change_kind)k),
                      t->n_of_kind[k]);
    (void)fputs(",\"sidedness\":", out);
    assay_json_number(out, t->sidedness);
    (void)fputc('}', out);
}

void assay_report_change_json(const assay_change_table *table, const assay_side *a,
                              const assay_side *b, FILE *out)
{
    assay_field fields[N_FIELDS];

    (void)fputs("{\"format\":\"assay compare\",\n\"format_version\":2", out);
    write_side(out, "a", a);
    write_side(out, "b", b);
    write_summary(out, table);
    (void)fputs(",\n\"changes\":[", out);
    for (int64_t i = 0; i < table->n; i++) {
        (void)fputs(i > 0 ? ",\n" : "\n", out);
        fill(table, &table->rows[i], fields);
        assay_write_json_fields(out, names, fields, N_FIELDS);
        (void)fputc('}', out);
    }
    (void)fputs("]}\n", out);
}
