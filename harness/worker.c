/* The worker process. */
#include "worker.h"

#include "pipe.h"
#include "run.h"
#include "text.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static assay_status send(const assay_message *message)
{
    return assay_pipe_write(ASSAY_WORKER_REPLY_FD, message, sizeof *message);
}

static assay_status send_note(void *context, const char *what, double limit_s)
{
    assay_message message = { .kind = ASSAY_MESSAGE_NOTE };

    (void)context;
    (void)assay_text_set(message.note.what, sizeof message.note.what, "%s", what);
    message.note.limit_s = limit_s;
    return send(&message);
}

static assay_status send_check(void *context, const assay_check_row *row)
{
    (void)context;
    return send(&(assay_message) { .kind = ASSAY_MESSAGE_CHECK, .check = *row });
}

static assay_status send_measurement(void *context, const assay_measurement_row *row,
                                     const assay_samples *samples)
{
    assay_status st = ASSAY_OK;

    (void)context;
    ASSAY_CHECK(send(&(assay_message) { .kind = ASSAY_MESSAGE_MEASUREMENT, .measurement = *row }));
    ASSAY_CHECK(assay_pipe_write(ASSAY_WORKER_REPLY_FD, samples->time_ns,
                                 (size_t)row->n_samples * sizeof *samples->time_ns));
    ASSAY_CHECK(assay_pipe_write(ASSAY_WORKER_REPLY_FD, samples->block_end,
                                 (size_t)row->n_blocks * sizeof *samples->block_end));
out:
    return st;
}

static assay_status send_verdict(void *context, const assay_verdict_row *row)
{
    const assay_runner *runner = context;

    return send(&(assay_message) {
        .kind = ASSAY_MESSAGE_VERDICT, .is_spent = runner->is_spent, .verdict = *row });
}

static assay_status send_failure(assay_status status)
{
    assay_message message = { .kind = ASSAY_MESSAGE_FAILURE };

    message.failure.status = status;
    (void)assay_text_set(message.failure.text, sizeof message.failure.text, "%s (%s)",
                         assay_status_message(), assay_status_where());
    assay_status_reset();
    return send(&message);
}

static assay_status answer(assay_case_table cases, assay_runner *runner, const assay_sink *sink,
                           assay_request *request)
{
    assay_status st = ASSAY_OK;
    assay_point  point;

    request->key[sizeof request->key - 1] = '\0';
    ASSAY_CHECK(assay_point_parse(cases, request->key, &point));
    point.seed     = request->seed;
    point.is_timed = request->is_timed;
    ASSAY_CHECK(assay_run_point(runner, &point, sink));
out:
    return st == ASSAY_OK ? st : send_failure(st);
}

assay_status assay_worker_main(assay_case_table cases, const assay_worker_options *options)
{
    assay_status  st     = ASSAY_OK;
    assay_runner  runner = { .device = NULL };
    assay_sink    sink   = { .context     = &runner,
                             .note        = send_note,
                             .check       = send_check,
                             .measurement = send_measurement,
                             .verdict     = send_verdict };
    assay_request request;
    bool          ended = false, timed_out = false;

    /* A parent that is killed takes its worker along. */
    ASSAY_REQUIRE(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0, ASSAY_E_INTERNAL,
                  "cannot ask to end with the parent");
    st = assay_runner_open(&runner, options->module_path, options->device_index);
    if (st != ASSAY_OK) {
        st = send_failure(st);
        goto out;
    }
    runner.policy = options->policy;
    ASSAY_CHECK(send(&(assay_message) { .kind = ASSAY_MESSAGE_HELLO, .info = runner.info }));
    while (!runner.is_spent) {
        ASSAY_CHECK(
            assay_pipe_read(STDIN_FILENO, &request, sizeof request, -1, &ended, &timed_out));
        if (ended)
            break;
        ASSAY_CHECK(answer(cases, &runner, &sink, &request));
    }
out:
    assay_runner_close(&runner);
    return st;
}
