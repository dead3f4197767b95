/* Fits by least squares. For a given exponent the curve is linear in its other two parameters, so
 * only the exponent has to be searched. */
#include "fit.h"

#include "stats.h"

#include <math.h>

static const double LARGEST_EXPONENT = 8;
static const double ROUNDING = 1e-18; /* squared error that rounding leaves in a perfect fit */
enum {
    GRID_STEPS   = 64, /* of a search, before it narrows */
    GOLDEN_STEPS = 60,
    HALVINGS     = 60
};

/* Sizes and times divided by their geometric means, so that their powers stay near 1. */
typedef struct series {
    const double *x, *t;
    int64_t       n;
    double        x_log, t_log; /* logarithms of the means */
    double        most;         /* sum of squares at which an interval ends */
} series;

/* All terms are relative to the times: the curve is a p + c q, and a perfect one is 1
 * everywhere. */
typedef struct sums {
    double pp, pq, qq, p, q, n;
} sums;

typedef struct line {
    double a, c, rest; /* rest: sum of squares */
} line;

static bool are_positive(const double *values, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!(values[i] > 0) || isinf(values[i]))
            return false;
    return true;
}

static int64_t count_different(const double *values, int64_t n)
{
    int64_t found = 0;

    for (int64_t i = 0; i < n; i++) {
        int64_t k = 0;

        while (k < i && values[k] != values[i])
            k++;
        found += k == i;
    }
    return found;
}

static double mean_log(const double *values, int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += log(values[i]);
    return sum / (double)n;
}

/* ---- the best curve of one exponent ---- */

static double power_of(const series *s, int64_t i, double b)
{
    return exp(b * (log(s->x[i]) - s->x_log) - log(s->t[i]) + s->t_log);
}

static double over_time(const series *s, int64_t i) { return exp(s->t_log - log(s->t[i])); }

static sums sums_at(const series *s, double b)
{
    sums found = { .n = (double)s->n };

    for (int64_t i = 0; i < s->n; i++) {
        const double p = power_of(s, i, b), q = over_time(s, i);

        found.pp += p * p;
        found.pq += p * q;
        found.qq += q * q;
        found.p += p;
        found.q += q;
    }
    return found;
}

static double rest_of(const series *s, double b, double a, double c)
{
    double rest = 0;

    for (int64_t i = 0; i < s->n; i++) {
        const double error = 1 - a * power_of(s, i, b) - c * over_time(s, i);

        rest += error * error;
    }
    return rest;
}

/* The best line without regard to signs. At b = 0 both columns are the same, and `a` stays 0. */
static line free_line(const sums *m)
{
    const double part = m->pp - m->pq / m->qq * m->pq; /* the part of p that is orthogonal to q */
    line         l    = { .a = 0 };

    if (part > 1e-12 * m->pp)
        l.a = (m->p - m->pq / m->qq * m->q) / part;
    l.c = (m->q - l.a * m->pq) / m->qq;
    return l;
}

static line line_at(const series *s, double b)
{
    const sums m = sums_at(s, b);
    line       l = free_line(&m);

    if (l.a < 0)
        l = (line) { .c = m.q / m.qq };
    if (l.c < 0)
        l = (line) { .a = m.p / m.pp };
    l.rest = rest_of(s, b, l.a, l.c);
    return l;
}

/* ---- searches along the exponent ---- */

typedef double along_fn(const series *s, double b);

/* Finds where the function is least between lo and hi: by a grid, then by golden section. */
static double find_least(const series *s, along_fn *f, double lo, double hi)
{
    static const double golden = 0.6180339887498949;
    const double        step   = (hi - lo) / GRID_STEPS;
    double              best = lo, least = f(s, lo), left, right, f_left, f_right;

    for (int k = 1; k <= GRID_STEPS; k++) {
        const double value = f(s, lo + k * step);

        if (value < least) {
            least = value;
            best  = lo + k * step;
        }
    }
    lo      = fmax(lo, best - step);
    hi      = fmin(hi, best + step);
    left    = hi - golden * (hi - lo);
    right   = lo + golden * (hi - lo);
    f_left  = f(s, left);
    f_right = f(s, right);
    for (int k = 0; k < GOLDEN_STEPS; k++) {
        if (f_left < f_right) {
            hi      = right;
            right   = left;
            f_right = f_left;
            left    = hi - golden * (hi - lo);
            f_left  = f(s, left);
        } else {
            lo      = left;
            left    = right;
            f_left  = f_right;
            right   = lo + golden * (hi - lo);
            f_right = f(s, right);
        }
    }
    return (lo + hi) / 2;
}

static double rest_along(const series *s, double b) { return line_at(s, b).rest; }

/* Finds the limit between an exponent that fits well enough and one that does not. */
static double find_end(const series *s, double inside, double outside)
{
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = (inside + outside) / 2;

        if (rest_along(s, middle) <= s->most)
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

/* ---- intervals of a and c ---- */

/* How far the coefficient of column p may go, up (+1) or down (-1), with the best c >= 0 for each
 * value. That c is above 0 until a = q / pq. The sum of squares is one parabola up to there and
 * another beyond. */
static double coefficient_end(const sums *m, double most, int way)
{
    const line   free  = free_line(m);
    const double part  = m->pp - m->pq / m->qq * m->pq;
    const double least = m->n - free.a * m->p - free.c * m->q;
    const double alone = m->p / m->pp, rest_alone = m->n - alone * m->p;
    const double end =
        free.a + way * (part > 0 ? sqrt(fmax(0, most - least) / part) : (double)INFINITY);

    if (end <= m->q / m->pq)
        return fmax(0, end);
    return fmax(0, alone + way * sqrt(fmax(0, most - rest_alone) / m->pp));
}

/* The end for `a` at size 1, in units of the mean time. */
static double a_end(const series *s, double b, int way)
{
    const sums m = sums_at(s, b);

    return coefficient_end(&m, s->most, way) * exp(-b * s->x_log);
}

static double c_end(const series *s, double b, int way)
{
    const sums m         = sums_at(s, b);
    const sums exchanged = { .pp = m.qq, .pq = m.pq, .qq = m.pp, .p = m.q, .q = m.p, .n = m.n };

    return coefficient_end(&exchanged, s->most, way);
}

static double a_low(const series *s, double b) { return a_end(s, b, -1); }
static double a_high(const series *s, double b) { return -a_end(s, b, +1); }
static double c_low(const series *s, double b) { return c_end(s, b, -1); }
static double c_high(const series *s, double b) { return -c_end(s, b, +1); }

/* The range over all exponents that fit well enough. */
static assay_fit_number range_of(const series *s, const assay_fit_number *b, double value,
                                 along_fn *low, along_fn *high)
{
    const double mean = exp(s->t_log);
    const double lo   = low(s, find_least(s, low, b->lo, b->hi));
    const double hi   = -high(s, find_least(s, high, b->lo, b->hi));

    return (assay_fit_number) { .value = value * mean,
                                .lo    = fmin(lo, value) * mean,
                                .hi    = fmax(hi, value) * mean };
}

/* ---- fits ---- */

static assay_fit not_known(const char *why)
{
    const assay_fit_number none = { NAN, NAN, NAN };

    return (assay_fit) { .a = none, .b = none, .c = none, .scatter = NAN, .why = why };
}

static bool is_finite(const assay_fit_number *number)
{
    return isfinite(number->value) && isfinite(number->lo) && isfinite(number->hi);
}

assay_fit assay_fit_curve(const double *x, const double *t, int64_t n)
{
    series    s   = { .x = x, .t = t, .n = n };
    assay_fit fit = { .is_known = true, .why = "" };
    line      best;
    double    quantile;

    if (!are_positive(x, n) || !are_positive(t, n))
        return not_known("sizes and times must be above 0");
    if (count_different(x, n) < ASSAY_FIT_FEWEST)
        return not_known("fewer than 4 sizes");
    s.x_log     = mean_log(x, n);
    s.t_log     = mean_log(t, n);
    fit.b.value = find_least(&s, rest_along, 0, LARGEST_EXPONENT);
    best        = line_at(&s, fit.b.value);
    quantile    = assay_stats_t975(n - 3);
    best.rest   = fmax(best.rest, (double)n * ROUNDING);
    s.most      = best.rest * (1 + quantile * quantile / (double)(n - 3));
    if (rest_along(&s, 0) <= s.most)
        return not_known("no growth: a constant fits as well");
    if (rest_along(&s, LARGEST_EXPONENT) <= s.most)
        return not_known("the exponent has no upper limit");
    fit.b.lo    = find_end(&s, fit.b.value, 0);
    fit.b.hi    = find_end(&s, fit.b.value, LARGEST_EXPONENT);
    fit.a       = range_of(&s, &fit.b, best.a * exp(-fit.b.value * s.x_log), a_low, a_high);
    fit.c       = range_of(&s, &fit.b, best.c, c_low, c_high);
    fit.scatter = sqrt(best.rest / (double)(n - 3));
    if (!is_finite(&fit.a) || !is_finite(&fit.b) || !is_finite(&fit.c))
        return not_known("sizes or times are too far apart");
    return fit;
}

double assay_fit_slope(const double *x, const double *t, int64_t n, double *error)
{
    double sxx = 0, sxy = 0, rest = 0, x_log, t_log, slope;

    *error = NAN;
    if (!are_positive(x, n) || !are_positive(t, n) || count_different(x, n) < ASSAY_SLOPE_FEWEST)
        return NAN;
    x_log = mean_log(x, n);
    t_log = mean_log(t, n);
    for (int64_t i = 0; i < n; i++) {
        sxx += (log(x[i]) - x_log) * (log(x[i]) - x_log);
        sxy += (log(x[i]) - x_log) * (log(t[i]) - t_log);
    }
    slope = sxy / sxx;
    for (int64_t i = 0; i < n; i++) {
        const double off = log(t[i]) - t_log - slope * (log(x[i]) - x_log);

        rest += off * off;
    }
    *error = sqrt(rest / (double)(n - 2) / sxx);
    return slope;
}
