/* Numbers with a bound on what rounding in fp32 can do to them, and what that means for a
 * comparison. */
#ifndef ASSAY_REFERENCE_THERMO_NUMBER_H
#define ASSAY_REFERENCE_THERMO_NUMBER_H

#include <math.h>

/* A computed value may use this multiple of the bound below. A reciprocal and a product round twice
 * where a quotient rounds once, and constants that are folded together round once more; no form of
 * these formulas rounds more than twice as often. */
#define NUMBER_SLACK 2.0

/* A quotient's denominator is a density of at least this. */
#define NUMBER_LEAST_DENOMINATOR ((double)1e-3f)

/* A value, and how far a computed one may be from it, in units of the roundoff u of fp32: running
 * error analysis, every operation rounding once. */
typedef struct number {
    double v, e;
} number;

#define NUMBER_ROUNDOFF 0x1p-24

static inline number exact(double v) { return (number) { v, 0 }; }
static inline number constant(double v) { return (number) { v, fabs(v) }; }

/* A result this small may lose bits below the smallest denormal, 2^-150 = 2^-126 u. */
static inline double underflow(double v) { return v != 0 && fabs(v) < 0x1p-100 ? 0x1p-126 : 0; }

static inline number sum(number a, number b)
{
    return (number) { a.v + b.v, a.e + b.e + fabs(a.v + b.v) };
}

static inline number difference(number a, number b) { return sum(a, (number) { -b.v, b.e }); }

static inline number product(number a, number b)
{
    const double v = a.v * b.v;

    return (number) { v, fabs(a.v) * b.e + fabs(b.v) * a.e + a.e * b.e * NUMBER_ROUNDOFF + fabs(v) +
                             underflow(v) };
}

/* Times a power of two, or times an integer below 2^24 that was never rounded. */
static inline number scaled(number a, double factor)
{
    return (number) { a.v * factor, (a.e + fabs(a.v)) * fabs(factor) };
}

/* b is a density of at least rho_min, computed or not. */
static inline number quotient(number a, number b)
{
    const double least = fmax(b.v - b.e * NUMBER_ROUNDOFF, NUMBER_LEAST_DENOMINATOR);
    const double v     = a.v / b.v;

    return (number) { v, (a.e + fabs(v) * b.e) / least + fabs(v) + underflow(v) };
}

/* The root is steepest on the lower side of a. */
static inline number root(number a)
{
    const double v = sqrt(a.v), low = sqrt(fmax(a.v - a.e * NUMBER_ROUNDOFF, 0));

    return (number) { v, (v - low) / NUMBER_ROUNDOFF + v };
}

/* The larger of two computed values is at most what the larger upper ends say, and at least what
 * the larger lower ends say. A value that is far smaller does not matter, however uncertain it
 * is. */
static inline number larger(number a, number b)
{
    const double unit = NUMBER_SLACK * NUMBER_ROUNDOFF, v = fmax(a.v, b.v);
    const double high = fmax(a.v + unit * a.e, b.v + unit * b.e);
    const double low  = fmax(a.v - unit * a.e, b.v - unit * b.e);

    return (number) { v, fmax(high - v, v - low) / unit };
}

static inline number least_of(number a, number b)
{
    const number most = larger((number) { -a.v, a.e }, (number) { -b.v, b.e });

    return (number) { -most.v, most.e };
}

/* A sum of n terms in any order rounds each of its n - 1 partial sums, none of which exceeds the
 * terms' magnitudes. Many roundings do not all point one way: the sum of n independent ones exceeds
 * 4 sqrt(n) times the largest with a chance below exp(-8). */
typedef struct term_sum {
    double v, e, magnitude;
    int    n;
} term_sum;

static inline void add(term_sum *s, number term)
{
    s->v += term.v;
    s->e += term.e;
    s->magnitude += fabs(term.v);
    s->n++;
}

static inline number total(const term_sum *s)
{
    const double roundings = fmin(s->n - 1, 4 * sqrt(s->n));

    return (number) { s->v, s->e + roundings * s->magnitude };
}

/* ---- decisions ---- */

/* The answer of a comparison under rounding. */
typedef enum answer {
    NO,
    MAYBE,
    YES
} answer;

static inline answer is_above(number a, double limit)
{
    const double margin = NUMBER_SLACK * NUMBER_ROUNDOFF * a.e;

    return a.v - margin > limit ? YES : a.v + margin > limit ? MAYBE : NO;
}
static inline answer is_at_least(number a, double limit)
{
    const double margin = NUMBER_SLACK * NUMBER_ROUNDOFF * a.e;

    return a.v - margin >= limit ? YES : a.v + margin >= limit ? MAYBE : NO;
}
static inline answer is_at_most(number a, double limit)
{
    return is_at_least((number) { -a.v, a.e }, -limit);
}
static inline answer both(answer a, answer b) { return a < b ? a : b; }

static inline number norm(const number v[3])
{
    number squares = product(v[0], v[0]);

    squares = sum(squares, product(v[1], v[1]));
    squares = sum(squares, product(v[2], v[2]));
    return root(squares);
}

#endif
