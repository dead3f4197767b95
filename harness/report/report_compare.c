/* A comparison for people: text and Markdown. */
#include "report_compare.h"

#include "base/text.h"
#include "report_compare_internal.h"
#include "report_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    FEW = 5 /* points of one reason that are named; the others are counted */
};

static int64_t not_compared(const assay_change_table *t)
{
    return t->n_of_kind[ASSAY_CHANGE_DIFFERENT] + t->n_of_kind[ASSAY_CHANGE_UNDECIDED];
}

static void write_summary(const assay_change_table *t, FILE *out)
{
    const struct {
        int64_t     n;
        const char *words;
    } parts[] = {
        { t->n_new_failures, "points FAIL in B that do not in A" },
        { t->n_of_kind[ASSAY_CHANGE_NO_NUMBER] - t->n_new_failures, "without a number on a side" },
        { not_compared(t), "not compared" },
        { t->n_of_kind[ASSAY_CHANGE_ONLY_A], "only in A" },
        { t->n_of_kind[ASSAY_CHANGE_ONLY_B], "only in B" },
    };

    (void)fprintf(
        out, "%" PRId64 " SLOWER, %" PRId64 " CANNOT_TELL, %" PRId64 " FASTER, %" PRId64 " SAME",
        t->n_slower, t->n_cannot_tell, t->n_faster, t->n_same);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].n > 0)
            (void)fprintf(out, "; %" PRId64 " %s", parts[i].n, parts[i].words);
}

/* Nearly all on one side comes from the machine rather than from the kernels. */
static bool is_one_sided(const assay_change_table *t)
{
    return t->sidedness < 0.01 && t->n_slower + t->n_faster > 0;
}

static const char *describe_sidedness(const assay_change_table *t, char *to, size_t size)
{
    return assay_text_set(to, size,
                          "%" PRId64 " of %" PRId64 " changes are %s: where the cases have little "
                          "in common, the machine changed, not the kernels",
                          t->n_slower > t->n_faster ? t->n_slower : t->n_faster,
                          t->n_slower + t->n_faster,
                          t->n_slower > t->n_faster ? "SLOWER" : "FASTER");
}

bool assay_change_is_shown(const assay_change *row, bool all)
{
    return row->kind == ASSAY_CHANGE_COMPARED &&
           (all || row->result.verdict != ASSAY_COMPARE_SAME || row->why[0]);
}

/* ---- text ---- */

static void write_indented(FILE *out, const char *before, const char *text)
{
    (void)fprintf(out, "             %s", before);
    assay_write_clean(out, text);
    (void)fputc('\n', out);
}

static void write_p(FILE *out, const assay_compared *c)
{
    char text[ASSAY_CELL_SIZE];

    (void)fprintf(out, "             margin %.2f %%", 100 * c->margin);
    if (isfinite(c->p_corrected))
        (void)fprintf(out, ", p %s over the table", assay_format_number(text, c->p_corrected, 2));
    (void)fprintf(out, ", %" PRId64 " and %" PRId64 " processes\n", c->time.n_a, c->time.n_b);
}

static void write_compared(FILE *out, const assay_change *row)
{
    const assay_compared *c = &row->result;
    char                  a[ASSAY_CELL_SIZE], b[ASSAY_CELL_SIZE];

    (void)fprintf(out, "%-12s ", assay_compare_verdict_name(c->verdict));
    assay_write_clean(out, assay_change_point(row)->key);
    (void)fprintf(out, ", %s, %s clock: %s, then %s\n", assay_regime_text(row->time_b->regime),
                  assay_clock_text(row->time_b->clock), assay_format_time(a, row->time_a->time_ns),
                  assay_format_time(b, row->time_b->time_ns));
    write_indented(out, "", c->reason);
    write_p(out, c);
    if (row->why[0])
        write_indented(out, "", row->why);
    if (c->verdict != ASSAY_COMPARE_SAME)
        write_indented(out, "next: ", c->next);
}

static void write_point(FILE *out, const assay_change *row)
{
    (void)fputs("    ", out);
    assay_write_clean(out, assay_change_point(row)->key);
    if (assay_change_regime(row))
        (void)fprintf(out, ", %s", assay_regime_text(assay_change_regime(row)));
    if (assay_change_clock(row))
        (void)fprintf(out, ", %s clock", assay_clock_text(assay_change_clock(row)));
    (void)fputc('\n', out);
}

static bool is_told_with(const assay_change *row, const assay_change *other)
{
    return row->kind == other->kind && row->is_new_failure == other->is_new_failure &&
           strcmp(row->why, other->why) == 0;
}

/* Those of one kind that share a reason, told where the first of them stands. */
static void write_group(const assay_change_table *t, int64_t first, bool all, FILE *out)
{
    const assay_change *head = &t->rows[first];
    int64_t             n    = 0;

    for (int64_t i = 0; i < first; i++)
        if (is_told_with(&t->rows[i], head))
            return;
    (void)fprintf(out, "%s",
                  head->is_new_failure ? "FAILED in B" : assay_change_kind_words(head->kind));
    if (head->why[0]) {
        (void)fputs(": ", out);
        assay_write_clean(out, head->why);
    }
    (void)fputc('\n', out);
    for (int64_t i = first; i < t->n; i++)
        if (is_told_with(&t->rows[i], head) && (n++ < FEW || all || head->is_new_failure))
            write_point(out, &t->rows[i]);
    if (n > FEW && !all && !head->is_new_failure)
        (void)fprintf(out, "    and %" PRId64 " more (--all)\n", n - FEW);
}

static void write_side(FILE *out, const char *letter, const assay_side *side)
{
    (void)fprintf(out, "%s: ", letter);
    assay_write_clean(out, side->name);
    (void)fputc('\n', out);
}

static void write_text(const assay_change_table *t, const assay_side *a, const assay_side *b,
                       bool all, FILE *out)
{
    char text[256];

    write_summary(t, out);
    (void)fputc('\n', out);
    write_side(out, "A", a);
    write_side(out, "B", b);
    if (t->is_same_run)
        (void)fprintf(out, "A and B are the same run%s\n",
                      t->n_same < t->n_of_kind[ASSAY_CHANGE_COMPARED]
                          ? ", told differently: one of the files was changed"
                          : "");
    if (is_one_sided(t))
        (void)fprintf(out, "note: %s\n", describe_sidedness(t, text, sizeof text));
    for (int64_t i = 0; i < t->n; i++) {
        if (assay_change_is_shown(&t->rows[i], all))
            write_compared(out, &t->rows[i]);
        else if (t->rows[i].kind != ASSAY_CHANGE_COMPARED)
            write_group(t, i, all, out);
    }
}

/* ---- Markdown ---- */

static void cell(FILE *out, const char *text)
{
    assay_write_markdown(out, text);
    (void)fputs(" | ", out);
}

static void write_markdown_row(FILE *out, const assay_change *row)
{
    const assay_compared *c = &row->result;
    char                  text[ASSAY_CELL_SIZE];

    (void)fputs("| ", out);
    if (row->kind != ASSAY_CHANGE_COMPARED) {
        cell(out, row->is_new_failure ? "FAILED in B" : assay_change_kind_words(row->kind));
    } else {
        cell(out, assay_compare_verdict_name(c->verdict));
    }
    cell(out, assay_change_point(row)->key);
    cell(out, assay_regime_text(assay_change_regime(row)));
    cell(out, assay_clock_text(assay_change_clock(row)));
    cell(out, row->time_a ? assay_format_time(text, row->time_a->time_ns) : "");
    cell(out, row->time_b ? assay_format_time(text, row->time_b->time_ns) : "");
    if (row->kind != ASSAY_CHANGE_COMPARED) {
        (void)fputs("| | ", out);
        cell(out, row->why);
        (void)fputs("|\n", out);
        return;
    }
    (void)fprintf(out, "%.2f %% | ", 100 * c->margin);
    cell(out, isfinite(c->p_corrected) ? assay_format_number(text, c->p_corrected, 2) : "");
    assay_write_markdown(out, c->reason);
    (void)fputs(row->why[0] ? "; " : "", out);
    cell(out, row->why);
    cell(out, c->verdict == ASSAY_COMPARE_SAME ? "" : c->next);
    (void)fputc('\n', out);
}

static void write_markdown(const assay_change_table *t, const assay_side *a, const assay_side *b,
                           bool all, FILE *out)
{
    char text[256];

    (void)fputs("# Comparison\n\n**", out);
    write_summary(t, out);
    (void)fputs("**\n\n- A: ", out);
    assay_write_markdown(out, a->name);
    (void)fputs("\n- B: ", out);
    assay_write_markdown(out, b->name);
    if (is_one_sided(t))
        (void)fprintf(out, "\n- %s", describe_sidedness(t, text, sizeof text));
    (void)fputs("\n\n| verdict | point | regime | clock | A | B | margin | p, corrected | found | "
                "next |\n|---|---|---|---|---|---|---|---|---|---|\n",
                out);
    for (int64_t i = 0; i < t->n; i++)
        if (t->rows[i].kind != ASSAY_CHANGE_COMPARED || assay_change_is_shown(&t->rows[i], all))
            write_markdown_row(out, &t->rows[i]);
    if (!all && t->n_same > 0)
        (void)fprintf(out, "\n%" PRId64 " lines that are SAME are left out.\n", t->n_same);
}

const char *const assay_report_change_formats[] = { "text", "md", "csv", "json", "html", NULL };

assay_status assay_report_change(const assay_change_table *table, const assay_side *a,
                                 const assay_side *b, const char *format, bool all, FILE *out)
{
    if (strcmp(format, "html") == 0)
        return assay_report_change_html(table, a, b, out);
    if (strcmp(format, "text") == 0)
        write_text(table, a, b, all, out);
    else if (strcmp(format, "md") == 0)
        write_markdown(table, a, b, all, out);
    else if (strcmp(format, "csv") == 0)
        assay_report_change_csv(table, out);
    else
        assay_report_change_json(table, a, b, out);
    return ASSAY_OK;
}
