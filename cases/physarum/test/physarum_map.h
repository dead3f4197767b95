/* The article's sensitivity of a map f at x along coordinate i: ||f(x + eps e_i) - f(x)|| / eps for
 * eps to 0, which is the norm of column i of the Jacobian, if there is one. The sum over all
 * coordinates is the sensitivity of f at x, and its mean over x the average sensitivity. */
#ifndef PHYSARUM_MAP_H
#define PHYSARUM_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* A map at one x. It may be made of pieces: */
typedef struct physarum_map {
    int64_t n, m; /* coordinates of x, and of f(x) */
    /* Writes f(x + by e_i) to y. Returns a number that identifies the piece that x + by e_i is
     * on. */
    uint64_t (*apply)(void *context, int64_t i, double by, double *y);
    void *context;
} physarum_map;

/* f(x), which columns are compared with. */
typedef struct physarum_image_of {
    double  *y, *other; /* [m]; other is overwritten */
    uint64_t piece;
} physarum_image_of;

/* One column at a finite eps. */
typedef struct physarum_column {
    double norm;      /* ||f(x + eps e_i) - f(x)|| / eps, Euclidean */
    double sum;       /* change of the sum of f(x), over eps */
    bool   is_smooth; /* both are on one piece: it is the Jacobian's column, apart from the
                       * curvature of f */
} physarum_column;
physarum_column physarum_column_at(const physarum_map *f, const physarum_image_of *at, int64_t i,
                                   double eps);

/* The coordinates first to first + count - 1: `samples` of them, drawn by `seed`, or all if there
 * are no more than that. The drawn ones estimate sums over all of them. */
typedef struct physarum_group {
    int64_t  first, count, samples;
    uint64_t seed;
} physarum_group;
typedef struct physarum_local {
    int64_t drawn;
    double  sensitivity; /* sum of norms */
    double  jacobian;    /* the same for the smooth columns alone, scaled up to all; NaN: there is
                          * none */
    double smooth;       /* share of them */
    double sum;          /* mean of the columns' sums */
} physarum_local;
physarum_local physarum_local_at(const physarum_map *f, const physarum_image_of *at,
                                 const physarum_group *group, double eps);

#endif
