/* The article's sensitivity: of a map f at x along coordinate i, ||f(x + eps e_i) - f(x)|| / eps
 * for eps to 0, which is the norm of column i of the Jacobian where there is one; the sum over all
 * coordinates is that of f at x, and its mean over x the average sensitivity. */
#ifndef PHYSARUM_MAP_H
#define PHYSARUM_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* A map at one x. It may be made of pieces: */
typedef struct physarum_map {
    int64_t n, m; /* coordinates of x, and of f(x) */
    /* Writes f(x + by e_i) to y. Returns which piece x + by e_i is on, by a number that pieces do
     * not share. */
    uint64_t (*apply)(void *context, int64_t i, double by, double *y);
    void *context;
} physarum_map;

/* f(x), which columns are held against. */
typedef struct physarum_image_of {
    double  *y, *other; /* [m]; other is overwritten */
    uint64_t piece;
} physarum_image_of;

/* One column at a finite eps. */
typedef struct physarum_column {
    double norm;      /* ||f(x + eps e_i) - f(x)|| / eps, Euclidean */
    double sum;       /* what the sum of f(x) changes by, over eps */
    bool   is_smooth; /* both are on one piece: it is the Jacobian's, but for what f is curved */
} physarum_column;
physarum_column physarum_column_at(const physarum_map *f, const physarum_image_of *at, int64_t i,
                                   double eps);

/* Of the coordinates first to first + count - 1, `samples` drawn by `seed` or, if there are no more
 * than that, all. Sums over all of them are estimated by those drawn. */
typedef struct physarum_group {
    int64_t  first, count, samples;
    uint64_t seed;
} physarum_group;
typedef struct physarum_local {
    int64_t drawn;
    double  sensitivity; /* sum of norms */
    double  jacobian; /* the same of the smooth columns alone, as if all were; NaN: there is none */
    double  smooth;   /* share of them */
    double  sum;      /* mean of the columns' sums */
} physarum_local;
physarum_local physarum_local_at(const physarum_map *f, const physarum_image_of *at,
                                 const physarum_group *group, double eps);

#endif
