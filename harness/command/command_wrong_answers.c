/* assay check --wrong-answers: do the rules of each case reject wrong answers? No kernel runs. */
#include "cli.h"
#include "command_run.h"
#include "corrupt/corrupt.h"

#include <stdio.h>
#include <stdlib.h>

/* Judges each case, in the plan's order; prints each row of the table as soon as it is known. */
static assay_status judge_all(const assay_plan *plan, assay_corrupt_result *results, int *n)
{
    assay_status st = ASSAY_OK;

    assay_corrupt_print_head(stdout);
    for (int64_t first = 0, end; first < plan->n; first = end) {
        for (end = first; end < plan->n; end++)
            if (plan->points[end].definition != plan->points[first].definition)
                break;
        ASSAY_CHECK(assay_corrupt_judge(&plan->points[first], end - first, &results[*n]));
        assay_corrupt_print_row(stdout, &results[*n]);
        (void)fflush(stdout);
        ++*n;
    }
out:
    return st;
}

/* Selects edge sizes, unless --tier says otherwise. */
static assay_selection selection_of(const assay_cli *cli)
{
    assay_selection selection = cli->selection;

    if (!cli->has_tier && cli->selection.n_points == 0)
        selection.tiers[ASSAY_QUICK] = true;
    return selection;
}

int assay_command_wrong_answers(const assay_cli *cli)
{
    const assay_selection selection = selection_of(cli);
    const bool            is_whole =
        cli->selection.n_axes == 0 && cli->selection.n_points == 0 && !cli->has_tier;
    assay_status          st   = ASSAY_OK;
    assay_plan            plan = { .points = NULL };
    assay_corrupt_result *results =
        calloc((size_t)assay_registry_count(cli->cases) + 1, sizeof *results);
    int n = 0, n_faults = 0;

    ASSAY_REQUIRE(results, ASSAY_E_MEMORY, "no memory for the results");
    ASSAY_CHECK(assay_plan_build(cli->cases, &selection, &plan));
    ASSAY_CHECK(judge_all(&plan, results, &n));
    assay_corrupt_print_notes(stdout, results, n);
    for (int i = 0; i < n; i++)
        n_faults += assay_corrupt_print_faults(stdout, &results[i], is_whole);
out:
    free(results);
    assay_plan_free(&plan);
    if (st != ASSAY_OK)
        return assay_cli_failed(st);
    return n_faults > 0 ? ASSAY_EXIT_WRONG : ASSAY_EXIT_PASS;
}
