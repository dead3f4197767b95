/* Comparers, invariants and facts of a case. */
#include "base/parallel.h"
#include "check_row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static assay_evidence evidence_of(const assay_check_data *data, int run)
{
    return (assay_evidence) {
        .shape        = data->shape,
        .input        = data->input,
        .in           = data->in,
        .out          = data->out[run],
        .expected     = data->expected,
        .parallel_for = assay_parallel_for,
    };
}

static assay_status runs_usable(const assay_check_data *data)
{
    assay_status st = ASSAY_OK;

    for (int b = 0; b < ASSAY_MAX_BUFFERS && data->shape->buf[b].role != ASSAY_NO_BUFFER; b++)
        if (assay_check_is_output(&data->shape->buf[b]))
            ASSAY_CHECK(assay_check_data_usable(data, b));
out:
    return st;
}

/* ---- comparers ---- */

/* Finds the verdict of one run; the row keeps the gravest. */
static assay_status compare_run(const assay_check_data *data, int run, assay_check_row *row)
{
    assay_status         st                        = ASSAY_OK;
    const assay_evidence evidence                  = evidence_of(data, run);
    char                 reason[ASSAY_REASON_SIZE] = "";
    const assay_verdict  verdict = data->definition->compare(&evidence, reason, sizeof reason);

    ASSAY_REQUIRE(verdict >= ASSAY_PASS && verdict < ASSAY_N_VERDICTS, ASSAY_E_CASE,
                  "case '%s': its comparer returned '%s', which a comparer cannot find",
                  data->definition->name, assay_verdict_text(verdict));
    if (verdict <= row->verdict)
        goto out;
    row->verdict = verdict;
    (void)snprintf(row->reason, sizeof row->reason, "%.480s%s",
                   reason[0] ? reason : "the case's comparer gave no reason",
                   run > 0 ? " (not in run 0)" : "");
out:
    return st;
}

/* The reason for outputs that the comparer judges. */
static const char *own_why(const assay_case *c)
{
    for (const assay_output_tolerance *t = c->tol_for; t->output; t++)
        if (t->tol.rule == ASSAY_RULE_OWN)
            return t->tol.why;
    return c->tol.why ? c->tol.why : "the case compares its outputs itself";
}

assay_status assay_check_compare(const assay_check_data *data, assay_check_row *row)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(data->definition->compare, ASSAY_E_INTERNAL, "case '%s' has no comparer",
                  data->definition->name);
    ASSAY_CHECK(runs_usable(data));
    assay_check_row_start(data, "*", row);
    row->rule = ASSAY_RULE_OWN;
    (void)snprintf(row->why, sizeof row->why, "%s", own_why(data->definition));
    for (int r = 0; r < data->n_runs; r++)
        ASSAY_CHECK(compare_run(data, r, row));
    for (int b = 0; b < ASSAY_MAX_BUFFERS && data->shape->buf[b].role != ASSAY_NO_BUFFER; b++)
        if (assay_check_is_output(&data->shape->buf[b]) && row->verdict == ASSAY_PASS &&
            assay_check_is_compared(data->definition, data->shape->buf[b].name))
            assay_check_determinism(data, b, row);
out:
    return st;
}

/* ---- invariants ---- */

/* Returns err / bound; infinity if the invariant cannot hold. */
static double invariant_ratio(const assay_invariant_result *m)
{
    const double err = fabs(m->value - m->expected);

    if (!(m->bound >= 0 && isfinite(m->bound) && isfinite(err)))
        return INFINITY;
    return err == 0 ? 0 : err / m->bound;
}

static void judge_invariant(const assay_check_data *data, const assay_invariant *invariant, int run,
                            assay_check_row *row)
{
    const assay_evidence         evidence = evidence_of(data, run);
    const assay_invariant_result m        = invariant->measure(&evidence);
    const double                 err      = fabs(m.value - m.expected);
    const double                 ratio    = invariant_ratio(&m);
    const bool                   is_first = run == 0;

    if (is_first || !(ratio <= row->worst_ratio)) {
        row->worst_ratio      = ratio;
        row->max_abs_error    = isnan(err) ? (double)INFINITY : err;
        row->max_abs_expected = fabs(m.expected);
    }
    if (err <= m.bound && isfinite(m.bound))
        return;
    row->n_failed++;
    if (row->verdict != ASSAY_PASS)
        return;
    row->verdict            = ASSAY_WRONG_VALUE;
    row->first_bad_value    = m.value;
    row->first_bad_expected = m.expected;
    (void)snprintf(row->reason, sizeof row->reason,
                   "%s is %.17g in run %d of %d, expected %.17g +- %.3g (err/bound %.3g)",
                   invariant->name, m.value, run, data->n_runs, m.expected, m.bound, ratio);
}

assay_status assay_check_invariant(const assay_check_data *data, int i, assay_check_row *row)
{
    assay_status           st = ASSAY_OK;
    const assay_invariant *invariant;

    ASSAY_REQUIRE(i >= 0 && i < ASSAY_MAX_INVARIANTS && data->definition->invariants[i].name,
                  ASSAY_E_INTERNAL, "case '%s' has no invariant %d", data->definition->name, i);
    ASSAY_CHECK(runs_usable(data));
    invariant = &data->definition->invariants[i];
    assay_check_row_start(data, invariant->name, row);
    row->is_invariant = true;
    row->rule         = ASSAY_RULE_OWN;
    (void)snprintf(row->why, sizeof row->why, "%s", invariant->why ? invariant->why : "");
    if (invariant->applies && !invariant->applies(data->shape, data->input)) {
        row->verdict = ASSAY_SKIPPED;
        (void)snprintf(row->reason, sizeof row->reason, "%s does not apply here", invariant->name);
        goto out;
    }
    row->count    = data->n_runs;
    row->n_failed = 0;
    for (int r = 0; r < data->n_runs; r++)
        judge_invariant(data, invariant, r, row);
out:
    return st;
}

/* ---- facts ---- */

assay_status assay_check_fact(const assay_check_data *data, int f, double *value)
{
    assay_status      st   = ASSAY_OK;
    const assay_fact *fact = data->definition->facts;

    ASSAY_CHECK(runs_usable(data));
    ASSAY_REQUIRE(fact && data->n_runs > 0, ASSAY_E_INTERNAL, "case '%s' has no facts",
                  data->definition->name);
    const assay_evidence evidence = evidence_of(data, data->n_runs - 1);

    *value = fact[f].read(&evidence, fact[f].which);
out:
    return st;
}
