/* Requests to workers, or to this process instead. */
#include "supervise_internal.h"

#include "base/clock.h"
#include "base/text.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void assay_supervise_say(const supervisor *s, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    assay_progress_say(s->progress, format, list);
    va_end(list);
}

void assay_supervise_give_up(const supervisor *s, entry *e, assay_status status, const char *text)
{
    char key[ASSAY_KEY_SIZE];

    if (!e->is_over)
        assay_supervise_say(s, "assay: %s could not be judged: %s: %s\n",
                            assay_point_key(e->point, key, sizeof key), assay_status_text(status),
                            text);
    e->is_over = true;
}

int assay_supervise_place(const supervisor *s)
{
    return s->has_begun && s->place < s->n_asked ? s->place : -1;
}

void assay_supervise_fail(supervisor *s, assay_status status, const char *text)
{
    const int place = assay_supervise_place(s);
    char      safe[ASSAY_REASON_SIZE];

    s->has_failed = true;
    (void)assay_text_make_safe(assay_text_set(safe, sizeof safe, "%s", text));
    for (int i = 0; i < s->n_asked && !s->is_optional; i++)
        if (place < 0 || place == i)
            assay_supervise_give_up(s, s->asked[i], status, safe);
    if (s->n_asked == 0 || s->is_optional)
        assay_supervise_say(s, "assay: %s: %s\n", assay_status_text(status), safe);
}

/* ---- what the time is spent on ---- */

void assay_supervise_switch(supervisor *s, const char *what)
{
    const double now_s = assay_clock_s();

    if (s->since_s > 0)
        assay_profile_add(&s->stages, s->doing, now_s - s->since_s, 1);
    if (what)
        (void)assay_text_set(s->doing, sizeof s->doing, "%s", what);
    s->since_s = what ? now_s : 0;
}

void assay_supervise_show(const supervisor *s, const char *what)
{
    const bool         is_of = s->place >= 0 && s->place < s->n_asked;
    const assay_point *point = is_of ? s->asked[s->place]->point : NULL;
    char               stage[ASSAY_PROGRESS_STAGE];

    if (s->n_processes > 1)
        (void)assay_text_set(stage, sizeof stage, "%s, process %d of %d", what, s->process + 1,
                             s->n_processes);
    assay_progress_show(s->progress, s->seat, point, s->n_processes > 1 ? stage : what);
}

/* ---- through a worker ---- */

/* *is_lost: the worker died before it sent any message about this request. */
static assay_status converse(supervisor *s, assay_child *child, bool *is_lost)
{
    assay_status  st      = ASSAY_OK;
    double        limit_s = ASSAY_FIRST_NOTE_LIMIT_S;
    assay_message message;
    bool          finished = false, timed_out = false;

    *is_lost          = false;
    child->counts_cpu = true; /* until its first message it reads the request */
    while (!finished) {
        if (assay_child_receive(child, &message, sizeof message, limit_s, &timed_out)) {
            ASSAY_CHECK(assay_supervise_handle(s, child, &message, &limit_s, &finished));
            continue;
        }
        finished = true;
        *is_lost = !timed_out && !s->has_begun;
        if (timed_out)
            assay_supervise_take_stall(s, child);
        else if (!*is_lost)
            assay_supervise_take_death(s, child);
    }
out:
    return st;
}

/* A worker that did not get the whole request would wait for the rest, and this process for the
 * worker. */
static bool send_request(const assay_child *child, const assay_request *request,
                         const assay_request_point *points)
{
    const size_t size = (size_t)request->n_points * sizeof *points;

    if (assay_pipe_write(child->request_fd, request, sizeof *request) == ASSAY_OK &&
        (size == 0 || assay_pipe_write(child->request_fd, points, size) == ASSAY_OK))
        return true;
    assay_status_reset();
    return false;
}

/* If opening a device takes long, and nothing is measured that another process could disturb, the
 * next worker opens its device while this one works. */
static bool keeps_spare(const supervisor *s, assay_cupti_use use)
{
    const assay_supervise_options *o = s->options;

    return o->lane == ASSAY_LANE_CUDA && !o->times && !o->metrics && !o->trace &&
           use == ASSAY_CUPTI_NONE;
}

/* If the spare worker did not start, another one is started. */
static assay_status start_or_take(supervisor *s, assay_child *child,
                                  const assay_worker_options *options)
{
    const bool is_spare = options->cupti_use == ASSAY_CUPTI_NONE && s->spare.pid > 0;

    if (!is_spare)
        return assay_child_start(child, options);
    *child   = s->spare;
    s->spare = (assay_child) { .pid = 0 };
    if (assay_child_await(child) == ASSAY_OK)
        return ASSAY_OK;
    free(assay_child_take_log(child));
    assay_status_reset();
    return assay_child_start(child, options);
}

assay_status assay_supervise_start(supervisor *s, assay_child *child, assay_cupti_use use)
{
    const double               began_s  = assay_clock_s();
    const bool                 is_asked = s->since_s > 0; /* for a request */
    const assay_worker_options options  = { .module_path   = s->options->module_path,
                                            .device_index  = s->options->device_index,
                                            .cupti_use     = use,
                                            .shared_fd     = s->shared_fd,
                                            .times_nothing = s->store_lock || !s->options->times,
                                            .tool          = s->options->tool,
                                            .tool_path     = s->options->tool_path,
                                            .counts_cpu    = s->options->lane != ASSAY_LANE_CUDA };
    assay_status               st;

    free(assay_child_take_log(child)); /* the log of a worker that died before it began */
    if (is_asked)
        assay_supervise_show(s, "worker's start");
    else
        assay_progress_show(s->progress, s->seat, NULL, "worker's start");
    st = start_or_take(s, child, &options);
    if (st == ASSAY_OK && keeps_spare(s, use) && assay_child_begin(&s->spare, &options) != ASSAY_OK)
        assay_status_reset();
    s->starts_s += assay_clock_s() - began_s;
    s->since_s +=
        s->since_s > 0 ? assay_clock_s() - began_s : 0; /* the start counts as start only */
    assay_profile_add(&s->stages, "worker's start", assay_clock_s() - began_s, 1);
    s->worst_start_s = fmax(s->worst_start_s, assay_clock_s() - began_s);
    if (!is_asked)
        assay_progress_rest(s->progress, s->seat);
    return st;
}

/* A worker may die from earlier work, after its last answer. The request then goes to another
 * worker, once. */
static assay_status ask_worker(supervisor *s, assay_cupti_use use, int process,
                               const assay_request *request, const assay_request_point *points)
{
    assay_child *child   = &s->child[use][process];
    assay_status st      = ASSAY_OK;
    bool         is_lost = true;

    for (int attempt = 0; attempt < 2 && is_lost; attempt++) {
        if (child->pid == 0)
            ASSAY_CHECK(assay_supervise_start(s, child, use));
        s->request_s = assay_clock_s();
        if (send_request(child, request, points))
            ASSAY_CHECK(converse(s, child, &is_lost));
        if (is_lost) {
            assay_progress_clear(s->progress);
            assay_child_end(child, true);
        }
    }
    if (is_lost)
        assay_supervise_fail(s, ASSAY_E_INTERNAL, "two workers ended before they began");
out:
    return st;
}

/* ---- in this process ---- */

static assay_status ask_here(supervisor *s, assay_cupti_use use, const assay_request *request,
                             const assay_request_point *points)
{
    assay_status     st   = ASSAY_OK;
    const assay_sink sink = { .context     = s,
                              .note        = assay_supervise_take_note,
                              .row         = assay_supervise_take_row,
                              .measurement = assay_supervise_take_measurement };

    if (!s->runner.device)
        ASSAY_CHECK(
            assay_runner_open(&s->runner, s->options->module_path, s->options->device_index, use));
    st = assay_worker_answer(s->options->cases, &s->runner, &sink, request, points);
    if (st != ASSAY_OK && st != ASSAY_E_DATABASE) {
        char text[ASSAY_REASON_SIZE];

        (void)assay_text_set(text, sizeof text, "%s", assay_status_message());
        assay_status_reset();
        assay_supervise_fail(s, st, text);
        s->runner.is_spent = s->runner.is_spent || assay_supervise_is_worn_out(st);
        st                 = ASSAY_OK;
    }
    if (s->runner.is_spent)
        assay_runner_close(&s->runner);
out:
    return st;
}

/* ---- both ---- */

static int64_t calls_behind(assay_record *record, assay_regime regime, assay_clock clock)
{
    const assay_record_measurement *m = assay_record_find(record, regime, clock);

    return m ? m->row.launches_per_sample : 0;
}

static assay_calls calls_of(assay_record *record)
{
    return (assay_calls) { .hot   = calls_behind(record, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT),
                           .graph = calls_behind(record, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH) };
}

static void fill_points(entry *const *asked, int n, assay_request_point *points)
{
    for (int i = 0; i < n; i++) {
        (void)assay_point_key(&asked[i]->tuned, points[i].key, sizeof points[i].key);
        points[i].seed       = asked[i]->point->seed;
        points[i].is_timed   = asked[i]->point->is_timed;
        points[i].judged     = asked[i]->verdict.judged;
        points[i].calls      = calls_of(&asked[i]->record);
        asked[i]->has_answer = false;
        assay_record_clear(&asked[i]->staged);
    }
}

assay_status assay_supervise_ask(supervisor *s, assay_cupti_use use, int process,
                                 assay_request *request, entry **asked, int n, bool *is_done)
{
    assay_status         st     = ASSAY_OK;
    assay_request_point *points = calloc((size_t)n + 1, sizeof *points);

    *is_done = false;
    ASSAY_REQUIRE(points, ASSAY_E_MEMORY, "no memory for a request of %d points", n);
    fill_points(asked, n, points);
    request->n_points = n;
    request->process  = process;
    request->policy   = s->policy;
    s->asked          = asked;
    s->n_asked        = n;
    s->process        = process;
    s->place          = 0;
    s->n_processes    = request->task == ASSAY_TASK_TIME ? s->policy.n_processes : 0;
    s->has_begun = s->has_launched = s->has_failed = false;
    assay_supervise_switch(s, "start");
    assay_supervise_show(s, "start");
    if (s->options->in_process)
        ASSAY_CHECK(ask_here(s, use, request, points));
    else
        ASSAY_CHECK(ask_worker(s, use, process, request, points));
    *is_done = !s->has_failed;
out:
    assay_supervise_switch(s, NULL);
    assay_progress_rest(s->progress, s->seat);
    free(points);
    return st;
}

void assay_supervise_end_workers(supervisor *s)
{
    assay_progress_clear(s->progress);
    for (int use = 0; use < 4; use++)
        for (int p = 0; p < ASSAY_MAX_PROCESSES; p++)
            assay_child_end(&s->child[use][p], true);
}

void assay_supervise_end(supervisor *s)
{
    assay_supervise_end_workers(s);
    if (s->spare.pid > 0)
        assay_child_kill(&s->spare, false);
    free(assay_child_take_log(&s->spare));
}
