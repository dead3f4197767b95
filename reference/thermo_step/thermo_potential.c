/* The potential of a density, and the effect of a transform in fp32 on it.
 *
 * phi is the convolution of rho with G, whose transform is -4 pi G / k^2. A bound on its error has
 * four parts, in units of the roundoff u of fp32:
 *
 * 1. Errors of rho, one for each node and independent: 4 (sum of e^2 G^2)^(1/2), a convolution of
 *    squares.
 * 2. The transform of rho. A stage of radix p is products with rounded roots, 2 sqrt(2) + 1, and
 *    sums of p terms, p - 1. The lengths of these may all add up, while those of the results add up
 *    as squares, sqrt(p): in the 2-norm the stage adds at most (p + 3) sqrt(p) u. The whole adds
 *    the sum of that over all prime factors, some 7 log2(cells). The error is as large in every
 *    mode: its share of phi is that times |G|. This does not hold for the sums of whole planes,
 *    which are large if rho has a mean, and are trees of log2(plane) roundings: they err
 *    independently, and enter modes along one axis.
 * 3. The transform back, which adds as much relative to phi's own 2-norm, and as much everywhere;
 *    and the factors, 16 roundings a mode, none twice the same. The largest part of an error in one
 *    place is covered because the bounds are those of the worst case: roundings that point all ways
 *    leave less than a tenth.
 * 4. What is common to all modes (pi, 1/dx, the volume): 16 |phi|. */
#include "thermo_potential.h"

#include "thermo_transform.h"

#include <math.h>

static const double TWO_PI = 6.283185307179586476925;

/* Up to this extent lines are summed as the definition says, so that FFTW in a kernel is checked by
 * another oracle. */
enum {
    DENSE_EXTENT = 16
};

bool potential_has_fast(void) { return transform_has_fast(); }

static bool is_fast(const potential *s)
{
    bool is_large = false;

    for (int d = 0; d < 3; d++)
        is_large = is_large || s->extent[d] > DENSE_EXTENT;
    return s->way == POTENTIAL_FAST ||
           (s->way == POTENTIAL_CHOSEN && is_large && transform_has_fast());
}

/* -4 pi G / k^2 with k = 2 pi fftfreq(n, dx); 0 for the mean. */
static double green(const potential *s, int64_t cell)
{
    const int64_t at[3]  = { cell / s->extent[2] / s->extent[1], cell / s->extent[2] % s->extent[1],
                             cell % s->extent[2] };
    double        square = 0;

    for (int d = 0; d < 3; d++) {
        const int64_t m = 2 * at[d] < s->extent[d] ? at[d] : at[d] - s->extent[d];
        const double  k = TWO_PI * (double)m / (double)s->extent[d] * s->per_dx;

        square += k * k;
    }
    return square > 0 ? -2 * TWO_PI * s->gravity / square : 0;
}

/* ---- bounds ---- */

/* (p + 3) sqrt(p) over the prime factors of all extents. */
static double stages_of(const int64_t extent[3])
{
    double sum = 0;

    for (int d = 0; d < 3; d++) {
        int64_t rest = extent[d];

        for (int64_t p = 2; rest > 1; p++)
            for (; rest % p == 0; rest /= p)
                sum += (double)(p + 3) * sqrt((double)p);
    }
    return sum;
}

/* Sums of squares: of rho, of the factors, of those along the axes, of phi. */
typedef struct potential_norms {
    double rho, green, axes, phi;
} potential_norms;

/* Parts 2 and 3. */
static double transform_bound(const potential *s, const potential_norms *p)
{
    const double cells = (double)s->cells, stages = stages_of(s->extent);
    double       shortest = cells;

    for (int d = 0; d < 3; d++)
        shortest = fmin(shortest, (double)s->extent[d]);
    return (stages * sqrt(p->green) * sqrt(p->rho) +
            4 * log2(cells) * sqrt(cells / shortest) * sqrt(p->axes) * sqrt(p->rho)) /
               cells +
           (stages + 16) * sqrt(p->phi / cells);
}

/* Squares of real numbers, in place. */
static void square(complex_number *a, int64_t cells)
{
    for (int64_t i = 0; i < cells; i++)
        a[i] = (complex_number) { a[i].re * a[i].re, 0 };
}

static void multiply(complex_number *a, const complex_number *b, int64_t cells)
{
    for (int64_t i = 0; i < cells; i++)
        a[i] = (complex_number) { a[i].re * b[i].re - a[i].im * b[i].im,
                                  a[i].re * b[i].im + a[i].im * b[i].re };
}

/* Part 1: bound[i].re gets the sum of e^2 G^2 at i. */
static void spread_errors(const potential *s, const transform_grid *g, const number *rho,
                          complex_number *bound)
{
    const double    cells = (double)s->cells;
    complex_number *b     = allocate(s->cells, sizeof *b);

    for (int64_t i = 0; i < s->cells; i++) {
        bound[i] = (complex_number) { rho[i].e * rho[i].e, 0 };
        b[i]     = (complex_number) { green(s, i) / cells, 0 };
    }
    transform(g, 1, b);
    square(b, s->cells);
    transform(g, -1, b);
    transform(g, -1, bound);
    multiply(bound, b, s->cells);
    transform(g, 1, bound);
    for (int64_t i = 0; i < s->cells; i++)
        bound[i].re /= cells;
    free(b);
}

/* ---- the potential ---- */

static void convolve(const potential *s, const transform_grid *g, const number *rho,
                     complex_number *a, potential_norms *p)
{
    const int64_t plane = s->extent[1] * s->extent[2];

    for (int64_t i = 0; i < s->cells; i++) {
        a[i] = (complex_number) { rho[i].v, 0 };
        p->rho += rho[i].v * rho[i].v;
    }
    transform(g, -1, a);
    for (int64_t i = 0; i < s->cells; i++) {
        const double factor = green(s, i);
        const bool   is_on_axis =
            i < s->extent[2] || i % plane == 0 || (i < plane && i % s->extent[2] == 0);

        a[i].re *= factor / (double)s->cells;
        a[i].im *= factor / (double)s->cells;
        p->green += factor * factor;
        p->axes += is_on_axis ? factor * factor : 0;
    }
    transform(g, 1, a);
    for (int64_t i = 0; i < s->cells; i++)
        p->phi += a[i].re * a[i].re;
}

void solve_potential(const potential *s, const number *rho, number *phi)
{
    const transform_grid g     = { s->extent, s->cells, is_fast(s), s->parallel_for };
    complex_number      *a     = allocate(s->cells, sizeof *a);
    complex_number      *error = allocate(s->cells, sizeof *error);
    potential_norms      p     = { 0 };
    double               rounding;

    convolve(s, &g, rho, a, &p);
    spread_errors(s, &g, rho, error);
    rounding = transform_bound(s, &p);
    for (int64_t i = 0; i < s->cells; i++)
        phi[i] =
            (number) { a[i].re, 4 * sqrt(fmax(error[i].re, 0)) + rounding + 16 * fabs(a[i].re) };
    free(a);
    free(error);
}
