/* From two comparisons to the findings of the gate and its exit status. */
#include "gate_internal.h"

#include <stdlib.h>
#include <string.h>

static bool has_failed(const assay_side_point *point)
{
    return point && strcmp(point->outcome, "failed") == 0;
}

/* The row of the repetition that is about the same point and regime; NULL: there is none. */
static const assay_change *find_again(const gate *g, const assay_change *first)
{
    for (int64_t i = 0; i < g->repeated.n; i++) {
        const assay_change *row = &g->repeated.rows[i];

        if (row->point_b && strcmp(row->point_b->key, first->point_b->key) == 0 &&
            assay_change_regime(row) == assay_change_regime(first))
            return row;
    }
    return NULL;
}

/* The finding for a point that was compared, once or twice. */
static gate_finding judge_compared(const gate_row *row)
{
    const assay_compare_verdict first = row->first->result.verdict;
    assay_compare_verdict       both  = ASSAY_COMPARE_CANNOT_TELL;

    if (first == ASSAY_COMPARE_CANNOT_TELL)
        return GATE_CANNOT_TELL;
    if (first != ASSAY_COMPARE_SLOWER)
        return first == ASSAY_COMPARE_FASTER ? GATE_FASTER : GATE_SAME;
    if (row->second && row->second->kind == ASSAY_CHANGE_COMPARED)
        both = assay_compare_confirm(first, row->second->result.verdict);
    return both == ASSAY_COMPARE_SLOWER ? GATE_REGRESSION : GATE_UNCONFIRMED;
}

/* The finding for a point that was not compared: it can hide a regression only if the baseline has
 * a time that this run lacks. A failed point is reported by its verdict. */
static gate_finding judge_other(const assay_change *row)
{
    if (has_failed(row->point_b) || !row->time_a)
        return GATE_FINE;
    if (row->kind == ASSAY_CHANGE_UNDECIDED && row->time_a->clock == ASSAY_CLOCK_NONE)
        return GATE_FINE;
    return GATE_CANNOT_TELL;
}

static void judge_row(gate *g, gate_row *row)
{
    if (row->first->kind == ASSAY_CHANGE_COMPARED) {
        if (row->first->result.verdict == ASSAY_COMPARE_SLOWER)
            row->second = find_again(g, row->first);
        row->finding = judge_compared(row);
    } else {
        row->finding = judge_other(row->first);
    }
    g->n_regressions += row->finding == GATE_REGRESSION;
    g->n_unconfirmed += row->finding == GATE_UNCONFIRMED;
    g->n_cannot_tell += row->finding == GATE_CANNOT_TELL;
}

assay_status assay_gate_judge(gate *g)
{
    const bool has_compared = g->table.n_of_kind[ASSAY_CHANGE_COMPARED] > 0;
    int        status       = assay_exit_worse(g->check_status, g->run_status);

    g->rows = calloc((size_t)g->table.n + 1, sizeof *g->rows);
    if (!g->rows)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for the findings of the gate");
    for (int64_t i = 0; i < g->table.n; i++) {
        g->rows[i].first = &g->table.rows[i];
        judge_row(g, &g->rows[i]);
    }
    /* Points that were skipped when they were timed again do not change the status. */
    if (g->again_status != ASSAY_EXIT_SKIPPED)
        status = assay_exit_worse(status, g->again_status);
    if (g->n_regressions > 0)
        status = assay_exit_worse(status, ASSAY_EXIT_REGRESSION);
    if (g->n_unconfirmed + g->n_cannot_tell > 0 || (g->run.n_runs > 0 && !has_compared))
        status = assay_exit_worse(status, ASSAY_EXIT_CANNOT_TELL);
    g->exit_status = status;
    return ASSAY_OK;
}
