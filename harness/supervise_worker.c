/* Requests to workers: sending, listening, and what it means when one dies. */
#include "supervise_internal.h"

#include "clock.h"
#include "text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double FIRST_NOTE_LIMIT_S = 60; /* from a request to the worker's first word */

/* ---- what a worker says ---- */

static assay_status take_note(void *context, int place, const char *what, double limit_s)
{
    supervisor *s = context;

    (void)limit_s;
    s->place     = place;
    s->has_begun = true;
    s->has_launched |= strcmp(what, "inputs") != 0 && strcmp(what, "reference") != 0;
    (void)assay_text_set(s->doing, sizeof s->doing, "%s", what);
    return ASSAY_OK;
}

static assay_status take_ceiling(supervisor *s, const assay_ceiling_row *row)
{
    assay_ceiling_row *grown =
        realloc(s->ceilings, ((size_t)s->n_ceilings + 1) * sizeof *s->ceilings);
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(grown, ASSAY_E_MEMORY, "no memory for a ceiling");
    s->ceilings                  = grown;
    s->ceilings[s->n_ceilings++] = *row;
    ASSAY_CHECK(assay_store_put_ceiling(s->store, s->run_id, row));
out:
    return st;
}

static assay_status take_spin(supervisor *s, const assay_spin_row *row)
{
    assay_spin_row *grown = realloc(s->spins, ((size_t)s->n_spins + 1) * sizeof *s->spins);

    if (!grown)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a spin");
    s->spins               = grown;
    s->spins[s->n_spins++] = *row;
    return ASSAY_OK;
}

static assay_status take_row(void *context, int place, assay_row_kind kind, const void *row)
{
    supervisor  *s  = context;
    assay_status st = ASSAY_OK;

    if (kind == ASSAY_ROW_CEILING)
        return take_ceiling(s, row);
    if (kind == ASSAY_ROW_SPIN)
        return take_spin(s, row);
    ASSAY_REQUIRE(place >= 0 && place < s->n_asked, ASSAY_E_INTERNAL, "a row for point %d of %d",
                  place, s->n_asked);
    if (kind == ASSAY_ROW_VERDICT) {
        s->asked[place]->answer     = *(const assay_verdict_row *)row;
        s->asked[place]->has_answer = true;
        goto out;
    }
    ASSAY_CHECK(assay_record_put(&s->asked[place]->staged, kind, row));
out:
    return st;
}

static assay_status take_measurement(void *context, int place, const assay_measurement_row *row,
                                     const assay_samples *samples)
{
    supervisor  *s  = context;
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(place >= 0 && place < s->n_asked, ASSAY_E_INTERNAL,
                  "a measurement for point %d of %d", place, s->n_asked);
    ASSAY_CHECK(assay_record_measure(&s->asked[place]->staged, row, samples));
out:
    return st;
}

void assay_supervise_give_up(entry *e, assay_status status, const char *text)
{
    char key[ASSAY_KEY_SIZE];

    if (!e->is_over)
        (void)fprintf(stderr, "assay: %s could not be judged: %s: %s\n",
                      assay_point_key(e->point, key, sizeof key), assay_status_text(status), text);
    e->is_over = true;
}

static void fail_request(supervisor *s, assay_status status, const char *text)
{
    s->has_failed = true;
    for (int i = 0; i < s->n_asked && !s->is_optional; i++)
        assay_supervise_give_up(s->asked[i], status, text);
    if (s->n_asked == 0 || s->is_optional)
        (void)fprintf(stderr, "assay: %s: %s\n", assay_status_text(status), text);
}

/* ---- through a worker ---- */

/* Reads from the worker. False: it is dead, its message is torn, or it said nothing for so long
 * (*timed_out). */
static bool receive(const assay_child *child, void *bytes, size_t size, double limit_s,
                    bool *timed_out)
{
    bool       ended = false, late = false;
    const bool is_whole =
        assay_pipe_read(child->reply_fd, bytes, size, limit_s, &ended, &late) == ASSAY_OK;

    if (!is_whole)
        assay_status_reset(); /* what it means is found by whoever examines the worker */
    *timed_out = late;
    return is_whole && !ended && !late;
}

/* *broke_off: the worker died in the middle or, *timed_out, stalled. */
static assay_status receive_samples(supervisor *s, const assay_child *child, const assay_message *m,
                                    bool *broke_off, bool *timed_out)
{
    const assay_measurement_row *row     = &m->measurement;
    assay_samples                samples = { .n = row->n_samples, .n_blocks = row->n_blocks };
    const size_t                 size    = (size_t)row->n_samples * sizeof *samples.time_ns;
    const size_t                 blocks  = (size_t)row->n_blocks * sizeof *samples.blocks;
    assay_status                 st      = ASSAY_OK;

    samples.time_ns      = malloc(size + 1);
    samples.sm_clock_mhz = malloc(size + 1);
    samples.blocks       = malloc(blocks + 1);
    ASSAY_REQUIRE(samples.time_ns && samples.sm_clock_mhz && samples.blocks, ASSAY_E_MEMORY,
                  "no memory for samples");
    *broke_off = !receive(child, samples.time_ns, size, FIRST_NOTE_LIMIT_S, timed_out) ||
                 !receive(child, samples.sm_clock_mhz, size, FIRST_NOTE_LIMIT_S, timed_out) ||
                 !receive(child, samples.blocks, blocks, FIRST_NOTE_LIMIT_S, timed_out);
    if (!*broke_off)
        ASSAY_CHECK(take_measurement(s, m->place, row, &samples));
out:
    assay_samples_free(&samples);
    return st;
}

static bool is_expected(const supervisor *s, const entry *e, assay_verdict verdict)
{
    assay_point_row point;

    assay_point_row_fill(e->point, s->options->lane, &point);
    return (point.expect & (1u << verdict)) != 0;
}

/* The verdict on a kernel whose worker was lost; while nothing had been launched it is the harness
 * (or the reference, or the host) that failed. */
static void take_loss(supervisor *s, const assay_verdict_row *row)
{
    if (!s->has_launched || s->place < 0 || s->place >= s->n_asked) {
        fail_request(s, ASSAY_E_INTERNAL, row->reason);
        return;
    }
    s->asked[s->place]->answer     = *row;
    s->asked[s->place]->has_answer = true;
}

static void examine_stall(supervisor *s, assay_child *child, double limit_s)
{
    assay_verdict_row row = { .verdict    = ASSAY_TIMED_OUT,
                              .launches   = -1,
                              .peak_bytes = -1,
                              .wall_s     = assay_clock_s() - s->request_s };

    (void)assay_text_set(row.reason, sizeof row.reason, "no answer within %g s of '%s'", limit_s,
                         s->doing);
    assay_child_kill(child, false);
    take_loss(s, &row);
}

static void examine_death(supervisor *s, assay_child *child)
{
    assay_verdict_row row = { .launches   = -1,
                              .peak_bytes = -1,
                              .wall_s     = assay_clock_s() - s->request_s };
    char              cause[ASSAY_REASON_SIZE];
    static char       output[65536];
    bool              is_wanted = false;

    row.verdict = assay_child_autopsy(child, cause, sizeof cause, output, sizeof output);
    (void)assay_text_set(row.reason, sizeof row.reason, "during '%s': %s", s->doing, cause);
    if (s->has_launched && s->place < s->n_asked)
        is_wanted = is_expected(s, s->asked[s->place], row.verdict);
    if (!is_wanted)
        (void)fputs(output, stderr);
    take_loss(s, &row);
}

/* One message; *finished once the request is answered or cannot be. */
static assay_status handle(supervisor *s, assay_child *child, const assay_message *m,
                           double *limit_s, bool *finished)
{
    assay_status st        = ASSAY_OK;
    bool         broke_off = false, timed_out = false;

    *finished = m->kind == ASSAY_MESSAGE_DONE || m->kind == ASSAY_MESSAGE_FAILURE;
    if (m->kind == ASSAY_MESSAGE_NOTE) {
        *limit_s = m->note.limit_s;
        st       = take_note(s, m->place, m->note.what, m->note.limit_s);
    } else if (m->kind == ASSAY_MESSAGE_ROW) {
        st = take_row(s, m->place, m->row_kind, &m->row);
    } else if (m->kind == ASSAY_MESSAGE_MEASUREMENT) {
        st = receive_samples(s, child, m, &broke_off, &timed_out);
    } else if (m->kind == ASSAY_MESSAGE_DONE) {
        if (m->is_spent)
            assay_child_end(child, false);
    } else if (m->kind == ASSAY_MESSAGE_FAILURE) {
        fail_request(s, m->failure.status, m->failure.text);
    } else {
        st = ASSAY_FAIL(ASSAY_E_INTERNAL, "message of kind %d from a worker", (int)m->kind);
    }
    if (broke_off) {
        *finished = true;
        if (timed_out)
            examine_stall(s, child, FIRST_NOTE_LIMIT_S);
        else
            examine_death(s, child);
    }
    return st;
}

/* *is_lost: the worker died before it said a word of this request. */
static assay_status converse(supervisor *s, assay_child *child, bool *is_lost)
{
    assay_status  st      = ASSAY_OK;
    double        limit_s = FIRST_NOTE_LIMIT_S;
    assay_message message;
    bool          finished = false, timed_out = false;

    *is_lost = false;
    while (!finished) {
        if (receive(child, &message, sizeof message, limit_s, &timed_out)) {
            ASSAY_CHECK(handle(s, child, &message, &limit_s, &finished));
            continue;
        }
        finished = true;
        *is_lost = !timed_out && !s->has_begun;
        if (timed_out)
            examine_stall(s, child, limit_s);
        else if (!*is_lost)
            examine_death(s, child);
    }
out:
    return st;
}

static void send_request(const assay_child *child, const assay_request *request,
                         const assay_request_point *points)
{
    /* Whoever died meanwhile is found by its silence. */
    if (assay_pipe_write(child->request_fd, request, sizeof *request) != ASSAY_OK ||
        (request->n_points > 0 &&
         assay_pipe_write(child->request_fd, points, (size_t)request->n_points * sizeof *points) !=
             ASSAY_OK))
        assay_status_reset();
}

assay_status assay_supervise_start(supervisor *s, assay_child *child, assay_cupti_use use)
{
    const double       began_s = assay_clock_s();
    const assay_status st =
        assay_child_start(child, &(assay_worker_options) { .module_path  = s->options->module_path,
                                                           .device_index = s->options->device_index,
                                                           .cupti_use    = use });

    s->starts_s += assay_clock_s() - began_s;
    return st;
}

/* A worker may die of what happened before, after its last answer: the request then goes to another
 * one, once. */
static assay_status ask_worker(supervisor *s, assay_cupti_use use, int process,
                               const assay_request *request, const assay_request_point *points)
{
    assay_child *child   = &s->child[use][process];
    assay_status st      = ASSAY_OK;
    bool         is_lost = true;

    for (int attempt = 0; attempt < 2 && is_lost; attempt++) {
        if (child->pid == 0)
            ASSAY_CHECK(assay_supervise_start(s, child, use));
        (void)assay_text_set(s->doing, sizeof s->doing, "start");
        s->has_begun = s->has_launched = false;
        s->request_s                   = assay_clock_s();
        send_request(child, request, points);
        ASSAY_CHECK(converse(s, child, &is_lost));
        if (is_lost)
            assay_child_end(child, true);
    }
    if (is_lost)
        fail_request(s, ASSAY_E_INTERNAL, "two workers ended before they began");
out:
    return st;
}

/* ---- in this process ---- */

static assay_status ask_here(supervisor *s, assay_cupti_use use, const assay_request *request,
                             const assay_request_point *points)
{
    assay_status     st   = ASSAY_OK;
    const assay_sink sink = {
        .context = s, .note = take_note, .row = take_row, .measurement = take_measurement
    };

    if (!s->runner.device)
        ASSAY_CHECK(
            assay_runner_open(&s->runner, s->options->module_path, s->options->device_index, use));
    st = assay_worker_answer(s->options->cases, &s->runner, &sink, request, points);
    if (st != ASSAY_OK && st != ASSAY_E_DATABASE) {
        char text[ASSAY_REASON_SIZE];

        (void)assay_text_set(text, sizeof text, "%s", assay_status_message());
        assay_status_reset();
        fail_request(s, st, text);
        st = ASSAY_OK;
    }
    if (s->runner.is_spent)
        assay_runner_close(&s->runner);
out:
    return st;
}

/* ---- both ---- */

static int64_t calls_behind(assay_record *record, const char *regime, const char *clock)
{
    const assay_record_measurement *m = assay_record_find(record, regime, clock);

    return m ? m->row.launches_per_sample : 0;
}

static assay_calls calls_of(assay_record *record)
{
    return (assay_calls) { .hot   = calls_behind(record, "hot", "event"),
                           .graph = calls_behind(record, "graph", "graph") };
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
    s->place          = 0;
    s->has_failed     = false;
    if (s->options->in_process)
        ASSAY_CHECK(ask_here(s, use, request, points));
    else
        ASSAY_CHECK(ask_worker(s, use, process, request, points));
    *is_done = !s->has_failed;
out:
    free(points);
    return st;
}

void assay_supervise_end_workers(supervisor *s)
{
    for (int use = 0; use < 4; use++)
        for (int p = 0; p < ASSAY_MAX_PROCESSES; p++)
            assay_child_end(&s->child[use][p], true);
}
