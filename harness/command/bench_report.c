/* A run's measurements through Google Benchmark. */
#include "bench_report.h"

#include "base/text.h"
#include "gbench/gbench.h"
#include "machine/environment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Where a variant is timed. A variant that waits for the device itself is timed on the host. */
typedef enum place {
    ON_DEVICE,
    ON_HOST,
    IN_PEER
} place;

/* What can be measured at a point. The clocks of a regime stand together: only later is it known
 * which of them decides, and a name without a clock stands for the first. */
static const struct {
    assay_regime regime;
    assay_clock  clock;
    place        place; /* of the variants that can have it */
} metrics[] = {
    { ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, ON_DEVICE },
    { ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, ON_DEVICE },
    { ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, ON_DEVICE },
    { ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, ON_DEVICE },
    { ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH, ON_DEVICE },
    { ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST, ON_HOST },
    { ASSAY_REGIME_COLD, ASSAY_CLOCK_PEER, IN_PEER },
    { ASSAY_REGIME_HOT, ASSAY_CLOCK_PEER, IN_PEER },
};
enum {
    N_METRICS = sizeof metrics / sizeof metrics[0]
};

static bool can_have(const assay_point *point, int metric)
{
    const assay_variant *v       = &point->definition->variants[point->variant];
    const bool           is_host = v->cpu || (v->flags & ASSAY_HOST_SYNC);

    return metrics[metric].place == (assay_variant_is_peer(v) ? IN_PEER
                                     : is_host                ? ON_HOST
                                                              : ON_DEVICE);
}

static bool is_first_clock(int metric)
{
    return metric == 0 || metrics[metric].regime != metrics[metric - 1].regime ||
           metrics[metric].place != metrics[metric - 1].place;
}

/* A kernel is timed only if times on this device are meaningful. */
static bool is_timeable(const assay_point *point, bool can_time)
{
    return point->definition->variants[point->variant].cpu ||
           (can_time && !assay_point_unsupported(point));
}

static assay_status is_wanted(const assay_bench_flags *flags, const assay_point *point, int metric,
                              char *name, size_t size, bool *wanted)
{
    char key[ASSAY_KEY_SIZE];

    *wanted = false;
    if (!can_have(point, metric) || (!flags->all_clocks && !is_first_clock(metric)))
        return ASSAY_OK;
    (void)assay_text_set(name, size, "%s/%s%s%s", assay_point_key(point, key, sizeof key),
                         assay_regime_text(metrics[metric].regime), flags->all_clocks ? "/" : "",
                         flags->all_clocks ? assay_clock_text(metrics[metric].clock) : "");
    return assay_gbench_wants(flags->words, flags->n, name, wanted);
}

assay_status assay_bench_filter(const assay_bench_flags *flags, assay_plan *plan)
{
    assay_status st   = ASSAY_OK;
    int64_t      kept = 0;
    char         name[ASSAY_KEY_SIZE + 32];

    for (int64_t i = 0; i < plan->n; i++) {
        bool wanted = false;

        for (int m = 0; m < N_METRICS && !wanted; m++)
            ASSAY_CHECK(is_wanted(flags, &plan->points[i], m, name, sizeof name, &wanted));
        if (wanted)
            plan->points[kept++] = plan->points[i];
    }
    plan->n = kept;
    ASSAY_REQUIRE(kept > 0, ASSAY_E_NOTHING, "--benchmark_filter leaves no point");
out:
    return st;
}

bool assay_bench_lists(const assay_bench_flags *flags, const assay_plan *plan, bool can_time)
{
    char name[ASSAY_KEY_SIZE + 32];

    if (!assay_gbench_flag_is_on(flags->words, flags->n, "list_tests"))
        return false;
    for (int64_t i = 0; i < plan->n; i++)
        for (int m = 0; m < N_METRICS && is_timeable(&plan->points[i], can_time); m++) {
            bool wanted = false;

            if (is_wanted(flags, &plan->points[i], m, name, sizeof name, &wanted) == ASSAY_OK &&
                wanted)
                (void)printf("%s\n", name);
        }
    return true;
}

/* ---- from the store to entries ---- */

typedef struct collection {
    bool                all_clocks;
    assay_gbench_entry *entries;
    int64_t             n;
} collection;

/* All of it was allocated here; the reader sees it as const. */
static void free_all(collection *c)
{
    for (int64_t i = 0; i < c->n; i++) {
        const assay_gbench_entry *e = &c->entries[i];

        for (int64_t k = 0; e->missing && k < e->n_repetitions; k++)
            free((char *)(uintptr_t)e->missing[k]);
        free((char *)(uintptr_t)e->missing);
        free((char *)(uintptr_t)e->name);
        free((char *)(uintptr_t)e->error);
        free((double *)(uintptr_t)e->time_ns);
    }
    free(c->entries);
}

static void add_counter(assay_gbench_entry *e, const char *name, double value, bool is_per_call)
{
    e->counters[e->n_counters++] =
        (assay_gbench_counter) { .name = name, .value = value, .is_per_call = is_per_call };
}

static assay_status begin_entry(collection *c, const assay_process_row *row)
{
    const char         *clock = assay_clock_text(row->clock);
    const size_t        n     = (size_t)row->n_processes;
    assay_gbench_entry *grown = realloc(c->entries, ((size_t)c->n + 1) * sizeof *grown), *e;
    char               *name  = NULL;
    assay_status        st    = ASSAY_OK;

    ASSAY_REQUIRE(grown, ASSAY_E_MEMORY, "no memory for a benchmark");
    c->entries = grown;
    ASSAY_REQUIRE(asprintf(&name, "%s/%s%s%s", row->key, assay_regime_text(row->regime),
                           c->all_clocks ? "/" : "", c->all_clocks ? clock : "") >= 0,
                  ASSAY_E_MEMORY, "no memory for a name");
    e  = &c->entries[c->n++];
    *e = (assay_gbench_entry) { .name    = name,
                                .label   = !c->all_clocks ? clock
                                           : row->decides ? "decides"
                                                          : "",
                                .time_ns = calloc(n, sizeof(double)),
                                .missing = calloc(n, sizeof(char *)) };
    ASSAY_REQUIRE(e->time_ns && e->missing, ASSAY_E_MEMORY, "no memory for %zu processes", n);
    add_counter(e, "bytes_per_second", (double)row->bytes_declared, true);
    add_counter(e, "items_per_second", (double)row->cells, true);
    add_counter(e, "flops", row->flops, true);
    add_counter(e, "sm_clock_MHz", row->sm_clock_mhz, false);
out:
    return st;
}

/* The reason why a process has no number. */
static assay_status explain_process(const assay_process_row *row, char **text)
{
    if (asprintf(text, "no valid sample in this process: %lld throttled, %lld discarded",
                 (long long)row->n_throttled, (long long)row->n_discarded) < 0) {
        *text = NULL;
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a reason");
    }
    return ASSAY_OK;
}

/* Repetition k is process k, even if a process before it has no number. */
static assay_status add_process(void *context, const assay_process_row *row)
{
    assay_status        st   = ASSAY_OK;
    collection         *c    = context;
    char               *text = NULL;
    assay_gbench_entry *e;
    int64_t             k;

    if (row->process == 0)
        ASSAY_CHECK(begin_entry(c, row));
    e                                    = &c->entries[c->n - 1];
    k                                    = e->n_repetitions++;
    ((double *)(uintptr_t)e->time_ns)[k] = row->time_ns;
    if (!isfinite(row->time_ns)) {
        ASSAY_CHECK(explain_process(row, &text));
        ((char **)(uintptr_t)e->missing)[k] = text;
    }
out:
    return st;
}

static assay_status mark_empty(collection *c)
{
    assay_status st = ASSAY_OK;

    for (int64_t i = 0; i < c->n; i++) {
        assay_gbench_entry *e       = &c->entries[i];
        int64_t             n_valid = 0;

        for (int64_t k = 0; k < e->n_repetitions; k++)
            n_valid += !e->missing[k];
        if (n_valid == 0)
            e->error = strdup("no valid sample: see the report");
        ASSAY_REQUIRE(n_valid > 0 || e->error, ASSAY_E_MEMORY, "no memory for a reason");
    }
out:
    return st;
}

/* ---- points without a number ---- */

static assay_status add_unmeasured(collection *c, const char *name, const char *verdict,
                                   const char *reason)
{
    assay_status        st    = ASSAY_OK;
    assay_gbench_entry *grown = realloc(c->entries, ((size_t)c->n + 1) * sizeof *grown), *e;
    char               *error = NULL;

    ASSAY_REQUIRE(grown, ASSAY_E_MEMORY, "no memory for a benchmark");
    c->entries = grown;
    e          = &c->entries[c->n];
    *e         = (assay_gbench_entry) { .name = strdup(name) };
    ASSAY_REQUIRE(e->name, ASSAY_E_MEMORY, "no memory for a name");
    c->n++;
    if (asprintf(&error, "%s%s%s", verdict, *reason ? ": " : "", reason) < 0)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a reason");
    e->error = error;
out:
    return st;
}

/* Adds the point under each name that it would have been measured by. A point that this program no
 * longer has gets none. */
static assay_status name_unmeasured(collection *c, assay_case_table cases,
                                    const assay_bench_flags *flags, const char *key,
                                    const char *verdict, const char *reason)
{
    assay_status st = ASSAY_OK;
    assay_point  point;
    char         name[ASSAY_KEY_SIZE + 32];

    if (assay_point_parse(cases, key, &point) != ASSAY_OK) {
        assay_status_reset();
        return ASSAY_OK;
    }
    for (int m = 0; m < N_METRICS; m++) {
        bool wanted = false;

        ASSAY_CHECK(is_wanted(flags, &point, m, name, sizeof name, &wanted));
        if (wanted)
            ASSAY_CHECK(add_unmeasured(c, name, verdict, reason));
    }
out:
    return st;
}

/* Failed points stand among the numbers. Skipped points are added only if there is nothing else to
 * show: on a machine without a GPU they would be most of the lines. */
static assay_status add_all_unmeasured(collection *c, assay_store *store, int64_t run_id,
                                       assay_case_table cases, const assay_bench_flags *flags)
{
    assay_cursor *row         = NULL;
    const bool    has_numbers = c->n > 0;
    bool          has_failed  = false;
    assay_status  st;

    ASSAY_CHECK(assay_store_query(store, "unmeasured", run_id, &row));
    while (assay_cursor_next(row, &st)) {
        const char *outcome = assay_row_text(row, "outcome");
        const bool  failed  = strcmp(outcome, "failed") == 0;

        has_failed |= failed;
        if (failed || !(has_numbers || has_failed))
            ASSAY_CHECK(name_unmeasured(c, cases, flags, assay_row_text(row, "key"),
                                        assay_row_text(row, "verdict"),
                                        assay_row_text(row, "reason")));
    }
out:
    assay_cursor_close(row);
    return st;
}

assay_status assay_bench_report(assay_store *store, const char *database, int64_t run_id,
                                assay_case_table cases, const assay_bench_flags *flags)
{
    assay_status st = ASSAY_OK;
    collection   c  = { .all_clocks = flags->all_clocks };
    char         run[32], version[128];

    (void)assay_text_set(run, sizeof run, "%lld", (long long)run_id);
    ASSAY_CHECK(assay_gbench_add_context("assay_version",
                                         assay_environment_version(version, sizeof version)));
    ASSAY_CHECK(assay_gbench_add_context("assay_database", database));
    ASSAY_CHECK(assay_gbench_add_context("assay_run", run));
    ASSAY_CHECK(assay_store_each_process(store, run_id, c.all_clocks, add_process, &c));
    ASSAY_CHECK(mark_empty(&c));
    ASSAY_CHECK(add_all_unmeasured(&c, store, run_id, cases, flags));
    ASSAY_CHECK(assay_gbench_report(flags->words, flags->n, c.entries, c.n));
out:
    free_all(&c);
    return st;
}
