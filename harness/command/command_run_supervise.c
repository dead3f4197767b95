/* Runs a stored plan, new or resumed: supervises it, sets the exit status, and prints what a person
 * sees. */
#include "command_run.h"
#include "known_times.h"

#include "base/lock.h"
#include "base/parallel.h"
#include "base/text.h"
#include "machine/environment.h"
#include "process/guard.h"
#include "process/interrupted.h"
#include "report/report.h"
#include "sanitize/sanitize.h"
#include "supervise/supervise.h"
#include "supervise/tally.h"
#include "supervise/unseen.h"
#include "time/timer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The wait for a locked file: results of hours are not lost because somebody looks at the file with
 * another program. */
static const double PATIENCE_S = 3600;

static assay_status take_lock(run_job *job)
{
    bool is_timing = false;

    for (int64_t i = 0; i < job->plan.n; i++)
        is_timing |= job->plan.points[i].is_timed;
    job->lock_fd = -1;
    if (!is_timing || !job->target.info.can_time)
        return ASSAY_OK;
    return assay_lock_take(job->target.info.uuid, &job->lock_fd);
}

static void say_if_nothing_was_checked(const assay_tally *tally)
{
    if (tally->n_reference > 0 &&
        tally->n_passed + tally->n_caught + tally->n_failed + tally->n_skipped + tally->n_ready ==
            0)
        (void)fprintf(stderr, "assay: only the reference itself ran: nothing was checked\n");
}

/* Prints what a person sees at the end. A trace has one point; its file tells the rest. */
static assay_status print_end(const run_job *job)
{
    const assay_run_outputs *outputs = &job->request->outputs;

    if (outputs->gbench.n > 0) {
        const assay_status st = assay_bench_report(job->store, outputs->database, job->run_id,
                                                   job->request->cases, &outputs->gbench);

        return st == ASSAY_OK ? assay_report_write(outputs->database, job->run_id, "failed", stderr)
                              : st;
    }
    if (job->is_traced && job->exit_status == ASSAY_EXIT_PASS && !outputs->is_quiet)
        (void)fprintf(stderr, "assay: wrote %s: open it in ui.perfetto.dev or chrome://tracing\n",
                      outputs->trace);
    if (outputs->is_quiet || outputs->is_part)
        return ASSAY_OK;
    return assay_report_write(outputs->database, job->run_id,
                              outputs->is_brief                                     ? "brief"
                              : job->is_traced                                      ? "sections"
                              : outputs->has_details || job->request->stages.counts ? "details"
                                                                                    : "text",
                              stdout);
}

enum {
    CONTEXT_BYTES = 1 << 29 /* host memory that a process with a GPU may use for its context */
};

static int64_t host_memory_bytes(void)
{
    const int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    return pages > 0 && size > 0 ? pages * size : 0;
}

/* Each process takes its share of the memory. More than a few processes gain nothing on a GPU: they
 * use it in turns, and a context takes longer to open the more there are (docs/performance.md). */
static int count_jobs(const assay_run_request *request, const assay_target *target)
{
    enum {
        ON_A_GPU     = 6,
        UNDER_A_TOOL = 2 /* one starts while the other is watched */
    };
    const bool is_cuda = strcmp(target->info.kind, "cuda") == 0;
    int64_t    room    = target->info.memory_free_bytes / ASSAY_BESIDE_BYTES;
    int        n_jobs  = assay_parallel_processors();

    if (request->n_jobs > 0)
        return request->n_jobs;
    if (request->tool != ASSAY_GPU_TOOL_NONE && n_jobs > UNDER_A_TOOL)
        n_jobs = UNDER_A_TOOL;
    if (is_cuda && n_jobs > ON_A_GPU)
        n_jobs = ON_A_GPU;
    if (is_cuda && room > host_memory_bytes() / (ASSAY_BESIDE_HOST_BYTES + CONTEXT_BYTES))
        room = host_memory_bytes() / (ASSAY_BESIDE_HOST_BYTES + CONTEXT_BYTES);
    if (room < n_jobs)
        n_jobs = (int)room;
    return n_jobs < 1 ? 1 : n_jobs;
}

assay_supervise_options assay_run_supervise_options(const assay_run_request *request,
                                                    const assay_target *target, bool *is_traced)
{
    const assay_stages   *stages   = &request->stages;
    const assay_counting *counting = &request->counting;
    const char           *metrics  = counting->metrics ? counting->metrics : "core";

    return (assay_supervise_options) {
        .module_path    = target->module_path,
        .device_index   = target->device_index,
        .can_time       = target->info.can_time,
        .is_cuda        = strcmp(target->info.kind, "cuda") == 0,
        .lane           = target->lane,
        .tool           = request->tool,
        .cases          = request->cases,
        .policy         = assay_timing_policy(&request->timing),
        .in_process     = request->in_process,
        .n_jobs         = count_jobs(request, target),
        .profiles_self  = request->profiles_self,
        .times          = stages->times,
        .tunes          = stages->tunes,
        .against_itself = request->timing.against_itself,
        .metrics        = stages->counts ? metrics : NULL,
        .kernel_replay  = counting->replay && strcmp(counting->replay, "kernel") == 0,
        .trace          = stages->traces ? request->outputs.trace : NULL,
        .is_traced      = is_traced,
        .budget_s       = request->budget_s,
        .is_quiet       = request->outputs.is_quiet || request->outputs.is_brief,
    };
}

/* Known times estimate the time that is left. They also tell where a budget goes first: to points
 * that were never timed or have changed since, then to the least certain ones. */
static assay_status read_known_times(const run_job *job, assay_known_times *times)
{
    assay_status       st   = ASSAY_OK;
    assay_module_code *code = NULL;

    if (job->request->budget_s > 0)
        ASSAY_CHECK(assay_module_code_read(job->target.module_path, &code));
    ASSAY_CHECK(assay_known_times_read(job->store, job->run_id, job->plan.points, job->plan.n, code,
                                       times));
    if (times->n_changed > 0)
        (void)fprintf(stderr,
                      "assay: points with other machine code than when they were timed last, which "
                      "go before the others of their case: %" PRId64 "\n",
                      times->n_changed);
    assay_known_times_spread(job->plan.points, job->plan.n, times);
out:
    assay_module_code_free(code);
    return st;
}

/* The host executor reads this variable (device/host/orders.cc), in workers and in this process. */
static assay_status tell_memory_model(const assay_run_request *request)
{
    static const char name[] = "ASSAY_STRICT_MEMORY_MODEL";
    const int         rc     = request->is_strict ? setenv(name, "1", 1) : unsetenv(name);

    return rc == 0 ? ASSAY_OK : ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for the environment");
}

static void add_option(char *line, size_t size, const char *option, const char *value)
{
    const size_t used = strlen(line);

    if (!value)
        return;
    (void)assay_text_set(line + used, size - used, " %s", option);
    assay_environment_quote(value, line, size);
}

/* Prepares the message for an interrupt. Parts of a gate, runs with a one-line report, and traces
 * have none: they are started again from the beginning. */
static assay_status tell_if_interrupted(const run_job *job)
{
    const assay_run_outputs *outputs = &job->request->outputs;
    char                     command[800], text[1000];

    if (outputs->is_part || outputs->is_brief || job->request->stages.traces)
        return ASSAY_OK;
    (void)assay_text_set(command, sizeof command, "assay resume --run %" PRId64, job->run_id);
    add_option(command, sizeof command, "--db", outputs->database);
    add_option(command, sizeof command, "--kernels", job->request->target.kernels);
    return assay_interrupted_begin(assay_text_set(
        text, sizeof text,
        "\nassay: interrupted. Finished points are stored; this command completes the run:\n%s\n",
        command));
}

assay_status assay_job_supervise(run_job *job)
{
    assay_status            st = ASSAY_OK;
    assay_tally             tally;
    assay_known_times       times = { .n_known = 0 };
    assay_supervise_options options =
        assay_run_supervise_options(job->request, &job->target, &job->is_traced);
    char    tool_path[1024], why[1024];
    int64_t n_not_needed = 0;

    ASSAY_REQUIRE(!options.tool ||
                      assay_sanitize_find(tool_path, sizeof tool_path, why, sizeof why),
                  ASSAY_E_UNSUPPORTED, "%s", why);
    options.tool_path = tool_path;
    /* This also checks a resumed run, whose stored policy anybody may have written. */
    ASSAY_CHECK(assay_policy_check(&options.policy));
    ASSAY_CHECK(tell_memory_model(job->request));
    ASSAY_CHECK(take_lock(job));
    assay_store_set_patience(job->store, PATIENCE_S);
    if (options.times && (options.budget_s > 0 || !options.is_quiet))
        ASSAY_CHECK(read_known_times(job, &times));
    options.wall_s = times.n_known > 0 ? times.wall_s : NULL;
    if (options.budget_s > 0 && times.n_known > 0) {
        options.doubt  = times.doubt;
        options.took_s = times.fixed_s;
    }
    ASSAY_CHECK(assay_guard_begin(ASSAY_EXIT_USAGE));
    ASSAY_CHECK(tell_if_interrupted(job));
    ASSAY_CHECK(assay_supervise(job->store, job->run_id, job->plan.points, job->point_ids,
                                job->plan.n, &options));
    ASSAY_CHECK(assay_tally_read(job->store, job->run_id, &tally));
    ASSAY_CHECK(assay_known_failures_apply(&job->known, job->store, job->run_id, &tally, stderr));
    job->exit_status = assay_tally_exit_status(&tally);
    if (options.tool)
        ASSAY_CHECK(assay_unseen_tell(job->store, job->run_id, job->request->cases, options.tool,
                                      stderr, &n_not_needed));
    if (n_not_needed > 0)
        job->exit_status = assay_exit_worse(job->exit_status, ASSAY_EXIT_WRONG);
    if (job->request->stages.traces && tally.n_passed > 0 && !job->is_traced)
        job->exit_status = ASSAY_EXIT_USAGE; /* the reason was printed */
    say_if_nothing_was_checked(&tally);
    if (tally.n_ready == 0)
        ASSAY_CHECK(assay_store_end_run(job->store, job->run_id, job->exit_status));
    ASSAY_CHECK(print_end(job));
out:
    assay_interrupted_end();
    assay_guard_end();
    assay_known_times_free(&times);
    assay_lock_release(job->target.info.uuid, job->lock_fd);
    return st;
}
