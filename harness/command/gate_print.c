/* The end of a gate, for the person who is called at night. */
#include "gate_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- one row ---- */

/* Keys and reasons come from files: a control character in one must not reach the terminal. */
static void print_text(const char *text)
{
    for (; *text; text++)
        (void)putchar((unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text);
}

static void print_place(const char *word, const assay_change *row)
{
    (void)printf("  %-12s ", word);
    print_text(assay_change_point(row)->key);
    (void)printf("  %s %s", assay_regime_text(assay_change_regime(row)),
                 assay_clock_text(assay_change_clock(row)));
}

static void print_effect(const char *before, const assay_effect *effect)
{
    (void)printf("%s%+.2f %% [%+.2f, %+.2f]", before, 100 * effect->relative, 100 * effect->lo,
                 100 * effect->hi);
}

static void print_sentence(const char *before, const char *text)
{
    (void)fputs(before, stdout);
    print_text(text);
    (void)putchar('\n');
}

static void print_regression(const gate_row *row)
{
    const assay_compared *first = &row->first->result, *second = &row->second->result;

    print_place("SLOWER", row->first);
    print_effect(": ", &first->time);
    print_effect(", again ", &second->time);
    if (second->has_cycles)
        print_effect("\n               in cycles again ", &second->cycles);
    else
        (void)fputs("; cycles are not known", stdout);
    (void)putchar('\n');
}

static void print_unconfirmed(const gate_row *row)
{
    print_place("unconfirmed", row->first);
    print_effect(": ", &row->first->result.time);
    if (!row->second) {
        (void)puts(", not timed again");
    } else if (row->second->kind == ASSAY_CHANGE_COMPARED) {
        (void)printf(", again %s", assay_compare_verdict_name(row->second->result.verdict));
        print_effect(" ", &row->second->result.time);
        (void)putchar('\n');
    } else {
        print_sentence(", again: ", row->second->why);
    }
}

static void print_undecided(const gate_row *row)
{
    print_place("cannot tell", row->first);
    if (row->first->kind != ASSAY_CHANGE_COMPARED) {
        (void)printf(": %s", assay_change_kind_words(row->first->kind));
        print_sentence("; ", row->first->why);
        return;
    }
    print_sentence(": ", row->first->result.reason);
    print_sentence("               next: ", row->first->result.next);
}

static void print_rows(const gate *g, gate_finding finding, void (*print)(const gate_row *row))
{
    int64_t n = 0;

    for (int64_t i = 0; i < g->table.n; i++)
        if (g->rows[i].finding == finding && n++ < GATE_MOST_LINES)
            print(&g->rows[i]);
    if (n > GATE_MOST_LINES)
        (void)printf("  and %" PRId64 " more like these\n", n - GATE_MOST_LINES);
}

/* ---- the whole ---- */

static const char *describe(int status)
{
    static const struct {
        int         status;
        const char *words;
    } all[] = {
        { ASSAY_EXIT_PASS, "passed" },
        { ASSAY_EXIT_REGRESSION, "FAILED: a confirmed regression" },
        { ASSAY_EXIT_WRONG, "FAILED: a kernel is wrong" },
        { ASSAY_EXIT_CANNOT_TELL, "cannot tell" },
        { ASSAY_EXIT_USAGE, "FAILED: something could not be run" },
        { ASSAY_EXIT_SKIPPED, "skipped: nothing here could be timed" },
    };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].status == status)
            return all[i].words;
    return "FAILED";
}

static void print_runs(const gate *g)
{
    print_sentence("  baseline     ", g->baseline.name);
    if (g->run.name)
        print_sentence("  judged       ", g->run.name);
    if (g->again.name)
        print_sentence(*assay_gate_program(g) ? "  run before   " : "  timed again  ",
                       g->again.name);
    else if (g->no_repeat[0] && g->table.n_slower > 0)
        print_sentence("  not timed again: ", g->no_repeat);
    if (g->table.n > 0)
        (void)printf("  compared     %" PRId64 ": %" PRId64 " SAME, %" PRId64 " FASTER, %" PRId64
                     " SLOWER (%" PRId64 " confirmed), %" PRId64
                     " CANNOT_TELL; not compared %" PRId64 "\n",
                     g->table.n_of_kind[ASSAY_CHANGE_COMPARED], g->table.n_same, g->table.n_faster,
                     g->table.n_slower, g->n_regressions, g->table.n_cannot_tell,
                     g->table.n - g->table.n_of_kind[ASSAY_CHANGE_COMPARED]);
}

/* What is wrong, and what of the gate did not run to its end. */
static void print_failures(const gate *g)
{
    const struct {
        const char *what;
        int         status;
    } parts[] = { { "check", g->check_status },
                  { "timing", g->run_status },
                  { "timing again", g->again_status } };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].status == ASSAY_EXIT_USAGE)
            (void)printf("  not run      %s: the reason is above\n", parts[i].what);
    for (int64_t i = 0; i < g->n_failures && i < GATE_MOST_LINES; i++) {
        (void)fputs("  wrong        ", stdout);
        print_text(g->failures[i].key);
        (void)printf(" in run %" PRId64, g->failures[i].run_id);
        print_text(": ");
        print_text(g->failures[i].verdict);
        print_sentence(g->failures[i].reason[0] ? ", " : "", g->failures[i].reason);
    }
    if (g->n_failures > GATE_MOST_LINES)
        (void)printf("  and %" PRId64 " more like these\n", g->n_failures - GATE_MOST_LINES);
}

static void print_next(const gate *g)
{
    const char *name = g->cli->gate.baseline;

    if (g->n_failures > 0)
        (void)printf("  next         assay report --run %" PRId64
                     " --db %s shows how to replay it\n",
                     g->failures[0].run_id, g->cli->database);
    if (g->n_regressions > 0)
        (void)printf("  next         assay history --db %s shows since when; if it is meant: assay "
                     "baseline accept --run %" PRId64 " --name %s --why ... --db %s\n",
                     g->cli->database, g->run_id, name, g->cli->database);
    else if (g->n_unconfirmed > 0)
        (void)printf("  next         --processes 5 makes a comparison surer; assay history "
                     "--calibrate says how far a case moves by itself\n");
    if (g->table.n_faster > 0)
        (void)printf("  faster       %" PRId64 " points: accept run %" PRId64
                     " to hold later ones to it\n",
                     g->table.n_faster, g->run_id);
    if (g->table.n_of_kind[ASSAY_CHANGE_ONLY_B] > 0)
        (void)printf("  new          %" PRId64 " points or regimes are not in the baseline, and "
                     "are held against nothing\n",
                     g->table.n_of_kind[ASSAY_CHANGE_ONLY_B]);
}

void assay_gate_print(const gate *g)
{
    (void)printf("gate %s: %s (exit status %d)\n", g->cli->gate.baseline, describe(g->exit_status),
                 g->exit_status);
    print_runs(g);
    print_failures(g);
    print_rows(g, GATE_REGRESSION, print_regression);
    print_rows(g, GATE_UNCONFIRMED, print_unconfirmed);
    print_rows(g, GATE_CANNOT_TELL, print_undecided);
    print_next(g);
}
