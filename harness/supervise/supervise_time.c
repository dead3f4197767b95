/* Timing: floor and ceilings of the machine, then the points that passed, process by process. */
#include "supervise_internal.h"

#include "base/clock.h"
#include "base/text.h"
#include "stats/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool assay_entry_is_alive(const entry *e)
{
    return !e->is_over && e->point->is_timed && e->verdict.verdict == ASSAY_PASS;
}

enum {
    ENOUGH_PROCESSES = 3 /* for an interval */
};

static const double CEILINGS_S     = 20;   /* for floor and ceilings in one process */
static const double CEILINGS_AGE_S = 1800; /* clocks and temperature may change later */
static const double CEILINGS_SHARE = 0.1;  /* largest share of the budget */

/* ---- records where there are any ---- */

/* Worker by worker: first events, then records. *is_there is false if this machine has no records;
 * a message says so once. */
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
    assay_supervise_say(s, "assay: no record clock, short kernels cannot be told apart: %s\n",
                        assay_status_message());
    assay_status_reset();
    return ASSAY_OK;
}

/* *is_cut: it took so long that larger working sets may be missing. */
static assay_status ask_ceilings(supervisor *s, assay_cupti_use use, bool *is_done, bool *is_cut)
{
    const double  budget_s = s->options->budget_s;
    const double  wall_s  = budget_s > 0 ? fmin(CEILINGS_SHARE * budget_s, CEILINGS_S) : CEILINGS_S;
    const double  began_s = assay_clock_s();
    assay_request request = { .task = ASSAY_TASK_CEILINGS, .wall_s = wall_s };
    assay_status  st      = assay_supervise_ask(s, use, 0, &request, NULL, 0, is_done);

    *is_cut = *is_cut || assay_clock_s() - began_s > wall_s;
    return st;
}

assay_status assay_supervise_ceilings(supervisor *s)
{
    assay_status st      = ASSAY_OK;
    bool         is_done = false, has_records = false, is_cut = false;
    int64_t      n_taken = 0;

    /* A study is many runs in one file, and each would need 3.5 s for it on an H200. */
    ASSAY_CHECK(assay_store_take_ceilings(s->store, s->run_id, CEILINGS_AGE_S, &n_taken));
    if (n_taken > 0)
        return assay_store_read_ceilings(s->store, s->run_id, assay_supervise_keep_ceiling, s);
    ASSAY_CHECK(ask_ceilings(s, ASSAY_CUPTI_NONE, &is_done, &is_cut));
    if (is_done)
        ASSAY_CHECK(assay_supervise_find_records(s, 0, &has_records));
    if (has_records)
        ASSAY_CHECK(ask_ceilings(s, ASSAY_CUPTI_RECORDS, &is_done, &is_cut));
    if (!is_done)
        assay_supervise_say(s, "assay: floor and ceilings of this machine stay unknown\n");
    else if (is_cut)
        assay_supervise_say(s, "assay: the time for the ceilings was spent: those of the largest "
                               "working sets may be missing\n");
out:
    return st;
}

/* ---- one process ---- */

/* With A/A each point is timed twice: the second time as a twin. */
typedef struct timed {
    entry **asked;
    int     n, n_twins;
    entry  *twins; /* owned; of asked[0..n-1] */
} timed;

static bool is_failing(const entry *e) { return e->has_answer && e->answer.verdict != ASSAY_PASS; }

/* Adds the measurements of one process; those of all processes are one. */
static void keep_first_calls(entry *e)
{
    for (int64_t i = 0; i < e->staged.n_metrics; i++)
        if (strcmp(e->staged.metrics[i].replay, "first") == 0 && e->n_first < ASSAY_MAX_PROCESSES)
            e->first_ns[e->n_first++] = e->staged.metrics[i].value;
}

static assay_status put_first_calls(entry *e)
{
    assay_status     st  = ASSAY_OK;
    assay_metric_row row = { .n_passes = e->n_first };
    assay_summary    summary;

    if (e->n_first == 0)
        return ASSAY_OK;
    ASSAY_CHECK(assay_stats_summarize(e->first_ns, e->n_first, &summary));
    row.value = summary.median;
    (void)assay_text_set(row.name, sizeof row.name, "%s", ASSAY_FIRST_CALL);
    (void)assay_text_set(row.status, sizeof row.status, "ok");
    (void)assay_text_set(row.replay, sizeof row.replay, "first");
    ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_METRIC, &row));
out:
    return st;
}

static assay_status keep_facts_of_peer(entry *e)
{
    assay_status st = ASSAY_OK;

    for (int64_t i = 0; i < e->staged.n_metrics; i++)
        if (strcmp(e->staged.metrics[i].replay, ASSAY_TOLD_BY_PEER) == 0)
            ASSAY_CHECK(assay_record_tell(&e->record, &e->staged.metrics[i]));
out:
    return st;
}

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
    keep_first_calls(e);
    ASSAY_CHECK(keep_facts_of_peer(e));
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
            assay_status_reset(); /* the verdict has a reason in any case */
    assay_record_clear(&e->staged);
}

/* A point that was skipped has not run, so it cannot have disturbed its neighbours. */
static bool has_disturbed(const entry *e) { return e->is_over || e->answer.verdict > ASSAY_PASS; }

/* Removes the entries that failed. The numbers of the others count if no failure disturbed them. */
static assay_status sort_out(timed *t, bool is_clean)
{
    assay_status st   = ASSAY_OK;
    int          kept = 0;

    for (int i = 0; i < t->n; i++) {
        entry *e = t->asked[i];

        if (e->is_over)
            continue;
        if (is_failing(e)) {
            assay_entry_take_down(e);
            continue;
        }
        if (is_clean)
            ASSAY_CHECK(keep_staged(e));
        t->asked[kept++] = e;
    }
    t->n = kept;
out:
    return st;
}

/* Times all remaining entries together. An entry that fails may have disturbed the others, so the
 * rest is timed again without it. */
static assay_status time_by_events(supervisor *s, int process, timed *t)
{
    assay_status  st      = ASSAY_OK;
    assay_request request = { .task = ASSAY_TASK_TIME };
    bool          is_done = false, is_clean = false;

    while (!is_clean && t->n > 0) {
        ASSAY_CHECK(
            assay_supervise_ask(s, ASSAY_CUPTI_NONE, process, &request, t->asked, t->n, &is_done));
        is_clean = is_done;
        for (int i = 0; i < t->n; i++)
            is_clean = is_clean && !(t->asked[i]->has_answer && has_disturbed(t->asked[i]));
        ASSAY_CHECK(sort_out(t, is_clean));
    }
out:
    return st;
}

static void lose_records(const supervisor *s, entry *e, const char *why)
{
    char key[ASSAY_KEY_SIZE];

    e->has_no_records = true;
    assay_supervise_say(s, "assay: %s is not read by the record clock: %s\n",
                        assay_point_key(e->point, key, sizeof key), why);
}

/* Removes the entries that cannot be read by records; returns how many are left. *is_clean: none of
 * them disturbed the others. */
static int lose_some(const supervisor *s, entry **asked, int n, bool is_done, bool *is_clean)
{
    const int at   = assay_supervise_place(s);
    int       kept = 0;

    *is_clean = is_done;
    for (int i = 0; i < n; i++) {
        entry     *e        = asked[i];
        const bool is_blank = !is_done && (at < 0 || at == i);

        *is_clean = *is_clean && !(e->has_answer && has_disturbed(e));
        if (is_failing(e) || is_blank)
            lose_records(s, e, is_failing(e) ? e->answer.reason : "see above");
        else
            asked[kept++] = e;
    }
    return kept;
}

/* If one point fails, tracing may have ruined just this one. If two or more fail, in a group or in
 * a row, it is the machine. */
static void judge_records(supervisor *s, int n_points, bool is_ruined)
{
    s->n_ruined       = is_ruined ? s->n_ruined + 1 : 0;
    s->has_no_records = is_ruined && (n_points > 1 || s->n_ruined > 1);
    if (s->has_no_records)
        assay_supervise_say(s, "assay: the record clock failed and is not used any more\n");
}

/* A twin has the key of its point. */
static int count_points(entry *const *asked, int n)
{
    int n_points = 0;

    for (int i = 0; i < n; i++) {
        int twin = 0;

        while (asked[twin]->point != asked[i]->point)
            twin++;
        n_points += twin == i;
    }
    return n_points;
}

/* Records are a second reading. If there are none, or if tracing ruins a kernel that runs well
 * without it, the events stay. */
static assay_status time_by_records(supervisor *s, int process, timed *t)
{
    assay_status  st      = ASSAY_OK;
    assay_request request = { .task = ASSAY_TASK_TIME };
    bool          is_done = false, is_clean = false, was_disturbed = false;
    entry       **asked = calloc((size_t)t->n, sizeof *asked);
    int           n = 0, n_points = 0;

    ASSAY_REQUIRE(asked, ASSAY_E_MEMORY, "no memory to time %d points", t->n);
    for (int i = 0; i < t->n; i++)
        if (!t->asked[i]->has_no_records)
            asked[n++] = t->asked[i];
    n_points = count_points(asked, n);
    while (!is_clean && n > 0) {
        s->is_optional = true;
        st = assay_supervise_ask(s, ASSAY_CUPTI_RECORDS, process, &request, asked, n, &is_done);
        s->is_optional = false;
        ASSAY_CHECK(st);
        n             = lose_some(s, asked, n, is_done, &is_clean);
        was_disturbed = was_disturbed || !is_clean;
    }
    for (int i = 0; i < n; i++)
        ASSAY_CHECK(keep_staged(asked[i]));
    if (n_points > 0)
        judge_records(s, n_points, n == 0 && was_disturbed);
out:
    for (int i = 0; i < t->n; i++)
        assay_record_clear(&t->asked[i]->staged);
    free(asked);
    return st;
}

/* Peers are timed after the others of their process, one at a time: they take milliseconds, and
 * their own memory. */
static assay_status time_in_process(supervisor *s, int process, timed *t, timed *peers)
{
    assay_status st          = ASSAY_OK;
    bool         has_records = false;

    ASSAY_CHECK(time_by_events(s, process, t));
    ASSAY_CHECK(time_by_events(s, process, peers));
    if (t->n == 0)
        goto out;
    ASSAY_CHECK(assay_supervise_find_records(s, process, &has_records));
    if (has_records)
        ASSAY_CHECK(time_by_records(s, process, t));
out:
    return st;
}

/* A group that takes longer than expected must not use up the budget of a whole run: a point that
 * is begun ends with an interval. */
static assay_status time_everywhere(supervisor *s, timed *t, timed *peers)
{
    assay_status st = ASSAY_OK;

    for (int p = 0; p < s->policy.n_processes && t->n + peers->n > 0; p++) {
        if (p >= ENOUGH_PROCESSES && assay_supervise_is_late(s))
            break;
        ASSAY_CHECK(time_in_process(s, p, t, peers));
    }
out:
    return st;
}

/* ---- the whole group ---- */

static bool is_peer(const entry *e)
{
    return assay_variant_is_peer(&e->point->definition->variants[e->point->variant]);
}

static assay_status collect(entry *entries, int n, bool of_peers, timed *t)
{
    assay_status st = ASSAY_OK;

    t->asked = calloc(2 * (size_t)n + 1, sizeof(entry *));
    t->twins = calloc((size_t)n + 1, sizeof *t->twins);
    ASSAY_REQUIRE(t->asked && t->twins, ASSAY_E_MEMORY, "no memory to time %d points", n);
    for (int i = 0; i < n; i++)
        if (assay_entry_is_alive(&entries[i]) && is_peer(&entries[i]) == of_peers &&
            !entries[i].has_no_room)
            t->asked[t->n++] = &entries[i];
out:
    return st;
}

/* A/A: times each point once more, as if it were another one. */
static void add_twins(timed *t)
{
    for (; t->n_twins < t->n; t->n_twins++) {
        const entry *e = t->asked[t->n_twins];

        t->twins[t->n_twins] =
            (entry) { .point = e->point, .tuned = e->tuned, .id = e->id, .verdict = e->verdict };
        t->asked[t->n + t->n_twins] = &t->twins[t->n_twins];
    }
    t->n *= 2;
}

static void forget(timed *t)
{
    for (int i = 0; i < t->n_twins; i++)
        assay_record_clear(&t->twins[i].record);
    free(t->twins);
    free(t->asked);
}

assay_status assay_supervise_time(supervisor *s, entry *entries, int n)
{
    assay_status st = ASSAY_OK;
    timed        t = { .n = 0 }, peers = { .n = 0 };
    const double began_s  = assay_clock_s();
    int          n_points = 0;

    ASSAY_CHECK(collect(entries, n, false, &t));
    ASSAY_CHECK(collect(entries, n, true, &peers));
    n_points = t.n + peers.n;
    if (n_points == 0)
        goto out;
    if (s->options->against_itself)
        add_twins(&t);
    ASSAY_CHECK(time_everywhere(s, &t, &peers));
    for (int i = 0; i < n; i++) {
        if (!assay_entry_is_alive(&entries[i]) || entries[i].has_no_room)
            continue;
        entries[i].verdict.wall_s += (assay_clock_s() - began_s) / n_points;
        ASSAY_CHECK(put_first_calls(&entries[i]));
    }
    ASSAY_CHECK(assay_supervise_judge(s, entries, n, t.twins, t.n_twins));
out:
    forget(&t);
    forget(&peers);
    return st;
}
