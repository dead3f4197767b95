/* Student's t and F with real degrees of freedom: tails, and the quantile of t. */
#include "compare_internal.h"

#include <float.h>
#include <math.h>

/* Continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method as modified
 * by Thompson and Barnett (1986). Converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 - (a + b) * x / (a + 1), f;

    d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
    f = d;
    for (int m = 1; m < 2000; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd  = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double       change;

        d = 1 + even * d;
        d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
        c = 1 + even / c;
        f *= d * c;
        d      = 1 + odd * d;
        d      = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
        c      = 1 + odd / c;
        change = d * c;
        f *= change;
        if (fabs(change - 1) < 1e-13)
            break;
    }
    return f;
}

static double log_beta(double a, double b) { return lgamma(a) + lgamma(b) - lgamma(a + b); }

/* I_x(a, b), with y = 1 - x given apart: near 1 the difference would be lost. beta: log_beta(a, b).
 */
static double incomplete_beta(double a, double b, double x, double y, double beta)
{
    const double front = exp(a * log(x) + b * log(y) - beta);

    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}

double assay_f_p(double f, double df1, double df2)
{
    const double all = df2 + df1 * f;

    return incomplete_beta(df2 / 2, df1 / 2, df2 / all, df1 * f / all, log_beta(df2 / 2, df1 / 2));
}

/* Beyond this the normal tail is closer than 1e-7, relative, for any t that matters. */
static const double NORMAL_FROM = 1e8;

/* beta: log_beta(df / 2, 1 / 2) */
static double tail_of(double t, double df, double beta)
{
    const double square = t * t;

    if (df >= NORMAL_FROM)
        return erfc(fabs(t) / sqrt(2));
    return incomplete_beta(df / 2, 0.5, df / (df + square), square / (df + square), beta);
}

static double density(double t, double df, double beta)
{
    if (df >= NORMAL_FROM)
        return exp(-t * t / 2) / sqrt(2 * acos(-1));
    return exp(-(df + 1) / 2 * log1p(t * t / df) - beta) / sqrt(df);
}

double assay_student_p(double t, double df)
{
    if (isnan(t) || !(df > 0))
        return NAN;
    if (t == 0)
        return 1;
    if (isinf(t))
        return 0;
    return tail_of(t, df, log_beta(df / 2, 0.5));
}

/* Newton's method for ln p as a function of ln t. It is concave, so from the second step on it
 * approaches the root from above. */
double assay_student_t(double p, double df)
{
    const double beta = log_beta(df / 2, 0.5);
    double       t    = 2;

    if (!(p > 0 && p < 1) || !(df > 0))
        return NAN;
    for (int i = 0; i < 100; i++) {
        const double tail  = tail_of(t, df, beta);
        const double slope = -2 * density(t, df, beta) * t / tail;
        double       move  = (log(p) - log(tail)) / slope;

        if (!isfinite(move)) /* t is so large that the tail underflows: go back */
            move = -1;
        move = fmin(fmax(move, -3), 3);
        t *= exp(move);
        if (fabs(move) < 1e-6) /* the error is about the square of the last step */
            break;
    }
    return t;
}
