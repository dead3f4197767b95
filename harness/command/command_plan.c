/* assay plan: shows what would be done and how long it took before; it needs no device. */
#include "cli.h"
#include "command_run.h"
#include "known_times.h"

#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* `tuned_by`: NULL if the point has no values of an earlier search. */
static void print_point(const assay_point *point, const char *tuned_by)
{
    char        key[ASSAY_KEY_SIZE], tuning[ASSAY_TUNING_SIZE];
    const char *unsupported = assay_point_unsupported(point);
    assay_point run         = assay_point_as_run(point);
    assay_shape shape;

    assay_point_shape(point, point->definition->timed_input, &shape);
    (void)printf("%-78s %9.1f MB device %9.1f MB traffic%s%s",
                 assay_point_key(point, key, sizeof key),
                 (double)assay_point_device_bytes(point) / 1e6,
                 (double)(shape.bytes_read + shape.bytes_written) / 1e6,
                 unsupported ? "  unsupported: " : "", unsupported ? unsupported : "");
    if (tuned_by)
        (void)printf("  %s, %s", assay_point_tuning_text(&run, tuning, sizeof tuning), tuned_by);
    (void)putchar('\n');
}

static void print_points(const assay_plan *plan, const assay_tuned *tuned)
{
    int64_t largest = 0;

    for (int64_t i = 0; i < plan->n; i++) {
        const int64_t bytes = assay_point_device_bytes(&plan->points[i]);

        print_point(&plan->points[i], tuned->by ? tuned->by[i] : NULL);
        largest = bytes > largest ? bytes : largest;
    }
    (void)printf("%" PRId64 " points; the largest needs %.1f MB of device memory\n", plan->n,
                 (double)largest / 1e6);
}

/* ---- for programs ---- */

/* wall_s is null if no time of the case is known. */
static void add_point(assay_json *j, const assay_point *point, const char *tuned_by, double wall_s)
{
    char        key[ASSAY_KEY_SIZE], tuning[ASSAY_TUNING_SIZE];
    assay_point run = assay_point_as_run(point);
    assay_shape shape;

    assay_point_shape(point, point->definition->timed_input, &shape);
    assay_json_open_line(j);
    assay_json_add_text(j, "key", assay_point_key(point, key, sizeof key));
    assay_json_add_text(j, "case_name", point->definition->name);
    assay_json_add_text(j, "variant", point->definition->variants[point->variant].name);
    assay_json_add_text(j, "tier", point->tier == ASSAY_FULL ? "full" : "quick");
    assay_json_add_count(j, "device_bytes", assay_point_device_bytes(point));
    assay_json_add_count(j, "bytes_read", shape.bytes_read);
    assay_json_add_count(j, "bytes_written", shape.bytes_written);
    assay_json_add_text(j, "unsupported", assay_point_unsupported(point));
    assay_json_add_text(j, "tuning",
                        tuned_by ? assay_point_tuning_text(&run, tuning, sizeof tuning) : NULL);
    assay_json_add_text(j, "tuned_by", tuned_by);
    assay_json_add_real(j, "wall_s", wall_s);
    assay_json_close(j, '}');
}

static void print_json(const assay_plan *plan, const assay_tuned *tuned, assay_known_times *times)
{
    assay_json j = { .out = stdout };

    if (times->wall_s)
        assay_known_times_spread(plan->points, plan->n, times);
    assay_json_open(&j, NULL, '{');
    assay_json_add_text(&j, "format", "assay plan");
    assay_json_add_count(&j, "format_version", 1);
    assay_json_add_text(&j, "device", times->n_known > 0 ? times->device : NULL);
    assay_json_open(&j, "points", '[');
    for (int64_t i = 0; i < plan->n; i++)
        add_point(&j, &plan->points[i], tuned->by ? tuned->by[i] : NULL,
                  times->wall_s ? times->wall_s[i] : NAN);
    assay_json_close(&j, ']');
    assay_json_close(&j, '}');
    (void)putchar('\n');
}

/* ---- how long it takes ---- */

static void print_time(const assay_plan *plan, assay_known_times *times, const char *path)
{
    double  all_s     = 0;
    int64_t n_unknown = 0; /* points of cases without any known time */

    assay_known_times_spread(plan->points, plan->n, times);
    for (int64_t i = 0; i < plan->n; i++) {
        all_s += isnan(times->wall_s[i]) ? 0 : times->wall_s[i];
        n_unknown += isnan(times->wall_s[i]);
    }
    (void)printf("about %.0f min to time them on an %s, by what they took in %s:\n"
                 "  %" PRId64 " known, %" PRId64 " as long as others of their case, %" PRId64
                 " of cases without a time, not counted\n",
                 ceil(all_s / 60), times->device, path, times->n_known,
                 plan->n - times->n_known - n_unknown, n_unknown);
}

/* A database that does not exist gives no times; it is an error only if it was named. */
static assay_status read_times(const assay_cli *cli, const assay_plan *plan,
                               assay_known_times *times)
{
    assay_status st    = ASSAY_OK;
    assay_store *store = NULL;

    if (!cli->has_database && access(cli->database, F_OK) != 0)
        return ASSAY_OK;
    ASSAY_CHECK(assay_store_open(cli->database, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_known_times_read(store, 0, plan->points, plan->n, NULL, times));
out:
    assay_store_close(store);
    return st;
}

static void print(const assay_cli *cli, const assay_plan *plan, const assay_tuned *tuned,
                  assay_known_times *times)
{
    if (strcmp(cli->format, "json") == 0) {
        print_json(plan, tuned, times);
        return;
    }
    print_points(plan, tuned);
    if (times->n_known > 0)
        print_time(plan, times, cli->database);
    else if (cli->has_database)
        (void)printf("none of them was ever timed in %s\n", cli->database);
}

/* Takes the values of the device that searched last, since a plan has no device. */
static assay_status take_tuning(const assay_cli *cli, assay_plan *plan, assay_tuned *tuned)
{
    assay_status st    = ASSAY_OK;
    assay_store *store = NULL;

    if (!cli->is_tuned)
        return ASSAY_OK;
    if (!cli->has_database && access(cli->database, F_OK) != 0) {
        (void)fprintf(stderr, "assay: tuned: %s does not exist: no search is known\n",
                      cli->database);
        return ASSAY_OK;
    }
    ASSAY_CHECK(assay_store_open(cli->database, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_tuned_take(store, 0, NULL, plan->points, plan->n, tuned));
    assay_tuned_say(tuned, cli->database, stderr);
out:
    assay_store_close(store);
    return st;
}

int assay_command_plan(const assay_cli *cli)
{
    const char       *device   = strcmp(cli->target.device, "cuda") == 0 ? "cuda" : "host";
    assay_plan        plan     = { .points = NULL };
    assay_tuned       tuned    = { .by = NULL };
    assay_status      st       = ASSAY_OK;
    bool              is_empty = false;
    assay_known_times times    = { .n_known = 0 };
    assay_run_request request;
    assay_selection   selection;

    assay_cli_request(cli, ASSAY_RUN_CHECK, &request);
    selection = assay_run_request_selection(&request, device);
    ASSAY_CHECK(assay_plan_build(cli->cases, &selection, &plan));
    if (plan.left_out[0])
        (void)fprintf(stderr, "assay: %s\n", plan.left_out);
    ASSAY_CHECK(assay_job_cut(cli->n_each, &cli->shard, &plan, &is_empty));
    ASSAY_CHECK(take_tuning(cli, &plan, &tuned));
    ASSAY_CHECK(read_times(cli, &plan, &times));
    print(cli, &plan, &tuned, &times);
out:
    assay_known_times_free(&times);
    assay_tuned_free(&tuned);
    assay_plan_free(&plan);
    if (st == ASSAY_OK && is_empty)
        return ASSAY_EXIT_SKIPPED;
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
