/* assay resume: what is left of the newest interrupted run, as it was begun. */
#include "command_run.h"

#include "base/text.h"
#include "machine/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The job, and what the interrupted run was begun with, as text that outlives the parsing. */
typedef struct resumption {
    run_job       job;
    assay_cli     cli; /* of the job */
    assay_run_row begun;
    char          device[ASSAY_NAME_SIZE], kernels[1024], metrics[1024];
    char          flush[ASSAY_NAME_SIZE], replay[ASSAY_NAME_SIZE];
    int64_t      *gone; /* owned; points that this program no longer has */
    int64_t       n_gone;
} resumption;

/* ---- what the run was begun with ---- */

static double read_number(const char *options, const char *name)
{
    char text[64];

    assay_text_option(options, name, text, sizeof text);
    return strtod(text, NULL);
}

static void adopt_texts(resumption *r)
{
    const struct {
        const char  *name;
        char        *text;
        size_t       size;
        const char **member; /* stays as it is where nothing was given */
    } texts[] = {
        { "--device=", r->device, sizeof r->device, &r->cli.device },
        { "--kernels=", r->kernels, sizeof r->kernels, &r->cli.kernels },
        { "--metrics=", r->metrics, sizeof r->metrics, &r->cli.metrics },
        { "--flush=", r->flush, sizeof r->flush, &r->cli.flush },
        { "--replay=", r->replay, sizeof r->replay, &r->cli.replay },
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assay_text_option(r->begun.options, texts[i].name, texts[i].text, texts[i].size);
        if (texts[i].text[0])
            *texts[i].member = texts[i].text;
    }
}

static void adopt_options(resumption *r)
{
    const char *options = r->begun.options;

    r->cli.command = r->begun.verb;
    adopt_texts(r);
    r->cli.gpu            = (int)read_number(options, "--gpu=");
    r->cli.n_processes    = (int)read_number(options, "--processes=");
    r->cli.time_s         = read_number(options, "--time=");
    r->cli.target_error   = read_number(options, "--target-error=");
    r->cli.tunes          = read_number(options, "--tune=") > 0;
    r->cli.against_itself = read_number(options, "--against-itself=") > 0;
}

/* One run is one build on one device; else its numbers would stand under names that are not theirs.
 */
static assay_status require_same(const run_job *job, const assay_run_row *row)
{
    assay_status  st  = ASSAY_OK;
    assay_run_row now = { .seed = 0 };

    ASSAY_CHECK(
        assay_environment_fill(job->cli->argc, job->cli->argv, assay_store_library(), &now));
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

/* The interrupted run decides what is done and how; the command line only the database. */
static assay_status adopt_run(resumption *r)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(strcmp(r->begun.verb, "trace") != 0, ASSAY_E_USAGE,
                  "run %lld was a trace of one point: start it again", (long long)r->job.run_id);
    adopt_options(r);
    ASSAY_CHECK(assay_target_choose(&r->cli, &r->job.target));
    ASSAY_CHECK(require_same(&r->job, &r->begun));
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

/* Points come back from the store one by one. */
static assay_status collect_ready(void *context, int64_t point_id, const char *key, uint64_t seed)
{
    assay_status st = ASSAY_OK;
    resumption  *r  = context;
    assay_point  point;

    if (assay_point_parse(r->cli.cases, key, &point) != ASSAY_OK) {
        assay_status_reset();
        ASSAY_CHECK(append_id(&r->gone, r->n_gone, point_id));
        r->n_gone++;
        goto out;
    }
    point.seed     = seed;
    point.is_timed = assay_job_wants_more(&r->cli, &point);
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

static assay_status find_run(resumption *r)
{
    assay_status st    = ASSAY_OK;
    bool         found = false;

    ASSAY_REQUIRE(access(r->cli.database, F_OK) == 0, ASSAY_E_NOTHING,
                  "%s does not exist: it holds no interrupted run", r->cli.database);
    ASSAY_CHECK(assay_store_open(r->cli.database, ASSAY_STORE_WRITE, &r->job.store));
    ASSAY_CHECK(assay_store_find_interrupted(r->job.store, &r->job.run_id, &r->begun, &found));
    ASSAY_REQUIRE(found, ASSAY_E_NOTHING, "%s holds no interrupted run", r->cli.database);
out:
    return st;
}

/* Only their number is among the options: they name files and formats of another command line. */
static void say_what_is_left_out(const resumption *r)
{
    if (read_number(r->begun.options, "--benchmark-flags=") > 0)
        (void)fprintf(stderr, "assay: the --benchmark_ flags of the interrupted run are not "
                              "repeated: the report is that of 'assay report'\n");
}

int assay_command_resume(const assay_cli *cli)
{
    assay_status st = ASSAY_OK;
    resumption   r  = { .cli = *cli, .job = { .lock_fd = -1, .run_fd = -1 } };

    r.job.cli = &r.cli;
    ASSAY_CHECK(find_run(&r));
    ASSAY_CHECK(assay_job_hold(&r.job, r.begun.uuid));
    ASSAY_CHECK(assay_job_read_known(&r.job));
    ASSAY_CHECK(adopt_run(&r));
    ASSAY_CHECK(assay_store_each_ready(r.job.store, r.job.run_id, collect_ready, &r));
    ASSAY_CHECK(skip_gone(&r));
    (void)fprintf(stderr, "assay: resuming run %lld (%s), %lld points left\n",
                  (long long)r.job.run_id, r.cli.command, (long long)r.job.plan.n);
    say_what_is_left_out(&r);
    ASSAY_CHECK(assay_job_supervise(&r.job));
out:
    free(r.gone);
    return assay_job_finish(&r.job, st);
}
