/* Carries out a request: plan, and store the plan. */
#include "command_run.h"

#include "base/lock.h"
#include "base/text.h"
#include "cupti/counters.h"
#include "machine/environment.h"
#include "process/in_child.h"
#include "run_options.h"
#include "sanitize/sanitize.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Makes the folder of the default database "results/assay.db". A --db that a person gives has to be
 * in a folder that exists. */
static assay_status make_folder(const assay_run_outputs *outputs)
{
    if (outputs->makes_folder && mkdir("results", 0777) != 0 && errno != EEXIST)
        return ASSAY_FAIL(ASSAY_E_IO, "cannot make the folder results: %s", strerror(errno));
    return ASSAY_OK;
}

assay_status assay_job_cut(int n_each, const assay_shard *shard, assay_plan *plan, bool *is_empty)
{
    assay_status st = ASSAY_OK;

    if (n_each > 0)
        ASSAY_CHECK(assay_plan_keep_each(plan, n_each));
    ASSAY_CHECK(assay_plan_shard(plan, shard));
    *is_empty = plan->n == 0;
    if (*is_empty)
        (void)fprintf(
            stderr,
            "assay: skipped: shard %d of %d is empty: the selection holds fewer groups of "
            "points than that\n",
            shard->index, shard->count);
out:
    return st;
}

/* Counts the real sizes that the device's default selection leaves out. */
static assay_status count_left_out(run_job *job, const assay_selection *selection)
{
    assay_status    st  = ASSAY_OK;
    assay_selection all = job->request->selection;
    assay_plan      plan;

    if (job->request->n_keys > 0 || all.tiers[ASSAY_FULL] == selection->tiers[ASSAY_FULL])
        return ASSAY_OK;
    ASSAY_CHECK(assay_plan_build(job->request->cases, &all, &plan));
    job->n_left_out = plan.n - job->plan.n;
    assay_plan_free(&plan);
out:
    return st;
}

/* Prints a line after the report, so that nobody thinks that all points were checked. */
static void name_left_out(const run_job *job)
{
    if (job->n_left_out > 0)
        (void)fprintf(stderr,
                      "assay: left out: %lld point%s of the full tier, which by default runs only "
                      "on a GPU; --tier full checks it here, --tier all checks both tiers\n",
                      (long long)job->n_left_out, job->n_left_out == 1 ? "" : "s");
}

static assay_status build_plan(run_job *job, bool *is_empty)
{
    assay_status             st      = ASSAY_OK;
    const assay_run_request *request = job->request;
    const assay_bench_flags *flags   = &request->outputs.gbench;
    const assay_selection selection  = assay_run_request_selection(request, job->target.info.kind);

    ASSAY_CHECK(assay_job_plan(job, &selection));
    ASSAY_CHECK(assay_job_add_found(job));
    assay_job_widen(job);
    ASSAY_CHECK(count_left_out(job, &selection));
    if (job->plan.left_out[0])
        (void)fprintf(stderr, "assay: %s\n", job->plan.left_out);
    if (flags->n > 0)
        ASSAY_CHECK(assay_bench_filter(flags, &job->plan));
    ASSAY_CHECK(assay_job_cut(request->n_each, &request->shard, &job->plan, is_empty));
    ASSAY_REQUIRE(!request->stages.traces || job->plan.n == 1, ASSAY_E_USAGE,
                  "trace takes one point, and this selection holds %lld: name it with --point, or "
                  "with a case, --variant and --axis",
                  (long long)job->plan.n);
    for (int64_t i = 0; i < job->plan.n; i++)
        job->plan.points[i].is_timed = assay_run_request_wants_more(request, &job->plan.points[i]);
out:
    return st;
}

/* ---- storing the plan ---- */

assay_status assay_job_hold(run_job *job, const char *uuid)
{
    assay_status st = ASSAY_OK;
    char         holder[32];

    (void)assay_text_set(job->uuid, sizeof job->uuid, "%s", uuid);
    ASSAY_CHECK(assay_lock_try(uuid, &job->run_fd, holder, sizeof holder));
    ASSAY_REQUIRE(job->run_fd >= 0, ASSAY_E_USAGE,
                  "run %lld is not interrupted: process %s is working on it",
                  (long long)job->run_id, holder);
out:
    return st;
}

static assay_status begin_run(run_job *job)
{
    assay_status             st      = ASSAY_OK;
    const assay_run_request *request = job->request;
    assay_run_row            row     = { .seed = request->selection.seed };

    ASSAY_CHECK(assay_environment_fill(request->argc, request->argv, assay_store_library(), &row));
    if (request->reason)
        ASSAY_CHECK(assay_environment_set_reason(&row, request->reason));
    (void)assay_text_set(row.verb, sizeof row.verb, "%s", request->verb);
    (void)assay_text_set(row.lane, sizeof row.lane, "%s",
                         assay_run_request_lane(request, &job->target));
    (void)assay_text_set(row.kernels_id, sizeof row.kernels_id, "%s", job->target.kernels_id);
    assay_environment_fill_device(&job->target.info, &row);
    ASSAY_CHECK(assay_run_options_write(request, &job->target, row.options, sizeof row.options));
    ASSAY_CHECK(assay_job_hold(job, row.uuid));
    ASSAY_CHECK(assay_store_begin_run(job->store, &row, &job->target.info, &job->run_id));
out:
    return st;
}

/* Takes tuning values that the file held before this run. */
static assay_status take_tuning(run_job *job)
{
    assay_status       st   = ASSAY_OK;
    assay_module_code *code = NULL;

    if (!job->request->is_tuned)
        return ASSAY_OK;
    ASSAY_CHECK(assay_module_code_read(job->target.module_path, &code));
    const assay_tuned_code now = { .kernels_id = job->target.kernels_id, .code = code };

    ASSAY_CHECK(assay_tuned_take(job->store, job->run_id, &now, job->plan.points, job->plan.n,
                                 &job->tuned));
    assay_tuned_say(&job->tuned, job->request->outputs.database, stderr);
out:
    assay_module_code_free(code);
    return st;
}

static assay_status store_tuning(run_job *job)
{
    assay_status st = ASSAY_OK;
    char         tuning[ASSAY_TUNING_SIZE];

    for (int64_t i = 0; i < job->tuned.n; i++) {
        const assay_point run = assay_point_as_run(&job->plan.points[i]);

        if (run.is_tuned)
            ASSAY_CHECK(assay_store_plan_tuning(
                job->store, job->point_ids[i], assay_point_tuning_text(&run, tuning, sizeof tuning),
                job->tuned.by[i]));
    }
out:
    return st;
}

/* The points of one case are consecutive. Each case is stored with its own description and
 * version. */
static assay_status store_case(run_job *job, int64_t first, int64_t n)
{
    assay_status      st   = ASSAY_OK;
    const assay_case *c    = job->plan.points[first].definition;
    assay_point_row  *rows = calloc((size_t)n, sizeof *rows);

    ASSAY_REQUIRE(rows, ASSAY_E_MEMORY, "no memory for %lld planned points", (long long)n);
    for (int64_t i = 0; i < n; i++) {
        assay_point_row_fill(&job->plan.points[first + i], job->target.lane, &rows[i]);
        if (job->request->tool != ASSAY_GPU_TOOL_NONE)
            rows[i].expect =
                assay_point_expect_under(&job->plan.points[first + i], job->request->tool);
    }
    ASSAY_CHECK(assay_store_plan(job->store, job->run_id, c->what, c->version, rows, n,
                                 job->point_ids + first));
out:
    free(rows);
    return st;
}

static assay_status store_plan(run_job *job)
{
    assay_status st    = ASSAY_OK;
    int64_t      first = 0;

    job->point_ids = calloc((size_t)job->plan.n, sizeof *job->point_ids);
    ASSAY_REQUIRE(job->point_ids, ASSAY_E_MEMORY, "no memory for the plan");
    while (first < job->plan.n) {
        int64_t end = first + 1;

        while (end < job->plan.n &&
               job->plan.points[end].definition == job->plan.points[first].definition)
            end++;
        ASSAY_CHECK(store_case(job, first, end - first));
        first = end;
    }
out:
    return st;
}

/* The run and its points are stored together or not at all. */
static assay_status store_run(run_job *job)
{
    assay_status st = assay_store_begin_plan(job->store);

    if (st != ASSAY_OK)
        return st;
    ASSAY_CHECK(begin_run(job));
    ASSAY_CHECK(take_tuning(job));
    ASSAY_CHECK(store_plan(job));
    ASSAY_CHECK(store_tuning(job));
out:
    if (st == ASSAY_OK)
        return assay_store_end_plan(job->store, true);
    (void)assay_store_end_plan(job->store, false); /* a failure before this one stays the cause */
    return st;
}

static assay_status find_launchers(const void *context, void *result)
{
    const run_job *job    = context;
    assay_status   st     = ASSAY_OK;
    assay_module   module = { .handle = NULL };
    assay_launcher launcher;
    const bool     is_cuda = strcmp(job->target.info.kind, "cuda") == 0;

    (void)result;
    ASSAY_CHECK(assay_module_open(job->target.module_path, &module));
    for (int64_t i = 0; i < job->plan.n; i++) {
        const assay_point   *p       = &job->plan.points[i];
        const assay_variant *variant = &p->definition->variants[p->variant];

        if (is_cuda || !variant->gpu_only)
            ASSAY_CHECK(assay_module_resolve(&module, variant, &launcher));
    }
out:
    assay_module_close(&module);
    return st;
}

/* Checks once, before anything is written, that the module has every launcher of the plan. */
static assay_status require_launchers(const run_job *job)
{
    return assay_in_child("opening the kernel module", find_launchers, job, NULL, 0);
}

/* ---- the whole of it ---- */

void assay_job_free(run_job *job)
{
    assay_plan_free(&job->plan);
    assay_known_failures_free(&job->known);
    assay_tuned_free(&job->tuned);
    free(job->point_ids);
    assay_lock_drop(job->uuid, job->run_fd);
    assay_store_close(job->store);
}

/* Counters and timelines need a GPU: without one everything is skipped, for this one reason. */
static bool lacks_gpu(const run_job *job)
{
    if (!assay_run_request_needs_gpu(job->request) || strcmp(job->target.info.kind, "cuda") == 0)
        return false;
    (void)fprintf(stderr,
                  "assay: skipped: 'assay %s%s' needs a GPU, and this is the %s device; 'assay "
                  "doctor' says what is missing\n",
                  job->request->verb,
                  job->request->tool != ASSAY_GPU_TOOL_NONE ? " --sanitizer" : "",
                  job->target.info.kind);
    return true;
}

static bool lacks_tool(const run_job *job)
{
    char path[1024], why[1024];

    if (job->request->tool == ASSAY_GPU_TOOL_NONE ||
        assay_sanitize_find(path, sizeof path, why, sizeof why))
        return false;
    (void)fprintf(stderr, "assay: skipped: %s\n", why);
    return true;
}

/* Reports a mistyped word before anything runs. */
static assay_status require_metrics(const assay_run_request *request)
{
    assay_status        st      = ASSAY_OK;
    assay_metric_value *metrics = NULL;
    int                 n       = 0;

    if (request->stages.counts)
        ASSAY_CHECK(assay_counters_parse(request->counting.metrics, &metrics, &n));
out:
    free(metrics);
    return st;
}

/* *is_wanted is false if there is nothing to run; then the exit status is set. */
static assay_status prepare(run_job *job, bool *is_wanted)
{
    assay_status             st       = ASSAY_OK;
    const assay_run_request *request  = job->request;
    bool                     is_empty = false;

    *is_wanted = false;
    ASSAY_REQUIRE(request->tool == ASSAY_GPU_TOOL_NONE || !request->in_process, ASSAY_E_USAGE,
                  "--sanitizer starts workers under compute-sanitizer: leave out --in-process");
    ASSAY_CHECK(assay_job_read_known(job));
    ASSAY_CHECK(assay_target_choose(&request->target, &job->target));
    ASSAY_CHECK(build_plan(job, &is_empty));
    ASSAY_CHECK(require_metrics(request));
    if (is_empty || lacks_gpu(job) || lacks_tool(job) || assay_job_cannot_trace(job))
        job->exit_status = ASSAY_EXIT_SKIPPED;
    else
        *is_wanted =
            !assay_bench_lists(&request->outputs.gbench, &job->plan, job->target.info.can_time);
    if (*is_wanted)
        ASSAY_CHECK(require_launchers(job));
out:
    return st;
}

/* Stores a plan that is to be run, and runs it to the end. */
static assay_status store_and_supervise(run_job *job, assay_run_outcome *outcome)
{
    assay_status             st      = ASSAY_OK;
    const assay_run_outputs *outputs = &job->request->outputs;

    ASSAY_CHECK(make_folder(outputs));
    ASSAY_CHECK(assay_store_open(outputs->database, ASSAY_STORE_WRITE, &job->store));
    ASSAY_CHECK(store_run(job));
    outcome->run_id = job->run_id;
    ASSAY_CHECK(assay_job_supervise(job));
out:
    return st;
}

assay_status assay_run_execute(const assay_run_request *request, assay_run_outcome *outcome)
{
    assay_status st        = ASSAY_OK;
    run_job      job       = { .request = request, .lock_fd = -1, .run_fd = -1 };
    bool         is_wanted = false;

    *outcome = (assay_run_outcome) { .run_id = 0 };
    ASSAY_CHECK(prepare(&job, &is_wanted));
    if (is_wanted) {
        ASSAY_CHECK(store_and_supervise(&job, outcome));
        name_left_out(&job);
    }
out:
    /* A finding outweighs a failure to report it. */
    outcome->exit_status =
        st == ASSAY_OK ? job.exit_status : assay_exit_worse(job.exit_status, ASSAY_EXIT_USAGE);
    assay_job_free(&job);
    return st;
}
