/* Baselines that are runs of users' own programs. assay cannot start those again, so a slower run
 * is confirmed by the run before it of the same build. */
#include "gate_internal.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *assay_gate_program(const gate *g)
{
    return g->baseline.n_runs > 0 ? g->baseline.runs[g->baseline.n_runs - 1].program : "";
}

/* Is this another run, measured like the one being judged, and not the baseline? */
static bool is_like(const gate *g, const assay_side_run *run)
{
    const assay_side_run *newest = &g->run.runs[g->run.n_runs - 1];

    return run->is_finished && run->is_timed && strcmp(run->program, newest->program) == 0 &&
           strcmp(run->binary_id, newest->binary_id) == 0 &&
           run->device_state_id == newest->device_state_id && run->run_id != newest->run_id &&
           strcmp(run->uuid, g->baseline.runs[g->baseline.n_runs - 1].uuid) != 0;
}

assay_status assay_gate_find_before(gate *g, int64_t *run_id)
{
    assay_store    *store = NULL;
    assay_side_run *runs  = NULL;
    assay_texts     texts = { .status = ASSAY_OK };
    int64_t         n     = 0;
    assay_status    st    = ASSAY_OK;

    *run_id = 0;
    ASSAY_CHECK(assay_store_open(g->cli->database, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_side_list_runs(store, &texts, &runs, &n));
    for (int64_t i = 0; i < n; i++)
        if (is_like(g, &runs[i]))
            *run_id = runs[i].run_id;
    if (*run_id == 0)
        (void)assay_text_set(g->no_repeat, sizeof g->no_repeat,
                             "assay cannot start %s: start it again, and gate again",
                             assay_gate_program(g));
out:
    free(runs);
    assay_texts_free(&texts);
    assay_store_close(store);
    return st;
}
