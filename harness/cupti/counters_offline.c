/* What can be said about counters without counting: whether a chip has them, and their names. */
#include "counters.h"

#include "base/nearest.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static assay_status fail_from(const assay_cupti_api *api, assay_status status)
{
    return ASSAY_FAIL(status, "%s", api->message());
}

/* ---- the nearest name ---- */

typedef struct closest {
    const char *word; /* a base name that the chip does not have */
    int         distance;
    char        name[ASSAY_METRIC_NAME_SIZE]; /* "" until one was seen */
} closest;

/* Names are long and similar, so what two names have in common at both ends is ignored. */
static int distance_between(const char *a, const char *b)
{
    char   word[ASSAY_METRIC_NAME_SIZE], candidate[ASSAY_METRIC_NAME_SIZE];
    size_t na = strlen(a), nb = strlen(b);

    while (*a && *a == *b)
        a++, b++, na--, nb--;
    while (na > 0 && nb > 0 && a[na - 1] == b[nb - 1])
        na--, nb--;
    assay_nearest one = { .word = assay_text_set(word, sizeof word, "%.*s", (int)na, a) };

    assay_nearest_try(&one, assay_text_set(candidate, sizeof candidate, "%.*s", (int)nb, b));
    return one.distance;
}

static void visit_closest(void *context, const char *name, const char *description)
{
    closest  *c        = context;
    const int distance = distance_between(c->word, name);

    (void)description;
    if (c->name[0] && distance >= c->distance)
        return;
    c->distance = distance;
    (void)assay_text_set(c->name, sizeof c->name, "%s", name);
}

/* " (did you mean 'dram__bytes_read.sum'?)"; "" if the chip has the metric and something else is
 * wrong. */
static const char *nearest_metric(const assay_cupti_api *api, const char *chip,
                                  const assay_metric_value *metric, char *hint, size_t size)
{
    char        base[ASSAY_METRIC_NAME_SIZE], name[2 * ASSAY_METRIC_NAME_SIZE];
    const char *unit_end = strstr(metric->name, "__");
    const char *suffix   = unit_end ? strchr(unit_end, '.') : NULL;
    closest     c        = { .word = base };

    hint[0] = '\0';
    if (!suffix)
        suffix = metric->name + strlen(metric->name);
    (void)assay_text_set(base, sizeof base, "%.*s", (int)(suffix - metric->name), metric->name);
    if (api->counters_list(chip, "", visit_closest, &c) != ASSAY_OK || c.distance == 0)
        return hint;
    const assay_nearest nearest = { .word     = metric->name,
                                    .best     = assay_text_set(name, sizeof name, "%s%s", c.name,
                                                           suffix[0] ? suffix : ".sum"),
                                    .distance = c.distance };

    return assay_nearest_hint(&nearest, hint, size);
}

/* ---- --dry-run ---- */

typedef struct dry_run {
    const assay_cupti_api *api;
    const char            *chip;
    FILE                  *out;
    int                    n_metrics, n_refused;
} dry_run;

static void print_metric(dry_run *d, const assay_metric_value *metric, int width)
{
    char hint[256] = "";

    if (metric->status == ASSAY_METRIC_UNSUPPORTED)
        (void)nearest_metric(d->api, d->chip, metric, hint, sizeof hint);
    (void)fprintf(d->out, "  %-*s  %s%s%s%s\n", width, metric->name,
                  assay_metric_status_text(metric->status), metric->reason[0] ? ": " : "",
                  metric->reason, hint);
    d->n_metrics++;
    d->n_refused += metric->status != ASSAY_METRIC_OK;
}

static void print_metrics(dry_run *d, const assay_metric_value *metrics, int n)
{
    int width = 0;

    for (int i = 0; i < n; i++)
        width = (int)strlen(metrics[i].name) > width ? (int)strlen(metrics[i].name) : width;
    for (int i = 0; i < n; i++)
        print_metric(d, &metrics[i], width);
}

/* Prints one line and, if `with_metrics`, another one for each metric. */
static assay_status show(dry_run *d, const char *title, const char *list, bool with_metrics)
{
    assay_status        st       = ASSAY_OK;
    assay_metric_value *metrics  = NULL;
    int                 n        = 0;
    int                 n_passes = 0;

    ASSAY_CHECK(assay_counters_parse(list, &metrics, &n));
    st = d->api->counters_validate(d->chip, metrics, n, &n_passes);
    if (st != ASSAY_OK)
        ASSAY_CHECK(fail_from(d->api, st));
    const assay_preset *preset = assay_counters_preset(title);

    (void)fprintf(d->out, "%s: %d metric%s, %d pass%s on %s%s%s\n", title, n, n == 1 ? "" : "s",
                  n_passes, n_passes == 1 ? "" : "es", d->chip, preset ? "; " : "",
                  preset ? preset->what : "");
    if (with_metrics)
        print_metrics(d, metrics, n);
out:
    free(metrics);
    return st;
}

static bool is_word_of(const char *list, const char *word)
{
    const size_t length = strlen(word);

    for (const char *p = list; *p; p += strcspn(p, ","), p += *p == ',')
        if (strcspn(p, ",") == length && memcmp(p, word, length) == 0)
            return true;
    return false;
}

/* Each preset separately; or a selection as it would be counted, then its presets for comparison.
 */
static assay_status show_all(dry_run *d, const char *list)
{
    assay_status st = ASSAY_OK;

    if (list)
        ASSAY_CHECK(show(d, assay_counters_preset(list) ? list : "selection", list, true));
    for (const assay_preset *p = assay_presets; p->name; p++) {
        if (!list)
            ASSAY_CHECK(show(d, p->name, p->name, true));
        else if (strcmp(list, p->name) != 0 && is_word_of(list, p->name))
            ASSAY_CHECK(show(d, p->name, p->name, false));
    }
out:
    return st;
}

assay_status assay_counters_dry_run(const assay_cupti_api *api, const char *chip, const char *list,
                                    FILE *out)
{
    assay_status st = ASSAY_OK;
    dry_run      d  = { .api = api, .chip = chip, .out = out };

    ASSAY_CHECK(show_all(&d, list));
    ASSAY_REQUIRE(d.n_refused == 0, ASSAY_E_USAGE,
                  "%d of %d metrics cannot be counted on %s; 'assay profile --list-metrics --chip "
                  "%s' lists what can",
                  d.n_refused, d.n_metrics, chip, chip);
out:
    return st;
}

/* ---- --list-metrics ---- */

typedef struct listing {
    FILE *out;
    int   n;
} listing;

static void visit_print(void *context, const char *name, const char *description)
{
    listing *l = context;

    (void)fprintf(l->out, "%-70s %s\n", name, description);
    l->n++;
}

assay_status assay_counters_list(const assay_cupti_api *api, const char *chip, const char *part,
                                 FILE *out)
{
    assay_status st = ASSAY_OK;
    listing      l  = { .out = out };

    st = api->counters_list(chip, part ? part : "", visit_print, &l);
    if (st != ASSAY_OK)
        ASSAY_CHECK(fail_from(api, st));
    ASSAY_REQUIRE(l.n > 0, ASSAY_E_NOTHING, "%s has no metric with '%s' in its name", chip, part);
    (void)fprintf(out,
                  "%d metrics. A suffix makes one countable: .sum .avg .min .max for counts, "
                  ".ratio or .pct for ratios,\n.avg.pct_of_peak_sustained_elapsed for throughputs "
                  "and (or .per_second) for counts.\n",
                  l.n);
out:
    return st;
}
