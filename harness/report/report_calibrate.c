/* What comparing builds with themselves says of the rules. */
#include "report_compare.h"

#include "report_fields.h"
#include "report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FIELD_MAP(X)                                                                               \
    X(case_name, ASSAY_TEXT(c->case_name))                                                         \
    X(case_version, ASSAY_NUMBER(c->case_version))                                                 \
    X(regime, ASSAY_TEXT(assay_regime_text(c->regime)))                                            \
    X(clock, ASSAY_TEXT(assay_clock_text(c->clock)))                                               \
    X(device_kind, ASSAY_TEXT(c->device_kind))                                                     \
    X(device_name, ASSAY_TEXT(c->device_name))                                                     \
    X(point, ASSAY_TEXT(c->key))                                                                   \
    X(tuning, ASSAY_TEXT(c->tuning))                                                               \
    X(comparisons, ASSAY_NUMBER(r->n))                                                             \
    X(false_slower, ASSAY_NUMBER(r->slower_rate))                                                  \
    X(false_slower_upper, ASSAY_NUMBER(r->slower_upper))                                           \
    X(false_faster, ASSAY_NUMBER(r->faster_rate))                                                  \
    X(cannot_tell, ASSAY_NUMBER(r->cannot_tell_rate))                                              \
    X(band, ASSAY_NUMBER(r->band))                                                                 \
    X(largest_effect, ASSAY_NUMBER(r->largest_effect))                                             \
    X(median_effect, ASSAY_NUMBER(r->median_effect))                                               \
    X(process_sd, ASSAY_NUMBER(r->process_sd))                                                     \
    X(process_df, ASSAY_NUMBER(r->process_df))                                                     \
    X(sidedness, ASSAY_NUMBER(r->sidedness))                                                       \
    X(is_one_sided, ASSAY_TRUTH(r->is_one_sided))                                                  \
    X(reason, ASSAY_TEXT(r->reason))                                                               \
    X(runs, ASSAY_TEXT(c->runs))

static const char *const names[] = {
#define X(name, value) #name,
    FIELD_MAP(X)
#undef X
};
enum {
    N_FIELDS = sizeof names / sizeof names[0]
};

static void fill(const assay_calibrated *c, assay_field *fields)
{
    const assay_calibration *r = &c->result;
    int                      i = 0;

#define X(name, value) fields[i++] = (value);
    FIELD_MAP(X)
#undef X
}

static void add_percent(assay_table *table, double share)
{
    if (isfinite(share))
        assay_table_add(table, "%.2f %%", 100 * share);
    else
        assay_table_add(table, "-");
}

static const assay_column columns[] = {
    { "case or point", false }, { "version", true },        { "regime", false },
    { "clock", false },         { "device", false },        { "A/A", true },
    { "false SLOWER", true },   { "at most (95 %)", true }, { "false FASTER", true },
    { "cannot tell", true },    { "band", true },           { "processes", true },
};

/* A device without a name is shown by its kind. */
static const char *device_of(const assay_calibrated *c)
{
    return c->device_name[0] ? c->device_name : c->device_kind;
}

/* The range of the points' spreads. The points of a case follow its row; their spreads differ too
 * much for one number. */
static void add_spreads(assay_table *table, const assay_calibrated *c, const assay_calibrated *end)
{
    double least = INFINITY, most = 0;

    for (c++; c < end && c->key[0]; c++) {
        least = fmin(least, c->result.process_sd);
        most  = fmax(most, c->result.process_sd);
    }
    if (isfinite(least))
        assay_table_add(table, "%.2f to %.2f %%", 100 * least, 100 * most);
    else
        assay_table_add(table, "-");
}

static void add_row(assay_table *table, const assay_calibrated *c, const assay_calibrated *end)
{
    const assay_calibration *r = &c->result;

    assay_table_add(table, "%s%s%s", c->key[0] ? c->key : c->case_name, c->tuning[0] ? " " : "",
                    c->tuning);
    assay_table_add(table, "%" PRId64, c->case_version);
    assay_table_add(table, "%s", assay_regime_text(c->regime));
    assay_table_add(table, "%s", assay_clock_text(c->clock));
    assay_table_add(table, "%s", device_of(c));
    assay_table_add(table, "%" PRId64, r->n);
    add_percent(table, r->slower_rate);
    add_percent(table, r->slower_upper);
    add_percent(table, r->faster_rate);
    add_percent(table, r->cannot_tell_rate);
    add_percent(table, r->band);
    if (c->key[0])
        add_percent(table, r->process_sd);
    else
        add_spreads(table, c, end);
}

static void write_reason(const assay_calibrated *c, FILE *out)
{
    (void)fputs(c->result.is_one_sided ? "WARNING: " : "", out);
    assay_write_clean(out, c->case_name);
    (void)fprintf(out, ", %s, %s clock, ", assay_regime_text(c->regime),
                  assay_clock_text(c->clock));
    assay_write_clean(out, device_of(c));
    (void)fputs(": ", out);
    assay_write_clean(out, c->result.reason);
    (void)fputc('\n', out);
}

static void write_text(const assay_calibrations *calibrations, bool all, FILE *out)
{
    const assay_calibrated *rows = calibrations->rows;
    const int64_t           n    = calibrations->n;
    assay_table table = { .columns = columns, .n_columns = sizeof columns / sizeof columns[0] };

    (void)fprintf(out, "%" PRId64 " pairs of runs of one build", calibrations->n_pairs);
    if (calibrations->n_different > 0)
        (void)fprintf(out, "; %" PRId64 " lines of them not compared, as their conditions differ",
                      calibrations->n_different);
    (void)fprintf(out,
                  "\nA/A: comparisons of a build with itself. band: 99 %% of them lie within. "
                  "processes: spread within a run%s.\n\n",
                  all ? "" : ", from point to point (--all shows each)");
    for (int64_t i = 0; i < n; i++)
        if (all || !rows[i].key[0])
            add_row(&table, &rows[i], rows + n);
    if (assay_table_print(&table, out, 2) != ASSAY_OK)
        (void)fputs("out of memory for the table\n", out);
    assay_table_free(&table);
    (void)fputc('\n', out);
    for (int64_t i = 0; i < n; i++)
        if (!rows[i].key[0])
            write_reason(&rows[i], out);
}

static void write_csv(const assay_calibrations *calibrations, FILE *out)
{
    assay_field fields[N_FIELDS];

    assay_write_csv_names(out, names, N_FIELDS);
    for (int64_t i = 0; i < calibrations->n; i++) {
        fill(&calibrations->rows[i], fields);
        assay_write_csv_fields(out, fields, N_FIELDS);
    }
}

static void write_json(const assay_calibrations *calibrations, FILE *out)
{
    assay_field fields[N_FIELDS];

    (void)fprintf(out,
                  "{\"format\":\"assay calibration\",\n\"format_version\":2,\n\"pairs\":%" PRId64
                  ",\n\"calibrations\":[",
                  calibrations->n_pairs);
    for (int64_t i = 0; i < calibrations->n; i++) {
        (void)fputs(i > 0 ? ",\n" : "\n", out);
        fill(&calibrations->rows[i], fields);
        assay_write_json_fields(out, names, fields, N_FIELDS);
        (void)fputc('}', out);
    }
    (void)fputs("]}\n", out);
}

void assay_report_calibrations(const assay_calibrations *calibrations, const char *format, bool all,
                               FILE *out)
{
    if (strcmp(format, "text") == 0)
        write_text(calibrations, all, out);
    else if (strcmp(format, "csv") == 0)
        write_csv(calibrations, out);
    else
        write_json(calibrations, out);
}
