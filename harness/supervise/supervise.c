/* Runs a plan, group by group. Points of the same axis values are checked one by one; those that
 * passed are timed together, counted and traced. Then each point is stored in one transaction. */
#include "supervise_internal.h"

#include "base/clock.h"
#include "base/terminal.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the budget ---- */

static double elapsed_s(const supervisor *s) { return assay_clock_s() - s->start_s; }

bool assay_supervise_is_late(const supervisor *s)
{
    return s->options->budget_s > 0 && elapsed_s(s) > s->options->budget_s;
}

static double left_s(const supervisor *s) { return s->options->budget_s - elapsed_s(s); }

/* The policy of the options, except for the number of processes: in this process there are no
 * others. */
static assay_policy run_policy(const assay_supervise_options *options)
{
    assay_policy policy = options->policy;

    if (options->in_process)
        policy.n_processes = 1;
    return policy;
}

/* The sample loops divide what is left of the budget; a loop never gets more than the policy's
 * time. */
static void share_budget(supervisor *s)
{
    s->policy = run_policy(s->options);
    if (s->options->budget_s > 0)
        s->policy.budget_s =
            fmin(s->policy.budget_s,
                 fmax(assay_budget_loop_s(&s->budget, left_s(s)), ASSAY_LEAST_TIME_S));
}

/* Wall time of the group besides its sample loops, its searches and the workers that it started. */
static void learn(supervisor *s, assay_batch *batch, double took_s)
{
    const double loops_s = batch->n_loops * s->policy.budget_s;

    assay_budget_learn(&s->budget, batch, took_s,
                       took_s - s->starts_s - batch->searches_s - loops_s);
}

/* ---- the stages of a group ---- */

static assay_status store_entry(supervisor *s, entry *e)
{
    const double began_s = assay_clock_s();
    assay_status st;

    if (e->is_over)
        return ASSAY_OK;
    e->is_over = true;
    if (s->store_lock)
        (void)pthread_mutex_lock(s->store_lock);
    st = assay_record_store(&e->record, s->store, e->id, &e->verdict);
    if (s->store_lock)
        (void)pthread_mutex_unlock(s->store_lock);
    assay_profile_add(&s->stages, "store", assay_clock_s() - began_s, 1);
    return st;
}

static assay_status skip_entry(supervisor *s, entry *e)
{
    s->n_cut++;
    e->verdict = (assay_verdict_row) { .verdict = ASSAY_SKIPPED, .launches = -1, .peak_bytes = -1 };
    (void)assay_text_set(e->verdict.reason, sizeof e->verdict.reason,
                         "left out: the budget of %g s has no room for it", s->options->budget_s);
    return store_entry(s, e);
}

/* The CPU time since `before`. */
static double mean_call_s(const supervisor *s, const assay_profile_part *before)
{
    const assay_profile_part now = assay_profile_get(&s->stages, "launch");

    return now.n > before->n ? (now.time_s - before->time_s) / (double)(now.n - before->n) : 0;
}

/* Under a tool, its log tells whether its worker failed for a reason of its own. */
static assay_status ask_check(supervisor *s, entry *e, bool *is_done)
{
    const bool    is_watched = s->options->tool != ASSAY_GPU_TOOL_NONE;
    assay_request request    = { .task = ASSAY_TASK_CHECK };
    assay_status  st         = ASSAY_OK;

    *is_done = true;
    if (!assay_supervise_tool_sees(s, e))
        return ASSAY_OK;
    s->is_optional = is_watched;
    st             = assay_supervise_ask(s, ASSAY_CUPTI_NONE, 0, &request, &e, 1, is_done);
    s->is_optional = false;
    if (st == ASSAY_OK && is_watched)
        return assay_supervise_take_findings(s, e, is_done);
    if (is_watched)
        assay_supervise_tell_trouble(s);
    return st;
}

static assay_status check(supervisor *s, entry *e)
{
    assay_status       st = ASSAY_OK;
    assay_profile_part launches;
    bool               is_done = false;

    ASSAY_CHECK(assay_supervise_tune(s, e));
    if (e->is_over)
        goto out;
    launches = assay_profile_get(&s->stages, "launch");
    ASSAY_CHECK(ask_check(s, e, &is_done));
    if (!is_done)
        goto out;
    if (!e->has_answer) {
        assay_supervise_give_up(s, e, ASSAY_E_INTERNAL, "its worker gave no verdict");
        goto out;
    }
    e->verdict = e->answer;
    for (int64_t i = 0; i < e->staged.n_checks; i++)
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_CHECK, &e->staged.checks[i]));
    for (int64_t i = 0; i < e->staged.n_metrics; i++)
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_METRIC, &e->staged.metrics[i]));
    assay_record_clear(&e->staged);
    e->call_s = mean_call_s(s, &launches);
    if (e->verdict.verdict != ASSAY_PASS || !e->point->is_timed)
        ASSAY_CHECK(store_entry(s, e));
out:
    return st;
}

static const assay_variant *variant_of(const assay_point *point)
{
    return &point->definition->variants[point->variant];
}

/* A peer uses its own tool, which cannot work if the peer is recorded from outside. */
static assay_cupti_use trace_use(const assay_point *point)
{
    return assay_variant_is_peer(variant_of(point)) ? ASSAY_CUPTI_NONE : ASSAY_CUPTI_TRACE;
}

static assay_status run_group(supervisor *s, entry *entries, int n)
{
    assay_status st = ASSAY_OK;

    /* The first batch was chosen. For a later one the estimate may turn out to have been far too
     * low. */
    for (int i = 0; i < n; i++)
        ASSAY_CHECK(i > 0 && assay_supervise_is_late(s) ? skip_entry(s, &entries[i])
                                                        : check(s, &entries[i]));
    assay_supervise_leave_room(s, entries, n);
    if (s->options->times)
        ASSAY_CHECK(assay_supervise_time(s, entries, n));
    for (int i = 0; i < n; i++) {
        ASSAY_CHECK(assay_supervise_observe(s, &entries[i], ASSAY_TASK_COUNT, ASSAY_CUPTI_COUNTERS,
                                            s->options->metrics, NULL));
        ASSAY_CHECK(assay_supervise_observe(s, &entries[i], ASSAY_TASK_TRACE,
                                            trace_use(entries[i].point), s->options->trace,
                                            s->options->is_traced));
    }
    for (int i = 0; i < n; i++)
        s->n_timed += assay_entry_is_alive(&entries[i]) && entries[i].record.n_measurements > 0;
    /* Stored together: a run that is killed between two of them would lose what they were compared
     * with. */
    for (int i = 0; i < n; i++)
        ASSAY_CHECK(store_entry(s, &entries[i]));
out:
    return st;
}

static entry *make_entries(const assay_point *points, const int64_t *ids, const assay_batch *batch)
{
    const int64_t n       = batch->end - batch->first;
    entry        *entries = calloc((size_t)n, sizeof *entries);

    for (int64_t i = 0; entries && i < n; i++)
        entries[i] = (entry) { .point   = &points[batch->first + i],
                               .tuned   = assay_point_as_run(&points[batch->first + i]),
                               .id      = ids[batch->first + i],
                               .verdict = { .peak_bytes = -1 } };
    return entries;
}

static void free_entries(entry *entries, int n)
{
    for (int i = 0; entries && i < n; i++) {
        assay_record_clear(&entries[i].record);
        assay_record_clear(&entries[i].staged);
    }
    free(entries);
}

assay_status assay_supervise_batch(supervisor *s, const assay_point *points, const int64_t *ids,
                                   assay_batch *batch)
{
    const double began_s = assay_clock_s();
    const int    n       = (int)(batch->end - batch->first);
    entry       *entries = make_entries(points, ids, batch);
    assay_status st      = ASSAY_OK;

    batch->is_done = true;
    ASSAY_REQUIRE(entries, ASSAY_E_MEMORY, "no memory for %d points", n);
    ASSAY_REQUIRE(s->shared_fd <= 0 || ftruncate(s->shared_fd, 0) == 0, ASSAY_E_IO,
                  "cannot empty a file in memory: %s", strerror(errno));
    for (int i = 0; !batch->is_chosen && i < n; i++)
        ASSAY_CHECK(skip_entry(s, &entries[i]));
    if (batch->is_chosen) {
        share_budget(s);
        s->starts_s = 0;
        ASSAY_CHECK(run_group(s, entries, n));
        if (s->options->budget_s > 0)
            learn(s, batch, assay_clock_s() - began_s);
    }
    assay_progress_done(s->progress, batch->first, n);
    assay_profile_add(&s->cases, points[batch->first].definition->name, assay_clock_s() - began_s,
                      n);
out:
    free_entries(entries, n);
    return st;
}

/* What fits is chosen before anything runs, and again after each group, by the time that the group
 * took. */
static assay_status run_batches(supervisor *s, const assay_point *points, const int64_t *ids)
{
    assay_status st      = ASSAY_OK;
    int          current = -1;
    assay_batch *batch;

    while ((batch = assay_budget_choose(&s->budget, left_s(s), current)) != NULL) {
        /* Workers keep the inputs of one case; a new case starts new processes. */
        if (current >= 0 && batch->case_place != current)
            assay_supervise_end_workers(s);
        current = batch->case_place;
        ASSAY_CHECK(assay_supervise_batch(s, points, ids, batch));
    }
    for (int64_t i = 0; i < s->budget.n; i++)
        if (!s->budget.batches[i].is_done)
            ASSAY_CHECK(assay_supervise_batch(s, points, ids, &s->budget.batches[i]));
out:
    return st;
}

static bool is_anything_timed(const assay_point *points, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (points[i].is_timed && !points[i].definition->variants[points[i].variant].cpu)
            return true;
    return false;
}

assay_status assay_supervise(assay_store *store, int64_t run_id, const assay_point *points,
                             const int64_t *point_ids, int64_t n,
                             const assay_supervise_options *options)
{
    assay_progress progress = { .out      = options->is_quiet ? NULL : stderr,
                                .width    = assay_terminal_width(stderr),
                                .clock_s  = assay_clock_s,
                                .tick_s   = 0.5,
                                .n        = n,
                                .budget_s = options->budget_s,
                                .wall_s   = options->wall_s };
    supervisor     s        = { .store    = store,
                                .run_id   = run_id,
                                .options  = options,
                                .policy   = run_policy(options),
                                .n        = n,
                                .progress = &progress,
                                .start_s  = assay_clock_s() };
    assay_status   st       = assay_progress_begin(&progress);

    if (st != ASSAY_OK)
        return st;
    ASSAY_REQUIRE(options->policy.n_processes <= ASSAY_MAX_PROCESSES, ASSAY_E_USAGE,
                  "at most %d processes can time a point, not %d", ASSAY_MAX_PROCESSES,
                  options->policy.n_processes);
    /* The death of a worker is found by its silence, not by a signal to this process. */
    ASSAY_REQUIRE(signal(SIGPIPE, SIG_IGN) != SIG_ERR, ASSAY_E_INTERNAL, "cannot ignore SIGPIPE");
    if (options->times && !options->in_process)
        s.shared_fd = assay_child_share();
    if (options->can_time && options->times && is_anything_timed(points, n))
        ASSAY_CHECK(assay_supervise_ceilings(&s));
    ASSAY_CHECK(assay_supervise_list_batches(&s, points));
    ASSAY_CHECK(assay_supervise_beside(&s, points, point_ids));
    ASSAY_CHECK(run_batches(&s, points, point_ids));
    assay_progress_clear(&progress);
    assay_supervise_print_budget(&s, elapsed_s(&s));
    assay_supervise_end(&s);
    assay_supervise_print_profile(&s, elapsed_s(&s));
out:
    assay_supervise_end(&s);
    assay_progress_end(&progress);
    assay_runner_close(&s.runner);
    if (s.shared_fd > 0)
        (void)close(s.shared_fd);
    assay_budget_free(&s.budget);
    free(s.ceilings);
    return st;
}
