/* Runs a plan: one worker after another, every row into the store, one transaction a point. */
#include "supervise.h"

#include "child.h"
#include "clock.h"
#include "record.h"
#include "run.h"
#include "text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double FIRST_NOTE_LIMIT_S = 60; /* from a request to the worker's first word */

typedef struct supervisor {
    assay_store                   *store;
    const assay_supervise_options *options;
    int64_t                        n, done, n_cut; /* cut: by the budget */
    double                         start_s;
    assay_child                    child;
    assay_runner                   runner; /* in_process only */
    /* the point under way */
    const assay_point *point;
    int64_t            point_id;
    assay_record       record;
    char               doing[ASSAY_NAME_SIZE];
    bool               has_begun;    /* the worker has said a word of it */
    bool               has_launched; /* before that, nothing is the kernel's fault */
    double             point_start_s;
    assay_lane         lane;
} supervisor;

/* ---- progress ---- */

static void show_progress(const supervisor *s)
{
    const double elapsed_s = assay_clock_s() - s->start_s;
    const double left_s = s->done > 0 ? elapsed_s / (double)s->done * (double)(s->n - s->done) : 0;

    if (s->options->is_quiet || !isatty(STDERR_FILENO))
        return;
    (void)fprintf(stderr, "\r\033[K%lld/%lld points, %.0f s, about %.0f s left%s",
                  (long long)s->done, (long long)s->n, elapsed_s, left_s,
                  s->done == s->n ? "\n" : "");
}

/* ---- recording ---- */

static bool is_expected(const supervisor *s, assay_verdict verdict)
{
    assay_point_row point;

    assay_point_row_fill(s->point, s->lane, &point);
    return (point.expect & (1u << verdict)) != 0;
}

static assay_status record_note(void *context, const char *what, double limit_s)
{
    supervisor *s = context;

    (void)limit_s;
    s->has_begun = true;
    s->has_launched |= strcmp(what, "launch") == 0 || strcmp(what, "probe") == 0;
    (void)assay_text_set(s->doing, sizeof s->doing, "%s", what);
    return ASSAY_OK;
}

static assay_status record_check(void *context, const assay_check_row *row)
{
    supervisor *s = context;

    return assay_record_check(&s->record, row);
}

static assay_status record_measurement(void *context, const assay_measurement_row *row,
                                       const assay_samples *samples)
{
    supervisor *s = context;

    return assay_record_measure(&s->record, row, samples);
}

static assay_status record_verdict(void *context, const assay_verdict_row *row)
{
    supervisor *s = context;

    return assay_record_store(&s->record, s->store, s->point_id, row);
}

/* The harness failed at this point: it stays planned, the person is told. */
static void record_failure(supervisor *s, assay_status status, const char *text)
{
    char key[ASSAY_KEY_SIZE];

    (void)fprintf(stderr, "assay: %s could not be judged: %s: %s\n",
                  assay_point_key(s->point, key, sizeof key), assay_status_text(status), text);
    assay_record_clear(&s->record);
}

/* ---- through a worker ---- */

/* Reads from the worker. False: it is dead, its message is torn, or it said nothing for so long
 * (*timed_out). */
static bool receive(supervisor *s, void *bytes, size_t size, double limit_s, bool *timed_out)
{
    bool       ended = false, late = false;
    const bool is_whole =
        assay_pipe_read(s->child.reply_fd, bytes, size, limit_s, &ended, &late) == ASSAY_OK;

    if (!is_whole)
        assay_status_reset(); /* what it means is found by whoever examines the worker */
    *timed_out = late;
    return is_whole && !ended && !late;
}

/* *broke_off: the worker died in the middle or, *timed_out, stalled. */
static assay_status receive_samples(supervisor *s, const assay_measurement_row *row,
                                    bool *broke_off, bool *timed_out)
{
    assay_status  st      = ASSAY_OK;
    assay_samples samples = { .n = row->n_samples, .n_blocks = row->n_blocks };
    const size_t  size    = (size_t)row->n_samples * sizeof *samples.time_ns;
    const size_t  ends    = (size_t)row->n_blocks * sizeof *samples.block_end;

    samples.time_ns   = malloc(size ? size : 1);
    samples.block_end = malloc(ends ? ends : 1);
    ASSAY_REQUIRE(samples.time_ns && samples.block_end, ASSAY_E_MEMORY, "no memory for samples");
    *broke_off = !receive(s, samples.time_ns, size, FIRST_NOTE_LIMIT_S, timed_out) ||
                 !receive(s, samples.block_end, ends, FIRST_NOTE_LIMIT_S, timed_out);
    if (!*broke_off)
        ASSAY_CHECK(record_measurement(s, row, &samples));
out:
    assay_samples_free(&samples);
    return st;
}

/* The verdict on a kernel whose worker was lost; while nothing had been launched it is the harness
 * (or the reference, or the host) that failed. */
static assay_status record_loss(supervisor *s, const assay_verdict_row *row)
{
    if (s->has_launched)
        return record_verdict(s, row);
    record_failure(s, ASSAY_E_INTERNAL, row->reason);
    return ASSAY_OK;
}

static assay_status record_timeout(supervisor *s, double limit_s)
{
    assay_verdict_row row = { .verdict  = ASSAY_TIMED_OUT,
                              .launches = -1,
                              .wall_s   = assay_clock_s() - s->point_start_s };

    (void)assay_text_set(row.reason, sizeof row.reason, "no answer within %g s of '%s'", limit_s,
                         s->doing);
    assay_child_kill(&s->child, false);
    return record_loss(s, &row);
}

static assay_status record_death(supervisor *s)
{
    assay_verdict_row row = { .launches = -1, .wall_s = assay_clock_s() - s->point_start_s };
    char              cause[ASSAY_REASON_SIZE];
    static char       output[65536];

    row.verdict = assay_child_autopsy(&s->child, cause, sizeof cause, output, sizeof output);
    (void)assay_text_set(row.reason, sizeof row.reason, "during '%s': %s", s->doing, cause);
    if (!s->has_launched || !is_expected(s, row.verdict))
        (void)fputs(output, stderr);
    return record_loss(s, &row);
}

/* One message; *finished once the point has its verdict or cannot get one. */
static assay_status handle(supervisor *s, const assay_message *m, double *limit_s, bool *finished)
{
    assay_status st        = ASSAY_OK;
    bool         broke_off = false, timed_out = false;

    *finished = m->kind == ASSAY_MESSAGE_VERDICT || m->kind == ASSAY_MESSAGE_FAILURE;
    if (m->kind == ASSAY_MESSAGE_NOTE) {
        *limit_s = m->note.limit_s;
        st       = record_note(s, m->note.what, m->note.limit_s);
    } else if (m->kind == ASSAY_MESSAGE_CHECK) {
        st = record_check(s, &m->check);
    } else if (m->kind == ASSAY_MESSAGE_MEASUREMENT) {
        st = receive_samples(s, &m->measurement, &broke_off, &timed_out);
    } else if (m->kind == ASSAY_MESSAGE_VERDICT) {
        st = record_verdict(s, &m->verdict);
        if (m->is_spent)
            assay_child_end(&s->child, false);
    } else if (m->kind == ASSAY_MESSAGE_FAILURE) {
        record_failure(s, m->failure.status, m->failure.text);
    } else {
        st = ASSAY_FAIL(ASSAY_E_INTERNAL, "message of kind %d from a worker", (int)m->kind);
    }
    if (broke_off) {
        *finished = true;
        st        = timed_out ? record_timeout(s, FIRST_NOTE_LIMIT_S) : record_death(s);
    }
    return st;
}

/* *is_lost: the worker died before it said a word of this point. */
static assay_status converse(supervisor *s, bool *is_lost)
{
    assay_status  st      = ASSAY_OK;
    double        limit_s = FIRST_NOTE_LIMIT_S;
    assay_message message;
    bool          finished = false, timed_out = false;

    *is_lost = false;
    while (!finished) {
        if (receive(s, &message, sizeof message, limit_s, &timed_out)) {
            ASSAY_CHECK(handle(s, &message, &limit_s, &finished));
            continue;
        }
        finished = true;
        *is_lost = !timed_out && !s->has_begun;
        if (timed_out)
            ASSAY_CHECK(record_timeout(s, limit_s));
        else if (!*is_lost)
            ASSAY_CHECK(record_death(s));
    }
out:
    return st;
}

/* A worker may die of what happened before, after its last answer: the next point then gets another
 * one, once. */
static assay_status run_in_worker(supervisor *s)
{
    assay_status  st      = ASSAY_OK;
    assay_request request = { .seed = s->point->seed, .is_timed = s->point->is_timed };
    bool          is_lost = true;

    (void)assay_point_key(s->point, request.key, sizeof request.key);
    for (int attempt = 0; attempt < 2 && is_lost; attempt++) {
        if (s->child.pid == 0)
            ASSAY_CHECK(assay_child_start(&s->child, &s->options->worker));
        (void)assay_text_set(s->doing, sizeof s->doing, "start");
        s->has_begun = s->has_launched = false;
        s->point_start_s               = assay_clock_s();
        if (assay_pipe_write(s->child.request_fd, &request, sizeof request) != ASSAY_OK)
            assay_status_reset();
        ASSAY_CHECK(converse(s, &is_lost));
        if (is_lost)
            assay_child_end(&s->child, true);
    }
    if (is_lost)
        record_failure(s, ASSAY_E_INTERNAL, "two workers ended before they began");
out:
    return st;
}

/* ---- in this process ---- */

static assay_status run_in_process(supervisor *s)
{
    assay_status     st   = ASSAY_OK;
    const assay_sink sink = { .context     = s,
                              .note        = record_note,
                              .check       = record_check,
                              .measurement = record_measurement,
                              .verdict     = record_verdict };

    if (!s->runner.device) {
        ASSAY_CHECK(assay_runner_open(&s->runner, s->options->worker.module_path,
                                      s->options->worker.device_index));
        s->runner.policy = s->options->worker.policy;
    }
    st = assay_run_point(&s->runner, s->point, &sink);
    if (st != ASSAY_OK && st != ASSAY_E_DATABASE) {
        record_failure(s, st, assay_status_message());
        assay_status_reset();
        st = ASSAY_OK;
    }
    if (s->runner.is_spent)
        assay_runner_close(&s->runner);
out:
    return st;
}

/* ---- the plan ---- */

static bool is_over_budget(const supervisor *s)
{
    return s->options->budget_s > 0 && assay_clock_s() - s->start_s > s->options->budget_s;
}

static assay_status skip_point(supervisor *s)
{
    assay_verdict_row row = { .verdict = ASSAY_SKIPPED, .launches = -1 };

    s->n_cut++;
    (void)assay_text_set(row.reason, sizeof row.reason, "the budget of %g s was spent",
                         s->options->budget_s);
    return record_verdict(s, &row);
}

static assay_status run_one(supervisor *s)
{
    assay_status st = ASSAY_OK;

    if (is_over_budget(s))
        ASSAY_CHECK(skip_point(s));
    else if (s->options->in_process)
        ASSAY_CHECK(run_in_process(s));
    else
        ASSAY_CHECK(run_in_worker(s));
out:
    return st;
}

assay_status assay_supervise(assay_store *store, const assay_point *points,
                             const int64_t *point_ids, int64_t n,
                             const assay_supervise_options *options)
{
    assay_status st = ASSAY_OK;
    supervisor   s  = { .store   = store,
                        .options = options,
                        .n       = n,
                        .start_s = assay_clock_s(),
                        .lane    = options->lane };

    /* A worker that died is found by its silence, not by a signal to this process. */
    ASSAY_REQUIRE(signal(SIGPIPE, SIG_IGN) != SIG_ERR, ASSAY_E_INTERNAL, "cannot ignore SIGPIPE");
    for (s.done = 0; s.done < n; s.done++) {
        show_progress(&s);
        s.point    = &points[s.done];
        s.point_id = point_ids[s.done];
        /* A worker keeps one case's inputs; a new case starts a new process. */
        if (s.done > 0 && points[s.done - 1].definition != s.point->definition)
            assay_child_end(&s.child, true);
        ASSAY_CHECK(run_one(&s));
    }
    show_progress(&s);
    if (s.n_cut > 0)
        (void)fprintf(stderr,
                      "assay: the budget of %g s was spent: %lld of %lld points were skipped\n",
                      options->budget_s, (long long)s.n_cut, (long long)n);
out:
    assay_child_end(&s.child, true);
    assay_runner_close(&s.runner);
    assay_record_clear(&s.record);
    return st;
}
