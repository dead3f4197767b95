/* The end of a gate's output, for the person who is called at night. */
#include "gate_internal.h"

#include "base/text.h"
#include "report/report_compare.h"
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
    (void)fputs("  ", out);
    if (mark == ASSAY_MARK_NONE)
        (void)fprintf(out, "%-12s ", word);
    else
        (void)fprintf(out, "%c%-12s%c ", (int)mark, word, (int)ASSAY_MARK_END);
    print_text(out, assay_change_point(row)->key);
    (void)fprintf(out, "  %s %s", assay_regime_text(assay_change_regime(row)),
                  assay_clock_text(assay_change_clock(row)));
}

static void print_sentence(FILE *out, const char *before, const char *text)
{
    (void)fputs(before, out);
    print_text(out, text);
    (void)fputc('\n', out);
}

/* Prints a row that was compared, with the two times that it is judged by below its name. */
static void print_compared(FILE *out, const char *word, assay_mark mark, const assay_change *row)
{
    print_place(out, word, mark, row);
    (void)fputs(":\n               ", out);
    assay_report_change_times(row, out);
    (void)fputc('\n', out);
}

static void print_again(FILE *out, const char *before, const assay_change *row)
{
    (void)fprintf(out, "         again %s", before);
    assay_report_change_times(row, out);
    (void)fputc('\n', out);
}

static void print_regression(FILE *out, const gate_row *row)
{
    const assay_compared *second = &row->second->result;

    print_compared(out, "SLOWER", ASSAY_MARK_BAD, row->first);
    print_again(out, "", row->second);
    if (second->has_cycles)
        (void)fprintf(out, "               in cycles %+.2f %% [%+.2f, %+.2f]\n",
                      100 * second->cycles.relative, 100 * second->cycles.lo,
                      100 * second->cycles.hi);
}

static void print_unconfirmed(FILE *out, const gate_row *row)
{
    char verdict[32];

    print_compared(out, "unconfirmed", ASSAY_MARK_DOUBT, row->first);
    if (!row->second)
        (void)fputs("               not timed again\n", out);
    else if (row->second->kind == ASSAY_CHANGE_COMPARED)
        print_again(out,
                    assay_text_set(verdict, sizeof verdict,
                                   "%s: ", assay_compare_verdict_name(row->second->result.verdict)),
                    row->second);
    else
        print_sentence(out, "         again ", row->second->why);
}

static void print_undecided(FILE *out, const gate_row *row)
{
    const assay_compared *c = &row->first->result;

    if (row->first->kind != ASSAY_CHANGE_COMPARED) {
        print_place(out, "cannot tell", ASSAY_MARK_DOUBT, row->first);
        (void)fprintf(out, ": %s", assay_change_kind_words(row->first->kind));
        print_sentence(out, "; ", row->first->why);
        return;
    }
    print_compared(out, "cannot tell", ASSAY_MARK_DOUBT, row->first);
    print_sentence(out, "               ",
                   c->reason + c->n_effect + strspn(c->reason + c->n_effect, " ,:"));
    print_sentence(out, "               next: ", c->next);
}

static void print_faster(FILE *out, const gate_row *row)
{
    print_compared(out, "FASTER", ASSAY_MARK_GOOD, row->first);
}

static void print_same(FILE *out, const gate_row *row)
{
    print_compared(out, "SAME", ASSAY_MARK_NONE, row->first);
}

static void print_rows(FILE *out, const gate *g, gate_finding finding,
                       void (*print_one)(FILE *to, const gate_row *row))
{
    const int64_t most = g->cli->look.shows_all ? INT64_MAX : GATE_MOST_LINES;
    int64_t       n    = 0;

    for (int64_t i = 0; i < g->table.n; i++)
        if (g->rows[i].finding == finding && n++ < most)
            print_one(out, &g->rows[i]);
    if (n > most)
        (void)fprintf(out, "  and %" PRId64 " more like these (--all)\n", n - most);
}

/* Prints what is judged, worst first, and what the numbers mean. */
static void print_findings(FILE *out, const gate *g)
{
    const int64_t n = g->table.n_of_kind[ASSAY_CHANGE_COMPARED] - g->table.n_same;

    print_rows(out, g, GATE_REGRESSION, print_regression);
    print_rows(out, g, GATE_UNCONFIRMED, print_unconfirmed);
    print_rows(out, g, GATE_CANNOT_TELL, print_undecided);
    print_rows(out, g, GATE_FASTER, print_faster);
    if (g->cli->look.shows_all)
        print_rows(out, g, GATE_SAME, print_same);
    if (n > 0 || (g->cli->look.shows_all && g->table.n_same > 0))
        (void)fputs("  before, after: the means over the processes of each side (of ln(time)), "
                    "which are judged; [ ] is the 95 % interval of their ratio\n",
                    out);
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

/* Prints what is wrong, and which parts of the gate did not run to their end. */
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

/* Prints a command line for a shell. `name`: the baseline that the command accepts, or NULL. */
static void print_command(FILE *out, const gate *g, const char *command, const char *name)
{
    (void)fprintf(out, "%c      assay %s", (int)ASSAY_MARK_COMMAND, command);
    if (name) {
        (void)fputs(" --name ", out);
        assay_write_shell(out, name);
        (void)fputs(" --why ...", out);
    }
    (void)fputs(" --db ", out);
    assay_write_shell(out, g->cli->database);
    (void)fputc('\n', out);
}

static void print_of_run(FILE *out, const gate *g, const char *verb, int64_t run_id,
                         const char *name)
{
    char command[64];

    print_command(out, g,
                  assay_text_set(command, sizeof command, "%s --run %" PRId64, verb, run_id), name);
}

static void print_next(FILE *out, const gate *g)
{
    if (g->n_failures > 0) {
        (void)fputs("  next         how to replay it:\n", out);
        print_of_run(out, g, "report", g->failures[0].run_id, NULL);
    }
    if (g->n_regressions > 0) {
        (void)fputs("  next         since when it is slower, then, if that is meant:\n", out);
        print_command(out, g, "history", NULL);
        print_of_run(out, g, "baseline accept", g->run_id, g->cli->gate.baseline);
    } else if (g->n_unconfirmed > 0) {
        (void)fputs("  next         --processes 5 makes a comparison more certain; how much a case "
                    "varies by itself:\n",
                    out);
        print_command(out, g, "history --calibrate", NULL);
    }
    if (g->table.n_faster > 0)
        (void)fprintf(out,
                      "  faster       %" PRId64 " points: accept run %" PRId64
                      " to compare later runs with it\n",
                      g->table.n_faster, g->run_id);
    if (g->table.n_of_kind[ASSAY_CHANGE_ONLY_B] > 0)
        (void)fprintf(out,
                      "  new          %" PRId64
                      " points or regimes are not in the baseline, and are not compared\n",
                      g->table.n_of_kind[ASSAY_CHANGE_ONLY_B]);
}

static void print(const gate *g, FILE *out)
{
    (void)fprintf(out, "gate %s: ", g->cli->gate.baseline);
    print_end(out, g->exit_status);
    print_runs(out, g);
    print_failures(out, g);
    print_findings(out, g);
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
