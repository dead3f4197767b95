/* assay check, bench, run, profile and trace: plan, and store the plan. */
#include "command_run.h"

#include "base/lock.h"
#include "base/text.h"
#include "bench_report.h"
#include "cupti/counters.h"
#include "machine/environment.h"
#include "process/in_child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void assay_cli_default_tiers(const char *command, const char *device_kind, assay_selection *s)
{
    const bool is_check = strcmp(command, "check") == 0;

    /* Edge sizes are there to be checked. On the host device every CUDA thread is a fiber: real
     * sizes are for CPU variants and GPUs. */
    s->tiers[ASSAY_QUICK] = is_check || strcmp(command, "run") == 0;
    s->tiers[ASSAY_FULL]  = !is_check || strcmp(device_kind, "cuda") == 0;
}

/* "results/assay.db" needs its folder; a person's own --db must name one that exists. */
static assay_status make_folder(const assay_cli *cli)
{
    if (!cli->has_database && mkdir("results", 0777) != 0 && errno != EEXIST)
        return ASSAY_FAIL(ASSAY_E_IO, "cannot make the folder results: %s", strerror(errno));
    return ASSAY_OK;
}

bool assay_job_is_command(const assay_cli *cli, const char *name)
{
    return strcmp(cli->command, name) == 0;
}

bool assay_job_wants_more(const assay_cli *cli, const assay_point *point)
{
    return !assay_job_is_command(cli, "check") &&
           (!assay_job_is_command(cli, "run") || point->tier == ASSAY_FULL);
}

assay_status assay_job_shard(const assay_cli *cli, assay_plan *plan, bool *is_empty)
{
    const assay_status st = assay_plan_shard(plan, &cli->shard);

    *is_empty = st == ASSAY_OK && plan->n == 0;
    if (*is_empty)
        (void)fprintf(
            stderr,
            "assay: skipped: shard %d of %d is empty: the selection holds fewer groups of "
            "points than that\n",
            cli->shard.index, cli->shard.count);
    return st;
}

static assay_status build_plan(run_job *job, bool *is_empty)
{
    assay_status    st        = ASSAY_OK;
    assay_selection selection = job->cli->selection;

    if (!job->cli->has_tier)
        assay_cli_default_tiers(job->cli->command, job->target.info.kind, &selection);
    ASSAY_CHECK(assay_job_plan(job, &selection));
    if (job->plan.left_out[0])
        (void)fprintf(stderr, "assay: %s\n", job->plan.left_out);
    if (job->cli->n_gbench > 0)
        ASSAY_CHECK(assay_bench_filter(job->cli, &job->plan));
    ASSAY_CHECK(assay_job_shard(job->cli, &job->plan, is_empty));
    ASSAY_REQUIRE(!assay_job_is_command(job->cli, "trace") || job->plan.n == 1, ASSAY_E_USAGE,
                  "trace takes one point, and this selection holds %lld: name it with --point, or "
                  "with a case, --variant and --axis",
                  (long long)job->plan.n);
    for (int64_t i = 0; i < job->plan.n; i++)
        job->plan.points[i].is_timed = assay_job_wants_more(job->cli, &job->plan.points[i]);
out:
    return st;
}

/* ---- what resume needs ---- */

/* What does not fit, or would read as two lines, must not come back as something else. */
static assay_status write_options(const run_job *job, assay_run_row *row)
{
    assay_status     st      = ASSAY_OK;
    const assay_cli *cli     = job->cli;
    const char      *kernels = cli->kernels ? job->target.module_path : "";
    int              length =
        snprintf(row->options, sizeof row->options,
                 "--device=%s\n--gpu=%d\n--kernels=%s\n--processes=%d\n--time=%.17g\n"
                 "--target-error=%.17g\n--flush=%s\n--tune=%d\n--against-itself=%d\n"
                 "--metrics=%s\n--replay=%s\n--benchmark-flags=%d\n",
                 job->target.info.kind, job->target.device_index, kernels, cli->n_processes,
                 cli->time_s, cli->target_error, cli->flush, cli->tunes, cli->against_itself,
                 cli->metrics ? cli->metrics : "", cli->replay, cli->n_gbench);

    if (cli->repeats && length >= 0 && (size_t)length < sizeof row->options)
        length += snprintf(row->options + length, sizeof row->options - (size_t)length,
                           "--repeats=%s\n", cli->repeats);
    ASSAY_REQUIRE(
        length >= 0 && (size_t)length < sizeof row->options, ASSAY_E_USAGE,
        "--kernels and --metrics are too long to be stored: together about %zu characters "
        "are",
        sizeof row->options - 256);
    ASSAY_REQUIRE(!strchr(kernels, '\n'), ASSAY_E_USAGE,
                  "the path of the kernel module has a line break");
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
                  "run %lld is not interrupted: process %s is at it", (long long)job->run_id,
                  holder);
out:
    return st;
}

static assay_status begin_run(run_job *job)
{
    assay_status  st  = ASSAY_OK;
    assay_run_row row = { .seed = job->cli->selection.seed };

    ASSAY_CHECK(
        assay_environment_fill(job->cli->argc, job->cli->argv, assay_store_library(), &row));
    if (job->cli->reason)
        ASSAY_CHECK(assay_environment_set_reason(&row, job->cli->reason));
    (void)assay_text_set(row.verb, sizeof row.verb, "%s", job->cli->command);
    (void)assay_text_set(row.lane, sizeof row.lane, "%s", assay_lane_text(job->target.lane));
    (void)assay_text_set(row.kernels_id, sizeof row.kernels_id, "%s", job->target.kernels_id);
    assay_environment_fill_device(&job->target.info, &row);
    ASSAY_CHECK(write_options(job, &row));
    ASSAY_CHECK(assay_job_hold(job, row.uuid));
    ASSAY_CHECK(assay_store_begin_run(job->store, &row, &job->target.info, &job->run_id));
    if (job->cli->run_made)
        *job->cli->run_made = job->run_id;
out:
    return st;
}

/* Points of one case lie together; each case is stored with its own what and version. */
static assay_status store_case(run_job *job, int64_t first, int64_t n)
{
    assay_status      st   = ASSAY_OK;
    const assay_case *c    = job->plan.points[first].definition;
    assay_point_row  *rows = calloc((size_t)n, sizeof *rows);

    ASSAY_REQUIRE(rows, ASSAY_E_MEMORY, "no memory for %lld planned points", (long long)n);
    for (int64_t i = 0; i < n; i++)
        assay_point_row_fill(&job->plan.points[first + i], job->target.lane, &rows[i]);
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
    ASSAY_CHECK(store_plan(job));
out:
    if (st == ASSAY_OK)
        return assay_store_end_plan(job->store, true);
    (void)assay_store_end_plan(job->store, false); /* the first failure stays the cause */
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

/* Every launcher of the plan is in the module: said once, before anything is written. */
static assay_status require_launchers(const run_job *job)
{
    return assay_in_child("opening the kernel module", find_launchers, job, NULL, 0);
}

/* ---- the whole of it ---- */

int assay_job_finish(run_job *job, assay_status st)
{
    int failed;

    assay_plan_free(&job->plan);
    assay_known_failures_free(&job->known);
    free(job->point_ids);
    assay_lock_drop(job->uuid, job->run_fd);
    assay_store_close(job->store);
    if (st == ASSAY_OK)
        return job->exit_status;
    /* What was found outweighs that it could not be told. */
    failed = assay_cli_failed(st);
    return job->exit_status == ASSAY_EXIT_WRONG ? ASSAY_EXIT_WRONG : failed;
}

/* Counters and timelines are of a GPU: without one everything is skipped, for one reason. */
static bool lacks_gpu(const run_job *job)
{
    const bool needs_gpu =
        assay_job_is_command(job->cli, "profile") || assay_job_is_command(job->cli, "trace");

    if (!needs_gpu || strcmp(job->target.info.kind, "cuda") == 0)
        return false;
    (void)fprintf(stderr,
                  "assay: skipped: 'assay %s' looks at a GPU at work, and this is the %s device; "
                  "'assay doctor' says what is missing\n",
                  job->cli->command, job->target.info.kind);
    return true;
}

/* A mistyped word is told before anything runs. */
static assay_status require_metrics(const assay_cli *cli)
{
    assay_status        st      = ASSAY_OK;
    assay_metric_value *metrics = NULL;
    int                 n       = 0;

    if (assay_job_is_command(cli, "profile"))
        ASSAY_CHECK(assay_counters_parse(cli->metrics, &metrics, &n));
out:
    free(metrics);
    return st;
}

/* False: nothing is to be run, the exit status is known. */
static assay_status prepare(run_job *job, bool *is_wanted)
{
    assay_status st       = ASSAY_OK;
    bool         is_empty = false;

    *is_wanted = false;
    ASSAY_CHECK(assay_job_read_known(job));
    ASSAY_CHECK(assay_target_choose(job->cli, &job->target));
    ASSAY_CHECK(build_plan(job, &is_empty));
    ASSAY_CHECK(require_metrics(job->cli));
    if (is_empty || lacks_gpu(job) || assay_job_cannot_trace(job))
        job->exit_status = ASSAY_EXIT_SKIPPED;
    else
        *is_wanted = !assay_bench_lists(job->cli, &job->plan, job->target.info.can_time);
    if (*is_wanted)
        ASSAY_CHECK(require_launchers(job));
out:
    return st;
}

int assay_command_run(const assay_cli *cli)
{
    assay_status st        = ASSAY_OK;
    run_job      job       = { .cli = cli, .lock_fd = -1, .run_fd = -1 };
    bool         is_wanted = false;

    ASSAY_CHECK(prepare(&job, &is_wanted));
    if (!is_wanted)
        goto out;
    ASSAY_CHECK(make_folder(cli));
    ASSAY_CHECK(assay_store_open(cli->database, ASSAY_STORE_WRITE, &job.store));
    ASSAY_CHECK(store_run(&job));
    ASSAY_CHECK(assay_job_supervise(&job));
out:
    return assay_job_finish(&job, st);
}
