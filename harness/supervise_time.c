/* Timing: the machine's floor and ceilings, then the points that passed, process by process; after
 * that the numbers are judged and paired. */
#include "supervise_internal.h"

#include "clock.h"
#include "decide.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool assay_entry_is_alive(const entry *e)
{
    return !e->is_over && e->point->is_timed && e->verdict.verdict == ASSAY_PASS;
}

/* ---- records where there are any ---- */

/* Worker by worker: events, then records. False in *is_there if this machine has none: said once.
 */
assay_status assay_supervise_find_records(supervisor *s, int process, bool *is_there)
{
    assay_child *child = &s->child[ASSAY_CUPTI_RECORDS][process];
    assay_status st    = ASSAY_OK;

    *is_there = s->options->is_cuda && !s->options->in_process && !s->has_no_records;
    if (!*is_there || child->pid != 0)
        return ASSAY_OK;
    st = assay_supervise_start(s, child, ASSAY_CUPTI_RECORDS);
    if (st == ASSAY_OK)
        return ASSAY_OK;
    s->has_no_records = true;
    *is_there         = false;
    (void)fprintf(stderr, "assay: no record clock, short kernels cannot be told apart: %s\n",
                  assay_status_message());
    assay_status_reset();
    return ASSAY_OK;
}

assay_status assay_supervise_ceilings(supervisor *s)
{
    assay_status  st      = ASSAY_OK;
    assay_request request = { .task = ASSAY_TASK_CEILINGS };
    bool          is_done = false, has_records = false;

    ASSAY_CHECK(assay_supervise_ask(s, ASSAY_CUPTI_NONE, 0, &request, NULL, 0, &is_done));
    if (is_done)
        ASSAY_CHECK(assay_supervise_find_records(s, 0, &has_records));
    if (has_records)
        ASSAY_CHECK(assay_supervise_ask(s, ASSAY_CUPTI_RECORDS, 0, &request, NULL, 0, &is_done));
    if (!is_done)
        (void)fprintf(stderr, "assay: floor and ceilings of this machine stay unknown\n");
out:
    return st;
}

/* ---- one process ---- */

/* With A/A each point is asked twice: the second goes into a twin of its own. */
typedef struct timed {
    entry **asked;
    int     n, n_twins;
    entry  *twins; /* owned; of asked[0..n-1] */
} timed;

static bool is_failing(const entry *e) { return e->has_answer && e->answer.verdict != ASSAY_PASS; }

static assay_status keep_staged(entry *e)
{
    assay_status  st       = ASSAY_OK;
    const bool    is_first = e->record.n_launches == 0;
    assay_record *from     = &e->staged;

    for (int64_t i = 0; i < from->n_checks; i++)
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_CHECK, &from->checks[i]));
    for (int64_t i = 0; i < from->n_measurements; i++)
        ASSAY_CHECK(assay_record_measure(&e->record, &from->measurements[i].row,
                                         &from->measurements[i].samples));
    for (int64_t i = 0; i < from->n_launches && is_first; i++)
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_LAUNCH, &from->launches[i]));
    if (e->answer.peak_bytes > e->verdict.peak_bytes)
        e->verdict.peak_bytes = e->answer.peak_bytes;
out:
    assay_record_clear(from);
    return st;
}

void assay_entry_take_down(entry *e)
{
    const assay_verdict_row check = e->verdict;

    e->verdict                 = e->answer;
    e->verdict.launches        = check.launches;
    e->verdict.workspace_bytes = check.workspace_bytes;
    e->verdict.device_bytes    = check.device_bytes;
    e->verdict.wall_s += check.wall_s;
    for (int64_t i = 0; i < e->staged.n_checks; i++)
        if (assay_record_put(&e->record, ASSAY_ROW_CHECK, &e->staged.checks[i]) != ASSAY_OK)
            assay_status_reset(); /* the verdict has its reason in any case */
    assay_record_clear(&e->staged);
}

/* All alive, together. A point that fails may have disturbed the others: the rest is timed again
 * without it. */
static assay_status time_by_events(supervisor *s, int process, timed *t)
{
    assay_status  st      = ASSAY_OK;
    assay_request request = { .task = ASSAY_TASK_TIME };
    bool          is_done = false, is_clean = false;

    while (!is_clean && t->n > 0) {
        int kept = 0;

        ASSAY_CHECK(
            assay_supervise_ask(s, ASSAY_CUPTI_NONE, process, &request, t->asked, t->n, &is_done));
        is_clean = true;
        for (int i = 0; i < t->n; i++)
            is_clean = is_clean && !is_failing(t->asked[i]);
        for (int i = 0; i < t->n; i++) {
            entry *e = t->asked[i];

            if (!is_done || is_failing(e)) {
                if (is_failing(e))
                    assay_entry_take_down(e);
                continue;
            }
            if (is_clean)
                ASSAY_CHECK(keep_staged(e));
            t->asked[kept++] = e;
        }
        t->n = kept;
    }
out:
    return st;
}

/* Records are a second reading: where they cannot be had, or where tracing ruins a kernel that runs
 * well without it, the events stay. */
static assay_status time_by_records(supervisor *s, int process, timed *t)
{
    assay_status  st      = ASSAY_OK;
    assay_request request = { .task = ASSAY_TASK_TIME };
    bool          is_done = false, is_lost = false;

    s->is_optional = true;
    st = assay_supervise_ask(s, ASSAY_CUPTI_RECORDS, process, &request, t->asked, t->n, &is_done);
    s->is_optional = false;
    ASSAY_CHECK(st);
    for (int i = 0; i < t->n; i++)
        is_lost = is_lost || is_failing(t->asked[i]);
    if (!is_done || is_lost) {
        s->has_no_records = true;
        (void)fprintf(stderr, "assay: the record clock failed and is not used any more\n");
    }
    for (int i = 0; i < t->n; i++) {
        if (is_done && !is_lost)
            ASSAY_CHECK(keep_staged(t->asked[i]));
        else
            assay_record_clear(&t->asked[i]->staged);
    }
out:
    return st;
}

static assay_status time_everywhere(supervisor *s, timed *t)
{
    assay_status st          = ASSAY_OK;
    const int    n_processes = s->options->in_process ? 1 : s->policy.n_processes;
    bool         has_records = false;

    for (int p = 0; p < n_processes && t->n > 0; p++) {
        ASSAY_CHECK(time_by_events(s, p, t));
        ASSAY_CHECK(assay_supervise_find_records(s, p, &has_records));
        if (has_records)
            ASSAY_CHECK(time_by_records(s, p, t));
    }
out:
    return st;
}

/* ---- judging ---- */

enum {
    MAX_MEASURED = 16 /* metrics of a point: regimes by clocks */
};

static int measured_of(entry *e, assay_measured *m)
{
    int n = 0;

    for (; n < e->record.n_measurements && n < MAX_MEASURED; n++)
        m[n] =
            (assay_measured) { &e->record.measurements[n].row, &e->record.measurements[n].samples };
    return n;
}

static void judge(const supervisor *s, entry *e)
{
    assay_measured m[MAX_MEASURED] = { { NULL, NULL } };
    const int      n               = measured_of(e, m);

    assay_decide(m, n);
    for (int i = 0; i < n; i++) {
        assay_decide_limits(m[i].row, s->ceilings, s->n_ceilings);
        if (assay_decide_is_too_fast(m[i].row, e->verdict.reason, sizeof e->verdict.reason))
            e->verdict.verdict = ASSAY_SUSPECT;
    }
}

static const char *const regimes[] = { "cold", "hot", "graph", "e2e" };

static assay_status compare(entry *e, entry *other, const char *kind, const char *against)
{
    assay_status   st              = ASSAY_OK;
    assay_measured v[MAX_MEASURED] = { { NULL, NULL } }, b[MAX_MEASURED] = { { NULL, NULL } };
    const int      n_v = measured_of(e, v), n_b = measured_of(other, b);

    for (size_t r = 0; r < sizeof regimes / sizeof regimes[0]; r++) {
        assay_comparison_row row = { .n_pairs = 0 };

        if (!assay_decide_speedup(v, n_v, b, n_b, regimes[r], &row))
            continue;
        (void)assay_text_set(row.kind, sizeof row.kind, "%s", kind);
        (void)assay_text_set(row.against, sizeof row.against, "%s", against);
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_COMPARISON, &row));
    }
out:
    return st;
}

static const assay_variant *variant_of(const entry *e)
{
    return &e->point->definition->variants[e->point->variant];
}

static assay_status compare_with_baseline(entry *e, entry *entries, int n)
{
    const char *baseline = variant_of(e)->baseline;

    for (int i = 0; baseline && i < n; i++)
        if (assay_entry_is_alive(&entries[i]) &&
            strcmp(variant_of(&entries[i])->name, baseline) == 0)
            return compare(e, &entries[i], "speedup", baseline);
    return ASSAY_OK;
}

/* What was found of a twin is true of its point. */
static assay_status blame_points(entry *entries, int n, const timed *t)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < t->n_twins; i++) {
        const entry *twin = &t->twins[i];

        for (int k = 0; k < n; k++) {
            if (entries[k].id != twin->id || !assay_entry_is_alive(&entries[k]) ||
                twin->verdict.verdict == ASSAY_PASS)
                continue;
            entries[k].verdict = twin->verdict;
            for (int64_t c = 0; c < twin->record.n_checks; c++)
                ASSAY_CHECK(
                    assay_record_put(&entries[k].record, ASSAY_ROW_CHECK, &twin->record.checks[c]));
        }
    }
out:
    return st;
}

static assay_status judge_all(supervisor *s, entry *entries, int n, timed *t)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < n; i++)
        if (assay_entry_is_alive(&entries[i]))
            judge(s, &entries[i]);
    for (int i = 0; i < t->n_twins; i++)
        judge(s, &t->twins[i]);
    for (int i = 0; i < n; i++)
        if (assay_entry_is_alive(&entries[i]))
            ASSAY_CHECK(compare_with_baseline(&entries[i], entries, n));
    for (int i = 0; i < t->n_twins; i++)
        for (int k = 0; k < n; k++)
            if (entries[k].id == t->twins[i].id && assay_entry_is_alive(&entries[k]) &&
                assay_entry_is_alive(&t->twins[i]))
                ASSAY_CHECK(
                    compare(&entries[k], &t->twins[i], "aa", variant_of(&entries[k])->name));
out:
    return st;
}

/* ---- all of it ---- */

static assay_status collect(const supervisor *s, entry *entries, int n, timed *t)
{
    assay_status st = ASSAY_OK;

    t->asked = calloc(2 * (size_t)n + 1, sizeof(entry *));
    t->twins = calloc((size_t)n + 1, sizeof *t->twins);
    ASSAY_REQUIRE(t->asked && t->twins, ASSAY_E_MEMORY, "no memory to time %d points", n);
    for (int i = 0; i < n; i++)
        if (assay_entry_is_alive(&entries[i]))
            t->asked[t->n++] = &entries[i];
    if (!s->options->against_itself)
        goto out;
    for (t->n_twins = 0; t->n_twins < t->n; t->n_twins++) {
        const entry *e = t->asked[t->n_twins];

        t->twins[t->n_twins] =
            (entry) { .point = e->point, .tuned = e->tuned, .id = e->id, .verdict = e->verdict };
        t->asked[t->n + t->n_twins] = &t->twins[t->n_twins];
    }
    t->n *= 2;
out:
    return st;
}

assay_status assay_supervise_time(supervisor *s, entry *entries, int n)
{
    assay_status st       = ASSAY_OK;
    timed        t        = { .n = 0 };
    const double began_s  = assay_clock_s();
    int          n_points = 0;

    ASSAY_CHECK(collect(s, entries, n, &t));
    n_points = t.n - t.n_twins;
    if (n_points == 0)
        goto out;
    ASSAY_CHECK(time_everywhere(s, &t));
    for (int i = 0; i < n; i++)
        if (assay_entry_is_alive(&entries[i]))
            entries[i].verdict.wall_s += (assay_clock_s() - began_s) / n_points;
    ASSAY_CHECK(blame_points(entries, n, &t));
    ASSAY_CHECK(judge_all(s, entries, n, &t));
out:
    for (int i = 0; i < t.n_twins; i++)
        assay_record_clear(&t.twins[i].record);
    free(t.twins);
    free(t.asked);
    return st;
}
