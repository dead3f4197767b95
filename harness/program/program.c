/* The run of a program of one's own: begun with all its points, and ended. */
#include "program_internal.h"

#include "base/clock.h"
#include "base/lock.h"
#include "base/text.h"
#include "exit_status.h"
#include "machine/environment.h"
#include "run/run.h"
#include "supervise/tally.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* Results of hours are not given up for somebody who looks at the file with another program. */
static const double PATIENCE_S = 3600;

bool assay_program_is_other(const assay_program *program) { return program->words.n > 0; }

bool assay_program_can_time(const assay_program *program, int64_t point)
{
    return !program || program->device.can_time || program->points[point].is_cpu;
}

/* ---- the plan ---- */

/* Points of one case that lie together. */
static assay_status store_points(assay_program *program, int64_t first, int64_t n)
{
    const assay_program_point *const p    = program->points + first;
    assay_point_row                 *rows = calloc((size_t)n, sizeof *rows);
    int64_t                         *ids  = calloc((size_t)n, sizeof *ids);
    assay_status                     st   = ASSAY_OK;

    ASSAY_REQUIRE(rows && ids, ASSAY_E_MEMORY, "no memory for %lld planned points", (long long)n);
    for (int64_t i = 0; i < n; i++)
        assay_program_fill_row(&p[i], &rows[i]);
    ASSAY_CHECK(assay_store_plan(program->store, program->run_id, p->case_what, p->case_version,
                                 rows, n, ids));
    for (int64_t i = 0; i < n; i++) {
        program->states[first + i].id       = ids[i];
        program->states[first + i].is_ready = true;
    }
out:
    free(ids);
    free(rows);
    return st;
}

static bool is_same_case(const assay_program_point *a, const assay_program_point *b)
{
    return strcmp(a->case_name, b->case_name) == 0 && a->case_version == b->case_version;
}

static assay_status store_plan(assay_program *program)
{
    enum {
        MOST = 1000 /* rows in memory */
    };
    assay_status st = ASSAY_OK;

    for (int64_t first = 0, end = 0; first < program->n; first = end) {
        while (end < program->n && end < first + MOST &&
               is_same_case(&program->points[end], &program->points[first]))
            end++;
        ASSAY_CHECK(store_points(program, first, end - first));
    }
out:
    return st;
}

assay_status assay_program_hold(assay_program *program)
{
    char         holder[32];
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_lock_try(program->row.uuid, &program->run_fd, holder, sizeof holder));
    ASSAY_REQUIRE(program->run_fd >= 0, ASSAY_E_USAGE,
                  "run %lld is not interrupted: process %s is working on it",
                  (long long)program->run_id, holder);
out:
    return st;
}

/* The run and its points are stored together or not at all. */
static assay_status begin(assay_program *program)
{
    assay_status st = assay_store_begin_plan(program->store);

    if (st != ASSAY_OK)
        return st;
    ASSAY_CHECK(
        assay_store_begin_run(program->store, &program->row, &program->device, &program->run_id));
    ASSAY_CHECK(store_plan(program));
out:
    if (st == ASSAY_OK)
        return assay_store_end_plan(program->store, true);
    (void)assay_store_end_plan(program->store, false); /* the first failure stays the cause */
    return st;
}

/* ---- opening ---- */

static assay_status check_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const bool        is_one =
        name && *name && strlen(name) < ASSAY_NAME_SIZE && !name[strspn(name, letters)];

    return is_one ? ASSAY_OK
                  : ASSAY_FAIL(ASSAY_E_USAGE,
                               "the name of a program is 1 to %d letters, digits and '_'",
                               ASSAY_NAME_SIZE - 1);
}

/* For a moment: the program opens it by itself. */
static assay_status read_device(const assay_device_api *api, assay_device_info *info)
{
    assay_device *device   = NULL;
    char          why[256] = "";
    assay_status  st       = ASSAY_OK;

    ASSAY_REQUIRE(api->count(why, sizeof why) > 0, ASSAY_E_DEVICE, "no %s device: %s", api->kind,
                  why);
    st = api->open(0, &device, info);
    ASSAY_REQUIRE(st == ASSAY_OK, st, "%s", api->message());
out:
    api->close(device);
    return st;
}

/* Kernels are in the program itself. */
static assay_status fill_row(assay_program *program, const assay_device_api *api)
{
    assay_run_row *row = &program->row;
    assay_status   st  = ASSAY_OK;

    ASSAY_CHECK(assay_environment_fill(program->words.argc, program->words.argv,
                                       assay_store_library(), row));
    assay_environment_fill_device(&program->device, row);
    (void)assay_text_set(row->verb, sizeof row->verb, "%s", program->name);
    (void)assay_text_set(row->options, sizeof row->options, "--program=%s\n", program->name);
    (void)assay_text_set(row->lane, sizeof row->lane, "%s",
                         assay_lane_text(assay_lane_of(api->kind)));
    (void)assay_text_set(row->kernels_id, sizeof row->kernels_id, "%s", row->binary_id);
out:
    return st;
}

/* One timing run a GPU at a time; those that this one starts have its leave. */
static assay_status take_device(assay_program *program)
{
    bool is_timing = false;

    for (int64_t i = 0; i < program->n; i++)
        is_timing |= program->points[i].is_timed;
    if (!is_timing || !program->device.can_time || assay_program_is_other(program))
        return ASSAY_OK;
    return assay_lock_take(program->device.uuid, &program->device_fd);
}

static void free_program(assay_program *program)
{
    if (!program)
        return;
    for (int64_t i = 0; program->states && i < program->n; i++)
        assay_record_clear(&program->states[i].record);
    free(program->states);
    assay_lock_release(program->device.uuid, program->device_fd);
    assay_lock_drop(program->row.uuid, program->run_fd);
    assay_store_close(program->store);
    free(program);
}

static assay_status prepare(assay_program *program, const assay_program_start *start)
{
    assay_status st = ASSAY_OK;

    program->states = calloc((size_t)start->n, sizeof *program->states);
    ASSAY_REQUIRE(program->states, ASSAY_E_MEMORY, "no memory for %lld points",
                  (long long)start->n);
    ASSAY_CHECK(read_device(start->device, &program->device));
    ASSAY_CHECK(fill_row(program, start->device));
    ASSAY_CHECK(assay_store_open(program->words.database, ASSAY_STORE_WRITE, &program->store));
    assay_store_set_patience(program->store, PATIENCE_S);
out:
    return st;
}

static assay_status begin_or_resume(assay_program *program)
{
    assay_status st = ASSAY_OK;

    if (program->words.resumes) {
        ASSAY_CHECK(assay_program_resume(program));
    } else {
        ASSAY_CHECK(assay_program_hold(program));
        ASSAY_CHECK(begin(program));
    }
    ASSAY_CHECK(take_device(program));
out:
    return st;
}

assay_status assay_program_open(const assay_program_start *start, assay_program **program)
{
    assay_program *opened = NULL;
    assay_status   st     = ASSAY_OK;

    *program = NULL;
    if (!start->words->database)
        return ASSAY_OK;
    ASSAY_CHECK(check_name(start->name));
    ASSAY_CHECK(assay_program_check_plan(start->points, start->n));
    opened = calloc(1, sizeof *opened);
    ASSAY_REQUIRE(opened, ASSAY_E_MEMORY, "no memory for a run");
    *opened        = (assay_program) { .name      = start->name,
                                       .words     = *start->words,
                                       .points    = start->points,
                                       .n         = start->n,
                                       .run_fd    = -1,
                                       .device_fd = -1 };
    opened->said_s = assay_clock_s();
    if (assay_program_is_other(opened)) /* nobody would read it, and it would go on on the device */
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    ASSAY_CHECK(prepare(opened, start));
    ASSAY_CHECK(begin_or_resume(opened));
    *program = opened;
    return ASSAY_OK;
out:
    free_program(opened);
    return st;
}

/* ---- the end ---- */

/* Who was started for a part has a run of its own that only its starter reads. */
static assay_status end(assay_program *program, int *exit_status)
{
    assay_status st = ASSAY_OK;
    assay_tally  tally;
    int          status;

    ASSAY_CHECK(assay_tally_read(program->store, program->run_id, &tally));
    if (assay_program_is_other(program))
        tally.n_ready = 0;
    status       = assay_tally_exit_status(&tally);
    *exit_status = assay_exit_worse(*exit_status, status);
    if (tally.n_ready == 0)
        ASSAY_CHECK(assay_store_end_run(program->store, program->run_id, status));
    else
        (void)fprintf(stderr,
                      "%s: run %lld of %s has %lld points left: the same command line with "
                      "--resume does the rest\n",
                      program->name, (long long)program->run_id, program->words.database,
                      (long long)tally.n_ready);
out:
    return st;
}

assay_status assay_program_close(assay_program *program, int *exit_status)
{
    const assay_status st = program ? end(program, exit_status) : ASSAY_OK;

    if (st != ASSAY_OK)
        *exit_status = assay_exit_worse(*exit_status, ASSAY_EXIT_USAGE);
    free_program(program);
    return st;
}
