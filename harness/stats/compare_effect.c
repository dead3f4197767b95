/* The size of a difference, its interval and its p, from the processes of two sides. */
#include "compare_internal.h"

#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEAST_SPREAD  = 0.0005; /* between processes, relative: less is chance */
static const double OWN_TAIL      = 0.001;  /* a variance less likely than this is believed */
static const double TRIM          = 0.2;
static const double COARSE        = 1e-3; /* step of a clock over the time */
static const double INTERVAL_TAIL = 0.05;

double assay_compare_step(double step_ns, double p05_ns, double p95_ns)
{
    return p95_ns - p05_ns >= 3 * step_ns ? step_ns / 8 : step_ns;
}

/* ---- processes ---- */

static bool is_time(double x) { return isfinite(x) && x > 0; }

static int by_process(const void *a, const void *b)
{
    const assay_compare_block *x = a, *y = b;

    return assay_order_int64(x->process, y->process);
}

/* Averages ln over the usable blocks of each process, into `values`; returns how many there are. */
static int64_t average_processes(const assay_compare_block *sorted, int64_t n_blocks,
                                 bool in_cycles, double *values)
{
    int64_t n = 0;

    for (int64_t i = 0, next; i < n_blocks; i = next) {
        double sum = 0;
        int    k   = 0;

        for (next = i; next < n_blocks && sorted[next].process == sorted[i].process; next++) {
            const double x = in_cycles ? sorted[next].cycles : sorted[next].time_ns;

            if (is_time(x) && is_time(sorted[next].time_ns)) {
                sum += log(x);
                k++;
            }
        }
        if (k > 0)
            values[n++] = sum / k;
    }
    return n;
}

int64_t assay_compare_trimmed(int64_t n)
{
    return n >= ASSAY_COMPARE_TRIM_FROM ? (int64_t)(TRIM * (double)n) : 0;
}

/* Trimmed mean and winsorized variance of sorted values; the plain ones if g = 0. */
static void find_spread(const double *sorted, int64_t n, assay_spread *s)
{
    const int64_t g    = assay_compare_trimmed(n);
    const int64_t h    = n - 2 * g;
    double        mean = 0, winsorized = 0, squares = 0;

    for (int64_t i = g; i < n - g; i++)
        mean += sorted[i] / (double)h;
    for (int64_t i = 0; i < n; i++)
        winsorized += sorted[i < g ? g : i >= n - g ? n - g - 1 : i] / (double)n;
    for (int64_t i = 0; i < n; i++) {
        const double d = sorted[i < g ? g : i >= n - g ? n - g - 1 : i] - winsorized;

        squares += d * d;
    }
    s->n        = n;
    s->mean     = n > 0 ? mean : (double)NAN;
    s->df       = (double)(h - 1);
    s->variance = n > 1 ? (double)n * squares / ((double)h * (double)(h - 1)) : (double)NAN;
}

static assay_status find_side(const assay_compare_side *side, bool in_cycles, assay_spread *s)
{
    assay_status         st     = ASSAY_OK;
    const size_t         n      = (size_t)side->n_blocks;
    assay_compare_block *sorted = malloc((n + 1) * sizeof *sorted);
    double              *values = malloc((n + 1) * sizeof *values);
    double               time   = 0;

    ASSAY_REQUIRE(sorted && values, ASSAY_E_MEMORY, "no memory for %zu blocks", n);
    if (n > 0)
        memcpy(sorted, side->blocks, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_process);
    s->n = average_processes(sorted, side->n_blocks, false, values);
    for (int64_t i = 0; i < s->n; i++)
        time += exp(values[i]) / (double)s->n;
    if (in_cycles)
        s->n = average_processes(sorted, side->n_blocks, true, values);
    qsort(values, (size_t)s->n, sizeof *values, assay_compare_doubles);
    find_spread(values, s->n, s);
    s->step = s->n > 0 ? side->step_ns / time : 0;
out:
    free(values);
    free(sorted);
    return st;
}

/* ---- interval ---- */

/* The sum of the squared standard error. The part that depends on the known spread uses the same
 * estimate for both sides, and using it twice does not make it surer: it is one term of
 * Satterthwaite's sum. */
typedef struct error_sum {
    double square;
    double known;     /* the part of `square` that depends on the known spread */
    double own_terms; /* Satterthwaite's terms of what depends on the sides' own spreads */
} error_sum;

static void add_side(const assay_spread *s, int64_t n, const assay_compare_known *known,
                     error_sum *sum)
{
    const double planned = (double)n / (double)s->n; /* df with n processes */
    const double df      = n == s->n ? s->df : fmax(1, (s->df + 1) * planned - 1);
    double       v = s->variance, share = 0, term;

    if (known->process_sd > 0 && known->process_df > 0) {
        const double before    = known->process_sd * known->process_sd;
        const double before_df = (double)known->process_df;

        if (v <= before || assay_f_p(v / before, df, before_df) >= OWN_TAIL) {
            share = before_df / (before_df + df);
            v     = share * before + (1 - share) * v;
        }
    }
    term = fmax(v, LEAST_SPREAD * LEAST_SPREAD) / (double)n;
    sum->square += term + s->step * s->step / 12;
    sum->known += share * term;
    sum->own_terms += pow((1 - share) * term, 2) / df;
}

void assay_effect_judge(const assay_spread s[2], int64_t n_a, int64_t n_b,
                        const assay_compare_known *known, assay_effect *effect)
{
    error_sum sum = { 0 };
    double    terms, half;

    add_side(&s[0], n_a, known, &sum);
    add_side(&s[1], n_b, known, &sum);
    terms = sum.own_terms;
    if (sum.known > 0)
        terms += sum.known * sum.known / (double)known->process_df;
    effect->se = sqrt(sum.square);
    effect->df = sum.square * sum.square / terms;
    effect->p  = assay_student_p(effect->log_ratio / effect->se, effect->df);
    half       = assay_student_t(INTERVAL_TAIL, effect->df) * effect->se;
    effect->lo = expm1(effect->log_ratio - half);
    effect->hi = expm1(effect->log_ratio + half);
}

assay_status assay_effect_find(const assay_compare_input *input, bool in_cycles,
                               assay_effect *effect, assay_spread s[2])
{
    assay_status st = ASSAY_OK;

    *effect = (assay_effect) { .se = NAN, .df = NAN, .p = NAN, .lo = NAN, .hi = NAN };
    ASSAY_CHECK(find_side(&input->a, in_cycles, &s[0]));
    ASSAY_CHECK(find_side(&input->b, in_cycles, &s[1]));
    effect->n_a       = s[0].n;
    effect->n_b       = s[1].n;
    effect->middle_a  = exp(s[0].mean);
    effect->middle_b  = exp(s[1].mean);
    effect->log_ratio = s[1].mean - s[0].mean;
    effect->relative  = expm1(effect->log_ratio);
    effect->spread_a  = sqrt(s[0].variance);
    effect->spread_b  = sqrt(s[1].variance);
    if (s[0].n >= ASSAY_COMPARE_MIN_PROCESSES && s[1].n >= ASSAY_COMPARE_MIN_PROCESSES)
        assay_effect_judge(s, s[0].n, s[1].n, &input->known, effect);
out:
    return st;
}

/* Are the numbers on both sides the same, bit for bit, as in a file compared with itself? If a
 * clock ticks coarsely and cycles are unknown, equal numbers may be two measurements. */
bool assay_compare_is_identical(const assay_compare_input *input)
{
    const assay_compare_side *a = &input->a, *b = &input->b;
    bool                      has_time = false, has_cycles = false, is_coarse = false;

    if (a->n_blocks != b->n_blocks)
        return false;
    for (int64_t i = 0; i < a->n_blocks; i++) {
        const assay_compare_block *x = &a->blocks[i], *y = &b->blocks[i];

        if (x->process != y->process || memcmp(&x->time_ns, &y->time_ns, sizeof x->time_ns) != 0 ||
            memcmp(&x->cycles, &y->cycles, sizeof x->cycles) != 0)
            return false;
        has_time   = has_time || is_time(x->time_ns);
        has_cycles = has_cycles || is_time(x->cycles);
        is_coarse  = is_coarse || fmax(a->step_ns, b->step_ns) > COARSE * x->time_ns;
    }
    return has_time && (has_cycles || !is_coarse);
}
