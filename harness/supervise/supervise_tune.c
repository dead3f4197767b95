/* The search over the tuning axes of one point, with as many workers as it takes. A combination
 * that kills its process is a trial with that verdict, and the search continues after it. */
#include "supervise_internal.h"

#include "base/text.h"
#include "decide.h"

#include <math.h>
#include <string.h>

static void name_trial(const entry *e, int64_t i, assay_trial_row *trial)
{
    assay_point tuned = *e->point;

    assay_point_tune(&tuned, i);
    (void)assay_point_tuning_text(&tuned, trial->tuning, sizeof trial->tuning);
    trial->is_chosen = false;
}

/* The rows of one worker, in the order of the combinations, and the combination that killed it. */
static assay_status take_trials(entry *e, int64_t n, assay_search *search)
{
    assay_status st = ASSAY_OK;

    for (int64_t i = 0; i < e->staged.n_trials && search->first < n; i++) {
        assay_trial_row *trial = &e->staged.trials[i];

        name_trial(e, search->first++, trial);
        if (isfinite(trial->median_ns)) {
            search->has_time = true;
            search->by_graph = trial->regime == ASSAY_REGIME_GRAPH;
        }
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_TRIAL, trial));
    }
    if (e->has_answer && search->first < n) {
        assay_trial_row lost = { .verdict = e->answer.verdict, .median_ns = (double)NAN };

        name_trial(e, search->first++, &lost);
        (void)assay_text_set(lost.reason, sizeof lost.reason, "%s", e->answer.reason);
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_TRIAL, &lost));
    }
out:
    assay_record_clear(&e->staged);
    return st;
}

static assay_status search_all(supervisor *s, entry *e, int64_t n)
{
    assay_request request = { .task = ASSAY_TASK_TUNE };
    int64_t       before  = -1;
    bool          is_done = true;
    assay_status  st      = ASSAY_OK;

    while (is_done && request.search.first < n && request.search.first > before &&
           !assay_supervise_is_late(s)) {
        before         = request.search.first;
        s->is_optional = true;
        st             = assay_supervise_ask(s, ASSAY_CUPTI_NONE, 0, &request, &e, 1, &is_done);
        s->is_optional = false;
        ASSAY_CHECK(st);
        ASSAY_CHECK(take_trials(e, n, &request.search));
    }
out:
    return st;
}

assay_status assay_supervise_tune(supervisor *s, entry *e)
{
    const int64_t n = assay_point_tuning_count(&e->point->definition->variants[e->point->variant]);
    int64_t       best;
    assay_status  st = ASSAY_OK;

    if (!s->options->tunes || !e->point->is_timed || !s->options->can_time || n < 2)
        return ASSAY_OK;
    ASSAY_CHECK(search_all(s, e, n));
    best = assay_decide_trial(e->record.trials, e->record.n_trials);
    if (best < 0)
        goto out;
    e->record.trials[best].is_chosen = true;
    assay_point_tune(&e->tuned, best); /* trial i is combination i */
out:
    return st;
}
