/* Counters and timelines of points that have passed. */
#include "supervise_internal.h"

#include "base/text.h"

#include <stdio.h>

enum {
    COUNTER_PROCESS = 0
};

/* The cause may be the tool as well as the kernel, which has passed without the tool; or a peer
 * that has no such tool. */
static bool is_loss(const assay_verdict_row *answer)
{
    return answer->verdict == ASSAY_CRASHED || answer->verdict == ASSAY_TIMED_OUT ||
           answer->verdict == ASSAY_LAUNCH_FAILED || answer->verdict == ASSAY_UNSUPPORTED ||
           answer->verdict == ASSAY_SKIPPED;
}

/* If a worker does not start (no CUPTI, no permission), the point keeps its verdict. */
static bool is_up(supervisor *s, assay_cupti_use use)
{
    assay_child *child = &s->child[use][COUNTER_PROCESS];

    if (s->options->in_process || child->pid != 0 ||
        assay_supervise_start(s, child, use) == ASSAY_OK)
        return true;
    assay_supervise_say(s, "assay: not counted or traced: %s\n", assay_status_message());
    assay_status_reset();
    return false;
}

/* Rows of a request that only observes a point: numbers are stored only with a PASS. */
static assay_status keep_observed(entry *e)
{
    assay_status st       = ASSAY_OK;
    const bool   is_first = e->record.n_launches == 0;

    for (int64_t i = 0; i < e->staged.n_metrics; i++)
        ASSAY_CHECK(assay_record_tell(&e->record, &e->staged.metrics[i]));
    for (int64_t i = 0; i < e->staged.n_sections; i++)
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_SECTION, &e->staged.sections[i]));
    for (int64_t i = 0; i < e->staged.n_launches && is_first; i++)
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_LAUNCH, &e->staged.launches[i]));
    if (e->verdict.launches < 0) /* a peer's calls cannot be counted */
        e->verdict.launches = e->answer.launches;
out:
    assay_record_clear(&e->staged);
    return st;
}

assay_status assay_supervise_observe(supervisor *s, entry *e, assay_task task, assay_cupti_use use,
                                     const char *words, bool *is_seen)
{
    assay_status  st      = ASSAY_OK;
    assay_request request = { .task = task, .kernel_replay = s->options->kernel_replay };
    bool          is_done = false;

    if (!words || !assay_entry_is_alive(e) || !s->options->is_cuda || !is_up(s, use))
        return ASSAY_OK;
    (void)assay_text_set(request.words, sizeof request.words, "%s", words);
    s->is_optional = true;
    st             = assay_supervise_ask(s, use, COUNTER_PROCESS, &request, &e, 1, &is_done);
    s->is_optional = false;
    ASSAY_CHECK(st);
    if (e->has_answer && is_loss(&e->answer))
        assay_supervise_say(s, "assay: not counted or traced: %s\n",
                            assay_text_make_safe(e->answer.reason));
    else if (e->has_answer && e->answer.verdict != ASSAY_PASS)
        assay_entry_take_down(e);
    else if (is_seen)
        *is_seen = is_done && e->has_answer;
    ASSAY_CHECK(keep_observed(e));
out:
    return st;
}
