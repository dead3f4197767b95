/* The end of a gate, for the person who is called at night. */
#include "gate_internal.h"

#include "report/report_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- one row ---- */

/* Keys and reasons come from files: a control character in one must not reach the terminal. */
static void print_text(FILE *out, const char *text)
{
    for (; *text; text++)
        (void)fputc((unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text, out);
}

static void print_place(FILE *out, const char *word, assay_mark mark, const assay_change *row)
{
    (void)fprintf(out, "  %c%-12s%c ", (int)mark, word, (int)ASSAY_MARK_END);
    print_text(out, assay_change_point(row)->key);
    (void)fprintf(out, "  %s %s", assay_regime_text(assay_change_regime(row)),
                  assay_clock_text(assay_change_clock(row)));
}

static void print_effect(FILE *out, const char *before, const assay_effect *effect)
{
    (void)fprintf(out, "%s%+.2f %% [%+.2f, %+.2f]", before, 100 * effect->relative,
                  100 * effect->lo, 100 * effect->hi);
}

static void print_sentence(FILE *out, const char *before, const char *text)
{
    (void)fputs(before, out);
    print_text(out, text);
    (void)fputc('\n', out);
}

static void print_regression(FILE *out, const gate_row *row)
{
    const assay_compared *first = &row->first->result, *second = &row->second->result;

    print_place(out, "SLOWER", ASSAY_MARK_BAD, row->first);
    print_effect(out, ": ", &first->time);
    print_effect(out, ", again ", &second->time);
    if (second->has_cycles)
        print_effect(out, "\n               in cycles again ", &second->cycles);
    else
        (void)fputs("; cycles are not known", out);
    (void)fputc('\n', out);
}

static void print_unconfirmed(FILE *out, const gate_row *row)
{
    print_place(out, "unconfirmed", ASSAY_MARK_DOUBT, row->first);
    print_effect(out, ": ", &row->first->result.time);
    if (!row->second) {
        (void)fputs(", not timed again\n", out);
    } else if (row->second->kind == ASSAY_CHANGE_COMPARED) {
        (void)fprintf(out, ", again %s", assay_compare_verdict_name(row->second->result.verdict));
        print_effect(out, " ", &row->second->result.time);
        (void)fputc('\n', out);
    } else {
        print_sentence(out, ", again: ", row->second->why);
    }
}

static void print_undecided(FILE *out, const gate_row *row)
{
    print_place(out, "cannot tell", ASSAY_MARK_DOUBT, row->first);
    if (row->first->kind != ASSAY_CHANGE_COMPARED) {
        (void)fprintf(out, ": %s", assay_change_kind_words(row->first->kind));
        print_sentence(out, "; ", row->first->why);
        return;
    }
    print_sentence(out, ": ", row->first->result.reason);
    print_sentence(out, "               next: ", row->first->result.next);
}

static void print_rows(FILE *out, const gate *g, gate_finding finding,
                       void (*print_one)(FILE *to, const gate_row *row))
{
    int64_t n = 0;

    for (int64_t i = 0; i < g->table.n; i++)
        if (g->rows[i].finding == finding && n++ < GATE_MOST_LINES)
            print_one(out, &g->rows[i]);
    if (n > GATE_MOST_LINES)
        (void)fprintf(out, "  and %" PRId64 " more like these\n", n - GATE_MOST_LINES);
}

/* ---- the whole ---- */

static void print_end(FILE *out, int status)
{
    const struct {
        int         status;
        assay_mark  mark;
        const char *words;
    } all[] = {
        { ASSAY_EXIT_PASS, ASSAY_MARK_GOOD, "passed" },
        { ASSAY_EXIT_REGRESSION, ASSAY_MARK_BAD, "FAILED: a confirmed regression" },
        { ASSAY_EXIT_WRONG, ASSAY_MARK_BAD, "FAILED: a kernel is wrong" },
        { ASSAY_EXIT_CANNOT_TELL, ASSAY_MARK_DOUBT, "cannot tell" },
        { ASSAY_EXIT_USAGE, ASSAY_MARK_BAD, "FAILED: something could not be run" },
        { ASSAY_EXIT_SKIPPED, ASSAY_MARK_DOUBT, "skipped: nothing here could be timed" },
        { status, ASSAY_MARK_BAD, "FAILED" },
    };
    size_t i = 0;

    while (all[i].status != status)
        i++;
    (void)fprintf(out, "%c%s%c (exit status %d)\n", (int)all[i].mark, all[i].words,
                  (int)ASSAY_MARK_END, status);
}

static void print_runs(FILE *out, const gate *g)
{
    print_sentence(out, "  baseline     ", g->baseline.name);
    if (g->run.name)
        print_sentence(out, "  judged       ", g->run.name);
    if (g->again.name)
        print_sentence(out, *assay_gate_program(g) ? "  run before   " : "  timed again  ",
                       g->again.name);
    else if (g->no_repeat[0] && g->table.n_slower > 0)
        print_sentence(out, "  not timed again: ", g->no_repeat);
    if (g->table.n > 0)
        (void)fprintf(out,
                      "  compared     %" PRId64 ": %" PRId64 " SAME, %" PRId64 " FASTER, %" PRId64
                      " SLOWER (%" PRId64 " confirmed), %" PRId64
                      " CANNOT_TELL; not compared %" PRId64 "\n",
                      g->table.n_of_kind[ASSAY_CHANGE_COMPARED], g->table.n_same, g->table.n_faster,
                      g->table.n_slower, g->n_regressions, g->table.n_cannot_tell,
                      g->table.n - g->table.n_of_kind[ASSAY_CHANGE_COMPARED]);
}

/* What is wrong, and what of the gate did not run to its end. */
static void print_failures(FILE *out, const gate *g)
{
    const struct {
        const char *what;
        int         status;
    } parts[] = { { "check", g->check_status },
                  { "timing", g->run_status },
                  { "timing again", g->again_status } };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].status == ASSAY_EXIT_USAGE)
            (void)fprintf(out, "  not run      %s: the reason is above\n", parts[i].what);
    for (int64_t i = 0; i < g->n_failures && i < GATE_MOST_LINES; i++) {
        (void)fprintf(out, "  %cwrong%c        ", (int)ASSAY_MARK_BAD, (int)ASSAY_MARK_END);
        print_text(out, g->failures[i].key);
        (void)fprintf(out, " in run %" PRId64, g->failures[i].run_id);
        print_text(out, ": ");
        print_text(out, g->failures[i].verdict);
        print_sentence(out, g->failures[i].reason[0] ? ", " : "", g->failures[i].reason);
    }
    if (g->n_failures > GATE_MOST_LINES)
        (void)fprintf(out, "  and %" PRId64 " more like these\n", g->n_failures - GATE_MOST_LINES);
}

static void print_next(FILE *out, const gate *g)
{
    const char *name = g->cli->gate.baseline, *database = g->cli->database;

    if (g->n_failures > 0)
        (void)fprintf(out,
                      "  next         how to replay it:\n"
                      "%c      assay report --run %" PRId64 " --db %s\n",
                      (int)ASSAY_MARK_COMMAND, g->failures[0].run_id, database);
    if (g->n_regressions > 0)
        (void)fprintf(
            out,
            "  next         since when it is slower, then, if that is meant:\n"
            "%c      assay history --db %s\n"
            "%c      assay baseline accept --run %" PRId64 " --name %s --why ... --db %s\n",
            (int)ASSAY_MARK_COMMAND, database, (int)ASSAY_MARK_COMMAND, g->run_id, name, database);
    else if (g->n_unconfirmed > 0)
        (void)fprintf(out,
                      "  next         --processes 5 makes a comparison surer; how far a case "
                      "moves by itself:\n"
                      "%c      assay history --calibrate --db %s\n",
                      (int)ASSAY_MARK_COMMAND, database);
    if (g->table.n_faster > 0)
        (void)fprintf(out,
                      "  faster       %" PRId64 " points: accept run %" PRId64
                      " to hold later ones to it\n",
                      g->table.n_faster, g->run_id);
    if (g->table.n_of_kind[ASSAY_CHANGE_ONLY_B] > 0)
        (void)fprintf(out,
                      "  new          %" PRId64 " points or regimes are not in the baseline, and "
                      "are held against nothing\n",
                      g->table.n_of_kind[ASSAY_CHANGE_ONLY_B]);
}

static void print(const gate *g, FILE *out)
{
    (void)fprintf(out, "gate %s: ", g->cli->gate.baseline);
    print_end(out, g->exit_status);
    print_runs(out, g);
    print_failures(out, g);
    print_rows(out, g, GATE_REGRESSION, print_regression);
    print_rows(out, g, GATE_UNCONFIRMED, print_unconfirmed);
    print_rows(out, g, GATE_CANNOT_TELL, print_undecided);
    print_next(out, g);
}

assay_status assay_gate_print(const gate *g, FILE *out)
{
    assay_lines  lines;
    assay_status st = assay_lines_open(&lines);

    if (st == ASSAY_OK)
        print(g, lines.file);
    return assay_lines_close(&lines, st, out);
}
