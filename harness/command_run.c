/* assay check, bench, run and resume: plan, store the plan, supervise it, report. */
#include "cli.h"

#include "environment.h"
#include "lock.h"
#include "report.h"
#include "select.h"
#include "store.h"
#include "supervise.h"
#include "tally.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One run from its points to its exit status. */
typedef struct run_job {
    const assay_cli *cli;
    assay_target     target;
    assay_store     *store;
    int64_t          run_id;
    assay_plan       plan;
    int64_t         *point_ids;
    int64_t         *gone; /* resume: points that this program no longer has */
    int64_t          n_gone;
    int              lock_fd; /* of the GPU, while timing */
    char             uuid[40];
    int              run_fd; /* of this run, so that nobody resumes it while it lives */
    int              exit_status;
} run_job;

void assay_cli_default_tiers(const char *command, const char *device_kind, assay_selection *s)
{
    const bool is_check = strcmp(command, "check") == 0;

    /* On the host device every CUDA thread is a fiber: real sizes are for CPU variants and GPUs. */
    s->tiers[ASSAY_QUICK] = strcmp(command, "bench") != 0;
    s->tiers[ASSAY_FULL]  = !is_check || strcmp(device_kind, "cuda") == 0;
}

/* "results/assay.db" needs its folder; a person's own --db must name one that exists. */
static assay_status make_folder(const assay_cli *cli)
{
    if (!cli->has_database && mkdir("results", 0777) != 0 && errno != EEXIST)
        return ASSAY_FAIL(ASSAY_E_IO, "cannot make the folder results: %s", strerror(errno));
    return ASSAY_OK;
}

static bool wants_timing(const assay_cli *cli, const assay_point *point)
{
    return strcmp(cli->command, "bench") == 0 ||
           (strcmp(cli->command, "run") == 0 && point->tier == ASSAY_FULL);
}

static assay_status build_plan(run_job *job)
{
    assay_status    st        = ASSAY_OK;
    assay_selection selection = job->cli->selection;

    if (!job->cli->has_tier)
        assay_cli_default_tiers(job->cli->command, job->target.info.kind, &selection);
    ASSAY_CHECK(assay_plan_build(job->cli->cases, &selection, &job->plan));
    for (int64_t i = 0; i < job->plan.n; i++)
        job->plan.points[i].is_timed = wants_timing(job->cli, &job->plan.points[i]);
out:
    return st;
}

/* ---- what resume needs ---- */

static void write_options(const run_job *job, assay_run_row *row)
{
    (void)assay_text_set(row->options, sizeof row->options, "--device=%s\n--gpu=%d\n--kernels=%s\n",
                         job->target.info.kind, job->target.device_index,
                         job->cli->kernels ? job->target.module_path : "");
}

/* The line of `options` that starts with `name`, copied into text. */
static void read_option(const char *options, const char *name, char *text, size_t size)
{
    text[0] = '\0';
    while (*options) {
        const size_t length = strcspn(options, "\n");
        const char  *value  = assay_text_after(options, name);

        if (value)
            (void)assay_text_set(text, size, "%.*s", (int)(length - strlen(name)), value);
        options += length + (options[length] == '\n');
    }
}

/* ---- storing the plan ---- */

/* A run is held by its process for as long as it lives. */
static assay_status take_run(run_job *job, const char *uuid)
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

    ASSAY_CHECK(assay_environment_fill(job->cli->argc, job->cli->argv, &row));
    (void)assay_text_set(row.verb, sizeof row.verb, "%s", job->cli->command);
    (void)assay_text_set(row.lane, sizeof row.lane, "%s", assay_lane_text(job->target.lane));
    (void)assay_text_set(row.kernels_id, sizeof row.kernels_id, "%s", job->target.kernels_id);
    write_options(job, &row);
    ASSAY_CHECK(take_run(job, row.uuid));
    ASSAY_CHECK(assay_store_begin_run(job->store, &row, &job->target.info, &job->run_id));
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

/* Every launcher of the plan is in the module: said once, before anything is written. */
static assay_status require_launchers(const run_job *job)
{
    assay_status   st     = ASSAY_OK;
    assay_module   module = { .handle = NULL };
    assay_launcher launcher;
    const bool     is_cuda = strcmp(job->target.info.kind, "cuda") == 0;

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

/* ---- running it ---- */

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

static assay_status supervise(run_job *job)
{
    assay_status                  st = ASSAY_OK;
    assay_tally                   tally;
    const assay_supervise_options options = {
        .worker     = { .module_path  = job->target.module_path,
                        .device_index = job->target.device_index,
                        .policy       = assay_timer_default() },
        .lane       = job->target.lane,
        .in_process = job->cli->in_process,
        .budget_s   = job->cli->budget_s,
        .is_quiet   = job->cli->is_quiet,
    };

    ASSAY_CHECK(take_lock(job));
    ASSAY_CHECK(
        assay_supervise(job->store, job->plan.points, job->point_ids, job->plan.n, &options));
    ASSAY_CHECK(assay_tally_read(job->store, job->run_id, &tally));
    job->exit_status = assay_tally_exit_status(&tally);
    say_if_nothing_was_checked(&tally);
    if (tally.n_ready == 0)
        ASSAY_CHECK(assay_store_end_run(job->store, job->run_id, job->exit_status));
    if (!job->cli->is_quiet)
        ASSAY_CHECK(assay_report_write(job->cli->database, job->run_id, "text", stdout));
out:
    assay_lock_release(job->lock_fd);
    return st;
}

static int finish(run_job *job, assay_status st)
{
    assay_plan_free(&job->plan);
    free(job->point_ids);
    free(job->gone);
    assay_lock_drop(job->uuid, job->run_fd);
    assay_store_close(job->store);
    return st == ASSAY_OK ? job->exit_status : assay_cli_failed(st);
}

int assay_command_run(const assay_cli *cli)
{
    assay_status st  = ASSAY_OK;
    run_job      job = { .cli = cli, .lock_fd = -1, .run_fd = -1 };

    ASSAY_CHECK(assay_target_choose(cli, &job.target));
    ASSAY_CHECK(build_plan(&job));
    ASSAY_CHECK(require_launchers(&job));
    ASSAY_CHECK(make_folder(cli));
    ASSAY_CHECK(assay_store_open(cli->database, ASSAY_STORE_WRITE, &job.store));
    ASSAY_CHECK(store_run(&job));
    ASSAY_CHECK(supervise(&job));
out:
    return finish(&job, st);
}

/* ---- resume ---- */

static assay_status append_id(int64_t **ids, int64_t n, int64_t id)
{
    int64_t *grown = realloc(*ids, ((size_t)n + 1) * sizeof *grown);

    if (!grown)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for %lld points", (long long)n);
    *ids     = grown;
    grown[n] = id;
    return ASSAY_OK;
}

/* Points come back from the store one by one. */
static assay_status collect_ready(void *context, int64_t point_id, const char *key, uint64_t seed)
{
    assay_status st  = ASSAY_OK;
    run_job     *job = context;
    assay_point  point, *points = NULL;

    if (assay_point_parse(job->cli->cases, key, &point) != ASSAY_OK) {
        assay_status_reset();
        ASSAY_CHECK(append_id(&job->gone, job->n_gone, point_id));
        job->n_gone++;
        goto out;
    }
    point.seed     = seed;
    point.is_timed = wants_timing(job->cli, &point);
    ASSAY_CHECK(append_id(&job->point_ids, job->plan.n, point_id));
    points = realloc(job->plan.points, ((size_t)job->plan.n + 1) * sizeof *points);
    ASSAY_REQUIRE(points, ASSAY_E_MEMORY, "no memory for %lld points", (long long)job->plan.n);
    job->plan.points      = points;
    points[job->plan.n++] = point;
out:
    return st;
}

static assay_status skip_gone(run_job *job)
{
    assay_status            st  = ASSAY_OK;
    const assay_verdict_row row = { .verdict  = ASSAY_SKIPPED,
                                    .reason   = "this program no longer has such a point",
                                    .launches = -1 };

    for (int64_t i = 0; i < job->n_gone; i++) {
        ASSAY_CHECK(assay_store_begin_point(job->store, job->gone[i]));
        ASSAY_CHECK(assay_store_finish_point(job->store, job->gone[i], &row));
    }
out:
    return st;
}

/* One run is one build on one device; else its numbers would stand under names that are not theirs.
 */
static assay_status require_same(const run_job *job, const assay_run_row *row)
{
    assay_status  st  = ASSAY_OK;
    assay_run_row now = { .seed = 0 };

    ASSAY_CHECK(assay_environment_fill(job->cli->argc, job->cli->argv, &now));
    const struct {
        const char *what, *then, *now;
    } facts[] = {
        { "lane", row->lane, assay_lane_text(job->target.lane) },
        { "device", row->device_uuid, job->target.info.uuid },
        { "program", row->binary_id, now.binary_id },
        { "kernel module", row->kernels_id, job->target.kernels_id },
    };

    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        ASSAY_REQUIRE(strcmp(facts[i].then, facts[i].now) == 0, ASSAY_E_USAGE,
                      "run %lld was begun with %s %s, here it is %s: start a new run",
                      (long long)job->run_id, facts[i].what, facts[i].then, facts[i].now);
out:
    return st;
}

/* The interrupted run decides device, GPU and module; the command line only the database. */
static assay_status adopt_run(run_job *job, assay_cli *cli, const assay_run_row *row, char *device,
                              char *kernels)
{
    assay_status st = ASSAY_OK;
    char         gpu[16];

    read_option(row->options, "--device=", device, ASSAY_NAME_SIZE);
    read_option(row->options, "--kernels=", kernels, sizeof job->target.module_path);
    read_option(row->options, "--gpu=", gpu, sizeof gpu);
    cli->command = strcmp(row->verb, "bench") == 0 ? "bench"
                   : strcmp(row->verb, "run") == 0 ? "run"
                                                   : "check";
    cli->device  = device;
    cli->kernels = kernels[0] ? kernels : NULL;
    cli->gpu     = atoi(gpu);
    ASSAY_CHECK(assay_target_choose(cli, &job->target));
    ASSAY_CHECK(require_same(job, row));
out:
    return st;
}

int assay_command_resume(const assay_cli *given)
{
    assay_status  st  = ASSAY_OK;
    assay_cli     cli = *given;
    run_job       job = { .cli = &cli, .lock_fd = -1, .run_fd = -1 };
    assay_run_row row;
    char          device[ASSAY_NAME_SIZE], kernels[1024];
    bool          found = false;

    ASSAY_REQUIRE(access(cli.database, F_OK) == 0, ASSAY_E_NOTHING,
                  "%s does not exist: it holds no interrupted run", cli.database);
    ASSAY_CHECK(assay_store_open(cli.database, ASSAY_STORE_WRITE, &job.store));
    ASSAY_CHECK(assay_store_find_interrupted(job.store, &job.run_id, &row, &found));
    ASSAY_REQUIRE(found, ASSAY_E_NOTHING, "%s holds no interrupted run", cli.database);
    ASSAY_CHECK(take_run(&job, row.uuid));
    ASSAY_CHECK(adopt_run(&job, &cli, &row, device, kernels));
    ASSAY_CHECK(assay_store_each_ready(job.store, job.run_id, collect_ready, &job));
    ASSAY_CHECK(skip_gone(&job));
    (void)fprintf(stderr, "assay: resuming run %lld (%s), %lld points left\n",
                  (long long)job.run_id, cli.command, (long long)job.plan.n);
    ASSAY_CHECK(supervise(&job));
out:
    return finish(&job, st);
}
