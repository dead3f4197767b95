/* What the definitions of the small linear algebra cases share: work matrix by matrix on several
 * threads, with a result that does not depend on their number. */
#ifndef ASSAY_CASES_LINALG_H
#define ASSAY_CASES_LINALG_H

#include "case.h"

#include <math.h>
#include <stdio.h>

enum {
    LINALG_CHUNKS = 64
};

/* ---- inputs ---- */

/* Makes matrix m in place. */
typedef void linalg_make_fn(const assay_prepare_args *args, int64_t m);

typedef struct linalg_making {
    const assay_prepare_args *args;
    linalg_make_fn           *make;
} linalg_making;

static inline void linalg_make_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const linalg_making *making = context;

    (void)chunk;
    for (int64_t m = begin; m < end; m++)
        making->make(making->args, m);
}

static inline void linalg_make_all(const assay_prepare_args *args, int64_t batch,
                                   linalg_make_fn *make)
{
    linalg_making making = { args, make };

    args->parallel_for(batch, batch / LINALG_CHUNKS + 1, linalg_make_chunk, &making);
}

/* A whole number from 0 to count-1, from a number from -1 to 1. */
static inline int64_t linalg_one_of(int64_t count, double random)
{
    const int64_t k = (int64_t)floor((random + 1) / 2 * (double)count);

    return k < 0 ? 0 : k >= count ? count - 1 : k;
}

/* ---- findings ---- */

/* The finding for a matrix: 0, or a place in a table of what can be wrong. */
typedef int linalg_judge_fn(const assay_evidence *e, int64_t m);

typedef struct linalg_finding {
    assay_verdict verdict;
    const char   *what;
} linalg_finding;

typedef struct linalg_judging {
    const assay_evidence *evidence;
    linalg_judge_fn      *judge;
    struct {
        int     found;
        int64_t m;
    } first[LINALG_CHUNKS];
} linalg_judging;

static inline void linalg_judge_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    linalg_judging *j = context;

    for (int64_t m = begin; m < end && j->first[chunk].found == 0; m++) {
        j->first[chunk].found = j->judge(j->evidence, m);
        j->first[chunk].m     = m;
    }
}

/* The verdict of the first matrix with a fault. */
static inline assay_verdict linalg_judge_all(const assay_evidence *e, int64_t batch,
                                             linalg_judge_fn *judge, const linalg_finding *findings,
                                             char *reason, size_t size)
{
    linalg_judging j = { .evidence = e, .judge = judge };

    e->parallel_for(batch, batch / LINALG_CHUNKS + 1, linalg_judge_chunk, &j);
    for (int chunk = 0; chunk < LINALG_CHUNKS; chunk++) {
        const linalg_finding *found = &findings[j.first[chunk].found];

        if (j.first[chunk].found == 0)
            continue;
        (void)snprintf(reason, size, "matrix %lld: %s", (long long)j.first[chunk].m, found->what);
        return found->verdict;
    }
    return ASSAY_PASS;
}

/* ---- residuals ---- */

/* The largest residual of a matrix over its bound; NaN if it has none. */
typedef double linalg_ratio_fn(const assay_evidence *e, int64_t m);

typedef struct linalg_measuring {
    const assay_evidence *evidence;
    linalg_ratio_fn      *ratio;
    double                worst[LINALG_CHUNKS];
} linalg_measuring;

/* The larger one, or NaN if either is NaN. */
static inline double linalg_worse(double a, double b) { return a <= b || isnan(b) ? b : a; }

static inline void linalg_measure_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    linalg_measuring *r = context;

    for (int64_t m = begin; m < end; m++)
        r->worst[chunk] = linalg_worse(r->worst[chunk], r->ratio(r->evidence, m));
}

/* Holds if no matrix has a residual above its bound. */
static inline assay_invariant_result linalg_worst_of_all(const assay_evidence *e, int64_t batch,
                                                         linalg_ratio_fn *ratio)
{
    linalg_measuring r     = { .evidence = e, .ratio = ratio };
    double           worst = 0;

    e->parallel_for(batch, batch / LINALG_CHUNKS + 1, linalg_measure_chunk, &r);
    for (int chunk = 0; chunk < LINALG_CHUNKS; chunk++)
        worst = linalg_worse(worst, r.worst[chunk]);
    return (assay_invariant_result) { .value = worst, .bound = 1 };
}

/* |residual| over its bound, where 0 over 0 is 0. */
static inline double linalg_ratio(double residual, double bound)
{
    return residual == 0 ? 0 : fabs(residual) / bound;
}

/* Half the distance from |x| to the next number of the type: the most by which rounding moved x. */
static inline double linalg_half_step(assay_type type, double x)
{
    const double next = assay_type_at(type, assay_type_place(type, fabs(x)) + 1);

    return isfinite(next) ? (next - fabs(x)) / 2 : fabs(x) * assay_type_roundoff(type);
}

/* What Jacobi's rotations in single precision may do to a vector, in units of its length. Eight
 * sweeps of n rotations, from two sides, are 16 n rotations. One rounds a vector by at most 3 u of
 * its length: twice for its cosine and sine, once for the result. Nothing is assumed about signs: a
 * library may round all of them the same way (cuSOLVER reaches twice what independent roundings
 * would). Reflections, the other method, are n, which round by (sqrt(n) + 3) u: less. */
static inline double linalg_rotations(int64_t n) { return 3 * 16 * (double)n * ASSAY_U32_ROUNDOFF; }

/* The product of two columns of `n` numbers that are known to half_..., minus what it should be,
 * over what their rounding and `bound` explain. */
static inline double linalg_product_ratio(int64_t n, const double *a, const double *half_a,
                                          const double *b, const double *half_b, bool is_same,
                                          double bound)
{
    double residual = is_same ? -1 : 0, rounding = 0;

    for (int64_t i = 0; i < n; i++) {
        residual += a[i] * b[i];
        rounding += half_a[i] * fabs(b[i]) + half_b[i] * (fabs(a[i]) + half_a[i]);
    }
    return linalg_ratio(residual, rounding + bound);
}

/* How far n vectors of `length` numbers, each in a row of `size`, are from orthonormal: the worst
 * of their products. */
static inline double linalg_orthogonality(int64_t n, int64_t length, int64_t size, double x[][size],
                                          double half_x[][size], double bound)
{
    double worst = 0;

    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k <= j; k++)
            worst = linalg_worse(worst, linalg_product_ratio(length, x[j], half_x[j], x[k],
                                                             half_x[k], j == k, bound));
    return worst;
}

#endif
