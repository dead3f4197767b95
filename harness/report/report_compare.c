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

static void write_count(FILE *out, const char *before, int64_t n, const char *words,
                        assay_mark mark)
{
    if (n > 0 && mark != ASSAY_MARK_NONE)
        (void)fprintf(out, "%s%c%" PRId64 " %s%c", before, (int)mark, n, words,
                      (int)ASSAY_MARK_END);
    else
        (void)fprintf(out, "%s%" PRId64 " %s", before, n, words);
}

static void write_summary(const assay_change_table *t, bool has_marks, FILE *out)
{
    const struct {
        int64_t     n;
        const char *words;
        assay_mark  mark;
    } parts[] = {
        { t->n_slower, "SLOWER", ASSAY_MARK_BAD },
        { t->n_cannot_tell, "CANNOT_TELL", ASSAY_MARK_DOUBT },
        { t->n_faster, "FASTER", ASSAY_MARK_GOOD },
        { t->n_same, "SAME", ASSAY_MARK_NONE },
        /* the lines below are left out if their number is 0 */
        { t->n_new_failures, "points FAIL in B that do not in A", ASSAY_MARK_BAD },
        { t->n_of_kind[ASSAY_CHANGE_NO_NUMBER] - t->n_new_failures, "without a number on a side",
          ASSAY_MARK_NONE },
        { not_compared(t), "not compared", ASSAY_MARK_NONE },
        { t->n_of_kind[ASSAY_CHANGE_ONLY_A], "only in A", ASSAY_MARK_NONE },
        { t->n_of_kind[ASSAY_CHANGE_ONLY_B], "only in B", ASSAY_MARK_NONE },
    };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (i < 4 || parts[i].n > 0)
            write_count(out,
                        i == 0  ? ""
                        : i < 4 ? ", "
                                : "; ",
                        parts[i].n, parts[i].words, has_marks ? parts[i].mark : ASSAY_MARK_NONE);
}

/* If nearly all changes have one direction, the machine causes them rather than the kernels. */
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

static const assay_column compared_columns[] = {
    { "verdict", ASSAY_COLUMN_VERDICT },
    { "A", ASSAY_COLUMN_RIGHT },
    { "B", ASSAY_COLUMN_RIGHT },
    { "change", ASSAY_COLUMN_RIGHT },
    { "95 %", false },
    { "regime", false },
    { "clock", false },
    { "note", ASSAY_COLUMN_DOUBT },
    { "point", false },
};

/* What is judged: the effect, and the two times that it is between. */
static void add_compared(assay_table *table, const assay_change *row)
{
    const assay_effect *e = &row->result.time;
    char                a[ASSAY_CELL_SIZE], b[ASSAY_CELL_SIZE], note[2 * ASSAY_CELL_SIZE];

    assay_table_add(table, "%s", assay_compare_verdict_name(row->result.verdict));
    assay_table_add(table, "%s", isnan(e->middle_a) ? "-" : assay_format_time(a, e->middle_a));
    assay_table_add(table, "%s", isnan(e->middle_b) ? "-" : assay_format_time(b, e->middle_b));
    if (isfinite(e->relative))
        assay_table_add(table, "%+.2f %%", 100 * e->relative);
    else
        assay_table_add(table, "-");
    if (isfinite(e->p))
        assay_table_add(table, "[%+.2f, %+.2f]", 100 * e->lo, 100 * e->hi);
    else
        assay_table_add(table, "-");
    assay_table_add(table, "%s", assay_regime_text(row->time_b->regime));
    assay_table_add(table, "%s", assay_clock_text(row->time_b->clock));
    (void)assay_change_note(row, "A", "B", note, sizeof note);
    assay_table_add(table, "%s", *note ? note : "-");
    assay_table_add(table, "%s", assay_change_point(row)->key);
}

/* What stands below a line: why there is no answer, and how many processes could give one. */
static void add_reasons(assay_table *table, const assay_change *row)
{
    const assay_compared *c   = &row->result;
    const char           *why = c->reason + c->n_effect;
    char                  line[ASSAY_REASON_SIZE], more[64] = "";

    if (c->n_needed > 0)
        (void)assay_text_set(more, sizeof more, "; about %" PRId64 " processes would decide",
                             c->n_needed);
    else if (assay_compare_needs_more(c->cause))
        (void)assay_text_set(more, sizeof more, "; not even %d processes would decide",
                             ASSAY_MAX_PROCESSES);
    if (c->verdict == ASSAY_COMPARE_CANNOT_TELL)
        assay_table_heading(
            table, assay_text_set(line, sizeof line, "    %s%s", why + strspn(why, " ,:"), more));
    if (row->why[0])
        assay_table_heading(table, assay_text_set(line, sizeof line, "    %s", row->why));
}

static assay_status write_table(const assay_change_table *t, bool all, FILE *out)
{
    assay_table  table = { .columns   = compared_columns,
                           .n_columns = sizeof compared_columns / sizeof compared_columns[0] };
    assay_status st    = ASSAY_OK;

    for (int64_t i = 0; i < t->n; i++) {
        if (!assay_change_is_shown(&t->rows[i], all))
            continue;
        add_compared(&table, &t->rows[i]);
        add_reasons(&table, &t->rows[i]);
    }
    if (table.n_cells == 0)
        goto out;
    (void)fputc('\n', out);
    ASSAY_CHECK(assay_table_print(&table, out, 0));
    (void)fputs("A, B: the means over the processes of each side (of ln(time)), which are judged; "
                "the 95 % interval is of their ratio.\n",
                out);
out:
    assay_table_free(&table);
    return st;
}

/* What to do next for one row. What depends on the numbers of the row stands below its line. */
static const char *next_of(const assay_change *row)
{
    return assay_compare_needs_more(row->result.cause)
               ? "repeat both sides with more --processes; where not even many would decide, "
                 "measure "
                 "on an idle card, or a larger point, or set a --threshold that matters to you"
               : row->result.next;
}

static bool is_told_alike(const assay_change *row, const assay_change *other)
{
    return row->kind == ASSAY_CHANGE_COMPARED && row->result.verdict == other->result.verdict &&
           strcmp(next_of(row), next_of(other)) == 0;
}

/* Rows with the same advice are mostly neighbours, so the search goes backwards. */
static bool is_told_before(const assay_change_table *t, int64_t place)
{
    for (int64_t i = place - 1; i >= 0; i--)
        if (is_told_alike(&t->rows[i], &t->rows[place]))
            return true;
    return false;
}

/* Writes what to do next, once for all rows with the same advice. SAME needs none. */
static void write_next(const assay_change_table *t, FILE *out)
{
    const char *before = "\n";

    for (int64_t i = 0; i < t->n; i++) {
        const assay_change *head = &t->rows[i];
        int64_t             n    = 0;

        if (head->kind != ASSAY_CHANGE_COMPARED || head->result.verdict == ASSAY_COMPARE_SAME ||
            is_told_before(t, i))
            continue;
        for (int64_t k = i; k < t->n; k++)
            n += is_told_alike(&t->rows[k], head);
        (void)fprintf(out, "%snext, of %" PRId64 " %s: %s\n", before, n,
                      assay_compare_verdict_name(head->result.verdict), next_of(head));
        before = "";
    }
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

/* Writes all rows of one kind with the same reason, at the place of the first of them. */
static void write_group(const assay_change_table *t, int64_t first, bool all, FILE *out)
{
    const assay_change *head = &t->rows[first];
    int64_t             n    = 0;

    for (int64_t i = 0; i < first; i++)
        if (is_told_with(&t->rows[i], head))
            return;
    if (head->is_new_failure)
        (void)fprintf(out, "\n%cFAILED in B%c", (int)ASSAY_MARK_BAD, (int)ASSAY_MARK_END);
    else
        (void)fprintf(out, "\n%s", assay_change_kind_words(head->kind));
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

static assay_status write_text(const assay_change_table *t, const assay_side *a,
                               const assay_side *b, bool all, FILE *out)
{
    char         text[256];
    assay_status st = ASSAY_OK;

    write_summary(t, true, out);
    (void)fputc('\n', out);
    write_side(out, "A", a);
    write_side(out, "B", b);
    if (t->is_same_run)
        (void)fprintf(out, "A and B are the same run%s\n",
                      t->n_same < t->n_of_kind[ASSAY_CHANGE_COMPARED]
                          ? ", but the files tell different things of it: one of them was changed"
                          : "");
    if (is_one_sided(t))
        (void)fprintf(out, "note: %s\n", describe_sidedness(t, text, sizeof text));
    for (int64_t i = 0; i < t->n; i++)
        if (t->rows[i].is_new_failure)
            write_group(t, i, all, out);
    ASSAY_CHECK(write_table(t, all, out));
    write_next(t, out);
    for (int64_t i = 0; i < t->n; i++)
        if (t->rows[i].kind != ASSAY_CHANGE_COMPARED && !t->rows[i].is_new_failure)
            write_group(t, i, all, out);
out:
    return st;
}

static assay_status write_marked(const assay_change_table *t, const assay_side *a,
                                 const assay_side *b, bool all, FILE *out)
{
    assay_lines  lines;
    assay_status st = assay_lines_open(&lines);

    if (st == ASSAY_OK)
        st = write_text(t, a, b, all, lines.file);
    return assay_lines_close(&lines, st, out);
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
    const struct {
        const char *before, *text;
    } more[] = { { "; ", row->why },
                 { "; A: ", row->time_a ? row->time_a->doubt : "" },
                 { "; B: ", row->time_b ? row->time_b->doubt : "" } };

    (void)fputs("| ", out);
    if (row->kind != ASSAY_CHANGE_COMPARED) {
        cell(out, row->is_new_failure ? "FAILED in B" : assay_change_kind_words(row->kind));
    } else {
        cell(out, assay_compare_verdict_name(c->verdict));
    }
    cell(out, assay_change_point(row)->key);
    cell(out, assay_regime_text(assay_change_regime(row)));
    cell(out, assay_clock_text(assay_change_clock(row)));
    if (row->kind != ASSAY_CHANGE_COMPARED) {
        (void)fputs("| | | | ", out);
        cell(out, row->why);
        (void)fputs("|\n", out);
        return;
    }
    cell(out, assay_format_time(text, c->time.middle_a));
    cell(out, assay_format_time(text, c->time.middle_b));
    (void)fprintf(out, "%.2f %% | ", 100 * c->margin);
    cell(out, isfinite(c->p_corrected) ? assay_format_number(text, c->p_corrected, 2) : "");
    assay_write_markdown(out, c->reason);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        (void)fputs(*more[i].text ? more[i].before : "", out);
        assay_write_markdown(out, more[i].text);
    }
    cell(out, "");
    cell(out, c->verdict == ASSAY_COMPARE_SAME ? "" : c->next);
    (void)fputc('\n', out);
}

static void write_markdown(const assay_change_table *t, const assay_side *a, const assay_side *b,
                           bool all, FILE *out)
{
    char text[256];

    (void)fputs("# Comparison\n\n**", out);
    write_summary(t, false, out);
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
        return write_marked(table, a, b, all, out);
    if (strcmp(format, "md") == 0)
        write_markdown(table, a, b, all, out);
    else if (strcmp(format, "csv") == 0)
        assay_report_change_csv(table, out);
    else
        assay_report_change_json(table, a, b, out);
    return ASSAY_OK;
}
