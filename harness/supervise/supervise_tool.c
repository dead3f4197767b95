/* Checks under a compute-sanitizer tool. Each point has its own worker, so that the whole log is
 * about that point. */
#include "supervise_internal.h"
#include "unseen.h"

#include "base/text.h"
#include "sanitize/sanitize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The log of the point's worker, which is ended here; NULL: there is none. */
static char *end_worker(supervisor *s)
{
    assay_child *child = &s->child[ASSAY_CUPTI_NONE][0];

    assay_child_end(child, false);
    return assay_child_take_log(child);
}

static const assay_variant *variant_of(const entry *e)
{
    return &e->point->definition->variants[e->point->variant];
}

static assay_status put_excused(entry *e, const assay_gpu_finding *finding)
{
    assay_status        st   = ASSAY_OK;
    const assay_unseen *rows = e->point->definition->unseen;

    for (int i = 0; rows && i < ASSAY_MAX_UNSEEN && rows[i].variant; i++) {
        assay_metric_row row = { .value = (double)finding->n_excused[i], .n_passes = 1 };

        if (finding->n_excused[i] == 0)
            continue;
        assay_unseen_name(&rows[i], row.name, sizeof row.name);
        (void)assay_text_set(row.status, sizeof row.status, "ok");
        (void)assay_text_set(row.replay, sizeof row.replay, "check");
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_METRIC, &row));
    }
out:
    return st;
}

/* The tool's findings explain what the check may have found as well. */
static void take_finding(assay_verdict_row *answer, const assay_gpu_finding *finding)
{
    char own[ASSAY_REASON_SIZE];

    if (finding->verdict == ASSAY_PASS) {
        if (answer->verdict == ASSAY_PASS)
            (void)assay_text_set(answer->reason, sizeof answer->reason, "%s", finding->reason);
        return;
    }
    (void)assay_text_set(own, sizeof own, "%s", answer->reason);
    (void)assay_text_set(answer->reason, sizeof answer->reason, "%s%s%s%s%s", finding->reason,
                         answer->verdict > ASSAY_PASS ? "; the check: " : "",
                         answer->verdict > ASSAY_PASS ? assay_verdict_text(answer->verdict) : "",
                         answer->verdict > ASSAY_PASS && own[0] ? ": " : "",
                         answer->verdict > ASSAY_PASS ? own : "");
    answer->verdict = finding->verdict;
}

static void say_unsupported(const supervisor *s, entry *e, const char *what, const char *why)
{
    e->answer =
        (assay_verdict_row) { .verdict = ASSAY_UNSUPPORTED, .launches = -1, .peak_bytes = -1 };
    e->has_answer = true;
    (void)assay_text_set(e->answer.reason, sizeof e->answer.reason, "%s %s%s",
                         assay_gpu_tool_text(s->options->tool), what, why);
}

/* The suppression by which the tool cannot watch a variant at all; NULL: there is none. */
static const assay_unseen *blind_row(const supervisor *s, const entry *e)
{
    for (const assay_unseen *row = e->point->definition->unseen; row && row->variant; row++)
        if (!row->place && row->tool == s->options->tool &&
            strcmp(row->variant, variant_of(e)->name) == 0)
            return row;
    return NULL;
}

bool assay_supervise_tool_sees(const supervisor *s, entry *e)
{
    const assay_unseen *row = NULL;

    if (s->options->tool == ASSAY_GPU_TOOL_NONE)
        return true;
    row = blind_row(s, e);
    if (row)
        say_unsupported(s, e, "cannot watch it: ", row->reason);
    else if (!assay_variant_is_launched(variant_of(e)))
        say_unsupported(s, e, "watches kernels on a GPU, and this variant has none", "");
    else
        return true;
    return false;
}

/* If the worker failed, or the tool did not reach its end, that says nothing about the kernel. The
 * tool's messages about itself do. */
static void judge_absence(const supervisor *s, entry *e, const assay_gpu_finding *finding,
                          bool *is_done)
{
    const char *tool = assay_gpu_tool_text(s->options->tool);
    char        text[ASSAY_REASON_SIZE];

    if (finding->trouble[0]) {
        say_unsupported(s, e, "could not watch it: ", finding->trouble);
        *is_done = true;
        return;
    }
    if (*is_done && e->answer.verdict < ASSAY_PASS)
        return; /* nothing was launched */
    (void)snprintf(text, sizeof text,
                   *is_done ? "the log of %s has no summary: the tool did not reach its end"
                            : "its worker under %s failed, as told above",
                   tool);
    *is_done = false;
    assay_supervise_give_up(s, e, ASSAY_E_INTERNAL, text);
}

assay_status assay_supervise_take_findings(supervisor *s, entry *e, bool *is_done)
{
    const assay_gpu_tool tool = s->options->tool;
    assay_status         st   = ASSAY_OK;
    char                *log  = end_worker(s);
    assay_gpu_finding    finding;
    bool                 has_fault;

    *is_done = *is_done && e->has_answer;
    assay_sanitize_judge(tool, log ? log : "", e->point->definition, variant_of(e)->name, &finding);
    /* A fault counts, whatever happened to the rest of the log. */
    has_fault = finding.verdict > ASSAY_PASS || e->answer.verdict > ASSAY_PASS;
    if (!*is_done || (!has_fault && !finding.is_whole))
        judge_absence(s, e, &finding, is_done);
    else
        take_finding(&e->answer, &finding);
    if (*is_done && e->answer.verdict == ASSAY_PASS)
        ASSAY_CHECK(put_excused(e, &finding));
out:
    free(log);
    return st;
}

void assay_supervise_tell_trouble(supervisor *s)
{
    char            *log = end_worker(s);
    const char      *at  = log ? log : "";
    assay_gpu_record record;
    char             text[ASSAY_REASON_SIZE];

    while (assay_sanitize_next(&at, &record))
        if (record.kind == ASSAY_GPU_TROUBLE)
            assay_supervise_say(s, "assay: %s: %s\n", assay_gpu_tool_text(s->options->tool),
                                assay_sanitize_line(&record, text, sizeof text));
    free(log);
}
