/* Groups of configurations in a run of their own. Other work on the machine disturbs a repeat now
 * and then, so that a figure is stored as its median, with both extremes. */
#include "photon_stream.h"

#include "exit_status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stream_store {
    assay_program_point *points; /* owned; borrowed by the program */
    int64_t              n, capacity;
    bool                 is_planned;
    int                  n_groups;  /* planned groups; while measuring, those that have not begun */
    uint64_t             opened_ns; /* ... since this time */
    int64_t              next;      /* of the points */
    int64_t              n_right;
    const char          *name;
    assay_program       *program; /* owned; NULL: nothing is stored */
};

/* False, with the sentence of the failure on stderr. */
static bool works_well(assay_status st)
{
    if (st != ASSAY_OK)
        (void)fprintf(stderr, "photon_stream: %s\n", assay_status_message());
    return st == ASSAY_OK;
}

bool stream_store_create(stream_store **store)
{
    *store = calloc(1, sizeof **store);
    return *store || stream_fail("results", PHOTON_SESSION_NO_MEMORY);
}

bool stream_store_open(stream_store *store, const char *name, const assay_program_words *words)
{
    const assay_program_start start = { name, words, assay_module_api(), store->points, store->n };

    store->is_planned = true;
    store->opened_ns  = stream_now_ns();
    store->name       = name;
    return works_well(assay_program_open(&start, &store->program));
}

int stream_store_close(stream_store *store, bool works)
{
    int status = works ? ASSAY_EXIT_PASS : ASSAY_EXIT_WRONG;

    if (works)
        (void)printf("%s: %lld of %lld points are right\n", store->name, (long long)store->n_right,
                     (long long)store->n);
    if (!works_well(assay_program_close(store->program, &status)))
        status = assay_exit_worse(status, ASSAY_EXIT_USAGE);
    store->program = NULL;
    return status;
}

void stream_store_free(stream_store *store)
{
    if (!store)
        return;
    free(store->points);
    free(store);
}

/* ---- planning ---- */

static bool make_room(stream_store *store, int64_t n)
{
    assay_program_point *grown = store->points;

    if (store->n + n > store->capacity) {
        store->capacity = 2 * store->capacity + n;
        grown           = realloc(store->points, (size_t)store->capacity * sizeof *grown);
        store->points   = grown ? grown : store->points;
    }
    return grown || stream_fail("results", PHOTON_SESSION_NO_MEMORY);
}

/* Two meshes of the same name count as one: another mesh needs another name. */
static const char *geometry_of(const stream_question *q)
{
    const char *slash = q->mesh ? strrchr(q->mesh, '/') : NULL;

    return slash ? slash + 1 : q->mesh ? q->mesh : "box";
}

static void add_axis(assay_program_point *p, assay_program_axis axis)
{
    p->axis[p->n_axes++] = axis;
}

static bool plan_group(const stream_question *q, const stream_group *g)
{
    stream_store *store = q->store;

    if (!make_room(store, g->n_rows))
        return false;
    store->n_groups++;
    for (int k = 0; k < g->n_rows; k++) {
        assay_program_point *p = &store->points[store->n++];

        *p = (assay_program_point) { .case_name    = q->case_name,
                                     .case_what    = q->what,
                                     .case_version = 1,
                                     .variant      = g->row[k].variant,
                                     .seed         = 100,
                                     .cells        = g->shape.photons,
                                     .is_timed     = true };
        if (strcmp(g->row[k].variant, g->row[0].variant) != 0)
            p->baseline = g->row[0].variant;
        add_axis(p, (assay_program_axis) { .name = "geometry", .word = geometry_of(q) });
        add_axis(p, (assay_program_axis) { .name = "photons", .value = { g->shape.photons } });
        add_axis(p, (assay_program_axis) { .name = "events", .value = { g->n } });
        if (g->row[k].axis.name)
            add_axis(p, g->row[k].axis);
    }
    return true;
}

/* ---- measuring ---- */

/* The time that is left is shared equally by all groups: what small events leave goes to the large
 * ones. */
static double share_ns(const stream_question *q)
{
    const double spent_ns = (double)(stream_now_ns() - q->store->opened_ns);

    return q->is_bounded ? (1e9 * STREAM_BUDGET_S - spent_ns) / q->store->n_groups
                         : (double)INFINITY;
}

static bool make_table(const stream_question *q, const stream_group *g, stream_table *t)
{
    const size_t n = (size_t)g->n_rows * (size_t)q->repeats;

    *t = (stream_table) { .group     = g,
                          .first     = q->store->next,
                          .n_repeats = q->repeats,
                          .begun_ns  = stream_now_ns(),
                          .share_ns  = share_ns(q),
                          .value     = calloc(n * (size_t)g->n_figures, sizeof *t->value),
                          .time_ns   = calloc(n * (size_t)g->n_samples, sizeof *t->time_ns),
                          .failed    = -1 };
    return (t->value && t->time_ns) || stream_fail("figures", PHOTON_SESSION_NO_MEMORY);
}

bool stream_group_begin(const stream_question *q, const stream_group *group, stream_table *table,
                        bool *is_wanted)
{
    stream_store *store = q->store;
    bool          works;

    *is_wanted = false;
    if (!store->is_planned)
        return plan_group(q, group);
    works = works_well(assay_program_take(store->program, store->next, group->n_rows, is_wanted));
    if (works && *is_wanted)
        *is_wanted = works = make_table(q, group, table);
    store->next += group->n_rows;
    store->n_groups--;
    return works;
}

bool stream_wants_repeat(const stream_table *t)
{
    const int    n          = t->n_done[t->group->n_rows - 1];
    const double elapsed_ns = (double)(stream_now_ns() - t->begun_ns);

    return n < t->n_repeats && (n == 0 || elapsed_ns * (n + 1) / n <= t->share_ns);
}

static double *values_of(const stream_table *t, int row, int figure)
{
    return t->value +
           ((size_t)row * (size_t)t->group->n_figures + (size_t)figure) * (size_t)t->n_repeats;
}

static double *times_of(const stream_table *t, int row, int repeat)
{
    return t->time_ns +
           ((size_t)row * (size_t)t->n_repeats + (size_t)repeat) * (size_t)t->group->n_samples;
}

void stream_table_set(stream_table *t, int row, const double *figures, const double *time_ns,
                      uint64_t digest)
{
    const int repeat = t->n_done[row]++;

    if (row == 0 && repeat == 0)
        t->digest = digest;
    for (int k = 0; k < t->group->n_figures; k++)
        values_of(t, row, k)[repeat] = figures[k];
    memcpy(times_of(t, row, repeat), time_ns, (size_t)t->group->n_samples * sizeof *time_ns);
    t->n_other[row] += digest != t->digest;
}

/* ---- storing ---- */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

double stream_median(double *value, int n)
{
    qsort(value, (size_t)n, sizeof *value, compare_doubles);
    return value[(n - 1) / 2];
}

static assay_status put_fact(assay_program *program, int64_t point, const char *name,
                             const char *end, double value)
{
    char text[64];

    (void)snprintf(text, sizeof text, "%s%s", name, end);
    return assay_program_put_fact(program, point, text, value);
}

static assay_status put_figure(assay_program *program, const stream_table *t, int row, int figure)
{
    const stream_figure_about *about = &t->group->figure[figure];
    const int64_t              point = t->first + row;
    const int                  n     = t->n_done[row];
    double                     sorted[STREAM_REPEATS], median;
    assay_status               st = ASSAY_OK;

    if (about->is_of_time && !assay_program_can_time(program, point))
        return ASSAY_OK;
    memcpy(sorted, values_of(t, row, figure), (size_t)n * sizeof *sorted);
    median = stream_median(sorted, n);
    ASSAY_CHECK(put_fact(program, point, about->name, "", median));
    if (n > 1 && !isnan(median)) {
        ASSAY_CHECK(put_fact(program, point, about->name, "_least", sorted[0]));
        ASSAY_CHECK(put_fact(program, point, about->name, "_most", sorted[n - 1]));
    }
out:
    return st;
}

/* A block is a repeat, so that configurations are paired repeat by repeat. */
static assay_status put_numbers(assay_program *program, const stream_table *t, int row)
{
    const assay_program_times times = { .clock    = ASSAY_PROGRAM_WALL,
                                        .time_ns  = times_of(t, row, 0),
                                        .n        = (int64_t)t->n_done[row] * t->group->n_samples,
                                        .n_blocks = t->n_done[row],
                                        .calls    = t->group->n / t->group->n_samples };
    assay_status              st    = ASSAY_OK;

    ASSAY_CHECK(assay_program_put_times(program, t->first + row, &times));
    for (int k = 0; k < t->group->n_figures; k++)
        ASSAY_CHECK(put_figure(program, t, row, k));
out:
    return st;
}

static assay_status put_row(assay_program *program, const stream_table *t, int row)
{
    const assay_program_check checks[] = {
        { .output = "results",
          .why   = "an event of each kind has all bits of a launch per step, and each event of the "
                   "stream its tally",
          .error = t->failed == row },
        { .output = "digest",
          .why    = "all repeats of all configurations have the same results",
          .error  = t->n_other[row] },
    };
    assay_status st = ASSAY_OK;

    if (t->failed >= 0 && t->failed != row)
        return assay_program_skip(program, t->first + row, "the stream of another one was wrong");
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        ASSAY_CHECK(assay_program_put_check(program, t->first + row, &checks[i]));
    if (t->failed < 0 && t->n_other[row] == 0)
        ASSAY_CHECK(put_numbers(program, t, row));
out:
    return st;
}

/* A group that broke off without a row to blame stays without verdicts. */
static bool put_group(stream_store *store, const stream_table *t)
{
    assay_status st = ASSAY_OK;

    for (int row = 0; row < t->group->n_rows; row++) {
        ASSAY_CHECK(put_row(store->program, t, row));
        store->n_right += t->failed < 0 && t->n_other[row] == 0;
    }
    ASSAY_CHECK(assay_program_finish(store->program));
out:
    return works_well(st);
}

static bool have_all_one_digest(const stream_table *t)
{
    for (int row = 0; row < t->group->n_rows; row++)
        if (t->n_other[row] > 0) {
            (void)fprintf(stderr, "photon_stream: %s: the digest differs\n",
                          t->group->row[row].variant);
            return false;
        }
    return true;
}

bool stream_finish(const stream_question *q, stream *s, stream_table *t, bool works)
{
    if (works || t->failed >= 0)
        works = put_group(q->store, t) && have_all_one_digest(t) && works;
    stream_close(s);
    free(t->value);
    free(t->time_ns);
    return works;
}

bool stream_each_size(const stream_question *q, int64_t least, int64_t most,
                      bool (*measure)(const stream_question *q, int64_t photons))
{
    bool works = true;

    for (int64_t photons = least; works && photons <= q->photons && photons <= most; photons *= 10)
        works = measure(q, photons);
    return works;
}
