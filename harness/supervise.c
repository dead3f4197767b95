/* Runs a plan, group by group: points of the same axis values are checked one by one, those that
 * passed are timed together, counted and traced; then each is stored in one transaction. */
#include "supervise_internal.h"

#include "clock.h"
#include "text.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double BUDGET_MARGIN = 1.05; /* a group is begun if it is expected to end by then */
static const double TIMING_SHARE  = 0.5;  /* of what is left, for the sample loops */
static const double LEAST_TIME_S  = 0.02; /* of a point in a process */

enum {
    COUNTER_PROCESS = 0,
    N_KINDS         = 2 /* of timing processes: with events and with records */
};

/* ---- progress and budget ---- */

static double elapsed_s(const supervisor *s) { return assay_clock_s() - s->start_s; }

bool assay_supervise_is_late(const supervisor *s)
{
    return s->options->budget_s > 0 && elapsed_s(s) > s->options->budget_s;
}

static void show_progress(const supervisor *s)
{
    const double left_s =
        s->done > 0 ? elapsed_s(s) / (double)s->done * (double)(s->n - s->done) : 0;

    if (s->options->is_quiet || !isatty(STDERR_FILENO))
        return;
    (void)fprintf(stderr, "\r\033[K%lld/%lld points, %.0f s, about %.0f s left%s",
                  (long long)s->done, (long long)s->n, elapsed_s(s), left_s,
                  s->done == s->n ? "\n" : "");
}

/* Points of one case at the same axis values lie together. */
static bool is_same_group(const assay_point *a, const assay_point *b)
{
    if (a->definition != b->definition || a->is_timed != b->is_timed)
        return false;
    for (int i = 0; i < ASSAY_MAX_AXES && a->definition->axes[i].name; i++)
        if (memcmp(a->axis[i].i, b->axis[i].i, sizeof a->axis[i].i) != 0)
            return false;
    return true;
}

static int64_t group_end(const assay_point *points, int64_t first, int64_t n)
{
    const int64_t most = first + ASSAY_MAX_GROUP / 2; /* A/A asks for each point twice */
    int64_t       end  = first + 1;

    /* What is not timed needs no neighbours. */
    while (end < n && end < most && points[first].is_timed &&
           is_same_group(&points[first], &points[end]))
        end++;
    return end;
}

static double group_bytes(const assay_point *points, int64_t first, int64_t end)
{
    double bytes = 0;

    for (int64_t i = first; i < end; i++)
        bytes += (double)assay_point_host_bytes(&points[i], 2);
    return bytes;
}

/* Sample loops of a group, as long as the policy lets them be. */
static double group_loops_s(const supervisor *s, int64_t n)
{
    return (double)n * s->policy.n_processes * N_KINDS * s->policy.budget_s;
}

/* Beside its sample loops a group costs what grows with its bytes (inputs, reference, copies,
 * checks): the worst rate seen lately tells what the next one takes. Starting workers is not the
 * group's. */
static void learn(supervisor *s, double bytes, int64_t n, double took_s)
{
    const double grows_s = fmax(took_s - s->starts_s - group_loops_s(s, n), 0);

    s->s_per_byte = fmax(s->s_per_byte / 2, bytes > 0 ? grows_s / bytes : 0);
}

static bool is_over_budget(const supervisor *s, double bytes)
{
    const double budget_s = s->options->budget_s;

    return budget_s > 0 && (elapsed_s(s) > budget_s ||
                            elapsed_s(s) + s->s_per_byte * bytes > budget_s * BUDGET_MARGIN);
}

/* The sample loops share what is left of the budget; they never get more than the policy's. */
static void share_budget(supervisor *s)
{
    const double left_s = s->options->budget_s - elapsed_s(s);
    const double loops  = (double)(s->n - s->done) * s->options->policy.n_processes * N_KINDS;

    s->policy = s->options->policy;
    if (s->options->budget_s > 0 && loops > 0)
        s->policy.budget_s =
            fmin(s->policy.budget_s, fmax(TIMING_SHARE * left_s / loops, LEAST_TIME_S));
}

/* ---- the stages of a group ---- */

static assay_status store_entry(supervisor *s, entry *e)
{
    assay_status st = ASSAY_OK;

    if (e->is_over)
        return ASSAY_OK;
    e->is_over = true;
    ASSAY_CHECK(assay_record_store(&e->record, s->store, e->id, &e->verdict));
out:
    return st;
}

static assay_status skip_entry(supervisor *s, entry *e)
{
    s->n_cut++;
    e->verdict = (assay_verdict_row) { .verdict = ASSAY_SKIPPED, .launches = -1, .peak_bytes = -1 };
    (void)assay_text_set(e->verdict.reason, sizeof e->verdict.reason,
                         "the budget of %g s was spent", s->options->budget_s);
    return store_entry(s, e);
}

static assay_status check(supervisor *s, entry *e)
{
    assay_status  st      = ASSAY_OK;
    assay_request request = { .task = ASSAY_TASK_CHECK };
    bool          is_done = false;

    ASSAY_CHECK(assay_supervise_tune(s, e));
    if (e->is_over)
        goto out;
    ASSAY_CHECK(assay_supervise_ask(s, ASSAY_CUPTI_NONE, 0, &request, &e, 1, &is_done));
    if (!is_done)
        goto out;
    if (!e->has_answer) {
        assay_supervise_give_up(e, ASSAY_E_INTERNAL, "its worker gave no verdict");
        goto out;
    }
    e->verdict = e->answer;
    for (int64_t i = 0; i < e->staged.n_checks; i++)
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_CHECK, &e->staged.checks[i]));
    assay_record_clear(&e->staged);
    if (e->verdict.verdict != ASSAY_PASS || !e->point->is_timed)
        ASSAY_CHECK(store_entry(s, e));
out:
    return st;
}

/* The tool's doing as likely as the kernel's, which has passed without it. */
static bool is_loss(const assay_verdict_row *answer)
{
    return answer->verdict == ASSAY_CRASHED || answer->verdict == ASSAY_TIMED_OUT ||
           answer->verdict == ASSAY_LAUNCH_FAILED;
}

/* A worker that does not come up (no CUPTI, no permission) costs the point nothing. */
static bool is_up(supervisor *s, assay_cupti_use use)
{
    assay_child *child = &s->child[use][COUNTER_PROCESS];

    if (s->options->in_process || child->pid != 0 ||
        assay_supervise_start(s, child, use) == ASSAY_OK)
        return true;
    (void)fprintf(stderr, "assay: not counted or traced: %s\n", assay_status_message());
    assay_status_reset();
    return false;
}

/* Rows of a request that looked at a point: numbers only beside a PASS. */
static assay_status keep_observed(entry *e)
{
    assay_status st       = ASSAY_OK;
    const bool   is_first = e->record.n_launches == 0;

    for (int64_t i = 0; i < e->staged.n_metrics; i++)
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_METRIC, &e->staged.metrics[i]));
    for (int64_t i = 0; i < e->staged.n_sections; i++)
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_SECTION, &e->staged.sections[i]));
    for (int64_t i = 0; i < e->staged.n_launches && is_first; i++)
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_LAUNCH, &e->staged.launches[i]));
out:
    assay_record_clear(&e->staged);
    return st;
}

/* Counters and timelines: in processes of their own, after everything was timed. What cannot be
 * observed keeps the verdict that it has. *is_seen may be NULL. */
static assay_status observe(supervisor *s, entry *e, assay_task task, assay_cupti_use use,
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
        (void)fprintf(stderr, "assay: not counted or traced: %s\n", e->answer.reason);
    else if (e->has_answer && e->answer.verdict != ASSAY_PASS)
        assay_entry_take_down(e);
    else if (is_seen)
        *is_seen = is_done && e->has_answer;
    ASSAY_CHECK(keep_observed(e));
out:
    return st;
}

static assay_status run_group(supervisor *s, entry *entries, int n)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < n; i++)
        ASSAY_CHECK(check(s, &entries[i]));
    if (s->options->times)
        ASSAY_CHECK(assay_supervise_time(s, entries, n));
    for (int i = 0; i < n; i++) {
        ASSAY_CHECK(observe(s, &entries[i], ASSAY_TASK_COUNT, ASSAY_CUPTI_COUNTERS,
                            s->options->metrics, NULL));
        ASSAY_CHECK(observe(s, &entries[i], ASSAY_TASK_TRACE, ASSAY_CUPTI_TRACE, s->options->trace,
                            s->options->is_traced));
    }
    /* Together: a run that is killed between two would lose what they were compared by. */
    for (int i = 0; i < n; i++)
        ASSAY_CHECK(store_entry(s, &entries[i]));
out:
    return st;
}

static assay_status begin_group(supervisor *s, const assay_point *points, const int64_t *ids,
                                int64_t first, int64_t end)
{
    const double bytes   = group_bytes(points, first, end);
    const double began_s = assay_clock_s();
    const int    n       = (int)(end - first);
    entry       *entries = calloc((size_t)n, sizeof *entries);
    assay_status st      = ASSAY_OK;

    ASSAY_REQUIRE(entries, ASSAY_E_MEMORY, "no memory for %d points", n);
    for (int i = 0; i < n; i++)
        entries[i] = (entry) { .point   = &points[first + i],
                               .tuned   = points[first + i],
                               .id      = ids[first + i],
                               .verdict = { .peak_bytes = -1 } };
    if (is_over_budget(s, bytes)) {
        for (int i = 0; i < n; i++)
            ASSAY_CHECK(skip_entry(s, &entries[i]));
        goto out;
    }
    share_budget(s);
    s->starts_s = 0;
    ASSAY_CHECK(run_group(s, entries, n));
    learn(s, bytes, n, assay_clock_s() - began_s);
out:
    for (int i = 0; entries && i < n; i++) {
        assay_record_clear(&entries[i].record);
        assay_record_clear(&entries[i].staged);
    }
    free(entries);
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
    assay_status st = ASSAY_OK;
    supervisor   s  = { .store   = store,
                        .run_id  = run_id,
                        .options = options,
                        .policy  = options->policy,
                        .n       = n,
                        .start_s = assay_clock_s() };

    ASSAY_REQUIRE(options->policy.n_processes <= ASSAY_MAX_PROCESSES, ASSAY_E_USAGE,
                  "at most %d processes can time a point, not %d", ASSAY_MAX_PROCESSES,
                  options->policy.n_processes);
    /* A worker that died is found by its silence, not by a signal to this process. */
    ASSAY_REQUIRE(signal(SIGPIPE, SIG_IGN) != SIG_ERR, ASSAY_E_INTERNAL, "cannot ignore SIGPIPE");
    if (options->can_time && options->times && is_anything_timed(points, n))
        ASSAY_CHECK(assay_supervise_ceilings(&s));
    for (int64_t end; s.done < n; s.done = end) {
        show_progress(&s);
        end = group_end(points, s.done, n);
        /* Workers keep one case's inputs; a new case starts new processes. */
        if (s.done > 0 && points[s.done - 1].definition != points[s.done].definition)
            assay_supervise_end_workers(&s);
        ASSAY_CHECK(begin_group(&s, points, point_ids, s.done, end));
    }
    show_progress(&s);
    if (s.n_cut > 0)
        (void)fprintf(stderr,
                      "assay: the budget of %g s was spent: %lld of %lld points were skipped\n",
                      options->budget_s, (long long)s.n_cut, (long long)n);
out:
    assay_supervise_end_workers(&s);
    assay_runner_close(&s.runner);
    free(s.ceilings);
    return st;
}
