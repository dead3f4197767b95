/* From the log of a tool to a verdict on the variant that it watched. */
#include "sanitize.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct judgement {
    assay_gpu_tool     tool;
    const assay_case  *definition;
    const char        *variant;
    assay_gpu_finding *finding;
    int64_t            n_reports, n_said; /* by their number, and by the summary */
    bool               has_summary;
    char               unknown[ASSAY_REASON_SIZE];
} judgement;

/* The row of the case that a report is for; -1: none. */
static int find_row(const judgement *j, const assay_gpu_record *record)
{
    const assay_unseen *rows = j->definition->unseen;

    for (int i = 0; rows && rows[i].variant; i++)
        if (rows[i].tool == j->tool && strcmp(rows[i].variant, j->variant) == 0 && rows[i].place &&
            assay_sanitize_is_at(record, rows[i].place))
            return i;
    return -1;
}

static void find(judgement *j, assay_verdict verdict, const char *what)
{
    assay_gpu_finding *f = j->finding;

    if (verdict <= f->verdict)
        return;
    f->verdict = verdict;
    (void)assay_text_set(f->reason, sizeof f->reason, "%s: %s", assay_gpu_tool_text(j->tool), what);
}

static void take_report(judgement *j, const assay_gpu_record *record)
{
    const int row = find_row(j, record);
    char      what[ASSAY_REASON_SIZE];

    j->n_reports++;
    if (row >= 0)
        j->finding->n_excused[row] += record->n;
    else
        find(j, record->verdict, assay_sanitize_line(record, what, sizeof what));
}

static void take(judgement *j, const assay_gpu_record *record)
{
    assay_gpu_finding *f = j->finding;

    switch (record->kind) {
    case ASSAY_GPU_REPORT:
        take_report(j, record);
        break;
    case ASSAY_GPU_TROUBLE:
        if (!f->trouble[0])
            (void)assay_sanitize_line(record, f->trouble, sizeof f->trouble);
        break;
    case ASSAY_GPU_SUMMARY:
        j->has_summary = true;
        j->n_said      = record->n > j->n_said ? record->n : j->n_said;
        break;
    case ASSAY_GPU_UNKNOWN: /* its name, mostly; the summary tells whether it counts */
        (void)assay_sanitize_line(record, j->unknown, sizeof j->unknown);
        break;
    }
}

/* What was counted and not read may be anything. */
static void find_unread(judgement *j)
{
    char what[ASSAY_REASON_SIZE];

    if (j->n_said <= j->n_reports)
        return;
    (void)assay_text_set(what, sizeof what,
                         "%" PRId64
                         " faults are counted, but assay can read the reports of only %" PRId64
                         "; the last line that it cannot read: %s",
                         j->n_said, j->n_reports, j->unknown[0] ? j->unknown : "none");
    find(j, ASSAY_SUSPECT, what);
}

/* Of a variant that passes: what was reported, and why it is none. */
static void tell_excused(judgement *j)
{
    assay_gpu_finding *f    = j->finding;
    size_t             used = 0;

    for (int i = 0; f->verdict == ASSAY_PASS && i < ASSAY_MAX_UNSEEN && used + 2 < sizeof f->reason;
         i++) {
        if (f->n_excused[i] == 0)
            continue;
        (void)assay_text_set(f->reason + used, sizeof f->reason - used,
                             "%s%s reports %" PRId64 " in %s: %s", used > 0 ? "; " : "",
                             assay_gpu_tool_text(j->tool), f->n_excused[i],
                             j->definition->unseen[i].place, j->definition->unseen[i].reason);
        used += strlen(f->reason + used);
    }
}

void assay_sanitize_judge(assay_gpu_tool tool, const char *log, const assay_case *c,
                          const char *variant, assay_gpu_finding *finding)
{
    judgement        j = { .tool = tool, .definition = c, .variant = variant, .finding = finding };
    assay_gpu_record record;

    memset(finding, 0, sizeof *finding);
    finding->verdict = ASSAY_PASS;
    while (assay_sanitize_next(&log, &record))
        take(&j, &record);
    find_unread(&j);
    tell_excused(&j);
    finding->is_whole = j.has_summary && !finding->trouble[0];
}
