/* Growth along an axis in the text and the JSON reports: t = a x^b + c of each variant. */
#include "report_fits.h"

#include "report_fields.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- text ---- */

static const assay_column fit_columns[] = {
    { "variant", false },       { "regime, clock", false },
    { "sizes", true },          { "t = a x^b + c, 95 % intervals", false },
    { "log-log slope", false },
};

static void add_curve(assay_table *table, const assay_fit *fit)
{
    char a[ASSAY_CELL_SIZE], b[ASSAY_CELL_SIZE], c[ASSAY_CELL_SIZE];

    if (!fit->is_known) {
        assay_table_add(table, "CANNOT_TELL: %s", fit->why);
        return;
    }
    assay_table_add(table, "%s x^%s + %s",
                    assay_format_time_interval(a, fit->a.value, fit->a.lo, fit->a.hi, 3),
                    assay_format_number_interval(b, fit->b.value, fit->b.lo, fit->b.hi, 4),
                    assay_format_time_interval(c, fit->c.value, fit->c.lo, fit->c.hi, 3));
}

static void add_fitted(assay_table *table, const assay_fitted *f)
{
    char slope[ASSAY_CELL_SIZE], error[ASSAY_CELL_SIZE];

    assay_table_add(table, "%s", f->variant);
    assay_table_add(table, "%s %s", f->regime, f->clocks);
    assay_table_add(table, "%" PRId64, f->n);
    add_curve(table, &f->fit);
    if (isnan(f->slope))
        assay_table_add(table, "-");
    else
        assay_table_add(table, "%s +- %s", assay_format_number(slope, f->slope, 3),
                        assay_format_number(error, f->slope_error, 2));
}

/* Adds a heading if the axis, or the values of the other axes, differ from those of the row
 * before. */
static void add_heading(assay_table *table, const assay_fitted *f, char *last, size_t size)
{
    char text[sizeof f->axis + sizeof f->others + 32];

    (void)snprintf(text, sizeof text, "x: %s%s%s%s%s", f->axis, f->unit ? ", " : "",
                   assay_size_unit_text(f->unit), *f->others ? "; at " : "", f->others);
    if (table->n_cells > 0 && strncmp(text, last, size - 1) == 0)
        return;
    (void)snprintf(last, size, "%s", text);
    assay_table_heading(table, text);
}

assay_status assay_report_fits(FILE *out, assay_report_stream *s, const assay_case_id *id)
{
    assay_table  table                                                = { .columns   = fit_columns,
                                                                          .n_columns = (int)(sizeof fit_columns / sizeof fit_columns[0]) };
    assay_fitted fitted                                               = { .n = 0 };
    char         last[sizeof fitted.axis + sizeof fitted.others + 32] = "";
    assay_status st                                                   = ASSAY_OK;

    while (assay_report_is_of_case(s, id)) {
        ASSAY_CHECK(assay_fitted_read(s, &fitted));
        if (fitted.n > 0) {
            add_heading(&table, &fitted, last, sizeof last);
            add_fitted(&table, &fitted);
        }
        assay_fitted_free(&fitted);
    }
    if (table.n_cells > 0)
        (void)fputs("\n  growth along an axis x, all others fixed\n", out);
    ASSAY_CHECK(assay_table_print(&table, out, 6));
out:
    assay_fitted_free(&fitted);
    assay_table_free(&table);
    return st;
}

/* ---- JSON ---- */

static void write_fitted(FILE *out, const assay_fitted *f)
{
    static const char *const names[] = {
        "case_name", "case_version", "variant", "regime",   "clocks",      "axis",
        "unit",      "others",       "n_times", "is_known", "why",         "a_ns",
        "a_lo_ns",   "a_hi_ns",      "b",       "b_lo",     "b_hi",        "c_ns",
        "c_lo_ns",   "c_hi_ns",      "scatter", "slope",    "slope_error", "n_above_floor",
    };
    const assay_fit  *fit      = &f->fit;
    const assay_field fields[] = {
        ASSAY_TEXT(f->case_name),
        ASSAY_NUMBER(f->case_version),
        ASSAY_TEXT(f->variant),
        ASSAY_TEXT(f->regime),
        ASSAY_TEXT(f->clocks),
        ASSAY_TEXT(f->axis),
        ASSAY_TEXT(assay_size_unit_text(f->unit)),
        ASSAY_TEXT(f->others),
        ASSAY_NUMBER(f->n),
        ASSAY_TRUTH(fit->is_known),
        ASSAY_TEXT(fit->why),
        ASSAY_NUMBER(fit->a.value),
        ASSAY_NUMBER(fit->a.lo),
        ASSAY_NUMBER(fit->a.hi),
        ASSAY_NUMBER(fit->b.value),
        ASSAY_NUMBER(fit->b.lo),
        ASSAY_NUMBER(fit->b.hi),
        ASSAY_NUMBER(fit->c.value),
        ASSAY_NUMBER(fit->c.lo),
        ASSAY_NUMBER(fit->c.hi),
        ASSAY_NUMBER(fit->scatter),
        ASSAY_NUMBER(f->slope),
        ASSAY_NUMBER(f->slope_error),
        ASSAY_NUMBER(f->n_above),
    };

    _Static_assert(sizeof names / sizeof names[0] == sizeof fields / sizeof fields[0],
                   "a name for each field");
    assay_write_json_fields(out, names, fields, sizeof fields / sizeof fields[0]);
    (void)fputs(",\"times\":[", out);
    for (int64_t i = 0; i < f->n; i++) {
        (void)fprintf(out, "%s{\"point_id\":%" PRId64 ",\"x\":", i ? "," : "", f->point_ids[i]);
        assay_json_number(out, f->x[i]);
        (void)fputc('}', out);
    }
    (void)fputs("]}", out);
}

static assay_status write_each(const assay_report *report, assay_report_stream *s)
{
    assay_fitted fitted = { .n = 0 };
    bool         first  = true;
    assay_status st     = ASSAY_OK;

    while (s->has_row) {
        ASSAY_CHECK(assay_fitted_read(s, &fitted));
        if (fitted.n > 0) {
            (void)fputs(first ? "" : ",\n", report->out);
            write_fitted(report->out, &fitted);
            first = false;
        }
        assay_fitted_free(&fitted);
    }
out:
    assay_fitted_free(&fitted);
    return st;
}

assay_status assay_json_fits(const assay_report *report)
{
    assay_report_stream s = { NULL, false };
    assay_status        st;

    ASSAY_CHECK(assay_store_query(report->store, "fits", report->run_id, &s.row));
    ASSAY_CHECK(assay_report_advance(&s));
    (void)fputs(",\n\"fits\":[", report->out);
    ASSAY_CHECK(write_each(report, &s));
    (void)fputs("]", report->out);
out:
    assay_cursor_close(s.row);
    return st;
}
