/* The sentences of a comparison: what was found, and what to do next. */
#include "base/text.h"
#include "compare_internal.h"

#include <math.h>
#include <string.h>

enum {
    PART = 96
};

/* "+3.1 % (+2.8 to +3.4 %)", or "+3.1 %" without an interval. */
static const char *describe(const assay_effect *e, char *to, size_t size)
{
    if (isfinite(e->p))
        return assay_text_set(to, size, "%+.2f %% (%+.2f to %+.2f %%)", 100 * e->relative,
                              100 * e->lo, 100 * e->hi);
    if (isfinite(e->relative))
        return assay_text_set(to, size, "%+.2f %%", 100 * e->relative);
    return assay_text_set(to, size, "unknown");
}

static const char *describe_cycles(const assay_compared *row, char *to, size_t size)
{
    char part[PART];

    if (!row->has_cycles)
        return assay_text_set(to, size, "cycles unknown, by time alone");
    return assay_text_set(to, size, "cycles %s", describe(&row->cycles, part, sizeof part));
}

/* Describes the band, known or assumed. */
static const char *describe_band(const assay_compare_rule *rule, const assay_compare_known *known,
                                 char *to, size_t size)
{
    const double band = 100 * assay_compare_band(rule, known);

    if (assay_compare_has_band(rule, known))
        return assay_text_set(to, size, "runs of the same build differ by up to %.2f %%%s", band,
                              known->band > 0 ? "" : ", by all points of the case");
    return assay_text_set(
        to, size, "how far runs of the same build differ is not known: %.2f %% assumed", band);
}

static void give_same(const assay_compare_rule *rule, const assay_compare_known *known,
                      assay_compared *row)
{
    char time[PART], cycles[PART], band[PART];

    (void)assay_text_set(row->reason, sizeof row->reason, "time %s, all of it within %.2f %%; %s",
                         describe(&row->time, time, sizeof time), 100 * rule->threshold,
                         describe_cycles(row, cycles, sizeof cycles));
    if (assay_compare_has_band(rule, known) && assay_compare_band(rule, known) > rule->threshold) {
        const size_t end = strlen(row->reason);

        (void)assay_text_set(row->reason + end, sizeof row->reason - end, "; but %s",
                             describe_band(rule, known, band, sizeof band));
    }
}

static void give_change(const assay_compare_known *known, assay_compared *row)
{
    char        time[PART], cycles[PART];
    const bool  is_own = known->band > 0;
    const char *whose  = is_own ? "its own band" : "its case's band";
    const char *limit =
        (is_own ? known->band : known->case_band) >= row->margin ? whose : "the limit";

    (void)assay_text_set(row->reason, sizeof row->reason,
                         "time %s, all of it beyond %s of %.2f %%, corrected p %.2g; %s",
                         describe(&row->time, time, sizeof time), limit, 100 * row->margin,
                         row->p_corrected, describe_cycles(row, cycles, sizeof cycles));
}

/* Writes what follows "time +3.1 % (+2.8 to +3.4 %)" if the verdict is CANNOT_TELL. */
static void give_doubt(const assay_compare_rule *rule, const assay_compare_known *known,
                       assay_compared *row)
{
    const bool   is_slower = row->time.log_ratio > 0;
    const size_t start     = strlen(row->reason);
    const size_t size      = sizeof row->reason - start;
    char         part[2 * PART], *to = row->reason + start;

    if (row->cause == ASSAY_COMPARE_FEW)
        (void)assay_text_set(
            to, size, " from %lld and %lld processes: an interval needs %d on each side",
            (long long)row->time.n_a, (long long)row->time.n_b, ASSAY_COMPARE_MIN_PROCESSES);
    else if (row->cause == ASSAY_COMPARE_WIDE)
        (void)assay_text_set(to, size, ": the interval reaches across the limit of %.2f %%",
                             100 * (fabs(row->time.log_ratio) <= log1p(rule->threshold)
                                        ? rule->threshold
                                        : row->margin));
    else if (row->cause == ASSAY_COMPARE_IN_BAND)
        (void)assay_text_set(to, size, ": beyond the threshold of %.2f %%, but %s",
                             100 * rule->threshold, describe_band(rule, known, part, sizeof part));
    else if (row->cause == ASSAY_COMPARE_NOT_SIGNIFICANT)
        (void)assay_text_set(to, size, ", but its p over the whole table is %.2g, above %g",
                             row->p_corrected, rule->alpha);
    else if (row->cause == ASSAY_COMPARE_CLOCK)
        (void)assay_text_set(to, size, ", %s: the clock was %s, not the kernel %s",
                             describe_cycles(row, part, sizeof part),
                             is_slower ? "lower" : "higher", is_slower ? "slower" : "faster");
    else
        (void)assay_text_set(to, size, ", %s: cycles neither confirm nor deny it",
                             describe_cycles(row, part, sizeof part));
}

static void give_reason(const assay_compare_rule *rule, const assay_compare_known *known,
                        assay_compared *row)
{
    char time[PART];

    if (row->cause == ASSAY_COMPARE_IDENTICAL)
        (void)assay_text_set(row->reason, sizeof row->reason,
                             "the same measurements on both sides");
    else if (row->verdict == ASSAY_COMPARE_SAME)
        give_same(rule, known, row);
    else if (row->verdict != ASSAY_COMPARE_CANNOT_TELL)
        give_change(known, row);
    else {
        (void)assay_text_set(row->reason, sizeof row->reason, "time %s",
                             describe(&row->time, time, sizeof time));
        row->n_effect = (int)strlen(row->reason);
        give_doubt(rule, known, row);
    }
}

static void advise_more(assay_compared *row)
{
    if (row->n_needed > 0)
        (void)assay_text_set(row->next, sizeof row->next,
                             "repeat both sides with --processes %lld: about %lld would decide at "
                             "this spread (%.2f and %.2f %%)",
                             (long long)row->n_needed, (long long)row->n_needed,
                             100 * row->time.spread_a, 100 * row->time.spread_b);
    else
        (void)assay_text_set(row->next, sizeof row->next,
                             "not even %d processes would decide at this spread (%.2f and %.2f %%) "
                             "and this size: measure on an idle card, or a larger point, or set a "
                             "threshold that matters to you",
                             ASSAY_MAX_PROCESSES, 100 * row->time.spread_a,
                             100 * row->time.spread_b);
}

static const char *const next_steps[] = {
    [ASSAY_COMPARE_IDENTICAL] = "nothing to do; to compare builds, give two runs",
    [ASSAY_COMPARE_FEW]       = "repeat both sides with --processes 3 or more",
    [ASSAY_COMPARE_IN_BAND]   = "calibrate the case; where its band stays wide, find what moves it "
                                "between runs (other work on the card, clocks, memory placement)",
    [ASSAY_COMPARE_CLOCK] = "compare temperature, power and clocks of the two runs; repeat with "
                            "locked clocks or on a cool card",
};

static void give_next(assay_compared *row)
{
    static const char *const decided[] = {
        [ASSAY_COMPARE_SAME]   = "nothing to do",
        [ASSAY_COMPARE_FASTER] = "accept it as the new baseline if it was meant",
        [ASSAY_COMPARE_SLOWER] = "repeat to confirm it, then compare the profiles of both builds",
    };

    if (assay_compare_needs_more(row->cause))
        advise_more(row);
    else
        (void)assay_text_set(row->next, sizeof row->next, "%s",
                             row->cause == ASSAY_COMPARE_DECIDED ? decided[row->verdict]
                                                                 : next_steps[row->cause]);
}

void assay_compare_explain(const assay_compare_rule *rule, const assay_compare_known *known,
                           assay_compared *row)
{
    give_reason(rule, known, row);
    give_next(row);
}
