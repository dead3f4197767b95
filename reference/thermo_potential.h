/* The gravitational potential of a density on a periodic grid in double: phi = -4 pi G rho / k^2 in
 * Fourier space, by transforms that are sums over one axis at a time. */
#ifndef ASSAY_REFERENCE_THERMO_POTENTIAL_H
#define ASSAY_REFERENCE_THERMO_POTENTIAL_H

#include "thermo_number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct potential {
    const int64_t *extent;
    int64_t        cells;
    double         per_dx, gravity;
} potential;

static inline void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);

    if (!memory) /* a reference has no way to say so */
        abort();
    return memory;
}

typedef struct complex_number {
    double re, im;
} complex_number;

/* One axis of a transform, sign -1 forward and 1 back: the sum as it is written. */
static inline void transform(const potential *s, int d, double sign, const complex_number *from,
                             complex_number *to)
{
    const double    two_pi = 6.283185307179586476925;
    const int64_t   g = s->extent[d], stride = d == 0   ? s->extent[1] * s->extent[2]
                                               : d == 1 ? s->extent[2]
                                                        : 1;
    complex_number *w = allocate(g, sizeof *w);

    for (int64_t m = 0; m < g; m++)
        w[m] = (complex_number) { cos(two_pi * (double)m / (double)g),
                                  sign * sin(two_pi * (double)m / (double)g) };
    for (int64_t cell = 0; cell < s->cells; cell++) {
        const int64_t  at  = cell / stride % g;
        complex_number sum = { 0, 0 };

        for (int64_t j = 0; j < g; j++) {
            const complex_number v = from[cell + (j - at) * stride], e = w[j * at % g];

            sum.re += v.re * e.re - v.im * e.im;
            sum.im += v.re * e.im + v.im * e.re;
        }
        to[cell] = sum;
    }
    free(w);
}

/* 4 pi G / k^2 with k = 2 pi fftfreq(n, dx); 0 for the mean. */
static inline double green(const potential *s, int64_t cell)
{
    const double  two_pi = 6.283185307179586476925;
    const int64_t at[3]  = { cell / s->extent[2] / s->extent[1], cell / s->extent[2] % s->extent[1],
                             cell % s->extent[2] };
    double        square = 0;

    for (int d = 0; d < 3; d++) {
        const int64_t m = 2 * at[d] < s->extent[d] ? at[d] : at[d] - s->extent[d];
        const double  k = two_pi * (double)m / (double)s->extent[d] * s->per_dx;

        square += k * k;
    }
    return square > 0 ? 2 * two_pi * s->gravity / square : 0;
}

/* Sums of squares: of rho and its bound, of the factors, of the transform times its factor. */
typedef struct potential_norms {
    double rho, bound, green, product;
} potential_norms;

/* A transform adds g terms an axis, three axes forward and back; its roundings do not all point one
 * way: 4 sqrt(k) of k with a chance below exp(-8), and 16 for the twiddles and factors of each. An
 * error of rho or of its transform reaches phi through the factors, whatever its place. */
static inline double potential_bound(const potential *s, const potential_norms *p)
{
    const double terms = (double)(s->extent[0] + s->extent[1] + s->extent[2]);
    const double each = 4 * sqrt(terms) + 16, cells = (double)s->cells;

    return (sqrt(p->green) * (each * sqrt(p->rho) + 4 * sqrt(p->bound)) + each * sqrt(p->product)) /
           cells;
}

/* phi from rho, both [cells]. */
static inline void solve_potential(const potential *s, const number *rho, number *phi)
{
    complex_number *a = allocate(s->cells, sizeof *a), *b = allocate(s->cells, sizeof *b);
    potential_norms p = { 0 };
    double          bound;

    for (int64_t i = 0; i < s->cells; i++) {
        a[i] = (complex_number) { rho[i].v, 0 };
        p.rho += rho[i].v * rho[i].v;
        p.bound += rho[i].e * rho[i].e;
    }
    transform(s, 0, -1, a, b);
    transform(s, 1, -1, b, a);
    transform(s, 2, -1, a, b);
    for (int64_t i = 0; i < s->cells; i++) {
        const double factor = green(s, i);

        b[i].re *= -factor / (double)s->cells;
        b[i].im *= -factor / (double)s->cells;
        p.green += factor * factor;
        p.product += (b[i].re * b[i].re + b[i].im * b[i].im) * (double)s->cells * (double)s->cells;
    }
    transform(s, 0, 1, b, a);
    transform(s, 1, 1, a, b);
    transform(s, 2, 1, b, a);
    bound = potential_bound(s, &p);
    for (int64_t i = 0; i < s->cells; i++)
        phi[i] = (number) { a[i].re, bound };
    free(a);
    free(b);
}

#endif
