/* The worker process. */
#include "worker.h"

#include "base/nvtx.h"
#include "base/text.h"
#include "pipe.h"
#include "run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The connection of this process to its parent. */
static struct {
    int      request_fd, reply_fd;
    uint64_t nonce;
} line = { .request_fd = -1, .reply_fd = -1 };

int assay_worker_reply_fd(void) { return line.reply_fd; }

assay_status assay_worker_send(const assay_message *message)
{
    assay_message own = *message;

    own.nonce = line.nonce;
    return assay_pipe_write(line.reply_fd, &own, sizeof own);
}

/* In a fork that a kernel's host code makes: closes the connection, so that the parent does not
 * wait for the fork to end. */
static void hang_up(void)
{
    (void)close(line.request_fd);
    (void)close(line.reply_fd);
    line.request_fd = line.reply_fd = -1;
}

static assay_status pick_up(const assay_worker_options *options)
{
    assay_status st        = ASSAY_OK;
    bool         has_ended = false, is_late = false;

    line.request_fd = options->request_fd;
    line.reply_fd   = options->reply_fd;
    ASSAY_REQUIRE(
        line.request_fd > STDERR_FILENO && line.reply_fd > STDERR_FILENO &&
            fcntl(line.request_fd, F_SETFD, FD_CLOEXEC) == 0 &&
            fcntl(line.reply_fd, F_SETFD, FD_CLOEXEC) == 0 &&
            (options->shared_fd == 0 || fcntl(options->shared_fd, F_SETFD, FD_CLOEXEC) == 0),
        ASSAY_E_USAGE, "a worker is started by assay itself");
    ASSAY_REQUIRE(pthread_atfork(NULL, NULL, hang_up) == 0, ASSAY_E_MEMORY,
                  "cannot watch over this process's forks");
    ASSAY_CHECK(assay_pipe_read(line.request_fd, &line.nonce, sizeof line.nonce, NULL, &has_ended,
                                &is_late));
    ASSAY_REQUIRE(!has_ended, ASSAY_E_IO, "the parent broke off");
out:
    return st;
}

static assay_status send_note(void *context, int place, const char *what, double limit_s)
{
    assay_message message = { .kind = ASSAY_MESSAGE_NOTE, .place = place };

    (void)context;
    (void)assay_text_set(message.note.what, sizeof message.note.what, "%s", what);
    message.note.limit_s = limit_s;
    return assay_worker_send(&message);
}

/* Rows of a kind have the length of its type. */
static size_t row_size(assay_row_kind kind)
{
    static const size_t sizes[] = {
#define X(name, member, type) sizeof(type),
        ASSAY_ROW_MAP(X)
#undef X
    };

    return sizes[kind];
}

static assay_status send_row(void *context, int place, assay_row_kind kind, const void *row)
{
    assay_message message = { .kind = ASSAY_MESSAGE_ROW, .place = place, .row_kind = kind };

    (void)context;
    memcpy(&message.row, row, row_size(kind));
    return assay_worker_send(&message);
}

static assay_status send_measurement(void *context, int place, const assay_measurement_row *row,
                                     const assay_samples *samples)
{
    assay_status st = ASSAY_OK;

    (void)context;
    ASSAY_CHECK(assay_worker_send(&(assay_message) {
        .kind = ASSAY_MESSAGE_MEASUREMENT, .place = place, .measurement = *row }));
    ASSAY_CHECK(assay_pipe_write(line.reply_fd, samples->time_ns,
                                 (size_t)row->n_samples * sizeof *samples->time_ns));
    ASSAY_CHECK(assay_pipe_write(line.reply_fd, samples->sm_clock_mhz,
                                 (size_t)row->n_samples * sizeof *samples->sm_clock_mhz));
    ASSAY_CHECK(assay_pipe_write(line.reply_fd, samples->blocks,
                                 (size_t)row->n_blocks * sizeof *samples->blocks));
out:
    return st;
}

static assay_status send_failure(assay_status status)
{
    assay_message message = { .kind = ASSAY_MESSAGE_FAILURE };

    message.failure.status = status;
    (void)assay_text_set(message.failure.text, sizeof message.failure.text, "%s (%s)",
                         assay_status_message(), assay_status_where());
    assay_status_reset();
    return assay_worker_send(&message);
}

/* ---- one request ---- */

static const char *const task_names[] = {
    [ASSAY_TASK_CHECK] = "check",       [ASSAY_TASK_TUNE] = "tune",   [ASSAY_TASK_TIME] = "time",
    [ASSAY_TASK_CEILINGS] = "ceilings", [ASSAY_TASK_COUNT] = "count", [ASSAY_TASK_TRACE] = "trace",
    [ASSAY_TASK_SPIN] = "spin",
};

static assay_status parse_points(assay_case_table cases, const assay_request *request,
                                 const assay_request_point *points, assay_timed_point *parsed)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < request->n_points; i++) {
        ASSAY_CHECK(assay_point_parse(cases, points[i].key, &parsed[i].point));
        parsed[i].point.seed     = points[i].seed;
        parsed[i].point.is_timed = points[i].is_timed;
        parsed[i].judged         = points[i].judged;
        parsed[i].calls          = points[i].calls;
    }
out:
    return st;
}

static const assay_variant *variant_of(const assay_timed_point *timed)
{
    return &timed->point.definition->variants[timed->point.variant];
}

assay_status assay_worker_answer(assay_case_table cases, assay_runner *runner,
                                 const assay_sink *sink, const assay_request *request,
                                 const assay_request_point *points)
{
    const int          n      = request->n_points;
    assay_timed_point *parsed = calloc(n > 0 ? (size_t)n : 1, sizeof *parsed);
    assay_status       st     = ASSAY_OK;

    ASSAY_REQUIRE(parsed, ASSAY_E_MEMORY, "no memory for %d points", n);
    ASSAY_REQUIRE(n > 0 || request->task == ASSAY_TASK_CEILINGS || request->task == ASSAY_TASK_SPIN,
                  ASSAY_E_INTERNAL, "a request without a point");
    ASSAY_CHECK(parse_points(cases, request, points, parsed));
    assay_nvtx_push(task_names[request->task], n > 0 ? points[0].key : "");
    if (request->task == ASSAY_TASK_CHECK)
        st = assay_run_point(runner, &parsed[0].point, sink);
    else if (request->task == ASSAY_TASK_TUNE)
        st = assay_run_tune(runner, &parsed[0].point, &request->policy, &request->search, sink);
    else if (request->task == ASSAY_TASK_TIME && assay_variant_is_peer(variant_of(&parsed[0])))
        st = assay_run_time_peers(runner, parsed, n, &request->policy, request->process, sink);
    else if (request->task == ASSAY_TASK_TIME)
        st = assay_run_time(runner, parsed, n, &request->policy, request->process, sink);
    else if (request->task == ASSAY_TASK_CEILINGS)
        st = assay_run_ceilings(runner, &request->policy, request->wall_s, sink);
    else if (request->task == ASSAY_TASK_SPIN)
        st = assay_run_spins(runner, &request->policy, sink);
    else if (request->task == ASSAY_TASK_COUNT)
        st = assay_run_count_metrics(runner, &parsed[0], request->words, request->kernel_replay,
                                     sink);
    else if (assay_variant_is_peer(variant_of(&parsed[0])))
        st = assay_run_trace_peer(runner, &parsed[0], request->words, sink);
    else
        st = assay_run_trace(runner, &parsed[0], request->words, sink);
    assay_nvtx_pop();
out:
    free(parsed);
    return st;
}

/* ---- the process ---- */

static assay_status serve(assay_case_table cases, assay_runner *runner, assay_request *request)
{
    const assay_sink sink = { .note = send_note, .row = send_row, .measurement = send_measurement };
    assay_request_point *points = NULL;
    bool                 ended = false, timed_out = false;
    assay_status         st = ASSAY_OK;

    ASSAY_REQUIRE(request->n_points >= 0 && request->n_points <= ASSAY_MAX_GROUP, ASSAY_E_INTERNAL,
                  "a request of %d points", request->n_points);
    points = calloc((size_t)request->n_points + 1, sizeof *points);
    ASSAY_REQUIRE(points, ASSAY_E_MEMORY, "no memory for %d points", request->n_points);
    if (request->n_points > 0)
        ASSAY_CHECK(assay_pipe_read(line.request_fd, points,
                                    (size_t)request->n_points * sizeof *points, NULL, &ended,
                                    &timed_out));
    ASSAY_REQUIRE(!ended, ASSAY_E_IO, "the parent broke off");
    for (int i = 0; i < request->n_points; i++)
        points[i].key[sizeof points[i].key - 1] = '\0';
    request->words[sizeof request->words - 1] = '\0';
    st = assay_worker_answer(cases, runner, &sink, request, points);
    if (st != ASSAY_OK) {
        st = send_failure(st);
        goto out;
    }
    st = assay_worker_send(
        &(assay_message) { .kind = ASSAY_MESSAGE_DONE, .is_spent = runner->is_spent });
out:
    free(points);
    return st;
}

/* The process to wait for, passed to a thread. */
typedef struct parent {
    int pid, pidfd; /* pidfd: -1 if the kernel or its sandbox does not support that */
} parent;

static bool is_there(const parent *p)
{
    struct pollfd about = { .fd = p->pidfd, .events = POLLIN };

    if (p->pidfd >= 0)
        return poll(&about, 1, -1) <= 0 || !(about.revents & POLLIN);
    (void)usleep(100000);
    return kill(p->pid, 0) == 0 || errno != ESRCH;
}

static void *end_with_parent(void *context)
{
    const parent *p = context;

    while (is_there(p))
        continue;
    (void)kill(0, SIGKILL);
    return NULL;
}

/* The tool's processes are between this one and its parent, and outlive the parent. Without this, a
 * kernel would run on beside the next measurement. The group of this process is the tool's. */
static assay_status watch_parent(int pid)
{
    static parent who; /* lives as long as the thread */
    assay_status  st = ASSAY_OK;
    pthread_t     thread;

    who = (parent) { .pid = pid, .pidfd = -1 };
#ifdef SYS_pidfd_open
    who.pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
#endif
    ASSAY_REQUIRE(pthread_create(&thread, NULL, end_with_parent, &who) == 0 &&
                      pthread_detach(thread) == 0,
                  ASSAY_E_MEMORY, "no memory for a thread that ends with process %d", pid);
out:
    return st;
}

assay_status assay_worker_main(assay_case_table cases, const assay_worker_options *options)
{
    assay_status  st     = ASSAY_OK;
    assay_runner  runner = { .device = NULL };
    assay_request request;
    bool          ended = false, timed_out = false;

    /* If the parent is killed, its worker ends too. */
    ASSAY_REQUIRE(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0, ASSAY_E_INTERNAL,
                  "cannot ask to end with the parent");
    if (options->tool != ASSAY_GPU_TOOL_NONE)
        ASSAY_CHECK(watch_parent(options->parent_pid));
    ASSAY_CHECK(pick_up(options));
    st =
        assay_runner_open(&runner, options->module_path, options->device_index, options->cupti_use);
    if (st != ASSAY_OK) {
        st = send_failure(st);
        goto out;
    }
    runner.shared_fd = options->shared_fd;
    runner.tool      = options->tool;
    ASSAY_CHECK(
        assay_worker_send(&(assay_message) { .kind = ASSAY_MESSAGE_HELLO, .info = runner.info }));
    while (!runner.is_spent) {
        ASSAY_CHECK(
            assay_pipe_read(line.request_fd, &request, sizeof request, NULL, &ended, &timed_out));
        if (ended)
            break;
        ASSAY_CHECK(serve(cases, &runner, &request));
    }
out:
    assay_runner_close(&runner);
    return st;
}
