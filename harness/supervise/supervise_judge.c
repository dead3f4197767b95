/* Judges the numbers of a group, and pairs its variants. */
#include "supervise_internal.h"

#include "base/text.h"
#include "decide.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_MEASURED = 16 /* measurements of a point: regimes times clocks */
};

static int measured_of(entry *e, assay_measured *m)
{
    int n = 0;

    for (; n < e->record.n_measurements && n < MAX_MEASURED; n++)
        m[n] =
            (assay_measured) { &e->record.measurements[n].row, &e->record.measurements[n].samples };
    return n;
}

static void judge(const supervisor *s, entry *e)
{
    assay_measured m[MAX_MEASURED] = { { NULL, NULL } };
    const int      n               = measured_of(e, m);

    assay_decide(m, n);
    for (int i = 0; i < n; i++) {
        assay_decide_limits(m[i].row, s->ceilings, s->n_ceilings);
        if (assay_decide_is_too_fast(m[i].row, e->verdict.reason, sizeof e->verdict.reason))
            e->verdict.verdict = ASSAY_SUSPECT;
    }
}

static const assay_regime regimes[] = { ASSAY_REGIME_COLD, ASSAY_REGIME_HOT, ASSAY_REGIME_GRAPH,
                                        ASSAY_REGIME_E2E };

static const assay_variant *variant_of(const entry *e)
{
    return &e->point->definition->variants[e->point->variant];
}

static bool is_measured(const assay_measured *m, int n, assay_regime regime)
{
    for (int i = 0; i < n; i++)
        if (m[i].row->regime == regime)
            return true;
    return false;
}

/* A peer has no graphs and is not called by this host, so nothing is missing there. */
static bool is_outside_peers(const entry *e, const entry *other, const assay_measured *b, int n_b,
                             const assay_measured *v, int n_v, assay_regime regime)
{
    if (!other->point ||
        !(assay_variant_is_peer(variant_of(e)) || assay_variant_is_peer(variant_of(other))))
        return false;
    return !is_measured(v, n_v, regime) || !is_measured(b, n_b, regime);
}

/* `why`: the reason why there is no speed-up in any regime, or NULL. */
static assay_status compare(entry *e, entry *other, const char *kind, const char *against,
                            const char *why)
{
    assay_status   st              = ASSAY_OK;
    assay_measured v[MAX_MEASURED] = { { NULL, NULL } }, b[MAX_MEASURED] = { { NULL, NULL } };
    const int      n_v = measured_of(e, v), n_b = measured_of(other, b);

    for (size_t r = 0; r < sizeof regimes / sizeof regimes[0]; r++) {
        assay_comparison_row row = { .n_pairs = 0 };

        if (is_outside_peers(e, other, b, n_b, v, n_v, regimes[r]))
            continue;
        if (!assay_decide_speedup(v, n_v, b, n_b, regimes[r], &row))
            continue;
        (void)assay_text_set(row.kind, sizeof row.kind, "%s", kind);
        (void)assay_text_set(row.against, sizeof row.against, "%s", against);
        if (why)
            (void)assay_text_set(row.reason, sizeof row.reason, "%s", why);
        ASSAY_CHECK(assay_record_put(&e->record, ASSAY_ROW_COMPARISON, &row));
    }
out:
    return st;
}

/* If the baseline has no times, a row says why there is no speed-up. */
static assay_status compare_with_nothing(entry *e, const entry *other, const char *baseline)
{
    entry nothing  = { .id = 0 };
    char  why[160] = "";

    if (!other)
        (void)assay_text_set(why, sizeof why, "%s is not among the points timed with this one",
                             baseline);
    else
        (void)assay_text_set(why, sizeof why, "%s: %s", baseline,
                             other->has_no_room ? "the budget has no room to time it"
                             : other->verdict.verdict == ASSAY_PASS
                                 ? "could not be timed"
                                 : assay_verdict_text(other->verdict.verdict));
    return compare(e, &nothing, "speedup", baseline, why);
}

static assay_status compare_with_baseline(entry *e, entry *entries, int n)
{
    const char *baseline = variant_of(e)->baseline;
    entry      *other    = NULL;

    if (!baseline)
        return ASSAY_OK;
    for (int i = 0; i < n && !other; i++) /* the first one, as in the view compared */
        if (strcmp(variant_of(&entries[i])->name, baseline) == 0)
            other = &entries[i];
    if (other && assay_entry_is_alive(other))
        return compare(e, other, "speedup", baseline, NULL);
    return compare_with_nothing(e, other, baseline);
}

/* Each kernel is compared with every peer that was timed with it, since peers are what people would
 * use instead. */
static assay_status compare_with_peers(entry *e, entry *entries, int n)
{
    assay_status st       = ASSAY_OK;
    const char  *baseline = variant_of(e)->baseline;

    if (!assay_variant_is_launched(variant_of(e)))
        return ASSAY_OK;
    for (int i = 0; i < n; i++) {
        const char *name = variant_of(&entries[i])->name;

        if (assay_variant_is_peer(variant_of(&entries[i])) && assay_entry_is_alive(&entries[i]) &&
            !(baseline && strcmp(baseline, name) == 0))
            ASSAY_CHECK(compare(e, &entries[i], "speedup", name, NULL));
    }
out:
    return st;
}

/* A fault of a twin is a fault of its point. */
static assay_status blame_points(entry *entries, int n, const entry *twins, int n_twins)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < n_twins; i++) {
        const entry *twin = &twins[i];

        for (int k = 0; k < n; k++) {
            if (entries[k].id != twin->id || !assay_entry_is_alive(&entries[k]) ||
                twin->verdict.verdict == ASSAY_PASS)
                continue;
            entries[k].verdict = twin->verdict;
            for (int64_t c = 0; c < twin->record.n_checks; c++)
                ASSAY_CHECK(
                    assay_record_put(&entries[k].record, ASSAY_ROW_CHECK, &twin->record.checks[c]));
        }
    }
out:
    return st;
}

assay_status assay_supervise_judge(supervisor *s, entry *entries, int n, entry *twins, int n_twins)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < n; i++)
        if (assay_entry_is_alive(&entries[i]))
            judge(s, &entries[i]);
    for (int i = 0; i < n_twins; i++)
        if (assay_entry_is_alive(&twins[i]))
            judge(s, &twins[i]);
    ASSAY_CHECK(blame_points(entries, n, twins, n_twins));
    for (int i = 0; i < n; i++)
        if (assay_entry_is_alive(&entries[i]))
            ASSAY_CHECK(compare_with_baseline(&entries[i], entries, n));
    for (int i = 0; i < n; i++)
        if (assay_entry_is_alive(&entries[i]))
            ASSAY_CHECK(compare_with_peers(&entries[i], entries, n));
    for (int i = 0; i < n_twins; i++)
        for (int k = 0; k < n; k++)
            if (entries[k].id == twins[i].id && assay_entry_is_alive(&entries[k]) &&
                assay_entry_is_alive(&twins[i]))
                ASSAY_CHECK(
                    compare(&entries[k], &twins[i], "aa", variant_of(&entries[k])->name, NULL));
out:
    return st;
}
