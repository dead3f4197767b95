/* assay plan: what would be done, and how long that took before, without any device. */
#include "cli.h"
#include "command_run.h"

#include "run/run.h"
#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_point(const assay_point *point)
{
    char        key[ASSAY_KEY_SIZE];
    const char *unsupported = assay_point_unsupported(point);
    assay_shape shape;

    assay_point_shape(point, point->definition->timed_input, &shape);
    (void)printf("%-78s %9.1f MB device %9.1f MB traffic%s%s\n",
                 assay_point_key(point, key, sizeof key),
                 (double)assay_point_device_bytes(point) / 1e6,
                 (double)(shape.bytes_read + shape.bytes_written) / 1e6,
                 unsupported ? "  unsupported: " : "", unsupported ? unsupported : "");
}

static void print_points(const assay_plan *plan)
{
    int64_t largest = 0;

    for (int64_t i = 0; i < plan->n; i++) {
        const int64_t bytes = assay_point_device_bytes(&plan->points[i]);

        print_point(&plan->points[i]);
        largest = bytes > largest ? bytes : largest;
    }
    (void)printf("%" PRId64 " points; the largest needs %.1f MB of device memory\n", plan->n,
                 (double)largest / 1e6);
}

/* ---- how long it takes ---- */

typedef struct known_point {
    char   key[ASSAY_KEY_SIZE];
    double wall_s; /* NaN: it was never timed */
} known_point;

typedef struct known_times {
    known_point *points; /* owned; sorted by key */
    int64_t      n, n_known;
    char         device[128];
} known_times;

static int by_key(const void *a, const void *b)
{
    return strcmp(((const known_point *)a)->key, ((const known_point *)b)->key);
}

static assay_status list_keys(const assay_plan *plan, known_times *times)
{
    assay_status st = ASSAY_OK;

    times->points = calloc((size_t)plan->n + 1, sizeof *times->points);
    ASSAY_REQUIRE(times->points, ASSAY_E_MEMORY, "no memory for %" PRId64 " points", plan->n);
    for (; times->n < plan->n; times->n++) {
        known_point *point = &times->points[times->n];

        (void)assay_point_key(&plan->points[times->n], point->key, sizeof point->key);
        point->wall_s = NAN;
    }
    qsort(times->points, (size_t)times->n, sizeof *times->points, by_key);
out:
    return st;
}

static assay_status read_times(const char *path, known_times *times)
{
    assay_status  st     = ASSAY_OK;
    assay_store  *store  = NULL;
    assay_cursor *cursor = NULL;

    ASSAY_CHECK(assay_store_open(path, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_store_query(store, "took", 0, &cursor));
    while (assay_cursor_next(cursor, &st)) {
        known_point  wanted;
        known_point *found;

        (void)snprintf(wanted.key, sizeof wanted.key, "%s", assay_row_text(cursor, "key"));
        found = bsearch(&wanted, times->points, (size_t)times->n, sizeof wanted, by_key);
        if (!found)
            continue;
        found->wall_s = assay_row_number(cursor, "wall_s");
        times->n_known++;
        (void)snprintf(times->device, sizeof times->device, "%s", assay_row_text(cursor, "device"));
    }
out:
    assay_cursor_close(cursor);
    assay_store_close(store);
    return st;
}

static size_t case_length(const known_point *point) { return strcspn(point->key, "/"); }

/* Those of the case of points[first]; *end is behind them. The others of a case are taken to be as
 * long as its known ones; NaN: none is known. */
static double case_s(const known_times *times, int64_t first, int64_t *end)
{
    const size_t length  = case_length(&times->points[first]);
    double       known_s = 0;
    int64_t      n_known = 0;

    for (*end = first; *end < times->n; ++*end) {
        const known_point *point = &times->points[*end];

        if (case_length(point) != length ||
            strncmp(point->key, times->points[first].key, length) != 0)
            break;
        known_s += isnan(point->wall_s) ? 0 : point->wall_s;
        n_known += !isnan(point->wall_s);
    }
    return n_known > 0 ? known_s / (double)n_known * (double)(*end - first) : NAN;
}

static void print_time(const known_times *times, const char *path)
{
    double  all_s     = 0;
    int64_t n_unknown = 0; /* of cases of which nothing is known */

    for (int64_t first = 0, end; first < times->n; first = end) {
        const double time_s = case_s(times, first, &end);

        all_s += isnan(time_s) ? 0 : time_s;
        n_unknown += isnan(time_s) ? end - first : 0;
    }
    (void)printf("timing them takes about %.0f min on an %s, by what %" PRId64
                 " of them took in %s",
                 ceil(all_s / 60), times->device, times->n_known, path);
    if (times->n_known + n_unknown < times->n)
        (void)printf(", %" PRId64 " taken to be as long as others of their case",
                     times->n - times->n_known - n_unknown);
    if (n_unknown > 0)
        (void)printf(", without %" PRId64 " of cases that were never timed", n_unknown);
    (void)printf("\n");
}

/* A database that is not there says nothing, unless it was named. */
static assay_status tell_time(const assay_cli *cli, const assay_plan *plan)
{
    assay_status st    = ASSAY_OK;
    known_times  times = { .points = NULL };

    if (!cli->has_database && access(cli->database, F_OK) != 0)
        return ASSAY_OK;
    ASSAY_CHECK(list_keys(plan, &times));
    ASSAY_CHECK(read_times(cli->database, &times));
    if (times.n_known > 0)
        print_time(&times, cli->database);
    else if (cli->has_database)
        (void)printf("none of them was ever timed in %s\n", cli->database);
out:
    free(times.points);
    return st;
}

int assay_command_plan(const assay_cli *cli)
{
    const char       *device   = strcmp(cli->target.device, "cuda") == 0 ? "cuda" : "host";
    assay_plan        plan     = { .points = NULL };
    assay_status      st       = ASSAY_OK;
    bool              is_empty = false;
    assay_run_request request;
    assay_selection   selection;

    assay_cli_request(cli, ASSAY_RUN_CHECK, &request);
    selection = assay_run_request_selection(&request, device);
    ASSAY_CHECK(assay_plan_build(cli->cases, &selection, &plan));
    if (plan.left_out[0])
        (void)fprintf(stderr, "assay: %s\n", plan.left_out);
    ASSAY_CHECK(assay_job_shard(&cli->shard, &plan, &is_empty));
    print_points(&plan);
    ASSAY_CHECK(tell_time(cli, &plan));
out:
    assay_plan_free(&plan);
    if (st == ASSAY_OK && is_empty)
        return ASSAY_EXIT_SKIPPED;
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
