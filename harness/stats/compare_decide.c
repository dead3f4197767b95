/* The verdicts of a table: the correction over it, the rules in their order, and how many processes
 * would decide. */
#include "compare_internal.h"

#include <math.h>
#include <stdlib.h>

static const char *const verdict_names[] = {
#define X(name) #name,
    ASSAY_COMPARE_MAP(X)
#undef X
};

const char *assay_compare_verdict_name(assay_compare_verdict verdict)
{
    const size_t n = sizeof verdict_names / sizeof *verdict_names;

    return (size_t)verdict < n ? verdict_names[verdict] : "?";
}

assay_compare_rule assay_compare_rule_default(void)
{
    return (assay_compare_rule) { .threshold = 0.01, .unknown_band = 0.015, .alpha = 0.015 };
}

/* ---- limits ---- */

typedef struct limits {
    double threshold, margin; /* of |log-ratio| */
    double alpha;             /* of one comparison, as if it were first in Holm's order */
} limits;

double assay_compare_band(const assay_compare_rule *rule, const assay_compare_known *known)
{
    return known->band > 0 ? known->band : fmax(rule->unknown_band, known->case_band);
}

bool assay_compare_has_band(const assay_compare_rule *rule, const assay_compare_known *known)
{
    return known->band > 0 || known->case_band > rule->unknown_band;
}

static double find_margin(const assay_compare_rule *rule, const assay_compare_known *known)
{
    return fmax(rule->threshold, assay_compare_band(rule, known));
}

static limits find_limits(const assay_compare_rule *rule, const assay_compare_known *known,
                          int64_t n_p)
{
    return (limits) { log1p(rule->threshold), log1p(find_margin(rule, known)),
                      rule->alpha / (double)(n_p > 0 ? n_p : 1) };
}

static bool is_within(const assay_effect *e, double limit)
{
    return log1p(e->lo) >= -limit && log1p(e->hi) <= limit;
}

/* Is the whole interval beyond the limit, on the side of `sign`? */
static bool is_beyond(const assay_effect *e, double limit, double sign)
{
    return sign > 0 ? log1p(e->lo) > limit : log1p(e->hi) < -limit;
}

/* ---- the rules ---- */

static void set(assay_compared *row, assay_compare_verdict verdict, assay_compare_cause cause)
{
    row->verdict = verdict;
    row->cause   = cause;
}

static assay_compare_cause judge_cycles(const assay_compared *row, double margin, double sign)
{
    if (!row->has_cycles || is_beyond(&row->cycles, margin, sign))
        return ASSAY_COMPARE_DECIDED;
    if (sign > 0 ? log1p(row->cycles.hi) <= margin : log1p(row->cycles.lo) >= -margin)
        return ASSAY_COMPARE_CLOCK;
    return ASSAY_COMPARE_CYCLES_OPEN;
}

static assay_compare_cause judge_open(const assay_compared *row, const limits *limit)
{
    const double size = fabs(row->time.log_ratio);

    return size > limit->threshold && size <= limit->margin ? ASSAY_COMPARE_IN_BAND
                                                            : ASSAY_COMPARE_WIDE;
}

static void judge(assay_compared *row, const limits *limit, double alpha)
{
    const double        sign = row->time.log_ratio < 0 ? -1 : 1;
    assay_compare_cause cause;

    if (!isfinite(row->time.p))
        set(row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_FEW);
    else if (is_within(&row->time, limit->threshold))
        set(row, ASSAY_COMPARE_SAME, ASSAY_COMPARE_DECIDED);
    else if (!is_beyond(&row->time, limit->margin, sign))
        set(row, ASSAY_COMPARE_CANNOT_TELL, judge_open(row, limit));
    else if (!(row->p_corrected <= alpha))
        set(row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_NOT_SIGNIFICANT);
    else {
        cause = judge_cycles(row, limit->margin, sign);
        if (cause != ASSAY_COMPARE_DECIDED)
            set(row, ASSAY_COMPARE_CANNOT_TELL, cause);
        else
            set(row, sign > 0 ? ASSAY_COMPARE_SLOWER : ASSAY_COMPARE_FASTER, cause);
    }
}

/* ---- how many processes would decide ---- */

static bool would_decide(const assay_spread s[2], int64_t n, const assay_compare_known *known,
                         const limits *limit, double log_ratio)
{
    assay_effect e = { .log_ratio = log_ratio };

    assay_effect_judge(s, n, n, known, &e);
    if (is_within(&e, limit->threshold))
        return true;
    return e.p <= limit->alpha && is_beyond(&e, limit->margin, log_ratio < 0 ? -1 : 1);
}

static int64_t find_needed(const assay_spread s[2], const assay_compare_known *known,
                           const limits *limit, double log_ratio)
{
    int64_t low = s[0].n < s[1].n ? s[0].n : s[1].n, high = ASSAY_MAX_PROCESSES;

    if (low >= high || !would_decide(s, high, known, limit, log_ratio))
        return 0;
    while (low + 1 < high) {
        const int64_t middle = (low + high) / 2;

        if (would_decide(s, middle, known, limit, log_ratio))
            high = middle;
        else
            low = middle;
    }
    return high;
}

bool assay_compare_needs_more(assay_compare_cause cause)
{
    return cause == ASSAY_COMPARE_WIDE || cause == ASSAY_COMPARE_NOT_SIGNIFICANT ||
           cause == ASSAY_COMPARE_CYCLES_OPEN;
}

/* ---- Holm ---- */

typedef struct ranked {
    double  p;
    int64_t index;
} ranked;

static int by_p(const void *a, const void *b)
{
    const ranked *x = a, *y = b;

    if (x->p != y->p)
        return x->p < y->p ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Returns how many rows have a p. */
static int64_t correct(assay_compared *rows, int64_t n, ranked *order)
{
    int64_t n_p     = 0;
    double  largest = 0;

    for (int64_t i = 0; i < n; i++)
        if (isfinite(rows[i].time.p))
            order[n_p++] = (ranked) { rows[i].time.p, i };
    qsort(order, (size_t)n_p, sizeof *order, by_p);
    for (int64_t k = 0; k < n_p; k++) {
        largest                          = fmax(largest, order[k].p * (double)(n_p - k));
        rows[order[k].index].p_corrected = fmin(largest, 1);
    }
    return n_p;
}

/* ---- the table ---- */

static bool is_negative(double x) { return x < 0 || isinf(x); }

static assay_status check(const assay_compare_input *inputs, int64_t n,
                          const assay_compare_rule *rule)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(rule->threshold > 0 && rule->threshold < 1, ASSAY_E_USAGE,
                  "a threshold of %g: give a relative difference between 0 and 1, such as 0.01",
                  rule->threshold);
    ASSAY_REQUIRE(rule->unknown_band >= 0 && rule->unknown_band < 1, ASSAY_E_USAGE,
                  "a band of %g: give a relative difference between 0 and 1, such as 0.015",
                  rule->unknown_band);
    ASSAY_REQUIRE(rule->alpha > 0 && rule->alpha < 1, ASSAY_E_USAGE,
                  "an alpha of %g: give a probability between 0 and 1, such as 0.01", rule->alpha);
    for (int64_t i = 0; i < n; i++) {
        const assay_compare_known *known = &inputs[i].known;

        ASSAY_REQUIRE(inputs[i].a.step_ns >= 0 && inputs[i].b.step_ns >= 0 &&
                          isfinite(inputs[i].a.step_ns) && isfinite(inputs[i].b.step_ns),
                      ASSAY_E_USAGE, "comparison %lld: the step of a clock is %g and %g ns",
                      (long long)i, inputs[i].a.step_ns, inputs[i].b.step_ns);
        ASSAY_REQUIRE(!is_negative(known->band) && !is_negative(known->case_band) &&
                          !is_negative(known->process_sd),
                      ASSAY_E_USAGE, "comparison %lld: bands of %g and %g and a spread of %g",
                      (long long)i, known->band, known->case_band, known->process_sd);
    }
out:
    return st;
}

/* Computes the effects of one row; `spreads` keeps them for the advice. */
static assay_status measure(const assay_compare_input *input, const assay_compare_rule *rule,
                            assay_compared *row, assay_spread spreads[2])
{
    assay_status st = ASSAY_OK;
    assay_spread unused[2];

    *row = (assay_compared) { .p_corrected = NAN, .margin = find_margin(rule, &input->known) };
    ASSAY_CHECK(assay_effect_find(input, false, &row->time, spreads));
    ASSAY_CHECK(assay_effect_find(input, true, &row->cycles, unused));
    row->has_cycles = isfinite(row->cycles.p);
out:
    return st;
}

static void finish(const assay_compare_input *input, const assay_compare_rule *rule, int64_t n_p,
                   const assay_spread spreads[2], assay_compared *row)
{
    const limits limit = find_limits(rule, &input->known, n_p);

    if (assay_compare_is_identical(input))
        set(row, ASSAY_COMPARE_SAME, ASSAY_COMPARE_IDENTICAL);
    else
        judge(row, &limit, rule->alpha);
    if (assay_compare_needs_more(row->cause))
        row->n_needed = find_needed(spreads, &input->known, &limit, row->time.log_ratio);
    assay_compare_explain(rule, &input->known, row);
}

assay_status assay_compare_table(const assay_compare_input *inputs, int64_t n,
                                 const assay_compare_rule *rule, assay_compared *rows)
{
    assay_status st           = ASSAY_OK;
    assay_spread(*spreads)[2] = NULL;
    ranked *order             = NULL;
    int64_t n_p;

    ASSAY_CHECK(check(inputs, n, rule));
    spreads = malloc(((size_t)n + 1) * sizeof *spreads);
    order   = malloc(((size_t)n + 1) * sizeof *order);
    ASSAY_REQUIRE(spreads && order, ASSAY_E_MEMORY, "no memory for %lld comparisons", (long long)n);
    for (int64_t i = 0; i < n; i++)
        ASSAY_CHECK(measure(&inputs[i], rule, &rows[i], spreads[i]));
    n_p = correct(rows, n, order);
    for (int64_t i = 0; i < n; i++)
        finish(&inputs[i], rule, n_p, spreads[i], &rows[i]);
out:
    free(order);
    free(spreads);
    return st;
}

assay_compare_verdict assay_compare_confirm(assay_compare_verdict first,
                                            assay_compare_verdict second)
{
    return first == second ? first : ASSAY_COMPARE_CANNOT_TELL;
}
