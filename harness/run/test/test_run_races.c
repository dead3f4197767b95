/* Does a check find the races of the shelf in values, without ThreadSanitizer? Each is checked as a
 * user's kernel would be, with as many launches, at seed after seed until it is found.
 *
 *     test_run_races [BASES]   from so many seeds on: the table of docs/schedules.md
 *
 * Without BASES each must be found from two seeds on; with it, what fair schedules alone find is
 * shown beside. */
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const assay_case *const assay_cases[];

enum {
    N_SEEDS   = 25, /* within these, each must be found */
    MAX_BASES = 100,
    BASE_STEP = 1000
};

static assay_runner            runner;
static const assay_device_api *unfair_api; /* unchanged */
static assay_device_api        fair_api;
static int                     n_bases = 2;

static void give_up(void)
{
    (void)fprintf(stderr, "%s\n", assay_status_message());
    exit(4);
}

/* ---- a point at one seed after the other ---- */

/* Schedules fairly: the host device without unfair schedules. */
static void schedule_fairly(assay_device *device, const assay_schedule *schedule)
{
    assay_schedule fair = *schedule;

    if (fair.order == ASSAY_UNFAIR)
        fair.order = ASSAY_SHUFFLED;
    unfair_api->schedule(device, &fair);
}

static assay_status note(void *context, int place, const char *what, double limit_s)
{
    (void)context, (void)place, (void)what, (void)limit_s;
    return ASSAY_OK;
}

static assay_status row(void *context, int place, assay_row_kind kind, const void *data)
{
    (void)place;
    if (kind == ASSAY_ROW_VERDICT)
        *(assay_verdict *)context = ((const assay_verdict_row *)data)->verdict;
    return ASSAY_OK;
}

static assay_verdict verdict_of(const assay_point *point)
{
    assay_verdict    verdict = ASSAY_NOT_RUN;
    const assay_sink sink    = { .context = &verdict, .note = note, .row = row };

    if (assay_run_point(&runner, point, &sink) != ASSAY_OK)
        give_up();
    runner.is_spent = false; /* shelf kernels set their static memory again themselves */
    return verdict;
}

/* The number of seeds from `base` on until the race is found; 0: not found. */
static int seeds_to_find(assay_point *point, uint64_t base)
{
    for (int s = 1; s <= N_SEEDS; s++) {
        point->seed = base + (uint64_t)s;
        if (verdict_of(point) > ASSAY_PASS)
            return s;
    }
    return 0;
}

typedef struct findings {
    int n_found, median, most; /* found from this many bases; then numbers of seeds */
} findings;

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static findings find(const assay_device_api *api, assay_point *point)
{
    int      seeds[MAX_BASES];
    findings f = { .n_found = 0 };

    runner.module.api = api;
    for (int b = 0; b < n_bases; b++) {
        const int n = seeds_to_find(point, (uint64_t)b * BASE_STEP);

        if (n > 0)
            seeds[f.n_found++] = n;
    }
    qsort(seeds, (size_t)f.n_found, sizeof seeds[0], compare);
    f.median = f.n_found > 0 ? seeds[f.n_found / 2] : 0;
    f.most   = f.n_found > 0 ? seeds[f.n_found - 1] : 0;
    return f;
}

/* ---- the shelf ---- */

/* Variants in which ThreadSanitizer must find a race, and races of atomics, which it does not
 * count. A variant that may also spin forever is left out, since it would end this process. */
static bool is_race(const assay_variant *variant)
{
    const unsigned verdicts = variant->expect[ASSAY_LANE_TSAN];

    return ((verdicts & ASSAY_BIT(RACE)) && !(verdicts & ASSAY_BIT(TIMED_OUT))) ||
           strcmp(variant->name, "lost_update") == 0;
}

static bool is_hidden(const assay_variant *variant)
{
    return variant->expect[ASSAY_LANE_HOST] & ASSAY_BIT(PASS);
}

/* The last quick point. As for a user's kernel, no verdicts are expected; a broken kernel would get
 * more launches. */
static assay_point point_of(const assay_case *c, int variant)
{
    static assay_case     definition;
    const assay_selection selection = { .cases      = { c->name },
                                        .n_cases    = 1,
                                        .variants   = { c->variants[variant].name },
                                        .n_variants = 1,
                                        .tiers      = { [ASSAY_QUICK] = true } };
    assay_plan            plan      = { .points = NULL };
    assay_point           point;

    if (assay_plan_build(assay_cases, &selection, &plan) != ASSAY_OK)
        give_up();
    point      = plan.points[plan.n - 1];
    definition = *c;
    memset(definition.variants[variant].expect, 0, sizeof definition.variants[variant].expect);
    point.definition = &definition;
    assay_plan_free(&plan);
    return point;
}

static void print(const findings *f)
{
    char text[64] = "-";

    if (f->n_found > 0)
        (void)snprintf(text, sizeof text, "%d, %d", f->median, f->most);
    (void)printf(" %d of %d | %s |", f->n_found, n_bases, text);
}

/* Prints the row of a race. Was it found from each base? */
static bool look_for(const assay_case *c, int variant, bool shows_fair)
{
    assay_point    point = point_of(c, variant);
    const findings with  = find(unfair_api, &point);

    (void)printf("| `%s/%s` |", c->name, c->variants[variant].name);
    if (shows_fair) {
        const findings without = find(&fair_api, &point);

        print(&without);
    }
    print(&with);
    (void)printf("\n");
    (void)fflush(stdout);
    return with.n_found == n_bases;
}

static bool is_of_shelf(const assay_case *c)
{
    return c->group && strcmp(c->group, "selftest") == 0;
}

/* Returns how many were not found. */
static int look_for_all(bool shows_fair)
{
    int n_missed = 0;

    (void)printf("| kernel |%s found | seeds: median, most |\n",
                 shows_fair ? " found, fair alone | seeds: median, most |" : "");
    (void)printf("|---|%s---|---|\n", shows_fair ? "---|---|" : "");
    for (int i = 0; assay_cases[i]; i++)
        for (int v = 0; assay_cases[i]->variants[v].name; v++) {
            const assay_variant *variant = &assay_cases[i]->variants[v];

            if (is_of_shelf(assay_cases[i]) && is_race(variant) && !is_hidden(variant))
                n_missed += !look_for(assay_cases[i], v, shows_fair);
        }
    return n_missed;
}

int main(int argc, char **argv)
{
    int n_missed = 0;

    n_bases = argc > 1 ? atoi(argv[1]) : n_bases;
    if (n_bases < 1 || n_bases > MAX_BASES) {
        (void)fprintf(stderr, "usage: test_run_races [BASES, 1 to %d]\n", MAX_BASES);
        return 4;
    }
    if (assay_runner_open(&runner, ASSAY_TEST_MODULE, 0, ASSAY_CUPTI_NONE) != ASSAY_OK)
        give_up();
    unfair_api        = runner.module.api;
    fair_api          = *unfair_api;
    fair_api.schedule = schedule_fairly;
    n_missed          = look_for_all(argc > 1);
    runner.module.api = unfair_api;
    assay_runner_close(&runner);
    (void)printf("\n%d missed\n", n_missed);
    return n_missed > 0;
}
