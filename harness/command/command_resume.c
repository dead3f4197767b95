/* assay resume: finishes the newest interrupted run with the options that it was begun with. */
#include "cli.h"
#include "command_run.h"

#include "base/build_id.h"
#include "base/text.h"
#include "machine/environment.h"
#include "run_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The job, and the memory that it borrows. */
typedef struct resumption {
    run_job           job;
    assay_run_request request; /* request of the job */
    assay_run_row     begun;
    assay_run_options options; /* what the interrupted run was begun with */
    int64_t          *gone;    /* owned; ids of points that this program no longer has */
    int64_t           n_gone;
} resumption;

/* ---- the kernels ---- */

/* A database can come from anybody, so a library that it names is never loaded. A module is loaded
 * only if it came with this program or is named on the command line, and only if its id is that of
 * the run. */
static assay_status choose_module(const resumption *r, char *path, size_t size)
{
    assay_status st     = ASSAY_OK;
    const char  *own    = r->options.kernels;
    const char  *device = r->options.device;
    const char  *named  = r->request.target.kernels;
    char         why[ASSAY_REASON_SIZE];

    ASSAY_REQUIRE(!own[0] || named, ASSAY_E_USAGE,
                  "run %lld was begun with a kernel module of its own, %s. Nothing that a database "
                  "names is loaded: if you trust it, name it yourself: assay resume --kernels FILE",
                  (long long)r->job.run_id, own);
    ASSAY_REQUIRE(strcmp(device, "cuda") == 0 || strcmp(device, "host") == 0, ASSAY_E_USAGE,
                  "run %lld was begun on a device that this program does not know: start a new run",
                  (long long)r->job.run_id);
    if (named)
        (void)assay_text_set(path, size, "%s", named);
    else
        ASSAY_REQUIRE(assay_module_locate(device, path, size), ASSAY_E_DEVICE, "%s",
                      assay_module_explain(device, why, sizeof why));
out:
    return st;
}

/* ---- the file of variants ---- */

static assay_status require_same_script(const resumption *r)
{
    assay_status    st   = ASSAY_OK;
    const long long run  = r->job.run_id;
    const char     *then = r->options.script, *now = r->request.script;

    ASSAY_REQUIRE(!then[0] || now, ASSAY_E_USAGE,
                  "run %lld was begun with the variants of %s. Nothing that a database names is "
                  "run: if you trust it, name it yourself: assay resume --script FILE",
                  run, then);
    ASSAY_REQUIRE(then[0] || !now, ASSAY_E_USAGE,
                  "run %lld was begun without --script: resume it without", run);
    if (!now)
        goto out;
    ASSAY_REQUIRE(strcmp(then, now) == 0, ASSAY_E_USAGE,
                  "run %lld was begun with the variants of %s, not of %s: start a new run", run,
                  then, now);
    ASSAY_REQUIRE(strcmp(r->options.script_digest, r->request.script_digest) == 0, ASSAY_E_USAGE,
                  "%s has changed since run %lld began: start a new run", now, run);
out:
    return st;
}

static assay_status require_same_module(const resumption *r)
{
    assay_status st = ASSAY_OK;
    char         path[1024], id[sizeof r->begun.kernels_id];

    ASSAY_CHECK(choose_module(r, path, sizeof path));
    ASSAY_CHECK(assay_build_id_read(path, id, sizeof id));
    ASSAY_REQUIRE(strcmp(id, r->begun.kernels_id) == 0, ASSAY_E_USAGE,
                  "run %lld was begun with kernel module %s, here it is %s: start a new run",
                  (long long)r->job.run_id, r->begun.kernels_id, id);
out:
    return st;
}

/* All parts of a run have to come from one build on one device; otherwise its numbers would have
 * wrong names. */
static assay_status require_same(const run_job *job, const assay_run_row *row)
{
    assay_status  st  = ASSAY_OK;
    assay_run_row now = { .seed = 0 };

    ASSAY_CHECK(assay_environment_fill(job->request->argc, job->request->argv,
                                       assay_store_library(), &now));
    const struct {
        const char *what, *then, *now;
    } facts[] = {
        { "lane", row->lane, assay_run_request_lane(job->request, &job->target) },
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

/* The interrupted run decides what is done and how. The command line decides only the database, the
 * budget, the messages, and the kernel module if it is not this program's own. */
static assay_status build_request(const assay_cli *cli, resumption *r)
{
    assay_status   st = ASSAY_OK;
    assay_run_kind kind;

    ASSAY_REQUIRE(assay_run_kind_find(r->begun.verb, &kind), ASSAY_E_USAGE,
                  "run %lld was begun by 'assay %s', which this program does not know",
                  (long long)r->job.run_id, r->begun.verb);
    assay_cli_request(cli, kind, &r->request);
    assay_run_options_read(r->begun.options, &r->options, &r->request);
    r->job.request = &r->request;
out:
    return st;
}

static assay_status adopt_run(resumption *r)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(!r->request.stages.traces, ASSAY_E_USAGE,
                  "run %lld was a trace of one point: start it again", (long long)r->job.run_id);
    ASSAY_CHECK(require_same_script(r));
    ASSAY_CHECK(require_same_module(r));
    ASSAY_CHECK(assay_target_choose(&r->request.target, &r->job.target));
    ASSAY_CHECK(require_same(&r->job, &r->begun));
    ASSAY_REQUIRE(r->request.tool == ASSAY_GPU_TOOL_NONE || !r->request.in_process, ASSAY_E_USAGE,
                  "run %lld runs under %s in worker processes: leave out --in-process",
                  (long long)r->job.run_id, assay_gpu_tool_text(r->request.tool));
out:
    return st;
}

/* ---- its points ---- */

static assay_status append_id(int64_t **ids, int64_t n, int64_t id)
{
    int64_t *grown = realloc(*ids, ((size_t)n + 1) * sizeof *grown);

    if (!grown)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for %lld points", (long long)n);
    *ids     = grown;
    grown[n] = id;
    return ASSAY_OK;
}

static assay_status append_point(run_job *job, const assay_point *point, int64_t id)
{
    assay_status st     = ASSAY_OK;
    assay_point *points = NULL;

    ASSAY_CHECK(append_id(&job->point_ids, job->plan.n, id));
    points = realloc(job->plan.points, ((size_t)job->plan.n + 1) * sizeof *points);
    ASSAY_REQUIRE(points, ASSAY_E_MEMORY, "no memory for %lld points", (long long)job->plan.n);
    job->plan.points      = points;
    points[job->plan.n++] = *point;
out:
    return st;
}

/* The store gives the points one by one. */
static assay_status collect_ready(void *context, int64_t point_id, const char *key, uint64_t seed)
{
    assay_status st = ASSAY_OK;
    resumption  *r  = context;
    assay_point  point;

    if (assay_point_parse(r->request.cases, key, &point) != ASSAY_OK) {
        assay_status_reset();
        ASSAY_CHECK(append_id(&r->gone, r->n_gone, point_id));
        r->n_gone++;
        goto out;
    }
    point.seed     = seed;
    point.is_timed = assay_run_request_wants_more(&r->request, &point);
    ASSAY_CHECK(append_point(&r->job, &point, point_id));
out:
    return st;
}

static assay_status skip_gone(const resumption *r)
{
    assay_status            st  = ASSAY_OK;
    const assay_verdict_row row = { .verdict    = ASSAY_SKIPPED,
                                    .reason     = "this program no longer has such a point",
                                    .launches   = -1,
                                    .peak_bytes = -1 };

    for (int64_t i = 0; i < r->n_gone; i++) {
        ASSAY_CHECK(assay_store_begin_point(r->job.store, r->gone[i]));
        ASSAY_CHECK(assay_store_finish_point(r->job.store, r->gone[i], &row));
    }
out:
    return st;
}

/* ---- all of it ---- */

/* Names the program of an interrupted run: only that program can finish it. */
static assay_status say_whose(const char *database, assay_store *store)
{
    assay_cursor *row = NULL;
    char          name[ASSAY_NAME_SIZE];
    assay_status  st = ASSAY_OK;

    ASSAY_CHECK(assay_store_query(store, "interrupted_programs", 0, &row));
    if (assay_cursor_next(row, &st)) {
        (void)assay_text_make_safe(
            assay_text_set(name, sizeof name, "%s", assay_row_text(row, "verb")));
        st = ASSAY_FAIL(ASSAY_E_NOTHING,
                        "%s holds no interrupted run of assay; its run %s is one of %s, which "
                        "finishes it: the command line of that run (assay report shows it) and "
                        "--resume",
                        database, assay_row_text(row, "run_id"), name);
    } else if (st == ASSAY_OK) {
        st = ASSAY_FAIL(ASSAY_E_NOTHING, "%s holds no interrupted run", database);
    }
out:
    assay_cursor_close(row);
    return st;
}

static assay_status find_run(const assay_cli *cli, resumption *r)
{
    const char  *database = cli->database;
    int64_t      wanted   = 0;
    bool         found    = false;
    assay_status st       = ASSAY_OK;

    ASSAY_REQUIRE(access(database, F_OK) == 0, ASSAY_E_NOTHING,
                  "%s does not exist: it holds no interrupted run", database);
    ASSAY_CHECK(assay_store_open(database, ASSAY_STORE_WRITE, &r->job.store));
    ASSAY_CHECK(assay_cli_find_run(cli, r->job.store, &wanted));
    ASSAY_CHECK(assay_store_find_interrupted(r->job.store, NULL, wanted, &r->job.run_id, &r->begun,
                                             &found));
    ASSAY_REQUIRE(found || wanted == 0, ASSAY_E_NOTHING,
                  "run %" PRId64 " of %s is not an interrupted run of assay", wanted, database);
    if (!found)
        ASSAY_CHECK(say_whose(database, r->job.store));
out:
    return st;
}

/* The options hold only the number of these flags, since they name files and formats of another
 * command line. */
static void say_what_is_left_out(const resumption *r)
{
    if (r->options.n_benchmark_flags > 0)
        (void)fprintf(stderr, "assay: the --benchmark_ flags of the interrupted run are not "
                              "repeated: the report is that of 'assay report'\n");
}

int assay_command_resume(const assay_cli *cli)
{
    assay_status st = ASSAY_OK;
    resumption   r  = { .job = { .lock_fd = -1, .run_fd = -1 } };

    ASSAY_CHECK(find_run(cli, &r));
    ASSAY_CHECK(assay_job_hold(&r.job, r.begun.uuid));
    ASSAY_CHECK(build_request(cli, &r));
    ASSAY_CHECK(assay_job_read_known(&r.job));
    ASSAY_CHECK(adopt_run(&r));
    ASSAY_CHECK(assay_store_each_ready(r.job.store, r.job.run_id, collect_ready, &r));
    ASSAY_CHECK(assay_tuned_resume(r.job.store, r.job.run_id, r.job.plan.points, r.job.point_ids,
                                   r.job.plan.n));
    ASSAY_CHECK(skip_gone(&r));
    (void)assay_text_make_safe(r.begun.verb);
    (void)fprintf(stderr, "assay: resuming run %lld (%s), %lld points left\n",
                  (long long)r.job.run_id, r.request.verb, (long long)r.job.plan.n);
    say_what_is_left_out(&r);
    ASSAY_CHECK(assay_job_supervise(&r.job));
out:
    free(r.gone);
    assay_job_free(&r.job);
    return st == ASSAY_OK ? r.job.exit_status
                          : assay_exit_worse(r.job.exit_status, assay_cli_failed(st));
}
