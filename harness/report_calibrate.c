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
    X(regime, ASSAY_TEXT(c->regime))                                                               \
    X(clock, ASSAY_TEXT(c->clock))                                                                 \
    X(device_kind, ASSAY_TEXT(c->device_kind))                                                     \
    X(device_name, ASSAY_TEXT(c->device_name))                                                     \
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
    { "case", false },        { "version", true },        { "regime", false },
    { "clock", false },       { "device", false },        { "A/A", true },
    { "false SLOWER", true }, { "at most (95 %)", true }, { "false FASTER", true },
    { "cannot tell", true },  { "band", true },           { "processes", true },
};

/* A device that nobody knows by name is known by its kind. */
static const char *device_of(const assay_calibrated *c)
{
    return c->device_name[0] ? c->device_name : c->device_kind;
}

static void add_row(assay_table *table, const assay_calibrated *c)
{
    const assay_calibration *r = &c->result;

    assay_table_add(table, "%s", c->case_name);
    assay_table_add(table, "%" PRId64, c->case_version);
    assay_table_add(table, "%s", c->regime);
    assay_table_add(table, "%s", c->clock);
    assay_table_add(table, "%s", device_of(c));
    assay_table_add(table, "%" PRId64, r->n);
    add_percent(table, r->slower_rate);
    add_percent(table, r->slower_upper);
    add_percent(table, r->faster_rate);
    add_percent(table, r->cannot_tell_rate);
    add_percent(table, r->band);
    add_percent(table, r->process_sd);
}

static void write_text(const assay_calibrations *calibrations, FILE *out)
{
    assay_table table = { .columns = columns, .n_columns = sizeof columns / sizeof columns[0] };

    (void)fprintf(out, "%" PRId64 " pairs of runs of one build", calibrations->n_pairs);
    if (calibrations->n_different > 0)
        (void)fprintf(out, "; %" PRId64 " lines of them not compared, as their conditions differ",
                      calibrations->n_different);
    (void)fputs("\nA/A: comparisons of a build with itself. band: 99 % of them lie within. "
                "processes: spread within a run.\n\n",
                out);
    for (int64_t i = 0; i < calibrations->n; i++)
        add_row(&table, &calibrations->rows[i]);
    if (assay_table_print(&table, out, 2) != ASSAY_OK)
        (void)fputs("out of memory for the table\n", out);
    assay_table_free(&table);
    (void)fputc('\n', out);
    for (int64_t i = 0; i < calibrations->n; i++) {
        const assay_calibrated *c = &calibrations->rows[i];

        (void)fputs(c->result.is_one_sided ? "WARNING: " : "", out);
        assay_write_clean(out, c->case_name);
        (void)fprintf(out, ", %s, %s clock, ", c->regime, c->clock);
        assay_write_clean(out, device_of(c));
        (void)fputs(": ", out);
        assay_write_clean(out, c->result.reason);
        (void)fputc('\n', out);
    }
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
                  "{\"format\":\"assay calibration\",\n\"format_version\":1,\n\"pairs\":%" PRId64
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

void assay_report_calibrations(const assay_calibrations *calibrations, const char *format,
                               FILE *out)
{
    if (strcmp(format, "text") == 0)
        write_text(calibrations, out);
    else if (strcmp(format, "csv") == 0)
        write_csv(calibrations, out);
    else
        write_json(calibrations, out);
}
